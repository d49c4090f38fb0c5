"""Elements of tensors: which ones they are computed from, which depend on no data, and which are zero."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, cast

import islpy as isl
import numpy as np
from xdsl.ir import SSAValue

from volcli.api.confirming.runs import Judge, Observed, SampledRun, dimensions, joined
from volcli.api.confirming.values import value_at
from volcli.execution.terms import FloatTerm
from volcli.execution.values import NotANumber, Tensor
from volcli.facts.fact import Fact
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionRow, RegionsFact
from volcli.facts.volumes import VolumeFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.points import has_point

Leaf = tuple[str, tuple[int, ...]]
"""An element of an argument: its name without %, and its index."""


def chosen(shape: Sequence[int]) -> list[tuple[int, ...]]:
    """Elements of a tensor of SHAPE, evenly spread, the first and the last among them; all of few."""
    count = int(np.prod(shape, dtype=np.int64))
    few = min(count, int(limits.CONFIRMED_ELEMENTS))
    places = sorted({k * (count - 1) // max(few - 1, 1) for k in range(few)})
    return [tuple(int(i) for i in np.unravel_index(place, tuple(shape))) for place in places]


class _OfTensors(Judge):
    """Facts about the elements of one value that is computed once."""

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [
            (fact, value)
            for fact in facts
            if isinstance(fact, MapFact | RegionsFact | VolumeFact)
            and fact.certainty.degree != "unknown"
            and (value := value_at(unit, model.function, fact, fact.value)) is not None
        ]

    def _tensors(
        self, run: SampledRun
    ) -> Iterator[tuple[MapFact | RegionsFact | VolumeFact, SSAValue, Tensor]]:
        for fact, value in self._facts:
            seen = run.seen(value)
            if len(seen) == 1 and run.fulfils(fact.assumptions) and isinstance(seen[0], Tensor):
                yield fact, value, seen[0]


class MapsJudge(_OfTensors):
    """An element is computed from elements that its map has, and no other ones of the arguments.

    What is multiplied by the number zero is left aside: whether it counts depends on flags.
    """

    symbolic = True

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        leaves = _Leaves()
        for fact, _, tensor in self._tensors(run):
            if not isinstance(fact, MapFact) or fact.to != "inputs" or fact.map is None:
                continue
            relations, arguments = _relations(fact, run), run.arguments
            for index in chosen(tensor.shape):
                read = leaves.of(tensor.element(index))
                if read is not None and not _is_elsewhere(relations, index, arguments):
                    wrong = sorted(each for each in read if not _is_stated(relations, index, each))
                    text = f"element {list(index)} is computed from {_text(wrong[0])}" if wrong else None
                    yield Observed(fact, text)


def _relations(fact: MapFact, run: SampledRun) -> dict[str, list[isl.Set]]:
    """The pairs of elements that FACT states, by the argument without %."""
    volumes = {each.name: each.value.removeprefix("%") for each in fact.names.volumes}
    found: dict[str, list[isl.Set]] = {}
    assert fact.map is not None
    relations = fact.map.get_map_list()
    for relation in map(relations.get_at, range(relations.n_map())):
        name = relation.get_tuple_name(DIM.out)
        pairs = run.fixed(joined(relation), fact.names)
        found.setdefault(volumes.get(name or "", name or ""), []).append(pairs)
    return found


def _is_elsewhere(
    relations: dict[str, list[isl.Set]], index: tuple[int, ...], arguments: Collection[str]
) -> bool:
    """Whether the element INDEX is computed from a value that is none of the ARGUMENTS."""
    return any(
        has_point(pairs.project_out(DIM.set, len(index), dimensions(pairs) - len(index)), index)
        for name, each in relations.items()
        if name not in arguments
        for pairs in each
        if dimensions(pairs) >= len(index)
    )


def _is_stated(relations: dict[str, list[isl.Set]], index: tuple[int, ...], leaf: Leaf) -> bool:
    name, at = leaf
    return any(
        dimensions(pairs) != len(index) + len(at) or has_point(pairs, (*index, *at))
        for pairs in relations.get(name, ())
    )


class RegionsJudge(_OfTensors):
    """An element of a static region is computed from no data, and one of a zero region is zero."""

    symbolic = None

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        leaves = _Leaves()
        for fact, _, tensor in self._tensors(run):
            if not isinstance(fact, RegionsFact) or fact.relative_to:
                continue
            rows = [(row, run.fixed(row.points.set, fact.names)) for row in fact.regions]
            for index in chosen(tensor.shape):
                element = tensor.element(index)
                own = [row for row, points in rows if has_point(points, index)]
                if fact.exact and not own:
                    yield Observed(fact, f"element {list(index)} is in no region")
                for row in own:
                    is_exact = fact.exact and run.is_symbolic and not fact.assumptions
                    wrong = _wrong(row, element, leaves, is_exact=is_exact)
                    if wrong is not None:
                        text = f"element {list(index)}, which is {row.label}, is {element!r}"
                        yield Observed(fact, text if wrong else None)


def _wrong(row: RegionRow, element: Any, leaves: _Leaves, *, is_exact: bool) -> bool | None:
    """Whether ELEMENT is none of ROW; None if that is not seen. What is exact is computed from data."""
    if isinstance(element, FloatTerm):
        read = leaves.of(element)
        return None if read is None else bool(read) if row.kind == "static" else None if read else is_exact
    if isinstance(element, NotANumber) or not np.isfinite(element):
        return None
    return bool(element != 0) if row.zero and not row.zero_assumes else None


class VolumesJudge(_OfTensors):
    """The elements of a value are those of its domain."""

    symbolic = None

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, _, tensor in self._tensors(run):
            if not isinstance(fact, VolumeFact) or fact.domain is None:
                continue
            domain = run.fixed(fact.domain.set, fact.names)
            if dimensions(domain) != len(tensor.shape):
                continue
            for index in chosen(tensor.shape):
                has = has_point(domain, index)
                yield Observed(fact, None if has else f"it has the element {list(index)}")
            if 0 not in tensor.shape:
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
        if "mul" in term.name and any(map(_is_zero, term.operands)):
            return None
        found: set[Leaf] = set()
        for each in parts:
            if each is None:
                return None
            found |= each
        return frozenset(found) if len(found) <= limits.CONFIRMED_ELEMENTS else None


def _is_zero(term: FloatTerm) -> bool:
    return term.name == "number" and not term.key[1]


def _text(leaf: Leaf) -> str:
    name, index = leaf
    return f"{name}{list(index)}"
