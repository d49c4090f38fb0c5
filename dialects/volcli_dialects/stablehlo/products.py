"""The syntax of stablehlo's products and convolutions, and the dimensions that their attributes name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

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

from volcli.language.expressions import Misfit, NotAffine
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.stablehlo.syntax import (
    AttributesAndTypes,
    parse_text_attribute,
    parse_words,
    text_attribute,
    text_of,
    written,
)
from volcli_dialects.syntax.pieces import PAREN, OperandList, Property
from volcli_dialects.syntax.syntax import parse_integer_list
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, SyntaxPiece

_PAIRS = {"batching_dims": "batching", "contracting_dims": "contracting"}


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


class _DotItems(SyntaxPiece):
    """`, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [..], algorithm = <..>`."""

    NAMES = ("dot_dimension_numbers", "precision_config", "algorithm")

    def read(self, parser: Parser, found: ReadParts) -> None:
        dimensions: list[str] = []
        while parser.parse_optional_punctuation(",") is not None:
            word = parser.parse_keyword_in([*_PAIRS, "precision", "algorithm"])
            parser.parse_punctuation("=")
            if word == "algorithm":
                found.properties["algorithm"] = parse_text_attribute(parser, "dot_algorithm")
            elif word == "precision":
                found.properties["precision_config"] = ArrayAttr(parse_words(parser, "precision"))
            else:
                dimensions.append(f"lhs_{_PAIRS[word]}_dimensions = {written(parse_integer_list(parser))}")
                parser.parse_keyword("x")
                dimensions.append(f"rhs_{_PAIRS[word]}_dimensions = {written(parse_integer_list(parser))}")
        dot = text_attribute("dot", ", ".join(sorted(dimensions, key=_order)))
        found.properties["dot_dimension_numbers"] = dot

    def write(self, printer: Printer, op: Any) -> None:
        dims = dot_dimensions(op)
        for word, kind in _PAIRS.items():
            left, right = (getattr(dims, f"{side}_{kind}") for side in ("lhs", "rhs"))
            if left or right:
                printer.print_string(f", {word} = {list(left)} x {list(right)}")
        precision = op.properties.get("precision_config")
        if isinstance(precision, ArrayAttr):
            words = map(text_of, cast("ArrayAttr[Attribute]", precision).data)
            printer.print_string(f", precision = [{', '.join(words)}]")
        if (algorithm := op.properties.get("algorithm")) is not None:
            printer.print_string(f", algorithm = <{text_of(algorithm)}>")


DOT = (" ", Operand("lhs"), ", ", Operand("rhs"), _DotItems(), AttributesAndTypes(*_DotItems.NAMES))
"""`dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (t, u) -> v`."""


def _order(text: str) -> int:
    return next(k for k, name in enumerate(DotDimensions._fields) if text.startswith(name))


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
        raise Misfit(f"dimensions of a convolution that are not {first}, {second} and {len(spatial)} numbers")
    return names.index(first), names.index(second), tuple(names.index(each) for each in spatial)


_WINDOW = {
    "stride": "window_strides", "pad": "padding", "lhs_dilate": "lhs_dilation", "rhs_dilate": "rhs_dilation",
    "reverse": "window_reversal",
}  # fmt: skip


def _layouts(parser: Parser) -> Attribute:
    """`[b, 0, f]x[0, i, o]->[b, 0, f]`."""
    left = _names(parser)
    # `]x[` is one word with what follows it, where no space is between.
    parser.parse_keyword("x")
    right = _names(parser)
    parser.parse_punctuation("->")
    return text_attribute("conv", f"{left}x{right}->{_names(parser)}")


def _names(parser: Parser) -> str:
    def one() -> str:
        number = parser.parse_optional_integer(allow_boolean=False)
        return parser.parse_identifier() if number is None else str(number)

    return f"[{', '.join(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, one))}]"


class _Window(SyntaxPiece):
    """`{stride = [1, 2], pad = [[0, 1], [1, 0]], reverse = [false, true]}`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: _window(parser, found.properties))

    def write(self, printer: Printer, op: Any) -> None:
        shown = [f"{word} = {_nested(op.properties[n])}" for word, n in _WINDOW.items() if n in op.properties]
        printer.print_string(f"{{{', '.join(shown)}}}")


CONVOLUTION = (
    OperandList("operands", None, PAREN), " dim_numbers = ", Property("dimension_numbers", _layouts, text_of),
    Maybe(", window = ", _Window(), when=lambda _: True),
    AttributesAndTypes("dimension_numbers", *_WINDOW.values()),
)  # fmt: skip
"""`convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]} : ..`."""


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
