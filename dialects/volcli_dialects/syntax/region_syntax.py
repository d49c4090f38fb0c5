"""The pieces of text that operations with regions have in common: carried values, bodies, terminators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.pieces import written_list
from volcli_dialects.syntax.syntax import parse_result_types
from volcli_dialects.syntax.written import Maybe, ReadParts, SyntaxPiece, values


def parse_argument(parser: Parser, argument_type: Attribute) -> Parser.Argument:
    """`%i`, an argument of the body to come; mlir-opt may print its `loc(...)` after it."""
    argument = parser.parse_argument(expect_type=False).resolve(argument_type)
    argument.location = parser.parse_optional_location()
    return argument


@dataclass(frozen=True)
class Variables(SyntaxPiece):
    """`(%i, %j)`: the arguments of REGION that are index values, in front of those that are CARRIED."""

    region: str = "body"
    carried: str | None = None

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.arguments += parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_argument(parser, IndexType())
        )

    def write(self, printer: Printer, op: Any) -> None:
        arguments = getattr(op, self.region).block.args
        carried = () if self.carried is None else values(op, self.carried)
        with printer.in_parens():
            written_list(printer, arguments[: len(arguments) - len(carried)])


class Variable(SyntaxPiece):
    """`%i`: the first argument of the body, an index value."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.arguments.append(parse_argument(parser, IndexType()))

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_ssa_value(op.body.block.args[0])


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


def print_assignments(printer: Printer, arguments: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """`(%a = %x, %b = %y)`."""

    def assignment(pair: tuple[SSAValue, SSAValue]) -> None:
        printer.print_ssa_value(pair[0])
        printer.print_string(" = ")
        printer.print_ssa_value(pair[1])

    with printer.in_parens():
        printer.print_list(list(zip(arguments, values, strict=True)), assignment)


@dataclass(frozen=True)
class Assignments(SyntaxPiece):
    """`(%a = %x, %b = %y)`: arguments of REGION, the operands NAME; if OPTIONAL, none are not written."""

    name: str
    region: str
    optional: bool = True

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.arguments[:], found.operands[self.name] = parse_assignments(parser)

    def write(self, printer: Printer, op: Any) -> None:
        if values(op, self.name) or not self.optional:
            printer.print_string(" " if self.optional else "")
            print_assignments(printer, getattr(op, self.region).block.args, values(op, self.name))


@dataclass(frozen=True)
class AssignedRegion(SyntaxPiece):
    """` { ... }`: the region NAME, whose arguments have been read, and have the types of the operands OF."""

    name: str
    of: str

    def read(self, parser: Parser, found: ReadParts) -> None:
        given = found.resolve(parser, self.of)
        arguments = [each.resolve(value.type) for each, value in zip(found.arguments, given, strict=True)]
        found.regions[self.name] = [parser.parse_region(arguments)]

    def write(self, printer: Printer, op: Any) -> None:
        print_body(printer, getattr(op, self.name), explicit=True)


@dataclass(frozen=True)
class CarriedArguments(SyntaxPiece):
    """` iter_args(%sum = %zero) -> (f32)`: the last arguments of REGION, the operands NAME, the results."""

    keyword: str
    name: str
    region: str

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.types["results"] = ()
        if parser.parse_optional_keyword(self.keyword) is None:
            return
        arguments, operands = parse_assignments(parser)
        position = parser.pos
        types = parse_result_types(parser)
        found.operands[self.name] = parser.resolve_operands(operands, types, position)
        found.arguments += [a.resolve(t) for a, t in zip(arguments, types, strict=True)]
        found.types["results"] = types

    def write(self, printer: Printer, op: Any) -> None:
        carried = values(op, self.name)
        if carried:
            printer.print_string(f" {self.keyword}")
            print_assignments(printer, getattr(op, self.region).block.args[-len(carried) :], carried)
            with printer.delimited(" -> (", ")"):
                printer.print_list(carried, lambda value: printer.print_attribute(value.type))


@dataclass(frozen=True)
class BodyRegion(SyntaxPiece):
    """` { ... }`: the region NAME, whose TERMINATOR the text may leave out unless EXPLICIT.

    mlir-opt drops attributes of terminators that it leaves out; such terminators are printed here.
    """

    name: str
    terminator: type[Operation] | None
    explicit: Callable[[Any], Any] = lambda op: op.results

    def read(self, parser: Parser, found: ReadParts) -> None:
        for name in list(found.operands):
            if name in found.types:
                found.resolve(parser, name)
        arguments, found.arguments = found.arguments or None, []
        region = parser.parse_region(arguments)
        if self.terminator is not None:
            _end(region, self.terminator)
        found.regions[self.name] = [*found.regions.get(self.name, ()), region]

    def write(self, printer: Printer, op: Any) -> None:
        print_body(printer, getattr(op, self.name), explicit=bool(self.explicit(op)))


@dataclass(frozen=True)
class LabelledRegion(SyntaxPiece):
    """` { ^bb0(%a: f32): ... }`: the region NAME with the label of its first block."""

    name: str

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.regions[self.name] = [parser.parse_region()]

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_string(" ")
        printer.print_region(getattr(op, self.name))


def _end(region: Region, terminator: type[Operation]) -> None:
    """End the last block, with a TERMINATOR if there is none."""
    if region.last_block is None:
        region.add_block(Block())
    block = region.last_block
    assert block is not None
    last = block.last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        regions = [Region(Block())] if terminator.name == "scf.forall.in_parallel" else []
        block.add_op(terminator.create(regions=regions))


def print_body(printer: Printer, region: Region, *, explicit: bool = False) -> None:
    """` { ... }` without its arguments, and without a terminator that says nothing (and is not EXPLICIT)."""
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


def otherwise(terminator: type[Operation]) -> Maybe:
    """` else { ... }`: the region `else_region`, if it has a block."""
    return Maybe(" else", BodyRegion("else_region", terminator), when=lambda op: op.else_region.blocks)
