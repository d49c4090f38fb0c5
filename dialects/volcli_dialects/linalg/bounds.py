"""What bounds the iterators of structured operations, and the sizes of the results of the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress

from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation

from volcli.language.expressions import Expression, NotAffine, value_of
from volcli.language.loops import Indices
from volcli.language.questions import indices, iterates, result_sizes, value_facts, varies
from volcli.language.reads import Conjunction
from volcli_dialects.cases.sizes import dims
from volcli_dialects.linalg.reads import definition_of
from volcli_dialects.linalg.relayout.ops import PackOp, SoftmaxOp, UnPackOp, WinogradOp
from volcli_dialects.linalg.scalars import IndexOp


def extents(op: LinalgStructuredOperation) -> list[Expression | None]:
    """How far each iterator runs: the size of a dimension that is indexed by it alone.

    All such dimensions have this size (`size_facts`); a static one is preferred.
    """
    with suppress(NotAffine):
        return definition_of(op).known_extents()
    return [None] * op.get_num_loops()


def extent(op: LinalgStructuredOperation, iterator: int) -> Expression | None:
    """How far one iterator runs."""
    return next(iter(extents(op)[iterator : iterator + 1]), None)


@value_facts.case(IndexOp)
def iterator_bounds(op: IndexOp) -> Sequence[Conjunction]:
    """0 <= iterator < extent."""
    around = _around(op)
    iterator = value_of(op.result)
    size = None if around is None else extent(around, op.dim.value.data)
    return [(iterator,) if size is None else (iterator, size - 1 - iterator)]


@indices.case(LinalgStructuredOperation)
def body_runs(op: LinalgStructuredOperation) -> Indices | None:
    """The body runs if each iterator has an index: 1 <= extent; unknown if some extent is."""
    sizes = extents(op)
    known = tuple(size - 1 for size in sizes if size is not None)
    return Indices((), (known,)) if len(known) == len(sizes) else None


def _around(op: IndexOp) -> LinalgStructuredOperation | None:
    around = op.parent_op()
    while around is not None and not isinstance(around, LinalgStructuredOperation):
        around = around.parent_op()
    return around


@varies.case(IndexOp)
def iterator(op: IndexOp) -> Hashable:
    """The iterator takes each number below its extent; it is the same one wherever the body asks for it."""
    around = _around(op)
    known = None if around is None else extent(around, op.dim.value.data)
    return None if known is None else (around, op.dim.value.data)


iterates.case(IndexOp)(lambda op: _around(op))  # The structured operation around it.
# As large as the destination.
result_sizes.case(PackOp, UnPackOp)(lambda op: [dims(op.dest) for _ in op.results])
# As large as the output.
result_sizes.case(SoftmaxOp, WinogradOp)(lambda op: [dims(op.output) for _ in op.results])
