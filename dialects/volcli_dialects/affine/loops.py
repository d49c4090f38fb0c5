"""The control flow of affine: loops whose bounds are affine, and conditions that are; parallel loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
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
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.affine.syntax import Applied, Extremum, LoopBound, SubscriptPrinter, Subscripts
from volcli_dialects.syntax.pieces import Attributes, Property, ResultTypes
from volcli_dialects.syntax.properties import ATOMIC_KINDS
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import BodyRegion, CarriedArguments, Variable, Variables, otherwise
from volcli_dialects.syntax.written import Maybe, ReadParts, SyntaxPiece, WrittenOperation


@operation("affine.yield", "attr-dict ($arguments^ `:` type($arguments))?")
class YieldOp(IRDLOperation):
    """The results of a region: `affine.yield %0, %1 : f32, i32`; left out where there are none."""

    arguments = var_operand_def()

    traits = traits_def(IsTerminator())


def _parse_step(parser: Parser) -> Attribute:
    position = parser.pos
    step = parser.parse_integer(allow_boolean=False)
    if step < 0:
        message = "expected step to be representable as a positive signed integer"
        parser.raise_error(message, position, parser.pos)
    return IntegerAttr(step, IndexType())


_STEP = Property("step", _parse_step, lambda step: str(step.value.data))


@operation("affine.for")
class ForOp(WrittenOperation):
    """`affine.for %i = max #lower(%j)[%n] to min #upper(%j)[%n] step 2 iter_args(%s = %z) -> (f32) { ... }`.

    The iterations are i = lower, lower + step, ... < upper; lower is the largest of its map's results, upper
    the smallest of its. The body's arguments are i and the carried values.
    """

    lower_bound_operands = var_operand_def(IndexType)
    upper_bound_operands = var_operand_def(IndexType)
    inits = var_operand_def()
    lower_bound_map = prop_def(AffineMapAttr, prop_name="lowerBoundMap")
    upper_bound_map = prop_def(AffineMapAttr, prop_name="upperBoundMap")
    step = prop_def(IntegerAttr)
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = (
        " ", Variable(), " = ", LoopBound("lowerBoundMap", "lower_bound_operands", "max"),
        " to ", LoopBound("upperBoundMap", "upper_bound_operands", "min"),
        Maybe(" step ", _STEP, of="step", default=IntegerAttr(1, IndexType())),
        CarriedArguments("iter_args", "inits", "body"), BodyRegion("body", YieldOp), Attributes(),
    )  # fmt: skip


@operation("affine.if")
class IfOp(WrittenOperation):
    """`%r = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] -> f32 { ... } else { ... }`.

    Without `else`, `else_region` has no block.
    """

    arguments = var_operand_def(IndexType)
    condition = prop_def(AffineSetAttr)
    res = var_result_def()
    then_region = region_def("single_block")
    else_region = region_def()

    SYNTAX: ClassVar = (
        " ", Applied("condition", AffineSetAttr), ResultTypes(), BodyRegion("then_region", YieldOp),
        otherwise(YieldOp),
        Attributes(),
    )  # fmt: skip


def _integers(values: Sequence[int]) -> ArrayAttr[IntegerAttr[IntegerType]]:
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def _parse_reductions(parser: Parser) -> ArrayAttr[IntegerAttr[IntegerType]]:
    """`("addf", "maxs")`."""

    def reduction() -> int:
        position = parser.pos
        name = parser.parse_str_literal()
        if name not in ATOMIC_KINDS:
            parser.raise_error(f"expected one of: {', '.join(ATOMIC_KINDS)}", position, parser.pos)
        return ATOMIC_KINDS.index(name)

    return _integers(parser.parse_comma_separated_list(parser.Delimiter.PAREN, reduction))


def _reductions_text(reductions: ArrayAttr[IntegerAttr[IntegerType]]) -> str:
    names = (f'"{ATOMIC_KINDS[reduction.value.data]}"' for reduction in reductions)
    return f"({', '.join(names)})"


_REDUCTIONS = Property("reductions", _parse_reductions, _reductions_text)


class _Steps(SyntaxPiece):
    """` step (1, 2)`; nothing if all are 1."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        steps: Sequence[int] = [1] * len(found.arguments)
        if parser.parse_optional_keyword("step"):
            steps = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_integer)
        found.properties["steps"] = _integers(steps)

    def write(self, printer: Printer, op: Any) -> None:
        steps = [step.value.data for step in op.steps]
        if set(steps) - {1}:
            printer.print_string(f" step ({', '.join(map(str, steps))})")


@dataclass(frozen=True)
class _Bounds(SyntaxPiece):
    """`(0, max(%a, 1))`: the map, how many of its results each loop has, and its operands."""

    side: Literal["lower", "upper"]
    extremum: Extremum

    def read(self, parser: Parser, found: ReadParts) -> None:
        subscripts = Subscripts(parser)
        results: list[AffineExpr] = []

        def group() -> int:
            subscripts.begin_map()
            if parser.parse_optional_keyword(self.extremum):
                parts = parser.parse_comma_separated_list(parser.Delimiter.PAREN, subscripts.expression)
            else:
                parts = [subscripts.expression()]
            results.extend(parts)
            return len(parts)

        sizes = parser.parse_comma_separated_list(parser.Delimiter.PAREN, group)
        groups = DenseIntOrFPElementsAttr[Any].from_list(TensorType(i32, [len(sizes)]), sizes)
        found.properties |= {
            f"{self.side}BoundsMap": subscripts.map(results), f"{self.side}BoundsGroups": groups
        }  # fmt: skip
        before: Any = found.operands.get("operands", ())
        found.operands["operands"] = [*before, *subscripts.operands]

    def write(self, printer: Printer, op: Any) -> None:
        map_ = op.properties[f"{self.side}BoundsMap"].data
        subscripts = SubscriptPrinter(printer, map_, getattr(op, f"{self.side}_bounds_operands"))
        start = 0
        with printer.in_parens():
            for size in op.properties[f"{self.side}BoundsGroups"].get_values():
                printer.print_string(", " if start else "")
                with printer.delimited(*(("", "") if size == 1 else (f"{self.extremum}(", ")"))):
                    subscripts.print(map_.results[start : start + size])
                start += size
        subscripts.finish()


@operation("affine.parallel")
class ParallelOp(WrittenOperation):
    """`%r = affine.parallel (%i, %j) = (0, max(%a, 1)) to (%n, 8) step (1, 2) reduce ("addf") -> f32 {...}`.

    All lower bounds are one map; the groups say how many of its results belong to each loop, whose bound is
    the largest of them (for the upper bounds: the smallest). The operands are those of the lower bounds'
    map, then those of the upper bounds'.
    """

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

    SYNTAX: ClassVar = (
        " ", Variables(), " = ", _Bounds("lower", "max"), " to ", _Bounds("upper", "min"), _Steps(),
        Maybe(" reduce ", _REDUCTIONS, of="reductions", default=_integers(())),
        ResultTypes(parenthesized=True),
        BodyRegion("body", YieldOp), Attributes(),
    )  # fmt: skip
