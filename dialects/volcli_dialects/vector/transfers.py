"""vector.transfer_read and transfer_write: windows of buffers and tensors, padded and permuted.

xDSL's classes lose attributes in reading; ours are theirs with another syntax.
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
    MemRefType,
    TensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.irdl import (
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.pieces import SQUARE, Attributes, OperandList
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.syntax import print_attributes
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, WrittenOperation


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
