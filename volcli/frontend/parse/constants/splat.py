"""Splat constants at the cost of one element."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from itertools import repeat
from typing import Any

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.printer import Printer


class Extensible:
    """First among the bases, it answers instead of xDSL's check against subclasses of final attributes."""

    def __init_subclass__(cls) -> None:
        """Say nothing: the subclass below adds no parameter and breaks no promise of its base."""


class SplatElementsAttr(Extensible, DenseIntOrFPElementsAttr[Any]):
    """`dense<v> : tensor<...>` that stores v once, where xDSL stores it once for each element.

    It is a DenseIntOrFPElementsAttr for everyone who asks. `data` holds the bytes of one element;
    `value` is that element; `iter_values` repeats it, and only `get_values` makes all of them: ask
    `is_splat()` first.

    >>> from xdsl.dialects.builtin import f32
    >>> zero = splat([0.0], TensorType(f32, [10**6, 10**6]))
    >>> zero.value, str(zero)
    (0.0, 'dense<0.000000e+00> : tensor<1000000x1000000xf32>')
    """

    # xDSL's constraints look an attribute's class up in a table of final classes: there, it is its base.
    __class__ = property(lambda self: DenseIntOrFPElementsAttr)  # pyright: ignore

    def __len__(self) -> int:
        return math.prod(self.type.get_shape())

    @property
    def value(self) -> Any:
        """The element: an int, a float, or a pair of them for complex numbers."""
        return self.type.element_type.unpack(self.data.data, 1)[0]

    def is_splat(self) -> bool:
        return True

    @property
    def shape_is_complete(self) -> bool:
        return True

    def verify(self) -> None:
        """Nothing is left to check: `splat` made one element of the element type."""

    def iter_values(self) -> Iterator[Any]:
        return repeat(self.value, self._countable())

    def get_values(self) -> tuple[Any, ...]:
        return (self.value,) * len(self)

    def iter_attrs(self) -> Iterator[Any]:
        return repeat(self._element(), self._countable())

    def get_attrs(self) -> tuple[Any, ...]:
        return (self._element(),) * len(self)

    def _countable(self) -> int:
        """How many elements there are, as far as anyone can count."""
        return min(math.prod(self.get_shape()), sys.maxsize)

    def _element(self) -> Any:
        scalar = TensorType(self.type.element_type, [])
        return DenseIntOrFPElementsAttr[Any](scalar, self.data).get_attrs()[0]

    def print_without_type(self, printer: Printer) -> None:
        printer.print_string("dense")
        with printer.in_angle_brackets():
            self._print_one_elem(self.value, printer)


def splat(value: Any, type_: Any) -> SplatElementsAttr:
    """The constant of the shaped type `type_` whose elements are all equal to the one element of `value`."""
    scalar = TensorType(type_.element_type, [])
    return SplatElementsAttr(type_, BytesAttr(DenseIntOrFPElementsAttr.from_list(scalar, value).data.data))
