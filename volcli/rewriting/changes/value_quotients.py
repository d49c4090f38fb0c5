"""Bounds of loops that are quotients by values, as inequalities that divide by nothing.

    v >= floor(n / p) + r    is    p * (v - r) >= n - p + 1
    v <  floor(n / p) + r    is    p * (v - r + 1) <= n            for p >= 1

and ceil(n / p) is floor((n + p - 1) / p). So the tile of the point a + p * k has bounds of k without another
symbol for each: with p = 3, k >= ceil(t / 3) is 3 * k >= t.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue, Use

from volcli.language.expressions import Atom, Expression, Minimum, Monomial, Value, constant, value_of
from volcli.language.interface import operation_name
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.ranges import range_of
from volcli.symbolic.floors import at_least, below, parts
from volcli.symbolic.polynomials import exact_quotient
from volcli.symbolic.scanning import Quotient

_CEILING = "arith.ceildivsi"
_QUOTIENTS = (_CEILING, "arith.floordivsi")


@dataclass(frozen=True)
class ValueQuotients:
    """The quotients `every`, as bounds: their operands have FORMS."""

    every: Collection[SSAValue]
    form: Callable[[SSAValue], Expression]

    def of_loop(
        self, here: Expression, lower: Sequence[Expression], upper: Sequence[Expression]
    ) -> dict[Expression, Expression]:
        """What is at least 0 for a loop over HERE, by what its LOWER and UPPER bounds say otherwise."""
        pairs = [(at_least(here, e), self._inequality(e, here, is_lower=True)) for e in lower]
        pairs += [(below(here, e), self._inequality(e, here, is_lower=False)) for e in upper]
        return {said: found for said, found in pairs if found is not None}

    def _inequality(self, bound: Expression, here: Expression, *, is_lower: bool) -> Expression | None:
        """What is at least 0 where HERE keeps to BOUND; None if that has no such quotient."""
        for atom, factor in bound.terms:
            if factor != 1 or not isinstance(atom, Value) or atom.value not in self.every:
                continue
            op = atom.value.owner
            assert isinstance(op, Operation)
            number, divisor = map(self.form, op.operands)
            if operation_name(op) == _CEILING:
                number += divisor - 1
            beside = divisor * (here - bound + value_of(atom.value))
            return beside - number + divisor - 1 if is_lower else number - divisor - beside
        return None


def quotients_in(root: Operation, bounds: BoundsStore) -> list[SSAValue]:
    """Quotients by positive values that are computed in the loop ROOT, and that nothing multiplies."""
    return [
        op.results[0]
        for op in root.walk()
        if _is_quotient(op) and not any(map(_multiplies, op.results[0].uses)) and _divides(op, bounds, op)
    ]


def quotients_of(form: Expression, bounds: BoundsStore, at: Operation) -> list[SSAValue]:
    """Quotients by values that are positive where AT runs, of which FORM is the sum with others."""
    values = (atom.value for atom, _ in form.terms if isinstance(atom, Value))
    owners = ((value, value.owner) for value in values)
    return [
        value
        for value, op in owners
        if isinstance(op, Operation) and _is_quotient(op) and _divides(op, bounds, at)
    ]


def _is_quotient(op: Operation) -> bool:
    return operation_name(op) in _QUOTIENTS


def _divides(op: Operation, bounds: BoundsStore, at: Operation) -> bool:
    """Whether the divisor of OP is positive where AT runs."""
    return is_positive(bounds, value_of(op.operands[1]), at)


def is_positive(bounds: BoundsStore, number: Expression, at: Operation) -> bool:
    """Whether NUMBER >= 1 where AT runs, whatever is assumed: by intervals, which cost least, or at all."""
    low, _ = range_of(bounds.definitions.resolve(number), bounds.definitions.range)
    if low is not None and low >= 1:
        return True
    return bounds.proves(number, ">=", 1, at=at)


def _multiplies(use: Use) -> bool:
    return operation_name(use.operation) == "arith.muli"


def quotient(numerator: Expression, divisor: Expression) -> Quotient:
    """NUMERATOR by DIVISOR, which is positive; without a division where there is no rest."""
    whole = exact_quotient(numerator, divisor)
    return Quotient(numerator, divisor) if whole is None else Quotient(whole, constant(1))


def left_beside(form: Expression, upper: Collection[Expression]) -> tuple[Expression, ...]:
    """The lower bounds that FORM is beside UPPER ones: i >= min(a, n) is i >= a, where i < n."""
    operands = parts(form, Minimum)
    left = [each for each in operands if each not in upper]
    return tuple(left) if len(left) == 1 else (form,)


def multiplies(atom: Atom, variables: Collection[Value]) -> bool:
    """Whether ATOM is a product of one of VARIABLES."""
    return isinstance(atom, Monomial) and any(each in variables for each in atom.factors)
