"""What a scalar of a body depends on: accesses, where, and how each of them is used.

Example: `yield (in * w + acc)` uses `in` and `w` in the product `in * w`, and `acc` in none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation

from volcli.language.questions import use_through
from volcli.language.reads import Access, Conjunction, Use, strongest
from volcli.limits import language as limits

Uses = Mapping[tuple[Access, Conjunction], tuple[Use, ...]]
"""What a scalar depends on: an access and where, and how it is used."""

OPAQUE: tuple[Use, ...] = (Use(sees_sign=True),)
"""Used in any way."""


def restricted(uses: Uses, where: Conjunction) -> Uses:
    """USES at the loop points of WHERE only; those that contradict WHERE are left out.

    What the cases of a switch read is restricted by all of them: of `n = 1` and `n = 2` nothing remains.
    """
    found: dict[tuple[Access, Conjunction], tuple[Use, ...]] = {}
    for (access, other), each in uses.items():
        if (both := strongest((*other, *where))) is not None:
            found[access, both] = (*found.get((access, both), ()), *each)
    return found


def through(op: Operation, position: int, uses: Uses) -> Uses:
    """USES of the operand at POSITION of OP, as uses of its result."""
    return {key: tuple(use_through(op, position, use) for use in each) for key, each in uses.items()}


def opaque(uses: Uses) -> Uses:
    """USES of a value that an operation uses in an unknown way."""
    return dict.fromkeys(uses, OPAQUE)


def merged(all_uses: Sequence[Uses]) -> Uses:
    """All uses of all; one outside of any product makes the others' products meaningless."""
    if len(all_uses) == 1:
        return all_uses[0]
    found: dict[tuple[Access, Conjunction], tuple[Use, ...]] = {}
    for uses in all_uses:
        for key, each in uses.items():
            found[key] = _simplified((*found.get(key, ()), *each))
    return found


def _simplified(uses: tuple[Use, ...]) -> tuple[Use, ...]:
    """USES without those that say no more than a use outside of any product."""
    distinct = tuple(dict.fromkeys(uses))
    if len(distinct) > limits.USES:
        return (Use(sees_sign=any(use.sees_sign for use in distinct)),)
    plain = [use for use in distinct if not use.products]
    if not plain:
        return distinct
    seeing = tuple(use for use in distinct if use.sees_sign)
    return OPAQUE if OPAQUE[0] in plain else (Use(), *seeing)
