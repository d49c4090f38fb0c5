"""scf.forall: a parallel loop whose points write disjoint slices of shared tensors."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IndexType, i64
from xdsl.ir import Block
from xdsl.irdl import (
    AttrSizedOperandSegments,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.pieces import Attributes, IndexList
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.region_syntax import BodyRegion, CarriedArguments, Variables
from volcli_dialects.syntax.written import ReadParts, SyntaxPiece, WrittenOperation


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
