r"""The accesses of a tiled nest as affine functions of its loops, those that the tiling cuts first.

    affine.for %t { affine.for %i { ... affine.load %a[%t - 1, %i + 1] } }

goes to A·x + b with x = (t, i), A = ((1, 0), (0, 1)), b = (-1, 1). The element moves by A·D·δ if the tile
does by δ, where D = H^-1·diag(s) has the translations of tiles as columns, all of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import SSAValue

from volcli.language.expressions import Dim, Expression, NotAffine, Value, substitute
from volcli.model.function import FunctionModel
from volcli.model.mars.footprints.cases import NotADependence, pieces
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.bursts import PLAIN, BurstRules
from volcli.model.mars.partition.set_layout import DeclaredMemory
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import affine_map, to_elements, unit
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Root

Rows = tuple[tuple[int, ...], ...]


class NotAllocatable(ValueError):
    """Arrays cannot be laid out by MARS; the text says why."""


@dataclass(frozen=True, eq=False)
class TileAccess:
    """The access SITE goes to MATRIX·x + OFFSET in the iterations x in DOMAIN, those of tiled loops first.

    `inner` are the iterations of loops that are not tiled, None if there are none.
    """

    site: Site
    matrix: Rows
    offset: tuple[int, ...]
    domain: isl.Set
    inner: isl.Set | None

    @property
    def root(self) -> Root:
        """The array."""
        return self.site.place.root

    @property
    def rank(self) -> int:
        """The number of loops."""
        return self.domain.dim(isl.dim_type.set)

    def map(self) -> isl.Map:
        """From iterations to elements."""
        return affine_map(self.matrix, self.offset).intersect_domain(self.domain)


def translations(tiling: HyperplaneTiling) -> Rows:
    """D = H^-1·diag(s): its column j leads from a tile to the next one along the hyperplane j.

    Raises NotAllocatable unless all are vectors of integers.
    """
    count = len(tiling.sizes)
    if tiling.symbols:
        raise NotAllocatable(f"arrays have tiles of sizes that are numbers, not {', '.join(tiling.symbols)}")
    columns = [tiling.translation([int(j == k) for k in range(count)], {}) for j in range(count)]
    if any(entry.q != 1 for column in columns for entry in column):
        raise NotAllocatable(
            "tiles are not all translates of each other: choose sizes for which H^-1 * diag(s) is integer"
        )
    return tuple(tuple(int(columns[j][i].p) for j in range(count)) for i in range(count))


def product(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> Rows:
    """The product of two matrices; LEFT has as many columns as RIGHT has rows, or more.

    >>> product([[1, 2], [0, 1]], [[3], [4]])
    ((11,), (4,))
    """
    columns = list(zip(*right, strict=True))
    return tuple(
        tuple(sum(a * b for a, b in zip(row, column, strict=False)) for column in columns) for row in left
    )


def tile_access(model: FunctionModel, tiling: HyperplaneTiling, site: Site) -> TileAccess:
    """SITE, inside of loops that TILING cuts, as such a function. Raises NotAllocatable."""
    text = model.memory.names.access(site)
    order = loop_order(model, tiling, site)
    domain = model.memory.instances.domains.of(site.op)
    relation = model.memory.instances.relation(site)
    access = site.access
    is_one = not access.extents and not access.where and access.partial is None and not access.atomic
    if not is_one or not domain.exact or not relation.exact or relation.unstable:
        raise NotAllocatable(f"{text}: {relation.because or domain.because or 'its element is not known'}")
    points = domain.points.apply(permutation(order))
    variables = [level.variable for level in site.levels]
    rows = [_row(model, index, [variables[k] for k in order]) for index in site.place.index]
    if any(row is None for row in rows):
        raise NotAllocatable(f"{text} accesses elements that are not affine functions of the loops")
    known = [row for row in rows if row is not None]
    matrix, offset = tuple(row for row, _ in known), tuple(number for _, number in known)
    return TileAccess(site, matrix, offset, points, _inner(points, len(tiling.iterators), text))


def _inner(points: isl.Set, tiled: int, text: str) -> isl.Set | None:
    """What POINTS are of loops after the TILED ones. Raises NotAllocatable if tiles differ in that."""
    others = points.dim(isl.dim_type.set) - tiled
    if not others:
        return None
    outer = points.project_out(isl.dim_type.set, tiled, others)
    inner = points.project_out(isl.dim_type.set, 0, tiled)
    if not outer.flat_product(inner).is_subset(points):
        raise NotAllocatable(f"{text}: loops inside of a tile have other bounds in other tiles")
    return inner


def loop_order(model: FunctionModel, tiling: HyperplaneTiling, site: Site) -> list[int]:
    """The positions of the loops around SITE, those of TILING first. Raises NotAllocatable."""
    names = ["" if level.variable is None else model.name_of(level.variable) for level in site.levels]
    if any(name not in names for name in tiling.iterators):
        text = model.memory.names.access(site)
        raise NotAllocatable(f"{text} is not in all of the loops that are tiled")
    tiled = [names.index(name) for name in tiling.iterators]
    return [*tiled, *(k for k in range(len(names)) if k not in tiled)]


def permutation(order: Sequence[int]) -> isl.Map:
    """From x to the point that has the coordinate x[ORDER[k]] at position k."""
    rows = [[int(source == column) for column in range(len(order))] for source in order]
    return affine_map(rows, [0] * len(order))


def _row(
    model: FunctionModel, index: object, variables: Sequence[SSAValue | None]
) -> tuple[tuple[int, ...], int] | None:
    """INDEX as factors of VARIABLES and a number; None if it is not such a function."""
    if not isinstance(index, Expression):
        return None
    definitions = model.bounds.definitions
    try:
        form = substitute(
            index, lambda atom: definitions.linear(atom) if isinstance(atom, Value | Dim) else None
        )
    except NotAffine:
        return None
    factors = dict.fromkeys(range(len(variables)), 0)
    for atom, factor in form.terms:
        if not isinstance(atom, Value) or atom.value not in variables:
            return None
        factors[variables.index(atom.value)] = factor
    return tuple(factors.values()), form.constant


def memory_of(model: FunctionModel, flow: Flow, rules: BurstRules = PLAIN) -> DeclaredMemory:
    """Where the elements of FLOW are: its array, and the way to it from iterations of what writes them."""
    kind = flow.root.value.type
    if flow.writer is not None:
        return DeclaredMemory(kind, _written(model, flow), rules)
    rank = max(len(kind.get_shape()), 1) if isinstance(kind, ShapedType) else 0
    return DeclaredMemory(kind, affine_map(unit(rank), (0,) * rank) if rank else None, rules)


def _written(model: FunctionModel, flow: Flow) -> isl.Map | None:
    """From the iterations of FLOW's writer to elements in memory; None if that is not known."""
    nest = flow.destination
    assert flow.writer is not None
    relation = model.memory.instances.relation(flow.writer)
    if nest is None or not relation.exact or relation.unstable:
        return None
    try:
        found = pieces(relation.elements())
    except NotADependence:
        return None
    if len(found) != 1:
        return None
    ((_, function),) = found
    return to_elements(nest.sorted(isl.Map.from_multi_aff(function)))
