"""Operations on floats for the solver z3, in its theory of IEEE 754: -0 is not +0, and all NaN are one."""

# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# z3 has no types.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

from volcli.equivalence.terms.terms import Kind, ScalarTerm

_SIZES = {"f16": (5, 11), "bf16": (8, 8), "f32": (8, 24), "f64": (11, 53)}
_COMPARED = ("fpEQ", "fpGT", "fpGEQ", "fpLT", "fpLEQ")
_OF_NAN = frozenset(("addf", "subf", "mulf", "divf", "remf"))
"""Operations that are not looked into, but that are NaN where an operand is."""


class FloatEncoding:
    """What operations on floats are in z3."""

    def __init__(self, z3: Any) -> None:
        self._z3 = z3

    def sort(self, kind: str) -> Any:
        """The floats of a KIND."""
        return self._z3.FPSort(*_SIZES[kind])

    def number(self, number: float | None, sort: Any) -> Any:
        """A constant NUMBER of a SORT."""
        z3 = self._z3
        assert number is not None
        if math.isnan(number):
            return z3.fpNaN(sort)
        if math.isinf(number):
            return z3.fpInfinity(sort, number < 0)
        if number == 0:
            return z3.fpZero(sort, math.copysign(1.0, number) < 0)
        return z3.FPVal(number, sort)

    def operation(
        self, term: ScalarTerm, kinds: Sequence[Kind], values: Sequence[Any], sort: Any, unknown: Any
    ) -> Any | None:
        """What TERM is of VALUES of KINDS; UNKNOWN stands for what is not looked into."""
        z3, name = self._z3, term.name
        nearest = z3.RNE()
        match name, values:
            case "cmpf", (one, other):
                return self._related(cast("int", term.operator.stated), one, other)
            case "negf", (one,):
                return z3.fpNeg(one)
            case (("absf" | "math.absf"), (one,)):
                return z3.fpAbs(one)
            case (("extf" | "truncf"), (one,)):
                return z3.fpFPToFP(nearest, one, sort)
            case "sitofp", (one,):
                return z3.fpSignedToFP(nearest, one, sort)
            case "uitofp", (one,):
                return z3.fpUnsignedToFP(nearest, one, sort)
            case "bitcast", (one,) if isinstance(kinds[0], int):
                return z3.fpBVToFP(one, sort)
            case (("maximumf" | "minimumf" | "maxnumf" | "minnumf"), (one, other)):
                return self._extremum(name, one, other, unknown)
            case _ if name in _OF_NAN:
                is_nan = z3.Or(*map(z3.fpIsNaN, values))
                return z3.If(is_nan, z3.fpNaN(sort), unknown)
            case _:
                return None

    def _related(self, predicate: int, one: Any, other: Any) -> Any:
        z3 = self._z3
        is_unordered = z3.Or(z3.fpIsNaN(one), z3.fpIsNaN(other))
        position = (predicate - 1) % 7
        if predicate in (0, 15):
            holds = z3.BoolVal(predicate == 15)
        elif predicate in (7, 14):
            holds = is_unordered if predicate == 14 else z3.Not(is_unordered)
        else:
            relation = getattr(z3, _COMPARED[position])(one, other) if position < 5 else None
            if relation is None:
                relation = z3.Not(z3.Or(is_unordered, z3.fpEQ(one, other)))
            holds = z3.Or(is_unordered, relation) if predicate > 7 else relation
        return z3.If(holds, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))

    def _extremum(self, name: str, one: Any, other: Any, unknown: Any) -> Any:
        """The greater, or the lesser: +0 is greater than -0; of maxnumf and minnumf that is not known."""
        z3, is_greatest = self._z3, name.startswith("max")
        found = z3.If(z3.fpGT(one, other) if is_greatest else z3.fpLT(one, other), one, other)
        zeros = z3.And(z3.fpIsZero(one), z3.fpIsZero(other), one != other)
        positive = z3.If(z3.fpIsPositive(one) if is_greatest else z3.fpIsNegative(one), one, other)
        if name.endswith("numf"):
            found = z3.If(zeros, unknown, found)
            return z3.If(z3.fpIsNaN(one), other, z3.If(z3.fpIsNaN(other), one, found))
        found = z3.If(zeros, positive, found)
        return z3.If(z3.fpIsNaN(one), one, z3.If(z3.fpIsNaN(other), other, found))

    def whole(self, name: str, width: int, value: Any) -> tuple[Any, Any]:
        """A float rounded toward zero, as an integer of WIDTH bits; it is poison where that has more bits."""
        z3, sort = self._z3, value.sort()
        toward_zero = z3.RTZ()
        rounded = z3.fpRoundToIntegral(toward_zero, value)
        signed = name == "fptosi"
        low = -(2.0 ** (width - 1)) if signed else 0.0
        least, end = (
            z3.fpRealToFP(z3.RNE(), z3.RealVal(each), sort) for each in (low, 2.0 ** (width - signed))
        )
        fits = z3.And(z3.fpGEQ(rounded, least), z3.fpLT(rounded, end))
        to = z3.fpToSBV if signed else z3.fpToUBV
        return to(toward_zero, value, z3.BitVecSort(width)), z3.Not(fits)
