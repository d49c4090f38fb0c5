"""Numbers as the bits that they are, and back."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from volcli.execution.elements.elementwise import array_of
from volcli.execution.numbers.formats import Format
from volcli.execution.numbers.values import Array


def bits_of(numbers: Array, format: Format) -> list[int]:
    """The bits of NUMBERS of FORMAT, as numbers that are not negative.

    >>> from xdsl.dialects.builtin import f32, i8
    >>> from volcli.execution.numbers.formats import format_of
    >>> (
    ...     bits_of(np.array([-1, 3], np.int8), format_of(i8)),
    ...     bits_of(np.array([1.0], np.float32), format_of(f32)),
    ... )
    ([255, 3], [1065353216])
    """
    if format.kind == "integer":
        mask = (1 << format.width) - 1
        return [int(each) & mask for each in numbers]
    whole = np.ascontiguousarray(numbers)
    return [int(each) for each in whole.view(f"u{whole.dtype.itemsize}")]


def bits_as(bits: Sequence[int], format: Format) -> Array:
    """The numbers of FORMAT with these BITS."""
    if format.kind == "integer":
        return array_of([format.number(each) for each in bits], format.dtype)
    size = np.dtype(format.dtype).itemsize
    return np.array(bits, f"u{size}").view(format.dtype)
