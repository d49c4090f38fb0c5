"""Numbers at which arithmetic is special: limits of integers, shifts by the width, NaN, infinities, zeros."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import numpy as np

from volcli.execution.numbers.formats import Format
from volcli.execution.numbers.values import Array

_FLOATS = (0.0, -0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan"), 0.5, 3.0, -2.5)


def extreme_numbers(random: np.random.Generator, format: Format, count: int) -> Array:
    """COUNT numbers at which arithmetic is special."""
    if format.kind != "integer":
        return random.choice(np.array(_FLOATS), count).astype(format.dtype)
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
