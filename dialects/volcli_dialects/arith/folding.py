"""What operations give for constants that are floats: integers, and truths.

`fptosi 2.75` is 2, `bitcast 1.0 : f32 to i32` is 0x3f800000, `cmpf oeq, -0.0, 0.0` holds. The predicate
alone decides a comparison with NaN.
"""

from __future__ import annotations

import math
import struct

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float16Type, Float32Type, Float64Type, FloatAttr, IntegerType
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import Expression, constant
from volcli.language.questions import condition, wrapped_value
from volcli.language.reads import Condition
from volcli_dialects.arith.ops import CAST_CLASSES
from volcli_dialects.cases.numbers.wrapping import wrapped

_CODES = ((Float16Type, "<e", "<h"), (Float32Type, "<f", "<i"), (Float64Type, "<d", "<q"))
_ALWAYS, _NEVER = Condition(((),), ()), Condition((), ((),))


def _float(value: SSAValue) -> float | None:
    """The number that VALUE is, a scalar constant."""
    made = value.op if isinstance(value, OpResult) else None
    found = made.value if isinstance(made, arith.ConstantOp) else None
    return found.value.data if isinstance(found, FloatAttr) else None


@wrapped_value.case(CAST_CLASSES["fptosi"], CAST_CLASSES["fptoui"])
def rounded_toward_zero(op: Operation) -> Expression | None:
    """The integer part; a number that the type does not hold has none."""
    number, kind = _float(op.operands[0]), op.results[0].type
    if number is None or not math.isfinite(number) or not isa(kind, IntegerType):
        return None
    bits, has_sign = kind.bitwidth, op.name == "arith.fptosi"
    least, beyond = (-(1 << (bits - 1)), 1 << (bits - 1)) if has_sign else (0, 1 << bits)
    return wrapped(constant(int(number)), kind) if least <= int(number) < beyond else None


@wrapped_value.case(CAST_CLASSES["bitcast"])
def bits_of(op: Operation) -> Expression | None:
    """The bits of a float as a signed integer; which ones a NaN has is left open."""
    number, kind = _float(op.operands[0]), op.operands[0].type
    if number is None or number != number or not isinstance(op.results[0].type, IntegerType):
        return None
    codes = next(((a, b) for of, a, b in _CODES if isinstance(kind, of)), None)
    return None if codes is None else constant(struct.unpack(codes[1], struct.pack(codes[0], number))[0])


@condition.case(arith.CmpfOp)
def compared_constants(op: arith.CmpfOp) -> Condition | None:
    """Whether two constants compare so; of NaN and a number unordered predicates hold, others do not."""
    predicate = arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
    a, b = map(_float, op.operands)
    if predicate in ("true", "false") or any(each is not None and each != each for each in (a, b)):
        if op.fastmath.data and predicate not in ("true", "false"):
            return None  # NaN may be promised not to occur
        return _ALWAYS if predicate == "true" or predicate[0] == "u" else _NEVER
    if a is None or b is None:
        return None
    names = {"eq": a == b, "ne": a != b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b}
    holds = names.get(predicate[1:], predicate == "ord")
    return _ALWAYS if holds else _NEVER
