"""The syntax of stablehlo's products and convolutions, and the dimensions that their attributes name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Self, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IntegerType,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli.language.expressions import NotAffine
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.stablehlo.syntax import (
    Syntax,
    finished,
    parse_text_attribute,
    parse_words,
    print_end,
    text_attribute,
    text_of,
)
from volcli_dialects.syntax.syntax import parse_integer_list

_PAIRS = (("batching_dims", "batching"), ("contracting_dims", "contracting"))


class DotDimensions(NamedTuple):
    """The dimensions that both sides share, and those that are summed over."""

    lhs_batching: tuple[int, ...] = ()
    rhs_batching: tuple[int, ...] = ()
    lhs_contracting: tuple[int, ...] = ()
    rhs_contracting: tuple[int, ...] = ()


def dot_dimensions(op: Operation) -> DotDimensions:
    """`#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>`."""
    text = text_of(attribute(op, "dot_dimension_numbers"))
    found = {
        name: tuple(int(n) for n in numbers.split(",") if n.strip())
        for name, numbers in re.findall(r"(\w+)_dimensions\s*=\s*\[([\d,\s]*)\]", text)
    }
    if not set(found) <= set(DotDimensions._fields):
        raise NotAffine("dimensions of a product that are not known")
    return DotDimensions(**found)


class DotSyntax(Syntax):
    """`dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (t, u) -> v`."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        operands.append(parser.parse_unresolved_operand())
        found: list[str] = []
        properties: dict[str, Attribute] = {}
        while parser.parse_optional_punctuation(",") is not None:
            word = parser.parse_keyword_in(["batching_dims", "contracting_dims", "precision", "algorithm"])
            parser.parse_punctuation("=")
            if word == "algorithm":
                properties["algorithm"] = parse_text_attribute(parser, "dot_algorithm")
                continue
            if word == "precision":
                properties["precision_config"] = ArrayAttr(parse_words(parser, "precision"))
                continue
            sides = [_listed(parse_integer_list(parser))]
            parser.parse_keyword("x")
            sides.append(_listed(parse_integer_list(parser)))
            kind = dict(_PAIRS)[word]
            found += [
                f"{s}_{kind}_dimensions = {each}" for s, each in zip(("lhs", "rhs"), sides, strict=True)
            ]
        properties["dot_dimension_numbers"] = text_attribute("dot", ", ".join(sorted(found, key=_order)))
        return finished(cls, parser, operands, properties, position)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        dims = dot_dimensions(self)
        for word, kind in _PAIRS:
            left, right = (getattr(dims, f"{side}_{kind}") for side in ("lhs", "rhs"))
            if left or right:
                printer.print_string(f", {word} = {list(left)} x {list(right)}")
        precision = self.properties.get("precision_config")
        if isinstance(precision, ArrayAttr):
            printer.print_string(
                f", precision = [{', '.join(map(text_of, cast('ArrayAttr[Attribute]', precision).data))}]"
            )
        if (algorithm := self.properties.get("algorithm")) is not None:
            printer.print_string(f", algorithm = <{text_of(algorithm)}>")
        print_end(self, printer, ["dot_dimension_numbers", "precision_config", "algorithm"])


def _order(text: str) -> int:
    return next(k for k, name in enumerate(DotDimensions._fields) if text.startswith(name))


def _listed(numbers: Attribute) -> str:
    return str(list(integers_of(numbers) or ()))


class ConvDimensions(NamedTuple):
    """The dimensions of the input, the kernel and the output: two that are named, and the spatial ones."""

    lhs: tuple[int, int, tuple[int, ...]]
    """batch, feature, spatial."""
    rhs: tuple[int, int, tuple[int, ...]]
    """input feature, output feature, spatial."""
    result: tuple[int, int, tuple[int, ...]]


def conv_dimensions(op: Operation) -> ConvDimensions:
    """`#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`."""
    text = text_of(attribute(op, "dimension_numbers"))
    lists = [[each.strip() for each in part.split(",")] for part in re.findall(r"\[([\w,\s]*)\]", text)]
    if len(lists) != 3 or "raw" in text:
        raise NotAffine("dimensions of a convolution that are not known")
    return ConvDimensions(
        *(_layout(each, a, b) for each, (a, b) in zip(lists, ("bf", "io", "bf"), strict=True))
    )


def _layout(names: Sequence[str], first: str, second: str) -> tuple[int, int, tuple[int, ...]]:
    spatial = [str(k) for k in range(len(names) - 2)]
    if sorted(names) != sorted([first, second, *spatial]):
        raise NotAffine("dimensions of a convolution that are not known")
    return names.index(first), names.index(second), tuple(names.index(each) for each in spatial)


_WINDOW = {
    "stride": "window_strides", "pad": "padding", "lhs_dilate": "lhs_dilation", "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}  # fmt: skip


class ConvSyntax(Syntax):
    """`convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]} : ..`."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        position = parser.pos
        operands = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        parser.parse_keyword("dim_numbers")
        parser.parse_punctuation("=")
        lists = [_names(parser)]
        # `]x[` is one word with what follows it, where no space is between.
        parser.parse_keyword("x")
        lists.append(_names(parser))
        parser.parse_punctuation("->")
        lists.append(_names(parser))
        left, right, out = (f"[{', '.join(each)}]" for each in lists)
        properties: dict[str, Attribute] = {
            "dimension_numbers": text_attribute("conv", f"{left}x{right}->{out}")
        }
        if parser.parse_optional_punctuation(",") is not None:
            parser.parse_keyword("window")
            parser.parse_punctuation("=")
            parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: _window(parser, properties))
        return finished(cls, parser, operands, properties, position)

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f" dim_numbers = {text_of(self.properties['dimension_numbers'])}, window = ")
        with printer.in_braces():
            shown = [
                (word, self.properties[name]) for word, name in _WINDOW.items() if name in self.properties
            ]
            printer.print_list(shown, lambda each: printer.print_string(f"{each[0]} = {_nested(each[1])}"))
        print_end(self, printer, ["dimension_numbers", *_WINDOW.values()])


def _names(parser: Parser) -> list[str]:
    def one() -> str:
        number = parser.parse_optional_integer(allow_boolean=False)
        return parser.parse_identifier() if number is None else str(number)

    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one)


def _window(parser: Parser, properties: dict[str, Attribute]) -> None:
    """`stride = [1, 2]`, `pad = [[0, 1], [1, 0]]` or `reverse = [false, true]`."""
    word = parser.parse_keyword_in(_WINDOW)
    parser.parse_punctuation("=")
    if word == "pad":
        rows = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: integers_of(parse_integer_list(parser)) or ()
        )
        kind = TensorType(i64, [len(rows), 2])
        flat = [n for row in rows for n in row]
        properties["padding"] = DenseIntOrFPElementsAttr.from_list(kind, flat)
    elif word == "reverse":
        flags = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        properties["window_reversal"] = DenseArrayBase.from_list(i1, [int(flag) for flag in flags])
    else:
        properties[_WINDOW[word]] = parse_integer_list(parser)


def _nested(value: Attribute) -> str:
    numbers = list(integers_of(value) or ())
    if isinstance(value, DenseIntOrFPElementsAttr):
        return str([numbers[k : k + 2] for k in range(0, len(numbers), 2)])
    if isinstance(value, DenseArrayBase) and cast("DenseArrayBase[IntegerType]", value).elt_type == i1:
        return f"[{', '.join('true' if n else 'false' for n in numbers)}]"
    return str(numbers)
