"""The syntax of stablehlo.reduce: the reduced dimensions, and the function that combines two numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    FunctionType,
)
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli_dialects.cases.parts import integers_of
from volcli_dialects.stablehlo.syntax import (
    Syntax,
)
from volcli_dialects.syntax.syntax import parse_integer_list


class ReduceSyntax(Syntax):
    """`stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (t, u) -> v`.

    Any other body is written out after the types: `reducer(%a: t, %b: t) { .. }`.
    """

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        pairs = [_pair(parser)]
        applied: str | None = None
        while parser.parse_optional_punctuation(",") is not None:
            pairs.append(_pair(parser))
        if parser.parse_optional_keyword("applies") is not None:
            applied = parser.parse_identifier()
        parser.parse_keyword("across")
        parser.parse_keyword("dimensions")
        parser.parse_punctuation("=")
        dimensions = parse_integer_list(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_function_type()
        operands = [*(first for first, _ in pairs), *(second for _, second in pairs)]
        values = parser.resolve_operands(operands, kind.inputs.data, position)
        inits = [value.type for value in values[len(pairs) :]]
        body = _applying(parser, applied, inits) if applied is not None else _reducer(parser, len(pairs))
        return cls.create(
            operands=values,
            result_types=kind.outputs.data,
            properties={"dimensions": dimensions},
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        count = len(self.operands) // 2
        for k in range(count):
            printer.print_string(", (" if k else "(")
            printer.print_ssa_value(self.operands[k])
            printer.print_string(" init: ")
            printer.print_ssa_value(self.operands[count + k])
            printer.print_string(")")
        inner = applied_by(self)
        is_short = inner is not None and not inner.attributes and not inner.properties
        if inner is not None and is_short:
            printer.print_string(f" applies {inner.name}")
        numbers = list(integers_of(self.properties.get("dimensions")) or ())
        printer.print_string(f" across dimensions = {numbers}")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(FunctionType.from_lists(self.operand_types, self.result_types))
        if not is_short:
            _print_reducer(self.regions[0], count, printer)


def _pair(parser: Parser) -> tuple[UnresolvedOperand, UnresolvedOperand]:
    parser.parse_punctuation("(")
    operand = parser.parse_unresolved_operand()
    parser.parse_keyword("init")
    parser.parse_punctuation(":")
    init = parser.parse_unresolved_operand()
    parser.parse_punctuation(")")
    return operand, init


def _applying(parser: Parser, name: str, types: Sequence[Attribute]) -> Region:
    """The body that applies one operation of two numbers."""
    kind, end = (parser.ctx.get_optional_op(each) for each in (name, "stablehlo.return"))
    if kind is None or end is None or len(types) != 1:
        parser.raise_error(f"'{name}' cannot be applied")
    block = Block(arg_types=[types[0], types[0]])
    inner = kind.create(operands=block.args, result_types=[types[0]])
    block.add_ops([inner, end.create(operands=inner.results)])
    return Region(block)


def _reducer(parser: Parser, count: int) -> Region:
    """`reducer(%a: t, %b: t) (%c: u, %d: u) { .. }`: the states and elements of each operand."""
    parser.parse_keyword("reducer")
    pairs = [
        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument) for _ in range(count)
    ]
    if any(len(pair) != 2 for pair in pairs):
        parser.raise_error("a reducer has two arguments for each operand")
    return parser.parse_region([pair[k] for k in range(2) for pair in pairs])


def _print_reducer(body: Region, count: int, printer: Printer) -> None:
    block = body.blocks[0]
    printer.print_string("\n reducer")
    for k in range(count):
        printer.print_string("(" if k == 0 else " (")
        printer.print_list([block.args[k], block.args[count + k]], printer.print_block_argument)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False)


def applied_by(op: Operation) -> Operation | None:
    """The one operation of two numbers that the body of a reduction applies; None for any other body."""
    body = op.regions[0] if len(op.regions) == 1 else None
    block = body.blocks[0] if body is not None and len(body.blocks) == 1 else None
    if block is None or len(block.args) != 2 or len(block.ops) != 2:
        return None
    inner, last = block.ops
    is_whole = tuple(inner.operands) in (tuple(block.args), tuple(reversed(block.args)))
    return inner if is_whole and tuple(last.operands) == tuple(inner.results) else None
