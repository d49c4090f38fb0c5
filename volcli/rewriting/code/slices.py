"""Slices as operations of tensor, with what is constant in their attributes and the rest as operands.

    [q] -> { [h, w] : 32q - 1 <= h <= 32q + 33 and 0 <= w < 8 }

is matched to offsets (32q - 1, 0), sizes (35, 8) and strides (1, 1), and these become

    %o = affine.apply affine_map<()[s0] -> (s0 * 32 - 1)>()[%q]
    %s = tensor.extract_slice %t[%o, 0] [35, 8] [1, 1] : tensor<?x8xf32> to tensor<35x8xf32>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from volcli.rewriting.ground.builder import Builder

Number = int | SSAValue
"""A constant, or an index value."""


@dataclass(frozen=True)
class MixedSlice:
    """Offset, size and stride of each dimension."""

    offsets: tuple[Number, ...]
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]

    @property
    def shape(self) -> list[int]:
        """The shape of the slice's type."""
        return _static(self.sizes)

    @property
    def static(self) -> list[list[int]]:
        """Its numbers, with a marker for each value among them."""
        return list(map(_static, self._parts))

    @property
    def operands(self) -> list[SSAValue]:
        """The values among its numbers, in the order in which operations take them."""
        return [value for part in self._parts for value in _values(part)]

    def properties(self, before: Sequence[int]) -> dict[str, Attribute]:
        """The properties of an operation that takes groups of so many operands BEFORE those of the slice."""
        names = ("static_offsets", "static_sizes", "static_strides")
        groups = [*before, *(len(_values(part)) for part in self._parts)]
        lists = zip(names, self._parts, strict=True)
        return {
            **{name: DenseArrayBase.from_list(i64, _static(part)) for name, part in lists},
            "operandSegmentSizes": DenseArrayBase.from_list(i32, groups),
        }

    @property
    def _parts(self) -> tuple[tuple[Number, ...], ...]:
        return self.offsets, self.sizes, self.strides


def extract_slice(
    builder: Builder, source: SSAValue, part: MixedSlice, called: str | None = None
) -> SSAValue:
    """`tensor.extract_slice`: that PART of the tensor SOURCE; `tensor.empty`, if it has no elements.

    MLIR has no slice that begins where its tensor ends, even if it is empty.
    """
    kind = source.type
    assert isa(kind, TensorType[Attribute])
    result = TensorType(kind.element_type, part.shape, kind.encoding)
    if _is_empty(part, kind):
        return builder.make("tensor.empty", _values(part.sizes), result=result, called=called)
    return builder.make(
        "tensor.extract_slice",
        [source, *part.operands],
        result=result,
        properties=part.properties([1]),
        called=called,
    )


def insert_slice(
    builder: Builder, source: SSAValue, destination: SSAValue, part: MixedSlice, called: str | None = None
) -> SSAValue:
    """`tensor.insert_slice`: DESTINATION with the elements of SOURCE in that PART of it, if there are any."""
    kind = destination.type
    assert isa(kind, TensorType[Attribute])
    if _is_empty(part, kind):
        return destination
    return builder.make(
        "tensor.insert_slice",
        [source, destination, *part.operands],
        result=destination.type,
        properties=part.properties([1, 1]),
        called=called,
    )


def _is_empty(part: MixedSlice, whole: TensorType[Attribute]) -> bool:
    """Whether PART of a tensor of type WHOLE has no elements, for certain."""
    return 0 in (*part.shape, *whole.get_shape())


def _static(numbers: Iterable[Number]) -> list[int]:
    return [number if isinstance(number, int) else DYNAMIC_INDEX for number in numbers]


def _values(numbers: Iterable[Number]) -> list[SSAValue]:
    return [number for number in numbers if isinstance(number, SSAValue)]
