"""The kinds of numbers of many elements at once: pieces of a domain, each with the kinds of its numbers.

A number at a point is of one of the kinds of some piece that the point lies in; each point lies in at least
one piece, and pieces may overlap. A padded row is `(ZERO, everything), (ANYTHING, the data's elements)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import product

from volcli.language.kinds import ANYTHING, NEGATIVE_ZERO, ZERO, Kinds, is_one_zero, is_zero
from volcli.limits import volumes as limits
from volcli.model.volumes.domains.parts import Part, intersection, is_empty, union

Pieces = tuple[tuple[Kinds, Part], ...]


def everywhere(kinds: Kinds) -> Pieces:
    """All numbers are of KINDS."""
    return ((kinds, True),)


UNKNOWN: Pieces = everywhere(ANYTHING)


def merged(pieces: Iterable[tuple[Kinds, Part]]) -> Pieces:
    """PIECES, those of the same kinds as one, without empty ones."""
    pieces = tuple(pieces)
    if len(pieces) == 1:
        return () if pieces[0][1] is False else pieces
    found: dict[Kinds, Part] = {}
    for kinds, part in pieces:
        if part is not False:
            found[kinds] = union(found.get(kinds, False), part)
    whole = next((kinds for kinds, part in found.items() if part is True), None)
    if whole is not None:  # what has no more kinds than all others have says nothing
        found = {k: part for k, part in found.items() if k is whole or k & ~whole}
    if len(found) > limits.PIECES:
        return everywhere(reduce(lambda a, b: a | b, found))
    return tuple(found.items())


def mapped(pieces: Pieces, of_part: Callable[[Part], Part]) -> Pieces:
    """PIECES at other points: OF_PART of each."""
    return merged((kinds, of_part(part)) for kinds, part in pieces)


def combined(of_kinds: Callable[..., Kinds], operands: Sequence[Pieces]) -> Pieces:
    """The kinds of what is computed, at each point, from one number of each of OPERANDS."""
    return merged(_combinations(of_kinds, operands))


def _combinations(of_kinds: Callable[..., Kinds], operands: Sequence[Pieces]) -> Iterator[tuple[Kinds, Part]]:
    for choice in product(*operands):
        part = reduce(_meet, (part for _, part in choice), True)
        if part is not False:
            yield of_kinds(*(kinds for kinds, _ in choice)), part


def _meet(left: Part, right: Part) -> Part:
    both = intersection(left, right)
    both_sets = not isinstance(left, bool) and not isinstance(right, bool) and left is not right
    return False if both_sets and is_empty(both) else both


def where(pieces: Pieces, test: Callable[[Kinds], bool]) -> Part:
    """The points of all pieces whose kinds pass TEST."""
    return reduce(union, (part for kinds, part in pieces if test(kinds)), False)


def nonzero(pieces: Pieces) -> Part:
    """The points at which a number may be another than 0."""
    return where(pieces, lambda kinds: not is_zero(kinds))


def either_zero(pieces: Pieces) -> Part:
    """The points at which a number may be +0 and may be -0."""
    positive = where(pieces, lambda kinds: bool(kinds & ZERO))
    return intersection(positive, where(pieces, lambda kinds: bool(kinds & NEGATIVE_ZERO)))


def not_one_zero(pieces: Pieces) -> Part:
    """The points at which a number may be another than 0, or a zero of either sign."""
    return union(where(pieces, lambda kinds: not is_one_zero(kinds)), either_zero(pieces))
