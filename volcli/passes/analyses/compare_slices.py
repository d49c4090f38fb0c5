"""compare-slices: whether two slices of the same tensor or buffer overlap, and whether they are equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from xdsl.ir import Operation, SSAValue

from volcli.facts.slices import SlicesFact
from volcli.language.expressions import NotAffine
from volcli.language.questions import StridedSlice, slice_of
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.values.answers import Comparison, Verdict
from volcli.model.values.slices import HyperrectangularSlice, Overlap, Slices
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import names


@dataclass(frozen=True)
class CompareSlices(Pass):
    """Say of each two slices of the same tensor or buffer whether they share elements.

    The slices are those of `tensor.extract_slice`, `tensor.insert_slice`, `tensor.parallel_insert_slice` and
    `memref.subview`, with constant or unknown offsets, sizes and strides. Two of the same source (or of what
    `insert_slice` made of it) are equal (the same elements in the same order), disjoint, overlap, overlap
    for some values (with the condition under which they do), or it is not known and why. Both are slices of
    one iteration of the loops around both, and of any iterations of loops around one of them.
    """

    name = "compare-slices"
    summary = "which slices of the same tensor or buffer overlap, and which are equal"
    by_function = True

    of: str = option("", help="the tensor or buffer, with its %; default: all")

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            asked = Slices(model.bounds)
            for source, pair in _pairs(model):
                if names(unit, model, self.of, source):
                    unit.facts.append(_fact(unit, model, asked, source, pair))


_Pair = tuple[tuple[Operation, StridedSlice], tuple[Operation, StridedSlice]]


def _pairs(model: FunctionModel) -> Iterator[tuple[SSAValue, _Pair]]:
    """Each two slices with the same coordinates, and the value that both are of."""
    root: dict[SSAValue, SSAValue] = {}
    found: dict[SSAValue, list[tuple[Operation, StridedSlice]]] = defaultdict(list)
    for op in operations_in(model.function):
        if not slice_of.answers(type(op)):
            continue
        try:
            stated = slice_of(op)
        except NotAffine:
            continue
        if stated is None:
            continue
        source = root.get(stated.source, stated.source)
        if stated.updated is not None:
            root[stated.updated] = source
        found[source].append((op, stated))
    for source, slices in found.items():
        for left, right in combinations(slices, 2):
            yield source, (left, right)


def _fact(unit: Unit, model: FunctionModel, asked: Slices, source: SSAValue, pair: _Pair) -> SlicesFact:
    (first, left), (second, right) = pair
    try:
        one, other = HyperrectangularSlice.of(left), HyperrectangularSlice.of(right)
        overlap = asked.overlap(one, other, at=(first, second))
        equivalent = asked.equivalent(one, other, at=(first, second))
    except NotAffine as error:
        overlap = Overlap(Verdict.UNKNOWN, because=str(error))
        equivalent = Comparison(Verdict.UNKNOWN, because=str(error))
    names = _name(model, first), _name(model, second), model.name_of(source)
    return SlicesFact(unit.where(model, second), *names, overlap, equivalent)


def _name(model: FunctionModel, op: Operation) -> str:
    """The slice by the value that it is, or that is written to it."""
    return model.name_of(op.results[0] if op.results else op.operands[0])
