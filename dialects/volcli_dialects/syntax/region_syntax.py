"""The pieces of text that operations with regions have in common: carried values, bodies, terminators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.syntax import parse_result_types


def parse_argument(parser: Parser, argument_type: Attribute) -> Parser.Argument:
    """`%i`, an argument of the body to come; mlir-opt may print its `loc(...)` after it."""
    argument = parser.parse_argument(expect_type=False).resolve(argument_type)
    argument.location = parser.parse_optional_location()
    return argument


def parse_assignments(
    parser: Parser,
) -> tuple[Sequence[Parser.UnresolvedArgument], Sequence[UnresolvedOperand]]:
    """`(%a = %x, %b = %y)`: arguments of the body to come, and what they are at first; nothing if absent."""

    def assignment() -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
        argument = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        return argument, parser.parse_unresolved_operand()

    pairs = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, assignment) or []
    return [argument for argument, _ in pairs], [operand for _, operand in pairs]


def parse_carried(
    parser: Parser, keyword: str
) -> tuple[Sequence[Parser.Argument], Sequence[SSAValue], Sequence[Attribute]]:
    """`iter_args(%sum = %zero) -> f32`, if the keyword stands here: arguments, initial values, types."""
    if parser.parse_optional_keyword(keyword) is None:
        return (), (), ()
    arguments, operands = parse_assignments(parser)
    position = parser.pos
    types = parse_result_types(parser)
    values = parser.resolve_operands(operands, types, position)
    return [a.resolve(t) for a, t in zip(arguments, types, strict=True)], values, types


def parse_operands(parser: Parser, operand_type: Attribute) -> Sequence[SSAValue]:
    """`(%a, %b)`, all of one type."""
    return parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_operand(operand_type)
    )


def parse_body(
    parser: Parser, terminator: type[Operation], arguments: Sequence[Parser.Argument] | None = None
) -> Region:
    """`{ ... }`, with the terminator that the text may leave out."""
    region = parser.parse_region(arguments)
    if region.last_block is None:
        region.add_block(Block())
    block = region.last_block
    assert block is not None
    last = block.last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        regions = [Region(Block())] if terminator.name == "scf.forall.in_parallel" else []
        block.add_op(terminator.create(regions=regions))
    return region


def print_body(printer: Printer, region: Region, *, explicit: bool = False) -> None:
    """` { ... }` without its arguments, and without its terminator if that says nothing (and not EXPLICIT).

    mlir-opt drops attributes of terminators that it leaves out; such terminators are printed here.
    """
    last = None if region.last_block is None else region.last_block.last_op
    if last is not None and (last.operands or last.attributes or last.properties or _has_content(last)):
        explicit = True
    printer.print_string(" ")
    printer.print_region(
        region,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=explicit,
    )


def _has_content(op: Operation) -> bool:
    return any(block.ops for region in op.regions for block in region.blocks)


def print_assignments(printer: Printer, arguments: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """`(%a = %x, %b = %y)`."""

    def assignment(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    with printer.in_parens():
        printer.print_list(list(zip(arguments, values, strict=True)), assignment)


def print_carried(
    printer: Printer, keyword: str, arguments: Sequence[SSAValue], values: Sequence[SSAValue]
) -> None:
    """` iter_args(%sum = %zero) -> (f32)`, or nothing."""
    if values:
        printer.print_string(f" {keyword}")
        print_assignments(printer, arguments, values)
        print_types(printer, values, parenthesized=True)


def print_types(printer: Printer, values: Sequence[SSAValue], *, parenthesized: bool = False) -> None:
    """` -> type`, ` -> (type, type)`, or nothing."""
    if not values:
        return
    printer.print_string(" -> ")
    if len(values) == 1 and not parenthesized:
        printer.print_attribute(values[0].type)
    else:
        with printer.in_parens():
            printer.print_list(values, lambda value: printer.print_attribute(value.type))


def print_values(printer: Printer, values: Sequence[SSAValue]) -> None:
    """`(%a, %b)`."""
    with printer.in_parens():
        printer.print_list(values, printer.print_ssa_value)


def print_attributes(printer: Printer, attributes: Mapping[str, Attribute]) -> None:
    """` {a = 1, b}` in mlir-opt's order (by name), or nothing."""
    printer.print_op_attributes(dict(sorted(attributes.items())))
