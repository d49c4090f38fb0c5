"""The scalar bodies of structured operations: what is computed from one element of each operand.

A body is a region of one block whose arguments are the operands' elements in order (inputs, then outputs)
and whose linalg.yield gives the outputs' new elements, built as mlir-opt 22 builds it. The body of an i8 x
i8 -> i32 matmul:

    ^bb0(%a: i8, %b: i8, %c: i32):
      %0 = arith.extsi %a : i8 to i32
      %1 = arith.extsi %b : i8 to i32
      %2 = arith.muli %0, %1 : i32
      %3 = arith.addi %c, %2 : i32
      linalg.yield %3 : i32

A body is a function from a `BodyBuilder` (a block under construction) to the value that it yields; BODIES
names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from volcli.language.reads import element_type
from volcli_dialects.arith.casts import CAST_CLASSES
from volcli_dialects.linalg import named_ops
from volcli_dialects.linalg.scalars import IndexOp, YieldOp

_EXACT: Mapping[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
_WRAPPING: Mapping[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}


class BodyBuilder:
    """A body under construction: its block's arguments, and operations appended one by one.

    `unsigned` says how integers are widened (the operation's `cast` attribute).
    """

    def __init__(self, operands: Sequence[SSAValue], unsigned: bool = False) -> None:
        self.block = Block(arg_types=[element_type(operand.type) for operand in operands])
        self.arguments = self.block.args
        self.unsigned = unsigned

    def apply(
        self,
        operation: type[Operation],
        *operands: SSAValue,
        to: Attribute | None = None,
        properties: Mapping[str, Attribute] = {},
    ) -> SSAValue:
        """Append an operation with one result, of type `to` or of its first operand's type."""
        op = operation.create(
            operands=operands,
            result_types=(operands[0].type if to is None else to,),
            properties=dict(properties),
        )
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: IntegerAttr | FloatAttr) -> SSAValue:
        """A constant with its attribute's type."""
        return self.apply(arith.ConstantOp, to=value.type, properties={"value": value})

    def finish(self, *yielded: SSAValue) -> Region:
        """Close the block with linalg.yield."""
        self.block.add_op(YieldOp.create(operands=yielded))
        return Region(self.block)

    def cast(self, value: SSAValue, to: Attribute, unsigned: bool | None = None) -> SSAValue:
        """Convert a number to another numeric type; where MLIR knows no conversion, the value itself."""
        source = value.type
        if source == to:
            return value
        operation = _conversion(source, to, self.unsigned if unsigned is None else unsigned)
        if operation is None:
            return value
        return self.apply(
            operation, value, to=to, properties=_WRAPPING if operation is CAST_CLASSES["trunci"] else {}
        )


def _conversion(source: Attribute, to: Attribute, unsigned: bool) -> type[Operation] | None:
    if isinstance(to, IntegerType):
        if isinstance(source, AnyFloat):
            return CAST_CLASSES["fptoui"] if unsigned else CAST_CLASSES["fptosi"]
        if isinstance(source, IndexType):
            return CAST_CLASSES["index_cast"]
        if isinstance(source, IntegerType):
            if source.bitwidth > to.bitwidth:
                return CAST_CLASSES["trunci"]
            return CAST_CLASSES["extui"] if unsigned else CAST_CLASSES["extsi"]
    if isinstance(to, AnyFloat):
        if isinstance(source, IntegerType):
            return CAST_CLASSES["uitofp"] if unsigned else CAST_CLASSES["sitofp"]
        if isinstance(source, AnyFloat):
            return CAST_CLASSES["truncf"] if source.bitwidth > to.bitwidth else CAST_CLASSES["extf"]
    return None


_FLOAT_UNARY: Mapping[str, type[Operation]] = {
    "exp": math.ExpOp,
    "log": math.LogOp,
    "abs": math.AbsFOp,
    "ceil": math.CeilOp,
    "floor": math.FloorOp,
    "negf": arith.NegfOp,
    "round": math.RoundOp,
    "sqrt": math.SqrtOp,
    "rsqrt": math.RsqrtOp,
    "tanh": math.TanhOp,
    "erf": math.ErfOp,
}

# Function -> its operation on floats, on integers.
_BINARY: Mapping[str, tuple[type[Operation] | None, type[Operation] | None]] = {
    "add": (arith.AddfOp, arith.AddiOp),
    "sub": (arith.SubfOp, arith.SubiOp),
    "mul": (arith.MulfOp, arith.MuliOp),
    "div": (arith.DivfOp, arith.DivSIOp),
    "div_unsigned": (None, arith.DivUIOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
    "max_unsigned": (arith.MaximumfOp, arith.MaxUIOp),
    "min_unsigned": (arith.MinimumfOp, arith.MinUIOp),
    "powf": (math.PowFOp, None),
}
_ON_BOOLEANS: Mapping[str, type[Operation]] = {"add": arith.OrIOp, "mul": arith.AndIOp}
_WRAPS = (arith.AddiOp, arith.SubiOp, arith.MuliOp)


def binary(function: str, body: BodyBuilder, left: SSAValue, right: SSAValue) -> SSAValue:
    """Apply a function of two numbers of one type: add is addf, addi, complex.add, or `or` on booleans."""
    on_floats, on_integers = _BINARY[function]
    number = left.type
    if isinstance(number, ComplexType):
        operation = _on_complex(function)
    elif isinstance(number, IntegerType):
        operation = _ON_BOOLEANS.get(function, on_integers) if number.bitwidth == 1 else on_integers
    else:
        operation = on_floats if isinstance(number, AnyFloat) else None
    if operation is None:
        raise ValueError(f"linalg has no {function} on {number}")
    _with_cases(operation)
    if not isinstance(number, IntegerType):
        return body.apply(operation, left, right, properties=_EXACT)
    return body.apply(operation, left, right, properties=_WRAPPING if operation in _WRAPS else {})


def _on_complex(function: str) -> type[Operation] | None:
    """The operation of FUNCTION on complex numbers, which few programs have: so they import these."""
    from xdsl.dialects import complex

    return {
        "add": complex.AddOp, "sub": complex.SubOp, "mul": complex.MulOp, "div": complex.DivOp
    }.get(function)  # fmt: skip


def _unary(function: str, body: BodyBuilder) -> SSAValue:
    number = body.arguments[0].type
    if not isinstance(number, AnyFloat):
        raise ValueError(f"linalg has no {function} on {number}")
    return body.apply(_with_cases(_FLOAT_UNARY[function]), body.arguments[0], properties=_EXACT)


def _with_cases(operation: type[Operation]) -> type[Operation]:
    """OPERATION, whose dialect's cases are there also if nothing else in the file is of that dialect."""
    dialect = operation.name.partition(".")[0]
    if dialect in ("complex", "math"):
        import_module(f"volcli_dialects.{dialect}")
    return operation


def _reciprocal(body: BodyBuilder) -> SSAValue:
    number = body.arguments[0].type
    if not isinstance(number, AnyFloat):
        raise ValueError(f"linalg has no reciprocal on {number}")
    return binary("div", body, body.constant(FloatAttr(1.0, number)), body.arguments[0])


def _square(body: BodyBuilder) -> SSAValue:
    return binary("mul", body, body.arguments[0], body.arguments[0])


def _elementwise(function: str, body: BodyBuilder) -> SSAValue:
    return binary(function, body, body.arguments[0], body.arguments[1])


def _select(body: BodyBuilder) -> SSAValue:
    condition, left, right = body.arguments[:3]
    return body.apply(arith.SelectOp, condition, left, right, to=left.type)


def _copy(body: BodyBuilder) -> SSAValue:
    return body.cast(body.arguments[0], body.arguments[-1].type)


def _fill(body: BodyBuilder) -> SSAValue:
    return body.arguments[0]


def _multiply_accumulate(body: BodyBuilder) -> SSAValue:
    left, right, out = body.arguments
    left, right = body.cast(left, out.type), body.cast(right, out.type)
    return binary("add", body, out, binary("mul", body, left, right))


def _quantized_multiply_accumulate(body: BodyBuilder) -> SSAValue:
    left, right, left_zero, right_zero, out = body.arguments

    def centred(value: SSAValue, zero: SSAValue) -> SSAValue:
        return binary("sub", body, body.cast(value, out.type), body.cast(zero, out.type))

    left, right = centred(left, left_zero), centred(right, right_zero)
    return binary("add", body, out, binary("mul", body, left, right))


def _accumulate(function: str, body: BodyBuilder) -> SSAValue:
    element, out = body.arguments[0], body.arguments[-1]
    return binary(function, body, out, body.cast(element, out.type, unsigned=function.endswith("_unsigned")))


def _random(body: BodyBuilder) -> SSAValue:
    """A linear congruential generator, stepped once for each index and seeded: in [low, high).

    The state after index i is (i + state) * 1103515245 + 12345 in 32 bits, rows before columns; the number is
    (2**31 - 1 + state) * (high - low) * 2.3283064e-10 + low.
    """
    low, high, seed, out = body.arguments
    half_range = body.cast(body.constant(IntegerAttr(2147483647, i64)), f64)
    column, row = (
        body.cast(body.apply(IndexOp, to=IndexType(), properties={"dim": IntegerAttr(dim, i64)}), i32)
        for dim in (1, 0)
    )
    state = seed
    for index in (row, column):
        state = binary("add", body, index, state)
        state = binary("mul", body, state, body.cast(body.constant(IntegerAttr(1103515245, i64)), i32))
        state = binary("add", body, state, body.cast(body.constant(IntegerAttr(12345, i64)), i32))
    number = binary("add", body, half_range, body.cast(state, f64))
    scale = binary(
        "mul", body, binary("sub", body, high, low), body.constant(FloatAttr(2.3283063999999999e-10, f64))
    )
    return body.cast(binary("add", body, binary("mul", body, number, scale), low), out.type)


BODIES: Mapping[str, Callable[[BodyBuilder], SSAValue]] = {
    **{function: partial(_unary, function) for function in _FLOAT_UNARY},
    **{function: partial(_elementwise, function) for function in _BINARY},
    "reciprocal": _reciprocal,
    "square": _square,
    "select": _select,
    "copy": _copy,
    "fill": _fill,
    "fill_rng_2d": _random,
    named_ops.MAC: _multiply_accumulate,
    named_ops.MAC_Q: _quantized_multiply_accumulate,
    **{
        kind: partial(_accumulate, kind.removeprefix("accumulate "))
        for kind in (
            named_ops.POOL_SUM,
            named_ops.POOL_MAX,
            named_ops.POOL_MIN,
            named_ops.POOL_UMAX,
            named_ops.POOL_UMIN,
        )
    },
}


def build_body(kind: str, operands: Sequence[SSAValue], unsigned: bool = False) -> Region:
    """The body of this kind over the elements of these operands.

    Raises ValueError where linalg has no such function on the elements' type (`linalg.exp` on integers).
    """
    body = BodyBuilder(operands, unsigned)
    return body.finish(BODIES[kind](body))
