"""Element-wise operations of tosa in operations of arith and math (`cases.elements.masks`).

    clamp(x)                max(x, low), and the minimum of that and high
    sigmoid(x)              1 / (1 + e^-x)
    arithmetic_right_shift  shrsi, if nothing is rounded

Extrema of floats pass on NaN unless `nan_mode` says that it is ignored. Negation of integers, which is
clipped, and casts of floats to integers are said by nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, i1
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.reads import element_type
from volcli_dialects.arith import saying
from volcli_dialects.arith.bodies import EXACT, append
from volcli_dialects.arith.ops import CAST_CLASSES
from volcli_dialects.arith.saying import compared_floats, function, is_signless
from volcli_dialects.cases.elements.masks import Saying
from volcli_dialects.cases.parts import attribute


def _constant(block: Block, number: float, kind: Attribute) -> SSAValue:
    value = FloatAttr(number, kind) if isa(kind, AnyFloat) else IntegerAttr(int(number), cast(Any, kind))
    return append(block, arith.ConstantOp, [], kind, {"value": value})


def _ignores_nan(op: Operation) -> bool:
    return "IGNORE" in str(attribute(op, "nan_mode"))


def _extremum(
    propagates: type[Operation], ignores: type[Operation], integers: Saying
) -> Callable[[Operation, Block, Sequence[SSAValue]], SSAValue | None]:
    def say(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
        kind = arguments[0].type
        if not isa(kind, AnyFloat):
            return integers(op, block, arguments)
        return append(block, ignores if _ignores_nan(op) else propagates, arguments, kind, EXACT)

    return say


def on_integers(kind: type[Operation]) -> Saying:
    """The operation KIND on integers; a shift or a quotient that is not exact."""

    def say(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
        return append(block, kind, arguments, arguments[0].type) if is_signless(arguments[0].type) else None

    return say


def absolute(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`|x|`; of integers `max(x, 0 - x)`."""
    (x,) = arguments
    if isa(x.type, AnyFloat):
        return append(block, math.AbsFOp, [x], x.type, EXACT)
    if not is_signless(x.type):
        return None
    negative = append(block, arith.SubiOp, [_constant(block, 0, x.type), x], x.type)
    return append(block, arith.MaxSIOp, [x, negative], x.type)


def negated(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`-x`, of floats."""
    kind = arguments[0].type
    return append(block, arith.NegfOp, arguments[:1], kind, EXACT) if isa(kind, AnyFloat) else None


def complement(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """All bits of an integer inverted."""
    (x,) = arguments
    if not is_signless(x.type):
        return None
    return append(block, arith.XOrIOp, [x, _constant(block, -1, x.type)], x.type)


def sigmoid(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`1 / (1 + e^-x)`."""
    (x,) = arguments
    one = _constant(block, 1.0, x.type)
    negative = append(block, arith.NegfOp, [x], x.type, EXACT)
    power = append(block, math.ExpOp, [negative], x.type, EXACT)
    total = append(block, arith.AddfOp, [power, one], x.type, EXACT)
    return append(block, arith.DivfOp, [one, total], x.type, EXACT)


def reciprocal(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`1 / x`."""
    (x,) = arguments
    return append(block, arith.DivfOp, [_constant(block, 1.0, x.type), x], x.type, EXACT)


def clamped(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`min(max(x, low), high)`."""
    (x,) = arguments
    bounds = [attribute(op, name) for name in ("min_val", "max_val")]
    if not (isa(x.type, AnyFloat) or is_signless(x.type)) or _ignores_nan(op):
        return None
    low, high = (_constant(block, cast(Any, each).value.data, x.type) for each in bounds)
    if isa(x.type, AnyFloat):
        most = append(block, arith.MaximumfOp, [x, low], x.type, EXACT)
        return append(block, arith.MinimumfOp, [most, high], x.type, EXACT)
    return append(block, arith.MinSIOp, [append(block, arith.MaxSIOp, [x, low], x.type), high], x.type)


def product(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """`x * y`; of integers, if nothing is shifted off, in the type of the result."""
    one, other = arguments[:2]
    to = element_type(op.results[0].type)
    if isa(one.type, AnyFloat):
        return append(block, arith.MulfOp, [one, other], one.type, EXACT) if one.type == to else None
    shift = op.operands[2] if len(op.operands) > 2 else None
    known = questions.constant_fill(shift.op) if isinstance(shift, OpResult) else None
    if not (is_signless(one.type) and is_signless(to) and known == 0):
        return None
    if one.type != to:
        one, other = (append(block, CAST_CLASSES["extsi"], [each], to) for each in (one, other))
    return append(block, arith.MuliOp, [one, other], to)


def shifted(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """To the right with the sign."""
    rounds = cast(Any, op.properties["round"]).value.data
    kind = arguments[0].type
    return None if rounds or not is_signless(kind) else append(block, arith.ShRSIOp, arguments, kind)


def conversion(op: Operation, block: Block, arguments: Sequence[SSAValue]) -> SSAValue | None:
    """A number in another type, but for a float as an integer: a truth is whether it is not 0."""
    (x,) = arguments
    to = element_type(op.results[0].type)
    if isa(x.type, AnyFloat) and to == i1:
        return compared_floats(block, "une", [x, _constant(block, 0.0, x.type)])
    if not isa(to, AnyFloat):
        return saying.conversion(op, block, arguments)
    if isa(x.type, AnyFloat):
        old, new = x.type.bitwidth, to.bitwidth
        if old == new:
            return x if x.type == to else None
        kind, flags = ("extf", EXACT) if old < new else ("truncf", EXACT)
        return append(block, CAST_CLASSES[kind], [x], to, flags)
    if is_signless(x.type):
        return append(block, CAST_CLASSES["uitofp" if x.type == i1 else "sitofp"], [x], to)
    return None


_WORDS = saying.INTEGERS
SAYINGS: Mapping[str, Saying] = {
    "add": _WORDS["add"], "sub": _WORDS["subtract"], "mul": product, "intdiv": on_integers(arith.DivSIOp),
    "maximum": _extremum(arith.MaximumfOp, arith.MaxnumfOp, _WORDS["maximum"]),
    "minimum": _extremum(arith.MinimumfOp, arith.MinnumfOp, _WORDS["minimum"]),
    "logical_and": _WORDS["and"], "logical_or": _WORDS["or"], "logical_xor": _WORDS["xor"],
    "logical_not": saying.negation,
    "bitwise_and": _WORDS["and"], "bitwise_or": _WORDS["or"], "bitwise_xor": _WORDS["xor"],
    "bitwise_not": complement,
    "logical_left_shift": on_integers(arith.ShLIOp), "logical_right_shift": on_integers(arith.ShRUIOp),
    "arithmetic_right_shift": shifted, "clz": on_integers(math.CountLeadingZerosOp),
    "select": saying.select, "cast": conversion, "clamp": clamped, "abs": absolute, "negate": negated,
    "equal": saying.comparison(lambda op: "eq"), "greater": saying.comparison(lambda op: "gt"),
    "greater_equal": saying.comparison(lambda op: "ge"),
    "sigmoid": sigmoid, "reciprocal": reciprocal, "pow": function(math.PowFOp),
    **{name: function(kind) for name, kind in {
        "ceil": math.CeilOp, "floor": math.FloorOp, "exp": math.ExpOp, "log": math.LogOp, "tanh": math.TanhOp,
        "erf": math.ErfOp, "sin": math.SinOp, "cos": math.CosOp, "rsqrt": math.RsqrtOp}.items()},
}  # fmt: skip
"""By TOSA's names."""
