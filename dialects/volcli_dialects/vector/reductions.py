"""vector operations that sum or otherwise combine elements; vector.mask and what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, VectorType, i64
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.ir import Attribute, Block
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.hints import isa

from volcli_dialects.syntax.pieces import (
    Attributes,
    BareAttribute,
    Inferred,
    OperandList,
    ResultTypes,
    Type,
    Types,
    integers,
)
from volcli_dialects.syntax.properties import enumeration
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.syntax.written import Operand, ReadParts, SyntaxPiece, WrittenOperation

_ADD = CombiningKindAttr(CombiningKindFlag.ADD)


# Whether a loop of vector.contract is one of the result's.
IteratorKindAttr = enumeration("vector.iterator_type", "parallel reduction")


def _outer_product(types: Sequence[Attribute]) -> Attribute:
    """vector<4x[8]xf32> for vector<4xf32> and vector<[8]xf32>; the first for a vector and a scalar."""
    left, right = types
    if not isa(left, VectorType) or not isa(right, VectorType):
        return left
    scalable = ArrayAttr((*left.scalable_dims, *right.scalable_dims))
    return VectorType(left.element_type, (*left.get_shape(), *right.get_shape()), scalable)


@dataclass(frozen=True)
class _OuterTypes(SyntaxPiece):
    """`type, type`, and the type of the result after INTO: that of all operands after two, too."""

    into: str = ""

    def read(self, parser: Parser, found: ReadParts) -> None:
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        last = parser.parse_type() if parser.parse_optional_keyword("into") else _outer_product(types)
        found.types["results"] = [last]
        found.types["operands"] = types + [last] * (len(found.operands["operands"]) - 2)

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_list(op.operand_types[:2], printer.print_attribute)
        if self.into:
            printer.print_string(self.into)
            printer.print_attribute(op.result.type)


class _ContractionAttributes(Attributes):
    """` {indexing_maps = [...], iterator_types = ["parallel"], kind = #vector.kind<add>}`."""

    def __init__(self) -> None:
        super().__init__("indexing_maps", "iterator_types", "kind")

    def read(self, parser: Parser, found: ReadParts) -> None:
        position = parser.pos
        super().read(parser, found)
        properties = found.properties
        iterators = properties.get("iterator_types")
        if not isa(iterators, ArrayAttr[StringAttr]) or "indexing_maps" not in properties:
            parser.raise_error("expected indexing_maps and iterator_types", position, parser.pos)
        kinds = ArrayAttr(IteratorKindAttr(name.data) for name in iterators)
        found.properties |= {"iterator_types": kinds, "kind": properties.get("kind", _ADD)}

    def write(self, printer: Printer, op: Any) -> None:
        iterators = ArrayAttr(StringAttr(str(kind.data)) for kind in op.iterator_types)
        print_attributes(printer, {**op.properties, "iterator_types": iterators})


@operation("vector.contract")
class ContractionOp(WrittenOperation):
    """A contraction as in linalg.generic, of vectors: the maps say which loops index which operand.

    `vector.contract {indexing_maps = [...], iterator_types = ["parallel", "reduction"], kind =
    #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8xf32> into vector<4xf32>`.
    """

    operands_and_masks = var_operand_def()
    indexing_maps = prop_def(ArrayAttr)
    iterator_types = prop_def(ArrayAttr)
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    result = result_def()

    SYNTAX: ClassVar = (
        _ContractionAttributes(), " ", OperandList(), Attributes(), " : ", _OuterTypes(" into "),
    )  # fmt: skip


@operation("vector.outerproduct")
class OuterProductOp(WrittenOperation):
    """r[i, j] = a[i] * b[j], added to c[i, j] if that is given: `vector.outerproduct %a, %b, %c : ...`."""

    lhs = operand_def(VectorType)
    rhs = operand_def()
    acc = opt_operand_def(VectorType)
    kind = prop_def(CombiningKindAttr, default_value=_ADD)
    result = result_def(VectorType)

    SYNTAX: ClassVar = (" ", OperandList(), Attributes("kind"), " : ", _OuterTypes())


@operation("vector.multi_reduction")
class MultiDimReductionOp(WrittenOperation):
    """`vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32>`."""

    source = operand_def(VectorType)
    acc = operand_def()
    kind = prop_def(CombiningKindAttr)
    reduction_dims = prop_def(DenseArrayBase.constr(i64))
    dest = result_def()

    SYNTAX: ClassVar = (
        " ", BareAttribute("kind", CombiningKindAttr), ", ", Operand("source"), ", ", Operand("acc"),
        Attributes(), " ", integers("reduction_dims"), " : ", Type("source"), " to ", Type("acc", "dest"),
    )  # fmt: skip


@operation("vector.scan")
class ScanOp(WrittenOperation):
    """Prefix sums: `vector.scan <add>, %v, %first {inclusive = true, reduction_dim = 1} : ...`."""

    source = operand_def(VectorType)
    initial_value = operand_def(VectorType)
    kind = prop_def(CombiningKindAttr)
    reduction_dim = prop_def(IntegerAttr)
    inclusive = prop_def(IntegerAttr)
    dest = result_def(VectorType)
    accumulated_value = result_def(VectorType)

    SYNTAX: ClassVar = (
        " ", BareAttribute("kind", CombiningKindAttr), ", ", OperandList(),
        Attributes("inclusive", "reduction_dim"),
        " : ", Types("operands", "results"),
    )  # fmt: skip


@operation("vector.constant_mask", "$mask_dim_sizes attr-dict `:` type($result)")
class ConstantMaskOp(IRDLOperation):
    """The first elements of each dimension are set: `vector.constant_mask [3, 2] : vector<4x3xi1>`."""

    mask_dim_sizes = prop_def(DenseArrayBase.constr(i64))
    result = result_def(VectorType)


@operation("vector.yield", "attr-dict ($arguments^ `:` type($arguments))?")
class YieldOp(IRDLOperation):
    """`vector.yield %x : f32`: the result of a masked operation; the text leaves it out."""

    arguments = var_operand_def()
    traits = traits_def(IsTerminator())


class _MaskedOperation(SyntaxPiece):
    """` { operation }`; the yield of what it gives is not written."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        region = parser.parse_region()
        if region.last_block is None:
            region.add_block(Block())
        last = region.block.last_op
        if not isinstance(last, YieldOp):
            region.block.add_op(YieldOp.create(operands=() if last is None else last.results))
        found.regions["mask_region"] = [region]

    def write(self, printer: Printer, op: Any) -> None:
        printer.print_string(" { ")
        for inner in op.mask_region.block.ops:
            if not isinstance(inner, YieldOp) or inner.attributes:
                printer.print_op(inner)
                printer.print_string(" ")
        printer.print_string("}")


@operation("vector.mask")
class MaskOp(WrittenOperation):
    """One operation under a mask: `vector.mask %m, %else { vector.reduction ... } : vector<8xi1> -> f32`."""

    mask = operand_def(VectorType)
    passthru = opt_operand_def()
    mask_region = region_def()
    res = var_result_def()

    SYNTAX: ClassVar = (
        " ", OperandList(), _MaskedOperation(), Attributes(), " : ", Type("mask"), ResultTypes(),
        Inferred("operands", lambda found: (
            *found.types["mask"], *found.types["results"][: len(found.operands["operands"]) - 1]
        )),
    )  # fmt: skip
