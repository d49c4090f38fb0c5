"""Reductions: each result element is computed from the operands' elements at many loop points.

    R[element(l)] = combination over l of f(operand_0[index_0(l)], operand_1[index_1(l)], ..)

for the loop points l whose indices lie in the operands that bound them. What zeros do to f, and to the
combination, is what the operation itself says of its scalars (`number_kinds`, `factors`): here it is applied
to one element of each operand, so that an operand that is used twice has two elements.

What lies in the padding of a convolution is the number 0, which is multiplied all the same: 0 by infinity is
NaN. So `select(l lies inside, x[index(l)], 0)` takes the place of that element in f (`Padding`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.arith import ConstantOp, SelectOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import Expression, dim_of
from volcli.language.questions import use_through
from volcli.language.reads import (
    Access,
    Alternative,
    Condition,
    Conjunction,
    Disjunction,
    Read,
    Use,
    element_type,
)


@dataclass(frozen=True)
class Padding:
    """The element `access` at the loop points that are `inside`, the float 0 at those `outside`.

    Along other dimensions than the padded ones, `extents` are the bounds of loop points.
    """

    access: Access
    inside: Conjunction
    outside: Disjunction
    extents: tuple[tuple[Expression, Expression], ...]


def padding(operand: SSAValue, positions: Sequence[Expression], every: Mapping[int, int]) -> Padding | None:
    """The element of OPERAND at POSITIONS, each EVERY[d]-th of which has one along a padded dimension d.

    None if the operand's elements are not floats: 0 times an integer is 0.
    """
    if not isa(element_type(operand.type), AnyFloat):
        return None
    inside: list[Expression] = []
    outside: list[Conjunction] = []
    for d, step in every.items():
        at, last = positions[d], (dim_of(operand, d) - 1) * step
        inside += [at, last - at, *([at % step * -1] if step > 1 else [])]
        outside += [(at * -1 - 1,), (at - last - 1,), *([(at % step - 1,)] if step > 1 else [])]
    index = tuple(at // every[d] if every.get(d, 1) > 1 else at for d, at in enumerate(positions))
    extents = tuple((at, dim_of(operand, d)) for d, at in enumerate(positions) if d not in every)
    return Padding(Access(operand, index), tuple(inside), tuple(outside), extents)


def reduced(
    op: Operation,
    count: int,
    element: Sequence[Expression],
    accesses: Sequence[Access],
    bounds: Sequence[Access] | None = None,
    *,
    factors: bool = True,
    padded: Padding | None = None,
) -> Alternative:
    """The alternative of an operation that combines, over COUNT loops, the elements ACCESSES.

    BOUNDS are the accesses that the loop points must lie inside of (None: all). Without FACTORS a product
    that is 0 is not relied on, as where what is multiplied are differences. What is PADDED is no bound.
    """
    block = Block(arg_types=[element_type(access.operand.type) for access in accesses])
    operands: list[SSAValue] = list(block.args)
    conditions: dict[SSAValue, Condition] = {}
    if padded is not None:
        k = accesses.index(padded.access)
        operands[k] = _or_zero(block, operands[k])
        conditions[operands[k]] = Condition((padded.inside,), padded.outside)
    scalar = _scalar(op, block, operands)
    reads: dict[Access, list[int]] = {}
    for k, access in enumerate(accesses):
        reads.setdefault(access, []).append(k)
    found = tuple(
        Read(
            access,
            padded.inside if padded is not None and access == padded.access else (),
            tuple(dict.fromkeys(use_through(scalar, k) for k in positions)) if factors else (Use(),),
        )
        for access, positions in reads.items()
    )
    bounds = accesses if bounds is None else bounds
    return Alternative(
        count,
        tuple(element),
        found,
        tuple(each for each in bounds if padded is None or each != padded.access),
        scalar.results[0],
        dict(zip(block.args, accesses, strict=False)),
        conditions,
        extents=() if padded is None else padded.extents,
    )


def _or_zero(block: Block, value: SSAValue) -> SSAValue:
    """VALUE, or the float 0: which one, the conditions of the alternative say."""
    kind = value.type
    assert isa(kind, AnyFloat)
    zero = ConstantOp(FloatAttr(0.0, kind))
    chosen = SelectOp(block.insert_arg(i1, len(block.args)), value, zero.result)
    block.add_ops((zero, chosen))
    return chosen.result


def _scalar(op: Operation, block: Block, operands: Sequence[SSAValue]) -> Operation:
    """OP on scalars, at the end of BLOCK."""
    scalar = type(op).create(
        operands=operands,
        result_types=[element_type(result.type) for result in op.results],
        properties=op.properties,
        regions=[region.clone() for region in op.regions],
    )
    block.add_op(scalar)
    return scalar
