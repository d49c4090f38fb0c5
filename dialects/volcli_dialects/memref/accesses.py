"""memref operations that read or write elements one at a time, and the scope of stack allocations."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    AnyFloatConstr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    SignlessIntegerConstraint,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.op_types import ANY_MEMREF
from volcli_dialects.syntax.pieces import SQUARE, Attributes, OperandList, ResultTypes, Type
from volcli_dialects.syntax.properties import ATOMIC_KINDS, numbered
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.region_syntax import BodyRegion
from volcli_dialects.syntax.written import Operand, WrittenOperation


@operation("memref.load", "$memref `[` $indices `]` attr-dict `:` type($memref)")
class LoadOp(Redeclared, memref.LoadOp):
    """`%x = memref.load %m[%i, %j] {nontemporal = true} : memref<4x4xf32>`."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)
    res = result_def(T)


@operation("memref.store", "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)")
class StoreOp(Redeclared, memref.StoreOp):
    """`memref.store %x, %m[%i, %j] {alignment = 16 : i64} : memref<4x4xf32>`."""

    T: ClassVar = VarConstraint("T", AnyAttr())

    value = operand_def(T)
    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    nontemporal = opt_prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    alignment = opt_prop_def(IntegerAttr)


@operation("memref.copy", "$source `,` $destination attr-dict `:` type($source) `to` type($destination)")
class CopyOp(Redeclared, memref.CopyOp):
    """`memref.copy %a, %b : memref<4xf32> to memref<?xf32>`: b[i] = a[i] for all i."""

    source = operand_def(ANY_MEMREF)
    destination = operand_def(ANY_MEMREF)


@operation("memref.atomic_rmw")
class AtomicRMWOp(WrittenOperation, Redeclared, memref.AtomicRMWOp):
    """`%old = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<10xf32>) -> f32`."""

    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr)
    result = result_def(SignlessIntegerConstraint | AnyFloatConstr)

    SYNTAX: ClassVar = (
        " ", numbered("kind", ATOMIC_KINDS), " ", Operand("value"), ", ", Operand("memref"),
        OperandList("indices", IndexType(), SQUARE), Attributes(),
        " : (", Type("value"), ", ", Type("memref"), ") -> ", Type("result"),
    )  # fmt: skip


@operation("memref.generic_atomic_rmw", "$memref `[` $indices `]` `:` type($memref) $body attr-dict")
class GenericAtomicRMWOp(IRDLOperation):
    """Replaces one element, atomically, by what the body yields for it.

    `%old = memref.generic_atomic_rmw %m[%i] : memref<10xf32> { ^bb0(%current: f32): ...
    memref.atomic_yield %next : f32 }`.
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    memref = operand_def(MemRefType.constr(T))
    indices = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(T)


@operation("memref.atomic_yield", "$result attr-dict `:` type($result)")
class AtomicYieldOp(IRDLOperation):
    """`memref.atomic_yield %next : f32`: what memref.generic_atomic_rmw writes."""

    result = operand_def()
    traits = traits_def(IsTerminator())


@operation("memref.alloca_scope.return", "attr-dict ($ops^ `:` type($ops))?")
class AllocaScopeReturnOp(Redeclared, memref.AllocaScopeReturnOp):
    """`memref.alloca_scope.return %x : f32`."""

    ops = var_operand_def()


@operation("memref.alloca_scope")
class AllocaScopeOp(WrittenOperation, Redeclared, memref.AllocaScopeOp):
    """What the body allocates on the stack is free after it: `memref.alloca_scope { ... }`."""

    res = var_result_def()
    scope = region_def("single_block")

    SYNTAX: ClassVar = (
        ResultTypes(),
        BodyRegion("scope", AllocaScopeReturnOp, lambda _: False),
        Attributes(),
    )
