"""scf.forall: a parallel loop whose points write disjoint slices of shared tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, IntegerType, i64
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.index_lists import parse_index_list, print_index_list
from volcli_dialects.syntax.region_syntax import (
    parse_argument,
    parse_body,
    parse_carried,
    print_attributes,
    print_body,
    print_carried,
    print_values,
)
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, segment_sizes


@irdl_op_definition
class InParallelOp(IRDLOperation):
    """The end of scf.forall: `scf.forall.in_parallel { tensor.parallel_insert_slice ... }`.

    Left out where it inserts nothing.
    """

    name = "scf.forall.in_parallel"

    region = region_def("single_block")

    traits = traits_def(IsTerminator())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        region = parser.parse_region()
        if region.first_block is None:
            region.add_block(Block())
        return cls.create(regions=(region,), attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        print_body(printer, self.region)
        print_attributes(printer, self.attributes)


@irdl_op_definition
class ForallOp(IRDLOperation):
    """`%r = scf.forall (%i, %j) in (4, %n) shared_outs(%o = %t) -> (tensor<4x?xf32>) { ... }`.

    Without `in`: `scf.forall (%i) = (1) to (%n) step (2) { ... }`. The static lists have the bounds that are
    numbers, and a marker for each that is an operand. The body's arguments are the induction variables and
    the shared tensors.
    """

    name = "scf.forall"

    dynamic_lower_bound = var_operand_def(IndexType)
    dynamic_upper_bound = var_operand_def(IndexType)
    dynamic_step = var_operand_def(IndexType)
    outputs = var_operand_def()
    static_lower_bound = prop_def(DenseArrayBase.constr(i64), prop_name="staticLowerBound")
    static_upper_bound = prop_def(DenseArrayBase.constr(i64), prop_name="staticUpperBound")
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr)
    res = var_result_def()
    region = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def is_normalized(self) -> bool:
        """Whether all lower bounds are 0 and all steps 1."""
        return set(self.static_lower_bound.get_values()) <= {0} and set(self.static_step.get_values()) <= {1}

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        index = IndexType()
        variables = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_argument(parser, index)
        )
        if parser.parse_optional_keyword("in"):
            upper = parse_index_list(parser)
            lower, step = (_constant_list(number, len(upper[1])) for number in (0, 1))
        else:
            parser.parse_punctuation("=")
            lower = parse_index_list(parser)
            parser.parse_keyword("to")
            upper = parse_index_list(parser)
            parser.parse_keyword("step")
            step = parse_index_list(parser)
        arguments, outputs, types = parse_carried(parser, "shared_outs")
        region = parse_body(parser, InParallelOp, (*variables, *arguments))
        attributes = parser.parse_optional_attr_dict()
        groups = (lower[0], upper[0], step[0], outputs)
        properties: dict[str, Attribute] = {
            SEGMENT_SIZES: segment_sizes(*map(len, groups)),
            "staticLowerBound": lower[1],
            "staticUpperBound": upper[1],
            "staticStep": step[1],
        }
        if "mapping" in attributes:
            properties["mapping"] = attributes.pop("mapping")
        return cls.create(
            operands=[operand for group in groups for operand in group],
            result_types=types,
            properties=properties,
            attributes=attributes,
            regions=(region,),
        )

    def print(self, printer: Printer) -> None:
        rank = len(self.static_upper_bound)
        arguments = self.region.block.args
        printer.print_string(" ")
        print_values(printer, arguments[:rank])
        bounds = (
            (" = ", self.dynamic_lower_bound, self.static_lower_bound),
            (" to ", self.dynamic_upper_bound, self.static_upper_bound),
            (" step ", self.dynamic_step, self.static_step),
        )
        if self.is_normalized:
            bounds = ((" in ", self.dynamic_upper_bound, self.static_upper_bound),)
        for text, dynamic, static in bounds:
            printer.print_string(text)
            print_index_list(printer, dynamic, static)
        print_carried(printer, "shared_outs", arguments[rank:], self.outputs)
        print_body(printer, self.region, explicit=bool(self.results))
        mapping = {} if self.mapping is None else {"mapping": self.mapping}
        print_attributes(printer, self.attributes | mapping)


def _constant_list(number: int, count: int) -> tuple[Sequence[SSAValue], DenseArrayBase[IntegerType]]:
    return (), DenseArrayBase.from_list(i64, [number] * count)
