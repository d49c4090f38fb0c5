"""Receptive fields: along each dimension of an input, the window of indices that one element depends on.

Element i of a value depends on no index x of the input, along one of its dimensions, outside of the window

    sum_k stride_k * q_k + low_r <= x <= sum_k stride_k * q_k + high_r,    i_k = period_k * q_k + r_k,
    0 <= r_k < period_k

clipped to the input: k are the dimensions of the value that the window moves with, and residues r without
data have no window. Most windows move with one dimension, with the period 1. A transposed convolution of
stride 2 makes the period 2; the rows of 2 x 3 elements, when these are one dimension, have the period 3.

Windows compose along the operations of a program as intervals do: the window of an element is the hull of
those of the elements of an operand that it reads, all integers. A convolution of width 3 and stride 2 after
one of stride 1, both padded by 1: [i - 1, i + 1] and [2 i - 1, 2 i + 1] are [2 i - 2, 2 i + 2], five
elements that move by two. Where an element is read by one alternative of several (a concatenation), `width`
is that of the widest window, and low and high are those of all.

Source: A. Araujo, W. Norris, J. Sim, "Computing receptive fields of convolutional neural networks", Distill,
2019, equations 1 and 2 and section "Arbitrary computation graphs", for any affine read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import lcm, prod

from volcli.language.expressions import Expression
from volcli.limits import volumes as limits


@dataclass(frozen=True)
class WindowEnds:
    """The window of an element of one residue: `width` is that of the widest of several alternatives."""

    low: int
    high: int
    width: int

    @property
    def is_one(self) -> bool:
        """Whether all alternatives are in the widest one."""
        return self.width == self.high - self.low

    def moved(self, by: int) -> WindowEnds:
        """The same BY indices further."""
        return WindowEnds(self.low + by, self.high + by, self.width)


@dataclass(frozen=True)
class WindowMove:
    """By `stride` indices, a window moves for each `period` elements along a dimension of a value."""

    along: int
    stride: int
    period: int = 1

    @property
    def step(self) -> Fraction:
        """By how much it moves from one element to the next one, on average."""
        return Fraction(self.stride, self.period)


@dataclass(frozen=True)
class ReceptiveWindow:
    """See the module: `ends` are those of all residues of `moves`, those of the last one next to each other.

    It is `exact` if some element in the middle of the value depends on both of its ends, as far as the
    operations state it.
    """

    moves: tuple[WindowMove, ...]
    ends: tuple[WindowEnds | None, ...]
    exact: bool = True

    def is_all(self, size: Expression) -> bool:
        """Whether every element reaches all indices of a dimension of SIZE."""
        ends = self.ends[0]
        is_fixed = not self.moves and size.is_constant and ends is not None and ends.is_one
        return is_fixed and ends is not None and ends.low <= 0 and ends.high >= size.constant - 1

    @property
    def size(self) -> int:
        """How many indices one element reaches at most: from the first to the last one."""
        return max((each.width + 1 for each in self.ends if each is not None), default=0)

    @property
    def is_even(self) -> bool:
        """Whether all elements that reach anything reach equally many indices."""
        return len({each.width for each in self.ends if each is not None}) <= 1

    @property
    def offset(self) -> int | None:
        """Where the window of the first element with one begins; None if that differs by alternative."""
        first = next((each for each in self.ends if each is not None), None)
        return first.low if first is not None and first.is_one else None

    def widened(self) -> ReceptiveWindow:
        """The hull of all alternatives, for elements that read several of the value's."""
        if all(each is None or each.is_one for each in self.ends):
            return self
        ends = (each and replace(each, width=each.high - each.low) for each in self.ends)
        return replace(self, ends=tuple(ends), exact=False)

    def step(self, along: int) -> Fraction:
        """By how much it moves for each element ALONG a dimension, on average."""
        return sum((move.step for move in self.moves if move.along == along), Fraction(0))

    def at(self, indices: Sequence[int]) -> WindowEnds | None:
        """The window of the element with these INDICES along the dimensions it moves with."""
        place, by = 0, 0
        for move, index in zip(self.moves, indices, strict=True):
            turn, residue = divmod(index, move.period)
            place, by = place * move.period + residue, by + move.stride * turn
        ends = self.ends[place]
        return ends.moved(by) if ends is not None and by else ends

    def over(self, periods: Mapping[int, int]) -> ReceptiveWindow:
        """The same with a move for each of PERIODS: multiples of its own, or all indices of a dimension."""
        own = {move.along: move for move in self.moves}
        found: list[WindowMove] = []
        for k, period in sorted(periods.items()):
            turns, rest = divmod(period, own[k].period) if k in own else (0, 0)
            found.append(WindowMove(k, own[k].stride * turns if k in own and not rest else 0, period))
        moves = tuple(found)
        at = [k for move in self.moves for k, each in enumerate(moves) if each.along == move.along]
        elements = product(*(range(each.period) for each in moves))
        ends = tuple(self.at([element[k] for k in at]) for element in elements)
        return ReceptiveWindow(moves, ends, self.exact)

    def reduced(self, sizes: Sequence[Expression] = ()) -> ReceptiveWindow:
        """The same with the least periods that are right for a value of SIZES, if these are given."""
        if len(self.ends) == 1 and all(move.stride for move in self.moves):
            return self
        moves, ends = list(self.moves), self.ends
        for k, move in enumerate(moves):
            inner = prod(each.period for each in moves[k + 1 :])
            rows = [
                tuple(
                    each
                    for begin in range(0, len(ends), inner * move.period)
                    for each in ends[begin + at :][:inner]
                )
                for at in range(0, inner * move.period, inner)
            ]
            is_all = (
                bool(sizes) and sizes[move.along].is_constant and sizes[move.along].constant <= move.period
            )
            stride, period = _least(rows, None if is_all else move.stride)
            if period < move.period:
                moves[k] = WindowMove(move.along, stride, period)
                parts = range(0, len(rows[0]), inner)
                ends = tuple(
                    each for part in parts for row in rows[:period] for each in row[part : part + inner]
                )
        kept = tuple(move for move in moves if move.stride or move.period > 1)
        return replace(self, moves=kept, ends=ends)


_Row = tuple["WindowEnds | None", ...]


def _least(rows: Sequence[_Row], stride: int | None) -> tuple[int, int]:
    """After how few of ROWS they repeat, moved, and by how much; STRIDE after all of them, None: they end."""
    count = len(rows)
    for period in range(1, count):
        if stride is None:
            pairs = zip(rows[0], rows[period], strict=True)
            by = next((other.low - one.low for one, other in pairs if one and other), 0)
        elif count % period or (stride * period) % count:
            continue
        else:
            by = stride * period // count
        if all(_is_moved(rows[k], rows[k + period], by) for k in range(count - period)):
            return by, period
    return stride or 0, count


def _is_moved(one: _Row, other: _Row, by: int) -> bool:
    return all(b == (a and a.moved(by)) for a, b in zip(one, other, strict=True))


Windows = tuple["ReceptiveWindow | None", ...]
"""Along each dimension of an input; None: all of it, or it is not known to be less."""


def hull(found: Sequence[WindowEnds], *, together: bool) -> WindowEnds:
    """The hull of windows of which an element reads all, or one, unless they are read TOGETHER."""
    low, high = min(each.low for each in found), max(each.high for each in found)
    if len(found) == 1 or not together:
        return WindowEnds(low, high, max(each.width for each in found))
    return WindowEnds(low, high, high - low)


def joined(
    one: ReceptiveWindow | None,
    other: ReceptiveWindow | None,
    size: Expression,
    sizes: Sequence[Expression],
    *,
    together: bool,
) -> ReceptiveWindow | None:
    """The hull of both along a dimension of SIZE, for a value of SIZES.

    An element reads both, or one of them, unless TOGETHER. Where both move by other strides, there is one for
    each element.
    """
    if one is None or other is None:
        return None
    if one == other:
        return one.widened() if together else one
    for each in (one, other):
        if each.is_all(size):
            return each
    periods: dict[int, int] = {}
    for move in (*one.moves, *other.moves):
        periods[move.along] = lcm(periods.get(move.along, 1), move.period)
    if any(one.step(k) != other.step(k) for k in periods):
        if not all(sizes[k].is_constant for k in periods):
            return None
        periods = {k: max(sizes[k].constant, 1) for k in periods}
    if prod(periods.values()) > limits.WINDOW_PERIODS:
        return None
    first, second = one.over(periods), other.over(periods)
    ends: list[WindowEnds | None] = []
    exact = one.exact and other.exact
    for pair in zip(first.ends, second.ends, strict=True):
        read = [each for each in pair if each is not None]
        ends.append(hull(read, together=together) if read else None)
        exact = exact and (not together or len(read) < 2 or all(each.is_one for each in read))
    moves = first.moves
    if moves != second.moves:
        moves = tuple(WindowMove(k, 0, period) for k, period in sorted(periods.items()))
    return ReceptiveWindow(moves, tuple(ends), exact).reduced(sizes)
