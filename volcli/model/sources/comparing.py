"""Whether two functions with the same arguments compute alike: from which inputs, and in how many ways.

Two outputs are alike if each of their elements has paths to the same elements of inputs, as many to each, and
to the same constants. That is no statement about arithmetic: `x + y` and `x * y` are alike. Where elements
of inputs differ, the outputs do, and one such element is the witness. Where only constants or numbers of
paths differ, arithmetic may make up for it (`x + x` and `2 * x`): that is unknown, but for copies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import SSAValue

from volcli.language.expressions import NotAffine
from volcli.language.memory import is_memref
from volcli.language.reads import element_type, rank_of
from volcli.model.sources.function import FunctionSources, Output
from volcli.model.sources.leaves import UNDEFINED, Leaf, LeafKind
from volcli.model.sources.paths import Paths, Term
from volcli.model.values.answers import Verdict
from volcli.presburger import build
from volcli.presburger.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.build import DIM
from volcli.presburger.names import parameters_of_space
from volcli.presburger.points import pairs

_MOST_PATHS = 20_000
"""So many paths are counted one by one."""


@dataclass(frozen=True)
class Difference:
    """`element` of the output is computed from the element `source` of `leaf` on one `side` only."""

    element: tuple[int, ...]
    side: str
    leaf: Leaf
    source: tuple[int, ...]
    parameters: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Compared:
    """What is known of one output of both programs: `name` is "result 0", "argument 2"."""

    name: str
    verdict: Verdict
    reason: str | None = None
    difference: Difference | None = None


class OutputPairs:
    """The outputs of a function BEFORE and AFTER some change, one by one."""

    def __init__(
        self, before: FunctionSources, after: FunctionSources, operations: int = DEFAULT_OPERATIONS
    ) -> None:
        self._before = before
        self._after = after
        self._operations = operations

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answers rest on."""
        return tuple(dict.fromkeys((*self._before.assumptions(), *self._after.assumptions())))

    def all(self) -> list[Compared]:
        """The results, and the buffers among the arguments that either of them writes."""
        try:
            paired = list(self._pairs())
        except NotAffine as error:
            return [Compared("signature", Verdict.UNKNOWN, str(error))]
        return [self._compared(name, old, new) for name, old, new in paired]

    def _pairs(self) -> Iterator[tuple[str, Output, Output]]:
        """The outputs of both programs that are to be alike. Raises NotAffine if it is not clear which."""
        old, new = self._before, self._after
        extra = len(new.arguments) - len(old.arguments)
        if extra < 0 or not all(map(_fits, old.arguments, new.arguments)):
            raise NotAffine("the arguments are of other types")
        into = [k for k, value in enumerate(old.results) if isinstance(value.type, ShapedType)]
        if extra and (extra != len(into) or len(new.results) != len(old.results) - extra):
            raise NotAffine("there are other arguments")
        if not extra and len(new.results) != len(old.results):
            raise NotAffine("there are other results")
        returned = [k for k in range(len(old.results)) if not extra or k not in into]
        for position, k in enumerate(returned):
            if not _fits(old.results[k], new.results[position]):
                raise NotAffine("the results are of other types")
            yield f"result {k}", old.result(k), new.result(position)
        for position, k in enumerate(into if extra else ()):
            if not _fits(old.results[k], new.arguments[len(old.arguments) + position]):
                raise NotAffine("the results are of other types")
            yield f"result {k}", old.result(k), new.argument(len(old.arguments) + position)
        for k, (one, other) in enumerate(zip(old.arguments, new.arguments, strict=False)):
            if is_memref(one) and is_memref(other) and (old.writes(k) or new.writes(k)):
                yield f"argument {k}", old.argument(k), new.argument(k)

    def _compared(self, name: str, before: Output, after: Output) -> Compared:
        for which, output in (("before", before), ("after", after)):
            if output.elements is None:
                return Compared(name, Verdict.UNKNOWN, f"{which}: {output.because}")
        try:
            with budget(self._operations):
                return _Outputs(name, before, after, self._context()).compared()
        except BudgetExceeded as error:
            return Compared(name, Verdict.UNKNOWN, error.reason)

    def _context(self) -> isl.Set:
        """The sizes that are possible: none is negative, and operations get operands that fit."""
        found = self._before.context().intersect(self._after.context())
        for one, other in zip(self._before.arguments, self._after.arguments, strict=False):
            for old, new in zip(self._before.sizes(one), self._after.sizes(other), strict=True):
                found = found.intersect(build.equal(old, new))
        return found


def _fits(one: SSAValue, other: SSAValue) -> bool:
    """Whether two values may hold the same elements: a tensor and a buffer may."""
    is_shaped = isinstance(one.type, ShapedType)
    if is_shaped is not isinstance(other.type, ShapedType) or rank_of(one) != rank_of(other):
        return False
    return element_type(one.type) == element_type(other.type)


class _Outputs:
    """One output of both programs, for the sizes of CONTEXT."""

    def __init__(self, name: str, before: Output, after: Output, context: isl.Set) -> None:
        assert before.elements is not None
        assert after.elements is not None
        self.name = name
        self.elements = before.elements.intersect_params(context)
        self._others = after.elements.intersect_params(context)
        self._sides = {"before": before.ends, "after": after.ends}

    def compared(self) -> Compared:
        """The answer: a difference if there is one, else what is not known, else that there is none."""
        if not self.elements.is_equal(self._others):
            point = self.elements.subtract(self._others).union(self._others.subtract(self.elements))
            at = ", ".join(f"{n} = {v}" for n, v in _parameters(_sample(point)))
            return Compared(self.name, Verdict.REFUTED, f"the sizes differ{f' for {at}' if at else ''}")
        hidden = self._reaching("before", LeafKind.UNKNOWN).union(self._reaching("after", LeafKind.UNKNOWN))
        undefined = self._reaching("before", LeafKind.UNDEFINED)
        known = self.elements.subtract(hidden).subtract(undefined)
        found = self._of_inputs(known) or self._of_undefined(known) or self._of_copies(known)
        if found is not None:
            return Compared(self.name, Verdict.REFUTED, None, found)
        if (reason := self._unknown(known)) is not None:
            return Compared(self.name, Verdict.UNKNOWN, reason)
        return Compared(self.name, Verdict.PROVED)

    def _unknown(self, known: isl.Set) -> str | None:
        for side in self._sides:
            unknown = self._reaching(side, LeafKind.UNKNOWN)
            if not unknown.intersect(self.elements).is_empty():
                return f"{side}: {self._because(side)}"
        if not self._constants(known).is_empty():
            element = _coordinates(_sample(self._constants(known)))
            return f"constants take part in the arithmetic of element {list(element)} that are not the same"
        return self._of_counts(known)

    def _because(self, side: str) -> str:
        return next(
            str(k.what) for k in self._sides[side] if isinstance(k, Leaf) and k.kind is LeafKind.UNKNOWN
        )

    def _paths(self, side: str, leaf: Leaf) -> Paths:
        return self._sides[side].get(leaf, Paths())

    def _leaves(self, *kinds: LeafKind) -> list[Leaf]:
        both = dict.fromkeys(key for ends in self._sides.values() for key in ends)
        return [key for key in both if isinstance(key, Leaf) and key.kind in kinds]

    def _support(self, side: str, leaf: Leaf, elements: isl.Set) -> isl.Map:
        paths = self._paths(side, leaf)
        rank = elements.dim(DIM.set)
        if not paths:
            return isl.Map.empty(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, leaf.rank))
        return paths.support.intersect_domain(elements)

    def _reaching(self, side: str, kind: LeafKind) -> isl.Set:
        """The elements with a path to a leaf of KIND."""
        found = isl.Set.empty(self.elements.get_space())
        for leaf in self._leaves(kind):
            found = found.union(self._support(side, leaf, self.elements).domain())
        return found

    # -- differences -----------------------------------------------------------------------------------

    def _of_inputs(self, elements: isl.Set) -> Difference | None:
        return self._difference(elements, self._leaves(LeafKind.INPUT))

    def _of_undefined(self, elements: isl.Set) -> Difference | None:
        return self._difference(elements, [UNDEFINED], sides=("after",))

    def _of_copies(self, elements: isl.Set) -> Difference | None:
        """An element that both programs only copy, from different constants."""
        computed = self._reaching("before", LeafKind.COMPUTED).union(
            self._reaching("after", LeafKind.COMPUTED)
        )
        return self._difference(elements.subtract(computed), self._leaves(LeafKind.CONSTANT, LeafKind.NUMBER))

    def _constants(self, elements: isl.Set) -> isl.Set:
        """The elements whose constants differ."""
        found = isl.Set.empty(elements.get_space())
        for leaf in self._leaves(LeafKind.CONSTANT, LeafKind.NUMBER):
            old, new = (self._support(side, leaf, elements) for side in self._sides)
            found = found.union(old.subtract(new).domain()).union(new.subtract(old).domain())
        return found

    def _difference(
        self, elements: isl.Set, leaves: Sequence[Leaf], sides: Sequence[str] = ("before", "after")
    ) -> Difference | None:
        for leaf in leaves:
            for side in sides:
                other = "after" if side == "before" else "before"
                only = self._support(side, leaf, elements).subtract(self._support(other, leaf, elements))
                if only.is_empty():
                    continue
                point = _sample(only.wrap().flatten())
                values = _coordinates(point)
                rank = elements.dim(DIM.set)
                return Difference(values[:rank], side, leaf, values[rank:], _parameters(point))
        return None

    # -- numbers of paths ------------------------------------------------------------------------------

    def _of_counts(self, elements: isl.Set) -> str | None:
        """Why it is not known that all numbers of paths are the same."""
        for leaf in self._leaves(LeafKind.INPUT):
            old, new = (self._paths(side, leaf).beginning(elements) for side in self._sides)
            if _as_many(old, new) is not True:
                return "how often the same elements of an input are used is not known to be the same"
        return None


def _as_many(one: Paths, other: Paths) -> bool | None:
    """Whether all pairs have as many paths; None if that is not known."""
    if any(term.times == 0 for paths in (one, other) for term in paths.terms):
        return None
    (plain, hidden), (others, further) = _split(one), _split(other)
    if not hidden and not further:
        return _equal(plain, others)
    if _equal(plain, others) and _same_terms(hidden, further):
        return True
    old, new = _enumerated(one), _enumerated(other)
    return None if old is None or new is None else old == new


def _split(paths: Paths) -> tuple[Mapping[int, isl.Map], list[Term]]:
    plain: dict[int, isl.Map] = {}
    for term in paths.terms:
        if not term.hidden:
            known = plain.get(term.times)
            plain[term.times] = term.relation if known is None else known.union(term.relation)
    return plain, [term for term in paths.terms if term.hidden]


def _equal(one: Mapping[int, isl.Map], other: Mapping[int, isl.Map]) -> bool:
    return one.keys() == other.keys() and all(bool(one[k].is_equal(other[k])) for k in one)


def _same_terms(one: Sequence[Term], other: Sequence[Term]) -> bool:
    rest = list(other)
    for term in one:
        found = next((t for t in rest if (t.hidden, t.times) == (term.hidden, term.times)
                      and t.relation.is_equal(term.relation)), None)  # fmt: skip
        if found is None:
            return False
        rest.remove(found)
    return not rest


def _enumerated(paths: Paths) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]] | None:
    """How many paths there are between each two points, if they are few."""
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for term in paths.terms:
        relation = term.relation
        if relation.involves_dims(DIM.param, 0, relation.dim(DIM.param)):
            return None
        if not relation.wrap().is_bounded() or relation.wrap().count_val().to_python() > _MOST_PATHS:
            return None
        reached = relation.dim(DIM.out) - term.hidden
        for source, end in pairs(relation.project_out_all_params()):
            found[source, end[:reached]] += term.times
    return found


# -- points --------------------------------------------------------------------------------------------


def _sample(points: isl.Set) -> isl.Point:
    """A point of POINTS, which are not empty: the first one, where there is a first one."""
    point = points.sample_point()
    parameters = isl.Set.from_point(point).params()
    least = points.intersect_params(parameters)
    try:
        return least.lexmin().sample_point() if least.is_bounded() else point
    except isl.Error:
        return point


def _coordinates(point: isl.Point) -> tuple[int, ...]:
    count = point.get_space().dim(DIM.set)
    return tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(count))


def _parameters(point: isl.Point) -> tuple[tuple[str, int], ...]:
    names = parameters_of_space(isl.Set.from_point(point))
    return tuple((n, point.get_coordinate_val(DIM.param, k).to_python()) for k, n in enumerate(names))
