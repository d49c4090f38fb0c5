"""vector operations between registers and memory that xDSL lacks, or of which it loses
attributes: loads, stores, transfers of padded and permuted windows; and vector.print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.pieces import SQUARE, Attributes, BareAttribute, OperandList, Type, string
from volcli_dialects.syntax.properties import enumeration
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, WrittenOperation


@operation("vector.load", "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)")
class LoadOp(Redeclared, vector.LoadOp):
    """`vector.load %m[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>`."""

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    result = result_def(VectorType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)


@operation("vector.store", "$vector `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($vector)")
class StoreOp(Redeclared, vector.StoreOp):
    """`vector.store %v, %m[%i] {nontemporal = true} : memref<?xf32>, vector<4xf32>`."""

    vector = operand_def(VectorType)
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)


@operation("vector.gather")
class GatherOp(IRDLOperation):
    """r[k] = m[i + offsets[k]] where the mask is set: `vector.gather %m[%i] [%offsets], %mask, %v : ...`."""

    base = operand_def()
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(VectorType)
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )


@operation("vector.scatter")
class ScatterOp(IRDLOperation):
    """m[i + offsets[k]] = v[k] where the mask is set: `vector.scatter %m[%i] [%offsets], %mask, %v : ...`."""

    base = operand_def()
    offsets = var_operand_def(IndexType)
    indices = operand_def(VectorType)
    mask = operand_def(VectorType)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr)
    result = opt_result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict "
        "`:` type($base) `,` type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($result)^)?"
    )


@operation("vector.expandload")
class ExpandLoadOp(IRDLOperation):
    """The elements of memory, in order, to the places of the mask that are set."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VectorType)
    pass_thru = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr)
    result = result_def(VectorType)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict "
        "`:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"
    )


@operation("vector.compressstore")
class CompressStoreOp(IRDLOperation):
    """The elements at the places of the mask that are set, in order, to memory."""

    base = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    mask = operand_def(VectorType)
    value_to_store = operand_def(VectorType)
    alignment = opt_prop_def(IntegerAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict "
        "`:` type($base) `,` type($mask) `,` type($value_to_store)"
    )


PunctuationAttr = enumeration("vector.punctuation", "no_punctuation newline comma open close")
_NEWLINE = PunctuationAttr("newline")


@operation("vector.print")
class PrintOp(WrittenOperation):
    """Print a value, a string or only punctuation: `vector.print %v : vector<4xf32> punctuation <comma>`."""

    source = opt_operand_def()
    punctuation = prop_def(PunctuationAttr, default_value=_NEWLINE)
    string_literal = opt_prop_def(StringAttr, prop_name="stringLiteral")

    SYNTAX: ClassVar = (
        Maybe(" ", Operand("source"), " : ", Type("source"), of="source"),
        Maybe(" str ", string("stringLiteral"), of="stringLiteral"),
        Maybe(
            " punctuation ", BareAttribute("punctuation", PunctuationAttr), of="punctuation", default=_NEWLINE
        ),
        Attributes(),
    )


def _default_map(shaped: Any, window: Any) -> AffineMap:
    """The last dimensions, as many as the vector has beyond those of its elements' vectors."""
    if not isinstance(shaped, MemRefType | TensorType) or not isinstance(window, VectorType):
        raise ValueError("expected a memref or a ranked tensor, and a vector")
    rank = shaped.get_num_dims()
    element = cast(Attribute, shaped.get_element_type())
    inner = element.get_num_dims() if isinstance(element, VectorType) else 0
    outer = window.get_num_dims() - inner
    if rank == 0 and window.get_shape() == (1,):
        return AffineMap(0, 0, (AffineConstantExpr(0),))
    return AffineMap(rank, 0, tuple(AffineDimExpr(rank - outer + d) for d in range(outer)))


def _mask_type(window: Any, permutation: AffineMap) -> Attribute:
    """i1 in the shape of the window before it is permuted and broadcast."""
    places = {r.position: i for i, r in enumerate(permutation.results) if isinstance(r, AffineDimExpr)}
    order = [places[dimension] for dimension in sorted(places)]
    shape, scalable = window.get_shape(), window.scalable_dims.data
    if not order:
        return VectorType(i1, [1])
    return VectorType(i1, [shape[i] for i in order], ArrayAttr(scalable[i] for i in order))


class _Window(Attributes):
    """` {attributes} : type, type` of FIRST and SECOND; the map and the promises only if they are unusual."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__("permutation_map", "in_bounds")
        self._names = (first, second)

    def read(self, parser: Parser, found: ReadParts) -> None:
        super().read(parser, found)
        parser.parse_punctuation(":")
        types = [parser.parse_type()]
        parser.parse_punctuation(",")
        types.append(parser.parse_type())
        shaped, window = self._in_order(types)
        permutation = found.properties.setdefault(
            "permutation_map", AffineMapAttr(_default_map(shaped, window))
        )
        assert isinstance(permutation, AffineMapAttr)
        none = ArrayAttr([BoolAttr.from_bool(False)] * len(permutation.data.results))
        found.properties.setdefault("in_bounds", none)
        found.types |= {name: [kind] for name, kind in zip(self._names, types, strict=True)}
        found.types["padding"] = [shaped.get_element_type()]
        if "mask" in found.operands:
            found.types["mask"] = [_mask_type(window, permutation.data)]
        if "vector" in self._names:
            found.types["result"] = [shaped] if isinstance(shaped, TensorType) else []

    def _in_order(self, types: Sequence[Attribute]) -> tuple[Any, Any]:
        """Of two types that of the memory, and that of the vector."""
        return (types[0], types[1]) if self._names[0] == "source" else (types[1], types[0])

    def write(self, printer: Printer, op: Any) -> None:
        types = [getattr(op, name).type for name in self._names]
        spelled = dict(op.attributes)
        if op.permutation_map.data != _default_map(*self._in_order(types)):
            spelled["permutation_map"] = op.permutation_map
        if any(promise.value.data for promise in op.in_bounds):
            spelled["in_bounds"] = op.in_bounds
        print_attributes(printer, spelled)
        printer.print_string(" : ")
        printer.print_list(types, printer.print_attribute)


@operation("vector.transfer_read")
class TransferReadOp(WrittenOperation, Redeclared, vector.TransferReadOp):  # pyright: ignore[reportIncompatibleMethodOverride]
    """`vector.transfer_read %m[%i], %pad, %mask {in_bounds = [true]} : memref<?xf32>, vector<4xf32>`."""

    source = operand_def(TensorType | MemRefType)
    indices = var_operand_def(IndexType)
    padding = operand_def()
    mask = opt_operand_def(VectorType)
    permutation_map = prop_def(AffineMapAttr)
    in_bounds = prop_def(ArrayAttr[BoolAttr])
    result = result_def(VectorType)

    SYNTAX: ClassVar = (
        " ", Operand("source"), OperandList("indices", IndexType(), SQUARE), ", ", Operand("padding"),
        Maybe(", ", Operand("mask"), of="mask"), _Window("source", "result"),
    )  # fmt: skip


@operation("vector.transfer_write")
class TransferWriteOp(WrittenOperation, Redeclared, vector.TransferWriteOp):  # pyright: ignore[reportIncompatibleMethodOverride]
    """`vector.transfer_write %v, %m[%i, %j], %mask {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>`."""

    vector = operand_def(VectorType)
    source = operand_def(TensorType | MemRefType)
    indices = var_operand_def(IndexType)
    mask = opt_operand_def(VectorType)
    permutation_map = prop_def(AffineMapAttr)
    in_bounds = prop_def(ArrayAttr[BoolAttr])
    result = opt_result_def(TensorType)

    SYNTAX: ClassVar = (
        " ", Operand("vector"), ", ", Operand("source"), OperandList("indices", IndexType(), SQUARE),
        Maybe(", ", Operand("mask"), of="mask"), _Window("vector", "source"),
    )  # fmt: skip
