"""What docs/adding.md promises: a question costs a kind of fact, a pass, and a line in the table of passes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from xdsl.ir import Operation

import volcli
from volcli.facts.fact import EXACT, Certainty, Fact
from volcli.passes.base import Pass, Unit
from volcli.passes.table import PASSES, QUESTIONS
from volcli.report.files import FileReport
from volcli.report.json_report import as_json
from volcli.report.terminal import as_tables

TEXT = """func.func @f(%n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %i {
    }
  }
  return
}
"""


@dataclass(frozen=True, repr=False)
class DepthFact(Fact):
    """In how many operations with regions an operation is."""

    question = "depth"
    columns = ("operation", "depth")

    depth: int

    @property
    def subject(self) -> str:
        return self.op

    def _fields(self) -> Mapping[str, Any]:
        return {"depth": self.depth}

    @property
    def certainty(self) -> Certainty:
        return EXACT

    def content(self) -> Any:
        return self.depth

    def annotation(self) -> list[str]:
        return [f"depth {self.depth}"]

    def rows(self) -> list[tuple[str, ...]]:
        return [(self.op, str(self.depth))]


@dataclass(frozen=True)
class Depths(Pass):
    """Count the operations around each loop."""

    name = "depths"
    summary = "how deep loops are nested"

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            for op in model.function.walk():
                if op.regions:
                    unit.facts.append(DepthFact(unit.where(model, op), len(list(_around(op)))))


def _around(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None and parent.parent_op() is not None:
        yield parent
        parent = parent.parent_op()


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> volcli.Program:
    monkeypatch.setitem(PASSES, "depths", f"{__name__}:Depths")  # type: ignore[arg-type]
    monkeypatch.setitem(QUESTIONS, "depth", "depths")  # type: ignore[arg-type]
    return volcli.loads(TEXT).run("depths").run("depths")


def test_it_is_in_every_output_that_there_is(program: volcli.Program) -> None:
    reports = [FileReport("f.mlir", program.diagnostics, program.facts)]
    assert [fact["depth"] for fact in json.loads(as_json(reports))["files"][0]["facts"]] == [0, 1, 2]
    assert [line.split() for line in as_tables(reports).splitlines()[3:]] == [
        ["location", "function", "operation", "depth"],
        ["1:1", "f", "func.func", "0"],
        ["2:3", "f", "affine.for", "1"],
        ["3:5", "f", "affine.for", "2"],
    ]
    assert "    // volcli: depth 2\n    affine.for %j" in program.annotated()
    assert "volcli.depth = 1" in program.text("attributes")
    assert "<td>affine.for</td><td>2</td>" in program._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_its_facts_have_keys(program: volcli.Program) -> None:
    assert [str(fact.key) for fact in program.facts] == [
        "@f depth func.func",
        "@f depth affine.for",
        "@f depth affine.for #1",
    ]
