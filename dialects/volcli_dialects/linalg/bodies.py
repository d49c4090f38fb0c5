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

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    f64,
    i32,
    i64,
)
from xdsl.ir import Operation, Region, SSAValue

from volcli_dialects.arith.bodies import BINARY, EXACT, ScalarsBuilder, binary, product
from volcli_dialects.linalg import named_ops
from volcli_dialects.linalg.scalars import IndexOp, YieldOp


class BodyBuilder(ScalarsBuilder):
    """A body that ends with linalg.yield."""

    def finish(self, *yielded: SSAValue) -> Region:
        """Close the block with linalg.yield."""
        self.block.add_op(YieldOp.create(operands=yielded))
        return Region(self.block)


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


def _unary(function: str, body: BodyBuilder) -> SSAValue:
    number = body.arguments[0].type
    if not isinstance(number, AnyFloat):
        raise ValueError(f"linalg has no {function} on {number}")
    return body.apply(_FLOAT_UNARY[function], body.arguments[0], properties=EXACT)


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
    *factors, out = body.arguments
    return binary("add", body, out, product(body, factors[:2], out.type, factors[2:]))


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
    **{function: partial(_elementwise, function) for function in BINARY},
    "reciprocal": _reciprocal,
    "square": _square,
    "select": _select,
    "copy": _copy,
    "fill": _fill,
    "fill_rng_2d": _random,
    named_ops.MAC: _multiply_accumulate,
    named_ops.MAC_Q: _multiply_accumulate,
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
