"""Element-wise operations whose operands are broadcast, as NumPy does it.

Operands are aligned at their last dimensions. Along a dimension of the result an operand has the result's
size, or 1 (or no such dimension), and then all elements of the result share its one element:

    R[r] = f(x[.., min(r_d, size_d(x) - 1), ..], ..)

which is `r_d` where the size is known not to be 1, and 0 where it is.

>>> aligned((1, 3), (2, 3))
[0, d1]
>>> aligned((3,), (2, 3))
[d1]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import (
    Expression,
    Misfit,
    constant,
    dim_of,
    loop,
    loops,
    minimum,
    piecewise,
)
from volcli.language.questions import (
    SizeFact,
    Sizes,
    demands,
    result_sizes,
    size_facts,
    use_through,
)
from volcli.language.reads import Access, Alternative, Disjunction, Read, rank_of
from volcli_dialects.cases.elements.masks import pointwise
from volcli_dialects.cases.parts import result, sizes, static_sizes, tensor

Operands = Callable[[Operation], Sequence[SSAValue]]


def all_operands(op: Operation) -> Sequence[SSAValue]:
    """Each operand of OP is broadcast."""
    return op.operands


def first_operands(count: int) -> Operands:
    """The first COUNT operands of an operation are broadcast."""
    return lambda op: op.operands[:count]


def aligned(
    operand: Sequence[int], whole: Sequence[int], size: Callable[[int], Expression] | None = None
) -> list[Expression]:
    """The index of an operand with the sizes OPERAND for the element r of a result with the sizes WHOLE.

    SIZE gives the size of the operand's d-th dimension where that is dynamic.
    """
    missing = len(whole) - len(operand)
    if missing < 0:
        raise Misfit("an operand of higher rank than the result")
    index: list[Expression] = []
    for d, extent in enumerate(operand):
        r = loop(d + missing)
        if extent == 1:
            index.append(constant(0))
        elif extent == DYNAMIC_INDEX and whole[d + missing] != 1 and size is not None:
            index.append(minimum(r, size(d) - 1))
        else:
            index.append(r)
    return index


def broadcast_index(operand: SSAValue, to: SSAValue, others: Sequence[SSAValue] = ()) -> list[Expression]:
    """The index of OPERAND for the element r of TO.

    A dimension that all OTHERS lack or have as 1 is not broadcast: it is the result's.
    """
    mine, whole = static_sizes(operand), static_sizes(to)
    missing = len(whole) - len(mine)

    def size(d: int) -> Expression:
        return dim_of(operand, d)

    index = aligned(mine, whole, size)
    for d in range(len(mine)):
        if mine[d] == DYNAMIC_INDEX and all(_along(o, to, d + missing) == 1 for o in others):
            index[d] = loop(d + missing)
    return index


def _along(operand: SSAValue, to: SSAValue, d: int) -> int:
    """The size of OPERAND along dimension D of TO."""
    own = static_sizes(operand)
    position = d - (rank_of(to) - len(own))
    return own[position] if position >= 0 else 1


def broadcast(op: Operation, operands: Sequence[SSAValue]) -> Alternative:
    """`R[r]` is computed from one element of each of OPERANDS."""
    target = result(op)
    scalars: dict[SSAValue, Access] = {}
    for each in operands:
        others = [other for other in operands if other is not each]
        scalars[each] = Access(each, tuple(broadcast_index(tensor(each), target, others)))
    reads = tuple(
        Read(access, uses=tuple(dict.fromkeys(use_through(op, k) for k in _positions(op, each))))
        for each, access in scalars.items()
    )
    rank = rank_of(target)
    return Alternative(rank, loops(rank), reads, yields=target, scalars=scalars)


def _positions(op: Operation, operand: SSAValue) -> list[int]:
    return [k for k, other in enumerate(op.operands) if other is operand]


def broadcast_sizes(op: Operation, operands: Sequence[SSAValue]) -> list[Sizes]:
    """Along each dimension, the size that is not 1; of two unknown ones the one that is not."""
    target = result(op)
    known: list[Expression] = [constant(1)] * rank_of(target)
    for operand in operands:
        missing = rank_of(target) - rank_of(tensor(operand))
        if missing < 0:
            raise Misfit("an operand of higher rank than the result")
        for d, size in enumerate(sizes(operand), start=missing):
            known[d] = _common(known[d], size)
    return [known]


def _common(left: Expression, right: Expression) -> Expression:
    """The size that both are broadcast to."""
    if left == constant(1) or left == right:
        return right
    if right == constant(1) or left.is_constant:
        return left
    if right.is_constant:
        return right
    return piecewise(((left - 1, 1 - left), right), ((left - 2,), left), ((-left,), left))


def broadcast_facts(op: Operation, operands: Sequence[SSAValue]) -> list[SizeFact]:
    """Sizes that are known not to be 1 are equal."""
    target = result(op)
    found: list[SizeFact] = []
    for d in range(rank_of(target)):
        fixed = [
            dim_of(each, d - rank_of(target) + rank_of(each))
            for each in operands
            if _along(tensor(each), target, d) not in (1, DYNAMIC_INDEX)
        ]
        what = f"dimension {d} of the operands"
        found += [SizeFact(fixed[0], other, what) for other in fixed[1:]]
    return found


def broadcast_demands(op: Operation, operands: Sequence[SSAValue]) -> list[Disjunction]:
    """Of two sizes along a dimension that are not known, one is 1, or they are equal."""
    target = result(op)
    found: list[Disjunction] = []
    for d in range(rank_of(target)):
        own = [
            dim_of(each, d - rank_of(target) + rank_of(each))
            for each in dict.fromkeys(operands)
            if _along(tensor(each), target, d) != 1
        ]
        for left, right in combinations(dict.fromkeys(own), 2):
            pairs = ((left, right), (left, constant(1)), (right, constant(1)))
            found.append(tuple((a - b, b - a) for a, b in pairs))
    return found


def register_broadcasting(kinds: Iterable[type[Operation]], operands: Operands = all_operands) -> None:
    """Give operations of KINDS the cases of an element-wise operation whose OPERANDS are broadcast."""
    every = list(kinds)
    pointwise(every, lambda op: [broadcast(op, operands(op))])
    for kind in every:
        result_sizes.case(kind)(lambda op: broadcast_sizes(op, operands(op)))
        size_facts.case(kind)(lambda op: broadcast_facts(op, operands(op)))
        demands.case(kind)(lambda op: broadcast_demands(op, operands(op)))
