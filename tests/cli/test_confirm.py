"""`volcli analyze --confirm`: facts compared with executions, and what contradicts one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import volcli as package
from tests.conftest import Run
from volcli.api.confirming.facts import compared
from volcli.facts.bounds import BoundsFact
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.passes.table import find_question
from volcli.presburger.sets.named import NamedSet

TEXT = """
func.func @f(%m: memref<40xf32>, %n: index) {
  affine.for %i = 1 to 20 step 3 {
    %x = affine.load %m[%i] : memref<40xf32>
    affine.for %j = 0 to 4 {
      affine.store %x, %m[%i + 3 * %j] : memref<40xf32>
    }
  }
  return
}
"""


def facts(text: str = TEXT) -> tuple[package.Program, list[Fact]]:
    """The bounds and dependences of TEXT."""
    program = package.loads(text)
    program.run(",".join(find_question(each) for each in ("bounds", "dependences")))
    return program, program.facts


def test_each_fact_is_confirmed(volcli: Run, tmp_path: Path) -> None:
    """In JSON with how often it was looked at; the number of executions is on stderr."""
    file = tmp_path / "f.mlir"
    file.write_text(TEXT)
    found = volcli("analyze", str(file), "--ask", "bounds,dependences", "--confirm", "--format", "json")
    assert found.returncode == 0
    assert "6 of 6 facts are confirmed by 8 executions" in found.stderr
    stated = json.loads(found.stdout)["files"][0]["facts"]
    seven = next(each for each in stated if each.get("value") == "%i")["confirmed"]
    assert seven == {"executions": 8, "observations": 56}


def test_nothing_is_said_of_a_file_without_facts(volcli: Run, tmp_path: Path) -> None:
    file = tmp_path / "f.mlir"
    file.write_text("func.func @f() {\n  return\n}\n")
    found = volcli("analyze", str(file), "--ask", "dependences", "--confirm")
    assert (found.returncode, found.stderr) == (0, "")


def test_a_wrong_bound_is_an_internal_error() -> None:
    """Its place, the fact, the value, and the command of the execution."""
    program, stated = facts()
    bound = next(each for each in stated if isinstance(each, BoundsFact) and each.value == "%i")
    wrong = replace(bound, upper=replace(bound.upper, constant=18, expression=None))
    found = compared(program.units[0], [wrong])
    (error,) = found.errors
    assert not found.facts
    assert error.code == "V900"
    assert "%i [1, 18]" in error.message
    assert "contradicts this: it is 19" in error.message
    assert "`volcli run - --function f --arg %n=" in error.message
    assert error.place is not None
    assert error.place.line == 3


def test_a_wrong_distance_is_an_internal_error() -> None:
    """Both iterations are named."""
    program, stated = facts()
    flow = next(each for each in stated if isinstance(each, DependenceFact) and each.kind == "RAW")
    wrong = replace(flow, distances=NamedSet("{ [i] : i mod 3 = 0 and 0 < i < 9 }"))
    (error,) = compared(program.units[0], [wrong]).errors
    assert "iteration (1, 3) and then (10,) access one element" in error.message


def test_what_is_not_compared() -> None:
    """What callers decide, and executions that are undefined."""
    private = TEXT.replace("func.func @f", "func.func private @f")
    undefined = TEXT.replace("memref<40xf32>", "memref<?xf32>").replace("%m[%i]", "%m[%i + 4000]")
    for text in (private, undefined):
        program, stated = facts(text)
        found = compared(program.units[0], stated)
        assert len(found.facts) == len(stated) > 0
        assert not found.errors
        assert all(each.confirmed is None for each in found.facts)
