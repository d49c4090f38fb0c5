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
    i64,
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
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from volcli_dialects.syntax.op_types import ANY_MEMREF
from volcli_dialects.syntax.pieces import Attributes, ResultTypes
from volcli_dialects.syntax.redeclared import Redeclared, operation
from volcli_dialects.syntax.region_syntax import BodyRegion
from volcli_dialects.syntax.written import WrittenOperation

# The kinds of arith.AtomicRMWKind, in the order of their numbers in the `kind` property.
ATOMIC_KINDS = (
    "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu",
    "minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori",
)  # fmt: skip


@irdl_custom_directive
class AtomicKind(CustomDirective):
    """What an atomic operation does: ` addi` is the property `kind = 1 : i64`."""

    kind: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        name = parser.parse_identifier()
        if name not in ATOMIC_KINDS:
            parser.raise_error(f"expected one of: {', '.join(ATOMIC_KINDS)}", position, parser.pos)
        self.kind.set(state, IntegerAttr(ATOMIC_KINDS.index(name), i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        kind = self.kind.get(op)
        assert isinstance(kind, IntegerAttr)
        state.print_whitespace(printer)
        printer.print_string(ATOMIC_KINDS[kind.value.data])


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
class AtomicRMWOp(Redeclared, memref.AtomicRMWOp):
    """`%old = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<10xf32>) -> f32`."""

    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    kind = prop_def(IntegerAttr)
    result = result_def(SignlessIntegerConstraint | AnyFloatConstr)

    custom_directives = (AtomicKind,)
    assembly_format = (
        "custom<AtomicKind>($kind) $value `,` $memref `[` $indices `]` attr-dict "
        "`:` `(` type($value) `,` type($memref) `)` `->` type($result)"
    )


def atomic_kind(op: AtomicRMWOp) -> str:
    """What OP does to the element: `addf`."""
    number = op.kind.value.data
    return ATOMIC_KINDS[number] if 0 <= number < len(ATOMIC_KINDS) else "unknown"


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
