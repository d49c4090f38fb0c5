"""Memrefs: their types, where they come from, and what they are while a program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from tests.oracles.memory.expressions import Environment, Expression, operands, text, value

Index = tuple[int, ...]


def row_major(dims: Sequence[int | None]) -> tuple[int | None, ...]:
    """The strides of a memref without a layout; None where a dimension that is not known matters.

    >>> row_major((None, 4, 5))
    (20, 5, 1)
    """
    strides: list[int | None] = []
    for position in range(len(dims)):
        inner = [dim for dim in dims[position + 1 :] if dim is not None]
        strides.append(prod(inner) if len(inner) == len(dims) - position - 1 else None)
    return tuple(strides)


@dataclass(frozen=True)
class MemrefType:
    """A memref of f32; None is what the type leaves open. Without strides it has no layout."""

    dims: tuple[int | None, ...]
    strides: tuple[int | None, ...] | None = None
    offset: int | None = 0

    def __str__(self) -> str:
        """memref<4x?xf32, strided<[5, 1], offset: ?>>"""
        shape = "x".join([*(mark(dim) for dim in self.dims), "f32"])
        if self.strides is None:
            return f"memref<{shape}>"
        offset = "" if self.offset == 0 else f", offset: {mark(self.offset)}"
        return f"memref<{shape}, strided<[{', '.join(map(mark, self.strides))}]{offset}>>"

    @property
    def steps(self) -> tuple[int | None, ...]:
        """The strides, with or without a layout."""
        return row_major(self.dims) if self.strides is None else self.strides


def mark(number: int | None) -> str:
    """The number, or ?"""
    return "?" if number is None else str(number)


@dataclass(frozen=True)
class Memref:
    """A memref while a program runs: its element d is the element `place(d)` of a buffer."""

    buffer: str
    extents: Index
    sizes: Index
    place: Callable[[Index], Index]


class MeaninglessError(Exception):
    """The program does what has no meaning, like a buffer of negative size."""


@dataclass(frozen=True)
class Alloc:
    """memref.alloc or alloca: a new buffer each time; its leading size may be a value."""

    result: str
    type: MemrefType
    leading: Expression | None = None
    operation: str = "memref.alloc"

    def made(self, environment: Environment, fresh: str) -> Memref:
        """The new buffer, called FRESH."""
        sizes = tuple(value(self.leading or 0, environment) if dim is None else dim for dim in self.type.dims)
        if min(sizes) < 0:
            raise MeaninglessError
        return Memref(fresh, sizes, sizes, lambda index: index)

    @property
    def text(self) -> str:
        size = "" if self.leading is None else str(self.leading)
        return f"{self.result} = {self.operation}({size}) : {self.type}"

    @property
    def uses(self) -> list[str]:
        return operands([self.leading or 0])


@dataclass(frozen=True)
class GetGlobal:
    """memref.get_global: the same buffer each time."""

    result: str
    type: MemrefType
    symbol: str

    def made(self, environment: Environment, fresh: str) -> Memref:
        """The global, whatever is FRESH."""
        sizes = tuple(dim or 0 for dim in self.type.dims)
        return Memref(self.symbol, sizes, sizes, lambda index: index)

    @property
    def text(self) -> str:
        return f"{self.result} = memref.get_global {self.symbol} : {self.type}"

    @property
    def uses(self) -> list[str]:
        return []


@dataclass(frozen=True)
class View:
    """A view of BASE: its element d is the base's element `index(d)`, and its sizes are SIZES.

    Two languages again: OPERATION is the text between the result and the type of the base.
    """

    result: str
    type: MemrefType
    base: str
    base_type: MemrefType
    operation: str
    sizes: tuple[Expression | None, ...]  # None: as many as the base has, at this position
    index: tuple[Expression, ...]  # over %0, %1, ... for d
    into: str = "to"

    def made(self, environment: Environment, fresh: str) -> Memref:
        """The view of the base that there is now."""
        base: Memref = environment[self.base]
        sizes = tuple(
            base.sizes[position] if size is None else value(size, environment)
            for position, size in enumerate(self.sizes)
        )

        now = {name: environment[name] for name in operands(self.index) if name in environment}

        def place(index: Index) -> Index:
            inside = now | {f"%{number}": each for number, each in enumerate(index)}
            return base.place(tuple(value(each, inside) for each in self.index))

        return Memref(base.buffer, base.extents, sizes, place)

    @property
    def text(self) -> str:
        return f"{self.result} = {self.operation} : {self.base_type} {self.into} {self.type}"

    @property
    def uses(self) -> list[str]:
        numbered = {f"%{number}" for number in range(len(self.sizes))}
        return [self.base, *(name for name in operands(self.index) if name not in numbered)]


def list_of(entries: Sequence[Expression]) -> str:
    """[1, %i]"""
    return f"[{', '.join(text(entry) for entry in entries)}]"
