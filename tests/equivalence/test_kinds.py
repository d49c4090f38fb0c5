"""Pairs of each kind that a peer's suite has: no wrong answer at any level, and which are not decided."""

from __future__ import annotations

import pytest

from tests.equivalence.kinds import KINDS
from tests.equivalence.test_levels import compared
from volcli.facts.levels import Comparing

WEAKEST = Comparing("arithmetic", reassociate=True)
UNDECIDED = {
    "integers: wide products",
    "tensor: a tensor of data-dependent size",
    "tensor: a tensor of a size that is read",
    "tosa: a max pooling",
}
"""Of these nothing is shown; a pair that is decided leaves this list."""


@pytest.mark.sample(40)
@pytest.mark.parametrize("name", KINDS)
def test_pairs_of_each_kind_have_their_level(name: str) -> None:
    before, after, level = KINDS[name]
    for asked in (Comparing(), WEAKEST):
        found = compared(before, after, asked)
        told = "\n".join([f"{asked}", *found.lines()])
        if name in UNDECIDED:
            expected = "unknown"
        elif level is None:
            expected = "different"
        else:
            expected = "equal" if asked.accepts(level) else "unknown"
        assert found.verdict == expected, told
