"""The text of affine maps at work: `#map(%i)[%n]`, and maps written over values, `[%i * 2 + symbol(%n)]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli.frontend.affine_text import expression_text

_PRODUCTS = {
    "*": AffineBinaryOpKind.Mul,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}
_DIVISIONS = frozenset(_PRODUCTS) - {"*"}
_LEAF = re.compile(r"\b([ds])(\d+)\b")


class Subscripts:
    """Reads affine expressions over values: `%i + symbol(%n)` is `d0 + s0`, with dims (%i) and symbols (%n).

    A value is a symbol if `symbol()` is around its first use in a map, else a dim; dims and symbols are
    numbered in the order of their first uses. `begin_map` forgets which is which, not the numbers:
    several maps can share their operands, as the bounds of affine.parallel do.
    """

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._leaves: dict[SSAValue, AffineExpr] = {}
        self._dims: dict[SSAValue, int] = {}
        self._symbols: dict[SSAValue, int] = {}

    @property
    def operands(self) -> list[SSAValue]:
        """The dims, then the symbols."""
        return [*self._dims, *self._symbols]

    def map(self, results: Sequence[AffineExpr]) -> AffineMapAttr:
        """The map with these results."""
        return AffineMapAttr(AffineMap(len(self._dims), len(self._symbols), tuple(results)))

    def begin_map(self) -> None:
        """From here on, a value may be a dim or a symbol anew."""
        self._leaves.clear()

    def expression(self) -> AffineExpr:
        """A sum of products."""
        parser = self._parser
        result = self._product()
        while True:
            if parser.parse_optional_punctuation("+"):
                result = result + self._product()
            elif parser.parse_optional_punctuation("-"):
                result = result + negated(self._product())
            else:
                return result

    def _product(self) -> AffineExpr:
        parser = self._parser
        result = self._primary()
        while True:
            sign = parser.parse_optional_punctuation("*") or parser.parse_optional_keyword_in(_DIVISIONS)
            if sign is None:
                return result
            result = combined(_PRODUCTS[sign], result, self._primary())

    def _primary(self) -> AffineExpr:
        parser = self._parser
        if (operand := parser.parse_optional_unresolved_operand()) is not None:
            return self._leaf(operand, is_symbol=False)
        if parser.parse_optional_punctuation("-"):
            return negated(self._primary())
        if parser.parse_optional_punctuation("("):
            result = self.expression()
            parser.parse_punctuation(")")
            return result
        if parser.parse_optional_keyword("symbol"):
            with parser.in_parens():
                return self._leaf(parser.parse_unresolved_operand(), is_symbol=True)
        return AffineExpr.constant(parser.parse_integer(allow_boolean=False, allow_negative=False))

    def _leaf(self, operand: UnresolvedOperand, *, is_symbol: bool) -> AffineExpr:
        value = self._parser.resolve_operand(operand, IndexType())
        if (known := self._leaves.get(value)) is not None:
            return known
        numbers = self._symbols if is_symbol else self._dims
        position = numbers.setdefault(value, len(numbers))
        leaf = AffineExpr.symbol(position) if is_symbol else AffineExpr.dimension(position)
        self._leaves[value] = leaf
        return leaf


def combined(kind: AffineBinaryOpKind, left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """A product or quotient, as it stands; two constants become one, and 3 * d0 becomes d0 * 3.

    Not by xDSL's operators, which refuse semi-affine expressions, and distribute `(d0 + d1) * -1` where MLIR
    does not.
    """
    constant = isinstance(left, AffineConstantExpr), isinstance(right, AffineConstantExpr)
    product = AffineBinaryOpExpr(kind, left, right)
    if kind is not AffineBinaryOpKind.Mul:
        divides = constant == (True, True) and right.eval((), ()) > 0
        return AffineExpr.constant(product.eval((), ())) if divides else product
    match left, right:
        case AffineConstantExpr(), AffineConstantExpr():
            return AffineExpr.constant(left.value * right.value)
        case AffineConstantExpr(), _:
            return combined(kind, right, left)
        case _, AffineConstantExpr(value=1):
            return left
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, rhs=AffineConstantExpr()), AffineConstantExpr():
            return combined(kind, left.lhs, combined(kind, left.rhs, right))
        case _:
            return product


def negated(expression: AffineExpr) -> AffineExpr:
    """`-e`, which is `e * -1`."""
    return combined(AffineBinaryOpKind.Mul, expression, AffineExpr.constant(-1))


def parse_subscripts(
    parser: Parser, delimiter: Parser.Delimiter = Parser.Delimiter.SQUARE
) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
    """`[%i + 1, %j]`: the map, and its dims and symbols."""
    subscripts = Subscripts(parser)
    results = parser.parse_comma_separated_list(delimiter, subscripts.expression)
    return subscripts.map(results), subscripts.operands


def print_expressions(
    printer: Printer, expressions: Sequence[AffineExpr], num_dims: int, operands: Sequence[SSAValue]
) -> None:
    """`%i + 1, symbol(%n)`, with the dims and then the symbols of OPERANDS."""
    text = ", ".join(map(expression_text, expressions))
    start = 0
    for leaf in _LEAF.finditer(text):
        printer.print_string(text[start : leaf.start()])
        start = leaf.end()
        position = int(leaf[2])
        if leaf[1] == "d":
            printer.print_ssa_value(operands[position])
        else:
            printer.print_string("symbol(")
            printer.print_ssa_value(operands[num_dims + position])
            printer.print_string(")")
    printer.print_string(text[start:])


def print_subscripts(printer: Printer, map_: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    """`[%i + 1, %j]`."""
    with printer.in_square_brackets():
        print_expressions(printer, map_.data.results, map_.data.num_dims, operands)


# -- a map or set by its name or in full, with its operands behind it -------------------------------------


def parse_map(parser: Parser) -> AffineMapAttr:
    """`#map` or `affine_map<...>`."""
    position = parser.pos
    attribute = parser.parse_attribute()
    if not isinstance(attribute, AffineMapAttr):
        parser.raise_error("expected an affine map", position, parser.pos)
    return attribute


def parse_map_operands(
    parser: Parser, map_: AffineMap | AffineSet, *, dims_optional: bool = False
) -> Sequence[SSAValue]:
    """`(%i)[%n]`: the dims and the symbols; the symbols' brackets may be missing."""
    index = IndexType()
    position = parser.pos

    def operand() -> SSAValue:
        return parser.parse_operand(index)

    dims: Sequence[SSAValue] | None
    if dims_optional:
        dims = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, operand) or ()
    else:
        dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, operand)
    symbols = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, operand) or ()
    if (len(dims), len(symbols)) != (map_.num_dims, map_.num_symbols):
        expected = f"{map_.num_dims} dims and {map_.num_symbols} symbols"
        parser.raise_error(f"expected {expected}, got {len(dims)} and {len(symbols)}", position, parser.pos)
    return [*dims, *symbols]


def print_applied(
    printer: Printer, attribute: AffineMapAttr | AffineSetAttr, operands: Sequence[SSAValue]
) -> None:
    """`#map(%i)[%n]`."""
    printer.print_attribute(attribute)
    num_dims = attribute.data.num_dims
    with printer.in_parens():
        printer.print_list(operands[:num_dims], printer.print_ssa_value)
    if len(operands) > num_dims:
        with printer.in_square_brackets():
            printer.print_list(operands[num_dims:], printer.print_ssa_value)


# -- the bounds of loops ----------------------------------------------------------------------------------

Extremum = Literal["max", "min"]


def parse_bound(parser: Parser, extremum: Extremum) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
    """A bound of affine.for: `7`, `%n`, `#map(%i)[%n]`, `max #map(%i)[%n]`."""
    has_extremum = parser.parse_optional_keyword(extremum) is not None
    if (operand := parser.parse_optional_unresolved_operand()) is not None:
        identity = AffineMap(0, 1, (AffineExpr.symbol(0),))
        return AffineMapAttr(identity), (parser.resolve_operand(operand, IndexType()),)
    if (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
        return AffineMapAttr(AffineMap(0, 0, (AffineExpr.constant(number),))), ()
    position = parser.pos
    map_ = parse_map(parser)
    if len(map_.data.results) > 1 and not has_extremum:
        parser.raise_error(f"a bound by several expressions needs '{extremum}'", position, parser.pos)
    return map_, parse_map_operands(parser, map_.data)


def print_bound(
    printer: Printer, map_: AffineMapAttr, operands: Sequence[SSAValue], extremum: Extremum
) -> None:
    """A bound of affine.for, as short as it can be read back."""
    data = map_.data
    if len(data.results) != 1:
        printer.print_string(f"{extremum} ")
    elif (data.num_dims, data.num_symbols) == (0, 0):
        printer.print_string(expression_text(data.results[0]))
        return
    elif (data.num_dims, data.num_symbols) == (0, 1) and data.results[0] == AffineExpr.symbol(0):
        printer.print_ssa_value(operands[0])
        return
    print_applied(printer, map_, operands)
