"""Refinement of terms by bit-vectors, where rules do not decide: z3, if it is installed (`volcli[smt]`).

    there are no atoms for which BEFORE is no poison, and AFTER is poison or another number

Of floats z3 knows comparisons, signs, extrema, conversions, and what bits are. Other operations are functions
of which it knows that equal operands have equal results, and that sums and products of NaN are NaN: dividing
takes minutes. So a refutation says nothing, and only proofs count.
The solver may take a number of its own steps, not seconds, so that its answers are the same in each run.
"""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# z3 has no types.

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from volcli.equivalence.terms.floats import identity
from volcli.equivalence.terms.folding import RELATIONS
from volcli.equivalence.terms.operators import COMMUTATIVE
from volcli.equivalence.terms.solver_floats import FloatEncoding
from volcli.equivalence.terms.terms import ATOM, NUMBER, Kind, ScalarTerm, operands_first
from volcli.limits import equivalence as limits

_ABSENT = "the solver z3 is not installed (pip install volcli[smt])"
_UNDECIDED = "the solver z3 did not decide in as many steps as it may take"
_PLAIN = {
    "addi": "__add__", "subi": "__sub__", "muli": "__mul__",
    "andi": "__and__", "ori": "__or__", "xori": "__xor__",
}  # fmt: skip
_TOTAL = frozenset(("addf", "subf", "mulf", "divf", "remf", "maxnumf", "minnumf", "truncf", "extf"))
"""Operations on floats that are never poison, if they have no flags."""
_HARMLESS_FLAGS = frozenset(("nsw", "nuw", "isExact"))


def is_refined(old: ScalarTerm, new: ScalarTerm, given: Collection[int]) -> bool | str:
    """Whether NEW refines OLD, whose atoms that are GIVEN are no poison; or why that is not known."""
    if old.kind != new.kind:
        return "they are of other types"
    try:
        import z3  # an extra, and slow to import
    except ImportError:
        return _ABSENT
    encoded = _Encoding(z3, given)
    try:
        before, after = encoded.of(old), encoded.of(new)
    except _NotEncoded as why:
        return str(why)
    solver = z3.Solver() if encoded.has_floats else z3.SolverFor("QF_UFBV")
    solver.set("rlimit", int(limits.SOLVER_STEPS))
    solver.add(*encoded.known)
    value, poison = before
    solver.add(z3.Not(poison), z3.Or(after[1], value != after[0]))
    answer = solver.check()
    if answer == z3.unsat:
        return True
    return False if answer == z3.sat else _UNDECIDED


class _NotEncoded(Exception):
    """A term has no meaning as bits."""


class _Encoding:
    """Terms as pairs of a bit-vector, or an element of an uninterpreted sort, and whether it is poison."""

    def __init__(self, z3: Any, given: Collection[int]) -> None:
        self._z3 = z3
        self._given = given
        self._floats = FloatEncoding(z3)
        self._known: dict[int, tuple[Any, Any]] = {}
        self.known: list[Any] = []
        """What holds of the values of terms."""
        self.has_floats = False
        self._names: dict[Hashable, str] = {}

    def of(self, term: ScalarTerm) -> tuple[Any, Any]:
        """The value of TERM, and whether it is poison. Raises _NotEncoded."""
        for each in operands_first(term, self._known):
            self._known[each.serial] = self._made(each)
        return self._known[term.serial]

    def _sort(self, kind: Kind) -> Any:
        if isinstance(kind, str):
            self.has_floats = True
            return self._floats.sort(kind)
        if kind > limits.SOLVER_BITS or kind < 1:
            raise _NotEncoded(f"numbers of {kind} bits are not given to the solver")
        return self._z3.BitVecSort(kind)

    def _name(self, key: Hashable) -> str:
        return self._names.setdefault(key, f"v{len(self._names)}")

    def _made(self, term: ScalarTerm) -> tuple[Any, Any]:
        z3, sort = self._z3, self._sort(term.kind)
        if term.name == ATOM:
            number = term.operator.stated
            poison = z3.BoolVal(False) if number in self._given else z3.Bool(self._name(("poison", number)))
            return z3.Const(self._name((number, term.kind)), sort), poison
        if term.name == NUMBER and isinstance(term.kind, int):
            return z3.BitVecVal(term.number, term.kind), z3.BoolVal(False)
        if term.name == NUMBER:
            return self._floats.number(term.number, sort), z3.BoolVal(False)
        if term.name == "select":
            return self._selected(term)
        operands = [self._known[each.serial] for each in term.operands]
        values = [value for value, _ in operands]
        own = self._integer(term, values) if self._is_of_bits(term) else self._float(term, values)
        value, poison = own or self._function(term, values)
        return value, z3.Or(poison, *(each for _, each in operands))

    def _is_of_bits(self, term: ScalarTerm) -> bool:
        kinds = [term.kind, *(each.kind for each in term.operands)]
        is_plain = term.operator.stated is None or term.name == "cmpi"
        return is_plain and all(isinstance(kind, int) for kind in kinds)

    def _float(self, term: ScalarTerm, values: list[Any]) -> tuple[Any, Any] | None:
        """An operation on floats, and where it is poison; None if it is not known."""
        operator, z3 = term.operator, self._z3
        if operator.flags or not (operator.stated is None or term.name == "cmpf"):
            return None
        if term.name == "bitcast" and isinstance(term.kind, int):
            bits = z3.BitVec(self._name(("bits", term.operands[0].serial)), term.kind)
            self.known.append(z3.fpBVToFP(bits, values[0].sort()) == values[0])
            return bits, z3.BoolVal(False)
        kinds = [each.kind for each in term.operands]
        if term.name in ("fptosi", "fptoui") and isinstance(term.kind, int):
            return self._floats.whole(term.name, term.kind, values[0])
        if (same := identity(term, term.operands)) is not None:
            return self._known[same.serial][0], z3.BoolVal(False)
        unknown = self._function(term, values)
        found = self._floats.operation(term, kinds, values, self._sort(term.kind), unknown[0])
        return None if found is None else (found, unknown[1] if found is unknown[0] else z3.BoolVal(False))

    def _selected(self, term: ScalarTerm) -> tuple[Any, Any]:
        (condition, bad), (yes, bad_yes), (no, bad_no) = (self._known[each.serial] for each in term.operands)
        if term.operands[0].kind != 1:
            raise _NotEncoded("a selection by a vector")
        holds = condition == 1
        return self._z3.If(holds, yes, no), self._z3.Or(bad, self._z3.If(holds, bad_yes, bad_no))

    def _function(self, term: ScalarTerm, values: list[Any]) -> tuple[Any, Any]:
        """An operation that is not looked into; it is poison where it is, on equal operands, elsewhere."""
        z3 = self._z3
        if term.name in COMMUTATIVE:
            values = sorted(values, key=lambda each: each.get_id())
        sorts = [each.sort() for each in values]
        key = (term.operator.key, term.kind, *(each.kind for each in term.operands))
        value = z3.Function(self._name((key, "value")), *sorts, self._sort(term.kind))
        if not term.operator.flags and term.name in _TOTAL:
            return value(*values), z3.BoolVal(False)
        poison = z3.Function(self._name((key, "poison")), *sorts, z3.BoolSort())
        if not values:
            return z3.Const(self._name((key, 0)), self._sort(term.kind)), z3.Bool(self._name((key, 1)))
        return value(*values), poison(*values)

    def _integer(self, term: ScalarTerm, values: list[Any]) -> tuple[Any, Any] | None:
        """An operation on integers, and where it is poison; None if it is not known."""
        z3, name, width = self._z3, term.name, term.kind
        if not term.operator.flags <= _HARMLESS_FLAGS:
            return None
        if name == "cmpi" and isinstance(term.operator.stated, int):
            return self._compared(term.operator.stated, *values), z3.BoolVal(False)
        if len(values) == 1:
            return self._cast(term, values[0])
        one, other = values
        if name in _PLAIN:
            return getattr(one, _PLAIN[name])(other), self._overflow(term, one, other)
        if name in ("maxsi", "minsi", "maxui", "minui"):
            less = one < other if name.endswith("si") else z3.ULT(one, other)
            return z3.If(less == name.startswith("min"), one, other), z3.BoolVal(False)
        if name in ("shli", "shrui", "shrsi"):
            return self._shifted(term, one, other)
        if name in ("divui", "remui") and not term.operator.flags:
            return (z3.UDiv if name == "divui" else z3.URem)(one, other), other == 0
        if name in ("divsi", "remsi") and not term.operator.flags and isinstance(width, int):
            overflows = z3.And(one == 2 ** (width - 1), other == -1)
            return (one / other if name == "divsi" else z3.SRem(one, other)), z3.Or(other == 0, overflows)
        return None

    def _compared(self, predicate: int, one: Any, other: Any) -> Any:
        z3 = self._z3
        relation, is_signed = RELATIONS[predicate]
        unsigned = {6: z3.ULT, 7: z3.ULE, 8: z3.UGT, 9: z3.UGE}
        holds = relation(one, other) if is_signed or predicate < 2 else unsigned[predicate](one, other)
        return z3.If(holds, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))

    def _cast(self, term: ScalarTerm, value: Any) -> tuple[Any, Any] | None:
        z3, width, source = self._z3, term.kind, term.operands[0].kind
        if not isinstance(width, int) or not isinstance(source, int) or term.operator.flags:
            return None
        if term.name in ("extsi", "index_cast") and width >= source:
            return z3.SignExt(width - source, value), z3.BoolVal(False)
        if term.name in ("extui", "index_castui") and width >= source:
            return z3.ZeroExt(width - source, value), z3.BoolVal(False)
        if term.name in ("trunci", "index_cast", "index_castui") and width <= source:
            return z3.Extract(width - 1, 0, value), z3.BoolVal(False)
        return None

    def _overflow(self, term: ScalarTerm, one: Any, other: Any) -> Any:
        """Where a sum, difference or product with flags is poison."""
        z3, name, found = self._z3, term.name, list[Any]()
        for flag, is_signed in (("nsw", True), ("nuw", False)):
            if flag not in term.operator.flags:
                continue
            fits = {
                "addi": [z3.BVAddNoOverflow(one, other, is_signed)],
                "subi": [z3.BVSubNoUnderflow(one, other, is_signed)],
                "muli": [z3.BVMulNoOverflow(one, other, is_signed)],
            }[name]
            if is_signed:
                fits += {
                    "addi": [z3.BVAddNoUnderflow(one, other)],
                    "subi": [z3.BVSubNoOverflow(one, other)],
                    "muli": [z3.BVMulNoUnderflow(one, other)],
                }[name]
            found.append(z3.Not(z3.And(*fits)))
        return z3.Or(*found) if found else z3.BoolVal(False)

    def _shifted(self, term: ScalarTerm, one: Any, other: Any) -> tuple[Any, Any]:
        z3, flags = self._z3, term.operator.flags
        far = z3.UGE(other, term.kind)
        if term.name == "shli":
            value = one << other
            lost = [(value >> other) != one] if "nsw" in flags else []
            lost += [z3.LShR(value, other) != one] if "nuw" in flags else []
        else:
            value = one >> other if term.name == "shrsi" else z3.LShR(one, other)
            lost = [(value << other) != one] if "isExact" in flags else []
        return value, z3.Or(far, *lost)
