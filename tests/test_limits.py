"""The table of limits: its rows are true, its page is current, and there is no limit beside it."""

from __future__ import annotations

import pickle
import re
from functools import cache
from pathlib import Path

import pytest

from tests.limits_document import limits_document, topics
from tests.rooms import contents, modules
from volcli.limits.limit import OVER_APPROXIMATED, Limit
from volcli.limits.table import exceeded, matching, table
from volcli.report.limits import limits_of
from volcli.report.lines import Line

NO_LIMITS = {
    "flags of Linux": "execution.demand.demand._NO_RESERVE",
    "exit codes of a shell": "cli.group.INTERRUPTED cli.group.CLOSED_PIPE",
    "versions of a form": "gate.records.baseline.SCHEMA gate.shards.SCHEMA gate.work.cache._FORMAT validation.comparing._FORMAT "
    "report.gate.json_report.SCHEMA report.json_report.SCHEMA",
    "how often is looked, not for how long": "gate.work.cluster._LOOKS gate.work.carrying._PATIENCE "
    "presburger.limits.worker._AGAIN presburger.limits.copies._LOOK runtime.progress._PATIENCE "
    "runtime.progress._EVERY",
    "parts of the seconds, steps or memory that there are": "equivalence.trials.executed._SHARE "
    "presburger.limits.copies._MEMORY "
    "presburger.limits.worker._SHARE presburger.limits.worker._LAST presburger.limits.worker._NO_LIMIT",
    "from which on numbers count as large, or what is taken to be as large as this": (
        "model.values.definitions.linear_forms._LARGE_MODULUS "
        "model.values.definitions.overflows._ORDINARY model.values.definitions.overflows._GROWN "
        "model.values.outline.growth._ORDINARY_BITS "
        "model.values.trust.arithmetic.MOST_ELEMENTS "
        "presburger.profiles.partition._TYPICAL dialects.arith.bounds._ORDINARY"
    ),
    "costs and factors of an estimate": "presburger.profiles.partition.PART_COST "
    "presburger.profiles.partition.COPY symbolic.cases._COST "
    "symbolic.rows._DEARER presburger.measures.extremes._WIDER presburger.measures.counts._FIRST",
    "marks of what is not there": "model.values.terms.solver._COMPLETE",
    "how far apart numbers are that differ, and how often they are drawn": "equivalence.trials.valuation.FAR "
    "equivalence.trials.valuation.NEAR equivalence.trials.valuation._BYTES "
    "equivalence.trials.differences._DRAWS equivalence.trials.trials._FEW",
    "layout of text and pictures": "pages.records._HEAD report.drawing.layers._BAR report.drawing.set_svg._READABLE report.drawing.svg_sheet.LETTER report.terminal._NARROW "
    "report.terminal._UNBOUNDED report.terminal._KEY report.terminal._GAP report.terminal._SLIVER",
    "sizes that are tried, and marks of states": "execution.runs.inputs.DEFAULT_SIZE execution.runs.instances.NEGATIVE "
    "execution.numbers.formats.INDEX_WIDTH",
    "likeness of words": "frontend.text.directives._NEAR",
}
"""The constants that are numbers and no limits, by what they are."""
BUDGET = "more than {} integer set operations"
"""What each budget says, in `BudgetExceeded`; and so does the time that is over, in `copies`."""


@cache
def _texts(root: Path) -> dict[str, str]:
    """The text of each module but the table's."""
    found = modules(root)
    return {name: path.read_text() for name, path in found.items() if not name.startswith("volcli.limits")}


def test_no_limit_is_outside_of_the_table(root: Path) -> None:
    """Add a row to volcli/limits, or a name to what is no limit, with a reason."""
    known = {name for names in NO_LIMITS.values() for name in names.split()}
    found = {
        f"{module.replace('volcli_dialects', 'volcli.dialects').removeprefix('volcli.')}.{name}"
        for module, path in modules(root).items()
        if not module.startswith("volcli.limits")
        for name in contents(path).numbers
    }
    assert found - known == set()
    assert known - found == set(), "these are gone"


def test_rows_are_complete(root: Path) -> None:
    decisions = topics(root)
    for name, limit in table().items():
        assert limit.unit, name
        assert limit.beyond, name
        if "/" in limit.measured:
            assert (root / limit.measured).exists(), name
        elif limit.is_measured and decisions is not None:
            assert limit.measured in decisions, name


def test_each_row_is_used(root: Path) -> None:
    text = "\n".join(_texts(root).values())
    used = set(re.findall(r"\b[A-Z][A-Z_]+\b", text))
    assert [name for name in table() if name.partition(".")[2].upper() not in used] == []


def test_reasons_say_what_the_rows_say(root: Path) -> None:
    """A text that is changed in the code is changed in the table."""
    texts = "\n".join(_texts(root).values())
    for name, limit in table().items():
        if limit.said and limit.said != BUDGET and not limit.said.startswith("time: "):
            constant = name.partition(".")[2].upper()
            place = rf"\{{(limits\.|most\b)?({constant})?\}}"
            pattern = place.join(map(re.escape, limit.said.split("{}")))
            assert re.search(pattern, texts), name


def test_the_page_is_current(root: Path) -> None:
    assert (root / "docs" / "limits.md").read_text() == limits_document(), "run `make update`"


def test_a_limit_is_its_number() -> None:
    limit = Limit(12, "variables", OVER_APPROXIMATED, said="more than {} variables")
    assert limit == 12
    assert f"{limit} {limit!r} {limit + 1}" == "12 12 13"
    assert type(pickle.loads(pickle.dumps(limit))) is int


def test_names() -> None:
    assert list(matching("values.kept_variables")) == ["values.kept_variables"]
    assert {name.partition(".")[0] for name in matching("symbolic")} == {"symbolic"}
    assert matching("limits") == table()
    assert "presburger.default_operations" in matching("V302")
    assert "presburger.default_seconds" in matching("V305")
    assert list(matching("V304")) == ["structure.blocks"]
    assert "language.product_terms" in matching("V303")
    assert matching("V201") == {} == matching("kept_variables")


@pytest.mark.parametrize(
    ("reason", "names"),
    [
        ("it depends on more than 12 variables", ["values.kept_variables"]),
        ("it depends on more than 13 variables", []),
        ("budget: more than 200000 integer set operations", ["rewriting.check_operations"]),
        ("budget: more than 77 integer set operations", ["presburger.default_operations"]),
        ("time: more than 1 s (not reproducible)", ["presburger.default_seconds"]),
        ("more than 4 divisions of large numbers", ["presburger.large_divisions"]),
        ("more than 8 divisions", ["values.divisions_of_a_piece"]),
        ("the operation 'x.y' has no case", []),
    ],
)
def test_reasons_name_their_limit(reason: str, names: list[str]) -> None:
    assert list(exceeded(reason)) == names


def test_several_limits_with_the_same_words() -> None:
    lines = [Line("unknown: budget: more than 2000000 integer set operations"), Line("nothing else")]
    assert [line.text for line in limits_of(lines * 2)] == [
        "limit: presburger.default_operations or values.recurrence_operations (2,000,000)"
    ]
