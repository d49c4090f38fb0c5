"""Facts hold mathematics: they travel without the IR, are read back as what they say, and have stable keys."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import islpy as isl
import jsonschema
import pytest
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

import volcli
from tests.api.test_confirming import QUESTIONS
from tests.api.test_contradictions import OF_ALL, contradictions
from tests.conftest import ROOT, Run
from tests.gate.test_agreement import disagreements
from tests.shared.everything import EVERYTHING, answered
from volcli.api.confirming.facts import ComparedFacts, compared
from volcli.facts.access import AccessFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.fact import Fact
from volcli.facts.shapes import ShapeFact
from volcli.facts.slices import SlicesFact
from volcli.language.expressions import Expression, parameter
from volcli.limits import execution as limits
from volcli.passes.table import UNASKED
from volcli.presburger.sets.named import NamedMap, NamedSet, NamedUnionMap
from volcli.report.files import FileReport
from volcli.report.json_report import as_json

FILES = [path for path in sorted((ROOT / "testdata").rglob("*.mlir")) if path.parent.name != "errors"]
EXECUTED = ("affine", "bounds", "memory", "regions", "scf", "slices", "tensor", "check", "partition")
"""The folders of testdata whose answers are compared with executions."""
TWICE = """
func.func @f(%m: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %m[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 7 {
    %x = affine.load %m[%i] : memref<?xf32>
  }
  return
}
"""


@dataclasses.dataclass(frozen=True)
class Answers:
    """What is said of the files in testdata: a report of each, the facts of each chunk, and what cannot both be true.

    Facts are compared with each other (tests/api/test_contradictions.py), with findings (tests/gate/test_agreement.py), and
    with executions, by the folder that the program is in (tests/api/test_confirming.py).
    """

    reports: list[FileReport]
    chunks: list[list[Fact]]
    contradictions: dict[str, list[str]]
    disagreements: dict[str, list[str]]
    executed: dict[str, list[ComparedFacts]]


@pytest.fixture(scope="module")
def answers() -> Answers:
    """Every question of every file that is tested, as it is called in the repository's root.

    Executions end after a fifth of the steps that they have by default: 93 of 100 of them, in half of the time.
    """
    found = Answers([], [], {}, {}, {})
    with contextlib.chdir(ROOT), pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "COMPARING_STEPS", limits.COMPARING_STEPS // 5)
        for path in FILES:
            program = answered(named := str(path.relative_to(ROOT)))
            found.reports.append(FileReport(named, program.diagnostics, program.facts))
            found.chunks.extend([*unit.facts] for unit in program.units)
            found.disagreements[named] = [each for unit in program.units for each in disagreements(unit)]
            if (folder := path.parent.name) in EXECUTED:
                runs = [compared(unit, unit.facts, QUESTIONS) for unit in program.units]
                found.executed.setdefault(folder, []).extend(runs)
            found.contradictions[named] = contradictions(program.run(OF_ALL))
    return found


@pytest.fixture(scope="module")
def facts(answers: Answers) -> list[Fact]:
    return [fact for chunk in answers.chunks for fact in chunk]


def parts(value: Any) -> Iterator[Any]:
    """VALUE and what it is made of, down to texts and numbers."""
    yield value
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from parts(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from parts(key)
            yield from parts(inner)
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from parts(inner)


@pytest.mark.slow
def test_every_question_is_among_them(facts: list[Fact]) -> None:
    assert {fact.question for fact in facts} == set(UNASKED)


@pytest.mark.slow
def test_nothing_of_the_ir_is_in_a_fact(facts: list[Fact]) -> None:
    for fact in facts:
        for part in parts(fact):
            assert not isinstance(part, Attribute | Block | Operation | Region | SSAValue), (fact, part)


@pytest.mark.slow
def test_a_fact_is_the_same_after_a_journey(facts: list[Fact]) -> None:
    for fact in facts:
        there = pickle.loads(pickle.dumps(fact))
        assert there == fact
        assert there.key == fact.key
        assert (there.to_json(), there.rows()) == (fact.to_json(), fact.rows())
        assert (there.annotation(), there.content()) == (fact.annotation(), fact.content())


@pytest.mark.slow
def test_what_is_printed_is_read_back_as_the_same_set(facts: list[Fact]) -> None:
    seen: set[object] = set()
    for fact in facts:
        for part in parts(fact):
            if part in seen if isinstance(part, NamedSet | NamedMap | NamedUnionMap) else True:
                continue
            seen.add(part)
            if isinstance(part, NamedSet):
                assert NamedSet(part.text).set.is_equal(part.set), part
            else:
                assert type(part)(part.text).map.is_equal(part.map), part
    assert len(seen) > 100


@pytest.mark.slow
def test_facts_hold_sets_and_expressions_and_not_their_texts(facts: list[Fact]) -> None:
    kinds = {type(part) for fact in facts for part in parts(fact)}
    assert {NamedSet, NamedMap, NamedUnionMap, Expression} <= kinds


@pytest.mark.slow
def test_conditions_are_sets_again(facts: list[Fact]) -> None:
    """What is printed as `dim(%m, 0) >= 4` holds for sizes of 4 and more."""
    read = {
        fact.key: (
            fact.condition if isinstance(fact, AccessFact) else fact.overlap.precondition,
            fact.precondition,
        )
        for fact in facts
        if isinstance(fact, AccessFact | SlicesFact)
    }
    conditions = {text: found for text, found in read.values() if text is not None}
    assert len(conditions) > 5
    for text, found in conditions.items():
        assert found is not None, text
        assert all(str(name) in text for name in found.names)
    claim = volcli.loads(TWICE).function("f").compare("%n <= 7")
    assert claim.precondition is not None
    assert claim.precondition.points.is_equal(isl.Set("[n0] -> { : n0 <= 7 }"))
    proved = volcli.loads(TWICE, assume=["%n <= 7"]).function("f").compare("%n <= 7")
    assert proved.precondition is None


def test_another_process_finds_an_expression_by_its_value(
    tmp_path: Path, environment: Mapping[str, str]
) -> None:
    """There, texts have other hashes."""
    (path,) = (path for path in FILES if path.name == "conv_layer_dynamic.mlir")
    shape = volcli.load(path).function("krnl0").shape("%pad0")
    assert hash(shape.sizes[2])  # computed, and kept
    (tmp_path / "fact").write_bytes(pickle.dumps(shape))
    script = (
        "import pickle, sys; from volcli.language.expressions import parameter; "
        "fact = pickle.load(open(sys.argv[1], 'rb')); "
        "print({parameter('ifm_d2') + 3: 'found'}.get(fact.sizes[2]), fact)"
    )
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "fact")],
            capture_output=True, text=True, check=True, env={**environment, "PYTHONHASHSEED": seed},
        )  # fmt: skip
        assert ran.stdout == "found <shapes of %pad0: tensor<1x3x?x?xf32>, [1, 3, ifm_d2 + 3, ifm_d3 + 3]>\n"


@pytest.mark.slow
def test_json_is_as_documented(answers: Answers) -> None:
    """Of facts that differ only in names, and in numbers of one sign, the first: a schema cannot tell them apart."""
    schema = json.loads(text := (ROOT / "docs" / "facts.schema.json").read_text())
    words = frozenset(re.findall(r'"([^"]*)"', text))
    report = json.loads(as_json(answers.reports))
    seen: set[str] = set()
    for file in report["files"]:
        facts = [(json.dumps(outlined(fact, words), sort_keys=True), fact) for fact in file["facts"]]
        file["facts"] = [fact for outline, fact in facts if outline not in seen and not seen.add(outline)]
    jsonschema.validate(report, schema)
    assert len(seen) > 500


def outlined(value: Any, words: frozenset[str]) -> Any:
    """VALUE without what a schema of these WORDS does not look at.

    >>> outlined({"kind": "RAW", "name": "%m", "at": [3, 5, -2]}, frozenset({"RAW"}))
    {'kind': 'RAW', 'name': '', 'at': [1, -1]}
    """
    if isinstance(value, dict):
        return {key: outlined(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        found = [outlined(inner, words) for inner in value]
        return [each for place, each in enumerate(found) if each not in found[:place]]
    if isinstance(value, str):
        return value if value in words else ""
    return value if isinstance(value, bool | None) else (value > 0) - (value < 0)


@pytest.mark.slow
def test_the_command_line_prints_it(answers: Answers, volcli: Run) -> None:
    (report,) = (each for each in answers.reports if each.file == "testdata/memory/shifted_rows.mlir")
    assert volcli("analyze", report.file, "--format", "json").stdout == as_json([report])


@pytest.mark.slow
@pytest.mark.parametrize("each", [6, pytest.param(1, marks=pytest.mark.fuzz)])
def test_another_process_prints_the_same_bytes(
    answers: Answers, environment: Mapping[str, str], each: int
) -> None:
    """There, texts have other hashes and objects other addresses: order is by position in the program."""
    reports = answers.reports[::each]
    ran = subprocess.run(
        [sys.executable, "-m", "tests.shared.everything", "1", *(report.file for report in reports)],
        cwd=ROOT, env={**environment, "PYTHONHASHSEED": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    ours, theirs = f"{as_json(reports)}\n".splitlines(), ran.stdout.splitlines()
    assert not [(a, b) for a, b in zip(ours, theirs, strict=False) if a != b][:5]
    assert len(ours) == len(theirs)


@pytest.mark.slow
def test_no_two_facts_contradict_each_other(answers: Answers) -> None:
    assert {file: said for file, said in answers.contradictions.items() if said} == {}


@pytest.mark.slow
def test_no_finding_contradicts_an_answer(answers: Answers) -> None:
    assert {file: said for file, said in answers.disagreements.items() if said} == {}


@pytest.mark.slow
@pytest.mark.parametrize("folder", EXECUTED)
def test_no_execution_contradicts(answers: Answers, folder: str) -> None:
    runs = answers.executed[folder]
    assert [str(each) for run in runs for each in run.errors] == []
    assert sum(fact.confirmed is not None for run in runs for fact in run.facts) >= 10


# -- keys ----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_facts_of_one_program_have_keys_of_their_own(answers: Answers) -> None:
    for chunk in answers.chunks:
        assert [key for key, count in Counter(fact.key for fact in chunk).items() if count > 1] == []


def test_what_is_written_alike_is_counted() -> None:
    found = volcli.loads(TWICE).run("value-bounds").facts
    ends = {str(f.key): f.upper.constant for f in found if isinstance(f, BoundsFact) and f.value == "%i"}
    assert ends == {"@f bounds %i": None, "@f bounds %i #1": 6}


def test_a_key_does_not_move_with_its_line() -> None:
    before = volcli.loads(TWICE).run(EVERYTHING).facts
    moved = TWICE.replace(
        "  affine.for %i = 0 to %n", "\n\n  %unused = arith.constant 1 : index\n  affine.for %i = 0 to %n"
    )
    after = volcli.loads(moved).run(EVERYTHING).facts
    assert {f.key for f in before} == {f.key for f in after if "%unused" not in f.key.subject}
    assert {f.place.line for f in before} != {f.place.line for f in after}


# -- once ----------------------------------------------------------------------------------------------


def test_to_run_twice_is_to_run_once() -> None:
    program = volcli.loads(TWICE).run(EVERYTHING)
    once = program.to_json(), program.text(), program.annotated()
    assert (program.run(EVERYTHING).to_json(), program.text(), program.annotated()) == once


def test_a_later_answer_takes_the_place_of_an_earlier_one() -> None:
    program = volcli.loads(TWICE).run("element-maps").run("value-bounds")
    count = len(program.facts)
    assert len(program.run("value-bounds{of=%n}").facts) == count
    program.compare("%n >= 0")
    program.compare("%n >= 0")
    assert [f.key.subject for f in program.facts[count:]] == ["%n >= 0"]


def test_maps_to_operands_and_to_inputs_are_two_facts() -> None:
    text = """func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = arith.negf %a : tensor<4xf32>
      return %r : tensor<4xf32>
    }"""
    found = volcli.loads(text).run("element-maps,element-maps{to=operands}").facts
    assert [f.key.subject for f in found] == ["%r", "%r to operands"]


def test_after_a_rewriting_a_pass_answers_anew() -> None:
    text = """func.func @f() -> tensor<?xf32> {
      %c4 = arith.constant 4 : index
      %r = tensor.empty(%c4) : tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    program = volcli.loads(text).run("infer-shapes").run("infer-shapes{refine-types}").run("infer-shapes")
    types = [f.type for f in program.facts if isinstance(f, ShapeFact) and f.value == "%r"]
    assert types == ["tensor<4xf32>"]


def test_a_named_set_may_have_parameters() -> None:
    named = NamedSet.of(isl.Set("[n] -> { t[i] : 0 <= i < n }"))
    assert named == pickle.loads(pickle.dumps(named)) == NamedSet(named.text)
    assert parameter("n") in {parameter(str(name)) for name in named.set.get_var_names(isl.dim_type.param)}
