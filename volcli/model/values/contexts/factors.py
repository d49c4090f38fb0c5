"""Conditions that hold at places of a function: of branches and loops, of assertions, of assumptions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine, Value, value_of
from volcli.language.interface import operation_name
from volcli.language.loops import Induction, While
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.answers import Verdict
from volcli.model.values.terms.constraint_set import Known, always
from volcli.model.values.terms.variables import Disjunct, Variable


@dataclass(frozen=True, eq=False)
class SufficientNumbers:
    """If each element of the argument ROOT is one of NUMBERS, a set of one dimension, the factor holds."""

    root: Hashable
    numbers: isl.Set


@dataclass(frozen=True, eq=False)
class Factor:
    """Something that holds at a place: a condition, or that an induction variable is inside its loop.

    `known` is the set, where no list of conditions says it. If it is not exact, something more may hold.
    """

    condition: Disjunction
    variables: tuple[Variable, ...]
    name: str | None = None
    known: Known | None = None
    is_of_everything: bool = False
    """Whether it may be about any variable."""
    event: Operation | None = None
    """Where it is not known exactly, the operation that states it: loops that are not around it take all of
    their iterations in each execution that goes on behind it."""
    demanded_by: Operation | None = None
    """The operation that is undefined unless this holds; it is therefore not reported as an assumption."""
    choice: SufficientNumbers | None = None
    """Where more may hold, of elements: those with which it does hold, whatever all else is."""
    sufficient: Known | None = None
    """Where more may hold: what it certainly holds in, which need not be all."""

    @property
    def is_stated(self) -> bool:
        """Whether it is a condition."""
        return self.known is None and self.condition != ((),)

    @property
    def is_induction(self) -> bool:
        """Whether it only says that an induction variable is inside its loop: what its definition says."""
        return self.known is None and self.condition == ((),)


class Factors:
    """The factors of one function that its operations state."""

    def __init__(self, elimination: Elimination) -> None:
        self.elimination = elimination
        self.definitions = elimination.definitions
        self._conditions: dict[Factor, Known] = {}

    @cached_method
    def of_block(self, block: Block) -> tuple[Factor, ...]:
        """What holds in BLOCK, because of the operation that it belongs to."""
        return tuple(self._guards_of(block))

    def _guards_of(self, block: Block) -> Iterator[Factor]:
        op, region = block.parent_op(), block.parent
        if op is None or op is self.definitions.function:
            return
        try:
            loop = questions.loop(op)
            if isinstance(loop, While):
                if region is not op.regions[0]:
                    yield self.of((questions.holds(loop.condition),))
            elif loop is not None:
                for induction in loop.inductions:
                    yield self._inside(induction)
            indices = questions.indices(op)
            for induction in () if indices is None else indices.inductions:
                yield self._inside(induction)
            if indices is not None and indices.where != ((),):
                yield self.of(indices.where)
            for guard in questions.guards(op) or ():
                if guard.region is region:
                    yield self.of(guard.condition)
        except NotAffine:
            return

    def _inside(self, induction: Induction) -> Factor:
        variables = self.elimination.all_variables([self.definitions.resolve(value_of(induction.variable))])
        return Factor(((),), tuple(variables))

    def of(self, condition: Disjunction, name: str | None = None, *, by: Operation | None = None) -> Factor:
        """CONDITION, which has this NAME, or is demanded BY an operation."""
        condition = affine(condition)
        resolved = tuple(tuple(self.definitions.resolve(e) for e in c) for c in condition)
        variables = self.elimination.all_variables([e for c in resolved for e in c])
        return Factor(resolved, tuple(variables), name, demanded_by=by)

    def without_poison(self, op: Operation, value: SSAValue | None = None) -> Iterator[Factor]:
        """What holds once OP has run, which no poison decides; or where VALUE, which it computes, is none."""
        poison = self.definitions.outline.poison
        try:
            stated = poison.excluded_by(op) if value is None else poison.excluded_from((value,))
            yield from [self.of(condition, by=op) for condition in stated]
        except NotAffine as error:
            known = Known(always().points, False, str(error))
            yield Factor(((),), (), known=known, is_of_everything=True, event=op)

    def name(self, op: Operation) -> str:
        """What an answer calls the assumption that OP states: `cf.assert %ok`."""
        return f"{operation_name(op)} {', '.join(map(self.definitions.name_of, op.operands))}"

    def constrained(self, factor: Factor) -> Sequence[Variable]:
        """The variables that the set of FACTOR speaks of; it may have to do with more."""
        if factor.known is None:
            return factor.variables
        return self.elimination.variables_of(factor.known.points)

    def condition(self, factor: Factor) -> Known:
        """What FACTOR says of its variables; definitions say the rest."""
        if factor.known is not None:
            return factor.known
        known = self._conditions.get(factor)
        if known is None:
            known = self._conditions[factor] = self.elimination.union(
                [Disjunct((), c) for c in factor.condition]
            )
        return known


def affine(condition: Disjunction) -> Disjunction:
    """CONDITION; if it is just that a truth value holds, or does not, what that means."""
    if len(condition) != 1 or len(condition[0]) != 1 or len(condition[0][0].terms) != 1:
        return condition
    (only,) = condition[0]
    atom, factor = only.terms[0]
    is_true, is_false = (factor, only.constant) == (1, -1), (factor, only.constant) == (-1, 0)
    if not isinstance(atom, Value) or not isinstance(atom.value, OpResult) or not (is_true or is_false):
        return condition
    stated = questions.condition(atom.value.op)
    if stated is None:
        return condition
    return stated.true if is_true else stated.false


@dataclass(frozen=True)
class Reached:
    """Whether some execution gets to a place: proved or refuted, or unknown BECAUSE of something.

    `conflict` are the factors that exclude each other where none does.
    """

    verdict: Verdict
    because: str | None = None
    conflict: tuple[Factor, ...] = ()

    @property
    def never(self) -> bool:
        """Whether the place is unreachable; facts about it then hold vacuously."""
        return self.verdict is Verdict.REFUTED
