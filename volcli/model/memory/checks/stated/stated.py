"""What accesses, slices and views state: which indices of what, in which loops of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import ANY, Expression, Index, NotAffine, constant, dim_of
from volcli.language.memory import Effect, MemoryAccess
from volcli.language.questions import StridedSlice
from volcli.language.reads import Conjunction, rank_of
from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import BufferIndex, Origin, Root
from volcli.model.memory.buffers.spaces import foreign_space
from volcli.model.memory.checks.stated.windows import window_of
from volcli.model.memory.dependences.model import Memory


@dataclass(frozen=True, eq=False)
class StatedAccess:
    """What is checked: each of `indices` against the `sizes`, for the operation's own loops."""

    site: Site
    sizes: tuple[Expression, ...]
    indices: tuple[tuple[Index, ...], ...]
    extents: tuple[Expression, ...]
    where: Conjunction
    partial: str | None
    slice: bool = False

    @property
    def rank(self) -> int:
        return len(self.sizes)


def stated_accesses(memory: Memory) -> list[StatedAccess]:
    """All accesses with an index, elements of tensors, slices and views, in the order of the text."""
    stated = [*_accesses(memory), *tensor_elements(memory), *_slices(memory), *_views(memory)]
    place = memory.bounds.definitions.place
    return sorted(stated, key=lambda each: place(each.site.op))


def _accesses(memory: Memory) -> Iterator[StatedAccess]:
    seen = set[tuple[Operation, int]]()
    for site in memory.sites:
        access = site.access
        if rank_of(access.memref) != len(access.index) or _is_anywhere(access):
            continue  # of a call, say, which names no element
        if (site.op, id(access)) in seen:
            continue  # to another memref of which numbers choose one
        seen.add((site.op, id(access)))
        if memory.is_known_call(site.op):
            continue  # what it needs is checked against what it passes
        sizes = _sizes(access.memref)
        yield StatedAccess(site, sizes, (access.index,), access.extents, access.where, access.partial)


def tensor_elements(memory: Memory) -> Iterator[StatedAccess]:
    """Single elements of tensors that operations read or overwrite."""
    for op in operations_in(memory.function):
        for question in (questions.tensor_reads, questions.tensor_writes):
            for access in (question(op) or ()) if question.answers(type(op)) and not op.regions else ():
                if not access.extents and rank_of(access.memref) == len(access.index):
                    place = BufferIndex(Root(Origin.UNKNOWN, access.memref), access.index, (), ())
                    site = Site(-1, op, access, place, memory.nests.levels(op.parent))
                    yield StatedAccess(site, _sizes(access.memref), (access.index,), (), (), None)


def _slices(memory: Memory) -> Iterator[StatedAccess]:
    for op in operations_in(memory.function):
        if not questions.slice_of.answers(type(op)):
            continue
        try:
            stated = questions.slice_of(op)
        except NotAffine:
            continue
        if stated is not None and foreign_space(stated.source) is None:
            yield _slice(memory, op, stated)


def _slice(memory: Memory, op: Operation, stated: StridedSlice) -> StatedAccess:
    last: list[Index] = [
        offset + (size - 1) * stride
        for offset, size, stride in zip(stated.offsets, stated.sizes, stated.strides, strict=True)
    ]
    where = tuple(size - 1 for size in stated.sizes)
    access = MemoryAccess(Effect.READ, stated.source, stated.offsets)
    root = Root(Origin.UNKNOWN, stated.source)
    levels = memory.nests.levels(op.parent)
    site = Site(-1, op, access, BufferIndex(root, stated.offsets, (), where), levels)
    indices = (stated.offsets, tuple(last))
    return StatedAccess(site, _sizes(stated.source), indices, (), where, None, slice=True)


def _views(memory: Memory) -> Iterator[StatedAccess]:
    """Views that count elements or bytes from the beginning of a buffer: what they show is in it."""
    for op in operations_in(memory.function):
        window = window_of(memory.buffers, op)
        if window is not None and foreign_space(window.base) is None:
            access = MemoryAccess(Effect.READ, window.base, window.index, window.extents)
            place = BufferIndex(Root(Origin.UNKNOWN, window.base), window.index, window.extents, ())
            site = Site(-1, op, access, place, memory.nests.levels(op.parent))
            yield StatedAccess(site, window.sizes, (window.index,), window.extents, (), None, slice=True)


def _sizes(value: SSAValue) -> tuple[Expression, ...]:
    """The sizes of a shaped VALUE."""
    assert isinstance(value.type, ShapedType)
    shape = enumerate(value.type.get_shape())
    return tuple(dim_of(value, d) if size == DYNAMIC_INDEX else constant(size) for d, size in shape)


def _is_anywhere(access: MemoryAccess) -> bool:
    """Whether an access names no element, nor says how many there are."""
    return access.partial is not None and not access.extents and set(access.index) <= {ANY}
