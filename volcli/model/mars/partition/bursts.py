r"""Bursts: runs of elements that are neighbours in memory, as the type of an array lays them out.

The element i of a buffer lies at the address A(i), counted in elements: row-major of its sizes,
`offset + sum of stride_k * i_k`, or an affine map; several results of a map are coordinates in row-major
order of their ranges. Two elements are neighbours if A(j) = A(i) + 1, whole rows and planes included:

    memref<4x4xf32>                            (0, 3) is followed by (1, 0): whole rows are one burst
    memref<4x4xf32, strided<[1, 4]>>           (3, 0) is followed by (0, 1)
    memref<?x?xf32>                            (0, 3) is followed by (0, 4); the end of a row is not known

With N = A^-1 . (+1) . A, the bursts of a set S of elements begin at S minus N(S), one each. A machine may
move whole blocks of `alignment` bytes, and at least some bytes each time: then runs are joined one by one.

>>> Transfer.of([(0, 3), (8, 10)], 4, BurstRules())
Transfer(bursts=2, size=20)
>>> Transfer.of([(0, 3), (8, 10)], 4, BurstRules(alignment=32))
Transfer(bursts=1, size=64)
>>> Transfer.of([(0, 3), (8, 10)], 4, BurstRules(least=16))
Transfer(bursts=2, size=32)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    MemRefType,
    ShapedType,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute

from volcli.language.affine_maps import over_loops
from volcli.language.expressions import Expression, NotAffine, constant, loop, loops
from volcli.limits import mars as limits
from volcli.model.mars.tilings.vectors import affine_map, unit
from volcli.presburger.measures.extremes import greatest
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True)
class BurstRules:
    """A burst begins and ends at multiples of ALIGNMENT bytes from the beginning of the array or block.

    It has LEAST bytes or more."""

    alignment: int = 1
    least: int = 0

    @property
    def are_plain(self) -> bool:
        """Whether bursts are runs of neighbours, and nothing else is moved."""
        return self.alignment <= 1 and self.least <= 1

    def down(self, place: int) -> int:
        """The last multiple of the alignment up to PLACE."""
        return place // self.alignment * self.alignment

    def up(self, place: int) -> int:
        """The first multiple of the alignment from PLACE on."""
        return -(-place // self.alignment) * self.alignment


PLAIN = BurstRules()


@dataclass(frozen=True)
class Transfer:
    """So many bursts, and how many bytes they move."""

    bursts: int
    size: int

    @staticmethod
    def of(runs: Iterable[tuple[int, int]], width: int, rules: BurstRules) -> Transfer:
        """What is moved by RULES for RUNS of elements of WIDTH bytes, in order, their ends not included.

        A burst that begins at the first element which has not been moved yet, and goes on as long as the next
        one is in it or right after it, makes the fewest bursts.
        """
        bursts, size = 0, 0
        begin, end = 0, -1
        for low, high in runs:
            first, last = rules.down(low * width), rules.up(high * width)
            if first > end:
                bursts, size = bursts + 1, size + max(end - begin, 0)
                begin, end = first, first + rules.up(rules.least)
            end = max(end, last)
        return Transfer(bursts, size + max(end - begin, 0))

    def plus(self, other: Transfer) -> Transfer:
        """Both, one after the other."""
        return Transfer(self.bursts + other.bursts, self.size + other.size)


@dataclass(frozen=True, eq=False)
class MemoryOrder:
    """`following` leads from each element to its neighbour after it, as far as that is known.

    If `is_known` is False, others may be neighbours, too: sizes or strides are not numbers. `address` is
    where an element lies, counted in elements; None where that is not known."""

    following: isl.Map
    is_known: bool
    address: isl.Map | None = None

    def begins(self, points: isl.Set) -> isl.Set:
        """The first elements of the runs of neighbours among POINTS."""
        return coalesced(points.subtract(points.apply(self.following)))

    def runs(self, points: isl.Set) -> list[tuple[int, int]] | None:
        """The runs of POINTS by address, their ends not included; None if they are not known, or many."""
        if self.address is None:
            return None
        last = points.subtract(points.apply(self.following.reverse()))
        begins, lasts = (
            few_points(each.apply(self.address), limits.BURSTS) for each in (self.begins(points), last)
        )
        if begins is None or lasts is None:
            return None
        return [(low, high + 1) for (low,), (high,) in zip(begins, lasts, strict=True)]


def memory_order(kind: Attribute) -> MemoryOrder:
    """How the elements of a value of type KIND follow each other; of a tensor in row-major order.

    The only element of an array without dimensions is that at 0 of one with one.
    """
    sizes = kind.get_shape() if isinstance(kind, ShapedType) else ()
    if not sizes:
        return _row_major((1,))
    layout = kind.layout if isinstance(kind, MemRefType) else None
    match layout:
        case StridedLayoutAttr():
            return _strided(sizes, layout)
        case AffineMapAttr() if layout.data.results != type(layout.data).identity(len(sizes)).results:
            return _mapped(sizes, layout)
        case _:
            return _row_major(sizes)


def _row_major(sizes: Sequence[int]) -> MemoryOrder:
    if DYNAMIC_INDEX in sizes[1:]:
        return MemoryOrder(_carried(sizes), is_known=False)
    address = build.relation(len(sizes), (_in_row_major_order(loops(len(sizes)), sizes),))
    return MemoryOrder(_carried(sizes), is_known=True, address=address)


def _in_row_major_order(index: Sequence[Expression], sizes: Sequence[int]) -> Expression:
    address = constant(0)
    for each, size in zip(index, sizes, strict=True):
        address = address * (1 if size == DYNAMIC_INDEX else size) + each
    return address


def _strided(sizes: Sequence[int], layout: StridedLayoutAttr) -> MemoryOrder:
    strides = [0 if size == 1 else s for size, s in zip(sizes, layout.get_strides(), strict=True)]
    if None not in strides:
        address = sum((loop(k) * (s or 0) for k, s in enumerate(strides)), start=constant(0))
        offset = layout.get_offset()
        found = _addressed(sizes, address + (offset or 0))
        return found if offset is not None else MemoryOrder(found.following, is_known=True)
    rank = len(sizes)
    steps = [affine_map(unit(rank), unit(rank)[k]) for k, stride in enumerate(strides) if stride == 1]
    return MemoryOrder(_union(steps, rank), is_known=False)


def _mapped(sizes: Sequence[int], layout: AffineMapAttr) -> MemoryOrder:
    """Several results are coordinates; those after the first have the range that they take on the sizes."""
    unknown = MemoryOrder(_union((), len(sizes)), is_known=False)
    if layout.data.num_symbols:
        return unknown
    try:
        index = over_loops(layout.data)
        images = build.relation(len(sizes), index).intersect_domain(_domain(sizes)).range()
        ranges = [greatest(images, k) for k in range(len(index))]
    except NotAffine:
        return unknown
    known = [0 if end is None else end + 1 for end in ranges]
    if any(end is None for end in ranges[1:]):
        return unknown
    return _addressed(sizes, _in_row_major_order(index, known))


def _addressed(sizes: Sequence[int], address: Expression) -> MemoryOrder:
    domain = _domain(sizes)
    at = build.relation(len(sizes), (address,)).intersect_domain(domain)
    following = at.apply_range(affine_map(((1,),), (1,))).apply_range(at.reverse())
    return MemoryOrder(following, is_known=True, address=at)


def _domain(sizes: Sequence[int]) -> isl.Set:
    extents = tuple((k, constant(size)) for k, size in enumerate(sizes) if size != DYNAMIC_INDEX)
    return build.domain(len(sizes), extents, loops(len(sizes)))


def _carried(sizes: Sequence[int]) -> isl.Map:
    """To the next element of a row, or from its end to the next row, if it is known how long rows are."""
    rank = len(sizes)
    found = [affine_map(unit(rank), unit(rank)[-1])] if rank else []
    for k in reversed(range(rank - 1)):
        if DYNAMIC_INDEX in sizes[k + 1 :]:
            break
        rows = [unit(rank)[d] if d <= k else (0,) * rank for d in range(rank)]
        carried = affine_map(rows, unit(rank)[k])
        for d in range(k + 1, rank):
            carried = carried.fix_val(DIM.in_, d, number(sizes[d] - 1))
        found.append(carried)
    return _union(found, rank)


def _union(maps: Sequence[isl.Map], rank: int) -> isl.Map:
    found = isl.Map.empty(affine_map(unit(rank), (0,) * rank).get_space())
    for each in maps:
        found = found.union(each)
    return found
