"""Goals shown by terms: what both elements are, several operations back, is the same number.

    before: muli(addi(a[i], b[i]), 2)        after: addi(addi(a[i], a[i]), shli(b[i], 1))

A goal follows from those about the atoms that both terms have in common and that are not given. These were
made before, in both programs, so the induction of `lockstep` holds for longer steps as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import islpy as isl
from xdsl.ir import OpResult

from volcli.equivalence.paths.leaves import Leaf, LeafKind
from volcli.equivalence.proofs.expansion import Atoms, Expansion
from volcli.equivalence.proofs.goals import NotShown, Pair, part
from volcli.equivalence.proofs.likeness import Likeness
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.terms.deciding import Deciding
from volcli.equivalence.terms.terms import Kind, ScalarTerm, ScalarTerms, kind_of
from volcli.language.expressions import NotAffine
from volcli.limits import equivalence as limits
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True)
class TermLevel:
    """How terms are decided: by folding, or by ARITHMETIC; and whether SUMS may be in another order."""

    arithmetic: bool = False
    sums: bool = False


class Termwise:
    """Goals between the functions of STEPS, decided by their terms."""

    def __init__(self, steps: tuple[Steps, Steps], like: tuple[Likeness, Likeness], level: TermLevel) -> None:
        self._steps = steps
        self._like = like
        self._level = level
        self._by_number = self._has_constants = False

    def follows_from(self, pair: Pair, goal: isl.Map) -> list[tuple[Pair, isl.Map]] | None:
        """The goals that GOAL of PAIR follows from; None if terms do not show it."""
        kind = next((k for each in pair if (k := _kind(each)) is not None), None)
        if kind is None or any(_kind(each) not in (None, kind) for each in pair):
            return None
        try:
            return self._shown(pair, kind, goal)
        except (NotShown, NotAffine, BudgetExceeded):
            return None

    def _shown(self, pair: Pair, kind: Kind, goal: isl.Map) -> list[tuple[Pair, isl.Map]] | None:
        points = goal.wrap().flatten()
        first, second = goal.dim(DIM.in_), goal.dim(DIM.out)
        at = part(points, 0, first), part(points, first, second)
        self._by_number = self._has_constants = False
        found = self._everywhere(pair, kind, at, points)
        if found is None and self._has_constants:
            self._by_number = True
            found = self._everywhere(pair, kind, at, points)
        if found is None and LeafKind.NUMBER in (pair[0].kind, pair[1].kind):
            parts = [isl.Set.from_basic_set(each) for each in points.make_disjoint().get_basic_sets()]
            if 1 < len(parts) <= limits.TERM_PIECES:  # a truth that decides is a number in each of them
                shown = [self._everywhere(pair, kind, at, each) for each in parts]
                needed = [each for each in shown if each is not None]
                found = [goal for each in needed for goal in each] if len(needed) == len(parts) else None
        return found

    def _everywhere(
        self, pair: Pair, kind: Kind, at: tuple[isl.Map, isl.Map], points: isl.Set
    ) -> list[tuple[Pair, isl.Map]] | None:
        """What follows at all POINTS; None if it is not shown at some."""
        found: list[tuple[Pair, isl.Map]] = []
        for here in self._common(pair, kind, at, points):
            needed = self._at(pair, kind, at, here)
            if needed is None:
                return None
            found += needed
        return found

    def _expansion(self, side: int, atoms: Atoms) -> Expansion:
        return Expansion(side, self._steps[side], self._like, atoms, by_number=self._by_number)

    def _common(self, pair: Pair, kind: Kind, at: tuple[isl.Map, isl.Map], points: isl.Set) -> list[isl.Set]:
        """The parts of POINTS at each of which both elements are one term."""
        found = [points]
        for side in (0, 1):
            parts: list[isl.Set] = []
            for where in found:
                expansion = self._expansion(side, Atoms(ScalarTerms()))
                parts += [here for here, _ in expansion.pieces(pair[side], kind, at[side], where)]
                self._has_constants |= expansion.has_constants
            found = parts
        return found

    def _at(
        self, pair: Pair, kind: Kind, at: tuple[isl.Map, isl.Map], points: isl.Set
    ) -> list[tuple[Pair, isl.Map]] | None:
        """What follows at POINTS, where each element is one term; None if it is not shown."""
        atoms = Atoms(ScalarTerms())
        terms: list[ScalarTerm | None] = []
        taken = 0
        for side in (0, 1):
            expansion = self._expansion(side, atoms)
            terms.append(expansion.term(pair[side], kind, at[side], points))
            taken += expansion.taken
        old, new = terms
        if old is None:
            return []
        if new is None or not taken:
            return None
        deciding = Deciding(atoms.terms, arithmetic=self._level.arithmetic)
        return _needed(atoms, points) if deciding.refines(old, new, atoms.numbers) else None


def _needed(atoms: Atoms, points: isl.Set) -> list[tuple[Pair, isl.Map]]:
    """The goals that atoms of both sides are equal which are one."""
    found: list[tuple[Pair, isl.Map]] = []
    for mine in atoms.own[0]:
        for theirs in atoms.own[1]:
            if mine.term is theirs.term:
                goal = mine.at.intersect_domain(points).reverse().apply_range(theirs.at)
                found.append(((mine.leaf, theirs.leaf), goal))
    return found


def _kind(leaf: Leaf) -> Kind | None:
    """The kind of the elements of LEAF, if it is made."""
    return kind_of(cast("OpResult", leaf.what).type) if leaf.kind is LeafKind.MADE else None
