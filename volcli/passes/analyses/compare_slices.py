"""compare-slices: whether two slices of the same tensor or buffer overlap, and whether they are equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from xdsl.ir import Operation, SSAValue

from volcli.facts.slices import SlicesFact
from volcli.language.expressions import Expression, NotAffine
from volcli.language.questions import StridedSlice, slice_of
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.machine import assumptions
from volcli.model.values.slices.hyperrectangles import HyperrectangularSlice
from volcli.model.values.slices.nested_slices import NestedSlices
from volcli.model.values.slices.slices import Overlap, Slices
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import names


@dataclass(frozen=True)
class CompareSlices(Pass):
    """Say of each two slices of the same tensor or buffer whether they share elements.

    The slices are those of `tensor.extract_slice`, `tensor.insert_slice`, `tensor.parallel_insert_slice` and
    `memref.subview`, with constant or unknown offsets, sizes and strides. A slice of a slice, also through a
    cast, is taken in the coordinates of the first. Two of the same source (or of what `insert_slice` made of
    it) are equal (the same elements in the same order), disjoint, overlap, overlap for some values (with the
    condition under which they do), or it is not known and why. Both are slices of one iteration of the loops
    around both, and of any iterations of loops around one of them. What rests on sums and products that may
    leave 64 bits names that as an assumption.
    """

    name = "compare-slices"
    summary = "which slices of the same tensor or buffer overlap, and which are equal"
    by_function = True

    of: tuple[str, ...] = option((), help="the tensors or buffers, with their %; default: all")

    def apply(self, unit: Unit) -> None:
        for model in (each.form for each in unit.models()):
            for source, pair in _pairs(model):
                if names(unit, self.of, source):
                    unit.facts.append(_fact(unit, model, source, pair))


_Found = tuple[Operation, StridedSlice, HyperrectangularSlice]


def _pairs(model: FunctionModel) -> Iterator[tuple[SSAValue, tuple[_Found, _Found]]]:
    """Each two slices of one value, in its coordinates; not one of what the other one makes."""
    updated: dict[SSAValue, SSAValue] = {}
    found: dict[SSAValue, list[_Found]] = defaultdict(list)
    nested = NestedSlices(updated)
    for op in operations_in(model.function):
        if not slice_of.answers(type(op)):
            continue
        try:
            stated = slice_of(op)
            if stated is None:
                continue
            if stated.updated is not None:
                updated[stated.updated] = stated.source
            source, part = nested.slice(stated)
        except NotAffine:
            continue
        found[source].append((op, stated, part))
    for source, slices in found.items():
        for left, right in combinations(slices, 2):
            if not nested.is_inside(left[0], right[1]):
                yield source, (left, right)


def _fact(unit: Unit, model: FunctionModel, source: SSAValue, pair: tuple[_Found, _Found]) -> SlicesFact:
    """What is known of PAIR; with the assumption about arithmetic that it rests on, if it rests on it."""
    (first, _, _), (second, _, _) = pair
    names = _name(model, first), _name(model, second), model.name_of(source)
    found = SlicesFact(unit.where(model, second), *names, *_compared(model.bounds, pair))
    if found.relation in ("unknown", "sometimes") or _is_of_numbers(pair):
        return found

    def holds_in(other: FunctionModel) -> bool:
        overlap, equivalent = _compared(other.bounds, pair)
        return replace(found, overlap=overlap, equivalent=equivalent).relation == found.relation

    return replace(found, assumptions=assumptions(model, holds_in))


def _compared(store: BoundsStore, pair: tuple[_Found, _Found]) -> tuple[Overlap, Comparison]:
    (first, _, left), (second, _, right) = pair
    try:
        asked = Slices(store)
        return asked.overlap(left, right, at=(first, second)), asked.equivalent(
            left, right, at=(first, second)
        )
    except NotAffine as error:
        because = str(error)
        return Overlap(Verdict.UNKNOWN, because=because), Comparison(Verdict.UNKNOWN, because=because)


def _is_of_numbers(pair: tuple[_Found, _Found]) -> bool:
    """Whether nothing is computed for the slices of PAIR."""
    numbers = (n for _, _, s in pair for part in (s.offsets, s.sizes, s.strides) for n in part)
    return all(isinstance(n, int) or (isinstance(n, Expression) and n.is_constant) for n in numbers)


def _name(model: FunctionModel, op: Operation) -> str:
    """The slice by the value that it is, or that is written to it."""
    return model.name_of(op.results[0] if op.results else op.operands[0])
