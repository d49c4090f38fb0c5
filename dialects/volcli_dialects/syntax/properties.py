"""Properties that are written as words: one of several, by its number or its value.

So are attributes in angle brackets, `#linalg.type_fn<cast_signed>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, i32, i64
from xdsl.ir import Attribute, Data, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from volcli_dialects.syntax.pieces import Property, integer
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece


def choice(name: str, words: Mapping[str, Attribute]) -> Property:
    """One of WORDS."""
    written = {value: word for word, value in words.items()}

    def reads(parser: Parser) -> Attribute:
        position = parser.pos
        word = parser.parse_identifier()
        if word not in words:
            parser.raise_error(f"expected one of: {', '.join(words)}", position, parser.pos)
        return words[word]

    return Property(name, reads, lambda value: written[value])


def numbered(name: str, names: Sequence[str]) -> Property:
    """One of NAMES, perhaps in quotes: the property is its number among them."""

    def reads(parser: Parser) -> Attribute:
        position = parser.pos
        word = parser.parse_identifier_or_str_literal()
        if word not in names:
            parser.raise_error(f"expected one of: {', '.join(names)}", position, parser.pos)
        return IntegerAttr(names.index(word), i64)

    return Property(name, reads, lambda number: str(names[number.value.data]))


ATOMIC_KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu",
    "minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori",
)  # fmt: skip
"""The kinds of arith.AtomicRMWKind, by their numbers; those of floats end with f."""


def atomic_kind(number: int) -> str:
    """The kind of this NUMBER: `addf`."""
    return ATOMIC_KINDS[number] if 0 <= number < len(ATOMIC_KINDS) else "unknown"


def truth(name: str, false: str, true: str) -> Property:
    """One of two words, which stand for false and true."""

    def reads(parser: Parser) -> Attribute:
        return BoolAttr.from_bool(parser.parse_keyword_in((false, true)) == true)

    return Property(name, reads, lambda value: true if value.value.data else false)


class TypedValue(SyntaxPiece):
    """`dense<0> : tensor<4xi32>`: the property `value`, whose type is that of the result."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        position = parser.pos
        value = parser.parse_attribute()
        if not isinstance(value, TypedAttribute):
            parser.raise_error("expected a constant with a type", position, parser.pos)
        found.properties["value"] = value
        found.types["results"] = [value.get_type()]

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_attribute(op.properties["value"])


PREFETCH = (
    ", ", truth("isWrite", "read", "write"), ", locality<", integer("localityHint", i32), ">, ",
    truth("isDataCache", "instr", "data"),
)  # fmt: skip
"""`, read, locality<3>, data`."""


class CaseAttr(Data[str]):
    """One case of an enumeration: `data` is its name, one of CASES. Any other name is a parse error."""

    CASES: ClassVar[str] = ""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        with parser.in_angle_brackets():
            position = parser.pos
            case = parser.parse_identifier()
            if case not in cls.CASES.split():
                parser.raise_error(f"expected one of: {', '.join(cls.CASES.split())}", position)
            return case

    def verify(self) -> None:
        if self.data not in self.CASES.split():
            raise VerifyException(f"expected one of: {', '.join(self.CASES.split())}")

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(self.data)


def enumeration(name: str, cases: str) -> type[CaseAttr]:
    """The attribute NAME with these CASES: "vector.punctuation", one of "no_punctuation newline comma"."""
    class_name = "".join(part.title() for part in name.partition(".")[2].split("_")) + "Attr"
    kind = type(
        class_name, (CaseAttr,), {"name": name, "CASES": cases, "__annotations__": {"CASES": ClassVar[str]}}
    )
    return cast("type[CaseAttr]", irdl_attr_definition(kind))
