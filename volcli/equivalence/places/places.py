"""What operations read and write, as relations from the points at which they run.

In the names of relations p are the coordinates of the loops around an operation, l those of its own loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.equivalence.paths.ends import Key
from volcli.equivalence.paths.leaves import Leaf
from volcli.equivalence.paths.paths import Paths, Term
from volcli.equivalence.places.numbers import Numbers
from volcli.language.expressions import Expression, Index, NotAffine, loop, loops
from volcli.language.memory import MemoryAccess
from volcli.language.reads import Disjunction, rank_of
from volcli.model.memory.buffers.buffers import BufferIndex, Buffers
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

NOT_AFFINE = (
    "an element is selected by an index that is not an affine function of the loops and the arguments"
)


class Places:
    """The elements of values and buffers of one function."""

    def __init__(self, function: Operation) -> None:
        self.numbers = Numbers(function)
        self.buffers = Buffers(function)

    def to_value(self, value: SSAValue, depth: int, rank: int) -> isl.Map:
        """`{ [p, e] -> value[p', e] }` with the first coordinates p' of the DEPTH ones of p."""
        at = self.numbers.of_value(value)
        return build.relation(depth + rank, (*loops(at), *(loop(depth + k) for k in range(rank))))

    def element(self, value: SSAValue, index: Sequence[Index], depth: int, count: int) -> isl.Map:
        """`{ [p, l] -> value[p', index(l)] }` for COUNT own loops l. Raises NotAffine."""
        resolved = self.numbers.index(index, depth)
        if resolved is None:
            raise NotAffine(NOT_AFFINE)
        return build.relation(depth + count, (*loops(self.numbers.of_value(value)), *resolved))

    def place(self, access: MemoryAccess) -> BufferIndex:
        """The buffer and the elements that ACCESS goes to. Raises NotAffine if that is not known."""
        place = self.buffers.place(access)
        if place.because is not None or not self.is_known(place.root):
            raise NotAffine(place.because or place.root.because or "unknown memory")
        return place

    @staticmethod
    def is_known(root: Root) -> bool:
        return root.origin in (Origin.ALLOCATION, Origin.ARGUMENT, Origin.GLOBAL) or root.held is not None

    def in_memory(self, access: MemoryAccess, depth: int) -> tuple[Root, isl.Map]:
        """The buffer, and `{ [p, l] -> [p, element(l)] }` in it. Raises NotAffine."""
        place = self.place(access)
        index = self.numbers.index(place.index, depth)
        if (
            index is None
            or len(index) != rank_of(place.root.value)
            or len(place.extents) != len(access.extents)
            or place.where != access.where
        ):
            raise NotAffine(NOT_AFFINE)
        points = self.points(place.extents, depth).intersect(
            self.where((place.where,), depth, len(place.extents))
        )
        return place.root, build.relation(
            depth + len(place.extents), (*loops(depth), *index)
        ).intersect_domain(points)

    def lanes(self, access: MemoryAccess, value: SSAValue, depth: int) -> isl.Map:
        """`{ [p, e] -> [p, l] }`: the element e of VALUE is what ACCESS moves at its point l.

        `vector.transfer_read %m[%i, %j] {permutation_map = (d0, d1) -> (d1, 0)} : vector<4x8xf32>` has one
        loop, along the first dimension of the vector: e is [l, 0], ..., [l, 7]. Raises NotAffine.
        """
        rank, count = rank_of(value), len(access.extents)
        along = tuple(range(count)) if access.along is None else access.along
        if len(along) != count or (access.along is None and count != rank):
            raise NotAffine("a vector is an element of memory")
        return build.relation(depth + rank, (*loops(depth), *(loop(depth + k) for k in along)))

    def points(self, extents: Sequence[Expression], depth: int) -> isl.Set:
        """`{ [p, l] : 0 <= l < extents }`. Raises NotAffine."""
        sizes = tuple((depth + k, self.numbers.expression(e, depth)) for k, e in enumerate(extents))
        return build.domain(depth + len(extents), sizes, ())

    def where(self, disjunction: Disjunction, depth: int, count: int) -> isl.Set:
        """The points of DEPTH coordinates and COUNT own loops where DISJUNCTION holds. Raises NotAffine."""
        resolved = [tuple(self.numbers.expression(e, depth) for e in each) for each in disjunction]
        none = isl.Set.empty(build.space((), depth + count))
        return reduce(isl.Set.union, (build.nonnegative(depth + count, each) for each in resolved), none)

    @staticmethod
    def rank(key: Key) -> int:
        """How many indices an element of KEY has."""
        match key:
            case Root():
                return rank_of(key.value)
            case Leaf():
                return key.rank
            case _:
                return rank_of(key)


def nowhere(paths: Paths) -> Paths:
    """PATHS to a leaf without coordinates."""
    if not paths:
        return paths
    relation = paths.support
    return Paths((Term(relation.project_out(DIM.out, 0, relation.dim(DIM.out)), 0, 0),))
