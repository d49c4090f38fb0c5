"""The kinds of numbers that math operations compute, and which of them can tell +0 from -0; their bounds.

These can: `copysign` (its second operand), `atan2`, `powf` and `fpowi` (the base: (-0)^-1 is -inf), `rsqrt`
(1 / -0 is -inf), and what has no case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import ShapedType, i1
from xdsl.ir import Operation

from volcli.language import kinds
from volcli.language.expressions import Expression, constant, maximum, value_of
from volcli.language.questions import (
    Vanishing,
    factors,
    ignores_sign,
    index_value,
    number_kinds,
    requires,
    value_facts,
    vanishing,
    wrapped_value,
)
from volcli.language.reads import Conjunction, Disjunction
from volcli_dialects.cases.elements.scalar_functions import (
    EVEN,
    EXPONENTIAL,
    INVERSE_ROOT,
    LOGARITHM,
    MAGNITUDE,
    ODD,
    ScalarFunction,
    register_function,
)
from volcli_dialects.cases.numbers.wrapping import may_wrap, number, width, wrapped
from volcli_dialects.math.ops import TESTS, ClampFOp, ErfcOp

_FUNCTIONS: Mapping[ScalarFunction, Sequence[type[Operation]]] = {
    ODD: (math.SqrtOp, math.CbrtOp, math.SinOp, math.TanOp, math.TanhOp, math.SinhOp, math.AtanOp,
          math.AsinOp, math.AsinhOp, math.AtanhOp, math.ErfOp, math.ExpM1Op, math.Log1pOp,
          math.FloorOp, math.CeilOp, math.RoundOp, math.RoundEvenOp, math.TruncOp),
    EVEN: (math.CosOp, math.CoshOp, math.AcosOp, math.AcoshOp, ErfcOp, *TESTS),
    EXPONENTIAL: (math.ExpOp, math.Exp2Op), LOGARITHM: (math.LogOp, math.Log2Op, math.Log10Op),
    INVERSE_ROOT: (math.RsqrtOp,), MAGNITUDE: (math.AbsFOp,),
}  # fmt: skip
for _function, _kinds in _FUNCTIONS.items():
    register_function(_function, *_kinds, has_flags=True)
vanishing.case(math.AbsIOp, ClampFOp)(lambda op: Vanishing.IF_ALL_OPERANDS)  # f(0) = 0.
number_kinds.case(math.FmaOp)(lambda op: kinds.multiply_add)  # a * b + c.
factors.case(math.FmaOp)(lambda op: (0, 1))  # a and b stand in a * b alone.
number_kinds.case(math.CopySignOp)(lambda op: kinds.with_sign)  # A zero of either sign, of a zero.
ignores_sign.case(math.CopySignOp)(lambda op: (0,))  # The sign of its first operand is replaced.
ignores_sign.case(math.FmaOp)(lambda op: (0, 1, 2))  # Sums and products of zeros are zeros.
ignores_sign.case(math.PowFOp)(lambda op: (1,))  # x^0 = 1 for either zero.


@index_value.case(math.AbsIOp)
def absolute(op: math.AbsIOp) -> Expression | None:
    """max(a, -a)."""
    if width(op.result.type) is None or op.result.type == i1:
        return None
    return maximum(value_of(op.operand), -value_of(op.operand))


@wrapped_value.case(math.AbsIOp)
def wrapped_absolute(op: math.AbsIOp) -> Expression | None:
    """max(a, -a) modulo 2^w: of the i8 -128 it is -128."""
    exact = absolute(op)
    return wrapped(exact, op.result.type) if exact is not None and may_wrap(op.result.type) else exact


@value_facts.case(math.CtPopOp, math.CountLeadingZerosOp, math.CountTrailingZerosOp)
def counted_bits(op: Operation) -> Sequence[Conjunction]:
    """From none to all bits; of a type with one or two bits, all may not fit."""
    bits = width(op.results[0].type)
    if bits is None or bits < 3:
        return [()]
    return [(value_of(op.results[0]), bits - value_of(op.results[0]))]


@wrapped_value.case(math.IPowIOp)
def known_power(op: math.IPowIOp) -> Expression | None:
    """The power of a number that is known, by one that is not negative, modulo 2^w."""
    base, exponent, bits = number(op.lhs), number(op.rhs), width(op.result.type)
    if bits is None or not (base.is_constant and exponent.is_constant) or exponent.constant < 0:
        return None
    return wrapped(constant(pow(base.constant, exponent.constant, 1 << bits)), op.result.type)


@requires.case(math.IPowIOp)
def power_exists(op: math.IPowIOp) -> list[Disjunction] | None:
    """`b >= 1 or b <= -1 or e >= 0`: 0 to a negative power divides by 0. Of tensors, data decides."""
    if isinstance(op.result.type, ShapedType):
        return None
    base, exponent = value_of(op.lhs), value_of(op.rhs)
    return [((base - 1,), (-base - 1,), (exponent,))]
