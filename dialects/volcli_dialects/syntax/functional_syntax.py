"""Operations written as `d.op %a, %b {attributes} : (types) -> type`, and tables that declare them.

A declaration is a line: the operation's name, its operands, and its attributes. "axis nan_mode?" are two
attributes, of which the second may be absent; "input1 input2" two operands, "input1*" any number.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import FunctionType, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    var_operand_def,
    var_region_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.redeclared import renamed
from volcli_dialects.syntax.syntax import SEGMENT_SIZES

Keywords = Mapping[str, Attribute]
"""The attributes that are written as a bare word in `{nan_mode = IGNORE}`."""


class FunctionalSyntax(IRDLOperation, ABC):
    """`name operands attributes : (operand types) -> result types`; properties are among the attributes."""

    KEYWORDS: ClassVar[Mapping[str, Keywords]] = {}
    """Per attribute that is written as a bare word, its values."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parser.parse_optional_undelimited_comma_separated_list(
            parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
        )
        entries = parser.parse_optional_comma_separated_list(
            parser.Delimiter.BRACES, lambda: cls._entry(parser)
        )
        parser.parse_punctuation(":")
        kind = parser.parse_function_type()
        values = parser.resolve_operands(operands or [], kind.inputs.data, position)
        declared = cls.get_irdl_definition().properties
        every = dict(entries or [])
        return cls.create(
            operands=values,
            result_types=kind.outputs.data,
            properties={name: value for name, value in every.items() if name in declared},
            attributes={name: value for name, value in every.items() if name not in declared},
        )

    @classmethod
    def _entry(cls, parser: Parser) -> tuple[str, Attribute]:
        """`axis = 1 : i32`, `nan_mode = IGNORE`, or `flag`."""
        name = parser.parse_optional_identifier() or parser.parse_str_literal()
        if parser.parse_optional_punctuation("=") is None:
            return name, UnitAttr()
        words = cls.KEYWORDS.get(name, {})
        word = parser.parse_optional_keyword_in(words)
        return name, parser.parse_attribute() if word is None else words[word]

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        every = {**self.properties, **self.attributes}
        if shown := sorted(name for name in every if name != SEGMENT_SIZES):
            printer.print_string(" ")
            with printer.in_braces():
                printer.print_list(shown, lambda name: self._print_entry(printer, name, every[name]))
        printer.print_string(" : ")
        printer.print_attribute(FunctionType.from_lists(self.operand_types, self.result_types))

    def _print_entry(self, printer: Printer, name: str, value: Attribute) -> None:
        word = next((word for word, each in self.KEYWORDS.get(name, {}).items() if each == value), None)
        if word is None:
            _print_entry(printer, name, value)
        else:
            printer.print_string(f"{name} = {word}")


def _print_entry(printer: Printer, name: str, value: Attribute) -> None:
    """`axis = 1 : i32`, or `flag`."""
    printer.print_identifier_or_string_literal(name)
    if not isinstance(value, UnitAttr):
        printer.print_string(" = ")
        printer.print_attribute(value)


def declared_regions(
    base: type[IRDLOperation], name: str, attributes: str, regions: int | None
) -> type[Operation]:
    """The class of the operation NAME with as many REGIONS (None: any number)."""
    fields: dict[str, Any] = {"name": name}
    for each in attributes.split():
        fields[each.rstrip("?")] = opt_prop_def(Attribute) if each.endswith("?") else prop_def(Attribute)
    if regions is None:
        fields["branches"] = var_region_def()
    fields |= {f"region{k}": region_def() for k in range(regions or 0)}
    class_name = "".join(part.title() for part in name.partition(".")[2].split("_")) + "Op"
    return renamed(type(class_name, (base,), fields), name, class_name)


def declared(
    base: type[IRDLOperation], name: str, operands: str, attributes: str = "", *, results: int = 1
) -> type[Operation]:
    """The class of the operation NAME, with the syntax of BASE."""
    fields: dict[str, Any] = {"name": name}
    for each in operands.split():
        is_variadic = each.endswith("*")
        fields[each.rstrip("*")] = var_operand_def() if is_variadic else operand_def()
    for each in attributes.split():
        fields[each.rstrip("?")] = opt_prop_def(Attribute) if each.endswith("?") else prop_def(Attribute)
    for k in range(results):
        fields[f"output{k}"] = result_def()
    class_name = "".join(part.title() for part in name.partition(".")[2].split("_")) + "Op"
    return renamed(type(class_name, (base,), fields), name, class_name)
