"""The numbers that stand in a constant: which of its elements are zeros.

`dense<[0, 1, 0]>` is 0 at [0] and [2], and positive at [1]. The elements of one kind are found as runs along
the last dimension, which isl puts together: the zeros of a lower triangular matrix are one triangle. At up to
4,096 elements and 256 runs of all kinds, of which 16 sets of one kind are left; of larger constants, and of
those that have no such structure, it is only known what their elements may be.

>>> runs([3, 3, 5, 3], (2, 2))
{3: [((0,), 0, 1), ((1,), 1, 1)], 5: [((1,), 0, 0)]}
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import groupby, product
from math import prod
from typing import TypeVar

import islpy as isl
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, IntegerType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import constant, loop
from volcli.language.kinds import ANYTHING, INTEGERS, ZERO, Kinds, is_zero, kind_of
from volcli.language.reads import element_type, rank_of
from volcli.limits import volumes as limits
from volcli.model.volumes.knowledge.pieces import Pieces, everywhere, merged
from volcli.presburger.sets import build

K = TypeVar("K", bound=Hashable)
Run = tuple[tuple[int, ...], int, int]
"""The indices before the last one, and the first and last one of the latter."""


def kinds_of_type(kind: Attribute) -> Kinds:
    """What an element of a value of type KIND may be."""
    return INTEGERS if isinstance(element_type(kind), IntegerType | IndexType) else ANYTHING


def constant_kinds(op: Operation) -> Kinds:
    """The kinds of the elements of the constant OP."""
    of_elements = questions.number_kinds(op)
    if of_elements is not None:
        return of_elements()
    fill = questions.constant_fill(op)
    return kinds_of_type(op.results[0].type) if fill is None else kind_of(fill)


def constant_pieces(op: Operation, *, splats: bool = True) -> Pieces:
    """The kinds of the elements of the constant OP; without SPLATS, nothing of one number for all of them."""
    found = _pieces(op) if rank_of(op.results[0]) else None
    if found is not None:
        return found
    is_one_number = questions.constant_fill(op) is not None
    kinds = constant_kinds(op) if splats or not is_one_number else kinds_of_type(op.results[0].type)
    return everywhere(kinds)


def has_literal_zeros(blocks: Iterable[Block]) -> bool:
    """Whether some of the elements of a constant in BLOCKS are zeros, or a zero point, and others are not."""
    found = [op for block in blocks for op in block.walk() if questions.constant_fill.answers(type(op))]
    constants = [op for op in found if op.results]
    points: dict[tuple[Attribute, int], Operation] = {}
    for op in constants:
        kind = element_type(op.results[0].type)
        fill = questions.constant_fill(op) if isinstance(kind, IntegerType) else None
        if isinstance(fill, int) and fill and rank_of(op.results[0]):
            points[kind, fill] = op
    for op in constants:
        for pieces in (_pieces(op), *(zeros_without(op, point) for point in points.values())):
            if pieces is not None and any(is_zero(kinds) for kinds, _ in pieces):
                return True
    return False


def before_widening(x: SSAValue, z: SSAValue) -> tuple[SSAValue, SSAValue]:
    """What X and Z were before one kind of operation made more bits of both; themselves if none did."""
    if not (isinstance(x, OpResult) and isinstance(z, OpResult)) or type(x.op) is not type(z.op):
        return x, z
    widths = [getattr(kind, "bitwidth", 0) for kind in (*x.op.operand_types, x.type)]
    is_wider = len(widths) == 2 and 0 < widths[0] < widths[1] and isinstance(x.type, IntegerType)
    return (x.op.operands[0], z.op.operands[0]) if is_wider else (x, z)


def zeros_without(op: Operation | Block, zero_point: Operation | Block) -> Pieces | None:
    """Which elements of the constant OP are the one number of the constant ZERO_POINT, so that `x - z` is 0.

    None where the numbers are not known. Of quantised weights [3, 4, 3] with the zero point 3: [0] and [2].
    """
    if isinstance(op, Block) or isinstance(zero_point, Block):
        return None
    number, kind = questions.constant_fill(zero_point), element_type(zero_point.results[0].type)
    if not isinstance(number, int) or not isinstance(kind, IntegerType):
        return None
    if element_type(op.results[0].type) != kind:
        return None

    def of(element: float) -> Kinds:
        return INTEGERS if (int(element) - number) % (1 << kind.bitwidth) else ZERO

    return _pieces(op, of)


def _pieces(op: Operation, of: Callable[[float], Kinds] = kind_of) -> Pieces | None:
    """The kinds OF each element; None if there is one kind, or if too much would have to be said."""
    literal = questions.literal(op)
    if type(literal) is not DenseIntOrFPElementsAttr:  # nor one whose bytes are carried
        return None
    shape = literal.get_shape()
    if not 0 < prod(shape) <= limits.LITERAL_ELEMENTS or literal.is_splat():
        return None
    kinds = [None if isinstance(number, tuple) else of(number) for number in literal.iter_values()]
    known = [each for each in kinds if each is not None]
    if len(known) < len(kinds) or len(set(known)) == 1:
        return None
    found = runs(known, shape)
    if sum(map(len, found.values())) > limits.LITERAL_RUNS:
        return None
    sets = {kind: _points(len(shape), each) for kind, each in found.items()}
    if any(len(points.get_basic_sets()) > limits.LITERAL_SETS for points in sets.values()):
        return None
    return merged(sets.items())


def runs(kinds: Sequence[K], shape: Sequence[int]) -> dict[K, list[Run]]:
    """Per kind, the runs of elements of it along the last dimension of SHAPE, in row-major order."""
    found: dict[K, list[Run]] = {}
    *outer, last = shape
    for row, before in enumerate(product(*map(range, outer))):
        at = 0
        for kind, same in groupby(kinds[row * last : (row + 1) * last]):
            count = len(list(same))
            found.setdefault(kind, []).append((before, at, at + count - 1))
            at += count
    return found


def _points(rank: int, of: Sequence[Run]) -> isl.Set:
    result: isl.Set | None = None
    for before, first, last in of:
        fixed = [c for d, i in enumerate(before) for c in (loop(d) - i, constant(i) - loop(d))]
        along = (loop(rank - 1) - first, constant(last) - loop(rank - 1))
        points = build.nonnegative(rank, (*fixed, *along))
        result = points if result is None else result.union(points)
    assert result is not None, "each kind has a run"
    return result.coalesce()
