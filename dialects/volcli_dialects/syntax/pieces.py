"""The pieces of which the texts of operations are made: operands, types, properties, attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    FunctionType,
    IndexType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import (
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.syntax import (
    parse_integer_list,
    parse_operand_group,
    parse_result_types,
    print_attributes,
    print_operand_group,
)
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece, values

_SIGNS = {
    Parser.Delimiter.NONE: ("", ""),
    Parser.Delimiter.PAREN: ("(", ")"),
    Parser.Delimiter.SQUARE: ("[", "]"),
}


PAREN = Parser.Delimiter.PAREN
SQUARE = Parser.Delimiter.SQUARE


def written_list(printer: Printer, values: Sequence[SSAValue]) -> None:
    """`%a, %b`."""
    printer.print_list(values, printer.print_ssa_value)


@dataclass(frozen=True)
class OperandList(SyntaxPiece):
    """`%a, %b`, one at least unless they stand in brackets, or are OPTIONAL."""

    name: str = "operands"
    type: Attribute | None = None
    brackets: Parser.Delimiter = Parser.Delimiter.NONE
    optional: bool = False

    def read(self, parser: Parser, found: ReadParts) -> None:
        if self.optional:
            read = parser.parse_optional_undelimited_comma_separated_list(
                parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
            )
            found.operands[self.name] = read or ()
        elif self.type is None:
            read = parser.parse_comma_separated_list(self.brackets, parser.parse_unresolved_operand)
            found.operands[self.name] = read
        else:
            kind = self.type
            read = parser.parse_comma_separated_list(self.brackets, lambda: parser.parse_operand(kind))
            found.operands[self.name] = read

    def write(self, printer: Printer, op: Any) -> None:
        with printer.delimited(*_SIGNS[self.brackets]):
            written_list(printer, values(op, self.name))


class Type(SyntaxPiece):
    """One type, which all values called NAMES have."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def read(self, parser: Parser, found: ReadParts) -> None:
        kind = parser.parse_type()
        for name in self._names:
            found.types[name] = [kind] * max(1, len(found.operands.get(name, ())))

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_attribute(values(op, self._names[0])[0].type)


class Types(SyntaxPiece):
    """A type for each of the values called by the first of NAMES; the others have the same."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def read(self, parser: Parser, found: ReadParts) -> None:
        are_any = found.operands.get(self._names[0], True)
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type) if are_any else ()
        found.types |= dict.fromkeys(self._names, types)

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_list(values(op, self._names[0]), lambda value: printer.print_attribute(value.type))


@dataclass(frozen=True)
class FunctionSignature(SyntaxPiece):
    """`(t, u) -> v`: the types of the operands called NAME, and of all results."""

    name: str = "operands"

    def read(self, parser: Parser, found: ReadParts) -> None:
        kind = parser.parse_function_type()
        found.types |= {self.name: kind.inputs.data, "results": kind.outputs.data}

    def write(self, printer: Printer, op: Any) -> None:
        operands = [value.type for value in values(op, self.name)]
        printer.print_attribute(FunctionType.from_lists(operands, op.result_types))


@dataclass(frozen=True)
class ResultTypes(SyntaxPiece):
    """` -> t`, ` -> (t, u)`, or nothing; of one type in parentheses, too, if PARENTHESIZED."""

    parenthesized: bool = False

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.types["results"] = parse_result_types(parser)

    def write(self, printer: Printer, op: Any) -> None:
        if not op.results:
            return
        is_one = len(op.results) == 1 and not self.parenthesized
        with printer.delimited(*((" -> ", "") if is_one else (" -> (", ")"))):
            printer.print_list(op.result_types, printer.print_attribute)


@dataclass(frozen=True)
class Inferred(SyntaxPiece):
    """Types that are not written: what TYPES finds for the values called NAME in what was read."""

    name: str
    types: Callable[[ReadParts], Sequence[Attribute]]

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.types[self.name] = self.types(found)

    def write(self, printer: Printer, op: Any) -> None:
        pass


@dataclass(frozen=True)
class IndexList(SyntaxPiece):
    """`(4, %n)`: the operands DYNAMIC; the property STATIC has the numbers, and markers."""

    dynamic: str
    static: str
    brackets: Parser.Delimiter = PAREN

    def read(self, parser: Parser, found: ReadParts) -> None:
        dynamic, static = parse_dynamic_index_list_without_types(
            parser, DYNAMIC_INDEX, delimiter=self.brackets
        )
        found.operands[self.dynamic] = [parser.resolve_operand(each, IndexType()) for each in dynamic]
        found.properties[self.static] = DenseArrayBase.from_list(i64, static)

    def write(self, printer: Printer, op: Any) -> None:
        static = op.properties[self.static].get_values()
        print_dynamic_index_list(
            printer, DYNAMIC_INDEX, getattr(op, self.dynamic), static, delimiter=self.brackets
        )


class Attributes(SyntaxPiece):
    """` {a = 1, b}`, or nothing; the properties INHERENT stand among them."""

    def __init__(self, *inherent: str) -> None:
        self._inherent = inherent

    def read(self, parser: Parser, found: ReadParts) -> None:
        written = parser.parse_optional_attr_dict()
        for name in self._inherent:
            if name in written:
                found.properties[name] = written.pop(name)
        found.attributes |= written

    def write(self, printer: Printer, op: Any) -> None:
        inherent = {name: op.properties[name] for name in self._inherent if name in op.properties}
        print_attributes(printer, op.attributes | inherent)


class NoAttributes(Attributes):
    """Nothing: mlir-opt writes ` {a = 1, b}` there, which is read, and does not read it itself."""

    def write(self, printer: Printer, op: Any) -> None:
        if op.attributes:
            raise ValueError("attributes are only read in generic form")


class KeywordAttributes(Attributes):
    """` attributes {a = 1, b}`, or nothing."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        written = parser.parse_optional_attr_dict_with_keyword()
        found.attributes |= {} if written is None else written.data

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_op_attributes(dict(sorted(op.attributes.items())), print_keyword=True)


@dataclass(frozen=True)
class Property(SyntaxPiece):
    """The property NAME: what READS it, and its text, which may be just an attribute's."""

    name: str
    reads: Callable[[Parser], Attribute]
    text: Callable[[Any], str] | None = None

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.properties[self.name] = self.reads(parser)

    def write(self, printer: Printer, op: Any) -> None:
        value = op.properties[self.name]
        if self.text is None:
            printer.print_attribute(value)
        else:
            printer.print_string(self.text(value))


def integer(name: str, kind: Any = i64, *, negative: bool = False, boolean: bool = False) -> Property:
    """`7`."""

    def reads(parser: Parser) -> Attribute:
        return IntegerAttr(parser.parse_integer(allow_boolean=boolean, allow_negative=negative), kind)

    return Property(name, reads, lambda value: str(value.value.data))


def integers(name: str) -> Property:
    """`[1, 0]`."""
    return Property(name, parse_integer_list, lambda value: f"[{', '.join(map(str, value.get_values()))}]")


def string(name: str) -> Property:
    """`"text"`."""
    return Property(name, lambda parser: StringAttr(parser.parse_str_literal()))


@dataclass(frozen=True)
class BareAttribute(SyntaxPiece):
    """`<add>`: the property NAME without the prefix of its KIND."""

    name: str
    kind: Any

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.properties[self.name] = self.kind.new(self.kind.parse_parameter(parser))

    def write(self, printer: Printer, op: Any) -> None:
        op.properties[self.name].print_parameter(printer)


@dataclass(frozen=True)
class InsAndOuts(SyntaxPiece):
    """` ins(%a, %b : t, u) outs(%c : v)`: the operands called INS and OUTS, as far as there are any."""

    ins: str = "inputs"
    outs: str = "outputs"

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.operands[self.ins] = parse_operand_group(parser, "ins")
        found.operands[self.outs] = parse_operand_group(parser, "outs")

    def write(self, printer: Printer, op: Any) -> None:
        print_operand_group(printer, "ins", values(op, self.ins))
        print_operand_group(printer, "outs", values(op, self.outs))
