"""Reductions and products of stablehlo."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, Misfit, loop, loops
from volcli.language.reads import Access, Condition, captured_values, rank_of, whole
from volcli_dialects.arith.contractions import contraction
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.parts import dimensions, only_block, result, tensor, tensors
from volcli_dialects.stablehlo.ops import OPS, ReduceOp
from volcli_dialects.stablehlo.products import DotDimensions, dot_dimensions

# -- reductions ----------------------------------------------------------------------------------------


def _reduction(op: Operation) -> tuple[list[SSAValue], list[SSAValue], tuple[int, ...], list[int]]:
    """What is reduced, the initial values, the dimensions that go, and those that stay."""
    count = len(op.operands) // 2
    if count == 0 or len(op.operands) != 2 * count or len(op.results) != count:
        raise Misfit("a reduction without initial values")
    rank = rank_of(tensor(op.operands[0]))
    gone = dimensions(op, "dimensions", rank)
    kept = [d for d in range(rank) if d not in gone]
    for each in op.results:
        tensor(each, len(kept))
    inputs = [tensor(each, rank) for each in op.operands[:count]]
    return inputs, [tensor(each, 0) for each in op.operands[count:]], gone, kept


@define(ReduceOp)
def reduce(op: ReduceOp) -> TensorDefinition:
    """`R[r]` is what the body makes of the initial value and all `x[s]` whose kept coordinates are r."""
    inputs, inits, _, kept = _reduction(op)
    element = tuple(loop(d) for d in kept)
    return combined(op, rank_of(inputs[0]), element, list(map(whole, inputs)), list(map(whole, inits)))


def combined(
    op: Operation,
    count: int,
    element: Sequence[Expression],
    inputs: Sequence[Access],
    inits: Sequence[Access],
    extents: tuple[tuple[Expression, Expression], ...] = (),
) -> TensorDefinition:
    """What the body of OP makes of INITS, elements by their own coordinates, and INPUTS, which come last.

    Where it uses nothing else, the body is a copy, which is no part of the program.
    """
    region = op.regions[0]
    block = only_block(region)
    block = block if captured_values(op) else region.clone().detach_block(0)
    last = block.last_op
    if len(block.args) != 2 * len(inits) or last is None or len(last.operands) != len(inits):
        raise Misfit(f"the body of {op.name} does not yield its results")
    states, elements = block.args[: len(inits)], block.args[len(inits) :]
    outputs = tuple(
        DefinedOutput(tuple(element), value, state, init)
        for value, state, init in zip(last.operands, states, inits, strict=True)
    )
    arguments: dict[SSAValue, Access | Expression | Condition] = {}
    arguments |= zip(elements, inputs, strict=True)
    return TensorDefinition(count, block, arguments, outputs, tuple(inputs), extents)


# -- products ------------------------------------------------------------------------------------------


def _free(rank: int, *used: Sequence[int]) -> list[int]:
    """The dimensions that are in none of USED."""
    taken = {d for each in used for d in each}
    return [d for d in range(rank) if d not in taken]


@define(OPS["dot_general"])
def dot(op: Operation) -> TensorDefinition:
    """`R[b, i, j] = sum over k of x[b, i, k] * y[b, j, k]`, each in the order that the dimensions say."""
    a, b = tensors(op, None, None)
    dims = _checked_dimensions(op, a, b)
    left = _free(rank_of(a), dims.lhs_batching, dims.lhs_contracting)
    right = _free(rank_of(b), dims.rhs_batching, dims.rhs_contracting)
    batch, rank = len(dims.lhs_batching), rank_of(result(op))
    if rank != batch + len(left) + len(right):
        raise Misfit("a product of another rank")
    count = rank + len(dims.lhs_contracting)
    orders = (
        (*dims.lhs_batching, *left, *dims.lhs_contracting),
        (*dims.rhs_batching, *right, *dims.rhs_contracting),
    )
    inner = range(rank, count)
    positions = (
        (*range(batch), *range(batch, batch + len(left)), *inner),
        (*range(batch), *range(batch + len(left), rank), *inner),
    )
    accesses: list[Access] = []
    for value, order, own in zip((a, b), orders, positions, strict=True):
        at = dict(zip(order, own, strict=True))
        accesses.append(Access(value, tuple(loop(at[d]) for d in range(rank_of(value)))))
    return contraction(op, count, loops(rank), accesses)


def _checked_dimensions(op: Operation, a: SSAValue, b: SSAValue) -> DotDimensions:
    """The dimensions of a product of A and B, each of which is one, and named once."""
    dims = dot_dimensions(op)
    sides = (
        (rank_of(a), (*dims.lhs_batching, *dims.lhs_contracting)),
        (rank_of(b), (*dims.rhs_batching, *dims.rhs_contracting)),
    )
    fits = all(len(set(named)) == len(named) and all(d < rank for d in named) for rank, named in sides)
    if not fits or len(dims.lhs_batching) != len(dims.rhs_batching) or len(sides[0][1]) != len(sides[1][1]):
        raise Misfit("dimensions that do not fit")
    return dims
