"""The operations that stand only in the bodies of structured operations: linalg.index and linalg.yield."""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute
from xdsl.irdl import prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.pieces import Attributes, Type, integer
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.syntax import print_typed_values
from volcli_dialects.syntax.written import WrittenOperation


@operation("linalg.index")
class IndexOp(WrittenOperation):
    """The value of iterator `dim` of the enclosing structured operation: `%i = linalg.index 0 : index`.

    Not xDSL's class, which admits it in linalg.generic only: it also stands in linalg.map and others.
    """

    dim = prop_def(IntegerAttr)
    result = result_def(IndexType)

    SYNTAX: ClassVar = (" ", integer("dim"), Attributes(), " : ", Type("result"))


@operation("linalg.yield")
class YieldOp(AbstractYieldOperation[Attribute]):
    """The new elements of the outputs: `linalg.yield %0, %1 {attributes} : f32, i32`."""

    traits = traits_def(IsTerminator())

    # xDSL's format has the attributes in front of the operands.
    assembly_format: ClassVar[str | None] = None

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operand = parser.parse_optional_unresolved_operand()
        if operand is None:
            return cls.create(attributes=parser.parse_optional_attr_dict())
        unresolved = [operand]
        while parser.parse_optional_punctuation(","):
            unresolved.append(parser.parse_unresolved_operand())
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=parser.resolve_operands(unresolved, types, position), attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        if self.operands:
            printer.print_string(" ")
        print_typed_values(printer, self.operands, self.attributes)
        if not self.operands:
            printer.print_op_attributes(self.attributes)
