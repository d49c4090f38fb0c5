"""The syntax of stablehlo.reduce: the reduced dimensions, and the function that combines two numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli_dialects.stablehlo.syntax import numbers
from volcli_dialects.syntax.pieces import Attributes, FunctionSignature
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece


class _Pairs(SyntaxPiece):
    """`(%x init: %c), (%y init: %d)`: the operands, all inputs in front of what they begin with."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        pairs = parser.parse_comma_separated_list(parser.Delimiter.NONE, lambda: _pair(parser))
        found.operands["operands"] = [operand for group in zip(*pairs, strict=True) for operand in group]

    def write(self, printer: Printer, op: Any) -> None:
        count = len(op.operands) // 2
        for k in range(count):
            with printer.delimited(", (" if k else "(", ")"):
                printer.print_ssa_value(op.operands[k])
                printer.print_string(" init: ")
                printer.print_ssa_value(op.operands[count + k])


def _pair(parser: Parser) -> tuple[UnresolvedOperand, UnresolvedOperand]:
    parser.parse_punctuation("(")
    operand = parser.parse_unresolved_operand()
    parser.parse_keyword("init")
    parser.parse_punctuation(":")
    init = parser.parse_unresolved_operand()
    parser.parse_punctuation(")")
    return operand, init


class _Applied(SyntaxPiece):
    """` applies stablehlo.add`, if this is all that the body does."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        if parser.parse_optional_keyword("applies") is not None:
            found.arguments.append(parser.parse_identifier())

    def write(self, printer: Printer, op: Any) -> None:
        if (inner := _plainly_applied_by(op)) is not None:
            printer.print_string(f" applies {inner.name}")


class _Reducer(SyntaxPiece):
    """Nothing where one operation is applied; otherwise ` reducer(%a: t, %b: t) { .. }`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        operands = found.resolve(parser, "operands")
        count = len(operands) // 2
        types = [value.type for value in operands[count:]]
        name = found.arguments.pop() if found.arguments else None
        found.regions["body"] = [_reducer(parser, count) if name is None else _applying(parser, name, types)]

    def write(self, printer: Printer, op: Any) -> None:
        if _plainly_applied_by(op) is None:
            _print_reducer(op.body, len(op.operands) // 2, printer)


SYNTAX = (
    _Pairs(), _Applied(), " across dimensions = ", numbers("dimensions"), Attributes(), " : ",
    FunctionSignature(), _Reducer(),
)  # fmt: skip
"""`stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (t, u) -> v`.

Any other body is written out after the types: `reducer(%a: t, %b: t) { .. }`.
"""


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


def _plainly_applied_by(op: Operation) -> Operation | None:
    """That operation if it has no attributes, for which there is no place."""
    inner = applied_by(op)
    return None if inner is None or inner.attributes or inner.properties else inner
