"""The pieces of text that the linalg operations have in common: operand groups, results, attribute lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, MemRefType, UnrankedMemRefType, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

# What an operation carries in its properties or attributes but does not print in its own syntax.
SEGMENT_SIZES = "operandSegmentSizes"
# mlir-opt leaves this on operations whose maps it has computed.
MEMOIZED_MAPS = "linalg.memoized_indexing_maps"


@cache
def segment_sizes(*sizes: int) -> DenseArrayBase[IntegerType]:
    """`operandSegmentSizes` of an operation whose operand groups have these sizes."""
    return DenseArrayBase.from_list(i32, sizes)


@cache
def integer_array(*values: int) -> DenseArrayBase[IntegerType]:
    """`array<i64: 1, 0>` for (1, 0)."""
    return DenseArrayBase.from_list(i64, values)


def parse_operand_group(parser: Parser, keyword: str) -> Sequence[SSAValue]:
    """`ins(%0, %1 : type, type)`, if the keyword stands here."""
    if parser.parse_optional_keyword(keyword) is None:
        return ()
    parser.parse_punctuation("(")
    position = parser.pos
    unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(unresolved, types, position)


def parse_result_types(parser: Parser) -> Sequence[Attribute]:
    """`-> type` or `-> (type, type)`, if an arrow stands here."""
    if parser.parse_optional_punctuation("->") is None:
        return ()
    types = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return (parser.parse_type(),) if types is None else types


def parse_integer_list(parser: Parser) -> DenseArrayBase[IntegerType]:
    """`[1, 0]`."""
    return integer_array(*parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer))


def tensor_types(values: Sequence[SSAValue]) -> Sequence[Attribute]:
    """The result types of an operation that does not print them: one for each output that is not a buffer."""
    return [value.type for value in values if not isinstance(value.type, MemRefType | UnrankedMemRefType)]


def print_typed_values(
    printer: Printer, values: Sequence[SSAValue], attributes: Mapping[str, Attribute] | None = None
) -> None:
    """`%0, %1 {attributes} : type, type`, or nothing for no values."""
    if values:
        printer.print_list(values, printer.print_ssa_value)
        print_attributes(printer, attributes or {})
        printer.print_string(" : ")
        printer.print_list(values, lambda value: printer.print_attribute(value.type))


def print_operand_group(printer: Printer, keyword: str, values: Sequence[SSAValue]) -> None:
    """` ins(%0 : type)`, or nothing for an empty group."""
    if values:
        printer.print_string(f" {keyword}(")
        print_typed_values(printer, values)
        printer.print_string(")")


def print_attributes(printer: Printer, attributes: Mapping[str, Attribute], omit: Sequence[str] = ()) -> None:
    """` {a = 1, b}` in mlir-opt's order (by name), or nothing."""
    hidden = {SEGMENT_SIZES, MEMOIZED_MAPS, *omit}
    printer.print_op_attributes({name: attributes[name] for name in sorted(attributes) if name not in hidden})
