"""Constants that are carried by their text: volcli does not compute with them.

They are sparse elements, strings and what dialects define with a type after them, and floats that Python's
cannot hold: of 80 and 128 bits, and NaNs with a payload.
"""

from __future__ import annotations

import math
import re
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IndexType, IntegerAttr, StringAttr, UnregisteredAttr
from xdsl.ir import Attribute, BuiltinAttribute, ParametrizedAttribute, TypedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.parse.constants.literals import LiteralParser
from volcli.frontend.text.lexer import skip_blank
from volcli.language.unregistered import attributes_named
from volcli.limits.widths import in_64_bits

_WIDE_FLOAT = re.compile(r"(-?[0-9][0-9A-Za-z.]*(?:[eE][+-]?[0-9]+)?)\s*:\s*f(?:80|128)\b")
_HEXADECIMAL = re.compile(r"0x[0-9A-Fa-f]+")
_IN_BRACKETS = re.compile(r'<(?:[^<>"]++|"(?:[^"\\]++|\\.)*+")*+>')
_WITHOUT_WORD = re.compile(r"<\s*[^\sA-Za-z_>]")
_DISTINCT = re.compile(rf"distinct\[\d+\]{_IN_BRACKETS.pattern}")
_OF_STRINGS = re.compile(r'<(?:\s|\[)*"(?!0x)')
"""The begin of `dense<"text">` or `dense<[["a", "b"]]>`, which are not bytes."""


@irdl_attr_definition
class CarriedAttr(BuiltinAttribute, TypedAttribute):
    """A constant as it is spelled: `sparse<[[0, 1]], 5> : tensor<3x4xi32>` has the text before the colon."""

    name = "carried_constant"

    text: StringAttr
    type: Attribute

    @staticmethod
    def parse_with_type(parser: AttrParser, type: Attribute) -> TypedAttribute:
        """Not to be parsed from its text alone: see CarryingParser."""
        raise NotImplementedError

    def print_without_type(self, printer: Printer) -> None:
        printer.print_string(self.text.data, indent=0)

    def print_builtin(self, printer: Printer) -> None:
        printer.print_string(f"{self.text.data} : ", indent=0)
        printer.print_attribute(self.type)


@irdl_attr_definition
class VerbatimAttr(BuiltinAttribute, ParametrizedAttribute):
    """An attribute without a type as it is spelled: `distinct[0]<42 : i32>`."""

    name = "verbatim"

    text: StringAttr

    def print_builtin(self, printer: Printer) -> None:
        printer.print_string(self.text.data, indent=0)


class CarryingParser(LiteralParser):
    """A parser that carries the constants that xDSL cannot hold."""

    def parse_optional_builtin_int_or_float_attr(self) -> Any:
        text, start = self._lexer.input.content, self.pos
        if (wide := _WIDE_FLOAT.match(text, start)) is not None:
            self._resume_from(wide.end(1))
            return CarriedAttr(StringAttr(wide[1]), self._parse_attribute_type())
        token = self._current_token
        number_at = skip_blank(text, start + 1) if token.kind is MLIRTokenKind.MINUS else start
        out_of_range = ParseError(
            Span(number_at, number_at + 1, self._lexer.input), "integer constant out of range for attribute"
        )
        try:
            value = super().parse_optional_builtin_int_or_float_attr()
        except VerifyException as error:
            if "out of range" not in str(error):
                raise
            raise out_of_range from None
        if isinstance(value, IntegerAttr) and isinstance(cast("Attribute", value.type), IndexType):
            number = value.value.data
            if not in_64_bits(number):
                raise out_of_range
        if isinstance(value, FloatAttr) and math.isnan(value.value.data):
            bits = _HEXADECIMAL.match(text, start)
            number: Any = value
            if bits is not None and int(bits[0], 16) != _bits(number):
                return CarriedAttr(StringAttr(bits[0]), number.type)
        return value

    def _parse_dialect_type_or_attribute_body(
        self, attr_name: str, is_type: bool, is_opaque: bool, starting_opaque_pos: int | None
    ) -> Any:
        """As xDSL's; `: type` may follow an unknown attribute.

        What xDSL cannot read of the attributes and types of dialects is carried, too, as of one it does not
        know: `#dlti.target_device_spec<#dlti.dl_entry<"a", 4>>` is MLIR of another year.
        """
        start = self.pos
        try:
            found = super()._parse_dialect_type_or_attribute_body(
                attr_name, is_type, is_opaque, starting_opaque_pos
            )
        except (ParseError, VerifyException):
            if is_opaque or not self._lexer.input.content.startswith("<", start):
                raise
            self._resume_from(start)
            kind = attributes_named(attr_name, is_type)
            found = kind(attr_name, is_type, is_opaque, self._parse_dialect_symbol_body())
        is_typed = isinstance(found, UnregisteredAttr) and not is_type and not is_opaque
        if is_typed and self._current_token.kind is MLIRTokenKind.COLON:
            return CarriedAttr(StringAttr(str(found)), self._parse_attribute_type())
        return found

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> Any:
        start = self.pos
        if _OF_STRINGS.match(self._lexer.input.content, start) is not None:
            return self._parse_carried("dense", type)
        try:
            return super().parse_dense_int_or_fp_elements_attr(type)
        except NotImplementedError:  # xDSL cannot pack f80 and f128
            self._resume_from(start)
            return self._parse_carried("dense", type)

    def _parse_attribute_entry(self) -> tuple[str, Attribute]:
        """As xDSL's; what is not a number may have a type, too: `{limit = #emitc.opaque<"MAX"> : i32}`."""
        name, value = super()._parse_attribute_entry()
        return name, self._typed(value)

    def _parse_optional_array_attr(self) -> ArrayAttr[Attribute] | None:
        values = self.parse_optional_comma_separated_list(
            self.Delimiter.SQUARE, lambda: self._typed(self.parse_attribute())
        )
        return None if values is None else ArrayAttr(values)

    def _typed(self, value: Attribute) -> Attribute:
        """VALUE, or, if a colon and a type stand here, what has its text and that type."""
        if self._current_token.kind is not MLIRTokenKind.COLON:
            return value
        return CarriedAttr(StringAttr(str(value)), self._parse_attribute_type())

    def _parse_extended_type_or_attribute(self, attr_or_dialect_name: str, is_type: bool) -> Any:
        """As xDSL's; what begins with no word is an attribute of a dialect by its text: `#u<"a">`."""
        text, start = self._lexer.input.content, self.pos
        if "." in attr_or_dialect_name or _WITHOUT_WORD.match(text, start) is None:
            return super()._parse_extended_type_or_attribute(attr_or_dialect_name, is_type)
        kind = attributes_named(attr_or_dialect_name, is_type)
        return kind(attr_or_dialect_name, is_type, False, self._parse_dialect_symbol_body())

    def _parse_optional_builtin_parametrized_attr(self) -> Attribute | None:
        text, start = self._lexer.input.content, self.pos
        if self._current_token.text == "distinct" and (match := _DISTINCT.match(text, start)) is not None:
            self._resume_from(match.end())
            return VerbatimAttr(StringAttr(match[0]))
        if self._current_token.text != "sparse":
            return super()._parse_optional_builtin_parametrized_attr()
        self._consume_token(MLIRTokenKind.BARE_IDENT)
        return self._parse_carried("sparse", None)

    def parse_optional_sparse(self, type: Attribute) -> Attribute | None:
        """`sparse<[[0, 1]], 5>` of a type that is known, if the keyword stands here."""
        return None if self.parse_optional_keyword("sparse") is None else self._parse_carried("sparse", type)

    def _parse_carried(self, keyword: str, type: Attribute | None) -> CarriedAttr:
        """`<...>` after KEYWORD, and `: type` after that unless the TYPE is known."""
        match = _IN_BRACKETS.match(self._lexer.input.content, self.pos)
        if match is None:
            self.raise_error("expected '<' and its '>'")
        self._resume_from(match.end())
        return CarriedAttr(StringAttr(keyword + match[0]), type or self._parse_attribute_type())


def _bits(number: Any) -> int:
    """The bit pattern of a float attribute."""
    return int.from_bytes(number.type.pack((number.value.data,)), "little")
