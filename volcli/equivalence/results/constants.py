"""The numbers that constants hold: `dense<[1.0, 2.0, 1.0]>` is 1.0 at [0] and [2]; a copy may read either."""

from __future__ import annotations

import math
import struct
from functools import cache
from typing import Any, cast

import islpy as isl
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, i1
from xdsl.ir import Operation

from volcli.equivalence.paths.ends import Ends
from volcli.equivalence.paths.leaves import Leaf, LeafKind, constant_leaf
from volcli.language import questions
from volcli.limits import equivalence as limits
from volcli.presburger.measures.points import coordinates
from volcli.presburger.sets.build import DIM

Number = int | str
"""An integer, or another number as the leaf of a constant says it."""


def truth_or_number(number: int, kind: object) -> int:
    """The NUMBER of a constant of KIND; a truth, of which -1 may be said as well, is 0 or 1."""
    return number & 1 if kind == i1 else number


def number_at(leaf: Leaf, element: tuple[int, ...]) -> Number | None:
    """What the number at ELEMENT of the constant LEAF is; None if it is not known."""
    if leaf.kind is LeafKind.NUMBER:
        return element[0]
    if leaf.kind is not LeafKind.CONSTANT:
        return None
    if leaf.rank == 0:
        return leaf.what if isinstance(leaf.what, str) else None
    if not isinstance(leaf.what, DenseIntOrFPElementsAttr):
        return None
    literal = cast("DenseIntOrFPElementsAttr[Any]", leaf.what)
    numbers, position = _numbers(literal), 0
    for size, index in zip(literal.get_shape(), element, strict=True):
        position = position * size + index
    number = numbers[position if len(numbers) > 1 else 0]
    kind = literal.get_element_type()
    if isinstance(number, int):
        return truth_or_number(number, kind)
    found = constant_leaf(number, kind).what if isinstance(number, float) else None
    return found if isinstance(found, str) else None


def by_number(leaf: Leaf, elements: isl.Set) -> dict[Number, isl.Set]:
    """The ELEMENTS of LEAF that are each number, if all of them are known and not too many; else nothing.

    Of `dense<[1, 2, 1]>` 1 is at [0] and [2], and 2 at [1].
    """
    if leaf.kind is LeafKind.CONSTANT and leaf.rank == 0:
        number = number_at(leaf, ())
        return {} if number is None else {number: elements}
    found: dict[Number, isl.Set] = {}
    elements = elements.project_out(DIM.param, 0, elements.dim(DIM.param))
    if not elements.is_bounded():
        return {}
    for _ in range(limits.CONSTANT_ELEMENTS):
        if elements.is_empty():
            return {number: each.coalesce() for number, each in found.items()}
        point = elements.sample_point()
        number = number_at(leaf, coordinates(point))
        if number is None:
            return {}
        one = isl.Set.from_point(point)
        found[number] = found[number].union(one) if number in found else one
        elements = elements.subtract(one)
    return {}


def same_numbers(one: Leaf, other: Leaf, related: isl.Map) -> bool:
    """Whether elements of two constants that are RELATED are the same number, as far as that is known."""
    if related.is_empty():
        return True
    parts = by_number(one, related.domain())
    return bool(parts) and all(
        by_number(other, related.intersect_domain(part).range()).keys() == {number}
        for number, part in parts.items()
    )


def has_special_number(op: Operation) -> bool:
    """Whether OP is a constant that holds NaN or an infinity."""
    return any(not math.isfinite(each) for each in _floats(op))


def bits_of_nan(op: Operation) -> set[bytes]:
    """What each NaN that the constant OP holds is, as 64 bits."""
    return {struct.pack(">d", each) for each in _floats(op) if math.isnan(each)}


def _floats(op: Operation) -> list[float]:
    """The floats that OP is, if it is a constant."""
    literal = questions.literal(op)
    if isinstance(literal, DenseIntOrFPElementsAttr):
        numbers = _numbers(cast("DenseIntOrFPElementsAttr[Any]", literal))
    else:
        numbers = (questions.constant_fill(op),)
    return [each for each in numbers if isinstance(each, float)]


@cache
def _numbers(literal: DenseIntOrFPElementsAttr[Any]) -> tuple[object, ...]:
    return tuple(literal.get_values())


def numbers_at(ends: Ends, element: isl.Set) -> set[Number | None]:
    """The numbers that are copied to the point ELEMENT by the paths to ENDS; None among them if unknown."""
    found: set[Number | None] = set()
    for leaf, paths in ends.items():
        if not isinstance(leaf, Leaf) or leaf.kind not in (LeafKind.CONSTANT, LeafKind.NUMBER):
            continue
        there = paths.support.intersect_domain(element).range()
        while not there.is_empty():
            if len(found) > limits.CONSTANT_EXAMPLES:
                return {None}
            each = there.sample_point()
            found.add(number_at(leaf, coordinates(each)))
            there = there.subtract(isl.Set.from_point(each))
    return found
