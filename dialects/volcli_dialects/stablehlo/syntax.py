"""The syntax of stablehlo, as StableHLO's own printer writes it.

Most operations are operands and named values, in any number: `%x, dims = [1, 0] : (t) -> u`. Where all types
are one, it is written once: `stablehlo.add %a, %b : t`. The attributes of the dialect are kept as their text.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import (
    FunctionType,
    IntegerAttr,
    IntegerType,
    UnregisteredAttr,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli.language.unregistered import attributes_named
from volcli_dialects.cases.parts import integers_of
from volcli_dialects.syntax.syntax import integer_array, parse_integer_list


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


class Syntax(IRDLOperation, ABC):
    """`name operands, key = value, .. attributes : types`."""

    KEYS: ClassVar[Mapping[str, str]] = {}
    """The properties that are written in front of the attributes, by the words that introduce them."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands, properties = _items(parser, cls.KEYS)
        return finished(cls, parser, operands, properties, position)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        shown = [(word, name) for word, name in self.KEYS.items() if name in self.properties]
        for k, (word, name) in enumerate(shown):
            printer.print_string(", " if self.operands or k else "")
            printer.print_string(f"{word} = {_written(self.properties[name])}")
        print_end(self, printer, [name for _, name in shown])


def _items(parser: Parser, keys: Mapping[str, str]) -> tuple[list[UnresolvedOperand], dict[str, Attribute]]:
    """Operands and named values, separated by commas, as far as they go."""
    operands: list[UnresolvedOperand] = []
    properties: dict[str, Attribute] = {}
    while True:
        if (operand := parser.parse_optional_unresolved_operand()) is not None:
            operands.append(operand)
        elif (word := parser.parse_optional_keyword_in(keys)) is not None:
            parser.parse_punctuation("=")
            properties[keys[word]] = _value(parser)
        elif operands or properties:
            parser.raise_error(f"expected an operand, or one of {', '.join(keys) or 'no words'}")
        if parser.parse_optional_punctuation(",") is None:
            return operands, properties


def _value(parser: Parser) -> Attribute:
    """`[1, 0]` or `1`."""
    one = parser.parse_optional_integer(allow_boolean=False)
    return parse_integer_list(parser) if one is None else IntegerAttr(one, i64)


def _written(value: Attribute) -> str:
    if isinstance(value, IntegerAttr):
        return str(cast("IntegerAttr[IntegerType]", value).value.data)
    return str(list(integers_of(value) or ()))


def finished(
    kind: type[Any],
    parser: Parser,
    operands: Sequence[UnresolvedOperand],
    properties: Mapping[str, Attribute],
    position: int,
) -> Any:
    """The operation, of which the attributes and types still stand in the text."""
    attributes = parser.parse_optional_attr_dict()
    inputs, outputs = parse_types(parser, len(operands))
    declared = kind.get_irdl_definition().properties
    return kind.create(
        operands=parser.resolve_operands(operands, inputs, position),
        result_types=outputs,
        properties={**properties, **{n: a for n, a in attributes.items() if n in declared}},
        attributes={n: a for n, a in attributes.items() if n not in declared},
    )


def parse_types(parser: Parser, count: int) -> tuple[Sequence[Attribute], Sequence[Attribute]]:
    """`: (t, u) -> v`, or `: t` where COUNT operands and the result have one type."""
    parser.parse_punctuation(":")
    function = parser.parse_optional_function_type()
    if function is not None:
        return function.inputs.data, function.outputs.data
    kind = parser.parse_type()
    return (kind,) * count, (kind,)


def print_end(op: IRDLOperation, printer: Printer, shown: Sequence[str]) -> None:
    """The attributes but those SHOWN, and the types: one where all are equal, as element-wise ones are."""
    hidden = {*shown, "operandSegmentSizes"}
    every = {**op.properties, **op.attributes}
    printer.print_op_attributes({n: every[n] for n in sorted(every) if n not in hidden})
    printer.print_string(" : ")
    types = {*op.operand_types, *op.result_types}
    if len(types) == 1 and len(op.results) == 1 and op.name not in _FUNCTIONAL:
        printer.print_attribute(op.results[0].type)
    else:
        printer.print_attribute(FunctionType.from_lists(op.operand_types, op.result_types))


_FUNCTIONAL = frozenset(
    f"stablehlo.{name}"
    for name in ("transpose", "reshape", "convert", "broadcast_in_dim", "pad", "concatenate", "slice",
                 "dot_general", "convolution", "compare")
)  # fmt: skip
"""Their types are written out even where all are one."""


class CompareSyntax(Syntax):
    """`stablehlo.compare LT, %a, %b, FLOAT : (t, t) -> u`."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        direction = parser.parse_identifier()
        parser.parse_punctuation(",")
        operands = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
        properties = {"comparison_direction": word_attribute("comparison_direction", direction)}
        if parser.parse_optional_punctuation(",") is not None:
            properties["compare_type"] = word_attribute("comparison_type", parser.parse_identifier())
        return finished(cls, parser, operands, properties, position)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {text_of(self.properties['comparison_direction'])}, ")
        printer.print_list(self.operands, printer.print_ssa_value)
        if (kind := self.properties.get("compare_type")) is not None:
            printer.print_string(f", {text_of(kind)}")
        print_end(self, printer, ["comparison_direction", "compare_type"])


class SelectSyntax(Syntax):
    """`stablehlo.select %p, %a, %b : t, u`, u being the type of the three others."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands, _ = _items(parser, {})
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        function = parser.parse_optional_function_type()
        if function is None:
            truth = parser.parse_type()
            parser.parse_punctuation(",")
            kind = parser.parse_type()
            function = FunctionType.from_lists([truth, kind, kind], [kind])
        values = parser.resolve_operands(operands, function.inputs.data, position)
        return cls.create(operands=values, result_types=function.outputs.data, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        if {*self.operand_types[1:]} == {*self.result_types}:
            printer.print_list(self.operand_types[:2], printer.print_attribute)
        else:
            printer.print_attribute(FunctionType.from_lists(self.operand_types, self.result_types))


class ConstantSyntax(Syntax):
    """`stablehlo.constant dense<0.0> : tensor<4xf32>`."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        value = parser.parse_attribute()
        kind = getattr(value, "type", None)
        if not isinstance(kind, Attribute):
            parser.raise_error("expected elements with a type")
        return cls.create(result_types=[kind], properties={"value": value}, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.properties["value"])


class SliceSyntax(Syntax):
    """`stablehlo.slice %x [0:2, 1:6:2] : (t) -> u`: from, to (exclusive), and the stride."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operand = parser.parse_unresolved_operand()
        ranges = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _range(parser))
        start, limit, stride = zip(*ranges, strict=True) if ranges else ((), (), ())
        properties: dict[str, Attribute] = {
            "start_indices": integer_array(*start),
            "limit_indices": integer_array(*limit),
            "strides": integer_array(*stride),
        }
        return finished(cls, parser, [operand], properties, position)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        names = ["start_indices", "limit_indices", "strides"]
        numbers = [integers_of(self.properties.get(name)) or () for name in names]
        ranges = [f"{a}:{b}" if c == 1 else f"{a}:{b}:{c}" for a, b, c in zip(*numbers, strict=False)]
        printer.print_string(f" [{', '.join(ranges)}]")
        print_end(self, printer, names)


def _range(parser: Parser) -> tuple[int, int, int]:
    start = parser.parse_integer()
    parser.parse_punctuation(":")
    limit = parser.parse_integer()
    return start, limit, 1 if parser.parse_optional_punctuation(":") is None else parser.parse_integer()


def parse_words(parser: Parser, name: str) -> list[Attribute]:
    """`[DEFAULT, HIGHEST]`, each a `#stablehlo<name ..>`."""
    words = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_identifier)
    return [word_attribute(name, word) for word in words]
