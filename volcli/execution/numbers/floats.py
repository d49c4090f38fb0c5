"""The operations of floats, on numpy's scalars and arrays: IEEE 754, rounded to nearest each time.

numpy computes f16 and f32 in a wider format and rounds once, which is the same number: a format with at least
twice the bits and two more makes +, -, *, / and sqrt right (Figueroa, "When is double rounding innocuous?",
1995). Functions as exp are computed in f64 by the C library and rounded: of f32 and narrower the result is
the nearest number but for rare ties; other implementations may differ in the last bit.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from volcli.execution.numbers.formats import Format
from volcli.execution.numbers.values import POISON
from volcli.execution.table import Scalar

ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "rem": np.fmod,
}  # fmt: skip
EXTREMA: Mapping[str, Callable[[Any, Any], Any]] = {
    "maximum": np.maximum, "minimum": np.minimum, "maxnum": np.fmax, "minnum": np.fmin,
}  # fmt: skip
"""`maximum` is NaN if one operand is, `maxnum` then the other one."""
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge,
}  # fmt: skip


def arithmetic(name: str) -> Scalar:
    """One of ARITHMETIC."""
    return Scalar(ARITHMETIC[name], ARITHMETIC[name])


def extremum(name: str) -> Scalar:
    """One of EXTREMA; -0.0 is less than 0.0."""
    choose, is_max = EXTREMA[name], name.startswith("max")

    def number(a: Any, b: Any) -> Any:
        if a == b == 0:
            return b if (np.signbit(a) if is_max else np.signbit(b)) else a
        return choose(a, b)

    def block(a: Any, b: Any) -> Any:
        zeros = np.where(np.signbit(a) if is_max else np.signbit(b), b, a)
        return np.where((a == 0) & (b == 0), zeros, choose(a, b))

    return Scalar(number, block)


def promised(scalar: Scalar, flags: Collection[str]) -> Scalar:
    """SCALAR, or poison where `nnan` or `ninf` of FLAGS is wrong of an operand or of the result."""
    no_nan, no_infinity = "nnan" in flags, "ninf" in flags
    if not (no_nan or no_infinity):
        return scalar

    def is_wrong(number: Any) -> bool:
        return bool((no_nan and number != number) or (no_infinity and np.isinf(+number)))

    def number(*operands: Any) -> Any:
        found = scalar.number(*operands)
        return POISON if any(map(is_wrong, (*operands, found))) else found

    return replace(scalar, number=number, block=None)


def comparison(predicate: str) -> Scalar:
    """A predicate of arith.cmpf: `o` and a relation holds of numbers only, `u` and a relation also of NaN.

    >>> (
    ...     comparison("ult").number(np.float32("nan"), np.float32(1)),
    ...     comparison("oeq").number(np.float32(1), np.float32(1)),
    ... )
    (1, 1)
    """
    if predicate in ("true", "false"):
        return Scalar(
            lambda a, b: int(predicate == "true"), lambda a, b: np.full(np.shape(a), predicate == "true")
        )
    if predicate in ("ord", "uno"):
        is_ord = predicate == "ord"
        return Scalar(
            lambda a, b: int(bool(a == a and b == b) == is_ord), lambda a, b: ((a == a) & (b == b)) == is_ord
        )
    relation = RELATIONS[predicate[1:]]
    with_nan = predicate[0] == "u"

    def number(a: Any, b: Any) -> int:
        if a != a or b != b:
            return int(with_nan)
        return int(relation(a, b))

    def block(a: Any, b: Any) -> Any:
        nan = (a != a) | (b != b)
        return (relation(a, b) & ~nan) | nan if with_nan else relation(a, b) & ~nan

    return Scalar(number, block)


def through_double(function: Callable[..., float], format: Format, term: str | None = None) -> Scalar:
    """FUNCTION of the C library, in f64, rounded to FORMAT; where it raises, its limit or NaN."""
    rounded: Any = np.dtype(format.dtype).type

    def number(*operands: Any) -> Any:
        return rounded(total(function, *map(float, operands)))

    return Scalar(number, term=term)


def total(function: Callable[..., float], *operands: float) -> float:
    """FUNCTION where Python's math module raises: NaN outside of the domain, infinity where it is too large.

    >>> total(math.log, -1.0), total(math.exp, 1e9), total(math.log, 0.0)
    (nan, inf, -inf)
    """
    try:
        return function(*operands)
    except ValueError:
        at_pole = {math.log: -math.inf, math.log2: -math.inf, math.log10: -math.inf}
        return at_pole.get(function, math.nan) if operands[0] == 0 else math.nan
    except OverflowError:
        return math.inf


def rounded_once(a: Any, b: Any, c: Any, rounded: Any) -> Any:
    """a * b + c in exact arithmetic, then rounded; where one is not finite, as floats compute it.

    >>> one = np.float32(1 + 2**-12)
    >>> bool(rounded_once(one, one, np.float32(-1), np.float32) == np.float32(2**-11 + 2**-24))
    True
    """
    values = [float(each) for each in (a, b, c)]
    if not all(map(math.isfinite, values)):
        return rounded(values[0] * values[1] + values[2])
    x, y, z = map(Fraction, values)
    exact = x * y + z
    if exact == 0:
        return rounded(values[0] * values[1] + values[2])
    return nearest_fraction(exact, rounded)


def nearest_fraction(exact: Fraction, rounded: Any) -> Any:
    """The float of type ROUNDED that is nearest to EXACT: through an f64 that is rounded to odd."""
    try:
        double = float(exact)  # nearest, ties to even
    except OverflowError:
        return rounded(math.copysign(math.inf, exact))
    if rounded is np.float64 or Fraction(double) == exact:
        return rounded(double)
    mantissa = np.float64(double).view(np.int64)
    if mantissa & 1:
        return rounded(double)
    toward = math.inf if exact > Fraction(double) else -math.inf
    return rounded(np.nextafter(double, toward))
