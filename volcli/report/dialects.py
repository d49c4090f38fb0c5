"""The list of dialects: their operations, the questions that have cases for them, where they come from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from volcli.loading.plugins import Loaded
from volcli.report.aligned import aligned

_COLUMNS = {
    "element_reads": "reads",
    "result_sizes": "sizes",
    "index_value": "values",
    "accesses": "accesses",
    "effects": "effects",
    "problems": "problems",
}
"""The questions that a table for people shows, and their heads, which leave room; JSON has all."""


def as_text(found: Sequence[Loaded]) -> str:
    """A row for each dialect, and why it could not be loaded where that is so."""
    rows: list[tuple[str, ...]] = [("dialect", "ops", *_COLUMNS.values(), "from")]
    for each in found:
        counts = (str(len(each.cases.get(question, ()))) for question in _COLUMNS)
        rows.append((each.provider.dialect, str(len(each.operations)), *counts, _origin(each)))
    problems = [f"{each.provider.dialect}: not loaded: {each.problem}" for each in found if each.problem]
    return "\n".join([*aligned(rows), *problems]) + "\n"


def _origin(each: Loaded) -> str:
    return "volcli" if each.provider.package == "volcli" else each.provider.origin


def as_json(found: Sequence[Loaded]) -> str:
    """A JSON list with an object for each dialect."""
    listed = [
        {
            "dialect": each.provider.dialect,
            "package": each.provider.package,
            "version": each.provider.version,
            "entry": each.provider.entry,
            "problem": each.problem,
            "operations": list(each.operations),
            "cases": {question: list(operations) for question, operations in each.cases.items()},
        }
        for each in found
    ]
    return json.dumps(listed, indent=2, ensure_ascii=False) + "\n"


RENDERERS: Mapping[str, Callable[[Sequence[Loaded]], str]] = {"text": as_text, "json": as_json}
