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
from xdsl.ir import BlockArgument, OpResult, SSAValue

from volcli.language.expressions import Expression, FloorDiv, Index, LoopIndex
from volcli.language.reads import rank_of
from volcli.limits import volumes as limits
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import ResolvedRead, Statement
from volcli.presburger.sets.build import DIM, nonnegative


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


@dataclass(frozen=True)
class _Span:
    """The indices of an operand that element i reads, for `i = spread * j + shift`: `factor * j + l`.

    `first <= l <= last`. Elements of other residues read nothing. Without `along`, the factor is 0. With a
    `divisor` s it is `(factor * j + l) floordiv s + offset`; if `divisible`, where the division leaves no
    remainder: the gradient of a convolution of stride s.
    """

    along: int | None
    factor: int
    spread: int
    shift: int
    first: int
    last: int
    divisor: int = 1
    offset: int = 0
    divisible: bool = False

    def reads(self, turn: int, of_each: int) -> Iterator[int]:
        """The indices read for j = TURN; of those between the first and the last OF_EACH, none."""
        ends = range(self.first, self.last + 1)
        for each in (*ends[:of_each], *ends[max(of_each, len(ends) - of_each) :]):
            quotient, rest = divmod(self.factor * turn + each, self.divisor)
            if not (rest and self.divisible):
                yield quotient + self.offset


class ReceptiveFields:
    """The windows of the values of one function towards its arguments, each found once from its operands'."""

    def __init__(self, store: Sizes, relations: Relations) -> None:
        self._store = store
        self._relations = relations
        self._found: dict[SSAValue, Mapping[SSAValue, Windows]] = {}
        self._rest = (
            value
            for block in store.blocks
            for value in (*block.args, *(result for op in block.ops for result in op.results))
        )

    def of(self, value: SSAValue) -> Mapping[SSAValue, Windows]:
        """Towards each argument that VALUE may depend on, in the order of the arguments."""
        while value not in self._found and (each := next(self._rest, None)) is not None:
            self._found[each] = self._windows(each)
        return self._found.get(value, {})

    def _windows(self, value: SSAValue) -> Mapping[SSAValue, Windows]:
        if isinstance(value, BlockArgument):
            return {
                value: tuple(ReceptiveWindow(d, 1, (WindowEnds(0, 0, 0),)) for d in range(rank_of(value)))
            }
        if not isinstance(value, OpResult):
            return {}
        found: dict[SSAValue, Windows] = {}
        for statement in self._relations.of(value).statements:
            of_statement: dict[SSAValue, Windows] = {}
            for read in statement.reads:
                spans = _spans(statement, read)
                for source, windows in self._found.get(read.operand, {}).items():
                    through = tuple(_composed(each, spans) for each in windows)
                    _join(of_statement, source, through, together=True)
            for source, windows in of_statement.items():
                _join(found, source, windows, together=False)
        arguments = self._store.blocks[0].args if self._store.blocks else ()
        return {source: found[source] for source in arguments if source in found}


def _spans(statement: Statement, read: ResolvedRead) -> tuple[_Span | None, ...]:
    """What READ reads along each dimension of its operand; None: anything."""
    moves: dict[LoopIndex, tuple[int, int, int]] = {}
    for dimension, element in enumerate(statement.element):
        if len(element.terms) == 1 and isinstance(atom := element.terms[0][0], LoopIndex):
            moves[atom] = dimension, element.terms[0][1], element.constant
    points = statement.points_where(read.where)
    return tuple(_span(index, moves, points) for index in read.index)


def _span(index: Index, moves: Mapping[LoopIndex, tuple[int, int, int]], domain: isl.Set) -> _Span | None:
    """The indices that INDEX takes for one element, whose dimensions say by MOVES where some loops are."""
    if not isinstance(index, Expression):
        return None
    if isinstance(atom := (index - index.constant).single_atom, FloorDiv):
        span = _span(atom.numerator, moves, domain)
        divisible = domain.is_subset(nonnegative(domain.dim(DIM.set), (-(atom.numerator % atom.divisor),)))
        if span is None or span.divisor > 1:
            return None
        return replace(span, divisor=atom.divisor, offset=index.constant, divisible=bool(divisible))
    moving: tuple[int, int, int] | None = None
    factor, first, last = 0, index.constant, index.constant
    for atom, coefficient in index.terms:
        if not isinstance(atom, LoopIndex):
            return None
        if atom in moves:
            if moving is not None:
                return None
            moving, factor = moves[atom], coefficient
            continue
        ends = sorted(coefficient * end for end in _ends(domain, atom.position) or ())
        if not ends:
            return None
        first, last = first + ends[0], last + ends[-1]
    if moving is None:
        return _Span(None, 0, 1, 0, first, last)
    along, spread, shift = moving
    return _Span(along, factor if spread > 0 else -factor, abs(spread), shift, first, last)


def _ends(domain: isl.Set, position: int) -> tuple[int, int] | None:
    """The least and the greatest number of a loop in DOMAIN for all parameters; None if there is none."""
    least, greatest = domain.dim_min_val(position), domain.dim_max_val(position)
    if not (least.is_int() and greatest.is_int()):
        return None
    return int(least.to_python()), int(greatest.to_python())


def _composed(window: ReceptiveWindow | None, spans: Sequence[_Span | None]) -> ReceptiveWindow | None:
    """WINDOW of an operand, of which an element reads SPANS, as a window of that element."""
    if window is None or window.along is None:
        return window
    span = spans[window.along] if window.along < len(spans) else None
    if span is None:
        return None
    every = window.period * span.divisor
    turns = every // gcd(every, span.factor)
    period = span.spread * turns
    if period > limits.WINDOW_PERIODS:
        return None
    read = [_read(window, span, residue) for residue in range(period)]
    stride = window.stride * span.factor * turns // every
    is_one = span.divisor == 1 or span.divisible or span.first == span.last
    exact = window.exact and is_one and all(is_exact for _, is_exact in read)
    return ReceptiveWindow(span.along, stride, tuple(ends for ends, _ in read), exact)


def _read(window: ReceptiveWindow, span: _Span, element: int) -> tuple[WindowEnds | None, bool]:
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


def _join(found: dict[SSAValue, Windows], source: SSAValue, windows: Windows, *, together: bool) -> None:
    """Add WINDOWS towards SOURCE to those FOUND: an element reads both, or one of them, unless TOGETHER."""
    known = found.get(source)
    if known is not None:
        windows = tuple(_joined(one, other, together) for one, other in zip(known, windows, strict=True))
    found[source] = windows


def _joined(
    one: ReceptiveWindow | None, other: ReceptiveWindow | None, together: bool
) -> ReceptiveWindow | None:
    if one is None or other is None or one == other:
        return one if one == other else None
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
