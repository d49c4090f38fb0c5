"""One output of two functions: whether each of its elements comes from the same elements, as often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.equivalence.backward.function import Output
from volcli.equivalence.paths.counts import one_of_them
from volcli.equivalence.paths.leaves import ABSORBED, ABSORBED_BY_CONSTANTS, UNDEFINED, Leaf, LeafKind
from volcli.equivalence.paths.paths import Paths, Term
from volcli.equivalence.paths.points import parameters, sample
from volcli.equivalence.results.constants import number_at, numbers_at
from volcli.limits.equivalence import CONSTANT_EXAMPLES
from volcli.model.values.terms.answers import Verdict
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets.build import DIM

_MAY_ABSORB = (
    "it depends on other elements, but arithmetic on integers may give the same number for all of them"
)


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
    """What is known of one output of both programs: `name` is "result 0", "argument 2".

    A `difference` of what elements are computed from refutes that they are equal, unless arithmetic may
    absorb it.
    """

    name: str
    verdict: Verdict
    reason: str | None = None
    difference: Difference | None = None
    parameters: tuple[tuple[str, int], ...] = ()
    """For which the reason is one."""
    level: str | None = None
    """The highest at which the outputs are shown to be equal."""

    @property
    def where(self) -> dict[str, int]:
        """The parameters of a difference."""
        return dict(self.parameters if self.difference is None else self.difference.parameters)


def left_out(undefined: isl.Set, *, or_uses: bool = False) -> str | None:
    """That UNDEFINED elements of an output, or what is made from some (OR_USES), are not compared."""
    if not undefined.is_empty():
        element = coordinates(sample(undefined))
        return f"except where it is undefined before{f', as element {list(element)}' if element else ''}"
    return "except for elements computed from undefined ones before" if or_uses else None


class Outputs:
    """One output of both programs, for the sizes of CONTEXT, and the same without what is multiplied by 0.

    What is undefined AFTER shows no difference if it may be FREED there: nothing need read it.
    """

    def __init__(
        self,
        name: str,
        before: Output,
        after: Output,
        context: isl.Set,
        live: tuple[Output, Output],
        *,
        freed: bool = False,
    ) -> None:
        assert before.elements is not None
        assert after.elements is not None
        self.name = name
        self.elements = before.elements.intersect_params(context)
        self._others = after.elements.intersect_params(context)
        self._sides = {"before": before.ends, "after": after.ends}
        self._is_freed = freed
        self._live = {"before": live[0].ends, "after": live[1].ends}

    def compared(self) -> Compared:
        """The answer: a difference if there is one, else what is not known, else that there is none."""
        if not self.elements.is_equal(self._others):
            return Compared(self.name, Verdict.UNKNOWN, "the sizes may differ")
        hidden = self._reaching("before", LeafKind.UNKNOWN).union(self._reaching("after", LeafKind.UNKNOWN))
        undefined = self._reaching("before", LeafKind.UNDEFINED)
        known = self.elements.subtract(hidden).subtract(undefined)
        freed = self._reaching("after", LeafKind.UNDEFINED).intersect(known) if self._is_freed else None
        known = known if freed is None else known.subtract(freed)
        absorbed = self._absorbed()
        found = self._found(known.subtract(absorbed))
        if found is not None:
            return Compared(self.name, Verdict.REFUTED, None, found)
        if not absorbed.is_empty() and (found := self._found(known)) is not None:
            return Compared(self.name, Verdict.UNKNOWN, _MAY_ABSORB, found)
        if (reason := self._unknown(known)) is not None:
            return Compared(self.name, Verdict.UNKNOWN, reason)
        if freed is not None and not freed.is_empty():
            return Compared(self.name, Verdict.UNKNOWN, "after: it is freed, and not before")
        return Compared(self.name, Verdict.PROVED, left_out(undefined.intersect(self.elements)))

    def _found(self, known: isl.Set) -> Difference | None:
        return self._of_inputs(known) or self._of_undefined(known) or self._of_copies(known)

    def _absorbed(self) -> isl.Set:
        """The elements that may not depend on what they are computed from."""
        found = isl.Set.empty(self.elements.get_space())
        for side in self._sides:
            alone, by_constants = (
                self._support(side, leaf, self.elements).domain()
                for leaf in (ABSORBED, ABSORBED_BY_CONSTANTS)
            )
            for kind in (LeafKind.CONSTANT, LeafKind.NUMBER) if not by_constants.is_empty() else ():
                found = found.union(by_constants.intersect(self._reaching(side, kind)))
            found = found.union(alone)
        return found

    def _unknown(self, known: isl.Set) -> str | None:
        for side in self._sides:
            unknown = self._reaching(side, LeafKind.UNKNOWN)
            if not unknown.intersect(self.elements).is_empty():
                return f"{side}: {self._because(side)}"
        if not self._constants(known).is_empty():
            element = coordinates(sample(self._constants(known)))
            return f"constants take part in the arithmetic of element {list(element)} that are not the same"
        return self._of_counts(known)

    def _because(self, side: str) -> str:
        return next(
            str(k.what) for k in self._sides[side] if isinstance(k, Leaf) and k.kind is LeafKind.UNKNOWN
        )

    def _leaves(self, *kinds: LeafKind) -> list[Leaf]:
        both = dict.fromkeys(key for s in (self._sides, self._live) for ends in s.values() for key in ends)
        return [key for key in both if isinstance(key, Leaf) and key.kind in kinds]

    def _support(self, side: str, leaf: Leaf, elements: isl.Set, *, live: bool = False) -> isl.Map:
        paths = (self._live if live else self._sides)[side].get(leaf, Paths())
        rank = elements.dim(DIM.set)
        if not paths:
            return isl.Map.empty(isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, leaf.rank))
        return paths.support.intersect_domain(elements)

    def _reaching(self, side: str, kind: LeafKind) -> isl.Set:
        """The elements with a path to a leaf of KIND."""
        found = isl.Set.empty(self.elements.get_space())
        for leaf in self._leaves(kind):
            found = found.union(self._support(side, leaf, self.elements).domain())
            found = found.union(self._support(side, leaf, self.elements, live=True).domain())
        return found

    def _only(self, side: str, leaf: Leaf, elements: isl.Set) -> isl.Map:
        """What SIDE needs of LEAF, and the other program does not read."""
        other = "after" if side == "before" else "before"
        needed = self._support(side, leaf, elements, live=True)
        return needed.subtract(self._support(other, leaf, elements))

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
        copied = elements.subtract(computed)
        for leaf in self._leaves(LeafKind.CONSTANT, LeafKind.NUMBER):
            for side in self._sides:
                found = self._other_number(side, leaf, self._only(side, leaf, copied))
                if found is not None:
                    return found
        return None

    def _other_number(self, side: str, leaf: Leaf, only: isl.Map) -> Difference | None:
        """An element of ONLY, which SIDE copies from LEAF, and the other program from other numbers."""
        other = "after" if side == "before" else "before"
        for _ in range(CONSTANT_EXAMPLES):
            if only.is_empty():
                break
            found, point = self._example(side, leaf, only)
            at = isl.Set.from_point(point).project_out(DIM.set, len(found.element), len(found.source))
            number, others = number_at(leaf, found.source), numbers_at(self._sides[other], at)
            if None not in (number, *others) and number not in others:
                return found
            only = only.subtract(only.intersect_domain(at))
        return None

    def _constants(self, elements: isl.Set) -> isl.Set:
        """The elements whose constants differ."""
        found = isl.Set.empty(elements.get_space())
        for leaf in self._leaves(LeafKind.CONSTANT, LeafKind.NUMBER):
            for side in self._sides:
                found = found.union(self._only(side, leaf, elements).domain())
        return found

    def _difference(
        self, elements: isl.Set, leaves: Sequence[Leaf], sides: Sequence[str] = ("before", "after")
    ) -> Difference | None:
        for leaf in leaves:
            for side in sides:
                only = self._only(side, leaf, elements)
                if only.is_empty():
                    continue
                return self._example(side, leaf, only)[0]
        return None

    def _example(self, side: str, leaf: Leaf, only: isl.Map) -> tuple[Difference, isl.Point]:
        """A pair of ONLY, an element that SIDE computes from one of LEAF; and its point."""
        point = sample(only.wrap().flatten())
        values, rank = coordinates(point), self.elements.dim(DIM.set)
        return Difference(values[:rank], side, leaf, values[rank:], parameters(point)), point

    def _counted(self, side: str, leaf: Leaf, elements: isl.Set) -> list[Paths]:
        """The paths to LEAF, all of them, and those that are not multiplied by 0."""
        return [ends[side].get(leaf, Paths()).beginning(elements) for ends in (self._sides, self._live)]

    # -- numbers of paths ------------------------------------------------------------------------------

    def _of_counts(self, elements: isl.Set) -> str | None:
        """Why it is not known that all numbers of paths are the same.

        Elements of inputs are counted, and numbers that depend on arguments or indices; constants are not.
        """
        for leaf in self._leaves(LeafKind.INPUT, LeafKind.NUMBER):
            old, new = (self._counted(side, leaf, elements) for side in self._sides)
            if leaf.kind is LeafKind.NUMBER:
                old, new = (list(map(_changing, each)) for each in (old, new))
            if not one_of_them(old, new, elements):
                return "the same elements of an input may be used in a different number of ways"
        return None


def _changing(paths: Paths) -> Paths:
    """The PATHS to numbers that are not constants."""
    return Paths(tuple(term for term in paths.terms if not _is_constant(term)))


def _is_constant(term: Term) -> bool:
    """Whether TERM leads to one number only."""
    number = term.support.range().plain_get_val_if_fixed(DIM.set, 0)
    return not number.is_nan()
