"""Windows: a structured operation reads inside of its operands, at every point of its loops."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from volcli.language.expressions import Expression, LoopIndex, NotAffine, dim_of
from volcli.language.questions import demands
from volcli.language.reads import Disjunction
from volcli_dialects.linalg.bounds import extents
from volcli_dialects.linalg.reads import accesses


@demands.case(LinalgStructuredOperation)
def windows_are_inside(op: LinalgStructuredOperation) -> list[Disjunction]:
    """`0 <= index < size` at the first and the last point, or a loop has no points.

    `linalg.conv_1d` reads %x[w + kw], so the size of its output is at most dim(%x, 0) - dim(%k, 0) + 1,
    unless one of these sizes is 0.
    """
    if all(not isinstance(o.type, ShapedType) or o.type.has_static_shape() for o in op.operands):
        return []
    windows = list(_windows(op))
    sizes = extents(op) if windows else []
    known = [each for each in sizes if each is not None]
    if len(known) < len(sizes):
        return []
    empty = tuple((-each,) for each in known)
    sides = (side for window in windows for side in _inside(*window, known))
    return [(*empty, (inside,)) for inside in sides]


def _windows(op: LinalgStructuredOperation) -> Iterator[tuple[SSAValue, int, Expression]]:
    """Operand, dimension and index of each access of OP at sums of loops."""
    indices = (index for each in op.get_indexing_maps() for index in each.data.results)
    if all(isinstance(index, AffineDimExpr | AffineConstantExpr) for index in indices):
        return
    try:
        everything = accesses(op)
    except NotAffine:
        return
    for access in everything:
        for dimension, index in enumerate(access.index):
            if not isinstance(index, Expression) or index.is_constant:
                continue
            loops = [isinstance(atom, LoopIndex) for atom, _ in index.terms]
            if all(loops) and not isinstance(index.single_atom, LoopIndex):
                yield access.operand, dimension, index


def _inside(
    operand: SSAValue, dimension: int, index: Expression, extents: list[Expression]
) -> tuple[Expression, Expression]:
    """What is not negative if INDEX is inside of DIMENSION of OPERAND at each point of loops of EXTENTS."""
    first = last = index - Expression(index.terms, 0)
    for atom, factor in index.terms:
        assert isinstance(atom, LoopIndex)
        way = (extents[atom.position] - 1) * factor
        first, last = (first, last + way) if factor > 0 else (first + way, last)
    return first, dim_of(operand, dimension) - 1 - last
