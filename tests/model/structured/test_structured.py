"""Loops of blocks, as what is asked of memory sees them: against the run of the blocks themselves."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import islpy as isl
import pytest
from xdsl.ir import Operation, SSAValue

import volcli
from tests.model.structured.block_programs import (
    CONSTANTS,
    LOOPS,
    NARROW,
    PROGRAMS,
)
from tests.shared.recorded import Access, Recorded
from volcli.api.program import Program
from volcli.execution.runs.inputs import Inputs
from volcli.facts.access import AccessFact
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.facts.loops import LoopFact

SIZES = (0, 1, 2, 5, 9)


class Accessed(NamedTuple):
    """One access of the run: its line, what it does, the element, and the iteration of the LOOPS around it."""

    line: int
    is_write: bool
    element: int
    iteration: tuple[int, ...]
    loops: tuple[str, ...]


Vector = tuple[str, int, int, tuple[int, ...]]


def ran(program: Program, text: str) -> Iterator[tuple[int, list[Accessed]]]:
    """The accesses of a run for each %n, whose memory is zeros."""
    (unit,) = program.units
    (function,) = (model.function for model in unit.models())
    lines = text.splitlines()

    def names(op: Operation) -> tuple[str, ...]:
        return tuple(re.findall(r"%\w+", lines[unit.parsed.written_at(op).line - 1].partition("// in")[2]))

    def around(op: Operation) -> list[SSAValue]:
        return [value for name in names(op) if (value := unit.parsed.names.find(function, name)) is not None]

    def accessed(e: Access) -> Accessed:
        return Accessed(unit.parsed.written_at(e.op).line, e.is_write, e.at, e.iteration, names(e.op))

    recorded = Recorded(program, around)
    for n in SIZES:
        run = recorded.run(Inputs(numbers={"n": n, "v": 7}, kind="zeros"))
        assert run.stopped is None
        yield n, [*map(accessed, run.accesses)]


def dependences(trace: list[Accessed]) -> set[Vector]:
    """The kind, lines and distance of each pair of accesses to one element of which one writes."""
    found: set[Vector] = set()
    for first, second in combinations(trace, 2):
        if first.element == second.element and (first.is_write or second.is_write):
            kind = ("RAW" if not second.is_write else "WAW") if first.is_write else "WAR"
            common = sum(1 for a, b in zip(first.loops, second.loops, strict=False) if a == b)
            pairs = zip(first.iteration[:common], second.iteration[:common], strict=True)
            found.add((kind, first.line, second.line, tuple(b - a for a, b in pairs)))
    return found


def stated(facts: list[DependenceFact], n: int) -> tuple[set[Vector], list[DependenceFact]]:
    """The distances that exact facts state for %n = N, and the facts that are not exact."""
    found: set[Vector] = set()
    inexact: list[DependenceFact] = []
    for fact in facts:
        if fact.certainty.degree != "exact" or fact.distances is None:
            inexact.append(fact)
            continue
        points = fact.distances.set
        for position in range(points.dim(isl.dim_type.param)):
            if points.get_dim_name(isl.dim_type.param, position) == "n":
                points = points.fix_val(isl.dim_type.param, position, isl.Val(n))
        assert points.is_bounded()
        points.project_out_all_params().foreach_point(
            lambda point, fact=fact: found.add(
                (
                    fact.kind, fact.source.place.line, fact.sink.place.line,
                    tuple(
                        point.get_coordinate_val(isl.dim_type.set, k).to_python()
                        for k in range(point.get_space().dim(isl.dim_type.set))
                    ),
                )
            )
        )  # fmt: skip
    return found, inexact


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_dependences_are_those_of_the_run(name: str) -> None:
    text = PROGRAMS[name]
    program = volcli.loads(text).run("dependences")
    facts = [fact for fact in program.facts if isinstance(fact, DependenceFact)]
    for n, trace in ran(program, text):
        there = dependences(trace)
        known, inexact = stated(facts, n)
        maybe = {(fact.kind, fact.source.place.line, fact.sink.place.line) for fact in inexact}
        assert known <= there
        assert {vector for vector in there - known if vector[:3] not in maybe} == set()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["ONE_HEADER_OF_TWO", "LEFT_FOR_TWO", "LEFT_FOR_THREE_IN_A_LOOP"])
def test_what_shares_a_header_or_is_left_for_several_blocks_is_structured(name: str) -> None:
    program = volcli.loads(PROGRAMS[name]).run("dependences")
    facts = [fact for fact in program.facts if isinstance(fact, DependenceFact)]
    assert facts
    assert not any("branch to each other" in str(list(fact.rows())) for fact in facts)


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", LOOPS)
def test_the_loops_have_the_kinds_of_the_run(name: str) -> None:
    program = volcli.loads(PROGRAMS[name]).run("dependences")
    kinds = {fact.loop: fact.kind for fact in program.facts if isinstance(fact, LoopFact)}
    assert kinds == LOOPS[name]


@pytest.mark.slow
def test_what_is_left_early_is_unknown_and_never_parallel() -> None:
    for name in ("LEFT_EARLY", "ENDLESS_UNTIL"):
        program = volcli.loads(PROGRAMS[name]).run("dependences")
        assert not {f.kind for f in program.facts if isinstance(f, LoopFact)} & {"parallel", "reduction"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("condition", "step"),
    [("ult, %i, %n", 1), ("slt, %i, %n", 2), ("sle, %i, %n", 1), ("ne, %i, %n", 1), ("slt, %n, %i", 1)],
)
def test_what_may_wrap_around_is_not_counted(condition: str, step: int) -> None:
    """In 32 bits, `i += 2` may pass the greatest number: then the loop goes on."""
    text = NARROW.replace("CONSTANTS", CONSTANTS).replace("sgt, %n, %i", condition)
    text = text.replace("arith.constant 1 : i32", f"arith.constant {step} : i32")
    program = volcli.loads(text).run("dependences")
    assert {f.kind for f in program.facts if isinstance(f, LoopFact)} == {"carried"}


IRREDUCIBLE = """
func.func @f(%c: i1, %m: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^a, ^b
^a:
  memref.store %v, %m[%c0] : memref<4xi32>
  cf.br ^b
^b:
  %x = memref.load %m[%c0] : memref<4xi32>
  cf.cond_br %c, ^a, ^end
^end:
  return
}"""


def test_a_loop_with_two_entries_is_one_with_a_dispatch() -> None:
    program = volcli.loads(IRREDUCIBLE).run("dependences")
    assert program.exit_code == 0
    assert {fact.certainty.degree for fact in program.facts} == {"exact"}


def test_the_facts_are_those_of_the_text() -> None:
    """Places, names and attributes are the original's; the copy is not printed."""
    program = volcli.loads(PROGRAMS["NESTED"]).run("dependences")
    assert [fact.place.line for fact in program.facts if isinstance(fact, LoopFact)] == [10, 13]
    text = program.text("attributes")
    assert "scf.for" not in text
    assert "volcli.loops" in text


LOWERED = (
    "accesses",
    "aliases",
    "flow",
    "loops",
    "nests",
    "paper_004",
    "reductions",
    "structured",
    "transfers",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOWERED)
def test_what_scf_gets_the_blocks_get_that_it_is_lowered_to(name: str, root: Path, mlir_opt: str) -> None:
    text = (root / "testdata" / "memory" / f"{name}.mlir").read_text()

    def said(*passes: str) -> Counter[tuple[str, ...]]:
        command = [mlir_opt, "-allow-unregistered-dialect", "--lower-affine", *passes]
        lowered = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        program = volcli.loads(lowered).run("dependences,check-accesses,memory-flow")
        return Counter(map(_without_names, program.facts))

    assert said("--convert-scf-to-cf") == said()


def _without_names(fact: Fact) -> tuple[str, ...]:
    match fact:
        case LoopFact():
            return "loop", fact.kind, str(fact.least_distance)
        case DependenceFact():
            return fact.kind, str(fact.depth), fact.verdict, str(fact.hull)
        case AccessFact():
            return fact.kind, fact.verdict, str(fact.always)
        case _:
            return fact.question, fact.certainty.degree
