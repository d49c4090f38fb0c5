"""The operations of bufferization."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import bufferization
from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from volcli_dialects.syntax.op_types import ANY_MEMREF, ANY_TENSOR
from volcli_dialects.syntax.pieces import PAREN, Attributes, Inferred, OperandList, Types
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.written import Maybe, WrittenOperation


@operation("bufferization.to_tensor")
class ToTensorOp(Redeclared, bufferization.ToTensorOp):
    """`bufferization.to_tensor %m restrict writable : memref<4xf32, 3> to tensor<4xf32>`."""

    memref = operand_def(ANY_MEMREF)
    tensor = result_def(ANY_TENSOR)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)

    assembly_format = (
        "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict "
        "`:` type($memref) `to` type($tensor)"
    )


@operation("bufferization.to_buffer")
class ToBufferOp(Redeclared, bufferization.ToBufferOp):
    """`bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?]>>`."""

    tensor = operand_def(ANY_TENSOR)
    memref = result_def(ANY_MEMREF)
    read_only = opt_prop_def(UnitAttr)

    assembly_format = "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($memref)"


@operation("bufferization.clone", "$input attr-dict `:` type($input) `to` type($output)")
class CloneOp(Redeclared, bufferization.CloneOp):
    """A buffer with the same elements: `bufferization.clone %m : memref<4xf32> to memref<?xf32>`."""

    input = operand_def(ANY_MEMREF)
    output = result_def(ANY_MEMREF)


@operation("bufferization.alloc_tensor")
class AllocTensorOp(Redeclared, bufferization.AllocTensorOp):
    """A tensor to be written: `bufferization.alloc_tensor(%n) {memory_space = 1 : i64} : tensor<?xf32>`."""

    T: ClassVar = VarConstraint("T", ANY_TENSOR)

    dynamic_sizes = var_operand_def(IndexType)
    copy = opt_operand_def(T)
    size_hint = opt_operand_def(IndexType)
    memory_space = opt_prop_def()
    tensor = result_def(T)

    # Beside those of xDSL's class.
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "`` `(` $dynamic_sizes `)` (`copy` `` `(` $copy^ `)`)? (`size_hint` `` `=` `` $size_hint^)? "
        "attr-dict `:` type($tensor)"
    )


@operation("bufferization.dealloc_tensor", "$tensor attr-dict `:` type($tensor)")
class DeallocTensorOp(IRDLOperation):
    """`bufferization.dealloc_tensor %t : tensor<4xf32>`."""

    tensor = operand_def(ANY_TENSOR)


@operation("bufferization.materialize_in_destination")
class MaterializeInDestinationOp(Redeclared, bufferization.MaterializeInDestinationOp):
    """The source's elements are written to the destination, a tensor or a buffer.

    `bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>)
    -> ()`.
    """

    source = operand_def(ANY_TENSOR)
    dest = operand_def(ANY_TENSOR | ANY_MEMREF)
    restrict = opt_prop_def(UnitAttr)
    writable = opt_prop_def(UnitAttr)
    result = opt_result_def()

    assembly_format = (
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict "
        "`:` functional-type(operands, results)"
    )


@operation("bufferization.dealloc")
class DeallocOp(WrittenOperation):
    """Free buffers that are owned and not retained; gives, for each retained one, who owns it from now on.

    `%own = bufferization.dealloc (%m : memref<4xf32>) if (%owned) retain (%r : memref<4xf32>)`.
    """

    memrefs = var_operand_def(ANY_MEMREF)
    conditions = var_operand_def(i1)
    retained = var_operand_def(ANY_MEMREF)
    updated_conditions = var_result_def(i1)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = (
        Maybe(
            " (", OperandList("memrefs"), " : ", Types("memrefs"), ") if ",
            OperandList("conditions", i1, PAREN),
            of="memrefs",
        ),
        Maybe(
            " retain (", OperandList("retained"), " : ", Types("retained"), ")",
            Inferred("updated_conditions", lambda found: [i1] * len(found.types["retained"])), of="retained",
        ),
        Attributes(),
    )  # fmt: skip
