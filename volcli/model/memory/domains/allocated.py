"""The sizes of allocated buffers: an execution that goes on after `memref.alloc(%n)` has n >= 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Block, Operation

from volcli.language import questions
from volcli.language.expressions import (
    Expression,
    Monomial,
    constant,
)
from volcli.language.unchanged import operations_in
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.ranges import range_of


def allocated_sizes(bounds: BoundsStore) -> dict[Block | None, list[tuple[int, Expression]]]:
    """The sizes of the buffers that each block allocates, if they might be negative, and when it does."""
    found: dict[Block | None, list[tuple[int, Expression]]] = {}
    for op in operations_in(bounds.function):
        if questions.buffer.answers(type(op)):
            place = bounds.definitions.place(op)
            for size in _dynamic_sizes(op, bounds):
                found.setdefault(op.parent, []).append((place, size))
    return found


def _dynamic_sizes(op: Operation, bounds: BoundsStore) -> Iterator[Expression]:
    for result in op.results:
        if isinstance(result.type, MemRefType):
            kind = cast(MemRefType[Attribute], result.type)
            for dimension, declared in enumerate(kind.get_shape()):
                size = bounds.value(result, dimension) if declared == DYNAMIC_INDEX else constant(0)
                if size.is_constant or any(isinstance(atom, Monomial) for atom in size.atoms()):
                    continue
                least, _ = range_of(size, bounds.definitions.range)
                if least is None or least < 0:
                    yield size
