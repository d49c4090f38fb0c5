"""What is known of numbers at a place as polynomial conditions: where products stop integer sets.

The same definitions and conditions that `elimination` and `queries` make sets of, as a system over *symbols*:
the leaves, the induction variables, and what goes around loops or is chosen. What an operation computes is a
polynomial in these, with floors, extrema and remainders; so are a loop's bounds and what holds at the place.
A quotient by a value is a symbol that polynomial conditions determine.

    %t = ceildivsi %n, %b      0 <= t * b - n <= b - 1, for b >= 1
    %i = 0 to %t               0 <= i <= t - 1
    %o = muli %i, %b           i * b

The system holds whenever the place is reached. If nothing says why not (`because`), it is all there is to
know: each of its points is an execution that gets to the place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import Block, OpResult

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Mod,
    Monomial,
    NotAffine,
    Parameter,
    constant,
    has_product,
    substitute,
)
from volcli.language.normal_form import operands_of
from volcli.language.programs.blocks import blocks_around
from volcli.language.reads import Conjunction, Disjunction
from volcli.limits import values as limits
from volcli.limits.widths import LARGE, in_64_bits
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.elimination.iterations import Iterations
from volcli.model.values.products.polynomial_conditions import PolynomialConditions
from volcli.model.values.terms.variables import Variable
from volcli.presburger.limits.budget import Meter
from volcli.symbolic.alternatives import Alternatives
from volcli.symbolic.rows import effort


@dataclass(frozen=True, eq=False)
class PolynomialSystem:
    """All that is known of some numbers at a place: FACTS, and of each of CHOICES one conjunction.

    `forms` are what the variables are, over `symbols` and further integers; leaves and iterations among the
    symbols are `named` where a point is told. `because` says why that is not all there is to know.
    """

    facts: tuple[Expression, ...]
    choices: tuple[Disjunction, ...]
    forms: Mapping[Atom, Expression]
    symbols: tuple[Atom, ...]
    named: tuple[Variable, ...]
    because: str | None

    @cached_property
    def alternatives(self) -> Alternatives:
        """As what polynomials can be asked about."""
        return Alternatives(self.facts, self.choices)

    @cached_property
    def has_large_numbers(self) -> bool:
        """Whether there are numbers in it such as arithmetic wraps around at."""
        conditions = [*self.facts, *(e for choice in self.choices for each in choice for e in each)]
        return any(map(_is_large, conditions))

    def form(self, expression: Expression) -> Expression:
        """EXPRESSION over the symbols."""
        return substitute(expression, self.forms.get)

    def is_point(self, numbers: Mapping[Atom, int]) -> bool:
        """Whether all that is known is true of NUMBERS, and what is computed from them has 64 bits."""
        if not all(_holds(fact, numbers) for fact in self.facts):
            return False
        if not all(any(_all_hold(each, numbers) for each in choice) for choice in self.choices):
            return False
        return all(in_64_bits(value_at(form, numbers)) for form in self.forms.values())

    @cached_property
    def is_small(self) -> bool:
        """Whether it is so small that each bound may be looked for in it."""
        conditions = [*self.facts, *(e for choice in self.choices for each in choice for e in each)]
        degrees = (len(a.factors) for e in conditions for a, _ in e.terms if isinstance(a, Monomial))
        return (
            len(self.symbols) <= limits.SMALL_SYSTEM_SYMBOLS
            and sum(len(e.terms) for e in conditions) <= limits.SMALL_SYSTEM_TERMS
            and max(degrees, default=0) <= limits.SMALL_SYSTEM_DEGREE
        )

    @property
    def unknowns(self) -> Iterator[Atom]:
        """The symbols and the further integers."""
        yield from self.symbols
        for expression in (*self.facts, *(e for choice in self.choices for each in choice for e in each)):
            yield from (atom for atom in expression.atoms() if isinstance(atom, Parameter))

    def is_in(self, case: Conjunction, numbers: Mapping[Atom, int]) -> bool:
        """Whether all of CASE, over the symbols, is at least 0 at NUMBERS."""
        return _all_hold(case, numbers)


def value_at(expression: Expression, numbers: Mapping[Atom, int]) -> int:
    """The number that EXPRESSION is at NUMBERS; raises NotAffine if these do not determine it."""
    known = {atom: constant(number) for atom, number in numbers.items()}
    found = substitute(expression, known.get)
    if not found.is_constant:
        raise NotAffine(f"{found} is not a number")
    return found.constant


def _is_large(expression: Expression) -> bool:
    """Whether EXPRESSION has a large coefficient, constant or divisor."""
    pending = [expression]
    while pending:
        each = pending.pop()
        numbers = [each.constant, *(factor for _, factor in each.terms)]
        numbers += [atom.divisor for atom, _ in each.terms if isinstance(atom, FloorDiv | Mod)]
        if any(abs(number) >= LARGE for number in numbers):
            return True
        pending += [inner for atom, _ in each.terms for inner in operands_of(atom)]
    return False


def _holds(fact: Expression, numbers: Mapping[Atom, int]) -> bool:
    return value_at(fact, numbers) >= 0


def _all_hold(facts: Iterable[Expression], numbers: Mapping[Atom, int]) -> bool:
    return all(_holds(fact, numbers) for fact in facts)


class Polynomials:
    """The polynomial systems of one function."""

    def __init__(self, elimination: Elimination, factors: Factors) -> None:
        self._elimination = elimination
        self._definitions = elimination.definitions
        self._factors = factors
        self._iterations = Iterations(elimination)
        self._systems: dict[Hashable, PolynomialSystem | None] = {}
        self._for_large = Meter(limits.LARGE_EFFORT, limits.LARGE_EFFORT)

    def effort(self, known: PolynomialSystem, most: int) -> AbstractContextManager[None]:
        """What is asked of KNOWN within the block may cost so much at the MOST."""
        return effort(most, self._for_large if known.has_large_numbers else None)

    def concern(self, expressions: Iterable[Expression], factors: Sequence[Factor]) -> bool:
        """Whether EXPRESSIONS, where FACTORS hold, have to do with a product or a quotient of variables."""
        stated = [e for f in factors for c in f.condition for e in c]
        every = [*expressions, *stated]
        is_product = any(map(has_product, every))
        if not is_product and not self._definitions.outline.multiplies:
            return False
        if is_product:
            return True
        induction = (v for factor in factors if factor.is_induction for v in factor.variables)
        variables = dict.fromkeys((*self._elimination.all_variables(every), *induction))
        return any(map(self._is_multiplied, self._definitions.slice_of(variables)))

    def _is_multiplied(self, variable: Variable) -> bool:
        definition = self._definitions.definition(variable)
        if definition.expression is not None:
            return has_product(definition.expression)
        if definition.induction is not None:
            induction = definition.induction
            ends = (*induction.lower, *induction.upper)
            return not induction.step.is_constant or any(map(has_product, ends))
        if not definition.is_leaf or not isinstance(variable.value, OpResult):
            return False
        return questions.determined.answers(type(variable.value.op))

    def _is_named(self, symbol: Variable) -> bool:
        definition = self._definitions.definition(symbol)
        return definition.is_leaf or definition.induction is not None

    def system(
        self, expressions: Sequence[Expression], factors: Sequence[Factor], running: Iterable[Block]
    ) -> PolynomialSystem | None:
        """What is known of EXPRESSIONS where FACTORS hold, and blocks are RUNNING; None if it is too much."""
        around = frozenset(each for block in running for each in blocks_around(block))
        key = tuple(expressions), tuple(factors), around
        if key not in self._systems:
            try:
                self._systems[key] = self._collected(expressions, factors, around)
            except NotAffine:
                self._systems[key] = None
        return self._systems[key]

    def _collected(
        self, expressions: Sequence[Expression], factors: Sequence[Factor], running: frozenset[Block]
    ) -> PolynomialSystem:
        found = PolynomialConditions(self._elimination, running)
        for factor in factors:
            found.add_factor(factor, self._factors)
        variables = [
            *self._elimination.all_variables(expressions),
            *(v for factor in factors for v in self._factors.constrained(factor)),
        ]
        for variable in variables:
            found.form(variable)
        found.define_all()
        if (mixed := self._iterations.mixed(variables)) is not None:
            found.because.append(mixed)
        return PolynomialSystem(
            tuple(dict.fromkeys(found.facts)),
            tuple(dict.fromkeys(found.choices)),
            found.forms,
            tuple(found.symbols),
            tuple(filter(self._is_named, found.symbols)),
            next(iter(found.because), None),
        )
