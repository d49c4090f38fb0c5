"""vector.mask and what it needs: constant masks, and the yield of the operation under a mask."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
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

from volcli_dialects.syntax.syntax import parse_result_types, print_attributes, print_result_types


@irdl_op_definition
class ConstantMaskOp(IRDLOperation):
    """The first elements of each dimension are set: `vector.constant_mask [3, 2] : vector<4x3xi1>`."""

    name = "vector.constant_mask"

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)

    assembly_format = "$mask_dim_sizes attr-dict `:` type($result)"


@irdl_op_definition
class YieldOp(IRDLOperation):
    """`vector.yield %x : f32`: the result of a masked operation; the text leaves it out."""

    name = "vector.yield"

    arguments = var_operand_def()
    traits = traits_def(IsTerminator())

    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"


@irdl_op_definition
class MaskOp(IRDLOperation):
    """One operation under a mask: `vector.mask %m, %else { vector.reduction ... } : vector<8xi1> -> f32`."""

    name = "vector.mask"

    mask = operand_def(VectorType)
    passthru = opt_operand_def()
    mask_region = region_def()
    res = var_result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        unresolved = [parser.parse_unresolved_operand()]
        if parser.parse_optional_punctuation(","):
            unresolved.append(parser.parse_unresolved_operand())
        region = parser.parse_region()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        mask = parser.parse_type()
        types = parse_result_types(parser)
        operands = parser.resolve_operands(unresolved, [mask, *types[: len(unresolved) - 1]], position)
        _add_yield(region)
        return cls.create(operands=operands, result_types=types, regions=[region], attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" { ")
        for op in self.mask_region.block.ops:
            if not isinstance(op, YieldOp) or op.attributes:
                printer.print_op(op)
                printer.print_string(" ")
        printer.print_string("}")
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.mask.type)
        print_result_types(printer, self.res)


def _add_yield(region: Region) -> None:
    """End the body with a yield of what its operation gives."""
    if region.last_block is None:
        region.add_block(Block())
    block = region.block
    last = block.last_op
    if not isinstance(last, YieldOp):
        block.add_op(YieldOp.create(operands=() if last is None else last.results))


MASK_OPS: tuple[type[Operation], ...] = (ConstantMaskOp, YieldOp, MaskOp)
