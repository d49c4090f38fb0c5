"""Structured operations as loop nests, and the same computation made of other operands.

A part of a named operation is the same named operation if its maps are those of the operation, perhaps with
other strides and dilations; otherwise it is a linalg.generic with the named operation's body.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseIntElementsAttr,
    TensorType,
    i64,
)
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from volcli.language.expressions import ANY, Expression, LoopIndex, NotAffine
from volcli.language.questions import structured
from volcli.language.structured_ops import Start, StructuredNest
from volcli_dialects.cases.elements.pointwise import begin_at
from volcli_dialects.linalg.generic import GenericOp
from volcli_dialects.linalg.reads import accesses
from volcli_dialects.linalg.scalars import IndexOp
from volcli_dialects.linalg.structured import NamedOp
from volcli_dialects.syntax.syntax import MEMOIZED_MAPS, SEGMENT_SIZES, segment_sizes


@structured.case(LinalgStructuredOperation)
def loop_nest(op: LinalgStructuredOperation) -> StructuredNest | None:
    """The loops of OP, if it computes tensors: the effects on memory are none of a value's."""
    everything = tuple(accesses(op))
    block = op.body.first_block if len(op.body.blocks) == 1 else None
    fits = (
        block is not None
        and block.last_op is not None
        and len(block.args) == len(everything)
        and len(block.last_op.operands) == len(op.res) == len(op.outputs)
        and all(index is not ANY for access in everything for index in access.index)
    )
    if not fits or block is None:
        return None
    parallel = tuple(each.data is IteratorType.PARALLEL for each in op.get_iterator_types())
    moves = block.first_op is block.last_op and all(parallel)
    return StructuredNest(
        everything,
        len(op.inputs),
        parallel,
        moves,
        max(len(block.ops) - 1, 1),
        lambda operands, indices, starts, _: _remade(op, operands, indices, starts),
    )


def _remade(
    op: LinalgStructuredOperation,
    operands: Sequence[SSAValue],
    indices: Sequence[tuple[Expression, ...]],
    starts: Sequence[Start],
) -> Operation:
    """OP of OPERANDS with other INDICES: itself where these are its own, else as a linalg.generic."""
    count = len(starts)
    maps = ArrayAttr(AffineMapAttr(_affine_map(count, index)) for index in indices)
    results = [o.type for o in operands[len(op.inputs) :] if isa(o.type, TensorType[Attribute])]
    asks = any(isinstance(inner, IndexOp) for inner in op.body.walk())
    if not asks or all(start == (0, 1) for start in starts):
        candidates = [dict(op.properties)]
        if isinstance(op, NamedOp) and op.ROW.windows:
            candidates += _windows(op, indices)
        for properties in candidates:
            made = type(op).create(
                operands=operands,
                result_types=results,
                properties=properties,
                attributes=_attributes(op),
                regions=[op.body.clone()],
            )
            if _maps_of(made) == maps:
                return made
            made.erase()
    body = op.body.clone()
    _begin(body.block, starts)
    return GenericOp.create(
        operands=operands,
        result_types=results,
        properties={
            "indexing_maps": maps,
            "iterator_types": op.get_iterator_types(),
            SEGMENT_SIZES: segment_sizes(len(op.inputs), len(op.outputs)),
        },
        attributes=_attributes(op),
        regions=[body],
    )


def _attributes(op: Operation) -> dict[str, Attribute]:
    return {name: value for name, value in op.attributes.items() if name != MEMOIZED_MAPS}


def _maps_of(op: LinalgStructuredOperation) -> ArrayAttr[AffineMapAttr] | None:
    try:
        return op.get_indexing_maps()
    except (ValueError, VerifyException):
        return None


def _windows(op: NamedOp, indices: Sequence[tuple[Expression, ...]]) -> list[dict[str, Attribute]]:
    """OP's properties with the strides and dilations that INDICES have, if they can be read off."""
    names = op.ROW.iterator_names or ()
    found: dict[str, list[int]] = {"strides": [], "dilations": []}
    for letter in op.ROW.windows.lower():
        outer, inner = (LoopIndex(names.index(prefix + letter)) for prefix in "ok")
        sums = [e for index in indices for e in index if e.coefficient(outer) and e.coefficient(inner)]
        if len(sums) != 1 or min(sums[0].coefficient(outer), sums[0].coefficient(inner)) < 1:
            return []
        found["strides"].append(sums[0].coefficient(outer))
        found["dilations"].append(sums[0].coefficient(inner))
    kind = TensorType(i64, [len(op.ROW.windows)])
    numbers = {name: DenseIntElementsAttr.from_list(kind, each) for name, each in found.items()}
    return [{**op.properties, **numbers}]


def _affine_map(count: int, index: Sequence[Expression]) -> AffineMap:
    return AffineMap(count, 0, tuple(map(_affine, index)))


def _affine(expression: Expression) -> AffineExpr:
    """A sum of loops, as a map writes it: `d0 * 2 + d1`."""
    terms: list[AffineExpr] = []
    for atom, factor in expression.terms:
        if not isinstance(atom, LoopIndex):
            raise NotAffine(f"{expression} is not a sum of loops")
        dimension = AffineExpr.dimension(atom.position)
        terms.append(dimension if factor == 1 else dimension * factor)
    if expression.constant or not terms:
        terms.append(AffineExpr.constant(expression.constant))
    return reduce(lambda left, right: left + right, terms)


def _begin(block: Block, starts: Sequence[Start]) -> None:
    """Let the loop indices in BLOCK be `start + step * index`."""
    for op in [inner for inner in block.walk() if isinstance(inner, IndexOp)]:
        parent, behind = op.parent, op.next_op
        assert parent is not None
        assert behind is not None, "a block ends with what it yields"
        begin_at(parent, behind, op.result, starts[op.dim.value.data])
