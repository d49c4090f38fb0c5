"""The receptive fields of the values of a function: windows, composed once for each operation.

What one element reads along each dimension of an operand (`spans`) says which windows of the operand it has
together (`windows`): all residues are looked at, of what is read at most so many that each residue of the
operand's is among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import gcd, lcm, prod

import islpy as isl
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, LoopIndex
from volcli.language.reads import Conjunction, rank_of
from volcli.limits import volumes as limits
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.maps.positions import ends_of
from volcli.model.volumes.maps.spans import Span, spans_of
from volcli.model.volumes.maps.windows import ReceptiveWindow, WindowEnds, WindowMove, Windows, hull, joined
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import Statement


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
            if each not in self._found:
                self._found[each] = self._windows(each)
        return self._found.get(value, {})

    def is_fixed(self, value: SSAValue) -> bool:
        """Whether the operands of VALUE show that it depends on no argument: weights, and what is empty."""
        if value not in self._found and isinstance(value, OpResult):
            op = value.op
            has_case = not op.regions and questions.element_reads.answers(type(op))
            if has_case and not any(map(self._of_operand, op.operands)):
                self._found[value] = {}
        return not self._found.get(value, True)

    def _windows(self, value: SSAValue) -> Mapping[SSAValue, Windows]:
        if value in self._arguments:
            return {
                value: tuple(
                    ReceptiveWindow((WindowMove(d, 1),), (WindowEnds(0, 0, 0),))
                    for d in range(rank_of(value))
                )
            }
        if not isinstance(value, OpResult):
            return self._anything()
        if self.is_fixed(value):
            return {}
        found: dict[SSAValue, Windows] = {}
        relation = self._relations.of(value)
        for k, statement in enumerate(relation.statements):
            before, sizes = relation.statements[:k], self._store.sizes(value)
            for source, windows in self._of_statement(statement, before, sizes).items():
                if len(relation.statements) > 1:
                    windows = tuple(_over_elements(window, statement) for window in windows)
                self._join(found, source, windows, sizes, together=False)
        if relation.inexact is not None:
            found = {source: tuple(map(_inexact, windows)) for source, windows in found.items()}
        return {source: found[source] for source in self._arguments if source in found}

    def _of_statement(
        self, statement: Statement, before: Sequence[Statement], sizes: Sequence[Expression]
    ) -> Mapping[SSAValue, Windows]:
        """The windows of the elements that STATEMENT computes, but for those that are computed BEFORE.

        An element reads together what is read where the same conditions hold.
        """
        groups: dict[Conjunction, dict[SSAValue, Windows]] = {}
        for read in statement.reads:
            spans = spans_of(statement, read, before)
            group = groups.setdefault(read.where, {})
            for source, windows in self._of_operand(read.operand).items():
                if any(span is None or span.free for span in spans):
                    windows = tuple(window and window.widened() for window in windows)
                composed = tuple(_composed(each, spans, sizes) for each in windows)
                self._join(group, source, composed, sizes, together=True)
        if len(groups) == 1:
            return groups.popitem()[1]
        found: dict[SSAValue, Windows] = {}
        together = not _are_apart([statement.elements(statement.points_where(where)) for where in groups])
        for group in groups.values():
            for source, windows in group.items():
                if together and found.get(source, windows) != windows:
                    windows = tuple(map(_inexact, windows))
                self._join(found, source, windows, sizes, together=together)
        return found

    def _join(
        self,
        found: dict[SSAValue, Windows],
        source: SSAValue,
        windows: Windows,
        sizes: Sequence[Expression],
        *,
        together: bool,
    ) -> None:
        """Add WINDOWS towards SOURCE to those FOUND, which an element reads TOGETHER, or one of them.

        The value that it is an element of has SIZES.
        """
        known = found.get(source)
        if known is not None:
            windows = tuple(
                joined(one, other, size, sizes, together=together)
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


def _over_elements(window: ReceptiveWindow | None, statement: Statement) -> ReceptiveWindow | None:
    """WINDOW, inexact if the elements of STATEMENT may not have one of each residue, and windows differ."""
    if window is None or window.is_even or not window.exact:
        return window
    elements = statement.elements(statement.domain)
    ends = [(ends_of(elements, move.along), move.period) for move in window.moves]
    every = all(end is not None and end[1] - end[0] >= period - 1 for end, period in ends)
    return window if every else replace(window, exact=False)


def _composed(
    window: ReceptiveWindow | None, spans: Sequence[Span | None], sizes: Sequence[Expression]
) -> ReceptiveWindow | None:
    """WINDOW of an operand, of which an element reads SPANS, as that of an element of a tensor of SIZES."""
    if window is None or not window.moves:
        return window
    read: list[Span] = []
    for move in window.moves:
        span = spans[move.along] if move.along < len(spans) else None
        if span is None:
            return None
        read.append(span)
    same = [span.same for span in read]
    if same == [move.along for move in window.moves] and all(span.exact for span in read):
        return window
    if None not in same and len(set(same)) == len(same):
        renamed = (replace(m, along=k) for m, k in zip(window.moves, same, strict=True) if k is not None)
        return replace(window, moves=tuple(renamed), exact=window.exact and all(s.exact for s in read))
    moves = _moves(window, read, sizes)
    reads = prod(min(s.last - s.first + 1, 2 * m.period) for s, m in zip(read, window.moves, strict=True))
    if reads * prod(move.period for move in moves) > limits.WINDOW_PERIODS:
        return None
    exact = window.exact and all(span.exact for span in read) and _is_free(read, len(window.ends) > 1)
    ends: list[WindowEnds | None] = []
    for residues in product(*(range(move.period) for move in moves)):
        element: dict[Atom, int] = {
            LoopIndex(move.along): residue for move, residue in zip(moves, residues, strict=True)
        }
        found, is_exact = _read(window, read, element)
        ends.append(found)
        exact = exact and is_exact
    return ReceptiveWindow(moves, tuple(ends), exact).reduced(sizes)


def _moves(
    window: ReceptiveWindow, read: Sequence[Span], sizes: Sequence[Expression]
) -> tuple[WindowMove, ...]:
    """How the window of an element moves that READ of the value of WINDOW, along dimensions of SIZES."""
    turning = [(move, span.turns()) for move, span in zip(window.moves, read, strict=True)]
    periods: dict[int, int] = {}
    for move, turns in turning:
        for k, (turn, advance) in turns.items():
            turn *= move.period // gcd(move.period, advance)
            periods[k] = lcm(periods.get(k, 1), turn)
    moves: list[WindowMove] = []
    for k, period in sorted(periods.items()):
        if sizes[k].is_constant and sizes[k].constant < period:
            moves.append(WindowMove(k, 0, max(sizes[k].constant, 1)))
            continue
        stride = 0
        for move, turns in turning:
            turn, advance = turns.get(k, (1, 0))
            stride += move.stride * (advance * (period // turn) // move.period)
        moves.append(WindowMove(k, stride, period))
    return tuple(moves)


def _is_free(read: Sequence[Span], differ: bool) -> bool:
    """Whether some element reads all corners of READ; if windows there DIFFER, all elements do."""
    several = [span for span in read if span.free]
    loops = sum(len(span.free) for span in several)
    is_uniform = all(span.uniform for span in several)
    is_joint = len(several) < 2 or (
        is_uniform and loops == len(frozenset().union(*(s.free for s in several)))
    )
    return is_joint and (is_uniform or not differ)


def _read(
    window: ReceptiveWindow, read: Sequence[Span], element: Mapping[Atom, int]
) -> tuple[WindowEnds | None, bool]:
    """The hull of WINDOW over what ELEMENT reads of its value, and whether the element reaches both ends."""
    spanned = zip(read, window.moves, strict=True)
    indices = [list(span.reads(element, move.period * span.divisor)) for span, move in spanned]
    found = [each for each in map(window.at, product(*indices)) if each is not None]
    if not found:
        return None, True
    if prod(map(len, indices)) == 1:
        return found[0], True
    whole = hull(found, together=True)
    corners = map(window.at, product(*({each[0]: 0, each[-1]: 0} for each in indices)))
    attained = [each for each in corners if each is not None]
    is_reached = all(span.filled for span in read) or (
        bool(attained) and hull(attained, together=True) == whole
    )
    return whole, is_reached and (len(found) == 1 or all(each.is_one for each in found))
