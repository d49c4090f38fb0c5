"""Numbers at which arithmetic is special: limits of integers, shifts by the width, NaN, infinities, zeros.

Each draw of floats is from some of them: a sum of many is rarely anything but NaN where each may be.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import numpy as np

from volcli.execution.numbers.formats import Format
from volcli.execution.numbers.values import Array

_INFINITIES = (1.0, -1.0, float("inf"), float("-inf"), float("nan"))
_SIGNS = (0.0, -0.0, *_INFINITIES)
_ROUNDED = (0.1, 1e30, 1 + 2.0**-11 + 2.0**-30, 1e-40, 3e38, 65519.0)
"""Numbers that are others in formats of fewer bits, by one rounding or by two."""
_FLOATS = (*_SIGNS, 0.5, 3.0, -2.5, *_ROUNDED)
_KINDS = {"extreme": _FLOATS, "signs": _SIGNS, "infinities": _INFINITIES}
EXTREME = tuple(_KINDS)
"""Numbers of any size; those at which sums and products are the same in each order; these without zeros."""


def extreme_numbers(random: np.random.Generator, format: Format, count: int, kind: str = "extreme") -> Array:
    """COUNT numbers of a KIND at which arithmetic is special; integers are the same in each."""
    if format.kind != "integer":
        few = random.permutation(np.array(_KINDS[kind]))[: random.integers(1, len(_KINDS[kind]) + 1)]
        with np.errstate(over="ignore"):
            return random.choice(few, count).astype(format.dtype)
    width = format.width
    signed = not format.is_unsigned and width > 1
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    near = {low, low + 1, high, high - 1, high // 2 + 1, -1, 0, 1, 2, 3, width - 1, width, -5, 7}
    numbers = sorted(number for number in near if low <= number <= high)
    drawn = random.integers(0, len(numbers) + len(numbers) // 2, count)
    others = random.random(count)
    found = [
        numbers[k] if k < len(numbers) else low + int(other * (high - low + 1))
        for k, other in zip(drawn, others, strict=True)
    ]
    return np.array(found, format.dtype)
