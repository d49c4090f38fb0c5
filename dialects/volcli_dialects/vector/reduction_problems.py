"""What is wrong with vector operations that combine elements, in the words of mlir-opt 22."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerType, VectorType
from xdsl.ir.affine import AffineDimExpr, AffineMap

from volcli_dialects.vector.problems import Vector, as_vector, scalable
from volcli_dialects.vector.reductions import (
    ContractionOp,
    IteratorKindAttr,
    MultiDimReductionOp,
)
from volcli_dialects.verification.problems import messages

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
