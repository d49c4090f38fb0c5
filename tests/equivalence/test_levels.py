"""Pairs that are equal at a level, and at no other one that does not include it: see `levels`."""

from __future__ import annotations

import itertools

import pytest

import volcli
from tests.equivalence import arithmetic
from tests.equivalence.levels import PAIRS
from tests.shared.seeds import seeds
from volcli.facts.differences import FunctionComparison
from volcli.facts.levels import Comparing

ASKED = [Comparing(*each) for each in itertools.product(("operations", "arithmetic"), (False, True))]


def compared(before: str, after: str, asked: Comparing = ASKED[0]) -> FunctionComparison:
    old, new = map(volcli.loads, (before, after))
    assert (old.exit_code, new.exit_code) == (0, 0)
    (found,) = old.diff(new, compare=asked.level, reassociate=asked.reassociate)
    return found


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", PAIRS)
def test_each_level_finds_its_own(name: str) -> None:
    before, after, level = PAIRS[name]
    for asked in ASKED:
        found = compared(before, after, asked)
        told = "\n".join([f"{asked}", *found.lines()])
        assert (found.verdict == "equal") is (level is not None and asked.accepts(level)), told
        assert (found.verdict == "different") is (level is None), told
        if level is None:
            assert any(each.runs is not None or each.witness is not None for each in found.outputs), told


def test_what_is_equal_at_another_level_says_so() -> None:
    before, after, _ = PAIRS["programs: backwards"]
    (found,) = compared(before, after).outputs
    assert (found.verdict, found.level) == ("unknown", "sums")
    assert str(found).endswith("the same sums in another order, which is equal with --reassociate")
    by_sources = compared(before, after, Comparing("sources"))
    assert (by_sources.verdict, by_sources.level) == ("equal", "sources")
    with pytest.raises(ValueError, match="none of sources, operations, arithmetic"):
        volcli.loads(before).diff(volcli.loads(after), compare="values")


def test_the_first_operations_that_differ_are_said() -> None:
    before, after, _ = PAIRS["floats: new flag"]
    (found,) = compared(before, after).outputs
    assert found.reason is not None
    assert found.reason.startswith("the same sources; operations differ: arith.addf %x, %y {fastmath")
    assert found.reason.endswith("{fastmath = #arith.fastmath<contract>} after")


def judged(before: arithmetic.Function, after: arithmetic.Function, asked: Comparing) -> str:
    """The verdict of `diff`; fails if evaluation contradicts it."""
    found = compared(arithmetic.text(before), arithmetic.text(after), asked)
    at = arithmetic.difference(before, after)
    told = "\n".join([f"{asked}, {at}", *found.lines(), arithmetic.text(before), arithmetic.text(after)])
    assert found.verdict != "equal" or at is None, told
    return found.verdict


@pytest.mark.parametrize("seed", seeds(6, 300))
def test_mutants_of_arithmetic(seed: int) -> None:
    """No mutant that differs is equal at any level."""
    before = arithmetic.drawn(seed, divides=seed % 3 == 0)
    for asked in ASKED[::2]:
        judged(before, arithmetic.mutant(before, seed), asked)


@pytest.mark.parametrize("seed", seeds(4, 300))
def test_other_ways_to_compute_the_same(seed: int) -> None:
    """None is different."""
    before = arithmetic.drawn(seed, divides=seed % 3 == 0)
    after = arithmetic.rewritten(before, seed)
    assert arithmetic.difference(before, after) is None
    for asked in ASKED[::2]:
        assert judged(before, after, asked) != "different"
