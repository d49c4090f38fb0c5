"""Sets and relations of iterations and elements, with the names of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import islpy as isl
from xdsl.ir import Operation

from volcli.language.expressions import Expression, Value
from volcli.language.questions import slice_of
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.terms.variables import Variable, natural_range
from volcli.presburger.measures.points import coordinates
from volcli.presburger.relations.relation import shifted
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import parts_of
from volcli.presburger.sets.named import NamedMap, NamedSet
from volcli.presburger.sets.names import identifier, named_map, named_set, parameters_of_space, without

MapOrSet = TypeVar("MapOrSet", isl.Map, isl.Set)


def iterations(memory: Memory, site: Site) -> list[str]:
    """The names of the iterations of the loops around SITE."""
    name_of = memory.bounds.name_of
    variables = [level.variable for level in site.levels]
    return ["iteration" if v is None else identifier(name_of(v)) for v in variables]


def set_named(memory: Memory, points: isl.Set, dimensions: Sequence[str]) -> NamedSet:
    """`[n] -> { [i] : 0 <= i < n }`."""
    found = with_parameters(memory, points)
    if _is_plain(found.get_basic_sets()):
        return NamedSet.when_asked(lambda: named_set(found, None, dimensions))
    return NamedSet.of(named_set(found, None, dimensions))


def map_named(memory: Memory, points: isl.Map, source: Sequence[str], target: Sequence[str]) -> NamedMap:
    """`[n] -> { [i] -> [i' = 1 + i] : 0 <= i < n }`."""
    found = with_parameters(memory, points)
    if _is_plain(found.get_basic_maps()):
        return NamedMap.when_asked(lambda: named_map(found, None, source, None, target))
    return NamedMap.of(named_map(found, None, source, None, target))


def _is_plain(parts: Sequence[isl.BasicSet | isl.BasicMap]) -> bool:
    """Whether it costs next to nothing to print a union of PARTS: it is one without divisions."""
    return len(parts) == 1 and not parts[0].dim(DIM.div)


def relation_named(memory: Memory, site: Site) -> NamedMap | None:
    """`{ [i] -> m[d0 = -2 + i] : 2 <= i <= 8 }`: what SITE accesses, of the buffer under all views.

    None where they are not known exactly, or depend on a value that is another one in each iteration.
    """
    if site.is_escaped or site.number >= len(memory.sites):
        return None
    relation = memory.instances.relation(site)
    if not relation.exact or relation.unstable:
        return None
    target = identifier(memory.names.memref(site.place.root.value))
    dimensions = [f"d{d}" for d in range(len(relation.offset))]
    source = iterations(memory, site)
    offset = relation.offset
    points = None if relation.is_simple else with_parameters(memory, relation.points)

    def made() -> isl.Map:
        named = relation.points if points is None else points
        return named_map(shifted(named, offset), None, source, target, dimensions)

    is_plain = points is None or _is_plain(points.get_basic_maps())
    return NamedMap.when_asked(made) if is_plain else NamedMap.of(made())


def slice_text(memory: Memory, op: Operation) -> str:
    """`%t[%i] [4] [1]`: the offsets, sizes and strides of the slice that OP states."""
    stated = slice_of(op)
    assert stated is not None
    parts = (stated.offsets, stated.sizes, stated.strides)
    lists = (f"[{', '.join(map(memory.bounds.texts.of, part))}]" for part in parts)
    return f"{memory.bounds.name_of(stated.source)}{' '.join(lists)}"


def window_text(memory: Memory, site: Site) -> str:
    """`the buffer of %m at [d0 + 3]`: what a view shows that counts from the beginning of a buffer."""
    index = ", ".join(
        memory.bounds.texts.of(e) if isinstance(e, Expression) else "?" for e in site.access.index
    )
    return f"the buffer of {memory.bounds.name_of(site.access.memref)} at [{index}]"


def site_text(memory: Memory, site: Site) -> str:
    """What SITE accesses: an element `%m[%i]`, or a slice that it inserts, `%o[%i] [4] [1]`."""
    is_insert = site.number >= len(memory.sites)
    is_stated = is_insert and slice_of(site.op) is not None
    return slice_text(memory, site.op) if is_stated else memory.names.access(site)


def buffer_name(memory: Memory, site: Site) -> str:
    """What SITE accesses an element of: the buffer under all views, or the tensor that a loop shares."""
    is_insert = site.number >= len(memory.sites)
    return memory.names.memref(site.access.memref if is_insert else site.place.root.value)


def values_text(names: Sequence[str], numbers: Sequence[int]) -> str:
    """`%i = 1, %j = 2`."""
    return ", ".join(f"{name} = {number}" for name, number in zip(names, numbers, strict=True))


def with_parameters(memory: Memory, points: MapOrSet) -> MapOrSet:
    """POINTS, with the names of the program for their parameters, of which those of one bit are 0 or 1."""
    texts, elimination = memory.bounds.texts, memory.bounds.elimination
    for name in parameters_of_space(points):
        if _is_bit(elimination.find(name)):
            points = _of_bit(points, name)
    for position, name in enumerate(parameters_of_space(points)):
        variable = elimination.find(name)
        text = name if variable is None else identifier(texts.of_variable(variable))
        if points.find_dim_by_name(DIM.param, text) < 0:
            points = points.set_dim_name(DIM.param, position, text)
    return points


def _is_bit(variable: Variable | None) -> bool:
    return isinstance(variable, Value) and natural_range(variable) == (0, 1)


def _of_bit(points: MapOrSet, name: str) -> MapOrSet:
    """POINTS, of which the parameter NAME is 0 or 1: of `p >= 2 or p <= 0`, that is `p = 0`."""
    zero, one = (isl.Set(f"[{name}] -> {{ : {name} = {bit} }}") for bit in (0, 1))
    first: Any = points.intersect_params(zero)
    second: Any = points.intersect_params(one)
    found = without(first, name)
    if not found.is_equal(without(second, name)):
        found = first.union(second).coalesce()
    return found if parts_of(found) <= parts_of(points) else points


def example_text(memory: Memory, levels: Sequence[Level], point: isl.Point) -> str:
    """` at %i = 1, %j = 2 for %n = 4`: an iteration of the loops LEVELS, and the parameters."""
    name_of = memory.bounds.name_of
    variables = [level.variable for level in levels]
    names = ["iteration" if v is None else name_of(v) for v in variables]
    numbers = coordinates(point)[: len(names)]
    at = f" at {values_text(names, numbers)}" if names else ""
    given = memory.bounds.texts.of_point(point)
    return at + (f" for {values_text(list(given), list(given.values()))}" if given else "")
