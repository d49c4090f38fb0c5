"""Sums whose terms stand in another order: the same terms, each as often.

    sum over k of a[i, k] b[k, j]       sum over t, k' < 7 with 7 t + k' < K of a[i, 7 t + k'] b[7 t + k', j]

The chain of one associative and commutative operation that makes an element, through loops and memory, is a
set of terms with numbers of paths: all points at which the operation gets something that it has not made
itself. A term is named by what it is and by the elements of inputs in it, `mulf(a[.], b[.])` of (i, k, k, j).
Two sums have the same terms if, for each form of term, as many paths lead from the element to each tuple of
elements: this is the bijection between the points of both, read off the leaves (Shashidhar 2008).

Constants that are neutral are left out; +0 in a sum of floats, which makes -0 to 0, counts once. Of extrema,
and of other idempotent operations, each term counts once. Nested sums, in terms, are goals of their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import cast

import islpy as isl
from xdsl.ir import OpResult

from volcli.equivalence.backward.function import FunctionSources
from volcli.equivalence.paths.counts import as_many
from volcli.equivalence.paths.ends import Ends
from volcli.equivalence.paths.leaves import Leaf, LeafKind
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.proofs.chains import IDEMPOTENT, Chain, ChainTerms, chain_of, is_neutral
from volcli.equivalence.proofs.expansion import Atoms, Expansion
from volcli.equivalence.proofs.goals import NotShown, Pair, part
from volcli.equivalence.proofs.likeness import Likeness
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.terms.normal import Normal
from volcli.equivalence.terms.operators import operator_of
from volcli.equivalence.terms.terms import Kind, ScalarTerm, ScalarTerms
from volcli.language.expressions import NotAffine, loops
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass
class _Numbers:
    """Numbers of atoms, which are the same in both functions: by their leaf, and what of it in one term."""

    terms: ScalarTerms = field(default_factory=ScalarTerms)
    known: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    made: tuple[dict[Hashable, list[Leaf]], dict[Hashable, list[Leaf]]] = field(
        default_factory=lambda: ({}, {})
    )

    def of(self, key: Hashable) -> int:
        return self.known.setdefault(key, len(self.known))


class _TermAtoms(Atoms):
    """The atoms of one term of a sum: of inputs by position, of what is made by what it is like."""

    def __init__(self, numbers: _Numbers, side: int, like: Likeness) -> None:
        super().__init__(numbers.terms)
        self._numbers = numbers
        self._side = side
        self._like = like

    def fresh(self, leaf: Leaf, kind: Kind) -> ScalarTerm:
        """The atom of the next element of LEAF in this term."""
        key: Hashable = leaf
        if leaf.kind in (LeafKind.MADE, LeafKind.LEFT):
            alike = self._numbers.made[self._side].setdefault(self._like.leaf(leaf), [])
            if leaf not in alike:
                alike.append(leaf)
            key = self._like.leaf(leaf), alike.index(leaf)
        count = sum(each.leaf == leaf for each in (*self.given, *self.own[self._side]))
        return self.terms.atom(self._numbers.of((key, kind, count)), kind)


@dataclass
class _Sum:
    """The terms of a sum, by their forms, as paths to tuples; where it has +0; and what its atoms are."""

    terms: dict[Hashable, Paths]
    zeros: isl.Set
    made: dict[int, list[tuple[Leaf, isl.Map]]]


class SumProofs:
    """Sums in the functions of both sides, followed by STEPS, compared term by term."""

    def __init__(
        self,
        functions: tuple[FunctionSources, FunctionSources],
        steps: tuple[Steps, Steps],
        like: tuple[Likeness, Likeness],
        operations: int,
    ) -> None:
        self._functions = functions
        self._steps = steps
        self._like = like
        self._operations = operations
        self._chains: dict[tuple[int, Chain], ChainTerms] = {}
        self.is_exact = True
        """Whether all sums that were shown to be equal are of integers, or may be reassociated."""

    def follows_from(self, pair: Pair, goal: isl.Map) -> list[tuple[Pair, isl.Map]] | None:
        """The goals that GOAL of PAIR follows from, if sums have the same terms; None if not."""
        chain = next(filter(None, map(chain_of, pair)), None)
        if chain is None or any(leaf.kind is not LeafKind.MADE for leaf in pair):
            return None
        try:
            return self._shown(chain, pair, goal)
        except (NotShown, NotAffine, BudgetExceeded):
            return None

    def _shown(self, chain: Chain, pair: Pair, goal: isl.Map) -> list[tuple[Pair, isl.Map]] | None:
        points, first = goal.wrap().flatten(), goal.dim(DIM.in_)
        at = part(points, 0, first), part(points, first, goal.dim(DIM.out))
        numbers = _Numbers()
        old, new = (self._sum(side, chain, pair[side], at[side], numbers) for side in (0, 1))
        if not old.zeros.is_equal(new.zeros) or old.terms.keys() != new.terms.keys():
            return None
        if not all(self._same(chain, old.terms[key], new.terms[key]) for key in old.terms):
            return None
        is_free = self._flags(chain)
        if is_free is None:
            return None
        self.is_exact = self.is_exact and is_free
        return list(_needed(old, new))

    def _same(self, chain: Chain, one: Paths, other: Paths) -> bool:
        if chain.combines in IDEMPOTENT:
            return bool(one.support.is_equal(other.support))
        return as_many(one, other) is True

    def _followed(self, side: int, chain: Chain) -> ChainTerms:
        if (side, chain) not in self._chains:
            self._chains[side, chain] = ChainTerms(self._functions[side], chain, self._operations)
        return self._chains[side, chain]

    def _sum(self, side: int, chain: Chain, leaf: Leaf, at: isl.Map, numbers: _Numbers) -> _Sum:
        """The sum that is the element of LEAF that AT leads to. Raises NotShown."""
        result = cast("OpResult", leaf.what)
        ends: Ends = {leaf: Paths.of(build.relation(leaf.rank, loops(leaf.rank)))}
        if chain.has(result):
            ends = self._followed(side, chain).terms(result)
        found = _Sum({}, isl.Set.empty(at.domain().get_space()), {})
        for key, paths in ends.items():
            if not isinstance(key, Leaf):
                raise NotShown
            reached = Paths.of(at).then(paths)
            if reached and key.kind in (LeafKind.UNDEFINED, LeafKind.UNKNOWN):
                raise NotShown
            if reached:
                self._add(side, chain, key, reached, numbers, found)
        return found

    def _add(
        self, side: int, chain: Chain, leaf: Leaf, reached: Paths, numbers: _Numbers, found: _Sum
    ) -> None:
        """Add the terms that elements of LEAF are, which are REACHED, to the sum that is FOUND."""
        points = reached.support.range()
        itself = part(points, 0, points.dim(DIM.set))
        split = self._expansion(side, Atoms(ScalarTerms()))
        for here, _ in split.pieces(leaf, chain.kind, itself, points):
            atoms = _TermAtoms(numbers, side, self._like[side])
            term = self._expansion(side, atoms).term(leaf, chain.kind, itself, here)
            if term is None:
                raise NotShown
            term = Normal(numbers.terms, arithmetic=False).of(term)
            inside = reached.within(here)
            if is_neutral(chain, term):
                continue
            if chain.combines == "addf" and term.number == 0:
                found.zeros = found.zeros.union(inside.support.domain())
                continue
            key, step = _tuple(term, atoms, side, here, found)
            found.terms[key] = found.terms.get(key, Paths()).plus(inside.through(step))

    def _expansion(self, side: int, atoms: Atoms) -> Expansion:
        return Expansion(side, self._steps[side], self._like, atoms, is_goal=False)

    def _flags(self, chain: Chain) -> bool | None:
        """Whether the order does not matter; None if it may not be another one.

        Flags that AFTER has, and BEFORE has not, allow for more, and sums of other parts may overflow.
        """
        old, new = (
            [operator_of(op).flags for op in self._followed(side, chain).operations] for side in (0, 1)
        )
        before = frozenset[str].intersection(*old) if old else None
        after = frozenset[str]().union(*new)
        if after & {"nsw", "nuw"} or (before is not None and not after <= before):
            return None
        return isinstance(chain.kind, int) or ("reassoc" in (before or ()) and "reassoc" in after)


def _tuple(
    term: ScalarTerm, atoms: _TermAtoms, side: int, points: isl.Set, found: _Sum
) -> tuple[Hashable, isl.Map]:
    """The form of TERM, and the map from POINTS to the elements that its atoms are."""
    by_number = {cast("int", each.term.operator.stated): each for each in (*atoms.given, *atoms.own[side])}
    step = part(points, 0, 0)
    for number in sorted(by_number):
        atom = by_number[number]
        at = atom.at.intersect_domain(points)
        if atom in atoms.own[side]:
            at = _essential(at)
            known = found.made.setdefault(number, [])
            known.append((atom.leaf, atom.at.intersect_domain(points).reverse().apply_range(at)))
        step = step.flat_range_product(at)
    return (term.serial, tuple(sorted(by_number)), step.dim(DIM.out)), step


def _essential(at: isl.Map) -> isl.Map:
    """AT without the coordinates of elements that the others determine: those of loops over tiles."""
    found = at
    for k in reversed(range(at.dim(DIM.out))):
        order = found.range()
        others = isl.Map.from_domain(order).move_dims(DIM.out, 0, DIM.in_, k, 1)
        if others.is_single_valued():
            found = found.project_out(DIM.out, k, 1)
    return found


def _needed(old: _Sum, new: _Sum) -> Iterator[tuple[Pair, isl.Map]]:
    """The goals that sums, and others, in the terms of both sums are equal where their coordinates are."""
    for number, mine in old.made.items():
        for leaf, at in mine:
            for other, there in new.made.get(number, ()):
                if at.dim(DIM.out) != there.dim(DIM.out):
                    raise NotShown
                goal = at.apply_range(there.reverse())
                if not goal.is_empty():
                    yield (leaf, other), goal
