"""Sets as the page draws them: the constraints of their parts, which decide for each point whether it is in.

A set of points over d dimensions with p parameters is a union of parts, each a conjunction of rows. With
x = (parameters, dimensions, quotients, 1), a row (e, a) says `a x = 0` if e = 1, and `a x >= 0` if e = 0, and
the k-th quotient is the floor of `a x / m`, for its own (m, a), of what comes before it.

>>> part_of(isl.Set("[n] -> { [i] : 0 <= i < n and i mod 2 = 0 }").compute_divs().get_basic_sets()[0], 1)
{'q': [[2, 0, 1, 0]], 'c': [[1, 0, 1, -2, 0], [0, 0, 1, 0, 0], [0, 1, -1, 0, -1]]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import islpy as isl

from volcli.facts.fact import Fact
from volcli.facts.maps import MapFact
from volcli.facts.mars import MarsFact
from volcli.facts.regions import RegionsFact
from volcli.limits import printing as limits
from volcli.pages.records import Drawing
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import maps_of
from volcli.presburger.sets.names import parameters_of_space


def drawings_of(fact: Fact) -> Iterator[Drawing]:
    """The pictures of FACT that show more than that everything is alike."""
    try:
        with budget(DEFAULT_OPERATIONS):
            match fact:
                case RegionsFact():
                    yield from _of_regions(fact)
                case MapFact(to="inputs"):
                    yield from _of_fields(fact)
                case MarsFact():
                    yield from _of_mars(fact)
                case _:
                    return
    except BudgetExceeded:
        return


def _of_regions(fact: RegionsFact) -> Iterator[Drawing]:
    if fact.domain is None or len(fact.regions) < 2 or not fact.domain.set.dim(DIM.set):
        return
    domain = fact.domain.set
    layers: list[tuple[str, isl.Set]] = []
    for region in fact.regions:
        label, count, _ = region.cells()
        layers.append((f"{label}: {count}", region.set))
    notes = () if fact.exact else (f"over-approximate: {fact.reason}",)
    yield from _drawn(fact, "regions", f"Regions of {fact.subject}", domain, layers, notes)


def _of_fields(fact: MapFact) -> Iterator[Drawing]:
    """For each input, what one element of the value reaches of it, if not all elements reach all."""
    if fact.relation is None:
        return
    for relation in sorted(maps_of(fact.relation.map), key=str):
        if relation.dim(DIM.in_) and relation.dim(DIM.out) and _is_moving(relation):
            name = relation.get_tuple_name(DIM.out) or "an input"
            title = f"What an element of {fact.value} depends on in %{name}"
            points = relation.wrap().flatten()
            notes = () if fact.exact else (f"over-approximate: {fact.reason}",)
            layers = [("the element depends on these", points)]
            yield from _drawn(fact, "field", title, points, layers, notes, relation.dim(DIM.in_))


def _is_moving(relation: isl.Map) -> bool:
    """Whether different elements are related to different ones."""
    domain, image = relation.domain(), relation.range()
    return not relation.is_equal(isl.Map.from_domain_and_range(domain, image))


def _of_mars(fact: MarsFact) -> Iterator[Drawing]:
    if not fact.exact or not fact.classes or not fact.sets:
        return
    first = fact.classes[0]
    sets = [fact.sets[index] for index, _ in first.members]
    layers = [
        (f"to {', '.join(each.consumers)}{f': {count}' * bool(count)}", each.points.set)
        for each, (_, count) in zip(sets, first.members, strict=True)
    ]
    if not layers:
        return
    verb = "read" if fact.kind == "read" else "produced"
    title = f"{fact.array}, {verb} by a tile, {fact.tile}"
    notes = () if len(fact.classes) == 1 else (f"for {first.title}",)
    everything = reduce(isl.Set.union, (points for _, points in layers))
    yield from _drawn(fact, "mars", title, everything, layers, notes)


def _drawn(
    fact: Fact,
    kind: str,
    title: str,
    domain: isl.Set,
    layers: Sequence[tuple[str, isl.Set]],
    notes: tuple[str, ...],
    chosen: int = 0,
) -> Iterator[Drawing]:
    """LAYERS inside DOMAIN, of which the first CHOSEN dimensions are not drawn but set."""
    sets = set_json(domain, layers, chosen)
    if sets is not None:
        yield Drawing(fact.place.line, kind, title, sets=sets, notes=notes)


def set_json(
    domain: isl.Set, layers: Sequence[tuple[str, isl.Set]], chosen: int = 0
) -> Mapping[str, Any] | None:
    """LAYERS inside DOMAIN as the page reads them; None if they have no end or too many constraints."""
    every = _aligned([domain, *(points for _, points in layers)])
    names = list(parameters_of_space(every[0]))
    dims = _names(domain)
    values = _first_values(every[0], names)
    ranges = [_range(every[0], k, len(names)) for k in range(len(dims))]
    if values is None or any(each is None for each in ranges):
        return None
    parts = [[part_of(each, len(names)) for each in _parts(points)] for points in every]
    if chosen:  # what is chosen reaches some of all that is in range
        parts[0] = [{"c": []}]
    if sum(len(part["c"]) for each in parts for part in each) > limits.PAGE_CONSTRAINTS:
        return None
    shown = [{"text": text, "parts": own} for (text, _), own in zip(layers, parts[1:], strict=True)]
    return {"dims": dims, "params": names, "values": values, "chosen": chosen, "ranges": ranges,
            "domain": parts[0], "layers": shown}  # fmt: skip


def _aligned(every: Sequence[isl.Set]) -> list[isl.Set]:
    """EVERY set over the parameters of all, without names of tuples."""
    space = reduce(isl.Space.align_params, (each.get_space().params() for each in every))
    plain = (each.reset_tuple_id() if each.has_tuple_id() else each for each in every)
    return [each.align_params(space) for each in plain]


def _names(points: isl.Set) -> list[str]:
    found = [points.get_dim_name(DIM.set, k) or f"d{k}" for k in range(points.dim(DIM.set))]
    return [name + "'" * found[:k].count(name) for k, name in enumerate(found)]


def _parts(points: isl.Set) -> list[isl.BasicSet]:
    return points.coalesce().compute_divs().get_basic_sets()


def _first_values(domain: isl.Set, names: Sequence[str]) -> list[int] | None:
    """Numbers for the parameters NAMES for which DOMAIN has an element; None if there are none."""
    values = domain.params()
    tried = values
    for k in range(len(names)):
        tried = tried.fix_val(DIM.param, k, isl.Val(int(limits.PAGE_SIZE)))
    if not tried.is_empty():
        return [int(limits.PAGE_SIZE)] * len(names)
    if values.is_empty():
        return None
    point = values.sample_point()
    return [point.get_coordinate_val(DIM.param, k).to_python() for k in range(len(names))]


def _range(domain: isl.Set, position: int, params: int) -> list[list[int]] | None:
    """Rows over parameters, the dimension at POSITION and 1 that bound it; None if it has no end."""
    rest = domain.dim(DIM.set) - position - 1
    line = domain.project_out(DIM.set, position + 1, rest).project_out(DIM.set, 0, position)
    rows: list[list[int]] = []
    for is_equal, *row in part_of(line.simple_hull().remove_divs(), params)["c"]:
        rows += [row, [-each for each in row]] if is_equal else [row]
    bounding = [row for row in rows if row[params]]
    if not any(row[params] > 0 for row in bounding) or not any(row[params] < 0 for row in bounding):
        return None
    return bounding


def part_of(part: isl.BasicSet, params: int) -> dict[str, Any]:
    """The quotients and rows of PART, which has so many PARAMS."""
    dims = part.dim(DIM.set)
    sizes = (DIM.param, params), (DIM.set, dims), (DIM.div, part.dim(DIM.div))
    quotients: list[list[int]] = []
    for k in range(part.dim(DIM.div)):
        quotient = part.get_div(k)
        most = quotient.get_denominator_val().to_python()
        before = (DIM.param, params), (DIM.in_, dims), (DIM.div, k)
        row = [
            (quotient.get_coefficient_val(kind, at) * most).to_python()
            for kind, n in before
            for at in range(n)
        ]
        quotients.append([most, *row, (quotient.get_constant_val() * most).to_python()])
    rows = [
        [
            int(each.is_equality()),
            *(each.get_coefficient_val(kind, at).to_python() for kind, n in sizes for at in range(n)),
            each.get_constant_val().to_python(),
        ]
        for each in part.get_constraints()
    ]
    # isl writes equalities with either sign.
    signs = (-1 if row[0] and next(filter(None, row[1:]), 0) < 0 else 1 for row in rows)
    rows = [[row[0], *(sign * a for a in row[1:])] for sign, row in zip(signs, rows, strict=True)]
    return {"q": quotients, "c": rows} if quotients else {"c": rows}
