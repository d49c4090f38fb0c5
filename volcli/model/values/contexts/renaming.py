"""Questions that differ in the names of loops alone have one answer.

    for %i = 0 to %n { use %i + 1 }
    for %j = 0 to %n { use %j + 1 }         %j + 1 lies between 1 and %n, as %i + 1 does

At a place inside of loops l1, l2, ... (from the outside in) their induction variables are x1, x2, ... A
question is what it asks for, what the loops run through, and what else holds there, all over these. If two
questions are the same so, renaming the variables of one place into those of the other one makes one system
of definitions and conditions of the other: an answer that speaks of no induction variable is true of both.

A variable keeps its name if a condition that is no loop's speaks of it: what loops leave behind may speak of
those that have ended. All that is no induction variable is itself. It is defined where it is used, inside of
the loops that it is computed from: these are around both places.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from xdsl.ir import Block, Operation

from volcli.language.expressions import Atom, Dim, Expression, Value, parameter, substitute
from volcli.language.programs.known_loops import counted_loop
from volcli.language.unchanged import cached_method
from volcli.model.values.contexts.contexts import Contexts, ProgramPoint
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.terms.answers import Bounds
from volcli.model.values.terms.unwritten import operations_around
from volcli.model.values.terms.variables import Variable, variables_of


@dataclass(frozen=True, eq=False)
class _Around:
    """The loops around a place whose variables are NUMBERED, and what two such places have in common."""

    variables: tuple[Variable, ...]
    numbers: Mapping[Atom, Expression]
    key: Hashable


@dataclass(frozen=True, eq=False)
class Question:
    """A question without the names of loops: its KEY, and the variables that an answer must not name."""

    key: Hashable
    unnamed: Sequence[Variable]


class Alike:
    """The questions about one function's values that have one answer."""

    def __init__(self, factors: Factors, places: Contexts) -> None:
        self._factors = factors
        self._definitions = factors.definitions
        self._elimination = factors.elimination
        self._places = places
        self._around: dict[tuple[Block | None, tuple[Factor, ...]], _Around] = {}
        self._constant: dict[Variable, Hashable] = {}
        self._bodies: dict[Block, Hashable] = {}
        self._forms: dict[Expression, Expression] = {}

    def question(self, expression: Expression, place: ProgramPoint) -> Question:
        """What is asked by what EXPRESSION can be at PLACE."""
        block, held = self._places.block(place), self._places.context((place,))
        around = self._around.get((block, held))
        if around is None:
            around = self._around[block, held] = self._find_around(block, held)
        form = self._renamed(expression, around.numbers) if around.numbers else expression
        return Question((form, around.key), around.variables)

    def is_without(self, found: Bounds, question: Question) -> bool:
        """Whether the answer FOUND names no induction variable, so that it is one to all such QUESTIONS."""
        texts = [side.because for side in (found.lower, found.upper) if side.because is not None]
        if any(self._definitions.name_of(v.value) in text for v in question.unnamed for text in texts):
            return False
        said = (found.lower.expression, found.upper.expression, found.equal)
        spoken = {variable for e in said if e is not None for variable in variables_of(e)}
        return spoken.isdisjoint(question.unnamed)

    def _find_around(self, block: Block | None, held: tuple[Factor, ...]) -> _Around:
        loops = {factor: variable for factor in held if (variable := self._variable(factor)) is not None}
        mask = self._definitions.mask([v for factor in held if factor not in loops for v in factor.variables])
        free = [v for v in dict.fromkeys(loops.values()) if not (mask and self._definitions.bit(v) & mask)]
        numbers: dict[Atom, Expression] = {}
        shapes: list[Hashable] = []
        free.sort(key=self._definitions.order)
        for position, variable in enumerate(free):
            shapes.append(self._shape(variable, numbers))
            numbers[variable] = _number(position)
        around = [
            self._ancestors(event) for event in dict.fromkeys(f.event for f in held) if event is not None
        ]
        inside = tuple(v.value.owner.parent_op() in each for each in around for v in free) if around else ()
        stated = tuple(f for f in held if loops.get(f) not in numbers and (f.variables or not f.is_induction))
        return _Around(tuple(free), numbers, (tuple(shapes), stated, inside, self._blocks(block)))

    def _variable(self, factor: Factor) -> Variable | None:
        """The variable of the loop, known exactly, that FACTOR says no more of than that it is inside."""
        if not factor.is_induction or factor.name is not None or len(factor.variables) != 1:
            return None
        definition = self._definitions.definition(factor.variables[0])
        is_known = definition.induction is not None and definition.exact
        return factor.variables[0] if is_known and not definition.tokens else None

    @cached_method
    def _ancestors(self, event: Operation) -> frozenset[Operation]:
        """The operations that EVENT is in."""
        return frozenset((event, *operations_around(event.parent)))

    def _shape(self, variable: Variable, numbers: Mapping[Atom, Expression]) -> Hashable:
        """What VARIABLE runs through, over NUMBERS of the loops around its own."""
        known = self._constant.get(variable)
        if known is not None:
            return known
        induction = self._definitions.definition(variable).induction
        assert induction is not None, "it is that of a loop"
        ends = (induction.step, *induction.lower, *induction.upper)
        forms = tuple(self._renamed(each, numbers) for each in ends)
        found = forms, len(induction.lower), induction.sequential, variable.value.type
        if all(each.is_constant for each in ends):
            self._constant[variable] = found
        return found

    def _renamed(self, expression: Expression, numbers: Mapping[Atom, Expression]) -> Expression:
        """EXPRESSION over NUMBERS, also where it speaks of something that is computed from these."""

        def leaf(atom: Atom) -> Expression | None:
            if not isinstance(atom, Value | Dim):
                return None
            return numbers.get(atom) or self._form(atom, numbers)

        return substitute(expression, leaf)

    def _form(self, variable: Variable, numbers: Mapping[Atom, Expression]) -> Expression | None:
        """A name for all that is computed as VARIABLE is; None if that does not speak of NUMBERS."""
        definition = self._definitions.definition(variable)
        if definition.expression is None or not definition.exact or definition.because is not None:
            return None
        if self._elimination.may_not_run(variable.value):
            return None
        form = substitute(definition.expression, numbers.get)
        if form == definition.expression:
            return None
        return self._forms.setdefault(form, parameter(f"e{len(self._forms)}"))

    def _blocks(self, block: Block | None) -> Hashable:
        """The blocks around a place, of which the bodies of loops are all alike."""
        op = None if block is None else block.parent_op()
        if block is None or op is None or op is self._definitions.function:
            return None
        known = self._bodies.get(block)
        if known is None:
            is_body = all(factor.is_induction for factor in self._factors.of_block(block))
            loop = counted_loop(op) if is_body else None
            is_alike = loop is not None and not loop.carried
            known = self._bodies[block] = True if is_alike else block, self._blocks(op.parent)
        return known


@cache
def _number(position: int) -> Expression:
    """The variable of the loop at POSITION, from the outside in."""
    return parameter(f"x{position}")
