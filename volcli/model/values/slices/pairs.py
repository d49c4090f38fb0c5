"""A pair of slices as sets over their numbers: the elements that they share, and where they are equal.

    shared = { [e] : e = o_d + s_d * k and 0 <= k < n_d in both slices, along each dimension d }

A number that is not constant is a parameter. A stride with a few possible values is a union over these; with
any other stride, there is a subset of the shared elements, and a superset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression, constant, parameter
from volcli.limits import values as limits
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.slices.hyperrectangles import HyperrectangularSlice, Number, Shared
from volcli.model.values.store.claims import NOWHERE
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets import build

_ELEMENT = "e"


class SlicePair:
    """Two slices as sets over their numbers: what is constant is that number, all else a parameter."""

    def __init__(
        self,
        store: BoundsStore,
        left: HyperrectangularSlice,
        right: HyperrectangularSlice,
        at: Sequence[Operation],
    ) -> None:
        if len(left.offsets) != len(right.offsets):
            raise ValueError("two slices of one value have the same rank")
        self._store = store
        self._numbers: dict[str, Expression] = {}
        self._counter = count()
        self._places: list[ProgramPoint] = [*at] or self._values(left, right)
        self.because: str | None = None
        self._left, self._right = self._dimensions(left), self._dimensions(right)
        with budget():
            within = self._within(self._left, left)
            self.given = within.intersect(self._within(self._right, right))
            for part in (*left.behind, *right.behind):
                self.given = self.given.intersect(self._within(self._dimensions(part), part))

    def _values(self, *slices: HyperrectangularSlice) -> list[ProgramPoint]:
        numbers = (n for s in slices for part in (s.offsets, s.sizes, s.strides) for n in part)
        return list(dict.fromkeys(n for n in numbers if isinstance(n, SSAValue)))

    def _dimensions(self, part: HyperrectangularSlice) -> list[tuple[Expression, Expression, Expression]]:
        rows = zip(part.offsets, part.sizes, part.strides, strict=True)
        return [(self._number(o), self._number(n), self._number(s)) for o, n, s in rows]

    def _within(
        self, rows: Sequence[tuple[Expression, Expression, Expression]], part: HyperrectangularSlice
    ) -> isl.Set:
        """The numbers for which PART, of which these are the dimensions, lies within its extents."""
        extents = [self._number(extent) for extent in part.extents]
        over = build.space(tuple(self._numbers), 0)
        inside = isl.Set.universe(over).params()
        for (offset, size, stride), extent in zip(rows, extents, strict=False):
            first = self._at(offset, extent, over)
            low, high = self._range(stride)
            if size.is_constant or stride.is_constant:
                last = self._at(offset + (size - 1) * stride, extent, over)
            elif low is not None and high is not None and high - low < limits.STRIDES:
                last = isl.Set.empty(over).params()
                for step in range(low, high + 1):
                    ends = self._at(offset + (size - 1) * step, extent, over)
                    last = last.union(ends.intersect(_zero(stride - step, over).params()))
            else:
                last = first
            there = first.intersect(last).intersect(_nonnegative(size - 1, over).params())
            inside = inside.intersect(there.union(_zero(size, over).params()))
        return inside

    @staticmethod
    def _at(position: Expression, extent: Expression, over: isl.Space) -> isl.Set:
        """POSITION is in [0, EXTENT)."""
        return _nonnegative(position, over).intersect(_nonnegative(extent - 1 - position, over)).params()

    def _number(self, number: Number) -> Expression:
        """NUMBER, or a parameter for it (one for each different expression)."""
        if isinstance(number, int):
            return constant(number)
        form = (
            self._store.value(number)
            if isinstance(number, SSAValue)
            else self._store.definitions.resolve(number)
        )
        if form.is_constant:
            return form
        known = next((name for name, other in self._numbers.items() if other == form), None)
        if known is None:
            known = f"n{next(self._counter)}"
            self._numbers[known] = form
        return parameter(known)

    # -- sets ----------------------------------------------------------------------------------------------

    def shared(self, *, under: bool) -> isl.Set:
        """`{ [e] : e is in both }` over the numbers; if UNDER some of these, else these and perhaps more."""
        names = tuple(self._numbers)
        with budget():
            whole: isl.Set | None = None
            for left, right in zip(self._left, self._right, strict=True):
                both = self._along(left, names, under).intersect(self._along(right, names, under))
                whole = both if whole is None else whole.flat_product(both)
            return isl.Set.universe(build.space(names, 0)) if whole is None else whole

    def _along(
        self, dimension: tuple[Expression, Expression, Expression], names: tuple[str, ...], under: bool
    ) -> isl.Set:
        """The elements of a slice along one dimension: of each stride, or each index, if these are few."""
        offset, size, stride = dimension
        low, high = self._range(stride)
        if low is None or high is None or high - low >= limits.STRIDES:
            _, most = self._range(size)
            if most is not None and most <= limits.STRIDES:
                return self._indexed(dimension, most, names)
            return self._unknown_stride(dimension, names, under)
        points = isl.Set.empty(build.space(names, 1))
        for step in range(low, high + 1):
            points = points.union(
                self._strided(offset, size, step, names).intersect_params(
                    _zero(stride - step, build.space(names, 0)).params()
                )
            )
        return points

    @staticmethod
    def _strided(offset: Expression, size: Expression, step: int, names: tuple[str, ...]) -> isl.Set:
        over = build.space(names, 1)
        position, index = parameter("e"), parameter("k")
        inner = build.space((*names, "e", "k"), 0)
        points = _zero(position - offset - index * step, inner).intersect(_nonnegative(index, inner))
        points = points.intersect(_nonnegative(size - 1 - index, inner))
        return _as_dimension(points, "e", ("k",), over)

    @staticmethod
    def _indexed(
        dimension: tuple[Expression, Expression, Expression], most: int, names: tuple[str, ...]
    ) -> isl.Set:
        """The elements with the indices 0, 1, ... of a slice of MOST at most."""
        offset, size, stride = dimension
        inner = build.space((*names, _ELEMENT), 0)
        points = isl.Set.empty(inner)
        for index in range(most):
            at = _zero(parameter(_ELEMENT) - offset - stride * index, inner)
            points = points.union(at.intersect(_nonnegative(size - 1 - index, inner)))
        return _as_dimension(points, _ELEMENT, (), build.space(names, 1))

    def _unknown_stride(
        self, dimension: tuple[Expression, Expression, Expression], names: tuple[str, ...], under: bool
    ) -> isl.Set:
        """With an unknown stride: surely the first element; perhaps all (after it, if positive)."""
        offset, size, stride = dimension
        over, inner = build.space(names, 1), build.space((*names, "e"), 0)
        position = parameter("e")
        first = _zero(position - offset, inner).intersect(_nonnegative(size - 1, inner))
        if under:
            return _as_dimension(first, "e", (), over)
        self.because = "a stride is not a constant"
        low, high = self._range(stride)
        beyond = _nonnegative(size - 2, inner)
        if low is not None and low >= 0:
            beyond = beyond.intersect(_nonnegative(position - offset - low, inner))
        elif high is not None and high <= 0:
            beyond = beyond.intersect(_nonnegative(offset + high - position, inner))
        return _as_dimension(first.union(beyond), "e", (), over)

    def equal(self) -> isl.Set:
        """The numbers for which each index is of the same element, or there is none."""
        over = build.space(tuple(self._numbers), 0)
        with budget():
            same = isl.Set.universe(over)
            empty = [isl.Set.empty(over), isl.Set.empty(over)]
            for left, right in zip(self._left, self._right, strict=True):
                single = _nonnegative(1 - left[1], over)
                strides = _zero(left[2] - right[2], over).union(single)
                for which in (0, 1):
                    same = same.intersect(_zero(left[which] - right[which], over))
                same = same.intersect(strides)
                empty[0] = empty[0].union(_nonnegative(-left[1], over))
                empty[1] = empty[1].union(_nonnegative(-right[1], over))
            return same.union(empty[0].intersect(empty[1])).params()

    def _range(self, number: Expression) -> tuple[int | None, int | None]:
        if number.is_constant:
            return number.constant, number.constant
        form = self._numbers[str(number)]
        place = self._places[-1] if self._places else None
        found = self._store.numeric.of(form, place)
        return found.lower, found.upper

    # -- answers -------------------------------------------------------------------------------------------

    def decide(self, holds: isl.Set, fails: isl.Set) -> Comparison:
        """Whether a claim about the numbers holds in all executions that reach the places."""
        return self._store.claims.decide(self._numbers, holds, fails, self._places, self.given)

    def sometimes(self, found: Comparison, holds: isl.Set, fails: isl.Set) -> Comparison:
        """FOUND, of a claim that does not hold in all executions, with the parameters for which it may.

        Where there are none, it holds in no execution, or it is unknown in which: that is not a condition.
        """
        text = self._store.claims.occurring(self._numbers, holds, self._places, self.given)
        if text is None:
            return found
        is_decided = bool(holds.complement().intersect(self.given).is_subset(fails))
        if text != NOWHERE:
            return replace(found, precondition=text, weakest=is_decided)
        return replace(found, never=True) if is_decided else Comparison(Verdict.UNKNOWN, because=self.because)

    def example(self, elements: isl.Set) -> Shared | None:
        """An execution in which ELEMENTS has a point, and that."""
        rank = elements.dim(build.DIM.set)
        names = [f"{_ELEMENT}{d}" for d in range(rank)]
        flat = elements.intersect_params(self.given)
        for name in names:
            flat = flat.move_dims(build.DIM.param, flat.dim(build.DIM.param), build.DIM.set, 0, 1)
            flat = flat.set_dim_name(build.DIM.param, flat.dim(build.DIM.param) - 1, name)
        found = self._store.claims.example(self._numbers, flat.params(), self._places)
        if found is None:
            return None
        return Shared(tuple(found[1].get(name, 0) for name in names), found[0])


def _zero(expression: Expression, over: isl.Space) -> isl.Set:
    return build.zero(expression, over)


def _nonnegative(expression: Expression, over: isl.Space) -> isl.Set:
    return build.at_least_zero(expression, over)


def _as_dimension(points: isl.Set, name: str, hidden: Sequence[str], over: isl.Space) -> isl.Set:
    """POINTS over parameters as a set of the parameter NAME; those that are HIDDEN are projected out."""
    for other in hidden:
        points = points.project_out(build.DIM.param, points.find_dim_by_name(build.DIM.param, other), 1)
    position = points.find_dim_by_name(build.DIM.param, name)
    moved = points.add_dims(build.DIM.set, 1) if position < 0 else points
    if position >= 0:
        moved = points.move_dims(build.DIM.set, 0, build.DIM.param, position, 1)
    return moved.align_params(over)
