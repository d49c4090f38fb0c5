"""Elements as terms: what an element is made from, several operations back, at all points of a set at once.

    %p = arith.muli %a[%i], %c2;  %s = arith.addi %p, %b[%j]        addi(muli(a[i], 2), b[j])

Atoms are elements of inputs, and what is not taken apart: values of earlier iterations, reductions, and what
is too far back. Where copies come from other places, terms are others; so there are pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import islpy as isl
from xdsl.ir import OpResult

from volcli.equivalence.paths.ends import Ends
from volcli.equivalence.paths.leaves import UNDEFINED, Leaf, LeafKind, made
from volcli.equivalence.proofs.goals import NotShown, has_body
from volcli.equivalence.proofs.likeness import Likeness
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.results.constants import by_number, number_at
from volcli.equivalence.results.operations import is_elementwise
from volcli.equivalence.terms.operators import operator_of
from volcli.equivalence.terms.terms import Kind, ScalarTerm, ScalarTerms, kind_of
from volcli.language.reads import rank_of
from volcli.limits import equivalence as limits
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets.build import DIM

_GIVEN = (LeafKind.INPUT, LeafKind.NUMBER, LeafKind.CONSTANT)

Piece = tuple[isl.Set, ScalarTerm | None]
"""Points, and the term that the element is there; None where it is undefined."""


@dataclass(frozen=True, eq=False)
class Atom:
    """`at` leads from points to the element of `leaf` that a `term` stands for."""

    leaf: Leaf
    at: isl.Map
    term: ScalarTerm


@dataclass
class Atoms:
    """The atoms of two terms: elements of inputs have one for both, others that are `alike` may be equal."""

    terms: ScalarTerms
    given: list[Atom] = field(default_factory=list[Atom])
    own: tuple[list[Atom], list[Atom]] = field(default_factory=lambda: (list[Atom](), list[Atom]()))
    count: int = 0

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of atoms that are given, which are no poison."""
        return frozenset(cast("int", each.term.operator.stated) for each in self.given)

    def fresh(self, leaf: Leaf, kind: Kind) -> ScalarTerm:
        """An atom that stands for nothing else."""
        self.count += 1
        return self.terms.atom(self.count, kind)


class Expansion:
    """The terms of one side (0: BEFORE, 1: AFTER), whose function is followed by STEPS.

    Where constants are other numbers, terms are others BY_NUMBER.
    """

    def __init__(
        self,
        side: int,
        steps: Steps,
        like: Sequence[Likeness],
        atoms: Atoms,
        *,
        is_goal: bool = True,
        by_number: bool = False,
    ) -> None:
        self._side = side
        self._steps = steps
        self._like = like
        self._atoms = atoms
        self._is_goal = is_goal
        self._by_number = by_number
        self.taken = 0
        """How many operations were taken apart."""
        self.has_constants = False
        """Whether elements of constants are atoms, which are numbers in pieces BY_NUMBER."""

    def pieces(
        self, leaf: Leaf, kind: Kind, at: isl.Map, points: isl.Set, path: frozenset[OpResult] = frozenset()
    ) -> list[Piece]:
        """The terms of the element of LEAF that AT leads to from POINTS. Raises NotShown."""
        if leaf == UNDEFINED:
            return [(points, None)]
        if leaf.kind is LeafKind.MADE:
            result = cast("OpResult", leaf.what)
            if result not in path and self.taken < limits.TERM_STEPS:
                if has_body(result):
                    return self._from(self._steps.body(result), kind, at, points, path | {result})
                if is_elementwise(result) and not self._is_kept(result):
                    return self._operation(result, kind, at, points, path | {result})
            return [(points, self._own(leaf, kind, at.intersect_domain(points)))]
        if leaf.kind is LeafKind.LEFT:
            return [(points, self._own(leaf, kind, at.intersect_domain(points)))]
        if leaf.kind not in _GIVEN:
            raise NotShown
        at = at.intersect_domain(points)
        if leaf.kind is LeafKind.CONSTANT and leaf.rank and _constant(leaf, at) is None:
            self.has_constants = True
            if self._by_number and (parts := by_number(leaf, at.range())):
                numbers = (
                    (part, self._atoms.terms.constant(_as_number(each), kind)) for each, part in parts.items()
                )
                return [(at.intersect_range(part).domain(), term) for part, term in numbers]
        return [(points, self._given(leaf, kind, at))]

    def term(self, leaf: Leaf, kind: Kind, at: isl.Map, points: isl.Set) -> ScalarTerm | None:
        """The one term that the element is at all POINTS; None where it is undefined. Raises NotShown.

        Of fewer points more operations are taken apart, so that there may be several.
        """
        found = self.pieces(leaf, kind, at, points)
        if len(found) != 1:
            raise NotShown
        return found[0][1]

    def _is_kept(self, result: OpResult) -> bool:
        """Whether RESULT is made from what itself was before: what is carried around a loop is an atom.

        The element that a goal is about is taken apart all the same.
        """
        if self._is_goal and not self.taken:
            return False
        itself = made(result, self._steps.depth_of(result) + rank_of(result))
        return any(itself in self._steps.operand(result, k) for k in range(len(result.op.operands)))

    def _operation(
        self, result: OpResult, kind: Kind, at: isl.Map, points: isl.Set, path: frozenset[OpResult]
    ) -> list[Piece]:
        """An operation on elements, of operands that are terms in pieces."""
        self.taken += 1
        found: list[tuple[isl.Set, tuple[ScalarTerm, ...] | None]] = [(points, ())]
        for position, operand in enumerate(result.op.operands):
            operand_kind = kind_of(operand.type)
            if operand_kind is None:
                raise NotShown
            ends = self._steps.operand(result, position)
            further: list[tuple[isl.Set, tuple[ScalarTerm, ...] | None]] = []
            for here, terms in found:
                for there, term in self._from(ends, operand_kind, at, here, path):
                    further.append((there, None if terms is None or term is None else (*terms, term)))
            if len(further) > limits.TERM_PIECES:
                raise NotShown
            found = further
        operator = operator_of(result.op)
        return [
            (there, None if terms is None else self._atoms.terms.of(operator, kind, terms))
            for there, terms in found
        ]

    def _from(
        self, ends: Ends, kind: Kind, at: isl.Map, points: isl.Set, path: frozenset[OpResult]
    ) -> list[Piece]:
        """The terms of what comes from ENDS. Raises NotShown."""
        found: list[Piece] = []
        for leaf, step, here in _split(ends, at, points):
            found += self.pieces(leaf, kind, step, here, path)
        if len(found) > limits.TERM_PIECES:
            raise NotShown
        return found

    # -- atoms ---------------------------------------------------------------------------------------------

    def _given(self, leaf: Leaf, kind: Kind, at: isl.Map) -> ScalarTerm:
        """An element of an input, or a number."""
        number = _constant(leaf, at)
        if number is not None:
            return self._atoms.terms.constant(number, kind)
        for each in self._atoms.given:
            if each.leaf == leaf and each.term.kind == kind and each.at.is_equal(at):
                return each.term
        self._atoms.given.append(Atom(leaf, at, self._atoms.fresh(leaf, kind)))
        return self._atoms.given[-1].term

    def _own(self, leaf: Leaf, kind: Kind, at: isl.Map) -> ScalarTerm:
        """What is not taken apart: for AFTER perhaps the atom of what is alike before."""
        mine = self._atoms.own[self._side]
        for each in mine:
            if each.leaf == leaf and each.at.is_equal(at):
                return each.term
        term = (self._alike(leaf, kind) if self._side else None) or self._atoms.fresh(leaf, kind)
        mine.append(Atom(leaf, at, term))
        return term

    def _alike(self, leaf: Leaf, kind: Kind) -> ScalarTerm | None:
        """The atom of BEFORE that LEAF may be equal to: the first one that is not taken yet."""
        taken = {each.term.serial for each in self._atoms.own[1]}
        likeness = self._like[1].leaf(leaf)
        likely = [
            each.term
            for each in self._atoms.own[0]
            if each.term.kind == kind and self._like[0].leaf(each.leaf) == likeness
        ]
        return next((each for each in likely if each.serial not in taken), likely[0] if likely else None)


def _split(ends: Ends, at: isl.Map, points: isl.Set) -> Iterator[tuple[Leaf, isl.Map, isl.Set]]:
    """Each leaf of ENDS, and where it is read, as a function of those of POINTS that do. Raises NotShown."""
    rest = points
    for leaf, paths in ends.items():
        if not isinstance(leaf, Leaf) or leaf.kind in (LeafKind.COMPUTED, LeafKind.ABSORBED):
            raise NotShown
        step = at.apply_range(paths.support).intersect_domain(points)
        here = step.domain()
        if here.is_empty():
            continue
        if not here.is_subset(rest) or not (leaf == UNDEFINED or step.is_single_valued()):
            raise NotShown
        rest = rest.subtract(here)
        yield leaf, step, here
    if not rest.is_empty():
        raise NotShown


def _constant(leaf: Leaf, at: isl.Map) -> int | float | None:
    """The number that LEAF is wherever AT leads to, if it is one."""
    there = at.range()
    there = there.project_out(DIM.param, 0, there.dim(DIM.param))
    if leaf.rank:
        if not all(_is_fixed(there, k) for k in range(leaf.rank)):
            return None
        element = coordinates(there.sample_point())
    else:
        element = ()
    found = number_at(leaf, element)
    return None if found is None else _as_number(found)


def _as_number(number: int | str) -> int | float:
    return float(number) if isinstance(number, str) else number


def _is_fixed(points: isl.Set, position: int) -> bool:
    return not points.plain_get_val_if_fixed(DIM.set, position).is_nan()
