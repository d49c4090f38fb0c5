"""Two slices against enumeration: overlap and equivalence in all executions, witnesses and shared elements."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pytest
from xdsl.ir import SSAValue

import volcli
from volcli.facts.slices import SlicesFact
from volcli.model.values.slices.hyperrectangles import HyperrectangularSlice, Number
from volcli.model.values.slices.slices import Overlap, Slices
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.passes.analyses.compare_slices import CompareSlices
from volcli.presburger.sets.conditions import read

# All index values of this function have few values: everything that can happen is enumerated.
TEXT = """
func.func @f(%t: tensor<?x?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c1 to %c7 step %c2 {
      %next = arith.addi %i, %c1 : index
      %double = arith.addi %i, %i : index
      %least = arith.minsi %i, %j : index
      %rest = arith.remsi %j, %c2 : index
      %third = arith.divui %j, %c2 : index
    }
  }
  return
}
"""
Execution = Mapping[str, int]
NUMBERS = ("%i", "%j", "%next", "%double", "%least", "%rest", "%third")


def executions() -> Iterator[Execution]:
    for i, j in itertools.product(range(4), range(1, 7, 2)):
        yield {
            "%i": i, "%j": j, "%next": i + 1, "%double": 2 * i, "%least": min(i, j), "%rest": j % 2,
            "%third": j // 2,
        }  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A slice whose numbers are integers and names of values."""

    offsets: tuple[int | str, ...]
    sizes: tuple[int | str, ...]
    strides: tuple[int | str, ...]

    def elements(self, at: Execution) -> list[tuple[int, ...]]:
        """All elements, in the order of their indices."""

        def numbers(of: Sequence[int | str]) -> list[int]:
            return [at[n] if isinstance(n, str) else n for n in of]

        rows = zip(numbers(self.offsets), numbers(self.sizes), numbers(self.strides), strict=True)
        return list(itertools.product(*([o + s * k for k in range(n)] for o, n, s in rows)))

    def asked(self, values: Mapping[str, SSAValue]) -> HyperrectangularSlice:
        def numbers(of: Sequence[int | str]) -> list[Number]:
            return [values[n] if isinstance(n, str) else n for n in of]

        return HyperrectangularSlice(numbers(self.offsets), numbers(self.sizes), numbers(self.strides))


def draw(chance: random.Random, symbolic: float, rank: int) -> Drawn:
    def number(low: int, high: int) -> int | str:
        return chance.choice(NUMBERS) if chance.random() < symbolic else chance.randint(low, high)

    dims = range(rank)
    strides = [-2, -1, 0, 1, 1, 1, 2, 2, 3, 4]
    return Drawn(
        tuple(number(-1, 8) for _ in dims),
        tuple(number(0, 5) for _ in dims),
        tuple(number(1, 4) if chance.random() < 0.05 else chance.choice(strides) for _ in dims),
    )


def changed(chance: random.Random, drawn: Drawn) -> Drawn:
    """A slice that differs from DRAWN in one number: two that are drawn apart are hardly ever equivalent."""
    rows = [list(drawn.offsets), list(drawn.sizes), list(drawn.strides)]
    chance.choice(rows)[chance.randrange(len(drawn.offsets))] = chance.choice([0, 1, 2, "%i", "%next"])
    return Drawn(*(tuple(row) for row in rows))


def store() -> tuple[BoundsStore, dict[str, SSAValue]]:
    (unit,) = volcli.load(TEXT).units
    (model,) = unit.models()
    values = [model.function.regions[0].blocks[0].args[1], *(v for v, _ in model.bounds.variables())]
    return model.bounds, {model.name_of(value): value for value in values}


def disagreement(answer: Comparison, truth: Sequence[bool]) -> bool:
    """Whether ANSWER is not what is true in the executions; unknown agrees with everything, if it has a reason."""
    match answer.verdict:
        case Verdict.PROVED:
            return not all(truth)
        case Verdict.REFUTED:
            return (any(truth) if answer.never else all(truth)) or not is_witness(answer, truth)
        case Verdict.UNKNOWN:
            return not answer.because


def is_witness(answer: Comparison, truth: Sequence[bool]) -> bool:
    """Whether the claim fails in an execution as the witness describes it."""
    wanted = answer.witness or {}
    return any(
        not true and all(at[name] == number for name, number in wanted.items())
        for at, true in zip(executions(), truth, strict=True)
    )


def is_shared(answer: Overlap, left: Drawn, right: Drawn) -> bool:
    """Whether the shared element is one, in some execution."""
    if answer.shared is None:
        return False
    element = answer.shared.element
    return any(element in left.elements(at) and element in right.elements(at) for at in executions())


def judged(
    chance: random.Random, symbolic: float, rank: int, store: BoundsStore, values: dict[str, SSAValue]
) -> tuple[str, bool]:
    """What is wrong with the answers about two random slices ("" if nothing), and whether both are known."""
    left = draw(chance, symbolic, rank)
    right = changed(chance, left) if chance.random() < 0.5 else draw(chance, symbolic, rank)
    both = [(left.elements(at), right.elements(at)) for at in executions()]
    sharing = [not set(a).isdisjoint(b) for a, b in both]
    equal = [a == b for a, b in both]
    slices = Slices(store)
    overlap = slices.overlap(left.asked(values), right.asked(values))
    equivalent = slices.equivalent(left.asked(values), right.asked(values))
    wrong = disagreement(overlap, sharing) or disagreement(equivalent, equal)
    known = Verdict.UNKNOWN not in (overlap.verdict, equivalent.verdict)
    if known:
        wrong = wrong or (any(sharing) and not is_shared(overlap, left, right))
    return f"{left} {right}: {overlap} {equivalent}" if wrong else "", known


@pytest.mark.slow
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("symbolic", [0.0, 0.3])
def test_against_enumeration(rank: int, symbolic: float) -> None:
    chance = random.Random(f"{rank} {symbolic}")
    asked, values = store()
    answers = [judged(chance, symbolic, rank, asked, values) for _ in range(150)]
    assert [wrong for wrong, _ in answers if wrong] == []
    assert all(known for _, known in answers)


@pytest.mark.sample(1)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_a_precondition_is_the_weakest(rank: int) -> None:
    """Of all values of two arguments it chooses just those for which the slices overlap."""
    chance = random.Random(f"precondition {rank}")
    asked, values = store()
    for _ in range(40):
        left, right = (draw(chance, 0.0, rank) for _ in range(2))
        left = Drawn(("%n", *left.offsets[1:]), left.sizes, left.strides)
        right = Drawn(right.offsets, ("%m", *right.sizes[1:]), right.strides)
        overlap = Slices(asked).overlap(left.asked(values), right.asked(values))
        truth = {
            (n, m)
            for n, m in itertools.product(range(-12, 20), range(-1, 6))
            if not set(left.elements({"%n": n})).isdisjoint(right.elements({"%m": m}))
        }
        assert chosen(overlap) == truth


def chosen(answer: Comparison) -> set[tuple[int, int]]:
    """The values of %n and %m for which ANSWER says that the claim holds."""
    if answer.verdict is Verdict.PROVED:
        text = "true"
    else:
        text = answer.precondition or "false"
    said = read(text)
    box = itertools.product(range(-12, 20), range(-1, 6))
    numbers = [({"n": n, "m": m}, (n, m)) for n, m in box]
    return {pair for known, pair in numbers if said.holds_at([known[name.value] for name in said.names])}


def test_an_unknown_stride_makes_it_unknown_with_the_reason() -> None:
    asked, values = store()
    answer = Slices(asked).overlap(
        HyperrectangularSlice([0], [30], [values["%n"]]), HyperrectangularSlice([5], [1], [1])
    )
    assert (answer.verdict, answer.because) == (Verdict.UNKNOWN, "a stride is not a constant")


def test_a_positive_stride_leads_away_from_what_is_before() -> None:
    asked, values = store()
    answer = Slices(asked).overlap(
        HyperrectangularSlice([4], [3], [values["%next"]]), HyperrectangularSlice([0], [4], [1])
    )
    assert (answer.verdict, answer.never) == (Verdict.REFUTED, True)


def test_slices_of_the_same_numbers_are_equivalent_whatever_they_are() -> None:
    asked, values = store()
    n, m = values["%n"], values["%m"]
    answer = Slices(asked).equivalent(
        HyperrectangularSlice([n], [m], [n]), HyperrectangularSlice([n], [m], [n])
    )
    assert answer.verdict is Verdict.PROVED


def test_slices_of_different_ranks_are_refused() -> None:
    asked, _ = store()
    with pytest.raises(ValueError, match="rank"):
        Slices(asked).overlap(
            HyperrectangularSlice([0], [1], [1]), HyperrectangularSlice([0, 0], [1, 1], [1, 1])
        )


BOUNDED = """
func.func @f(%m: memref<?xf32>, %s: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.subview %m[%n] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  %b = memref.subview %m[4] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: 4>>
  %p = memref.subview %s[%n] [3] [2] : memref<8xf32> to memref<3xf32, strided<[2], offset: ?>>
  %q = memref.subview %s[7] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: 7>>
  scf.for %i = %c0 to %n step %c1 {
    %w = memref.subview %m[%i] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  }
  %z = memref.subview %m[%n] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
  return
}
"""


def slices_of(text: str) -> dict[tuple[str, str], Overlap]:
    """What is said of the overlap of each two slices in TEXT, by their names."""
    (unit,) = volcli.load(text).units
    CompareSlices().apply(unit)
    return {(f.left, f.right): f.overlap for f in unit.facts if isinstance(f, SlicesFact)}


def test_a_shared_element_lies_in_what_both_are_slices_of() -> None:
    shared = slices_of(BOUNDED)["%a", "%b"].shared
    assert shared is not None
    values = shared.values
    assert shared.element == (4,)
    assert values["dim(%m, 0)"] >= values["%n"] + 2
    assert values["%n"] in (3, 4)


def test_slices_that_would_meet_beyond_their_buffer_are_disjoint() -> None:
    """%p at 3 has 3, 5, 7; at 4 and 5 it would not be within 8 elements, nor at 7."""
    found = slices_of(BOUNDED)["%p", "%q"]
    assert (found.verdict, found.never, found.precondition) == (Verdict.REFUTED, False, "%n = 3")


def test_slices_of_a_loop_overlap_with_one_behind_it_if_they_do_in_some_iteration() -> None:
    """%w reaches up to %n in the last iteration, and %n - 1 is reached in all runs that have one."""
    found = slices_of(BOUNDED)["%w", "%z"]
    assert (found.verdict, found.never, found.precondition) == (Verdict.REFUTED, False, "true")
