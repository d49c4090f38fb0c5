"""vector operations between registers and memory that xDSL lacks, and vector.print."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import vector
from xdsl.dialects.builtin import BoolAttr, IndexType, IntegerAttr, MemRefType, StringAttr, VectorType
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

from volcli_dialects.syntax.enumerations import enumeration
from volcli_dialects.syntax.pieces import Attributes, BareAttribute, Type, string
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.written import Maybe, Operand, WrittenOperation


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
