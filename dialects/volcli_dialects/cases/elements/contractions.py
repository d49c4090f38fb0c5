"""Reductions: each result element is computed from the operands' elements at many loop points.

    R[element(l)] = combination over l of f(operand_0[index_0(l)], operand_1[index_1(l)], ..)

for the loop points l whose indices lie in the operands that bound them. What zeros do to f, and to the
combination, is what the operation itself says of its scalars (`number_kinds`, `factors`): here it is applied
to one element of each operand, so that an operand that is used twice has two elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from volcli.language.expressions import Expression
from volcli.language.questions import use_through
from volcli.language.reads import Access, Alternative, Read, element_type


def reduced(
    op: Operation,
    count: int,
    element: Sequence[Expression],
    accesses: Sequence[Access],
    bounds: Sequence[Access] | None = None,
    *,
    factors: bool = True,
) -> Alternative:
    """The alternative of an operation that combines, over COUNT loops, the elements ACCESSES.

    BOUNDS are the accesses that the loop points must lie inside of (None: all). Without FACTORS a product
    that is 0 is not relied on, as where what is multiplied are differences.
    """
    scalar = _scalar(op, accesses)
    reads: dict[Access, list[SSAValue]] = {}
    for access, value in zip(accesses, scalar.operands, strict=True):
        reads.setdefault(access, []).append(value)
    positions = {value: k for k, value in enumerate(scalar.operands)}
    found = tuple(
        Read(access, uses=tuple(dict.fromkeys(use_through(scalar, positions[v]) for v in values)))
        if factors
        else Read(access)
        for access, values in reads.items()
    )
    return Alternative(
        count,
        tuple(element),
        found,
        tuple(accesses if bounds is None else bounds),
        scalar.results[0],
        dict(zip(scalar.operands, accesses, strict=True)),
    )


def _scalar(op: Operation, accesses: Sequence[Access]) -> Operation:
    """OP on one element of each of ACCESSES."""
    block = Block(arg_types=[element_type(access.operand.type) for access in accesses])
    scalar = type(op).create(
        operands=block.args,
        result_types=[element_type(result.type) for result in op.results],
        properties=op.properties,
        regions=[region.clone() for region in op.regions],
    )
    block.add_op(scalar)
    return scalar
