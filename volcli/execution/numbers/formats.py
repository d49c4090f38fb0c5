"""How the elements of each type are stored, and what range its numbers have.

The tensor types of MLIR say only how wide an element is; numpy's dtype of the same width holds it. Integers
of other widths are held by the next wider one, those beyond 64 bits as objects.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    ComplexType,
    ContainerType,
    IndexType,
    IntegerType,
    MemRefType,
    ShapedType,
    Signedness,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.ir import Attribute

from volcli.execution.outcomes import Unsupported

SCALABLE = "vectors of a size that the machine chooses are not executed"

_FLOATS: dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
    "f8E5M2": ml_dtypes.float8_e5m2, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz, "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu, "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn, "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
_INTEGERS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
INDEX_WIDTH = 64


@dataclass(frozen=True)
class Format:
    """The numbers of a scalar type: their `dtype` in arrays, their `width` in bits.

    `kind` is "integer", "float" or "complex"; `is_unsigned` of `ui8` and the like alone.
    """

    dtype: npt.DTypeLike
    width: int
    kind: str
    is_unsigned: bool = False

    @property
    def is_native(self) -> bool:
        """Whether numpy's own arithmetic on the dtype wraps at this width."""
        return self.kind == "integer" and self.width in _INTEGERS

    def wrap(self) -> Callable[[Any], Any]:
        """The number of this type with the bits of an integer, as a function.

        >>> [format_of(IntegerType(width)).wrap()(200) for width in (8, 9, 1)]
        [-56, 200, 0]
        """
        return _wrapping(self.width, self.is_unsigned)

    def unsigned(self) -> Callable[[int], int]:
        """The bits of a number of this type as an unsigned number, as a function."""
        mask = (1 << self.width) - 1
        return lambda number: number & mask

    def number(self, value: Any) -> Any:
        """VALUE as a scalar of this type: an integer wraps, a float is rounded."""
        if self.kind == "integer":
            return self.wrap()(int(value))
        return np.dtype(self.dtype).type(value)


@cache
def _wrapping(width: int, is_unsigned: bool) -> Callable[[Any], Any]:
    mask, half = (1 << width) - 1, 1 << (width - 1)
    if width == 1 or is_unsigned:
        return lambda number: number & mask
    return lambda number: ((number + half) & mask) - half


def signed(number: int, width: int) -> int:
    """The bits of NUMBER as a signed number: of a truth, 1 is -1.

    >>> signed(200, 8), signed(1, 1)
    (-56, -1)
    """
    half = 1 << (width - 1)
    return ((number + half) & ((1 << width) - 1)) - half


@cache
def format_of(kind: Attribute) -> Format:
    """How numbers of the type KIND, or the elements of a tensor, vector or memref of them, are stored.

    Raises Unsupported for what is not a number.

    >>> from xdsl.dialects.builtin import i1, f32
    >>> (
    ...     np.dtype(format_of(i1).dtype).name,
    ...     np.dtype(format_of(f32).dtype).name,
    ...     format_of(IntegerType(7)).width,
    ... )
    ('bool', 'float32', 7)
    """
    if isinstance(kind, IndexType):
        return Format(np.int64, INDEX_WIDTH, "integer")
    if isinstance(kind, IntegerType):
        return _integers(kind.width.data, kind.signedness.data is Signedness.UNSIGNED)
    if isinstance(kind, ComplexType):
        part = format_of(kind.element_type)
        if part.width in (32, 64):
            return Format(np.complex64 if part.width == 32 else np.complex128, part.width, "complex")
    elif isinstance(kind, ContainerType):
        element = kind.get_element_type()
        if isinstance(element, ComplexType) or not isinstance(element, ContainerType) or lanes_of(kind):
            return format_of(element)
    dtype = _FLOATS.get(str(kind))
    if dtype is None:
        raise Unsupported(None, f"numbers of the type {kind} are not executed")
    return Format(dtype, ml_dtypes.finfo(dtype).bits, "float")


def _integers(width: int, is_unsigned: bool) -> Format:
    if width == 1:
        return Format(np.bool_, 1, "integer", is_unsigned)
    if width == 0:
        raise Unsupported(None, "integers of 0 bits are not executed")
    table = _UNSIGNED if is_unsigned else _INTEGERS
    dtype = next((table[bits] for bits in table if width <= bits), object)
    return Format(dtype, width, "integer", is_unsigned)


def lanes_of(kind: Attribute) -> tuple[int, ...]:
    """The sizes of each element of KIND, which is memory of vectors; of all others none.

    >>> from xdsl.dialects.builtin import MemRefType, f32
    >>> lanes_of(MemRefType(VectorType(f32, [4, 2]), [8])), lanes_of(MemRefType(f32, [8]))
    ((4, 2), ())
    """
    element = kind.element_type if isinstance(kind, MemRefType | UnrankedMemRefType) else None
    return tuple(element.get_shape()) if isinstance(element, VectorType) else ()


def sizes_in_memory(kind: Attribute) -> tuple[int, ...]:
    """The sizes that KIND states: of memory of vectors, theirs are the last ones."""
    return (*kind.get_shape(), *lanes_of(kind)) if isinstance(kind, ShapedType) else ()


def is_scalable(kind: Attribute) -> bool:
    """Whether KIND, or that of its elements, is a vector of a size that the machine chooses."""
    inner = kind.get_element_type() if isinstance(kind, ContainerType) else None
    vectors = [each for each in (kind, inner) if isinstance(each, VectorType)]
    return any(bool(each) for vector in vectors for each in vector.get_scalable_dims())
