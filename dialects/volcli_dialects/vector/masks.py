"""vector.mask and what it needs: constant masks, and the yield of the operation under a mask."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import Block
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.pieces import Attributes, Inferred, OperandList, ResultTypes, Type
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece, WrittenOperation


@operation("vector.constant_mask", "$mask_dim_sizes attr-dict `:` type($result)")
class ConstantMaskOp(IRDLOperation):
    """The first elements of each dimension are set: `vector.constant_mask [3, 2] : vector<4x3xi1>`."""

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)


@operation("vector.yield", "attr-dict ($arguments^ `:` type($arguments))?")
class YieldOp(IRDLOperation):
    """`vector.yield %x : f32`: the result of a masked operation; the text leaves it out."""

    arguments = var_operand_def()
    traits = traits_def(IsTerminator())


class _MaskedOperation(SyntaxPiece):
    """` { operation }`; the yield of what it gives is not written."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        region = parser.parse_region()
        if region.last_block is None:
            region.add_block(Block())
        last = region.block.last_op
        if not isinstance(last, YieldOp):
            region.block.add_op(YieldOp.create(operands=() if last is None else last.results))
        found.regions["mask_region"] = [region]

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_string(" { ")
        for inner in op.mask_region.block.ops:
            if not isinstance(inner, YieldOp) or inner.attributes:
                printer.print_op(inner)
                printer.print_string(" ")
        printer.print_string("}")


@operation("vector.mask")
class MaskOp(WrittenOperation):
    """One operation under a mask: `vector.mask %m, %else { vector.reduction ... } : vector<8xi1> -> f32`."""

    mask = operand_def(VectorType)
    passthru = opt_operand_def()
    mask_region = region_def()
    res = var_result_def()

    SYNTAX: ClassVar = (
        " ", OperandList(), _MaskedOperation(), Attributes(), " : ", Type("mask"), ResultTypes(),
        Inferred("operands", lambda found: (
            *found.types["mask"], *found.types["results"][: len(found.operands["operands"]) - 1]
        )),
    )  # fmt: skip
