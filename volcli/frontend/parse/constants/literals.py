"""The parts of MLIR's syntax below operations that xDSL reads wrongly, slowly, or not at all."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from typing import Any, Literal, cast

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    AnyFloat,
    CallSiteLoc,
    ComplexType,
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    FileLineColLoc,
    FusedLoc,
    IndexType,
    IntAttr,
    IntegerType,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser, ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from volcli.frontend.parse.constants.blob import blob
from volcli.frontend.parse.constants.sections import METADATA_REST
from volcli.frontend.parse.constants.shapes import ShapeParser
from volcli.frontend.parse.constants.splat import splat
from volcli.frontend.text.lexer import Lexer
from volcli.frontend.text.source import Source
from volcli.language.resources import ResourceKey, ResourceTable
from volcli.limits.widths import in_64_bits

_SCALAR_KINDS = frozenset(
    (
        MLIRTokenKind.INTEGER_LIT,
        MLIRTokenKind.FLOAT_LIT,
        MLIRTokenKind.MINUS,
        MLIRTokenKind.BARE_IDENT,
        MLIRTokenKind.L_PAREN,
    )
)


def _holds(kind: IntegerType | IndexType, number: int) -> bool:
    """Whether an element of this type can be NUMBER, read with or without a sign."""
    width = 64 if isinstance(kind, IndexType) else kind.width.data
    return -(1 << max(width - 1, 0)) <= number < 1 << width


_SHAPES = re.compile(r"shape mismatch in dense literal. Expected \[([^]]*)\].*got \[([^]]*)\]", re.IGNORECASE)


class LiteralParser(ShapeParser):
    """xDSL's parser with splats of any size, bit patterns of floats, all of `loc(...)`, and resources.

    `aliases` and `metadata` hold the text of `#name = ...`, `!name = ...` and `{-# ... #-}` sections: an
    operation that is carried through unread may refer to them.
    """

    def __init__(self, context: Context, source: Source) -> None:
        # Not super().__init__, which would make xDSL's own lexer.
        self.remember_texts()
        self._lexer = Lexer(Input(source.text, source.name))
        AttrParser.__init__(self, ParserState(self._lexer), context)
        self.ssa_values = {}
        self.blocks = {}
        self.forward_block_references = defaultdict(list)
        self.forward_ssa_references = {}
        self.aliases: list[str] = []
        self.metadata: list[str] = []
        self._resources = ResourceTable(self.metadata)
        self._keys: dict[str, Span] = {}
        self._forward_locations: dict[str, LocationAttr] = {}

    # Constants

    # xDSL's parser looks this class up in itself: overriding it is the way to read elements differently.
    class _TensorLiteralElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
        def to_type(self, parser: AttrParser, type: Any) -> Any:
            """The element's value; a hexadecimal integer for a float is its bit pattern, as in MLIR.

            `dense<0xFF800000> : tensor<4xf32>` is minus infinity; xDSL reads 4286578688.0.
            """
            if isinstance(type, ComplexType) and isinstance(self.value, tuple):
                parts, part = cast("Any", self.value), cast("ComplexType[Any]", type).element_type
                return tuple(number.to_type(parser, part) for number in parts)
            if isinstance(type, AnyFloat) and isinstance(self.value, int) and self.span.text.startswith("0x"):
                bits = self.value.to_bytes(type.compile_time_size, "little")
                number = type.unpack(bits, 1)[0]
                if math.isnan(number) and type.pack((number,)) != bits:
                    raise NotImplementedError("a NaN with a payload")  # for the CarryingParser
                return number
            value: Any = super().to_type(parser, cast("Any", type))
            if isinstance(type, IntegerType | IndexType) and not _holds(cast("Any", type), int(value)):
                raise ParseError(self.span, "integer constant out of range for type")
            return value

    def _parse_tensor_literal_element(self) -> Any:
        """As xDSL's; the parts of a complex number are elements, of which one may be a bit pattern."""
        start = self._current_token.span
        if self.parse_optional_punctuation("(") is None:
            return super()._parse_tensor_literal_element()
        first = super()._parse_tensor_literal_element()
        self.parse_punctuation(",")
        second: Any = super()._parse_tensor_literal_element()
        self.parse_punctuation(")")
        return self._TensorLiteralElement(False, cast("Any", (first, second)), start)

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr[Any]:
        """`dense<...>`; a splat is kept as one element, and bytes as their text (xDSL makes all elements)."""
        start = self.pos
        self.parse_punctuation("<", " in dense attribute")
        token = self._current_token
        if token.kind is MLIRTokenKind.STRING_LIT:
            self._consume_token()
            return self._parse_blob(token, type)
        if token.kind not in _SCALAR_KINDS:
            self._resume_from(start)
            try:
                return super().parse_dense_int_or_fp_elements_attr(type)
            except ParseError as error:
                if (shapes := _SHAPES.search(error.msg)) is None:
                    raise
                declared, found = (f"([{shape}])" for shape in shapes.groups())
                message = f"inferred shape of elements literal {found} does not match type {declared}"
                keyword = Span(start - len("dense"), start, self._lexer.input)
                raise ParseError(keyword, message) from None
        element = self._parse_tensor_literal_element()
        type = self._parse_end_of_dense(type)
        value: list[Any] = [element.to_type(self, type.element_type)]
        if math.prod(type.get_shape()) == 1:
            return DenseIntOrFPElementsAttr[Any].from_list(type, value)
        return splat(value, type)

    def _parse_end_of_dense(self, type: Any) -> Any:
        """The bracket that closes `dense<...`; gives the type, which stands after it unless it is known."""
        self.parse_punctuation(">", " in dense attribute")
        if type is not None:
            return type
        self.parse_punctuation(":", " in dense attribute")
        return self._parse_dense_literal_type()

    def _parse_blob(self, token: MLIRToken, type: Any) -> DenseIntOrFPElementsAttr[Any]:
        """The rest of `dense<"0x...">`, after the string, which is not copied more often than needed."""
        type = self._parse_end_of_dense(type)
        try:
            text = token.text
            return blob(text, type, 1, len(text) - 1)
        except ValueError as error:
            raise ParseError(token.span, str(error)) from None

    # Resources: named here, defined in a section at the end of the file, decoded when they are executed.

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        # xDSL would rename a key that any earlier file of this process has used.
        key = self.parse_identifier_or_str_literal(" for resource handle")
        self.dialect_resources.add((dialect_name, key))
        return ResourceKey(key, self._resources)

    def parse_resource(self, kind: Any) -> DenseResourceAttr:
        """The rest of `dense_resource<key>`, of the type KIND."""
        self.parse_keyword("dense_resource")
        with self.in_angle_brackets():
            key = self.parse_identifier_or_str_literal(" for resource handle")
        return DenseResourceAttr.from_params(ResourceKey(key, self._resources), kind)

    def _parse_file_metadata_dictionary(self) -> None:
        start = self.pos
        text = self._lexer.input.content
        rest = METADATA_REST.match(text, start + len("{-#"))
        if rest is None:
            self.raise_error("this section is not closed with '#-}'")
        self.metadata.append(text[start : rest.end()])
        self._resume_from(rest.end())

    def _parse_alias_def(self) -> None:
        start = self.pos
        super()._parse_alias_def()
        self.aliases.append(self._lexer.input.content[start : self.pos].rstrip())

    # Integers

    def parse_integer(
        self, allow_boolean: bool = True, allow_negative: bool = True, context_msg: str = ""
    ) -> int:
        """As xDSL's; outside of attributes an integer has 64 bits."""
        start = self._current_token.span
        number = super().parse_integer(allow_boolean, allow_negative, context_msg)
        if not in_64_bits(number):
            raise ParseError(start, "integer value too large")
        return number

    # Keys

    def _parse_attribute_entry(self) -> tuple[str, Attribute]:
        start = self._current_token.span
        entry = super()._parse_attribute_entry()
        self._keys[entry[0]] = start
        return entry

    def _find_duplicated_key(self, attrs: list[tuple[str, Attribute]]) -> str | None:
        """None, for the second of two equal keys is refused where it stands."""
        if (key := super()._find_duplicated_key(attrs)) is not None:
            raise ParseError(self._keys[key], f"duplicate key '{key}' in dictionary attribute")
        return None

    # Locations

    def parse_optional_location(self) -> LocationAttr | None:
        if not self.parse_optional_characters("loc"):
            return None
        self.parse_punctuation("(")
        location = self._parse_location()
        self._close(")", "location")
        return location

    def _close(self, bracket: Literal[")", "]"], what: str) -> None:
        if self.parse_optional_punctuation(bracket) is None:
            self.raise_error(f"expected '{bracket}' in {what}")

    def _parse_location(self) -> LocationAttr:
        token = self._current_token
        if token.kind is MLIRTokenKind.HASH_IDENT:
            return self._parse_location_alias(token.text)
        if token.kind is MLIRTokenKind.STRING_LIT:
            return self._parse_named_location(self.parse_str_literal())
        kind = self.parse_optional_identifier() or self.raise_error("expected location instance")
        match kind:
            case "unknown":
                return UnknownLoc()
            case "callsite":
                self.parse_punctuation("(")
                callee = self._parse_location()
                if self.parse_optional_keyword("at") is None:
                    self.raise_error("expected 'at' in callsite location")
                caller = self._parse_location()
                self._close(")", "callsite location")
                return CallSiteLoc(callee, caller)
            case "fused":
                metadata = NoneAttr()
                if self.parse_optional_punctuation("<") is not None:
                    metadata = self.parse_attribute()
                    self.parse_punctuation(">")
                self.parse_punctuation("[")
                parts = self.parse_comma_separated_list(self.Delimiter.NONE, self._parse_location)
                self._close("]", "fused location")
                return FusedLoc(tuple(parts), metadata)
            case _:
                raise ParseError(token.span, f"'{kind}' is not a kind of location")

    def _parse_named_location(self, name: str) -> LocationAttr:
        """`"file":line:column`, with or without `to line:column`; or `"name"(location)`."""
        if self.parse_optional_punctuation(":") is None:
            child = NoneAttr()
            if self._current_token.kind is MLIRTokenKind.L_PAREN:
                with self.in_parens():
                    child = self._parse_location()
            return NameLoc(StringAttr(name), child)
        line = self.parse_integer(False, False)
        column = self.parse_integer(False, False) if self.parse_optional_punctuation(":") else 0
        if self.parse_optional_keyword("to") is not None:
            # A range; xDSL has an attribute for its beginning only, which is all that places need.
            self.parse_optional_integer(False, False)
            self.parse_punctuation(":")
            self.parse_integer(False, False)
        return FileLineColLoc(StringAttr(name), IntAttr(line), IntAttr(column))

    def _parse_location_alias(self, name: str) -> LocationAttr:
        """A location by its alias, which mlir-opt prints at the end of the file, after all uses."""
        self._consume_token()
        location = self.attribute_aliases.get(name) or self._forward_locations.get(name)
        if location is None:
            text = self._lexer.input.content
            definition = re.search(rf"^{re.escape(name)}\s*=\s*(?=loc\b)", text, re.MULTILINE)
            if definition is None:
                self.raise_error(f"no location has the alias '{name}'")
            after, token = self._lexer.pos, self._current_token
            self._resume_from(definition.end())
            location = self.parse_optional_location()
            self._lexer.pos, self._parser_state.current_token = after, token
        if not isinstance(location, LocationAttr):
            self.raise_error(f"'{name}' is not the alias of a location")
        self._forward_locations[name] = location
        return location
