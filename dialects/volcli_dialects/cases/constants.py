"""What the numbers of a constant are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import prod
from typing import cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, ShapedType
from xdsl.ir import Attribute

from volcli.language import kinds
from volcli.language.expressions import constant
from volcli.language.kinds import ANYTHING, Kinds, kind_of
from volcli_dialects.cases.wrapping import width, wrapped

_MOST_ELEMENTS = 4096
"""The elements of larger constants are not looked at one by one."""


def kinds_of_attribute(value: Attribute) -> Kinds:
    """What the numbers of the constant VALUE are; ANYTHING for those of very many numbers."""
    match value:
        case IntegerAttr() | FloatAttr():
            return kind_of(value.value.data)
        case DenseIntOrFPElementsAttr() if 0 not in value.get_shape() and value.is_splat():
            return _of_all(islice(value.iter_values(), 1))
        case DenseIntOrFPElementsAttr() if len(value) <= _MOST_ELEMENTS:
            return _of_all(value.iter_values())
        case _:
            return ANYTHING


def numbers_of(value: Attribute, kind: Attribute) -> Sequence[int] | None:
    """The signed numbers of the constant VALUE of the shaped type KIND, by rows: its i8 200 is -56.

    None if they are no integers, or very many.
    """
    if not isinstance(kind, ShapedType) or not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    element = cast("Attribute", value.get_element_type())
    count = prod(kind.get_shape())
    if width(element) is None or count > _MOST_ELEMENTS:
        return None
    numbers = [n for n in value.iter_values() if isinstance(n, int)]
    return [wrapped(constant(n), element).constant for n in numbers] if len(numbers) == count else None


def _of_all(numbers: Iterable[float | tuple[float, float]]) -> Kinds:
    """The kinds of NUMBERS; a complex one may be anything."""
    each = (ANYTHING if isinstance(number, tuple) else kind_of(number) for number in numbers)
    return kinds.either(*each)
