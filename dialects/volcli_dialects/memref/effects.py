"""Which elements memref's operations read and write, and where buffers come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    UnitAttr,
    UnregisteredOp,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from volcli.language.expressions import NotAffine, loop, value_of
from volcli.language.memory import Allocation, Buffer, Effects, MemoryAccess
from volcli.language.questions import (
    accesses,
    allocation,
    buffer,
    choices,
    constant_fill,
    copies,
    effects,
    elements,
    literal,
)
from volcli.language.reads import rank_of
from volcli_dialects.cases.dialects import operations_of
from volcli_dialects.cases.elements.branches import chooses, chosen
from volcli_dialects.cases.memory.memory import (
    READ,
    WRITE,
    Accesses,
    TransferEnd,
    awaited,
    copied,
    element,
    sizes_of,
    started,
    touch_nothing,
    whole,
)
from volcli_dialects.cases.numbers.constants import numbers_of
from volcli_dialects.cases.parts import fill_of
from volcli_dialects.cases.symbols import symbol
from volcli_dialects.memref import views
from volcli_dialects.memref.accesses import (
    AllocaScopeOp,
    AllocaScopeReturnOp,
    AtomicRMWOp,
    AtomicYieldOp,
    CopyOp,
    DmaStartOp,
    DmaWaitOp,
    GenericAtomicRMWOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
)
from volcli_dialects.memref.globals import GetGlobalOp, GlobalOp
from volcli_dialects.memref.views import ExtractAlignedPointerAsIndexOp, ReallocOp, ReshapeOp
from volcli_dialects.syntax.properties import atomic_kind
from volcli_dialects.syntax.syntax import SEGMENT_SIZES

touch_nothing(
    *(kind for kind in operations_of(views) if kind not in (ReallocOp, ReshapeOp)),
    memref.AssumeAlignmentOp,
    memref.CollapseShapeOp,
    memref.DeallocOp,
    memref.ExpandShapeOp,
    memref.ExtractStridedMetaDataOp,
    memref.SubviewOp,
    memref.ViewOp,
    AllocaScopeOp,
    AllocaScopeReturnOp,
    AtomicYieldOp,
    PrefetchOp,
)


@allocation.case(memref.AllocOp, memref.AllocaOp)
def allocated(op: memref.AllocOp | memref.AllocaOp) -> Allocation:
    """As large as the first operands say; the others are symbols of the layout."""

    def resized(kind: Attribute, sizes: Sequence[SSAValue]) -> Operation:
        groups = DenseArrayBase.from_list(i32, [len(sizes), len(op.symbol_operands)])
        return type(op).create(
            operands=(*sizes, *op.symbol_operands),
            result_types=[kind],
            properties={**op.properties, SEGMENT_SIZES: groups},
            attributes=op.attributes,
        )

    return Allocation(tuple(op.dynamic_sizes), resized)


@elements.case(GetGlobalOp)
def constant_elements(op: GetGlobalOp) -> Sequence[int] | None:
    """The initial numbers of a global buffer that is constant: what writes to one is undefined."""
    found = symbol(op, op.name_)
    made = None if found is None else found.op
    if not isinstance(made, GlobalOp) or made.constant is None or made.initial_value is None:
        return None
    return numbers_of(made.initial_value, made.type)


# A reallocation gives other memory than before, which nobody may use any more.
buffer.case(memref.AllocOp, memref.AllocaOp, ReallocOp)(lambda op: Buffer())
buffer.case(GetGlobalOp)(lambda op: Buffer(op.name_.string_value()))
effects.case(memref.DeallocOp)(lambda op: Effects(frees=(op.memref,)))
effects.case(ReallocOp)(lambda op: Effects(frees=(op.source,)))  # The buffer that the elements were in.
# The address is a number, which anything may be done with.
effects.case(ExtractAlignedPointerAsIndexOp)(lambda op: Effects(exposes=(op.source,)))
choices.case(AllocaScopeOp)(lambda op: chosen(op, [(((),), op.scope)]))  # What the only block returns.


chooses(AllocaScopeOp)


def _updated(memref: SSAValue, indices: Sequence[SSAValue], stored: SSAValue | None = None) -> Accesses:
    """The element is read and written, without any other access in between."""
    both = (element(READ, memref, indices), element(WRITE, memref, indices, stored))
    return [replace(access, atomic=True) for access in both]


@literal.case(GlobalOp)
def constant_global(op: GlobalOp) -> Attribute | None:
    """The elements of a global that is never changed."""
    value = op.initial_value
    return None if isinstance(value, UnitAttr) or not _is_constant(op) else value


def _is_constant(op: GlobalOp) -> bool:
    """Whether OP is declared to be constant, or is private and read alone in its module."""
    if op.constant is not None:
        return True
    module = op.parent_op()
    visibility = op.sym_visibility
    if visibility is None or visibility.data != "private" or not isinstance(module, ModuleOp):
        return False
    return all(_only_reads(each, op.sym_name.data) for each in module.walk() if each is not op)


def _only_reads(op: Operation, name: str) -> bool:
    """Whether OP does not refer to the global NAME, or what it gets is read alone."""
    if isinstance(op, UnregisteredOp):
        return f"@{name}" not in str(op.attributes)
    stated = (*op.properties.values(), *op.attributes.values())
    if not any(f"@{name}" in str(each) for each in stated if not isinstance(each, DenseIntOrFPElementsAttr)):
        return True
    return isinstance(op, GetGlobalOp) and all(_is_read(use.operation) for use in op.results[0].uses)


def _is_read(op: Operation) -> bool:
    reads = accesses(op) or ()
    makes_memory = any(isinstance(each.type, MemRefType) for each in op.results)
    return bool(reads) and not makes_memory and all(each.effect is READ for each in reads)


@accesses.case(ReallocOp)
def realloc_accesses(op: ReallocOp) -> Accesses:
    """The elements that fit are copied: nobody may know afterwards whether the buffer stays where it is."""
    ((before,), (after,)) = sizes_of(op.source), sizes_of(op.result)
    index, fits = (loop(0),), (after - 1 - loop(0),)
    return [
        MemoryAccess(READ, op.source, index, (before,), fits),
        MemoryAccess(WRITE, op.result, index, (before,), fits),
    ]


copies.case(ReallocOp)(lambda op: True)  # Element by element.


# An update; `assign` stores the operand itself.
accesses.case(AtomicRMWOp)(
    lambda op: _updated(
        op.memref, op.indices, op.value if atomic_kind(op.kind.value.data) == "assign" else None
    )
)


# The number that all elements of a global are that nobody changes.
constant_fill.case(GlobalOp)(lambda op: fill_of(op.initial_value) if _is_constant(op) else None)
accesses.case(LoadOp)(lambda op: [element(READ, op.memref, op.indices)])
# The sizes of the result are what stands in the operand for them.
accesses.case(ReshapeOp)(lambda op: [whole(READ, op.shape)])
accesses.case(StoreOp)(lambda op: [element(WRITE, op.memref, op.indices, op.value)])
accesses.case(GenericAtomicRMWOp)(lambda op: _updated(op.memref, op.indices))
accesses.case(CopyOp)(lambda op: copied(op.source, op.destination))
copies.case(CopyOp)(lambda op: True)  # Element by element.


# -- transfers -----------------------------------------------------------------------------------------


def _take_place(operands: list[SSAValue]) -> TransferEnd:
    """The buffer in front of OPERANDS, with as many indices as its rank; both are removed."""
    if not operands or not isinstance(operands[0].type, MemRefType):
        raise NotAffine("a transfer without its buffers")
    end = 1 + rank_of(operands[0])
    place = TransferEnd(operands[0], tuple(map(value_of, operands[1:end])))
    del operands[:end]
    return place


@accesses.case(DmaStartOp)
def start_accesses(op: DmaStartOp) -> Accesses:
    rest = list(op.operands)
    source, dest = _take_place(rest), _take_place(rest)
    count = rest.pop(0)
    tag = _take_place(rest)
    return started(source, dest, tag, count, is_strided=bool(rest))


accesses.case(DmaWaitOp)(lambda op: awaited(_take_place(list(op.operands))))
