"""The syntax of stablehlo, as StableHLO's own printer writes it.

Most operations are operands and named values, in any number: `%x, dims = [1, 0] : (t) -> u`. Where all types
are one, it is written once: `stablehlo.add %a, %b : t`. The attributes of the dialect are kept as their text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    ComplexType,
    FunctionType,
    IntegerAttr,
    IntegerType,
    TensorType,
    UnregisteredAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from volcli.language.unregistered import attributes_named
from volcli_dialects.cases.parts import integers_of
from volcli_dialects.syntax.pieces import Attributes, Property
from volcli_dialects.syntax.properties import TypedValue
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, integer_array, parse_integer_list
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, SyntaxPiece


def text_attribute(name: str, text: str) -> Attribute:
    """`#stablehlo.name<text>`."""
    return _unregistered(f"stablehlo.{name}", False, text)


def word_attribute(name: str, word: str) -> Attribute:
    """`#stablehlo<name word>`, as `#stablehlo<precision HIGHEST>`."""
    return _unregistered(f"stablehlo.{name}", True, f" {word}")


def parse_text_attribute(parser: Parser, name: str) -> Attribute:
    """`<lhs_precision_type = tf32, ..>`, as `#stablehlo.name<..>` whose text begins here."""
    body = parser._parse_dialect_symbol_body()  # pyright: ignore[reportPrivateUsage]
    return text_attribute(name, body)


def _unregistered(name: str, opaque: bool, text: str) -> Attribute:
    kind = attributes_named(name, False)
    return kind(name, False, opaque, text)  # pyright: ignore


def text_of(attribute: Attribute | None) -> str:
    """The text of an attribute of the dialect, without its name."""
    return attribute.value.data.strip() if isinstance(attribute, UnregisteredAttr) else ""


def word(name: str, kind: str = "") -> Property:
    """`HIGHEST`, for `#stablehlo<KIND HIGHEST>`; KIND is NAME if it is not given."""
    return Property(name, lambda parser: word_attribute(kind or name, parser.parse_identifier()), text_of)


def numbers(name: str) -> Property:
    """`[1, 0]`."""
    return Property(name, parse_integer_list, written)


@dataclass(frozen=True)
class Items(SyntaxPiece):
    """` %a, %b, key = value`: operands and, by the words of KEYS, properties, as far as they go."""

    keys: Mapping[str, str]

    def read(self, parser: Parser, found: ReadParts) -> None:
        operands: list[UnresolvedOperand] = []
        found.operands["operands"] = operands
        while True:
            if (operand := parser.parse_optional_unresolved_operand()) is not None:
                operands.append(operand)
            elif (word := parser.parse_optional_keyword_in(self.keys)) is not None:
                parser.parse_punctuation("=")
                found.properties[self.keys[word]] = _value(parser, self.keys[word])
            elif operands or found.properties:
                parser.raise_error(f"expected an operand, or one of {', '.join(self.keys) or 'no words'}")
            if parser.parse_optional_punctuation(",") is None:
                return

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_string(" ")
        printer.print_list(op.operands, printer.print_ssa_value)
        shown = [(word, op.properties[name]) for word, name in self.keys.items() if name in op.properties]
        for k, (word, value) in enumerate(shown):
            printer.print_string(", " if op.operands or k else "")
            printer.print_string(f"{word} = {written(value)}")


def _value(parser: Parser, name: str) -> Attribute:
    """`[1, 0]`, `1`, or a word, of the attribute NAME."""
    one = parser.parse_optional_integer(allow_boolean=False)
    if one is None and (found := parser.parse_optional_identifier()) is not None:
        return word_attribute(name, found)
    return parse_integer_list(parser) if one is None else IntegerAttr(one, i64)


def written(value: Attribute) -> str:
    if isinstance(value, IntegerAttr):
        return str(cast("IntegerAttr[IntegerType]", value).value.data)
    return text_of(value) or str(list(integers_of(value) or ()))


class AttributesAndTypes(SyntaxPiece):
    """` {attributes} : (t, u) -> v`: the properties but those SHOWN, the attributes, and the types.

    Where all types are one, as those of element-wise operations are, it is written once: ` : t`.
    """

    def __init__(self, *shown: str) -> None:
        self._hidden = {*shown, SEGMENT_SIZES}

    def read(self, parser: Parser, found: ReadParts) -> None:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands: list[Any] = [operand for group in found.operands.values() for operand in group]
        found.operands = {"operands": operands}
        function = parser.parse_optional_function_type() or self._short(parser, len(operands))
        found.types = {"operands": function.inputs.data, "results": function.outputs.data}
        declared = found.kind.get_irdl_definition().properties
        found.properties |= {name: value for name, value in attributes.items() if name in declared}
        found.attributes = {name: value for name, value in attributes.items() if name not in declared}

    def write(self, printer: Printer, op: Any) -> None:
        every = {**op.properties, **op.attributes}
        printer.print_op_attributes({name: every[name] for name in sorted(every) if name not in self._hidden})
        printer.print_string(" : ")
        if short := self._types(op):
            printer.print_list(short, printer.print_attribute)
        else:
            printer.print_attribute(FunctionType.from_lists(op.operand_types, op.result_types))

    def _short(self, parser: Parser, count: int) -> FunctionType:
        """The types of COUNT operands and a result, in short."""
        kind = parser.parse_type()
        return FunctionType.from_lists([kind] * count, [kind])

    def _types(self, op: Any) -> Sequence[Attribute]:
        """The types of OP in short; none if they are written out."""
        is_one = len({*op.operand_types, *op.result_types}) == 1 == len(op.results)
        return op.result_types if is_one and op.name not in _FUNCTIONAL else ()


_FUNCTIONAL = frozenset(
    f"stablehlo.{name}"
    for name in ("transpose", "reshape", "convert", "bitcast_convert", "broadcast_in_dim", "pad",
                 "concatenate", "slice", "dot_general", "convolution", "compare", "fft",
                 "dynamic_broadcast_in_dim", "dynamic_iota", "dynamic_pad", "dynamic_reshape")
)  # fmt: skip
"""Their types are written out even where all are one."""


COMPARE = (
    " ", word("comparison_direction"), ", ", Operand("lhs"), ", ", Operand("rhs"),
    Maybe(", ", word("compare_type", "comparison_type"), of="compare_type"),
    AttributesAndTypes("comparison_direction", "compare_type"),
)  # fmt: skip
"""`stablehlo.compare LT, %a, %b, FLOAT : (t, t) -> u`."""


class _SelectTypes(AttributesAndTypes):
    """` : t, u`, u being the type of both values and of the result."""

    def _short(self, parser: Parser, count: int) -> FunctionType:
        truth = parser.parse_type()
        parser.parse_punctuation(",")
        kind = parser.parse_type()
        return FunctionType.from_lists([truth, kind, kind], [kind])

    def _types(self, op: Any) -> Sequence[Attribute]:
        return op.operand_types[:2] if {*op.operand_types[1:]} == {*op.result_types} else ()


SELECT = (Items({}), _SelectTypes())
"""`stablehlo.select %p, %a, %b : t, u`."""


class _ComplexTypes(AttributesAndTypes):
    """` : t`, the type of the result: the operands are its parts."""

    def _short(self, parser: Parser, count: int) -> FunctionType:
        kind = parser.parse_type()
        if not isa(kind, TensorType[ComplexType]):
            parser.raise_error("expected a tensor of complex numbers")
        part = TensorType(kind.element_type.element_type, kind.get_shape(), kind.encoding)
        return FunctionType.from_lists([part] * count, [kind])

    def _types(self, op: Any) -> Sequence[Attribute]:
        return op.result_types


COMPLEX = (Items({}), _ComplexTypes())
"""`stablehlo.complex %re, %im : tensor<4xcomplex<f32>>`."""


class _AlikeTypes(AttributesAndTypes):
    """` : t, u`, the types of the operands, and of the results."""

    def _short(self, parser: Parser, count: int) -> FunctionType:
        kinds = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return FunctionType.from_lists(kinds, kinds)

    def _types(self, op: Any) -> Sequence[Attribute]:
        return op.result_types


ALIKE = (Items({}), _AlikeTypes())
"""`stablehlo.optimization_barrier %x, %y : t, u`."""


CONSTANT = (Attributes(), " ", TypedValue())
"""`stablehlo.constant dense<0.0> : tensor<4xf32>`."""


class _Ranges(SyntaxPiece):
    """`[0:2, 1:6:2]`: from, to (exclusive), and the stride."""

    NAMES = ("start_indices", "limit_indices", "strides")

    def read(self, parser: Parser, found: ReadParts) -> None:
        ranges = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _range(parser))
        lists = zip(*ranges, strict=True) if ranges else ((), (), ())
        found.properties |= {name: integer_array(*each) for name, each in zip(self.NAMES, lists, strict=True)}

    def write(self, printer: Printer, op: Any) -> None:
        numbers = [integers_of(op.properties.get(name)) or () for name in self.NAMES]
        ranges = [f"{a}:{b}" if c == 1 else f"{a}:{b}:{c}" for a, b, c in zip(*numbers, strict=False)]
        printer.print_string(f"[{', '.join(ranges)}]")


def _range(parser: Parser) -> tuple[int, int, int]:
    start = parser.parse_integer()
    parser.parse_punctuation(":")
    limit = parser.parse_integer()
    return start, limit, 1 if parser.parse_optional_punctuation(":") is None else parser.parse_integer()


SLICE = (" ", Operand("operand"), " ", _Ranges(), AttributesAndTypes(*_Ranges.NAMES))
"""`stablehlo.slice %x [0:2, 1:6:2] : (t) -> u`."""


class _Format(SyntaxPiece):
    """`e5m10`: the bits of the exponent and of the significand."""

    NAMES = ("exponent_bits", "mantissa_bits")

    def read(self, parser: Parser, found: ReadParts) -> None:
        written = re.fullmatch(r"e(\d+)m(\d+)", parser.parse_identifier())
        if written is None:
            parser.raise_error("expected a format, such as e5m10")
        bits = (IntegerAttr(int(each), i32) for each in written.groups())
        found.properties |= zip(self.NAMES, bits, strict=True)

    def write(self, printer: Printer, op: Any) -> None:
        exponent, significand = (written(op.properties[name]) for name in self.NAMES)
        printer.print_string(f"e{exponent}m{significand}")


PRECISION = (" ", Operand("operand"), ", format = ", _Format(), AttributesAndTypes(*_Format.NAMES))
"""`stablehlo.reduce_precision %x, format = e5m10 : t`."""


def parse_words(parser: Parser, name: str) -> list[Attribute]:
    """`[DEFAULT, HIGHEST]`, each a `#stablehlo<name ..>`."""
    words = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_identifier)
    return [word_attribute(name, word) for word in words]
