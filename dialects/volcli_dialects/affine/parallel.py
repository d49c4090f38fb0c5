"""affine.parallel: loops whose points may run in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.affine.loops import YieldOp
from volcli_dialects.affine.syntax import Extremum, SubscriptPrinter, Subscripts
from volcli_dialects.syntax.region_syntax import (
    parse_argument,
    parse_body,
    print_attributes,
    print_body,
    print_types,
    print_values,
)
from volcli_dialects.syntax.syntax import parse_result_types

# The functions that combine the values of all points, in the order of MLIR's enumeration.
_NAMES = "addf addi andi assign maximumf maxnumf maxs maxu minimumf minnumf mins minu mulf muli ori xori"
REDUCTIONS = tuple(_NAMES.split())


@irdl_op_definition
class ParallelOp(IRDLOperation):
    """`%r = affine.parallel (%i, %j) = (0, max(%a, 1)) to (%n, 8) step (1, 2) reduce ("addf") -> f32 {...}`.

    All lower bounds are one map; the groups say how many of its results belong to each loop, whose bound is
    the largest of them (for the upper bounds: the smallest). The operands are those of the lower bounds'
    map, then those of the upper bounds'.
    """

    name = "affine.parallel"

    arguments = var_operand_def(IndexType)
    reductions = prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    lower_bounds_map = prop_def(AffineMapAttr, prop_name="lowerBoundsMap")
    lower_bounds_groups = prop_def(DenseIntElementsAttr, prop_name="lowerBoundsGroups")
    upper_bounds_map = prop_def(AffineMapAttr, prop_name="upperBoundsMap")
    upper_bounds_groups = prop_def(DenseIntElementsAttr, prop_name="upperBoundsGroups")
    steps = prop_def(ArrayAttr[IntegerAttr[IntegerType]])
    res = var_result_def()
    body = region_def("single_block")

    @property
    def lower_bounds_operands(self) -> Sequence[SSAValue]:
        """The dims and symbols of the lower bounds' map."""
        return self.operands[: self._lower_count]

    @property
    def upper_bounds_operands(self) -> Sequence[SSAValue]:
        """The dims and symbols of the upper bounds' map."""
        return self.operands[self._lower_count :]

    @property
    def _lower_count(self) -> int:
        return self.lower_bounds_map.data.num_dims + self.lower_bounds_map.data.num_symbols

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        variables = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parse_argument(parser, IndexType())
        )
        parser.parse_punctuation("=")
        lower_map, lower_groups, lower = _parse_bounds(parser, "max")
        parser.parse_keyword("to")
        upper_map, upper_groups, upper = _parse_bounds(parser, "min")
        steps = [1] * len(variables)
        if parser.parse_optional_keyword("step"):
            steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
        reductions = _parse_reductions(parser)
        types = parse_result_types(parser)
        body = parse_body(parser, YieldOp, variables)
        return cls.create(
            operands=(*lower, *upper),
            result_types=types,
            properties={
                "lowerBoundsMap": lower_map,
                "lowerBoundsGroups": lower_groups,
                "upperBoundsMap": upper_map,
                "upperBoundsGroups": upper_groups,
                "steps": _integers(steps),
                "reductions": _integers(reductions),
            },
            attributes=parser.parse_optional_attr_dict(),
            regions=(body,),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_values(printer, self.body.block.args)
        printer.print_string(" = ")
        groups = self.lower_bounds_groups.get_values()
        _print_bounds(printer, self.lower_bounds_map, groups, self.lower_bounds_operands, "max")
        printer.print_string(" to ")
        groups = self.upper_bounds_groups.get_values()
        _print_bounds(printer, self.upper_bounds_map, groups, self.upper_bounds_operands, "min")
        steps = [step.value.data for step in self.steps]
        if set(steps) - {1}:
            printer.print_string(f" step ({', '.join(map(str, steps))})")
        if self.results:
            names = ", ".join(f'"{REDUCTIONS[reduction.value.data]}"' for reduction in self.reductions)
            printer.print_string(f" reduce ({names})")
            print_types(printer, self.results, parenthesized=True)
        print_body(printer, self.body, explicit=bool(self.results))
        print_attributes(printer, self.attributes)


def _integers(values: Sequence[int]) -> ArrayAttr[IntegerAttr[IntegerType]]:
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def _parse_reductions(parser: Parser) -> list[int]:
    """`reduce ("addf", "maxs")`, if the keyword stands here."""
    if parser.parse_optional_keyword("reduce") is None:
        return []

    def reduction() -> int:
        position = parser.pos
        name = parser.parse_str_literal()
        if name not in REDUCTIONS:
            parser.raise_error(f"expected one of: {', '.join(REDUCTIONS)}", position, parser.pos)
        return REDUCTIONS.index(name)

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, reduction)


def _parse_bounds(
    parser: Parser, extremum: Extremum
) -> tuple[AffineMapAttr, DenseIntElementsAttr, Sequence[SSAValue]]:
    """`(0, max(%a, 1))`: the map, how many of its results each loop has, and its operands."""
    subscripts = Subscripts(parser)
    results: list[AffineExpr] = []

    def group() -> int:
        subscripts.begin_map()
        if parser.parse_optional_keyword(extremum):
            found = parser.parse_comma_separated_list(parser.Delimiter.PAREN, subscripts.expression)
        else:
            found = [subscripts.expression()]
        results.extend(found)
        return len(found)

    sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, group)
    groups = DenseIntOrFPElementsAttr[Any].from_list(TensorType(i32, [len(sizes)]), sizes)
    return subscripts.map(results), cast(DenseIntElementsAttr, groups), subscripts.operands


def _print_bounds(
    printer: Printer,
    map_: AffineMapAttr,
    groups: Sequence[int],
    operands: Sequence[SSAValue],
    extremum: Extremum,
) -> None:
    """`(0, max(%a, 1))`."""
    subscripts = SubscriptPrinter(printer, map_.data, operands)
    results = map_.data.results
    start = 0
    with printer.in_parens():
        for size in groups:
            printer.print_string(", " if start else "")
            group = results[start : start + size]
            printer.print_string("" if size == 1 else f"{extremum}(")
            subscripts.print(group)
            printer.print_string("" if size == 1 else ")")
            start += size
    subscripts.finish()
