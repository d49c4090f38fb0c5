"""The elements that an access or a slice names: those of its buffer, and those that would be outside.

    { [index] : [i] -> [index, sizes, l] in an iteration i that is reached, for some l }

where a slice has a loop for each of its dimensions. Of `load %m[%i - 2]` with i in 0 to 9 on 9 elements,
[0] to [6] are inside, and [-2] and [-1] outside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import islpy as isl

from volcli.language import questions
from volcli.language.expressions import loop, loops
from volcli.model.memory.buffers.buffers import BufferIndex
from volcli.model.memory.checks.stated.stated import StatedAccess
from volcli.model.memory.dependences.model import Memory
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True, eq=False)
class NamedElements:
    """Sets of indices of a buffer: those `inside` it and `outside` that are named, and the `others` of it."""

    inside: isl.Set
    outside: isl.Set
    others: isl.Set


def relation_of(memory: Memory, stated: StatedAccess) -> Relation:
    """`{ [i] -> [indices, sizes, l] }`, with the operation's own loops l, as an index of a buffer."""
    indices = [each for index in stated.indices for each in index]
    index = (*indices, *stated.sizes, *loops(len(stated.extents)))
    place = BufferIndex(stated.site.place.root, index, stated.extents, stated.where, stated.partial)
    return memory.instances.of_place(stated.site, place)


def named_elements(memory: Memory, stated: StatedAccess) -> NamedElements | None:
    """The elements that are named; None if they are not known exactly."""
    stated = _by_elements(stated)
    relation = relation_of(memory, stated)
    reached = memory.instances.domains.reached(stated.site.op)
    if not relation.exact or reached.doubts:
        return None
    rank = stated.rank
    named = relation.elements().intersect_domain(reached.points).range()
    if named.has_tuple_id():
        named = named.reset_tuple_id()
    named = named.project_out(DIM.set, 2 * rank, named.dim(DIM.set) - 2 * rank)
    sized = named.project_out(DIM.set, 0, rank).insert_dims(DIM.set, 0, rank)
    for k in range(rank):
        inside = build.nonnegative(2 * rank, (loop(k), loop(rank + k) - loop(k) - 1))
        sized = sized.intersect(inside)
    buffer, indices = (each.project_out(DIM.set, rank, rank) for each in (sized, named))
    inside = indices.intersect(buffer)
    return NamedElements(
        inside.coalesce(), indices.subtract(buffer).coalesce(), buffer.subtract(inside).coalesce()
    )


def _by_elements(stated: StatedAccess) -> StatedAccess:
    """STATED with the index of each element, offset + k * stride, in place of a slice's first and last."""
    if len(stated.indices) == 1:
        return stated
    taken = questions.slice_of(stated.site.op)
    assert taken is not None  # it has a first and a last element
    index = tuple(
        offset + loop(k) * stride
        for k, (offset, stride) in enumerate(zip(taken.offsets, taken.strides, strict=True))
    )
    return replace(stated, indices=(index,), extents=taken.sizes, where=())
