"""The text of affine maps at work: `#map(%i)[%n]`, and maps written over values, `[%i * 2 + symbol(%n)]`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpKind, AffineExpr, AffineMap, AffineSet
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli.frontend.parse.affine.affine_parser import combined, negated
from volcli.frontend.parse.affine.affine_text import expression_text, subscript_text
from volcli.limits.widths import HALF, in_64_bits
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece

_PRODUCTS = {kind.get_token(): kind for kind in AffineBinaryOpKind if kind is not AffineBinaryOpKind.Add}
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
        start = parser.pos
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if number is None:
            parser.raise_error("expected integer literal")
        if number >= HALF:
            parser.raise_error("constant too large for index", start, parser.pos)
        return AffineExpr.constant(number)

    def _leaf(self, operand: UnresolvedOperand, *, is_symbol: bool) -> AffineExpr:
        value = self._parser.resolve_operand(operand, IndexType())
        if (known := self._leaves.get(value)) is not None:
            return known
        numbers = self._symbols if is_symbol else self._dims
        position = numbers.setdefault(value, len(numbers))
        leaf = AffineExpr.symbol(position) if is_symbol else AffineExpr.dimension(position)
        self._leaves[value] = leaf
        return leaf


def parse_subscripts(parser: Parser) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
    """`[%i + 1, %j]`: the map, and its dims and symbols."""
    subscripts = Subscripts(parser)
    results = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, subscripts.expression)
    return subscripts.map(results), subscripts.operands


class SubscriptPrinter:
    """Prints parts of one map over values, which must stand for the whole map when they are read back."""

    def __init__(self, printer: Printer, map_: AffineMap, operands: Sequence[SSAValue]) -> None:
        self._printer = printer
        self._map = map_
        self._operands = operands
        self._dims: dict[int, None] = {}
        self._symbols: dict[int, None] = {}

    def print(self, expressions: Sequence[AffineExpr]) -> None:
        """`%i + 1, symbol(%n)`.

        Raises ValueError where a value would be read back as another operand: mlir-opt takes `%r#0, %r#1`
        for one value used twice, and a symbol for a dim if the value is that too.
        """
        text = ", ".join(map(subscript_text, expressions))
        start = 0
        kinds: dict[SSAValue, str] = {}
        numbered: set[str] = set()
        for leaf in _LEAF.finditer(text):
            self._printer.print_string(text[start : leaf.start()])
            start = leaf.end()
            value = self._operand(leaf[1], int(leaf[2]))
            self._printer.print_string("symbol(" if leaf[1] == "s" else "")
            base, _, number = self._printer.print_ssa_value(value).partition("#")
            self._printer.print_string(")" if leaf[1] == "s" else "")
            if (number and base in numbered) or kinds.setdefault(value, leaf[1]) != leaf[1]:
                raise ValueError(f"%{base} stands for several operands of one map")
            numbered.add(base)
        self._printer.print_string(text[start:])

    def _operand(self, kind: str, position: int) -> SSAValue:
        if kind == "d":
            self._dims[position] = None
            return self._operands[position]
        self._symbols[position] = None
        return self._operands[self._map.num_dims + position]

    def finish(self) -> None:
        """Raise ValueError if the operands, numbered by their first uses, would not be this map's again."""
        count = self._map.num_dims
        in_order = [*self._dims] == [*range(count)] and [*self._symbols] == [*range(self._map.num_symbols)]
        distinct = all(
            len(set(part)) == len(part) for part in (self._operands[:count], self._operands[count:])
        )
        if not (in_order and distinct):
            raise ValueError("the map's operands are not in the order of their uses")


def print_subscripts(printer: Printer, map_: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    """`[%i + 1, %j]`; raises ValueError for a map that this text would not be read back as."""
    subscripts = SubscriptPrinter(printer, map_.data, operands)
    with printer.in_square_brackets():
        subscripts.print(map_.data.results)
    subscripts.finish()


class SubscriptList(SyntaxPiece):
    """`[%i + 1, %j]`: the property `map`, and its operands `indices`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.properties["map"], found.operands["indices"] = parse_subscripts(parser)

    def write(self, printer: Printer, op: Any) -> None:
        print_subscripts(printer, op.properties["map"], op.indices)


# -- a map or set by its name or in full, with its operands after it -------------------------------------


@dataclass(frozen=True)
class Applied(SyntaxPiece):
    """`#map(%i)[%n]`: the property NAME, a map or a set, and its operands, which are all of the operation."""

    name: str
    kind: type[AffineMapAttr] | type[AffineSetAttr] = AffineMapAttr
    dims_optional: bool = False

    def read(self, parser: Parser, found: ReadParts) -> None:
        attribute = _parse_attribute(parser, self.kind)
        found.properties[self.name] = attribute
        found.operands["operands"] = _parse_map_operands(
            parser, attribute.data, dims_optional=self.dims_optional
        )

    def write(self, printer: Printer, op: Any) -> None:
        _print_applied(printer, op.properties[self.name], op.operands)


def _parse_attribute(parser: Parser, kind: type[Any]) -> Any:
    """`#map` or `affine_map<...>`."""
    position = parser.pos
    attribute = parser.parse_attribute()
    if not isinstance(attribute, kind):
        what = "map" if kind is AffineMapAttr else "set"
        parser.raise_error(f"expected an affine {what}", position, parser.pos)
    return attribute


def _parse_map_operands(
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


def _print_applied(
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


@dataclass(frozen=True)
class LoopBound(SyntaxPiece):
    """A bound of affine.for: `7`, `%n`, `#map(%i)[%n]`, `max #map(%i)[%n]`, as short as possible."""

    map: str
    operands: str
    extremum: Extremum

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.properties[self.map], found.operands[self.operands] = self._read(parser)

    def _read(self, parser: Parser) -> tuple[AffineMapAttr, Sequence[SSAValue]]:
        has_extremum = parser.parse_optional_keyword(self.extremum) is not None
        if (operand := parser.parse_optional_unresolved_operand()) is not None:
            identity = AffineMap(0, 1, (AffineExpr.symbol(0),))
            return AffineMapAttr(identity), (parser.resolve_operand(operand, IndexType()),)
        start = parser.pos
        if (number := parser.parse_optional_integer(allow_boolean=False)) is not None:
            if not in_64_bits(number):
                parser.raise_error(
                    "integer constant out of range for attribute", start + (number < 0), parser.pos
                )
            return AffineMapAttr(AffineMap(0, 0, (AffineExpr.constant(number),))), ()
        position = parser.pos
        map_ = _parse_attribute(parser, AffineMapAttr)
        if len(map_.data.results) > 1 and not has_extremum:
            parser.raise_error(
                f"a bound by several expressions needs '{self.extremum}'", position, parser.pos
            )
        return map_, _parse_map_operands(parser, map_.data)

    def write(self, printer: Printer, op: Any) -> None:
        attribute, operands = op.properties[self.map], getattr(op, self.operands)
        data = attribute.data
        if len(data.results) != 1:
            printer.print_string(f"{self.extremum} ")
        elif (data.num_dims, data.num_symbols) == (0, 0):
            printer.print_string(expression_text(data.results[0]))
            return
        elif (data.num_dims, data.num_symbols) == (0, 1) and data.results[0] == AffineExpr.symbol(0):
            printer.print_ssa_value(operands[0])
            return
        _print_applied(printer, attribute, operands)
