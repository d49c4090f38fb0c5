"""What the loops of a statement are, over the indices of the element that is computed at a point of them.

    element = 2 * l0 + 1                       l0 = (e - 1) floordiv 2, where (e - 1) mod 2 = 0
    element = 4 * l0 + l1, 0 <= l1 < 4         l0 = e floordiv 4, l1 = e mod 4
    element = (p floordiv 4, p mod 4)          p = 4 * e0 + e1

A dimension that several loops make, e = a l0 + b l1 + c with 0 <= b l1 < a, has them as its digits:
l0 = (e - c) floordiv a, l1 = ((e - c) mod a) floordiv b. A loop that several dimensions are digits of, which
is how reshapes are stated, is the sum of these times what is inside of each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Expression, FloorDiv, LoopIndex, Mod, constant, loop
from volcli.presburger.measures.extremes import interval


@dataclass(frozen=True)
class Position:
    """What a loop is, over the indices of the element, if all of `zero` are 0; modulo `modulus`, if any."""

    value: Expression
    zero: tuple[Expression, ...] = ()
    modulus: int | None = None


Positions = Mapping[LoopIndex, "Position | None"]
"""The loops that elements are computed from; None: it is not known how."""


def positions_of(element: Sequence[Expression], domain: isl.Set) -> Positions:
    """What each loop is that ELEMENT is computed from: see the module."""
    found: dict[LoopIndex, Position | None] = {}
    for dimension, each in enumerate(element):
        digits = _digits(dimension, each, domain)
        shared = found.keys() & digits.keys()
        found |= digits | dict.fromkeys(shared)
    for unknown in [atom for atom, each in found.items() if each is None]:
        found[unknown] = _of_digits(unknown, element, domain)
    return found


def _digits(dimension: int, element: Expression, domain: isl.Set) -> dict[LoopIndex, Position | None]:
    """What each loop is that ELEMENT, along DIMENSION, is computed from: see the module. None: not known."""
    index = loop(dimension)
    if len(element.terms) == 1 and isinstance(atom := element.terms[0][0], LoopIndex):
        factor = element.terms[0][1]
        moved = (index - element.constant) * (1 if factor > 0 else -1)
        zero = () if abs(factor) == 1 else (moved % abs(factor),)
        return {atom: Position(moved // abs(factor), zero)}
    loops = [(c, atom) for atom, c in element.terms if isinstance(atom, LoopIndex)]
    inside = [atom for atom in element.atoms() if isinstance(atom, LoopIndex)]
    unknown = dict[LoopIndex, Position | None].fromkeys(inside)
    ranges = [ends_of(domain, atom.position) for _, atom in loops]
    if len(loops) < len(element.terms) or None in ranges or any(c <= 0 for c, _ in loops):
        return unknown
    least = element.constant
    sized = list[tuple[int, LoopIndex, int, int]]()
    for (c, atom), ends in zip(loops, ranges, strict=True):
        if ends is not None:
            sized.append((c, atom, *ends))
            least += c * ends[0]
    sized.sort(key=lambda each: -each[0])
    found: dict[LoopIndex, Position | None] = {}
    for k, (c, atom, low, _) in enumerate(sized):
        rest = sum(other * (end - begin) for other, _, begin, end in sized[k + 1 :])
        above = sized[k - 1][0] if k else None
        if rest >= c or (above is not None and any(each[0] % above for each in sized[:k])):
            return unknown
        found[atom] = Position((index - least if above is None else (index - least) % above) // c + low)
    return found


def _of_digits(position: LoopIndex, element: Sequence[Expression], domain: isl.Set) -> Position | None:
    """POSITION, if dimensions of ELEMENT are its digits, the product of the inner sizes: see the module."""
    digits: list[tuple[int, int | None, int]] = []
    for dimension, each in enumerate(element):
        if not each.is_constant and (digit := _digit(each, position)) is not None:
            digits.append((*digit, dimension))
        elif position in each.atoms():
            return None
    digits.sort(key=lambda digit: digit[0])
    value, inner = constant(0), 1
    for step, size, dimension in digits:
        if step != inner:
            return None
        value += loop(dimension) * step
        if size is None:
            return Position(value)
        inner *= size
    ends = ends_of(domain, position.position)
    is_within = ends is not None and ends[0] >= 0 and ends[1] < inner
    return Position(value, modulus=None if is_within else inner)


def _digit(element: Expression, position: LoopIndex) -> tuple[int, int | None] | None:
    """The a and b of `POSITION floordiv a mod b`, which ELEMENT is; b is None without a remainder."""
    atom, size, step = element.single_atom, None, 1
    if isinstance(atom, Mod):
        atom, size = atom.numerator.single_atom, atom.divisor
    if isinstance(atom, FloorDiv):
        atom, step = atom.numerator.single_atom, atom.divisor
    return (step, size) if atom == position else None


def ends_of(domain: isl.Set, position: int) -> tuple[int, int] | None:
    """The least and the greatest number of a loop in DOMAIN for all parameters; None if there is none."""
    low, high = interval(domain, position)
    return None if low is None or high is None else (low, high)
