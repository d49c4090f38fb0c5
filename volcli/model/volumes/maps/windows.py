"""Receptive fields: along each dimension of an input, the window of indices that one element depends on.

Element i of a value depends on no index x of the input, along one of its dimensions, outside of the window

    stride * q + low_r <= x <= stride * q + high_r,        i_k = period * q + r,   0 <= r < period

clipped to the input: k is the dimension of the value that the window moves with, and a residue r without data
has no window. The period is 1 but for what is spread: a transposed convolution of stride 2 has the period 2.

Windows compose along the operations of a program as intervals do: the window of an element is the hull of
those of the elements of an operand that it reads, all integers. A convolution of width 3 and stride 2 after
one of stride 1, both padded by 1: [i - 1, i + 1] and [2 i - 1, 2 i + 1] are [2 i - 2, 2 i + 2], five
elements that move by two. Where an element is read by one alternative of several (a concatenation), `width`
is that of the widest window, and low and high are those of all.

Source: A. Araujo, W. Norris, J. Sim, "Computing receptive fields of convolutional neural networks", Distill,
2019, equations 1 and 2 and section "Arbitrary computation graphs", for any affine read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm

import islpy as isl
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression
from volcli.language.reads import Conjunction, rank_of
from volcli.limits import volumes as limits
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.maps.spans import Span, spans_of
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import Statement


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
class ReceptiveWindow:
    """See the module: `ends` are those of each residue, the number of which is the period.

    `along` is the dimension of the value with which the window moves; None: it is the same for all elements.
    It is `exact` if some element in the middle of the value depends on both of its ends, as far as the
    operations state it.
    """

    along: int | None
    stride: int
    ends: tuple[WindowEnds | None, ...]
    exact: bool = True

    @property
    def period(self) -> int:
        return len(self.ends)

    def is_all(self, size: Expression) -> bool:
        """Whether every element reaches all indices of a dimension of SIZE."""
        ends = self.ends[0]
        is_fixed = self.along is None and size.is_constant and ends is not None and ends.is_one
        return is_fixed and ends is not None and ends.low <= 0 and ends.high >= size.constant - 1

    @property
    def step(self) -> Fraction:
        """By how much it moves from one element to the next one, on average."""
        return Fraction(self.stride, self.period)

    @property
    def size(self) -> int:
        """How many indices one element reaches at most: from the first to the last one."""
        return max((each.width + 1 for each in self.ends if each is not None), default=0)

    @property
    def offset(self) -> int | None:
        """Where the window of the first element with one begins; None if that differs by alternative."""
        first = next((each for each in self.ends if each is not None), None)
        return first.low if first is not None and first.is_one else None

    def at(self, element: int) -> WindowEnds | None:
        """The window of the element with this index."""
        turn, residue = divmod(element, self.period)
        ends = self.ends[residue]
        return None if ends is None else ends.moved(self.stride * turn)

    def spread(self, period: int) -> ReceptiveWindow:
        """The same over a multiple of the period."""
        ends = tuple(map(self.at, range(period)))
        return ReceptiveWindow(self.along, self.stride * period // self.period, ends, self.exact)


Windows = tuple["ReceptiveWindow | None", ...]
"""Along each dimension of an input; None: all of it, or it is not known to be less."""


class ReceptiveFields:
    """The windows of the values of one function towards its arguments, each found once from its operands'."""

    def __init__(self, store: Sizes, relations: Relations) -> None:
        self._store = store
        self._relations = relations
        self._found: dict[SSAValue, Mapping[SSAValue, Windows]] = {}
        self._arguments = store.blocks[0].args if store.blocks else ()
        self._rest = (value for block in store.blocks for value in _values(block))

    def of(self, value: SSAValue) -> Mapping[SSAValue, Windows]:
        """Towards each argument that VALUE may depend on, in the order of the arguments."""
        while value not in self._found and (each := next(self._rest, None)) is not None:
            self._found[each] = self._windows(each)
        return self._found.get(value, {})

    def _windows(self, value: SSAValue) -> Mapping[SSAValue, Windows]:
        if value in self._arguments:
            return {
                value: tuple(ReceptiveWindow(d, 1, (WindowEnds(0, 0, 0),)) for d in range(rank_of(value)))
            }
        if not isinstance(value, OpResult):
            return self._anything()
        found: dict[SSAValue, Windows] = {}
        relation = self._relations.of(value)
        for k, statement in enumerate(relation.statements):
            for source, windows in self._of_statement(statement, relation.statements[:k]).items():
                self._join(found, source, windows, together=False)
        if relation.inexact is not None:
            found = {source: tuple(map(_inexact, windows)) for source, windows in found.items()}
        return {source: found[source] for source in self._arguments if source in found}

    def _of_statement(self, statement: Statement, before: Sequence[Statement]) -> Mapping[SSAValue, Windows]:
        """The windows of the elements that STATEMENT computes, but for those that are computed BEFORE.

        An element reads together what is read where the same conditions hold.
        """
        groups: dict[Conjunction, dict[SSAValue, Windows]] = {}
        for read in statement.reads:
            spans = spans_of(statement, read, before)
            group = groups.setdefault(read.where, {})
            for source, windows in self._of_operand(read.operand).items():
                self._join(group, source, tuple(_composed(each, spans) for each in windows), together=True)
        if len(groups) == 1:
            return groups.popitem()[1]
        found: dict[SSAValue, Windows] = {}
        together = not _are_apart([statement.elements(statement.points_where(where)) for where in groups])
        for group in groups.values():
            for source, windows in group.items():
                if together and found.get(source, windows) != windows:
                    windows = tuple(map(_inexact, windows))
                self._join(found, source, windows, together=together)
        return found

    def _join(
        self, found: dict[SSAValue, Windows], source: SSAValue, windows: Windows, *, together: bool
    ) -> None:
        """Add WINDOWS towards SOURCE to those FOUND, which an element reads TOGETHER, or one of them."""
        known = found.get(source)
        if known is not None:
            windows = tuple(
                _joined(one, other, size, together)
                for one, other, size in zip(known, windows, self._store.sizes(source), strict=True)
            )
        found[source] = windows

    def _of_operand(self, value: SSAValue) -> Mapping[SSAValue, Windows]:
        """The windows of VALUE; of one inside a loop, which has several, all of the arguments."""
        known = self._found.get(value)
        return self._anything() if known is None else known

    def _anything(self) -> Mapping[SSAValue, Windows]:
        return {
            each: (None,) * rank_of(each) for each in self._arguments if isinstance(each.type, TensorType)
        }


def _values(block: Block) -> Iterator[SSAValue]:
    """The values of BLOCK, and those of the branches in it, each after what it is computed from."""
    yield from block.args
    for op in block.ops:
        if questions.choices.answers(type(op)):
            for region in op.regions:
                for inner in region.blocks:
                    yield from _values(inner)
        yield from op.results


def _are_apart(parts: Sequence[isl.Set]) -> bool:
    """Whether no two of PARTS share an element."""
    every: isl.Set | None = None
    for part in parts:
        if every is not None and not every.is_disjoint(part):
            return False
        every = part if every is None else every.union(part)
    return True


def _inexact(window: ReceptiveWindow | None) -> ReceptiveWindow | None:
    return window and replace(window, exact=False)


def _composed(window: ReceptiveWindow | None, spans: Sequence[Span | None]) -> ReceptiveWindow | None:
    """WINDOW of an operand, of which an element reads SPANS, as a window of that element."""
    if window is None or window.along is None:
        return window
    span = spans[window.along] if window.along < len(spans) else None
    if span is None:
        return None
    turns = span.turns * (window.period // gcd(window.period, span.advance))
    period = span.spread * turns
    if period > limits.WINDOW_PERIODS:
        return None
    read = [_read(window, span, residue) for residue in range(period)]
    stride = window.stride * (span.advance * (turns // span.turns)) // window.period
    exact = window.exact and span.exact and span.is_one and all(is_exact for _, is_exact in read)
    return ReceptiveWindow(span.along, stride, tuple(ends for ends, _ in read), exact)


def _read(window: ReceptiveWindow, span: Span, element: int) -> tuple[WindowEnds | None, bool]:
    """The hull of WINDOW over what ELEMENT reads of its value, and whether some element reaches both ends."""
    turn, rest = divmod(element - span.shift, span.spread)
    if rest:
        return None, True
    read = (window.at(each) for each in span.reads(turn, window.period * span.divisor))
    found = [each for each in read if each is not None]
    if not found:
        return None, True
    return _hull(found, together=True), len(found) == 1 or all(each.is_one for each in found)


def _hull(found: Sequence[WindowEnds], *, together: bool) -> WindowEnds:
    """The hull of windows of which an element reads all, or one, unless they are read TOGETHER."""
    low, high = min(each.low for each in found), max(each.high for each in found)
    if len(found) == 1 or not together:
        return WindowEnds(low, high, max(each.width for each in found))
    return WindowEnds(low, high, high - low)


def _joined(
    one: ReceptiveWindow | None, other: ReceptiveWindow | None, size: Expression, together: bool
) -> ReceptiveWindow | None:
    """The hull of both along a dimension of SIZE: an element reads both, or one of them, unless TOGETHER."""
    if one is None or other is None or one == other:
        return one if one == other else None
    for each in (one, other):
        if each.is_all(size):
            return each
    period = lcm(one.period, other.period)
    if (one.along, one.step) != (other.along, other.step) or period > limits.WINDOW_PERIODS:
        return None
    one, other = one.spread(period), other.spread(period)
    ends: list[WindowEnds | None] = []
    exact = one.exact and other.exact
    for pair in zip(one.ends, other.ends, strict=True):
        read = [each for each in pair if each is not None]
        ends.append(_hull(read, together=together) if read else None)
        exact = exact and (not together or len(read) < 2 or all(each.is_one for each in read))
    return ReceptiveWindow(one.along, one.stride, tuple(ends), exact)
