"""What is wrong with operations of memref, in the words of mlir-opt 22."""

from __future__ import annotations

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
from xdsl.ir.affine import AffineDimExpr, AffineExpr

from volcli.language.questions import Problem, problems
from volcli_dialects.cases.symbols import symbol
from volcli_dialects.memref.accesses import AtomicRMWOp, CopyOp, LoadOp, StoreOp
from volcli_dialects.memref.globals import GetGlobalOp, GlobalOp
from volcli_dialects.memref.transfers import PrefetchOp
from volcli_dialects.memref.views import ReallocOp, ReshapeOp
from volcli_dialects.syntax.properties import atomic_kind
from volcli_dialects.verification.problems import (
    are_compatible,
    dynamic_size_problem,
    element_of,
    index_list_problem,
    listed,
    same_type_problem,
    shape,
    sizes_of,
    structure,
)


def _rank(kind: Attribute) -> int | None:
    sizes = sizes_of(kind)
    return None if sizes is None else len(sizes)


@problems.case(LoadOp)
def load_problems(op: LoadOp) -> list[Problem]:
    rank, count = _rank(op.memref.type), len(op.indices)
    if rank in (None, count):
        return []
    return structure(f"incorrect number of indices for load, expected {rank} but got {count}")


@problems.case(StoreOp)
def store_problems(op: StoreOp) -> list[Problem]:
    if _rank(op.memref.type) in (None, len(op.indices)):
        return []
    return structure("store index operand count not equal to memref rank")


@problems.case(AtomicRMWOp)
def atomic_rmw_problems(op: AtomicRMWOp) -> list[Problem]:
    """A subscript for each dimension, and a kind that fits the elements."""
    kind, value = op.memref.type, op.value.type
    if value != element_of(kind):
        return structure("failed to verify that value type matches element type of memref")
    if _rank(kind) not in (None, len(op.indices)):
        return structure("expects the number of subscripts to be equal to memref rank")
    name, is_integer = atomic_kind(op.kind.value.data), isinstance(value, IntegerType)
    if name in ("assign", "unknown") or name.endswith("f") is not is_integer:
        return []
    return structure(f"with kind '{name}' expects {'a floating-point' if is_integer else 'an integer'} type")


problems.case(PrefetchOp)(
    lambda op: [] if _rank(op.memref.type) in (None, len(op.indices)) else structure("too few indices")
)


@problems.case(memref.AllocOp, memref.AllocaOp)
def alloc_problems(op: memref.AllocOp | memref.AllocaOp) -> list[Problem]:
    """A size for each `?`, and a value for each symbol of the layout."""
    # xDSL reads any attribute where a type stands.
    stated: Attribute = cast(Attribute, op.memref.type)
    if not isinstance(stated, MemRefType):
        return listed([f"result #0 must be memref, but got {stated}"])
    kind = cast(MemRefType[Attribute], stated)
    layout = kind.layout
    # An identity is no layout, whatever symbols it has.
    symbols = 0
    if isinstance(layout, AffineMapAttr) and layout.data.results != _identity(layout.data.num_dims):
        symbols = layout.data.num_symbols
    message = None
    if not isinstance(layout, StridedLayoutAttr) and len(op.symbol_operands) != symbols:
        message = (
            f"symbol operand count does not equal memref symbol count: expected {symbols}, got "
            f"{len(op.symbol_operands)}"
        )
    return listed([dynamic_size_problem(kind, op.dynamic_sizes), message])


def _identity(dims: int) -> tuple[AffineExpr, ...]:
    return tuple(AffineDimExpr(dim) for dim in range(dims))


@problems.case(ReallocOp)
def realloc_problems(op: ReallocOp) -> list[Problem]:
    kind, is_given = op.result.type, op.dynamic_result_size is not None
    for place, each in (("operand #0", op.source.type), ("result #0", kind)):
        if _rank(each) != 1:
            return structure(f"{place} must be 1D memref of any type values, but got '{each}'")
    if is_given == (DYNAMIC_INDEX in (sizes_of(kind) or ())):
        return []
    if is_given:
        return structure(f"unnecessary dimension operand for result type '{kind}'")
    return structure(f"missing dimension operand for result type '{kind}'")


@problems.case(memref.ViewOp)
def view_problems(op: memref.ViewOp) -> list[Problem]:
    source, result = op.source.type, op.result.type
    if isinstance(source, MemRefType) and source.memory_space != result.memory_space:
        return structure(
            f"different memory spaces specified for base memref type '{source}' and view memref type "
            f"'{result}'"
        )
    return listed([dynamic_size_problem(result, op.sizes)])


@problems.case(CopyOp)
def copy_problems(op: CopyOp) -> list[Problem]:
    """The same elements, and sizes that can be equal."""
    kinds = op.source.type, op.destination.type
    found = same_type_problem(map(element_of, kinds), "requires the same element type for all operands")
    left, right = map(sizes_of, kinds)
    if not found and left is not None and right is not None and not are_compatible(left, right):
        message = "requires the same shape for all operands"
        return shape(message) if len(left) == len(right) else structure(message)
    return found


@problems.case(ReshapeOp)
def reshape_problems(op: ReshapeOp) -> list[Problem]:
    """The same elements; as many sizes as the result has dimensions."""
    if element_of(op.source.type) != element_of(op.result.type):
        return structure("element types of source and destination memref types should be the same")
    sizes, rank = sizes_of(op.shape.type), _rank(op.result.type)
    if (message := index_list_problem("memref", op.shape.type)) is not None:
        return structure(message)
    if sizes is None or rank is None or sizes[0] in (rank, DYNAMIC_INDEX):
        return []
    return structure("length of shape operand differs from the result's memref rank")


@problems.case(GetGlobalOp)
def get_global_problems(op: GetGlobalOp) -> list[Problem]:
    """The global is there, and has the type."""
    name = op.name_.string_value()
    found = symbol(op, op.name_)
    if found is None:
        return []
    if not isinstance(found.op, memref.GlobalOp):
        return structure(f"'{name}' does not reference a valid global memref")
    if found.op.type == op.memref.type:
        return []
    return structure(
        f"result type '{op.memref.type}' does not match type '{found.op.type}' of the global memref @{name}"
    )


@problems.case(GlobalOp)
def global_problems(op: GlobalOp) -> list[Problem]:
    """The type says all sizes."""
    kind = op.type
    if DYNAMIC_INDEX not in (sizes_of(kind) or ()):
        return []
    return structure(f"type should be static shaped memref, but got '{kind}'")


@problems.case(memref.AssumeAlignmentOp)
def assume_alignment_problems(op: memref.AssumeAlignmentOp) -> list[Problem]:
    """A power of two."""
    number = op.alignment.value.data
    return [] if number > 0 and number & (number - 1) == 0 else structure("alignment must be power of 2")
