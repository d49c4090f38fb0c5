"""Numbers of values: two values with one number are equal, in whichever of two programs they are.

Value numbering (Cocke and Schwartz, Programming Languages and Their Compilers, 1970), over both programs
at once, as value graphs do it (Tristan, Govereau and Morrisett, PLDI 2011): a number stands for an operation,
its attributes and the numbers of its operands. Index values have a second key, their normal form over the
numbers of other index values, so that `affine.apply` and what it is lowered to are one number.

Sums and products are equal modulo 2^w where their normal forms are. With divisions, remainders, minima or
choices in it, a normal form speaks of integers: then it is assumed that nothing overflows.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.dialects.arith import IntegerOverflowAttr
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.equivalence.terms.operators import COMMUTATIVE
from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Monomial,
    NotAffine,
    Parameter,
    Value,
    parameter,
    substitute,
)

Key = tuple[Hashable, ...]


class NotCongruent(Exception):
    """Two programs do not do the same in the same order, or are not known to."""


class ValueNumbers:
    """The numbers of values and of all else that is described by a key; `assumes_integers` says how."""

    def __init__(self) -> None:
        self.assumes_integers = False
        self._keys: dict[Key, int] = {}
        self._values: dict[SSAValue, int] = {}
        self._normal: dict[int, tuple[Attribute, Expression]] = {}
        self._count = 0

    def fresh(self) -> int:
        """The number of something that is like nothing else."""
        self._count += 1
        return self._count

    def keyed(self, *key: Hashable) -> int:
        """The number of what KEY describes.

        >>> numbers = ValueNumbers()
        >>> numbers.keyed("f", 1) == numbers.keyed("f", 1), numbers.keyed("f", 2) == numbers.keyed("f", 1)
        (True, False)
        """
        if key not in self._keys:
            self._keys[key] = self.fresh()
        return self._keys[key]

    def pair(self, one: SSAValue, other: SSAValue) -> None:
        """ONE and OTHER are equal, and like nothing else."""
        self._values[one] = self._values[other] = self.fresh()

    def same(self, one: Sequence[SSAValue], other: Sequence[SSAValue]) -> bool:
        """Whether ONE and OTHER are equal, one by one."""
        return [self.of(value) for value in one] == [self.of(value) for value in other]

    def of(self, value: SSAValue) -> int:
        """The number of VALUE. Raises NotCongruent if it stands behind what uses it."""
        if value not in self._values:
            raise NotCongruent
        return self._values[value]

    def number(self, value: SSAValue, *key: Hashable) -> int:
        """Number VALUE by KEY."""
        self._values[value] = self.keyed(*key)
        return self._values[value]

    def computed(self, op: Operation, *around: Hashable) -> int:
        """Number the results of OP, which depend on its operands and what is AROUND it; the number of OP."""
        operands = [self.of(value) for value in op.operands]
        if op.name.removeprefix("arith.") in COMMUTATIVE:
            operands.sort()
        key = (op.name, stated(op), tuple(operands), tuple(result.type for result in op.results), around)
        known = key in self._keys
        number = self.keyed(*key)
        for result in op.results:
            found = self.keyed("result", number, result.index)
            if not known and isinstance(result.type, IndexType) and "isExact" not in op.properties:
                found = self._normalised(result, found)
                self._keys["result", number, result.index] = found
            self._values[result] = found
        return number

    # -- integers --------------------------------------------------------------------------------------

    def _normalised(self, result: OpResult, number: int) -> int:
        """The NUMBER of RESULT, or that of what has the same normal form."""
        try:
            stated_value = questions.value_of_result(result)
            found = None if stated_value is None else self.expression(stated_value, result.type)
        except NotAffine:
            return number
        if found is None:
            return number
        known = self._keys.get(("integer", result.type, found))
        if known is None:
            self._keys["integer", result.type, found] = number
            self._normal[number] = result.type, found
            return number
        self.assumes_integers |= has_flags(result.op) or not _is_polynomial(found)
        return known

    def integer(self, found: Expression, kind: Attribute) -> Expression:
        """FOUND over numbers, as it stands in an operation that another one may state otherwise."""
        over_numbers = self.expression(found, kind)
        self.assumes_integers |= not _is_polynomial(over_numbers)
        return over_numbers

    def expression(self, found: Expression, kind: Attribute) -> Expression:
        """FOUND over numbers in place of values, of which those of the type KIND are in normal form."""

        def over_numbers(atom: Atom) -> Expression | None:
            match atom:
                case Value(value):
                    number = self.of(value)
                    own, normal = self._normal.get(number, (None, None))
                    return normal if normal is not None and own == kind else parameter(f"v{number}")
                case Dim(value, dimension):
                    return parameter(f"s{self.keyed('dim', self.of(value), dimension)}")
                case _:
                    return None

        return substitute(found, over_numbers)


Stated = tuple[tuple[tuple[str, Attribute], ...], ...]


def has_flags(op: Operation) -> bool:
    """Whether OP is poison where it overflows, or is not exact."""
    if "isExact" in op.properties:
        return True
    flags = op.properties.get("overflowFlags")
    return isinstance(flags, IntegerOverflowAttr) and bool(flags.data)


def stated(op: Operation) -> Stated:
    """What OP states of itself, its operands and regions apart."""
    return tuple(sorted(op.properties.items(), key=_name)), tuple(sorted(op.attributes.items(), key=_name))


def _name(item: tuple[str, Attribute]) -> str:
    return item[0]


def _is_polynomial(found: Expression) -> bool:
    factors = (
        f for atom, _ in found.terms for f in (atom.factors if isinstance(atom, Monomial) else (atom,))
    )
    return all(isinstance(each, Parameter) for each in factors)
