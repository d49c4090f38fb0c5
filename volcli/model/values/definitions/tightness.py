"""Which ranges are attained: interval arithmetic that is exact, because nothing in it is correlated.

And why others have no ends: the first value without one that an expression is computed from.
"""

from __future__ import annotations

from collections.abc import Sequence

from volcli.language.expressions import Atom, Expression, FloorDiv, Maximum, Minimum, Monomial, Value
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.terms.ranges import Interval, range_of
from volcli.model.values.terms.variables import Definition, UnitEquality, Variable, variables_of


class Tightness:
    """Whether the range of an expression is exact: attained at both ends, where it has them.

    It is for an expression that is monotone in each of its variables, if no two of its atoms depend on a
    common variable and the range of each is exact. Then the ends are attained together.
    """

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._unbounded: dict[Variable, str | None] = {}

    def range(self, expression: Expression) -> Interval:
        """The range of EXPRESSION by interval arithmetic."""
        return range_of(expression, self._definitions.range)

    def is_of_constant_loop(self, variable: Variable) -> bool:
        """Whether VARIABLE goes through a loop whose ends are numbers, and which has an iteration.

        Then its range is all that is known of it, and there is no need of a set.
        """
        definition = self._definitions.definition(variable)
        return definition.induction is not None and definition.exact and self._variable(variable)

    def of(self, expression: Expression) -> bool:
        """Whether `range` is exact for EXPRESSION."""
        if len(expression.terms) == 1:
            return self._atom(expression.terms[0][0])
        if any(isinstance(atom, Monomial) for atom, _ in expression.terms):
            return self._sum_of_products(expression)
        return self._sum(expression)

    def _sum_of_products(self, expression: Expression) -> bool:
        """Whether the range is exact of a sum that is a product of sums, and a constant."""
        from volcli.symbolic.polynomials import as_product

        if (found := as_product(expression)) is None:
            return self._sum(expression)
        _, sums, _ = found
        if len(sums) == 2 and sums[0] == sums[1]:
            return self._square(sums[0])
        return self._are_independent(sums)

    def _sum(self, expression: Expression) -> bool:
        """Whether the terms of EXPRESSION depend on no common variable, and the range of each is exact."""
        met = 0
        for atom, _ in expression.terms:
            mask = self._definitions.mask(list(variables_of(Expression(((atom, 1),), 0))))
            if mask & met or not self._atom(atom):
                return False
            met |= mask
        return True

    def _atom(self, atom: Atom) -> bool:
        match atom:
            case FloorDiv(numerator, _):
                return self.of(numerator)
            case Monomial(left, right):
                return self._square(left) if left == right else self._are_independent((left, right))
            case Minimum(operands) | Maximum(operands):
                return self._are_independent(operands)
            case _:
                return isinstance(atom, Variable) and self._variable(atom)

    def _square(self, root: Expression) -> bool:
        """Whether the range of ROOT * ROOT is attained: at 0 only if ROOT, of both signs, takes that, too.

        `select %c, -1, 1` has the range [-1, 1], and its square is 1.
        """
        low, high = self.range(root)
        if (low is not None and low >= 0) or (high is not None and high <= 0):
            return self.of(root)
        atom = root.single_atom
        if not isinstance(atom, Variable):
            return False
        return self._definitions.definition(atom).is_free or self._definitions.takes_all(atom)

    def _are_independent(self, operands: Sequence[Expression]) -> bool:
        """Whether OPERANDS depend on no common variable, and the range of each is exact."""
        met = 0
        for operand in operands:
            mask = self._definitions.mask(list(variables_of(operand)))
            if mask & met or not self.of(operand):
                return False
            met |= mask
        return True

    @cached_method
    def _variable(self, variable: Variable) -> bool:
        return self._is_tight(self._definitions.definition(variable), variable)

    def _is_tight(self, definition: Definition, variable: Variable) -> bool:
        if definition.unit is not None and not definition.exact:
            return self._attains(definition.unit, variable)
        if not definition.exact:
            return False
        if definition.expression is not None:
            return self.of(definition.expression)
        if definition.choices:
            return self._are_tight(definition, variable)
        induction = definition.induction
        if induction is not None:
            low, high = self._definitions.range(variable)
            is_constant = all(e.is_constant for e in (*induction.lower, *induction.upper))
            single = len(induction.lower) == 1 or induction.step.constant == 1
            return is_constant and single and low is not None and high is not None and low <= high
        return definition.is_leaf and not definition.references

    def _attains(self, unit: UnitEquality, variable: Variable) -> bool:
        """Whether VARIABLE has the range of its first operand, which it is for a second one that occurs."""
        atom = unit.second.single_atom
        if not isinstance(atom, Variable) or self.range(unit.first) != self._definitions.range(variable):
            return False
        second = self._definitions.definition(atom)
        if not second.is_free or second.references or not _is_in(unit.number, self._definitions.range(atom)):
            return False
        masks = (self._definitions.mask(list(variables_of(e))) for e in (unit.first, unit.second))
        return not next(masks) & next(masks) and self.of(unit.first)

    def _are_tight(self, definition: Definition, variable: Variable) -> bool:
        """Choices by a truth value that nothing else depends on."""
        conditions = [self._truth(when) for when, _ in definition.choices]
        first = conditions[0]
        if first is None or any(c is None or c[0] != first[0] for c in conditions):
            return False
        if {c[1] for c in conditions if c is not None} != {0, 1} or len(conditions) != 2:
            return False
        mask = self._definitions.slice_mask(first[0])
        for _, chosen in definition.choices:
            if self._definitions.mask(list(variables_of(chosen))) & mask or not self.of(chosen):
                return False
        return True

    def _truth(self, when: Disjunction) -> tuple[Variable, int] | None:
        """The free truth value that WHEN asks to be true (1) or false (0)."""
        if len(when) != 1 or len(when[0]) != 1 or len(when[0][0].terms) != 1:
            return None
        expression = when[0][0]
        atom, factor = expression.terms[0]
        if not isinstance(atom, Value) or not self._definitions.definition(atom).is_free:
            return None
        if self._definitions.range(atom) != (0, 1) or (factor, expression.constant) not in ((1, -1), (-1, 0)):
            return None
        return atom, 1 if factor == 1 else 0

    # -- missing ends ----------------------------------------------------------------------------------

    def unbounded(self, expression: Expression, low: int | None, high: int | None) -> str | None:
        """Which variable has no bounds, so that EXPRESSION has none."""
        if low is not None and high is not None:
            return None
        for variable in dict.fromkeys(variables_of(expression)):
            because = self._why_unbounded(variable)
            if because is not None:
                return because
        return None

    def _why_unbounded(self, variable: Variable) -> str | None:
        """Why the first leaf without bounds that VARIABLE is computed from has none."""
        pending = [variable]  # and no recursion: chains are long
        entered = {variable}
        while pending:
            each = pending[-1]
            if each not in self._unbounded:
                following = self._follow(each, entered)
                if following is not None:
                    entered.add(following)
                    pending.append(following)
                    continue
            pending.pop()
        return self._unbounded[variable]

    def _follow(self, variable: Variable, entered: set[Variable]) -> Variable | None:
        """Note why VARIABLE has no bounds, or tell what is to be asked before, if not ENTERED already."""
        definition = self._definitions.definition(variable)
        because: str | None = None
        if None not in self._definitions.range(variable):
            because = None
        elif definition.is_leaf:
            because = definition.because
        else:
            for reference in definition.references:
                if reference not in self._unbounded and reference not in entered:
                    return reference
                because = self._unbounded.get(reference)
                if because is not None:
                    break
        self._unbounded[variable] = because
        return None


def _is_in(number: int, ends: Interval) -> bool:
    low, high = ends
    return (low is None or low <= number) and (high is None or number <= high)
