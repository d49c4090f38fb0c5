r"""What the statements of a tiled nest read, as affine dependences: of arrays as they were, and of each
other's values.

Value-based flow says for each read which write gave it its value (`model.memory.flow`), so that programs need
no single-assignment form. Within a nest whose loops the tiling cuts, a read has

* values of a write in the nest: a dependence from the iteration that reads to the one that wrote; or
* what was there before the nest: a dependence to the element.

Near the ends of loops there are other cases, such as initial values; the one that holds for the most
iterations is kept, and `inside` says where all of them hold: what is said of tiles holds for those that are
inside with their consumers. Tiles in the paper have no ends either.

    %a[%t, %i] = f(%a[%t - 1, %i - 1], ...)      (t, i) -> (t - 1, i - 1), ...    inside { 2 <= t <= 99, ... }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import islpy as isl

from volcli.model.function import FunctionModel
from volcli.model.mars.footprints import AffineDependence, affine_map
from volcli.model.mars.tiling import HyperplaneTiling
from volcli.model.memory.buffers import Root
from volcli.model.memory.flow.answers import BufferFlow, ReadFlow
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.instances import Site
from volcli.presburger.build import DIM
from volcli.presburger.extremes import interval


class NotADependence(ValueError):
    """What a read gets is no affine function of the iteration; the text says why."""


@dataclass(frozen=True, eq=False)
class Flow:
    """The dependences of one array: of its elements, or of the values that WRITER puts into it.

    Elements are coordinates of ROOT, or the iterations of WRITER, those of the tiling first. If `because` is
    given, nothing of it is known.
    """

    root: Root
    writer: Site | None
    readers: tuple[Site, ...]
    dependences: tuple[AffineDependence, ...] = ()
    inner: isl.Set | None = None
    """The iterations of the writer's loops inside a tile."""
    inside: isl.Set | None = None
    """The iterations of the tiled loops for which the dependences are these."""
    because: str | None = None
    assumptions: tuple[str, ...] = ()


@dataclass(eq=False)
class _Gathered:
    readers: list[Site] = field(default_factory=list)
    dependences: dict[tuple[object, ...], AffineDependence] = field(default_factory=dict)
    inside: isl.Set | None = None
    because: str | None = None
    assumptions: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Case:
    """A part of the iterations of a read, and what it gets there: an element, or an iteration of WRITER."""

    where: isl.Set
    function: isl.MultiAff
    writer: Site | None


def flows(model: FunctionModel, tiling: HyperplaneTiling, operations: int) -> list[Flow]:
    """What is read in the nest that TILING cuts, by array and writer, in the order of the text."""
    found: dict[tuple[Root, Site | None], _Gathered] = {}
    for buffer in MemoryFlow(model.memory, operations=operations).all():
        for read in buffer.reads:
            order = _order(model, tiling, read.site)
            if order is not None:
                _gather(model, tiling, buffer, read, order, found)
    return [_flow(model, tiling, root, writer, each) for (root, writer), each in found.items()]


def _gather(
    model: FunctionModel,
    tiling: HyperplaneTiling,
    buffer: BufferFlow,
    read: ReadFlow,
    order: Sequence[int],
    found: dict[tuple[Root, Site | None], _Gathered],
) -> None:
    root = read.site.place.root
    try:
        if not read.is_exact:
            raise NotADependence(read.because or "not all of what is read is known")
        case = _main_case(_cases(model, tiling, read, buffer))
        if case is None:
            return  # never runs
        dependence, inside = _dependence(model, tiling, read.site, order, case)
    except NotADependence as error:
        gathered = found.setdefault((root, None), _Gathered())
        gathered.readers.append(read.site)
        gathered.because = gathered.because or f"{model.memory.access_text(read.site)}: {error}"
        return
    gathered = found.setdefault((root, case.writer), _Gathered())
    gathered.readers.append(read.site)
    key = (dependence.matrix, dependence.offset)
    gathered.dependences.setdefault(key, dependence)
    gathered.inside = inside if gathered.inside is None else gathered.inside.intersect(inside)
    gathered.assumptions.update(dict.fromkeys(read.assumptions))


def _flow(
    model: FunctionModel, tiling: HyperplaneTiling, root: Root, writer: Site | None, gathered: _Gathered
) -> Flow:
    inner, because = None, gathered.because
    if writer is not None:
        order = _order(model, tiling, writer)
        assert order is not None
        try:
            inner = _inner(model, tiling, writer, order)
        except NotADependence as error:
            because = because or str(error)
    if because is None and gathered.inside is not None and gathered.inside.is_empty():
        because = "no iteration has all of the dependences"
    inside = gathered.inside.coalesce() if gathered.inside is not None else None
    return Flow(
        root,
        writer,
        tuple(gathered.readers),
        tuple(gathered.dependences.values()),
        inner,
        inside,
        because,
        tuple(gathered.assumptions),
    )


def _order(model: FunctionModel, tiling: HyperplaneTiling, site: Site) -> list[int] | None:
    """The loops around SITE, those of the tiling first; None if SITE is not inside all of these."""
    names = [model.name_of(level.variable) if level.variable is not None else None for level in site.levels]
    if any(name not in names for name in tiling.iterators):
        return None
    tiled = [names.index(name) for name in tiling.iterators]
    return [*tiled, *(k for k in range(len(names)) if k not in tiled)]


def _cases(
    model: FunctionModel, tiling: HyperplaneTiling, read: ReadFlow, buffer: BufferFlow
) -> Iterable[_Case]:
    before: list[isl.Map] = [] if read.unwritten is None else [read.unwritten]
    elements = model.memory.instances.relation(read.site).elements()
    for last in read.writers:
        if not last.exact:
            raise NotADependence(last.because or "its writers are not known exactly")
        if _order(model, tiling, last.writer) is None:
            before.append(elements.intersect_domain(last.pairs.range()))
            continue
        yield from _parts(last.pairs.reverse(), last.writer)
    for each in before:
        if buffer.digits is not None and not each.is_empty():
            raise NotADependence("its elements are products of unknowns")
        yield from _parts(each, None)


def _parts(relation: isl.Map, writer: Site | None) -> Iterator[_Case]:
    """RELATION as cases whose iterations are convex."""
    for where, function in _pieces(relation.coalesce()):
        for part in where.coalesce().get_basic_sets():
            yield _Case(isl.Set.from_basic_set(part), function, writer)


def _pieces(relation: isl.Map) -> list[tuple[isl.Set, isl.MultiAff]]:
    """A function from iterations, as affine pieces.

    Raises NotADependence if an iteration has several images.
    """
    if not relation.is_single_valued():
        raise NotADependence("one iteration reads several elements")
    found: list[tuple[isl.Set, isl.MultiAff]] = []
    isl.PwMultiAff.from_map(relation).foreach_piece(lambda where, what: found.append((where, what)))
    return found


def _main_case(cases: Iterable[_Case]) -> _Case | None:
    """The case of the most iterations: in the most directions without an end, then the largest box."""
    return max(
        (case for case in cases if not case.where.is_empty()), key=lambda c: _extent(c.where), default=None
    )


def _extent(points: isl.Set) -> tuple[int, int]:
    unbounded, size = 0, 1
    for position in range(points.dim(DIM.set)):
        low, high = interval(points, position)
        if low is None or high is None:
            unbounded += 1
        else:
            size *= high - low + 1
    return unbounded, size


def _dependence(
    model: FunctionModel, tiling: HyperplaneTiling, site: Site, order: Sequence[int], case: _Case
) -> tuple[AffineDependence, isl.Set]:
    """The function of CASE with the loops in ORDER, and the tiled iterations for which it holds."""
    target = _order(model, tiling, case.writer) if case.writer is not None else None
    rows = range(case.function.dim(DIM.out)) if target is None else target
    matrix: list[tuple[int, ...]] = []
    offset: list[int] = []
    for row in rows:
        form = case.function.get_aff(row)
        if form.dim(DIM.div) or any(
            not form.get_coefficient_val(DIM.param, p).is_zero() for p in range(form.dim(DIM.param))
        ):
            raise NotADependence("what it reads is no affine function of the loops alone")
        matrix.append(tuple(form.get_coefficient_val(DIM.in_, k).to_python() for k in order))
        offset.append(form.get_constant_val().to_python())
    inner = _inner(model, tiling, site, order)
    others = sorted(order[len(tiling.iterators) :], reverse=True)
    inside = case.where
    for position in others:
        inside = inside.project_out(DIM.set, position, 1)
    return AffineDependence(tuple(matrix), tuple(offset), inner), _sorted_like(inside, order, tiling)


def _inner(
    model: FunctionModel, tiling: HyperplaneTiling, site: Site, order: Sequence[int]
) -> isl.Set | None:
    """The iterations of the loops around SITE that are not tiled.

    Raises NotADependence if tiles differ in them.
    """
    tiled = len(tiling.iterators)
    if len(order) == tiled:
        return None
    domain = _permuted(model.memory.instances.domain(site.op).points, order)
    outer, inner = (
        domain.project_out(DIM.set, tiled, len(order) - tiled),
        domain.project_out(DIM.set, 0, tiled),
    )
    if not outer.flat_product(inner).is_subset(domain):
        raise NotADependence("a loop inside the tiles has bounds that are not the same in all tiles")
    return inner


def _permuted(points: isl.Set, order: Sequence[int]) -> isl.Set:
    """POINTS with coordinate ORDER[k] at position k."""
    return points.apply(_permutation(order))


def _permutation(order: Sequence[int]) -> isl.Map:
    rows = [[int(source == column) for column in range(len(order))] for source in order]
    return affine_map(rows, [0] * len(order))


def _sorted_like(points: isl.Set, order: Sequence[int], tiling: HyperplaneTiling) -> isl.Set:
    """POINTS of the tiled loops in the order of the text, in the order of the tiling."""
    tiled = list(order[: len(tiling.iterators)])
    ranks = sorted(tiled)
    return _permuted(points, [ranks.index(k) for k in tiled])


def memory_of(model: FunctionModel, tiling: HyperplaneTiling, flow: Flow) -> isl.Map | None:
    """From the iterations of FLOW's writer to elements in memory; None without a writer, or if not known."""
    if flow.writer is None:
        return None
    order = _order(model, tiling, flow.writer)
    assert order is not None
    relation = model.memory.instances.relation(flow.writer)
    if not relation.exact or relation.unstable:
        return None
    try:
        pieces = _pieces(relation.elements())
    except NotADependence:
        return None
    if len(pieces) != 1:
        return None
    ((_, function),) = pieces
    return isl.Map.from_multi_aff(function).apply_domain(_permutation(order))
