"""What is wrong with vector operations on memory, or that combine elements, in mlir-opt's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerType, StridedLayoutAttr, VectorType
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineDimExpr, AffineMap

from volcli.frontend.parse.affine.affine_text import map_text
from volcli_dialects.vector.accesses import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    ScatterOp,
    StoreOp,
    TransferReadOp,
    TransferWriteOp,
)
from volcli_dialects.vector.problems import Vector, as_vector, scalable
from volcli_dialects.vector.reductions import ContractionOp, IteratorKindAttr, MultiDimReductionOp
from volcli_dialects.verification.problems import as_memref, element_of, messages, must, sizes_of


def _index_message(base: Attribute, count: int) -> Iterator[str]:
    """A subscript for each dimension of BASE."""
    sizes = sizes_of(base)
    if sizes is not None and len(sizes) != count:
        yield f"requires {len(sizes)} indices"


def _contiguous_messages(base: Attribute, kind: Attribute, name: str, count: int) -> Iterator[str]:
    """The elements lie side by side; where they are vectors, the vector is one of them."""
    buffer = as_memref(base)
    if buffer is None:
        return
    layout = buffer.layout
    if isinstance(layout, StridedLayoutAttr) and sizes_of(kind) != (1,):
        strides = layout.get_strides()
        if strides and strides[-1] != 1:
            yield "most minor memref dim must have unit stride"
    element = buffer.element_type
    if as_vector(element) is not None and element != kind:
        yield f"base memref and {name} vector types should match"
    if element_of(element) != element_of(kind):
        yield (
            "base and result element types should match"
            if name == "result"
            else "base and valueToStore element type should match"
        )
    yield from _index_message(base, count)


def _element_message(base: Attribute, kind: Attribute, name: str) -> Iterator[str]:
    if element_of(base) != element_of(kind):
        yield f"base and {name} element type should match"


def _read_messages(op: vector.MaskedLoadOp | ExpandLoadOp, mismatch: str) -> Iterator[str]:
    """A truth value and a substitute for each element that is read."""
    base, kind = op.base.type, op.result.type
    yield from _element_message(base, kind, "result")
    yield from _index_message(base, len(op.indices))
    if sizes_of(kind) != sizes_of(op.mask.type):
        yield mismatch
    if kind != op.pass_thru.type:
        yield "expected pass_thru of same type as result type"


def _write_messages(op: vector.MaskedStoreOp | CompressStoreOp, mismatch: str) -> Iterator[str]:
    """A truth value for each element that is written."""
    base, kind = op.base.type, op.value_to_store.type
    yield from _element_message(base, kind, "valueToStore")
    yield from _index_message(base, len(op.indices))
    if sizes_of(kind) != sizes_of(op.mask.type):
        yield mismatch


@messages(GatherOp)
def gather_problems(op: GatherOp) -> Iterator[str | None]:
    """An offset, a truth value and a substitute for each element."""
    yield from _element_message(op.base.type, op.result.type, "result")
    yield from _offset_messages(op, op.result.type, "result")
    if op.result.type != op.pass_thru.type:
        yield "expected pass_thru of same type as result type"


@messages(ScatterOp)
def scatter_problems(op: ScatterOp) -> Iterator[str | None]:
    """An offset and a truth value for each element."""
    yield from _element_message(op.base.type, op.value_to_store.type, "valueToStore")
    yield from _offset_messages(op, op.value_to_store.type, "valueToStore")


def _offset_messages(op: GatherOp | ScatterOp, kind: Attribute, name: str) -> Iterator[str]:
    yield from _index_message(op.base.type, len(op.offsets))
    for operand, what in ((op.indices, "indices"), (op.mask, "mask")):
        if sizes_of(kind) != sizes_of(operand.type):
            yield f"expected {name} dim to match {what} dim"


def _transfer_messages(op: TransferReadOp | TransferWriteOp, window: Attribute) -> Iterator[str]:
    """The map goes from the dimensions of the memory to those of the window, each once."""
    source, map_ = op.source.type, op.permutation_map.data
    yield from _index_message(source, len(op.indices))
    results, rank = len(map_.results), len(sizes_of(source) or ())
    if as_vector(element_of(source)) is not None:
        return
    if results != len(sizes_of(window) or ()):
        yield "requires a permutation_map with result dims of the same rank as the vector type"
    elif map_.num_symbols:
        yield "requires permutation_map without symbols"
    elif map_.num_dims != rank:
        yield "requires a permutation_map with input dims of the same rank as the source type"
    elif results != len(op.in_bounds):
        yield (
            f"expects the in_bounds attr of same rank as permutation_map results: {_affine_map(map_)} vs "
            f"inBounds of size: {len(op.in_bounds)}"
        )
    else:
        dims = [result.position for result in map_.results if isinstance(result, AffineDimExpr)]
        if len(set(dims)) < len(dims):
            yield "requires a permutation_map that is a permutation (found one dim used more than once)"


def _affine_map(map_: AffineMap) -> str:
    return f"affine_map<{map_text(map_)}>"


must(
    vector.FMAOp,
    lambda op: all(kind == op.res.type for kind in op.operand_types),
    "failed to verify that all of {lhs, rhs, acc, result} have same type",
)
messages(LoadOp)(lambda op: _contiguous_messages(op.base.type, op.result.type, "result", len(op.indices)))
messages(StoreOp)(
    lambda op: _contiguous_messages(op.base.type, op.vector.type, "valueToStore", len(op.indices))
)
messages(vector.MaskedLoadOp)(lambda op: _read_messages(op, "expected result shape to match mask shape"))
messages(ExpandLoadOp)(lambda op: _read_messages(op, "expected result dim to match mask dim"))
messages(vector.MaskedStoreOp)(
    lambda op: _write_messages(op, "expected valueToStore shape to match mask shape")
)
messages(CompressStoreOp)(lambda op: _write_messages(op, "expected valueToStore dim to match mask dim"))
messages(TransferReadOp)(lambda op: _transfer_messages(op, op.result.type))
messages(TransferWriteOp)(lambda op: _transfer_messages(op, op.vector.type))


_OF_INTEGERS = frozenset(("minui", "minsi", "maxui", "maxsi", "and", "or", "xor"))
_OF_FLOATS = frozenset(("minnumf", "maxnumf", "minimumf", "maximumf"))


@messages(vector.ReductionOp)
def reduction_problems(op: vector.ReductionOp) -> Iterator[str | None]:
    """One dimension at most, and a kind that fits the elements."""
    source = cast("Vector", op.vector.type)
    rank, kind, element = source.get_num_dims(), str(op.kind.data), op.dest.type
    if rank > 1:
        yield f"unsupported reduction rank: {rank}"
    is_integer = isinstance(element, IntegerType | IndexType)
    if kind in (_OF_FLOATS if is_integer else _OF_INTEGERS):
        yield f"unsupported reduction type ''{element}'' for kind '{kind}'"


@messages(MultiDimReductionOp)
def multi_reduction_problems(op: MultiDimReductionOp) -> Iterator[str | None]:
    """What is left are the sizes that are not reduced; a scalar if all are."""
    source, dest = cast("Vector", op.source.type), op.dest.type
    reduced = set(op.reduction_dims.get_values())
    kept = [size for dim, size in enumerate(source.get_shape()) if dim not in reduced]
    kind = as_vector(dest)
    if kept != ([] if kind is None else list(kind.get_shape())) or (kind is not None) is not bool(kept):
        yield f"destination type '{dest}' is incompatible with source type '{source}'"


@messages(ContractionOp)
def contraction_problems(op: ContractionOp) -> Iterator[str | None]:
    """A map for each of the three vectors, and one size for each loop."""
    maps = [attribute.data for attribute in op.indexing_maps if isinstance(attribute, AffineMapAttr)]
    kinds = [operand.type for operand in op.operands[:3]]
    if len(maps) != 3 or len(kinds) != 3:
        yield "expected an indexing map for each vector operand"
        return
    loops = len(op.iterator_types)
    for index, (map_, kind) in enumerate(zip(maps, kinds, strict=True)):
        vector_kind = as_vector(kind)
        rank = 0 if vector_kind is None else vector_kind.get_num_dims()
        if map_.num_symbols:
            yield f"expected indexing map {index} to have no symbols"
        if map_.num_dims != loops:
            yield f"expected indexing map {index} to have {loops} number of inputs"
        if len(map_.results) != rank:
            yield f"expected indexing map {index} to have {rank} number of outputs"
    dims = [_dims(map_) for map_ in maps]
    vectors = [as_vector(kind) for kind in kinds[:2]]
    if None in dims or None in vectors:
        return
    yield from _size_messages(op, cast("list[list[int]]", dims), cast("list[Vector]", vectors))


def _dims(map_: AffineMap) -> list[int] | None:
    """The loop of each result; None if one is no single loop."""
    found = [result.position for result in map_.results if isinstance(result, AffineDimExpr)]
    return found if len(found) == len(map_.results) else None


def _size_messages(
    op: ContractionOp, dims: Sequence[Sequence[int]], vectors: Sequence[Vector]
) -> Iterator[str]:
    """Both operands agree on the loops that they share, and the result has the sizes of its loops."""
    left, right = (
        dict(zip(loops, kind.get_shape(), strict=True)) for loops, kind in zip(dims[:2], vectors, strict=True)
    )
    is_reduced = [kind == IteratorKindAttr("reduction") for kind in op.iterator_types]
    shared = left.keys() & right.keys()
    for wanted, what in ((True, "contracting"), (False, "batch")):
        if any(is_reduced[loop] is wanted and left[loop] != right[loop] for loop in shared):
            yield f"invalid {what} dimension map"
    result, sizes = as_vector(op.result.type), left | right
    if result is None or any(map(any, map(scalable, (*vectors, result)))):
        return
    if all(loop in sizes for loop in dims[2]):
        expected = VectorType(result.element_type, [sizes[loop] for loop in dims[2]])
        if result.get_shape() != expected.get_shape():
            yield f"invalid accumulator/result vector shape, expected: '{expected}'"
