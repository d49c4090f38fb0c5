"""What one read takes of its operand along a dimension, as a window over the elements of the result.

    element = l0, index = 2 * l0 + l1, 0 <= l1 < 3          element i reads 2 * i up to 2 * i + 2
    element = 4 * l0 + l1, index = l0, 0 <= l1 < 4          element i reads i floordiv 4
    element = 4 * l0 + l1, index = l1                       element i reads i mod 4
    element = (p floordiv 4, p mod 4), index = p mod 6      element (i, j) reads (4 * i + j) mod 6

A loop is free if no dimension of the element is computed from it; its range makes the window. Others are
functions of the element (`volcli.model.volumes.maps.positions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, lcm

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Index,
    LoopIndex,
    Mod,
    loop,
    substitute,
)
from volcli.model.values.products.polynomials import value_at
from volcli.model.volumes.maps.positions import Positions, ends_of, positions_of
from volcli.model.volumes.relations.statements import ResolvedRead, Statement, points_where
from volcli.presburger.sets.build import DIM, nonnegative
from volcli.presburger.sets.shared import once


@dataclass(frozen=True)
class Span:
    """The indices of an operand that an element reads if all of `zero` are 0 for it; else it reads nothing.

    They are floor((index + t) / divisor) + offset for first <= t <= last; if `divisible`, only where the
    division leaves no remainder: the gradient of a convolution. `index` and `zero` are over the element's
    indices, as loops. It is `exact` if some element reads the first and the last, `uniform` if all elements
    do, and `filled` if these read all between, too.
    """

    index: Expression
    zero: tuple[Expression, ...] = ()
    first: int = 0
    last: int = 0
    divisor: int = 1
    offset: int = 0
    divisible: bool = False
    free: frozenset[LoopIndex] = frozenset()
    exact: bool = True
    uniform: bool = True
    filled: bool = True

    @property
    def same(self) -> int | None:
        """The dimension of the element whose index it is; None: it is not just that."""
        atom = self.index.single_atom
        is_plain = not (self.zero or self.first or self.last or self.offset) and self.divisor == 1
        return atom.position if is_plain and isinstance(atom, LoopIndex) else None

    def turns(self) -> Mapping[int, tuple[int, int]]:
        """For each dimension of the element: after how many indices reads repeat, and how much later."""
        found = _turns(self.index)
        if self.divisor > 1:
            found = {k: _divided(turn, self.divisor) for k, turn in found.items()}
        for each in self.zero:
            for k, (turn, _) in _turns(each).items():
                known, advance = found.get(k, (1, 0))
                found[k] = lcm(known, turn), advance * (lcm(known, turn) // known)
        return found

    def reads(self, element: Mapping[Atom, int], of_each: int) -> Iterator[int]:
        """The indices read by ELEMENT; of those between the first and the last OF_EACH, none."""
        if any(_value(each, element) for each in self.zero):
            return
        start = _value(self.index, element)
        for each in _outer(range(self.first, self.last + 1), of_each):
            quotient, rest = divmod(start + each, self.divisor)
            if not (rest and self.divisible):
                yield quotient + self.offset


def _outer(numbers: range, of_each: int) -> Sequence[int]:
    """NUMBERS without those between the first and the last OF_EACH."""
    return (*numbers[:of_each], *numbers[max(of_each, len(numbers) - of_each) :])


def _value(expression: Expression, element: Mapping[Atom, int]) -> int:
    total = expression.constant
    for atom, c in expression.terms:
        known = element.get(atom)
        total += c * (value_at(Expression(((atom, 1),), 0), element) if known is None else known)
    return total


def _divided(turn: tuple[int, int], divisor: int) -> tuple[int, int]:
    """The TURN of a number divided by DIVISOR."""
    times = divisor // gcd(divisor, turn[1])
    return turn[0] * times, turn[1] * times // divisor


def _turns(expression: Expression) -> dict[int, tuple[int, int]]:
    """For each loop of EXPRESSION: after how many iterations it takes the same values, and how much later.

    2 * (d0 floordiv 3) is 2 more after each 3 iterations; d0 mod 3 is the same after as many.
    """
    found: dict[int, tuple[int, int]] = {}
    for atom, c in expression.terms:
        match atom:
            case FloorDiv(numerator, divisor):
                parts = {k: _divided(turn, divisor) for k, turn in _turns(numerator).items()}
            case Mod(numerator, divisor):
                parts = {k: (_divided(turn, divisor)[0], 0) for k, turn in _turns(numerator).items()}
            case _:
                assert isinstance(atom, LoopIndex), "an index over the element"
                parts = {atom.position: (1, 1)}
        for k, (turn, advance) in parts.items():
            known, before = found.get(k, (1, 0))
            both = lcm(known, turn)
            found[k] = both, before * (both // known) + c * advance * (both // turn)
    return found


def spans_of(
    statement: Statement, read: ResolvedRead, before: Sequence[Statement]
) -> tuple[Span | None, ...]:
    """What READ reads along each dimension of its operand; None: anything.

    The elements that statements BEFORE this one reach are not computed by it.
    """
    parts = (statement, *before)

    def found(domain: isl.Set, *_: isl.Set) -> tuple[Span | None, ...]:
        points = points_where(domain, read.where)
        known, is_box = positions_of(statement.element, points), points.is_box()
        spans: list[Span | None] = []
        for index in read.index:
            span = _of_element(index, statement, points) or _span(index, known, points)
            if span is not None:
                uniform = is_box or not span.free
                exact = _is_attained(statement, index, known, points, before)
                span = replace(span, exact=exact, uniform=uniform, filled=uniform and span.filled)
            spans.append(span)
        return tuple(spans)

    key = ("spans", tuple(each.element for each in parts), read.index, read.where)
    return once(key, found, *(each.domain for each in parts))


def _of_element(index: Index, statement: Statement, domain: isl.Set) -> Span | None:
    """The span of `c * e + t` for an e of several loops that the element has along a dimension; else None."""
    for dimension, element in enumerate(statement.element):
        if not isinstance(index, Expression) or len(element.terms) < 2:
            continue
        atom, coefficient = element.terms[0]
        factor, rest = divmod(dict(index.terms).get(atom, 0), coefficient)
        others = {a for each in statement.element for a in each.atoms() if isinstance(a, LoopIndex)}
        free = _span(index - element * factor, dict.fromkeys(others), domain)
        if factor and not rest and free is not None:
            return replace(free, index=loop(dimension) * factor)
    return None


def _span(index: Index, known: Positions, domain: isl.Set) -> Span | None:
    """The indices that INDEX takes for one element, of which some loops are KNOWN."""
    if not isinstance(index, Expression):
        return None
    atom = (index - index.constant).single_atom
    span = _span(atom.numerator, known, domain) if isinstance(atom, FloorDiv) else None
    if isinstance(atom, FloorDiv) and span is not None and span.divisor == 1:
        divisible = domain.is_subset(nonnegative(domain.dim(DIM.set), (-(atom.numerator % atom.divisor),)))
        return replace(span, divisor=atom.divisor, offset=index.constant, divisible=bool(divisible))
    first, last = index.constant, index.constant
    moving, free = list[tuple[Atom, int]](), list[tuple[int, LoopIndex, int]]()
    for atom, c in index.terms:
        if isinstance(atom, LoopIndex) and atom not in known:
            ends = sorted(c * end for end in ends_of(domain, atom.position) or ())
            if not ends:
                return None
            first, last = first + ends[0], last + ends[-1]
            free.append((abs(c), atom, ends[-1] - ends[0]))
        else:
            moving.append((atom, c))
    reach, filled = 0, True
    for c, _, extent in sorted(free, key=lambda each: each[0]):
        filled = filled and (extent == 0 or c <= reach + 1)
        reach += extent
    several = frozenset(atom for _, atom, extent in free if extent)
    span = Span(Expression((), 0), first=first, last=last, free=several, filled=filled)
    return _moved(span, Expression(tuple(moving), 0), known)


def _moved(span: Span, index: Expression, known: Positions) -> Span | None:
    """SPAN from each value of INDEX on, which is computed from KNOWN loops; None if from others."""
    inside = list(dict.fromkeys(index.atoms()))
    loops = [atom for atom in inside if isinstance(atom, LoopIndex)]
    positions = [known.get(atom) for atom in loops]
    if None in positions or not all(isinstance(atom, LoopIndex | FloorDiv | Mod) for atom in inside):
        return None
    values: dict[Atom, Expression] = {}
    zero: dict[Expression, None] = {}
    for atom, position in zip(loops, positions, strict=True):
        assert position is not None, "looked at above"
        if position.modulus is not None:
            turn, advance = _turns(index)[atom.position]
            if advance or position.modulus % turn:
                return None
        values[atom] = position.value
        zero |= dict.fromkeys(position.zero)
    return replace(span, index=substitute(index, values.get), zero=tuple(zero))


def _is_attained(
    statement: Statement,
    index: Index,
    known: Positions,
    points: isl.Set,
    before: Sequence[Statement],
) -> bool:
    """Whether an element that STATEMENT computes reads both ends of what free loops make of INDEX."""
    if not isinstance(index, Expression):
        return False
    inside = (index - index.constant).single_atom
    terms = inside.numerator.terms if isinstance(inside, FloorDiv) else index.terms
    free = [(atom, c) for atom, c in terms if isinstance(atom, LoopIndex) and atom not in known]
    ends = [(c, atom, ends_of(points, atom.position)) for atom, c in free]
    if all(each is not None and each[0] == each[1] for _, _, each in ends):
        return True
    if not before and points.is_box():
        return True
    reached: list[isl.Set] = []
    for last in (False, True):
        where: list[Expression] = []
        for c, atom, each in ends:
            if each is None:
                return False
            loop = Expression(((atom, 1),), -each[(c > 0) is last])
            where += (loop, -loop)
        reached.append(statement.elements(points_where(points, tuple(where))))
    found = reached[0].intersect(reached[1])
    for each in before:
        found = found.subtract(each.elements(each.domain))
    return not found.is_empty()
