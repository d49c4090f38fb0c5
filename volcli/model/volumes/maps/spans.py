"""What one read takes of its operand along a dimension, as a window over the elements of the result.

    element = l0, index = 2 * l0 + l1, 0 <= l1 < 3          element i reads 2 * i up to 2 * i + 2
    element = 4 * l0 + l1, index = l0, 0 <= l1 < 4          element i reads i floordiv 4
    element = 4 * l0 + l1, index = l1                       element i reads i mod 4

A loop is free if no dimension of the element is computed from it; its range makes the window. One that a
dimension is computed from, e = a l0 + b l1 + c with 0 <= b l1 < a, is a digit of e: l0 = (e - c) floordiv a,
l1 = ((e - c) mod a) floordiv b.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from volcli.language.expressions import Expression, FloorDiv, Index, LoopIndex
from volcli.model.volumes.relations.statements import ResolvedRead, Statement, points_where
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets.build import DIM, nonnegative


@dataclass(frozen=True)
class Span:
    """The indices of an operand that element i reads, for `i = spread * j + shift`.

    They are `scale * q + offset + t`, 0 <= t <= extent, for all q = floor((factor * j + l) / divisor),
    first <= l <= last, of the numerator modulo `modulus` if there is one; if `divisible`, only where the
    division leaves no remainder: the gradient of a convolution. Elements of other residues read nothing.
    Without `along`, all elements read the same. It is `exact` if some element reads the first and the last.
    """

    along: int | None = None
    factor: int = 0
    spread: int = 1
    shift: int = 0
    first: int = 0
    last: int = 0
    modulus: int | None = None
    divisor: int = 1
    scale: int = 1
    offset: int = 0
    extent: int = 0
    divisible: bool = False
    exact: bool = True

    @property
    def turns(self) -> int:
        """After how many j the reads repeat, `advance` indices further."""
        return self.modulus or self.divisor

    @property
    def advance(self) -> int:
        """By how much the indices are greater after as many `turns`."""
        return 0 if self.modulus else self.scale * self.factor

    @property
    def is_one(self) -> bool:
        """Whether the number of indices that are read does not differ from one element to the next one."""
        return self.divisor == 1 or self.divisible or self.first == self.last

    def reads(self, turn: int, of_each: int) -> Iterator[int]:
        """The indices read for j = TURN; of those between the first and the last OF_EACH, none."""
        for each in _outer(range(self.first, self.last + 1), of_each):
            numerator = self.factor * turn + each
            quotient, rest = divmod(numerator % self.modulus if self.modulus else numerator, self.divisor)
            if not (rest and self.divisible):
                for further in _outer(range(self.extent + 1), of_each):
                    yield self.scale * quotient + self.offset + further


def _outer(numbers: range, of_each: int) -> Sequence[int]:
    """NUMBERS without those between the first and the last OF_EACH."""
    return (*numbers[:of_each], *numbers[max(of_each, len(numbers) - of_each) :])


def spans_of(
    statement: Statement, read: ResolvedRead, before: Sequence[Statement]
) -> tuple[Span | None, ...]:
    """What READ reads along each dimension of its operand; None: anything.

    The elements that statements BEFORE this one reach are not computed by it.
    """
    points = statement.points_where(read.where)
    digits: dict[LoopIndex, Span | None] = {}
    for dimension, element in enumerate(statement.element):
        digits |= _digits(dimension, element, points)
    found = [_of_element(index, statement, points) or _span(index, digits, points) for index in read.index]
    return tuple(
        span and replace(span, exact=_is_attained(statement, index, digits, points, before))
        for span, index in zip(found, read.index, strict=True)
    )


def _digits(dimension: int, element: Expression, domain: isl.Set) -> dict[LoopIndex, Span | None]:
    """What each loop is that ELEMENT, along DIMENSION, is computed from: see the module. None: not known."""
    if len(element.terms) == 1 and isinstance(atom := element.terms[0][0], LoopIndex):
        factor = element.terms[0][1]
        shift, step = element.constant, 1 if factor > 0 else -1
        return {atom: Span(dimension, step, abs(factor), shift)}
    loops = [(c, atom) for atom, c in element.terms if isinstance(atom, LoopIndex)]
    inside = [atom for atom in element.atoms() if isinstance(atom, LoopIndex)]
    unknown = dict[LoopIndex, Span | None].fromkeys(inside)
    ranges = [_ends(domain, atom.position) for _, atom in loops]
    if len(loops) < len(element.terms) or None in ranges or any(c <= 0 for c, _ in loops):
        return unknown
    least = element.constant
    sized = list[tuple[int, LoopIndex, int, int]]()
    for (c, atom), ends in zip(loops, ranges, strict=True):
        if ends is not None:
            sized.append((c, atom, *ends))
            least += c * ends[0]
    sized.sort(key=lambda each: -each[0])
    found: dict[LoopIndex, Span | None] = {}
    for k, (c, atom, low, _) in enumerate(sized):
        rest = sum(other * (end - begin) for other, _, begin, end in sized[k + 1 :])
        above = sized[k - 1][0] if k else None
        if rest >= c or (above is not None and any(each[0] % above for each in sized[:k])):
            return unknown
        found[atom] = Span(
            dimension, factor=1, first=-least, last=-least, modulus=above, divisor=c, offset=low
        )
    return found


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
            return replace(free, along=dimension, factor=factor)
    return None


def _span(index: Index, digits: Mapping[LoopIndex, Span | None], domain: isl.Set) -> Span | None:
    """The indices that INDEX takes for one element, whose dimensions say by DIGITS where some loops are."""
    if not isinstance(index, Expression):
        return None
    if isinstance(atom := (index - index.constant).single_atom, FloorDiv):
        span = _span(atom.numerator, digits, domain)
        divisible = domain.is_subset(nonnegative(domain.dim(DIM.set), (-(atom.numerator % atom.divisor),)))
        if span is None or span.turns > 1:
            return None
        first, last = span.first + span.offset, span.last + span.offset
        return replace(
            span,
            first=first,
            last=last,
            divisor=atom.divisor,
            offset=index.constant,
            divisible=bool(divisible),
        )
    moving: tuple[Span, int] | None = None
    first, last = index.constant, index.constant
    for atom, coefficient in index.terms:
        if not isinstance(atom, LoopIndex):
            return None
        if atom in digits:
            digit = digits[atom]
            if moving is not None or digit is None:
                return None
            moving = digit, coefficient
            continue
        ends = sorted(coefficient * end for end in _ends(domain, atom.position) or ())
        if not ends:
            return None
        first, last = first + ends[0], last + ends[-1]
    if moving is None:
        return Span(first=first, last=last)
    digit, coefficient = moving
    if digit.turns > 1:
        offset = coefficient * digit.offset + first
        return replace(digit, scale=coefficient, offset=offset, extent=last - first)
    return replace(digit, factor=digit.factor * coefficient, first=first, last=last)


def _is_attained(
    statement: Statement,
    index: Index,
    digits: Mapping[LoopIndex, Span | None],
    points: isl.Set,
    before: Sequence[Statement],
) -> bool:
    """Whether an element that STATEMENT computes reads both ends of what free loops make of INDEX."""
    if not isinstance(index, Expression):
        return False
    inside = (index - index.constant).single_atom
    terms = inside.numerator.terms if isinstance(inside, FloorDiv) else index.terms
    free = [(atom, c) for atom, c in terms if isinstance(atom, LoopIndex) and atom not in digits]
    ends = [(c, atom, _ends(points, atom.position)) for atom, c in free]
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


def _ends(domain: isl.Set, position: int) -> tuple[int, int] | None:
    """The least and the greatest number of a loop in DOMAIN for all parameters; None if there is none."""
    low, high = interval(domain, position)
    return None if low is None or high is None else (low, high)
