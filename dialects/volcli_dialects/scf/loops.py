"""The loops of scf: for, while, parallel; and forall, whose points write disjoint slices of tensors."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, UnitAttr, i1, i64
from xdsl.ir import Block
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.scf.branches import YieldOp
from volcli_dialects.syntax.pieces import (
    PAREN,
    Attributes,
    FunctionSignature,
    IndexList,
    Inferred,
    KeywordAttributes,
    OperandList,
    ResultTypes,
    Types,
)
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import (
    AssignedRegion,
    Assignments,
    BodyRegion,
    CarriedArguments,
    LabelledRegion,
    Variables,
)
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, SyntaxPiece, WrittenOperation


class _Variable(SyntaxPiece):
    """`%i`, whose type is known later."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        found.arguments.append(parser.parse_argument(expect_type=False))

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_ssa_value(op.body.block.args[0])


class _BoundType(SyntaxPiece):
    """` : i32`, the type of the bounds and of the variable; nothing for index values."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        kind = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
        found.types |= {name: [kind] for name in ("lower_bound", "upper_bound", "step")}
        found.arguments[0] = found.arguments[0].resolve(kind)

    def write(self, printer: Printer, op: Any) -> None:
        kind = op.body.block.args[0].type
        if not isinstance(kind, IndexType):
            printer.print_string(" : ")
            printer.print_attribute(kind)


@operation("scf.for")
class ForOp(WrittenOperation):
    """`scf.for %i = %lb to %ub step %s iter_args(%sum = %zero) -> (f32) { ... }`, with lb <= i < ub.

    The body's arguments are the induction variable and the carried values. With `unsigned` the bounds are
    compared as unsigned numbers; bounds of another type than index have it after: `: i32`.
    """

    lower_bound = operand_def()
    upper_bound = operand_def()
    step = operand_def()
    inits = var_operand_def()
    unsigned = opt_prop_def(UnitAttr, prop_name="unsignedCmp")
    res = var_result_def()
    body = region_def("single_block")

    SYNTAX: ClassVar = (
        Maybe(" unsigned", of="unsignedCmp"), " ", _Variable(), " = ", Operand("lower_bound"), " to ",
        Operand("upper_bound"), " step ", Operand("step"), CarriedArguments("iter_args", "inits", "body"),
        _BoundType(),
        BodyRegion("body", YieldOp, lambda op: op.inits), Attributes(),
    )  # fmt: skip


@operation("scf.while")
class WhileOp(WrittenOperation):
    """`%r = scf.while (%a = %x) : (f32) -> i32 { ... scf.condition(%c) %b : i32 } do { ... }`.

    `before` computes whether `after` runs; scf.condition gives after's arguments, or at last the results.
    """

    inits = var_operand_def()
    res = var_result_def()
    before = region_def("single_block")
    after = region_def("single_block")

    SYNTAX: ClassVar = (
        Assignments("inits", "before"), " : ", FunctionSignature("inits"), AssignedRegion("before", "inits"),
        " do", LabelledRegion("after"), KeywordAttributes(),
    )  # fmt: skip


@operation("scf.condition", "`(` $condition `)` attr-dict ($arguments^ `:` type($arguments))?")
class ConditionOp(IRDLOperation):
    """The end of the first region of scf.while: `scf.condition(%c) %a, %b : f32, i32`."""

    condition = operand_def(i1)
    arguments = var_operand_def()

    traits = traits_def(IsTerminator())


class _Reductions(SyntaxPiece):
    """A region for each operand: a brace after no operands begins attributes, not a region."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        if found.operands.get("operands"):
            regions = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_region)
            found.regions["reductions"] = regions

    def write(self, printer: Printer, op: Any) -> None:
        if op.attributes and not op.operands:
            raise ValueError("mlir-opt would read the attributes as a region")
        printer.print_list(op.regions, printer.print_region)


@operation("scf.reduce")
class ReduceOp(WrittenOperation):
    """The end of scf.parallel: `scf.reduce(%x : f32) { ^bb0(%l: f32, %r: f32): ... }`, a region a value."""

    arguments = var_operand_def()
    reductions = var_region_def()

    traits = traits_def(IsTerminator())

    SYNTAX: ClassVar = (
        Maybe("(", OperandList(), " : ", Types("operands"), ") ", of="arguments"),
        _Reductions(),
        Attributes(),
    )


@operation("scf.reduce.return", "$result attr-dict `:` type($result)")
class ReduceReturnOp(IRDLOperation):
    """The end of a reduction of scf.reduce: `scf.reduce.return %sum : f32`."""

    result = operand_def()

    traits = traits_def(IsTerminator())


@operation("scf.parallel")
class ParallelOp(WrittenOperation):
    """`scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%zero) -> f32 { ... }`.

    The points of the loops may run in any order; scf.reduce at the end combines their values.
    """

    lower_bounds = var_operand_def(IndexType)
    upper_bounds = var_operand_def(IndexType)
    steps = var_operand_def(IndexType)
    inits = var_operand_def()
    res = var_result_def()
    body = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = (
        " ", Variables(), " = ", OperandList("lower_bounds", IndexType(), PAREN), " to ",
        OperandList("upper_bounds", IndexType(), PAREN), " step ", OperandList("steps", IndexType(), PAREN),
        Maybe(" init ", OperandList("inits", None, PAREN), of="inits"), ResultTypes(),
        Inferred("inits", lambda found: found.types["results"]),
        BodyRegion("body", ReduceOp), Attributes(),
    )  # fmt: skip


class _Insertions(BodyRegion):
    """The region of scf.forall.in_parallel, which has a block."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        super().read(parser, found)
        (region,) = found.regions[self.name]
        if region.first_block is None:
            region.add_block(Block())


@operation("scf.forall.in_parallel")
class InParallelOp(WrittenOperation):
    """The end of scf.forall: `scf.forall.in_parallel { tensor.parallel_insert_slice ... }`.

    Left out where it inserts nothing.
    """

    region = region_def("single_block")

    traits = traits_def(IsTerminator())

    SYNTAX: ClassVar = (_Insertions("region", None, lambda _: False), Attributes())


_LISTS = {
    name: IndexList(f"dynamic_{name}", f"static{''.join(part.title() for part in name.split('_'))}")
    for name in ("lower_bound", "upper_bound", "step")
}


class _Bounds(SyntaxPiece):
    """` in (4, %n)`, or ` = (1) to (%n) step (2)`."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        words = {"=": "lower_bound", "to": "upper_bound", "step": "step"}
        if parser.parse_optional_keyword("in"):
            _LISTS["upper_bound"].read(parser, found)
            count = len(found.properties["staticUpperBound"])  # pyright: ignore[reportArgumentType]
            for name, number in (("staticLowerBound", 0), ("staticStep", 1)):
                found.properties[name] = DenseArrayBase.from_list(i64, [number] * count)
            return
        for word, name in words.items():
            parser.parse_punctuation("=") if word == "=" else parser.parse_keyword(word)
            _LISTS[name].read(parser, found)

    def write(self, printer: Printer, op: Any) -> None:
        words = {" = ": "lower_bound", " to ": "upper_bound", " step ": "step"}
        for word, name in {" in ": "upper_bound"}.items() if op.is_normalized else words.items():
            printer.print_string(word)
            _LISTS[name].write(printer, op)


@operation("scf.forall")
class ForallOp(WrittenOperation):
    """`%r = scf.forall (%i, %j) in (4, %n) shared_outs(%o = %t) -> (tensor<4x?xf32>) { ... }`.

    Without `in`: `scf.forall (%i) = (1) to (%n) step (2) { ... }`. The static lists have the bounds that are
    numbers, and a marker for each that is an operand. The body's arguments are the induction variables and
    the shared tensors.
    """

    dynamic_lower_bound = var_operand_def(IndexType)
    dynamic_upper_bound = var_operand_def(IndexType)
    dynamic_step = var_operand_def(IndexType)
    outputs = var_operand_def()
    static_lower_bound = prop_def(DenseArrayBase.constr(i64), prop_name="staticLowerBound")
    static_upper_bound = prop_def(DenseArrayBase.constr(i64), prop_name="staticUpperBound")
    static_step = prop_def(DenseArrayBase.constr(i64), prop_name="staticStep")
    mapping = opt_prop_def(ArrayAttr)
    res = var_result_def()
    region = region_def("single_block")

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def is_normalized(self) -> bool:
        """Whether all lower bounds are 0 and all steps 1."""
        return set(self.static_lower_bound.get_values()) <= {0} and set(self.static_step.get_values()) <= {1}

    SYNTAX: ClassVar = (
        " ", Variables("region", "outputs"), _Bounds(), CarriedArguments("shared_outs", "outputs", "region"),
        BodyRegion("region", InParallelOp), Attributes("mapping"),
    )  # fmt: skip
