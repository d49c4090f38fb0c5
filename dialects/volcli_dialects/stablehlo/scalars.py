"""What the element-wise operations of stablehlo compute of numbers.

Integers without sign are signed ones, i1 is a truth: its sum is `or`, its product `and`. What the
specification leaves to the implementation, such as the quotient by zero, is not executed.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from xdsl.ir import Operation

from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import Format, format_of, signed
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Scalar
from volcli.execution.tensors.blocks import arithmetic, extremum
from volcli_dialects.arith.execution import bitcast
from volcli_dialects.cases.parts import number as number_of
from volcli_dialects.complex import execution as complex_numbers

_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "cosine": math.cos, "sine": math.sin, "tan": math.tan, "tanh": math.tanh, "exponential": math.exp,
    "exponential_minus_one": math.expm1, "log": math.log, "cbrt": np.cbrt, "atan2": math.atan2,
    "log_plus_one": lambda x: -math.inf if x == -1 else math.log1p(x), "power": np.float_power,
    "rsqrt": lambda x: 1 / math.sqrt(x) if x else math.copysign(math.inf, x),
    "logistic": lambda x: 1 / (1 + floats.total(math.exp, -x)),
}  # fmt: skip
_EXACT: Mapping[str, Callable[[Any], Any]] = {
    "ceil": np.ceil, "floor": np.floor, "sqrt": np.sqrt, "round_nearest_even": np.rint,
}  # fmt: skip


def format_at(op: Operation) -> Format:
    """The format of OP's first operand."""
    return format_of(op.operands[0].type)


def scalar_of(op: Operation) -> Scalar:
    """What OP computes of numbers."""
    name, format = op.name.partition(".")[2], format_at(op)
    if name in _PARTS:
        return Scalar(_PARTS[name])
    if name == "complex":
        return complex_numbers.create(op)
    if format.kind == "complex":
        return _of_complex(op, name)
    table = _OF_FLOATS if format.kind == "float" else _OF_INTEGERS
    if name not in table:
        raise Unsupported(op, f"{op.name} of {format.kind}s is not executed")
    return table[name](op)


_PARTS: Mapping[str, Callable[..., Any]] = {
    "real": lambda z: (+z).real, "imag": lambda z: (+z).imag,
}  # fmt: skip
_ALIKE: Mapping[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "negate": operator.neg,
}  # fmt: skip
_OF_COMPLEX: Mapping[str, Callable[..., Any]] = {
    "abs": np.abs, "cosine": np.cos, "divide": operator.truediv, "exponential": np.exp,
    "exponential_minus_one": np.expm1, "log": np.log, "log_plus_one": np.log1p,
    "logistic": lambda z: 1 / (1 + np.exp(-z)), "power": np.power, "rsqrt": lambda z: 1 / np.sqrt(z),
    "sign": lambda z: z if z == 0 else z / np.abs(z), "sine": np.sin, "sqrt": np.sqrt, "tan": np.tan,
    "tanh": np.tanh,
}  # fmt: skip
"""The functions whose accuracy is the implementation's."""


def _of_complex(op: Operation, name: str) -> Scalar:
    """Sums and products part by part, functions in double precision, as those of the dialect complex."""
    if name in _ALIKE:
        return Scalar(_ALIKE[name], _ALIKE[name])
    if name == "multiply":
        return complex_numbers.mul(op)
    if name not in _OF_COMPLEX:
        raise Unsupported(op, f"{op.name} of complex numbers is not executed")
    return complex_numbers.through_double(op, _OF_COMPLEX[name])


def _through_double(op: Operation) -> Scalar:
    return floats.through_double(_FUNCTIONS[op.name.partition(".")[2]], format_of(op.results[0].type))


def _exactly(op: Operation) -> Scalar:
    function = _EXACT[op.name.partition(".")[2]]
    return Scalar(lambda a: function(+a), function)


def _away_from_zero(a: Any) -> Any:
    """To the nearest integer, ties away from zero.

    >>> float(_away_from_zero(np.float32(-2.5))), float(_away_from_zero(np.float32(0.49999997)))
    (-3.0, 0.0)
    """
    whole = np.trunc(+a)
    return whole + np.copysign(type(a)(1), a) if abs(a - whole) >= 0.5 else whole


_OF_FLOATS: Mapping[str, Callable[[Operation], Scalar]] = {
    **dict.fromkeys(_FUNCTIONS, _through_double),
    **dict.fromkeys(_EXACT, _exactly),
    "abs": lambda op: Scalar(lambda a: abs(+a), np.abs, "absf"),
    "is_finite": lambda op: Scalar(lambda a: int(np.isfinite(+a)), np.isfinite),
    "negate": lambda op: Scalar(lambda a: -a, np.negative, term="negf"),
    "sign": lambda op: Scalar(lambda a: a if a != a or a == 0 else np.copysign(type(a)(1), a)),
    "round_nearest_afz": lambda op: Scalar(_away_from_zero),
    "add": lambda op: arithmetic("add", op.operands[0].type),
    "subtract": lambda op: arithmetic("sub", op.operands[0].type),
    "multiply": lambda op: arithmetic("mul", op.operands[0].type),
    "divide": lambda op: Scalar(lambda a, b: a / b, np.divide, term="divf"),
    "remainder": lambda op: Scalar(lambda a, b: np.fmod(+a, +b), np.fmod, term="remf"),
    "maximum": lambda op: extremum("max", op.operands[0].type),
    "minimum": lambda op: extremum("min", op.operands[0].type),
}


def _sum_or(name: str, of_truths: str) -> Callable[[Operation], Scalar]:
    def made(op: Operation) -> Scalar:
        if format_at(op).width == 1:
            return integers.alike(op, of_truths, format_at(op))
        return arithmetic(name, op.operands[0].type)

    return made


def _division(name: str) -> Callable[[Operation], Scalar]:
    """A quotient toward zero, or what it leaves; where it has no value that is not executed."""

    def made(op: Operation) -> Scalar:
        format = format_at(op)
        function = (integers.UNSIGNED if format.is_unsigned else integers.SIGNED)[name]
        wrap, least = format.wrap(), -(1 << (format.width - 1))

        def number(a: int, b: int) -> int:
            if b == 0 or (not format.is_unsigned and b == -1 and a == least):
                raise Unsupported(op, f"{op.name} of {a} and {b}, which the implementation defines")
            return wrap(function(a, b))

        return Scalar(number)

    return made


def _power(op: Operation) -> Scalar:
    """Integer exponentiation, which wraps; of a negative exponent the specification states no result."""
    wrap = format_at(op).wrap()

    def number(a: int, n: int) -> int:
        if n < 0:
            raise Unsupported(op, f"{a} to the power of {n}, which is not an integer")
        return wrap(pow(a, n, 1 << format_at(op).width))

    return Scalar(number)


def _shift(name: str) -> Callable[[Operation], Scalar]:
    """By the width or more: all bits are gone; to the right with the sign, all are the sign."""

    def made(op: Operation) -> Scalar:
        format = format_at(op)
        wrap, bits, width = format.wrap(), format.unsigned(), format.width

        def number(a: int, b: int) -> int:
            by = min(bits(b), width)
            if name == "shift_left":
                return wrap(bits(a) << by)
            return wrap((signed(a, width) if name == "shift_right_arithmetic" else bits(a)) >> by)

        return Scalar(number)

    return made


def _of_bits(function: Callable[[int, int], int]) -> Callable[[Operation], Scalar]:
    def made(op: Operation) -> Scalar:
        bits, width = format_at(op).unsigned(), format_at(op).width
        return Scalar(lambda a: function(bits(a), width))

    return made


def _wrapped(function: Callable[[int], int]) -> Callable[[Operation], Scalar]:
    def made(op: Operation) -> Scalar:
        wrap = format_at(op).wrap()
        return Scalar(lambda a: wrap(function(a)))

    return made


_OF_INTEGERS: Mapping[str, Callable[[Operation], Scalar]] = {
    "power": _power,
    "abs": _wrapped(abs), "negate": _wrapped(lambda a: -a), "sign": _wrapped(lambda a: (a > 0) - (a < 0)),
    "not": _wrapped(lambda a: ~a),
    "count_leading_zeros": _of_bits(lambda a, width: width - a.bit_length()),
    "popcnt": _of_bits(lambda a, width: a.bit_count()),
    "add": _sum_or("add", "or"), "multiply": _sum_or("mul", "and"),
    "subtract": lambda op: arithmetic("sub", op.operands[0].type),
    "divide": _division("div"), "remainder": _division("rem"),
    "maximum": lambda op: extremum("max", op.operands[0].type),
    "minimum": lambda op: extremum("min", op.operands[0].type),
    **{name: lambda op, name=name: integers.alike(op, name, format_at(op)) for name in ("and", "or", "xor")},
    **{name: _shift(name) for name in ("shift_left", "shift_right_arithmetic", "shift_right_logical")},
}  # fmt: skip


def conversion(op: Operation) -> Scalar:
    """The number in another type: a float is cut off, a truth is 0 or 1, and what is not 0 is a truth."""
    source, target = format_at(op), format_of(op.results[0].type)
    low = 0 if target.is_unsigned else -(1 << (target.width - 1))
    high = low + (1 << target.width)

    def number(a: Any) -> Any:
        if target.kind == "integer" and target.width == 1:
            return int(+a != 0)
        if source.kind == "float" and target.kind == "integer":
            if not math.isfinite(a) or not low <= int(a) < high:
                raise Unsupported(op, f"{op.name} of {a}, which the implementation defines")
            return int(a)
        return target.number(+a)

    return Scalar(number)


def comparison(op: Operation, direction: str) -> Scalar:
    """A truth; NaN is different from each number, and neither less nor greater."""
    format = format_at(op)
    if format.kind == "float":
        return floats.comparison("une" if direction == "ne" else f"o{direction}")
    if format.kind == "complex":
        if direction not in ("eq", "ne"):
            raise Unsupported(op, "the order of complex numbers is not executed")
        return Scalar(lambda a, b: int(bool(+a == +b) is (direction == "eq")))
    is_signed = not format.is_unsigned and format.width > 1
    relation = direction if direction in ("eq", "ne") else ("s" if is_signed else "u") + direction
    return integers.comparison(relation, format)


def less_precise(op: Operation) -> Scalar:
    """To the nearest number of fewer bits, ties to even; infinite beyond the largest, 0 below the least.

    With 5 and 2 bits 1.125 is 1.0, 1.375 is 1.5, 65536 is infinite.
    """
    exponent, significand = (number_of(op, name) for name in ("exponent_bits", "mantissa_bits"))
    bias, format = (1 << (exponent - 1)) - 1, format_of(op.results[0].type)

    def number(a: Any) -> Any:
        x = float(+a)
        if x == 0 or not math.isfinite(x):
            return a
        fraction, power = math.frexp(x)
        rounded = math.ldexp(round(math.ldexp(fraction, significand + 1)), power - significand - 1)
        if abs(rounded) >= math.ldexp(1.0, bias + 1):
            rounded = math.inf
        elif abs(rounded) < math.ldexp(1.0, 1 - bias):
            rounded = 0.0
        return format.number(math.copysign(rounded, x))

    return Scalar(number)


def bitcast_convert(op: Operation) -> Scalar:
    """The same bits as a number of another type of this width."""
    if format_of(op.operands[0].type).width != format_of(op.results[0].type).width:
        raise Unsupported(op, "bitcasts to another width are not executed")
    return bitcast(op)
