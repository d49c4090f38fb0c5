"""vector.transfer_read and transfer_write: windows of buffers and tensors, padded and permuted.

xDSL's classes lose attributes in reading; ours are theirs with another syntax.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeAlias, cast

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
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_result_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli_dialects.syntax.redeclared import Redeclared
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, print_attributes, segment_sizes


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


Unresolved: TypeAlias = list[UnresolvedOperand]


def _parse(parser: Parser, leading: int) -> tuple[Unresolved, Sequence[SSAValue], Unresolved]:
    """`%v, %m[%i, %j], %pad, %mask`: LEADING operands, the last with indices, and what is after."""
    before: Unresolved = []
    for number in range(leading):
        if number:
            parser.parse_punctuation(",")
        before.append(parser.parse_unresolved_operand())
    indices = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_operand(IndexType())
    )
    behind: Unresolved = []
    while parser.parse_optional_punctuation(","):
        behind.append(parser.parse_unresolved_operand())
    return before, indices, behind


def _parse_types(parser: Parser) -> tuple[Attribute, Attribute]:
    parser.parse_punctuation(":")
    first = parser.parse_type()
    parser.parse_punctuation(",")
    return first, parser.parse_type()


def _properties(
    attributes: dict[str, Attribute], shaped: Attribute, window: Attribute
) -> dict[str, Attribute]:
    """The map and the promises, taken from the attributes or their defaults."""
    default = AffineMapAttr(_default_map(shaped, window))
    permutation = attributes.pop("permutation_map", default)
    assert isinstance(permutation, AffineMapAttr)
    none = ArrayAttr([BoolAttr.from_bool(False)] * len(permutation.data.results))
    return {"permutation_map": permutation, "in_bounds": attributes.pop("in_bounds", none)}


def _print(
    printer: Printer, op: TransferReadOp | TransferWriteOp, shaped: Attribute, window: Attribute
) -> None:
    """` {attributes} : type, type`, without the map and the promises if they are the defaults."""
    spelled = dict(op.attributes)
    if op.permutation_map.data != _default_map(shaped, window):
        spelled["permutation_map"] = op.permutation_map
    if any(promise.value.data for promise in op.in_bounds):
        spelled["in_bounds"] = op.in_bounds
    print_attributes(printer, spelled)


def _print_window(printer: Printer, base: SSAValue, indices: Sequence[SSAValue]) -> None:
    printer.print_ssa_value(base)
    with printer.in_square_brackets():
        printer.print_list(indices, printer.print_ssa_value)


@irdl_op_definition
class TransferReadOp(Redeclared, vector.TransferReadOp):
    """`vector.transfer_read %m[%i], %pad, %mask {in_bounds = [true]} : memref<?xf32>, vector<4xf32>`."""

    source = operand_def(TensorType | MemRefType)
    indices = var_operand_def(IndexType)
    padding = operand_def()
    mask = opt_operand_def(VectorType)
    permutation_map = prop_def(AffineMapAttr)
    in_bounds = prop_def(ArrayAttr[BoolAttr])
    result = result_def(VectorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        (source,), indices, behind = _parse(parser, 1)
        attributes = parser.parse_optional_attr_dict()
        shaped, window = _parse_types(parser)
        properties = _properties(attributes, shaped, window)
        element: Any = shaped
        operands = [parser.resolve_operand(source, shaped), *indices]
        operands.append(parser.resolve_operand(behind[0], element.get_element_type()))
        operands += _masks(parser, behind[1:], window, properties)
        properties[SEGMENT_SIZES] = segment_sizes(1, len(indices), 1, len(behind) - 1)
        return cls.create(
            operands=operands, result_types=[window], properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        _print_window(printer, self.source, self.indices)
        for value in (self.padding, self.mask):
            if value is not None:
                printer.print_string(", ")
                printer.print_ssa_value(value)
        _print(printer, self, self.source.type, self.result.type)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(", ")
        printer.print_attribute(self.result.type)


def _masks(
    parser: Parser,
    unresolved: Sequence[UnresolvedOperand],
    window: Attribute,
    properties: dict[str, Attribute],
) -> list[SSAValue]:
    """The mask, or nothing."""
    permutation = properties["permutation_map"]
    assert isinstance(permutation, AffineMapAttr)
    return [parser.resolve_operand(mask, _mask_type(window, permutation.data)) for mask in unresolved]


@irdl_op_definition
class TransferWriteOp(Redeclared, vector.TransferWriteOp):
    """`vector.transfer_write %v, %m[%i, %j], %mask {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>`."""

    vector = operand_def(VectorType)
    source = operand_def(TensorType | MemRefType)
    indices = var_operand_def(IndexType)
    mask = opt_operand_def(VectorType)
    permutation_map = prop_def(AffineMapAttr)
    in_bounds = prop_def(ArrayAttr[BoolAttr])
    result = opt_result_def(TensorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        (stored, dest), indices, behind = _parse(parser, 2)
        attributes = parser.parse_optional_attr_dict()
        window, shaped = _parse_types(parser)
        properties = _properties(attributes, shaped, window)
        operands = [parser.resolve_operand(stored, window), parser.resolve_operand(dest, shaped), *indices]
        operands += _masks(parser, behind, window, properties)
        properties[SEGMENT_SIZES] = segment_sizes(1, 1, len(indices), len(behind))
        results: list[Attribute] = [shaped] if isinstance(shaped, TensorType) else []
        return cls.create(
            operands=operands, result_types=results, properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        printer.print_string(", ")
        _print_window(printer, self.source, self.indices)
        if self.mask is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.mask)
        _print(printer, self, self.source.type, self.vector.type)
        printer.print_string(" : ")
        printer.print_attribute(self.vector.type)
        printer.print_string(", ")
        printer.print_attribute(self.source.type)


TRANSFER_OPS: tuple[type[Operation], ...] = (TransferReadOp, TransferWriteOp)
