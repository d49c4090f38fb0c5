"""The affine dialect: index values by affine maps."""

from __future__ import annotations

from xdsl.dialects import affine
from xdsl.dialects.affine import ApplyOp, MinOp
from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import Dialect, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.expressions import Expression, maximum, minimum, value_of
from volcli.model.affine_maps import evaluate
from volcli.questions import index_value
from volcli_dialects.elementwise import register_elementwise


@irdl_op_definition
class MaxOp(IRDLOperation):
    """`affine.max affine_map<(d0)[s0] -> (d0, s0 + 1)>(%i)[%n]`: the largest of the map's results."""

    name = "affine.max"

    arguments = var_operand_def(IndexType)
    result = result_def(IndexType)
    map = prop_def(AffineMapAttr)

    @classmethod
    def parse(cls, parser: Parser) -> MaxOp:
        """As affine.min, which has the same syntax."""
        parsed = MinOp.parse(parser)
        operands = list(parsed.operands)
        parsed.drop_all_references()
        return cls.create(
            operands=operands,
            result_types=[IndexType()],
            properties={**parsed.properties},
            attributes=parsed.attributes,
        )

    def print(self, printer: Printer) -> None:
        affine_map = self.map.data
        printer.print_string(" ")
        printer.print_attribute(self.map)
        dims, symbols = self.operands[: affine_map.num_dims], self.operands[affine_map.num_dims :]
        with printer.in_parens():
            printer.print_list(dims, printer.print_ssa_value)
        if symbols:
            with printer.in_square_brackets():
                printer.print_list(symbols, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)


def dialect() -> Dialect:
    """xDSL's affine dialect with the operations that it lacks."""
    return Dialect("affine", [*affine.Affine.operations, MaxOp], [*affine.Affine.attributes])


register_elementwise([ApplyOp, MinOp, MaxOp])


def results(op: Operation) -> list[Expression]:
    """The values of the results of OP's map at its operands."""
    attribute = op.properties["map"]
    assert isinstance(attribute, AffineMapAttr)
    count = attribute.data.num_dims
    operands = [value_of(o) for o in op.operands]
    return [evaluate(r, operands[:count], operands[count:]) for r in attribute.data.results]


@index_value.case(ApplyOp)
def apply_value(op: ApplyOp) -> Expression | None:
    (result,) = results(op)
    return result


@index_value.case(MinOp)
def min_value(op: MinOp) -> Expression | None:
    return minimum(*results(op))


@index_value.case(MaxOp)
def max_value(op: MaxOp) -> Expression | None:
    return maximum(*results(op))
