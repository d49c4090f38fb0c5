"""The normal form of a term: equal normal forms are equal functions of the atoms.

Folding alone keeps operations (`x * 1.0` is x, `2 + 3` is 5, operands of commutative operations are in one
order); with `arithmetic` integers are polynomials modulo 2^w, and floats lose what is exact in IEEE 754:

    x + x, x << 1 and x * 2             2 x, as integers
    x - y, x + (-y)                     x + (-y), as floats; x * (-y) is -(x * y), x * 2.0 is x + x

No rule looks at flags: a term is undefined, too, where one that it was made from is (`hazards`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volcli.equivalence.terms import floats, integers
from volcli.equivalence.terms.folding import folded, related, related_floats
from volcli.equivalence.terms.operators import COMMUTATIVE
from volcli.equivalence.terms.terms import ATOM, NUMBER, Operator, ScalarTerm, ScalarTerms, operands_first

_SWAPPED_CMPI = {2: 4, 3: 5, 4: 2, 5: 3, 6: 8, 7: 9, 8: 6, 9: 7, 0: 0, 1: 1}
_SWAPPED_CMPF = {2: 4, 3: 5, 4: 2, 5: 3, 9: 11, 10: 12, 11: 9, 12: 10}
"""`a < b` is `b > a`: of ordered (2 to 5) and unordered (9 to 12) predicates; others are symmetric."""


class Normal:
    """The normal forms of TERMS, by folding alone or by ARITHMETIC."""

    def __init__(self, terms: ScalarTerms, *, arithmetic: bool) -> None:
        self.terms = terms
        self.arithmetic = arithmetic
        self._known: dict[int, ScalarTerm] = {}

    def of(self, term: ScalarTerm) -> ScalarTerm:
        """The normal form of TERM."""
        for each in operands_first(term, self._known):
            operands = [self._known[operand.serial] for operand in each.operands]
            self._known[each.serial] = self._made(each, operands)
        return self._known[term.serial]

    def _made(self, term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm:
        """TERM, of OPERANDS in normal form."""
        if term.name in (ATOM, NUMBER):
            return term
        operator = term.operator
        is_plain = operator.stated is None or term.name in ("cmpi", "cmpf")
        if not is_plain or (not self.arithmetic and operator.flags):  # flags are what an operation is
            return self.terms.of(operator, term.kind, self._ordered(operator, operands))
        numbers = [number for each in operands if (number := each.number) is not None]
        if len(numbers) == len(operands) and operands:
            found = folded(term.name, term.kind, [each.kind for each in operands], numbers)
            if found is not None:
                return self.terms.constant(found, term.kind)
        if (found := self._by_rule(term, operands)) is not None:
            return found
        plain = Operator(operator.name, operator.stated, frozenset() if self.arithmetic else operator.flags)
        return self.terms.of(*self._compared_in_order(plain, term, operands))

    def _by_rule(self, term: ScalarTerm, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
        if term.name == "select":
            return _selected(operands, either=self.arithmetic)
        if term.name in ("cmpi", "cmpf") and isinstance(term.operator.stated, int):
            return self._truth(term.operator.stated, operands)
        rules = floats.identity if isinstance(term.kind, str) else integers.identity
        if (found := rules(term, operands)) is not None:
            return found
        if not self.arithmetic:
            return None
        further = floats.exact if isinstance(term.kind, str) else integers.polynomial
        return further(self.terms, term, operands)

    def _truth(self, predicate: int, operands: Sequence[ScalarTerm]) -> ScalarTerm | None:
        one, other = operands
        if one.number is not None and other.number is not None:
            if isinstance(one.kind, str):
                return self.terms.constant(related_floats(predicate, one.number, other.number), 1)
            return self.terms.constant(related(predicate, one.kind, int(one.number), int(other.number)), 1)
        if isinstance(one.kind, str):
            return None
        if one is other and self.arithmetic:
            return self.terms.constant(related(predicate, 1, 0, 0), 1)
        return None

    def _compared_in_order(
        self, operator: Operator, term: ScalarTerm, operands: Sequence[ScalarTerm]
    ) -> tuple[Operator, int | str, Sequence[ScalarTerm]]:
        """A comparison with its operands in the order of their terms, or other commutative operations."""
        swapped: Mapping[str, Mapping[int, int]] = {"cmpi": _SWAPPED_CMPI, "cmpf": _SWAPPED_CMPF}
        table, predicate = swapped.get(operator.name), operator.stated
        is_swapped = self.arithmetic and table is not None and operands[0].serial > operands[1].serial
        if is_swapped and table is not None and isinstance(predicate, int):
            stated = table.get(predicate, predicate)
            return Operator(operator.name, stated, operator.flags), term.kind, operands[::-1]
        return operator, term.kind, self._ordered(operator, operands)

    @staticmethod
    def _ordered(operator: Operator, operands: Sequence[ScalarTerm]) -> Sequence[ScalarTerm]:
        if operator.name not in COMMUTATIVE:
            return operands
        return sorted(operands, key=lambda each: each.serial)


def _selected(operands: Sequence[ScalarTerm], *, either: bool) -> ScalarTerm | None:
    condition, yes, no = operands
    if condition.number is not None:
        return yes if condition.number else no
    return yes if either and yes is no else None
