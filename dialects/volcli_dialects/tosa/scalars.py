"""What the element-wise operations of tosa compute of numbers."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from xdsl.ir import Attribute, Operation

from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import Format, format_of
from volcli.execution.numbers.values import POISON
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Scalar
from volcli.execution.tensors.blocks import arithmetic, extremum


def kind_of(op: Operation) -> Attribute:
    """The type of OP's first operand."""
    return op.operands[0].type


def format_at(op: Operation) -> Format:
    """Its format."""
    return format_of(kind_of(op))


def mode(op: Operation, name: str) -> str:
    """The word of the attribute NAME; "" without one."""
    found = op.properties.get(name)
    return "" if found is None else str(cast(Any, found).data)


_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "cos": math.cos, "sin": math.sin, "erf": math.erf, "exp": math.exp, "log": math.log, "tanh": math.tanh,
    "rsqrt": lambda x: 1 / math.sqrt(x) if x else math.copysign(math.inf, x),
    "sigmoid": lambda x: 1 / (1 + floats.total(math.exp, -x)), "pow": np.float_power,
}  # fmt: skip


def _magnitude(op: Operation) -> Scalar:
    wrap = format_at(op).wrap()
    if format_at(op).kind == "integer":
        return Scalar(lambda a: wrap(abs(a)))
    return Scalar(lambda a: abs(+a), np.abs, "absf")


def _inverted(op: Operation) -> Scalar:
    wrap = format_at(op).wrap()
    return Scalar(lambda a: wrap(~a), np.invert)


def _leading_zeros(op: Operation) -> Scalar:
    bits, width = format_at(op).unsigned(), format_at(op).width
    return Scalar(lambda a: width - bits(a).bit_length())


def _comparison(signs: str, relation: str) -> Callable[[Operation], Scalar]:
    def made(op: Operation) -> Scalar:
        if format_at(op).kind != "integer":
            return floats.comparison(f"o{relation}")
        return integers.comparison(signs + relation, format_at(op))

    return made


def _shifted(op: Operation) -> Scalar:
    """To the right with the sign; `round`: the last bit that is lost is added."""
    plain = integers.shift("right with sign", format_at(op)).number
    if not cast(Any, op.properties["round"]).value.data:
        return Scalar(plain)
    wrap = format_at(op).wrap()

    def rounded(a: int, b: int) -> Any:
        found = plain(a, b)
        return found if found is POISON or b == 0 else wrap(found + ((a >> (b - 1)) & 1))

    return Scalar(rounded)


def _product(op: Operation) -> Scalar:
    """`(a * b + half) >> shift` of i32; otherwise the product in the result's type."""
    made = arithmetic("mul", op.results[0].type)
    if format_at(op).kind != "integer":
        block = lambda a, b, shift: a * b  # noqa: E731
        return Scalar(lambda a, b, shift: made.number(a, b), block, "mulf", term_operands=2)
    wrap = format_of(op.results[0].type).wrap()
    return Scalar(lambda a, b, shift: wrap((a * b + ((1 << shift) >> 1)) >> shift))


def _of_floats(function: Callable[..., float]) -> Callable[[Operation], Scalar]:
    def made(op: Operation) -> Scalar:
        if format_at(op).kind == "integer":
            raise Unsupported(op, f"{op.name} of integers is not executed")
        return floats.through_double(function, format_of(op.results[0].type))

    return made


SCALARS: Mapping[str, Callable[[Operation], Scalar]] = {
    **{name: _of_floats(function) for name, function in _FUNCTIONS.items()},
    "abs": _magnitude,
    "bitwise_not": _inverted,
    "logical_not": lambda op: Scalar(lambda a: 1 - a, np.logical_not),
    "ceil": lambda op: Scalar(lambda a: np.ceil(+a), np.ceil),
    "floor": lambda op: Scalar(lambda a: np.floor(+a), np.floor),
    "clz": _leading_zeros,
    "reciprocal": lambda op: Scalar(lambda a: np.dtype(format_at(op).dtype).type(1) / a),
    **{name: lambda op, name=name: arithmetic(name, kind_of(op)) for name in ("add", "sub")},
    "mul": _product,
    "intdiv": lambda op: integers.with_sign(op, "div", format_at(op)),
    "maximum": lambda op: extremum("max", kind_of(op), ignores_nan=mode(op, "nan_mode") == "IGNORE"),
    "minimum": lambda op: extremum("min", kind_of(op), ignores_nan=mode(op, "nan_mode") == "IGNORE"),
    **{f"{kind}_{name}": lambda op, name=name: integers.alike(op, name, format_at(op))
       for kind in ("bitwise", "logical") for name in ("and", "or", "xor")},
    "logical_left_shift": lambda op: integers.shift("left", format_at(op)),
    "logical_right_shift": lambda op: integers.shift("right", format_at(op)),
    "arithmetic_right_shift": _shifted,
    "equal": _comparison("", "eq"),
    "greater": _comparison("s", "gt"),
    "greater_equal": _comparison("s", "ge"),
    "select": lambda op: Scalar(lambda c, a, b: a if c else b, np.where, term="select", chooses=True),
}  # fmt: skip
