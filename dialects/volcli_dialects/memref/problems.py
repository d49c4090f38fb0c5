"""What is wrong with operations of memref, in the words of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IntegerType,
    MemRefType,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap

from volcli_dialects.cases.symbols import symbol
from volcli_dialects.memref.accesses import AtomicRMWOp, CopyOp, LoadOp, PrefetchOp, StoreOp
from volcli_dialects.memref.globals import GetGlobalOp, GlobalOp
from volcli_dialects.memref.views import ReallocOp, ReshapeOp
from volcli_dialects.syntax.properties import atomic_kind
from volcli_dialects.verification.problems import (
    are_compatible,
    are_indices,
    dynamic_size_problem,
    element_of,
    index_list_problem,
    messages,
    must,
    same_type_problem,
    sized,
    sizes_of,
)


def _rank(kind: Attribute) -> int | None:
    sizes = sizes_of(kind)
    return None if sizes is None else len(sizes)


must(
    LoadOp,
    lambda op: are_indices(op.indices, op.memref.type),
    lambda op: (
        f"incorrect number of indices for load, expected {_rank(op.memref.type)} but got {len(op.indices)}"
    ),
)
must(
    StoreOp,
    lambda op: are_indices(op.indices, op.memref.type),
    "store index operand count not equal to memref rank",
)
must(PrefetchOp, lambda op: are_indices(op.indices, op.memref.type), "too few indices")
must(
    memref.AssumeAlignmentOp,
    lambda op: op.alignment.value.data.bit_count() == 1 <= op.alignment.value.data,
    "alignment must be power of 2",
)
must(
    GlobalOp,
    lambda op: DYNAMIC_INDEX not in (sizes_of(op.type) or ()),
    lambda op: f"type should be static shaped memref, but got '{op.type}'",
)


@messages(AtomicRMWOp)
def atomic_rmw_problems(op: AtomicRMWOp) -> Iterator[str | None]:
    """A subscript for each dimension, and a kind that fits the elements."""
    kind, value = op.memref.type, op.value.type
    if value != element_of(kind):
        yield "failed to verify that value type matches element type of memref"
    if not are_indices(op.indices, kind):
        yield "expects the number of subscripts to be equal to memref rank"
    name, is_integer = atomic_kind(op.kind.value.data), isinstance(value, IntegerType)
    if name not in ("assign", "unknown") and name.endswith("f") is is_integer:
        yield f"with kind '{name}' expects {'a floating-point' if is_integer else 'an integer'} type"


@messages(memref.AllocOp, memref.AllocaOp)
def alloc_problems(op: memref.AllocOp | memref.AllocaOp) -> Iterator[str | None]:
    """A size for each `?`, and a value for each symbol of the layout."""
    # xDSL reads any attribute where a type stands.
    stated: Attribute = cast(Attribute, op.memref.type)
    if not isinstance(stated, MemRefType):
        yield f"result #0 must be memref, but got {stated}"
        return
    kind = cast(MemRefType[Attribute], stated)
    layout = kind.layout
    # An identity is no layout, whatever symbols it has.
    symbols = 0
    if (
        isinstance(layout, AffineMapAttr)
        and layout.data.results != AffineMap.identity(layout.data.num_dims).results
    ):
        symbols = layout.data.num_symbols
    yield dynamic_size_problem(kind, op.dynamic_sizes)
    if not isinstance(layout, StridedLayoutAttr) and len(op.symbol_operands) != symbols:
        yield (
            f"symbol operand count does not equal memref symbol count: expected {symbols}, got "
            f"{len(op.symbol_operands)}"
        )


@messages(ReallocOp)
def realloc_problems(op: ReallocOp) -> Iterator[str | None]:
    kind, is_given = op.result.type, op.dynamic_result_size is not None
    for place, each in (("operand #0", op.source.type), ("result #0", kind)):
        if _rank(each) != 1:
            yield f"{place} must be 1D memref of any type values, but got '{each}'"
    if is_given != (DYNAMIC_INDEX in (sizes_of(kind) or ())):
        yield f"{'unnecessary' if is_given else 'missing'} dimension operand for result type '{kind}'"


@messages(memref.ViewOp)
def view_problems(op: memref.ViewOp) -> Iterator[str | None]:
    source, result = op.source.type, op.result.type
    if isinstance(source, MemRefType) and source.memory_space != result.memory_space:
        yield (
            f"different memory spaces specified for base memref type '{source}' and view memref type "
            f"'{result}'"
        )
    yield dynamic_size_problem(result, op.sizes)


@messages(CopyOp)
def copy_problems(op: CopyOp) -> Iterator[str | None]:
    """The same elements, and sizes that can be equal."""
    kinds = op.source.type, op.destination.type
    yield same_type_problem(map(element_of, kinds), "requires the same element type for all operands")
    left, right = map(sizes_of, kinds)
    if left is not None and right is not None and not are_compatible(left, right):
        yield sized("requires the same shape for all operands", left, right)


@messages(ReshapeOp)
def reshape_problems(op: ReshapeOp) -> Iterator[str | None]:
    """The same elements; as many sizes as the result has dimensions."""
    if element_of(op.source.type) != element_of(op.result.type):
        yield "element types of source and destination memref types should be the same"
    sizes, rank = sizes_of(op.shape.type), _rank(op.result.type)
    yield index_list_problem("memref", op.shape.type)
    if sizes is not None and rank is not None and sizes[0] not in (rank, DYNAMIC_INDEX):
        yield "length of shape operand differs from the result's memref rank"


@messages(GetGlobalOp)
def get_global_problems(op: GetGlobalOp) -> Iterator[str | None]:
    """The global is there, and has the type."""
    name = op.name_.string_value()
    found = symbol(op, op.name_)
    if found is None:
        return
    if not isinstance(found.op, memref.GlobalOp):
        yield f"'{name}' does not reference a valid global memref"
    elif found.op.type != op.memref.type:
        yield (
            f"result type '{op.memref.type}' does not match type '{found.op.type}' of the global memref "
            f"@{name}"
        )
