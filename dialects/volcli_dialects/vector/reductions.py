"""vector operations that sum or otherwise combine elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, VectorType, i64
from xdsl.dialects.utils.enum_attribute import EnumAttribute
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum

from volcli_dialects.syntax.syntax import print_attributes

_ADD = CombiningKindAttr(CombiningKindFlag.ADD)


class IteratorKind(StrEnum):
    """Whether a loop of vector.contract is one of the result's."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"


@irdl_attr_definition
class IteratorKindAttr(EnumAttribute[IteratorKind]):
    """`#vector.iterator_type<parallel>`."""

    name = "vector.iterator_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> IteratorKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data.value)


def _parse_operands(parser: Parser) -> tuple[Sequence[SSAValue], dict[str, Attribute], Attribute]:
    """`%a, %b, %c {attributes} : type, type into type`; the last type is that of the others after two."""
    position = parser.pos
    unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    last = parser.parse_type() if parser.parse_optional_keyword("into") else _outer_product(types)
    types += [last] * (len(unresolved) - 2)
    return parser.resolve_operands(unresolved, types, position), attributes, last


def _outer_product(types: Sequence[Attribute]) -> Attribute:
    """vector<4x[8]xf32> for vector<4xf32> and vector<[8]xf32>; the first for a vector and a scalar."""
    left, right = types
    if not isa(left, VectorType) or not isa(right, VectorType):
        return left
    scalable = ArrayAttr((*left.scalable_dims, *right.scalable_dims))
    return VectorType(left.element_type, (*left.get_shape(), *right.get_shape()), scalable)


@irdl_op_definition
class ContractionOp(IRDLOperation):
    """A contraction as in linalg.generic, of vectors: the maps say which loops index which operand.

    `vector.contract {indexing_maps = [...], iterator_types = ["parallel", "reduction"], kind =
    #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8xf32> into vector<4xf32>`.
    """

    name = "vector.contract"

    operands_and_masks = var_operand_def()
    indexing_maps = prop_def(ArrayAttr)
    iterator_types = prop_def(ArrayAttr)
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    result = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        written = parser.parse_optional_attr_dict()
        iterators = written.get("iterator_types")
        if not isa(iterators, ArrayAttr[StringAttr]) or "indexing_maps" not in written:
            parser.raise_error("expected indexing_maps and iterator_types", position, parser.pos)
        operands, attributes, kind = _parse_operands(parser)
        properties = {
            "indexing_maps": written.pop("indexing_maps"),
            "iterator_types": ArrayAttr(IteratorKindAttr(IteratorKind(name.data)) for name in iterators),
            "kind": written.pop("kind", _ADD),
        }
        del written["iterator_types"]
        return cls.create(
            operands=operands, result_types=[kind], properties=properties, attributes=written | attributes
        )

    def print(self, printer: Printer) -> None:
        iterators = [str(kind.data) for kind in self.iterator_types if isinstance(kind, IteratorKindAttr)]
        spelled = {"iterator_types": ArrayAttr(map(StringAttr, iterators))}
        print_attributes(printer, {**self.attributes, **self.properties, **spelled})
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(self.operands[:2], lambda operand: printer.print_attribute(operand.type))
        printer.print_string(" into ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class OuterProductOp(IRDLOperation):
    """r[i, j] = a[i] * b[j], added to c[i, j] if that is given: `vector.outerproduct %a, %b, %c : ...`."""

    name = "vector.outerproduct"

    lhs = operand_def(VectorType)
    rhs = operand_def()
    acc = opt_operand_def(VectorType)
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    result = result_def(VectorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands, attributes, kind = _parse_operands(parser)
        return cls.create(
            operands=operands,
            result_types=[kind],
            properties={"kind": attributes.pop("kind", _ADD)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, {**self.attributes, "kind": self.kind})
        printer.print_string(" : ")
        printer.print_list(self.operands[:2], lambda operand: printer.print_attribute(operand.type))


@irdl_op_definition
class MultiDimReductionOp(IRDLOperation):
    """`vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32>`."""

    name = "vector.multi_reduction"

    source = operand_def(VectorType)
    acc = operand_def()
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        kind = CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
        parser.parse_punctuation(",")
        position = parser.pos
        source = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        acc = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        dims = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        parser.parse_punctuation(":")
        types = [parser.parse_type()]
        parser.parse_keyword("to")
        types.append(parser.parse_type())
        return cls.create(
            operands=parser.resolve_operands([source, acc], types, position),
            result_types=types[1:],
            properties={"kind": kind, "reduction_dims": DenseArrayBase.from_list(i64, dims)},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self.kind.print_parameter(printer)
        printer.print_string(", ")
        printer.print_list(self.operands, printer.print_ssa_value)
        print_attributes(printer, self.attributes)
        printer.print_string(f" [{', '.join(map(str, self.reduction_dims.get_values()))}] : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" to ")
        printer.print_attribute(self.dest.type)


@irdl_op_definition
class ScanOp(IRDLOperation):
    """Prefix sums: `vector.scan <add>, %v, %first {inclusive = true, reduction_dim = 1} : ...`."""

    name = "vector.scan"

    source = operand_def(VectorType)
    initial_value = operand_def(VectorType)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr)
    inclusive = prop_def(IntegerAttr)
    dest = result_def(VectorType)
    accumulated_value = result_def(VectorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        kind = CombiningKindAttr(CombiningKindAttr.parse_parameter(parser))
        parser.parse_punctuation(",")
        operands, attributes, _ = _parse_operands(parser)
        properties = {name: attributes.pop(name) for name in ("reduction_dim", "inclusive")}
        return cls.create(
            operands=operands,
            result_types=[operand.type for operand in operands],
            properties={"kind": kind, **properties},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self.kind.print_parameter(printer)
        printer.print_string(", ")
        printer.print_list(self.operands, printer.print_ssa_value)
        inherent = {"reduction_dim": self.reduction_dim, "inclusive": self.inclusive}
        print_attributes(printer, {**self.attributes, **inherent})
        printer.print_string(" : ")
        printer.print_list(self.operands, lambda operand: printer.print_attribute(operand.type))


REDUCTION_OPS: tuple[type[Operation], ...] = (
    ContractionOp,
    OuterProductOp,
    MultiDimReductionOp,
    ScanOp,
)
