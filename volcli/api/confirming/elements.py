"""Elements of tensors: which ones they are computed from, which depend on no data, and which are zero."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, cast

import islpy as isl
import numpy as np
from xdsl.ir import SSAValue

from volcli.api.confirming.runs import Judge, Observed, Point, SampledRun, dimensions, joined
from volcli.api.confirming.values import value_at
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import NotANumber, Tensor
from volcli.facts.fact import Fact
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionRow, RegionsFact
from volcli.facts.volumes import VolumeFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import maps_of
from volcli.presburger.sets.points import has_point

Leaf = tuple[str, Point]
"""An element of an argument: its name without %, and its index."""


def chosen(shape: Sequence[int], most: int = limits.CONFIRMED_ELEMENTS) -> list[Point]:
    """Elements of a tensor of SHAPE, evenly spread, the first and the last among them; all of few."""
    count = int(np.prod(shape, dtype=np.int64))
    few = min(count, most)
    places = sorted({k * (count - 1) // max(few - 1, 1) for k in range(few)})
    return [tuple(int(i) for i in np.unravel_index(place, tuple(shape))) for place in places]


class _OfTensors(Judge):
    """Facts about the elements of one value that is computed once."""

    kinds: ClassVar[tuple[type[Fact], ...]]

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts: list[tuple[Any, SSAValue]] = [
            (fact, value)
            for fact in facts
            if isinstance(fact, self.kinds)
            and isinstance(fact, MapFact | RegionsFact | VolumeFact)
            and fact.certainty.degree != "unknown"
            and (value := value_at(unit, model.function, fact, fact.value)) is not None
        ]

    def _tensors(self, run: SampledRun) -> Iterator[tuple[Any, Tensor]]:
        for fact, value in self._facts:
            seen = run.seen(value)
            if len(seen) == 1 and run.fulfils(fact.assumptions) and isinstance(seen[0], Tensor):
                yield fact, seen[0]

    def _elements(self, run: SampledRun) -> Iterator[tuple[Any, Iterable[tuple[Point, Any]]]]:
        """Facts, and elements of what they are about: those that were demanded, or chosen ones."""
        for fact, value in self._facts:
            if value in run.demanded and run.fulfils(fact.assumptions):
                yield fact, run.demanded[value]
        for fact, tensor in self._tensors(run):
            yield fact, [(index, tensor.element(index)) for index in chosen(tensor.shape)]


class MapsJudge(_OfTensors):
    """An element is computed from the elements that its map has, and from no other ones of the arguments.

    What is multiplied by the number zero is left aside: whether it counts depends on flags.
    """

    symbolic = True
    kinds = (MapFact,)

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        leaves = _Leaves()
        for fact, elements in self._elements(run):
            if fact.to != "inputs" or fact.map is None:
                continue
            relation = _Relation(fact, run)
            for index, element in elements:
                read = leaves.of(element)
                if read is not None and not relation.leads_elsewhere(index):
                    wrong = next(relation.missing(index, read), None)
                    text = None if wrong is None else f"element {list(index)} is computed from {_text(wrong)}"
                    yield Observed(fact, text)


class _Relation:
    """The pairs of elements that a fact states, by the argument without %; constants are left out."""

    def __init__(self, fact: MapFact, run: SampledRun) -> None:
        volumes = {each.name: each for each in fact.names.volumes}
        self._pairs: dict[str, list[isl.Set]] = {}
        self._arguments = run.arguments
        assert fact.map is not None
        for relation in maps_of(fact.map):
            volume = volumes.get(relation.get_tuple_name(DIM.out) or "")
            if volume is not None and volume.user is None:
                pairs = run.fixed(joined(relation), fact.names)
                self._pairs.setdefault(volume.value.removeprefix("%"), []).append(pairs)

    def _images(self, index: Point) -> Iterator[tuple[str, isl.Set]]:
        """The elements of each value that the element INDEX is stated to be computed from."""
        for name, each in self._pairs.items():
            for pairs in each:
                if dimensions(pairs) >= len(index):
                    for position, number in enumerate(index):
                        pairs = pairs.fix_val(DIM.set, position, build.number(number))
                    yield name, pairs.project_out(DIM.set, 0, len(index)).project_out_all_params()

    def leads_elsewhere(self, index: Point) -> bool:
        """Whether the element INDEX is computed from a value that is no argument."""
        return any(
            name not in self._arguments and not image.is_empty() for name, image in self._images(index)
        )

    def missing(self, index: Point, read: Iterable[Leaf]) -> Iterator[Leaf]:
        """Those of READ that the element INDEX is not stated to be computed from."""
        stated: dict[str, set[Point]] = {}
        for name, image in self._images(index):
            found = few_points(image, limits.CONFIRMED_POINTS)
            if found is None:
                return
            stated.setdefault(name, set()).update(found)
        yield from sorted((name, at) for name, at in read if at not in stated.get(name, ()))


class RegionsJudge(_OfTensors):
    """An element of a static region is computed from no data, and one of a zero region is zero."""

    symbolic = None
    kinds = (RegionsFact,)

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        leaves = _Leaves()
        for fact, elements in self._elements(run):
            if fact.relative_to:
                continue
            is_exact = fact.exact and run.is_symbolic and not fact.assumptions
            rows = [(row, run.fixed(row.points.set, fact.names)) for row in fact.regions]
            opened = [row for row in fact.regions if run.leaves_open(row.points.set, fact.names)]
            for index, element in elements:
                own = [row for row, points in rows if has_point(points, index)]
                if fact.exact and not own:
                    yield Observed(fact, f"element {list(index)} is in no region")
                for row in (each for each in own if each not in opened):
                    wrong = _wrong(row, element, leaves, is_exact=is_exact)
                    if wrong is not None:
                        text = f"element {list(index)}, which is {row.label}, is {element!r}"
                        yield Observed(fact, text if wrong else None)


def _wrong(row: RegionRow, element: Any, leaves: _Leaves, *, is_exact: bool) -> bool | None:
    """Whether ELEMENT is none of ROW; None if that is not seen. What is exact is computed from data."""
    if isinstance(element, FloatTerm):
        read = leaves.of(element)
        if read is None or not (row.kind == "static" or is_exact):
            return None
        return bool(read) == (row.kind == "static")
    if isinstance(element, NotANumber) or not np.isfinite(element):
        return None
    return bool(element != 0) if row.zero and not row.zero_assumes else None


class VolumesJudge(_OfTensors):
    """The elements of a value are those of its domain."""

    symbolic = None
    kinds = (VolumeFact,)

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, tensor in self._tensors(run):
            if fact.domain is None:
                continue
            domain = run.fixed(fact.domain.set, fact.names)
            if dimensions(domain) != len(tensor.shape):
                continue
            for index in chosen(tensor.shape):
                has = has_point(domain, index)
                yield Observed(fact, None if has else f"it has the element {list(index)}")
            if 0 not in tensor.shape and not run.leaves_open(fact.domain.set, fact.names):
                yield from _beyond(fact, domain, tensor.shape)


def _beyond(fact: VolumeFact, domain: isl.Set, shape: Sequence[int]) -> Iterator[Observed]:
    for dimension, size in enumerate(shape):
        index = tuple(size if d == dimension else 0 for d in range(len(shape)))
        if has_point(domain, index):
            yield Observed(fact, f"it has no element {list(index)}: its sizes are {list(shape)}")


class _Leaves:
    """Which elements of the arguments terms are computed from, each term looked at once."""

    def __init__(self) -> None:
        self._known: dict[FloatTerm, frozenset[Leaf] | None] = {}

    def of(self, element: Any) -> frozenset[Leaf] | None:
        """The elements that ELEMENT is computed from; None if one is multiplied by zero, or they are many."""
        if not isinstance(element, FloatTerm):
            return None if isinstance(element, NotANumber) else frozenset()
        waiting = [element]
        while waiting:
            term = waiting[-1]
            unknown = [each for each in term.operands if each not in self._known]
            if unknown and term not in self._known:
                waiting += unknown
            else:
                self._known.setdefault(waiting.pop(), self._found(term))
        return self._known[element]

    def _found(self, term: FloatTerm) -> frozenset[Leaf] | None:
        if term.name == "element":
            return frozenset({cast("Leaf", (term.key[1], term.key[2]))})
        parts = [self._known[each] for each in term.operands]
        factors = term.operands if "mul" in term.name else term.operands[:2] if "fma" in term.name else ()
        if any(map(_is_zero, factors)):
            return None
        found: set[Leaf] = set()
        for each in parts:
            if each is None:
                return None
            found |= each
        return frozenset(found) if len(found) <= limits.CONFIRMED_POINTS else None


def _is_zero(term: FloatTerm) -> bool:
    return term.name == "number" and not term.key[1]


def _text(leaf: Leaf) -> str:
    name, index = leaf
    return f"{name}{list(index)}"
