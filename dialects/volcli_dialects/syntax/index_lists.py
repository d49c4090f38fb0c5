"""Lists of numbers and index values, `(4, %n)`: the operands, and the numbers with markers for them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, IntegerType, i64
from xdsl.dialects.utils.dynamic_index_list import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer


def parse_index_list(parser: Parser) -> tuple[Sequence[SSAValue], DenseArrayBase[IntegerType]]:
    """`(4, %n)`."""
    dynamic, static = parse_dynamic_index_list_without_types(
        parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN
    )
    operands = [parser.resolve_operand(operand, IndexType()) for operand in dynamic]
    return operands, DenseArrayBase.from_list(i64, static)


def print_index_list(
    printer: Printer, dynamic: Sequence[SSAValue], static: DenseArrayBase[IntegerType]
) -> None:
    """`(4, %n)`."""
    print_dynamic_index_list(
        printer, DYNAMIC_INDEX, dynamic, static.get_values(), delimiter=Parser.Delimiter.PAREN
    )
