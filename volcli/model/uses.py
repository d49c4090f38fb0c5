"""What a scalar of a body depends on: accesses, where, and what each use of them is multiplied by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from volcli.reads import Access, Conjunction

_MOST_USES = 16
"""An access with more uses than this counts as never annihilated."""

Factors = tuple[SSAValue, ...]
Uses = Mapping[tuple[Access, Conjunction], tuple[Factors, ...]]
"""What a scalar depends on: an access and where; per use of it, the factors that it is multiplied by."""


def restricted(uses: Uses, where: Conjunction) -> Uses:
    """USES at the loop points of WHERE only."""
    return {(access, (*other, *where)): factors for (access, other), factors in uses.items()}


def annihilated(uses: Uses, by: SSAValue) -> Uses:
    """USES that are multiplied by BY."""
    return {key: tuple((*factors, by) for factors in each) for key, each in uses.items()}


def merged(all_uses: Sequence[Uses]) -> Uses:
    """All uses of all; one that no factor annihilates makes the others' factors meaningless."""
    if len(all_uses) == 1:
        return all_uses[0]
    found: dict[tuple[Access, Conjunction], tuple[Factors, ...]] = {}
    for uses in all_uses:
        for key, each in uses.items():
            together = tuple(dict.fromkeys((*found.get(key, ()), *each)))
            found[key] = ((),) if () in together or len(together) > _MOST_USES else together
    return found
