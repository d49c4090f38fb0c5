"""The operations that move elements: tensor.pad, slices, reshapes, concat, insert, splat, ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.elements.layers import Layer, copy, move, spread
from tests.oracles.elements.nodes import Node
from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import Affine, fixed, identity, loop


@dataclass(frozen=True)
class Pad(Node):
    """tensor.pad with a captured scalar."""

    source: Value
    low: tuple[int, ...]
    high: tuple[int, ...]
    scalar: Value

    def lines(self) -> list[str]:
        dims = ", ".join(f"%i{d}: index" for d in range(len(self.low)))
        return [
            f"{self.result} = tensor.pad {self.source} low{list(self.low)} high{list(self.high)} {{",
            f"^bb0({dims}):",
            f"  tensor.yield {self.scalar} : {self.scalar.type}",
            f"}} : {self.source.type} to {self.result.type}",
        ]

    def layers(self) -> list[Layer]:
        rank = len(self.low)
        shifted = tuple(Affine(loop(d, rank).coefficients, self.low[d]) for d in range(rank))
        inner = move(self.source, self.source.shape, shifted, identity(rank))
        return [spread(self.scalar, self.result.shape), inner]


@dataclass(frozen=True)
class Slice:
    """Offsets, sizes and strides, and which (unit) dims a rank-reducing slice drops."""

    offsets: tuple[int, ...]
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    dropped: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the small tensor."""
        return tuple(n for d, n in enumerate(self.sizes) if d not in self.dropped)

    def view(self) -> tuple[Affine, ...]:
        """The index into the large tensor over the dims of the small one: offset + stride * i."""
        rank = len(self.shape)
        kept = [d for d in range(len(self.sizes)) if d not in self.dropped]
        return tuple(
            Affine(tuple(self.strides[d] * int(k == d) for k in kept), offset)
            if d in kept
            else fixed(offset, rank)
            for d, offset in enumerate(self.offsets)
        )

    def text(self) -> str:
        """[offsets] [sizes] [strides]."""
        return f"{list(self.offsets)} {list(self.sizes)} {list(self.strides)}"


@dataclass(frozen=True)
class ExtractSlice(Node):
    """tensor.extract_slice."""

    source: Value
    slice: Slice

    def lines(self) -> list[str]:
        types = f"{self.source.type} to {self.result.type}"
        return [f"{self.result} = tensor.extract_slice {self.source}{self.slice.text()} : {types}"]

    def layers(self) -> list[Layer]:
        return [move(self.source, self.result.shape, identity(len(self.result.shape)), self.slice.view())]


@dataclass(frozen=True)
class InsertSlice(Node):
    """tensor.insert_slice."""

    source: Value
    dest: Value
    slice: Slice

    def lines(self) -> list[str]:
        types = f"{self.source.type} into {self.dest.type}"
        return [
            f"{self.result} = tensor.insert_slice {self.source} into {self.dest}{self.slice.text()} : {types}"
        ]

    def layers(self) -> list[Layer]:
        inner = move(self.source, self.source.shape, self.slice.view(), identity(len(self.source.shape)))
        return [copy(self.dest), inner]


@dataclass(frozen=True)
class Concat(Node):
    """tensor.concat along DIM."""

    dim: int
    sources: tuple[Value, ...]

    def lines(self) -> list[str]:
        names = ", ".join(str(source) for source in self.sources)
        types = ", ".join(source.type for source in self.sources)
        return [f"{self.result} = tensor.concat dim({self.dim}) {names} : ({types}) -> {self.result.type}"]

    def layers(self) -> list[Layer]:
        layers: list[Layer] = []
        offset = 0
        for source in self.sources:
            rank = len(source.shape)
            place = [Affine(loop(d, rank).coefficients, offset * int(d == self.dim)) for d in range(rank)]
            layers.append(move(source, source.shape, place, identity(rank)))
            offset += source.shape[self.dim]
        return layers


def packed(group: Sequence[int], shape: Sequence[int]) -> Affine:
    """The row-major position within the dims of GROUP, over loops that run over SHAPE."""
    coefficients = [0] * len(shape)
    weight = 1
    for d in reversed(group):
        coefficients[d] = weight
        weight *= shape[d]
    return Affine(tuple(coefficients))


@dataclass(frozen=True)
class Reshape(Node):
    """tensor.expand_shape (the result's dims are grouped) or collapse_shape (the source's are)."""

    source: Value
    groups: tuple[tuple[int, ...], ...]
    expand: bool

    def lines(self) -> list[str]:
        groups = [list(group) for group in self.groups]
        shape = f" output_shape {list(self.result.shape)}" if self.expand else ""
        op = "tensor.expand_shape" if self.expand else "tensor.collapse_shape"
        return [
            f"{self.result} = {op} {self.source} {groups}{shape} : {self.source.type} into {self.result.type}"
        ]

    def layers(self) -> list[Layer]:
        loops = self.result.shape if self.expand else self.source.shape
        joined = tuple(packed(group, loops) for group in self.groups)
        apart = identity(len(loops))
        result, index = (apart, joined) if self.expand else (joined, apart)
        return [move(self.source, loops, result, index)]


@dataclass(frozen=True)
class Splat(Node):
    """tensor.splat."""

    scalar: Value

    def lines(self) -> list[str]:
        return [f"{self.result} = tensor.splat {self.scalar} : {self.result.type}"]

    def layers(self) -> list[Layer]:
        return [spread(self.scalar, self.result.shape)]


@dataclass(frozen=True)
class FromElements(Node):
    """tensor.from_elements, row-major."""

    scalars: tuple[Value, ...]

    def lines(self) -> list[str]:
        names = ", ".join(str(scalar) for scalar in self.scalars)
        return [f"{self.result} = tensor.from_elements {names} : {self.result.type}"]

    def layers(self) -> list[Layer]:
        places = zip(self.scalars, self.result.points, strict=True)
        return [move(scalar, (), [fixed(i, 0) for i in place], ()) for scalar, place in places]


@dataclass(frozen=True)
class Insert(Node):
    """tensor.insert of a scalar at a constant place."""

    scalar: Value
    dest: Value
    place: tuple[int, ...]

    def lines(self) -> list[str]:
        lines, names = _index_constants(self.result, self.place)
        return [
            *lines,
            f"{self.result} = tensor.insert {self.scalar} into {self.dest}[{names}] : {self.dest.type}",
        ]

    def layers(self) -> list[Layer]:
        return [copy(self.dest), move(self.scalar, (), [fixed(i, 0) for i in self.place], ())]


@dataclass(frozen=True)
class Extract(Node):
    """tensor.extract from a constant place."""

    source: Value
    place: tuple[int, ...]

    def lines(self) -> list[str]:
        lines, names = _index_constants(self.result, self.place)
        return [*lines, f"{self.result} = tensor.extract {self.source}[{names}] : {self.source.type}"]

    def layers(self) -> list[Layer]:
        return [move(self.source, (), (), [fixed(i, 0) for i in self.place])]


def _index_constants(result: Value, place: Sequence[int]) -> tuple[list[str], str]:
    """Constants of index type for PLACE: their lines, and their names as subscripts."""
    names = [f"%at{d}_{result.name}" for d in range(len(place))]
    lines = [f"{name} = arith.constant {i} : index" for name, i in zip(names, place, strict=True)]
    return lines, ", ".join(names)


@dataclass(frozen=True)
class Recast(Node):
    """tensor.cast to a type with dynamic dims, and back."""

    source: Value
    dynamic: tuple[int, ...]

    def lines(self) -> list[str]:
        dims = "".join("?x" if d in self.dynamic else f"{n}x" for d, n in enumerate(self.source.shape))
        loose = f"tensor<{dims}{self.source.element}>"
        return [
            f"%dynamic_{self.result.name} = tensor.cast {self.source} : {self.source.type} to {loose}",
            f"{self.result} = tensor.cast %dynamic_{self.result.name} : {loose} to {self.result.type}",
        ]

    def layers(self) -> list[Layer]:
        return [copy(self.source)]
