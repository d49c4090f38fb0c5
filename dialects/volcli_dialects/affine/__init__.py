"""The affine dialect of LLVM 22: loops, conditions, memory accesses and index values by affine maps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType
from xdsl.ir import Dialect, SSAValue
from xdsl.ir.affine import AffineExpr

from volcli.language.affine_maps import evaluate, sums
from volcli.language.expressions import Expression, NotAffine, constant, maximum, minimum, value_of
from volcli.language.questions import element_reads, index_value, index_values, may_overflow, stated_number
from volcli_dialects.affine import (
    bounds,
    effects,
    index,
    instructions,
    loops,
    memory,
    parallelize,
    problems,
    quotients,
)
from volcli_dialects.affine.index import ApplyOp, DelinearizeIndexOp, LinearizeIndexOp, MaxOp, MinOp
from volcli_dialects.affine.quotients import basis_of, dims_and_symbols, inner_basis
from volcli_dialects.cases.dialects import dialect_of, operations_of
from volcli_dialects.cases.elements.branches import chooses
from volcli_dialects.cases.elements.elementwise import register_elementwise
from volcli_dialects.cases.elements.tensor_loops import loop_reads


def dialect() -> Dialect:
    """All operations of the dialect are ours: xDSL's lose attributes, symbols and half of the syntax."""
    return dialect_of("affine", operations_of(index, loops, memory))


register_elementwise([ApplyOp, MinOp, MaxOp, DelinearizeIndexOp, LinearizeIndexOp])
element_reads.case(loops.ForOp)(loop_reads)
chooses(loops.IfOp)


def results(op: ApplyOp | MinOp | MaxOp) -> list[Expression]:
    """The values of the results of OP's map at its operands."""
    return _at_operands(op, op.map.data.results)


def _at_operands(op: ApplyOp | MinOp | MaxOp, expressions: Iterable[AffineExpr]) -> list[Expression]:
    """The values of EXPRESSIONS over the dims and symbols of OP's map; what divides may be a constant."""
    (dims, symbols), expressions = dims_and_symbols(op.map.data, op.operands), list(expressions)
    if not op.map.data.results:
        raise NotAffine("the map has no results")
    try:
        return [evaluate(each, dims, symbols) for each in expressions]
    except NotAffine:
        symbols = [stated_number(o) or value_of(o) for o in op.operands[len(dims) :]]
        return [evaluate(each, dims, symbols) for each in expressions]


def weights(op: DelinearizeIndexOp | LinearizeIndexOp, count: int) -> list[Expression]:
    """What each of COUNT digits counts: the product of the basis after it; (15, 3, 1) for (4, 5, 3)."""
    inner = inner_basis(op, count)
    return [prod(inner[position:], start=constant(1)) for position in range(count)]


@index_values.case(DelinearizeIndexOp)
def delinearized_values(op: DelinearizeIndexOp) -> list[Expression | None]:
    """`x mod (weight * size) floordiv weight` per digit; the outermost is not reduced."""
    count = len(op.results)
    x = value_of(op.linear_index)
    values: list[Expression | None] = [None] * count
    for position, (weight, size) in enumerate(zip(weights(op, count), basis_of(op, count), strict=True)):
        with suppress(NotAffine):
            # x mod (weight * size) first, as mlir-opt writes it.
            rest = x % (weight * size) if position and size is not None else x
            values[position] = rest // weight
    return values


@index_value.case(LinearizeIndexOp)
def linearized_value(op: LinearizeIndexOp) -> Expression | None:
    """The sum of the digits times their weights."""
    digits = [value_of(digit) for digit in op.multi_index]
    weighted = zip(digits, weights(op, len(digits)), strict=True)
    return sum((digit * weight for digit, weight in weighted), start=constant(0))


index_value.case(ApplyOp)(lambda op: results(op)[0])
index_value.case(MinOp)(lambda op: minimum(*results(op)))
index_value.case(MaxOp)(lambda op: maximum(*results(op)))
# Those in the map, before they are divided.
may_overflow.case(ApplyOp, MinOp, MaxOp)(
    lambda op: _at_operands(op, (each for result in op.map.data.results for each in sums(result)))
)
