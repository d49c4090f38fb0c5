"""Loops whose steps are values: what is linear in them, whichever they are (random programs: tests/oracles/memory)."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.checks.calls.preconditions import precondition
from volcli.model.memory.checks.races.races import Races, RaceVerdict
from volcli.model.memory.loops.loops import LoopAnswer, LoopKind, Loops

TILES = """
func.func @f(%m: memref<?xindex>, %d: memref<?xindex>, %s: index, %t: index, %more: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %m, %c0 : memref<?xindex>
  {step}
  {loop} {{
    %next = arith.addi %i, %by : index
    %last = arith.addi %next, {more} : index
    %end = arith.minsi %last, %n : index
    scf.for %j = %i to %end step %c1 {{
      memref.store %i, {to}[%j] : memref<?xindex>
    }}
    {end}
  }}
  return
}}
"""
STEPS = {
    "argument": "%by = arith.addi %s, %c0 : index",
    "multiple": "%by = arith.muli %s, %c4 : index",
    "sum": "%by = arith.addi %s, %t : index",
    "extremum": "%by = arith.maxsi %s, %c1 : index",
}
LOOPS = {
    "for": ("scf.for %i = %c0 to %n step %by", ""),
    "from": ("scf.for %i = %c4 to %n step %by", ""),
    "parallel": ("scf.parallel (%i) = (%c0) to (%n) step (%by)", "scf.reduce"),
    "forall": ("scf.forall (%i) = (0) to (%n) step (%by)", ""),
}


def tiles(loop: str = "for", step: str = "argument", more: str = "%c0", to: str = "%m") -> FunctionModel:
    head, end = LOOPS[loop]
    text = TILES.format(loop=head, end=end, step=STEPS[step], more=more, to=to)
    return volcli.load(text).units[0].models()[0]


def outer(model: FunctionModel) -> LoopAnswer:
    """What the loop over tiles carries."""
    return Loops(model.memory).all()[0]


def write(model: FunctionModel) -> AccessAnswer:
    (found,) = AccessChecks(model.memory).all()
    return found


@pytest.mark.sample(4)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("loop", LOOPS)
def test_tiles_are_disjoint_and_inside(loop: str, step: str) -> None:
    model = tiles(loop, step)
    assert outer(model).kind is LoopKind.PARALLEL
    assert write(model).verdict is AccessVerdict.IN_BOUNDS
    assert all(answer.verdict is RaceVerdict.FREE for answer in Races(model.memory).all())


@pytest.mark.sample(4)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("loop", LOOPS)
def test_tiles_that_overlap_by_one_element_are_shown_to_do_so(loop: str, step: str) -> None:
    model = tiles(loop, step, more="%c1")
    answer = outer(model)
    assert answer.kind is LoopKind.CARRIED
    witness = model.memory.witness(answer.carried[0])
    assert witness is not None
    (first, one), (second, other) = witness.source, witness.sink
    s, t = (witness.parameters.get(name, 1) for name in ("%s", "%t"))
    by = {"argument": s, "multiple": 4 * s, "sum": s + t, "extremum": max(s, 1)}[step]
    assert (second - first) % by == 0 < second - first
    assert one == other == witness.element[0] == first + by


def test_nothing_is_said_of_tiles_that_overlap_by_a_value() -> None:
    """By %more, which may be negative, or be larger than the step."""
    answer = outer(tiles(more="%more"))
    assert answer.kind is LoopKind.CARRIED
    assert answer.carried[0].distances.exact is False


@pytest.mark.sample(2)
@pytest.mark.parametrize("loop", LOOPS)
def test_the_weakest_precondition_of_all_tiles_is_that_of_the_whole(loop: str) -> None:
    """The last tile ends at %n, whichever it is: the sizes of both are equal, or %d's is larger."""
    model = tiles(loop, to="%d")
    answer = write(model)
    assert answer.verdict is AccessVerdict.OUT_OF_BOUNDS
    assert answer.condition == "dim(%d, 0) >= dim(%m, 0)"
    assert answer.calls is not None
    needed = precondition(model.memory, [answer.calls])
    assert needed is not None
    assert needed.is_necessary
    assert needed.is_sufficient


def test_what_fails_in_one_iteration_that_need_not_be_there_is_not_said_to_be_needed() -> None:
    """Element 5 is outside; whether 5 is a multiple of %s is no linear condition."""
    body = """
    scf.for %i = %c0 to %c8 step %s {
      %is_5 = arith.cmpi eq, %i, %c5 : index
      scf.if %is_5 { memref.store %x, %m[%i] : memref<5xf32> }
    }"""
    model = function(body, "%m: memref<5xf32>, %s: index, %x: f32")
    answer = write(model)
    assert answer.verdict is AccessVerdict.OUT_OF_BOUNDS
    assert answer.witness is not None
    assert answer.witness.parameters == {"%s": 1}
    assert answer.calls is not None
    needed = precondition(model.memory, [answer.calls])
    assert needed is None or not (needed.is_necessary and needed.is_sufficient)


def test_a_loop_that_ran_had_a_positive_step() -> None:
    """A negative %s is none that gets behind the loop; the second one may have no iteration."""
    body = """
    scf.for %i = %c0 to %c8 step %s { }
    memref.store %x, %m[%s] : memref<5xf32>
    scf.for %i = %c0 to %n step %t { }
    memref.store %x, %m[%t] : memref<5xf32>"""
    model = function(body, "%m: memref<5xf32>, %s: index, %t: index, %n: index, %x: f32")
    first, second = AccessChecks(model.memory).all()
    assert first.condition == "%s <= 4"
    assert second.condition == "%t <= 4 and ((%t >= 0 and %n <= 0) or %n > 0)"


def function(body: str, arguments: str) -> FunctionModel:
    numbers = "".join(f"%c{n} = arith.constant {n} : index\n" for n in (0, 1, 5, 8))
    return volcli.load(f"func.func @f({arguments}) {{\n{numbers}{body}\n return }}").units[0].models()[0]
