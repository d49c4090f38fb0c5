"""Windows: a structured operation reads inside of its operands, at every point of its loops."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ShapedType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation

from volcli.language.expressions import Expression, Loop, NotAffine, dim_of
from volcli.language.questions import demands
from volcli.language.reads import Disjunction
from volcli_dialects.linalg.bounds import extent
from volcli_dialects.linalg.reads import accesses


@demands.case(LinalgStructuredOperation)
def windows_are_inside(op: LinalgStructuredOperation) -> list[Disjunction]:
    """`0 <= index < size` at the first and the last point, or a loop has no points.

    `linalg.conv_1d` reads %x[w + kw], so the size of its output is at most dim(%x, 0) - dim(%k, 0) + 1,
    unless one of these sizes is 0.
    """
    if all(not isinstance(o.type, ShapedType) or o.type.has_static_shape() for o in op.operands):
        return []
    extents = [extent(op, position) for position in range(op.get_num_loops())]
    known = [each for each in extents if each is not None]
    if len(known) < len(extents):
        return []
    empty = tuple((-each,) for each in known)
    return [(*empty, (inside,)) for inside in _inside(op, known)]


def _inside(op: LinalgStructuredOperation, extents: list[Expression]) -> Iterator[Expression]:
    """What is not negative if the windows of OP are inside, where no loop alone is the index."""
    try:
        everything = accesses(op)
    except NotAffine:
        return
    for access in everything:
        for dimension, index in enumerate(access.index):
            if not isinstance(index, Expression) or not all(
                isinstance(atom, Loop) for atom, _ in index.terms
            ):
                continue
            if index.is_constant or isinstance(index.single_atom, Loop):
                continue
            first = last = index - Expression(index.terms, 0)
            for atom, factor in index.terms:
                assert isinstance(atom, Loop)
                way = (extents[atom.position] - 1) * factor
                first, last = (first, last + way) if factor > 0 else (first + way, last)
            yield first
            yield dim_of(access.operand, dimension) - 1 - last
