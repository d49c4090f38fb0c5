"""The reductions of a box of loop points, shrunk to what contributes there.

A box of loop points of a structured operation may leave out the points that contribute nothing (see
`volcli.model.volumes.knowledge.live`). Along each loop of a reduction, what is left lies between the least
and the greatest live index, functions of the parameters: those of loops over tiles, too.

    L[m, k] * L[k, n], both lower triangular, at 32q <= m < 32q + 32 and 32p <= n < 32p + 32
    is summed over 32p <= k < 32q + 32, and over no k where q < p
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import islpy as isl
from xdsl.ir import Operation

from volcli.language.expressions import Expression, constant, maximum
from volcli.language.structured_ops import StructuredNest
from volcli.model.volumes.knowledge.live import LivePoints, live
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.presburger.expressions.read_back import extremum
from volcli.presburger.measures.box import along
from volcli.presburger.sets import build
from volcli.presburger.sets.coalescing import coalesced
from volcli.rewriting.tensors.boxes import nest_of
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.tile_boxes import with_item

Settle = Callable[[Expression, Expression], None]


@dataclass
class LiveBoxes:
    """Shrinks boxes of loop points; with `assume_finite`, zero times anything is zero.

    `would_help` are the operations of which less would be computed if that were assumed, `declared` those of
    which less is, as domains of arguments are declared.
    """

    assume_finite: bool
    declared: dict[Operation, tuple[str, ...]] = field(default_factory=dict[Operation, tuple[str, ...]])
    would_help: dict[Operation, None] = field(default_factory=dict[Operation, None])
    _known: dict[tuple[Operation, bool], LivePoints | None] = field(
        default_factory=dict[tuple[Operation, bool], "LivePoints | None"]
    )

    def points(self, scope: Scope, op: Operation, box: SliceParameters) -> isl.Set | None:
        """The loop points of BOX that contribute to OP's results; None: all, or it is not known."""
        return self._points(scope, op, box, self.assume_finite)

    def shrunk(self, scope: Scope, op: Operation, box: SliceParameters) -> SliceParameters | None:
        """BOX with the reductions of OP shrunk to what is live; None if nothing in it is."""
        points, nest = self.points(scope, op, box), nest_of(op)
        if nest is None:
            return box
        if points is not None:
            scope.narrow(points.params())
        result = _within(scope, nest, box, points, scope.settle)
        known = self._known.get((op, self.assume_finite))
        if result != box and known is not None and known.declared:
            self.declared[op] = known.declared
        if not self.assume_finite and op not in self.would_help:
            further = self._points(scope, op, box, assume_finite=True)
            if _within(scope, nest, box, further, lambda _, __: None) != result:
                self.would_help[op] = None
        return result

    def _points(
        self, scope: Scope, op: Operation, box: SliceParameters, assume_finite: bool
    ) -> isl.Set | None:
        key = op, assume_finite
        if key not in self._known:
            self._known[key] = live(scope.view.flow, op, assume_finite)
        found = self._known[key]
        if found is None or found.is_everything or not all(found.keeps):
            return None
        rank = len(box.sizes)
        to_points = build.relation(rank, box.elements)
        every = build.box(box.sizes).apply(to_points)
        return every.intersect_params(scope.context).intersect(found.points)


def _within(
    scope: Scope, nest: StructuredNest, box: SliceParameters, points: isl.Set | None, settle: Settle
) -> SliceParameters | None:
    """BOX with the reductions of NEST shrunk to POINTS (None: all of them); None if there are none."""
    if points is not None and points.is_empty():
        return None
    for position, is_parallel in enumerate(nest.parallel if points is not None else ()):
        if points is not None and not is_parallel and box.strides[position] == constant(1):
            box = _shrunk(scope, box, position, coalesced(along(points, position)), settle)
    return box


def _shrunk(
    scope: Scope, box: SliceParameters, position: int, line: isl.Set, settle: Settle
) -> SliceParameters:
    """BOX with the indices of LINE along one dimension, and those between them."""
    low, high = (extremum(line, lower=lower) for lower in (True, False))
    if low is None or high is None or not low.exact or not high.exact:
        return box
    settle(low.expression, high.expression)
    offset, size = low.expression, high.expression - low.expression + 1
    elsewhere = scope.context.subtract(line.params())
    if not elsewhere.is_empty():  # there, the size has to be 0, of a slice that begins inside
        size = maximum(size, constant(0))
        end = box.offsets[position] + box.sizes[position]
        is_none = elsewhere.is_subset(build.nonnegative(0, (-size,)).params())
        if not is_none or not scope.never_negative(offset, end - offset):
            return box
    offsets, sizes = with_item(box.offsets, position, offset), with_item(box.sizes, position, size)
    return replace(box, offsets=offsets, sizes=sizes)
