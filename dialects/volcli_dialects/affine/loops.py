"""The control flow of affine: loops whose bounds are affine, and conditions that are."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    IndexType,
    IntegerAttr,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.traits import IsTerminator

from volcli_dialects.affine.syntax import Applied, LoopBound
from volcli_dialects.syntax.pieces import Attributes, Property, ResultTypes
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import BodyRegion, CarriedArguments, Variable, otherwise
from volcli_dialects.syntax.written import Maybe, WrittenOperation


@operation("affine.yield", "attr-dict ($arguments^ `:` type($arguments))?")
class YieldOp(IRDLOperation):
    """The results of a region: `affine.yield %0, %1 : f32, i32`; left out where there are none."""

    arguments = var_operand_def()

    traits = traits_def(IsTerminator())


def _parse_step(parser: Parser) -> Attribute:
    position = parser.pos
    step = parser.parse_integer(allow_boolean=False)
    if step < 0:
        message = "expected step to be representable as a positive signed integer"
        parser.raise_error(message, position, parser.pos)
    return IntegerAttr(step, IndexType())


_STEP = Property("step", _parse_step, lambda step: str(step.value.data))


@operation("affine.for")
class ForOp(WrittenOperation):
    """`affine.for %i = max #lower(%j)[%n] to min #upper(%j)[%n] step 2 iter_args(%s = %z) -> (f32) { ... }`.

    The iterations are i = lower, lower + step, ... < upper; lower is the largest of its map's results, upper
    the smallest of its. The body's arguments are i and the carried values.
    """

    lower_bound_operands = var_operand_def(IndexType)
    upper_bound_operands = var_operand_def(IndexType)
    inits = var_operand_def()
    lower_bound_map = prop_def(AffineMapAttr, prop_name="lowerBoundMap")
    upper_bound_map = prop_def(AffineMapAttr, prop_name="upperBoundMap")
    step = prop_def(IntegerAttr)
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = (
        " ", Variable(), " = ", LoopBound("lowerBoundMap", "lower_bound_operands", "max"),
        " to ", LoopBound("upperBoundMap", "upper_bound_operands", "min"),
        Maybe(" step ", _STEP, of="step", default=IntegerAttr(1, IndexType())),
        CarriedArguments("iter_args", "inits", "body"), BodyRegion("body", YieldOp), Attributes(),
    )  # fmt: skip


@operation("affine.if")
class IfOp(WrittenOperation):
    """`%r = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] -> f32 { ... } else { ... }`.

    Without `else`, `else_region` has no block.
    """

    arguments = var_operand_def(IndexType)
    condition = prop_def(AffineSetAttr)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()

    SYNTAX: ClassVar = (
        " ", Applied("condition", AffineSetAttr), ResultTypes(), BodyRegion("then_region", YieldOp),
        otherwise(YieldOp),
        Attributes(),
    )  # fmt: skip
