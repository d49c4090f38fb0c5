"""What is said of shapes, maps, regions and bounds of one value goes together, in all of testdata.

The facts are compared, as users get them: tests/model/values/test_one_store.py asks the same of what they are made from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import prod

import islpy as isl
import pytest

from tests.conftest import ROOT
from volcli.diagnostics import UsageError
from volcli.facts.bounds import BoundsFact, Side
from volcli.facts.fact import Fact
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.facts.shapes import ShapeFact
from volcli.loading.driver import Program, load
from volcli.presburger.sets import build
from volcli.presburger.sets.named import NamedUnionMap

LAYER = ROOT / "testdata" / "linalg" / "conv_layer.mlir"
FILES = [LAYER, *sorted((ROOT / "testdata" / "errors").rglob("*.mlir"))]
"""Of all others, tests/facts/test_facts.py has the facts at hand."""
OF_ALL = "element-maps{of=all},sparsity-regions{of=all}"
PIPELINE = f"infer-shapes,value-bounds,{OF_ALL}"


@dataclass
class Value:
    """All that is said of one value."""

    shape: ShapeFact | None = None
    maps: list[MapFact] = field(default_factory=list[MapFact])
    regions: list[RegionsFact] = field(default_factory=list[RegionsFact])
    bounds: list[BoundsFact] = field(default_factory=list[BoundsFact])

    def add(self, fact: Fact) -> None:
        """Take FACT, which is of this value."""
        match fact:
            case ShapeFact():
                self.shape = fact
            case MapFact():
                self.maps.append(fact)
            case RegionsFact():
                self.regions.append(fact)
            case BoundsFact():
                self.bounds.append(fact)
            case _:
                pass

    def contradictions(self) -> Iterator[str]:
        """Where two of the facts cannot both be true."""
        for regions in self.regions:
            if regions.domain is not None:
                domain = _unnamed(regions.domain.set)
                if self.shape is not None and set(self.shape.assumptions) <= set(regions.assumptions):
                    yield from self._of_domain(domain)
                yield from _of_parts(regions, domain)
                yield from self._of_maps(regions, domain)
        yield from self._of_bounds()

    def _of_domain(self, domain: isl.Set) -> Iterator[str]:
        """The domain is the box of the sizes, where the parameters are what they may be."""
        if self.shape is None:
            return
        if not build.box(self.shape.sizes).intersect_params(domain.params()).is_equal(domain):
            yield f"shape {self.shape.sizes}, and the domain {domain}"

    def _of_maps(self, regions: RegionsFact, domain: isl.Set) -> Iterator[str]:
        """A map is of elements of the domain; an element that reads nothing depends on nothing.

        A map is of what can be read: where sizes and offsets make a slice leave its source, it lacks elements.
        """
        for fact in self.maps:
            if fact.relation is None:
                continue
            mapped = _domain_of(fact, domain)
            if not mapped.is_subset(domain):
                yield f"the map is of {mapped}, and the domain {domain}"
            for region in regions.regions if regions.exact else ():
                points = _unnamed(region.set)
                unread = points.subtract(mapped).params()
                is_read = region.kind in ("dense", "sparse") and not points.is_empty()
                if is_read and points.params().is_subset(unread):
                    yield f"{region.label} is {region.set}, and the map is of {mapped}"

    def _of_bounds(self) -> Iterator[str]:
        """A size that is a number is within the bounds of its dimension, and is what they say if they say one."""
        for fact in self.bounds:
            if fact.dim is None or fact.never or self.shape is None:
                continue
            low, high = fact.lower.constant, fact.upper.constant
            size = self.shape.sizes[fact.dim]
            if not size.is_constant:
                if low is not None and low == high and fact.assumptions == self.shape.assumptions:
                    yield f"dimension {fact.dim} is {size}, and bounds know that it is {low}"
            elif (low is not None and size.constant < low) or (high is not None and size.constant > high):
                yield f"dimension {fact.dim} is {size}, and within {low} and {high}"


def _of_parts(regions: RegionsFact, domain: isl.Set) -> Iterator[str]:
    """The regions are a partition of the domain, with as many elements as they say."""
    covered = isl.Set.empty(domain.get_space())
    for region in regions.regions:
        points = _unnamed(region.set)
        if not covered.is_disjoint(points):
            yield f"{region.label} overlaps another region: {points}"
        covered = covered.union(points)
        if region.count is not None and region.count != _count(points):
            yield f"{region.label} has {region.count} elements, and is {points}"
    if not covered.is_equal(domain):
        yield f"the regions are {covered}, and the domain {domain}"


def _unnamed(points: isl.Set) -> isl.Set:
    return points.reset_tuple_id()


def _domain_of(fact: MapFact, domain: isl.Set) -> isl.Set:
    """The elements that FACT maps to any."""
    found = isl.Set.empty(domain.get_space())
    assert fact.map is not None
    pieces = fact.map.get_map_list()
    for number in range(pieces.n_map()):
        found = found.union(_unnamed(pieces.get_at(number).domain()))
    return found


def _count(points: isl.Set) -> int:
    """How many points there are for some parameters, which are no more than for others."""
    some = isl.Set.from_params(isl.Set.from_point(points.params().sample_point()).params())
    points = points.intersect_params(some.params()).project_out_all_params()
    if points.is_box():  # there may be millions of them
        ends = [(points.dim_min_val(k), points.dim_max_val(k)) for k in range(points.dim(isl.dim_type.set))]
        return prod(high.to_python() - low.to_python() + 1 for low, high in ends)
    found = 0

    def note(_: isl.Point) -> None:
        nonlocal found
        found += 1

    points.foreach_point(note)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "testdata")))
def test_no_two_facts_contradict_each_other(path: object) -> None:
    try:
        program = load(str(path), split=True).run(PIPELINE)
    except UsageError:
        assert "errors" in str(path)
        return
    assert contradictions(program) == []


def contradictions(program: Program) -> list[str]:
    """Where two facts of one value of PROGRAM cannot both be true; none where no size is right.

    Nor where an access is out of bounds whatever the arguments are: then the function is not defined.
    """
    if any(d.code in ("V201", "V202", "V203", "V208") for d in program.diagnostics):
        return []
    values = said_of(program).items()
    return [f"{key}: {said}" for key, value in values for said in value.contradictions()]


def said_of(program: Program) -> dict[tuple[int, str, str], Value]:
    """What the facts of PROGRAM say, by chunk, function and value."""
    values: dict[tuple[int, str, str], Value] = defaultdict(Value)
    for number, unit in enumerate(program.units):
        for fact in unit.facts:
            if isinstance(fact, ShapeFact | MapFact | RegionsFact | BoundsFact):
                values[number, fact.function, fact.value].add(fact)
    return values


def lies() -> Iterator[tuple[str, Value]]:
    """Values of a layer of which one fact is changed."""
    values = said_of(load(str(LAYER)).run(PIPELINE)).values()
    value = next(v for v in values if v.shape and v.regions and v.maps and len(v.regions[0].regions) > 1)
    (regions,), (of_map, *_), shape = value.regions, value.maps, value.shape
    assert shape is not None
    first, second, *_ = regions.regions
    yield "shape", replace(value, shape=replace(shape, sizes=(shape.sizes[0] + 1, *shape.sizes[1:])))
    yield "the regions are", replace(value, regions=[replace(regions, regions=regions.regions[1:])])
    doubled = (first, replace(second, points=first.points), *regions.regions[2:])
    yield "overlaps", replace(value, regions=[replace(regions, regions=doubled)])
    more = (replace(first, count=1 + (first.count or 0)), *regions.regions[1:])
    yield "elements, and is", replace(value, regions=[replace(regions, regions=more)])
    yield "and the map is of", replace(value, maps=[replace(of_map, relation=NamedUnionMap("{ }"))])
    low = Side(None, 1 + shape.sizes[-1].constant, exact=True)
    dim = len(shape.sizes) - 1
    bounds = BoundsFact(value.regions[0].where, shape.value, dim, low, low, None, is_news=True)
    yield "and within", replace(value, bounds=[bounds])


@pytest.mark.slow
def test_a_contradiction_is_noticed() -> None:
    for words, value in lies():
        assert any(words in said for said in value.contradictions()), words
