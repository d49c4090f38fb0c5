"""Elements of a result that are likely to differ if a program is wrong: those at borders, then others.

A border is where something begins or ends: a tensor, a slice, the padding, a tile, a part of a concatenation.
Which of the numbers in a program say so is not asked: of each number c, the indices c - 1 and c count, and
those as far from the end, and the first index of the last, incomplete tile of the size c.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# Attributes are of any kind.

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    ShapedType,
)
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineConstantExpr

from volcli.limits import execution as limits


def numbers_of(function: Operation) -> set[int]:
    """The numbers in the text of FUNCTION: sizes, offsets, steps, bounds."""
    found: set[int] = set()
    for op in function.walk():
        waiting: list[Any] = [*op.attributes.values(), *op.properties.values()]
        waiting += [each.type for each in (*op.results, *op.operands)]
        for each in waiting:
            found.update(_numbers(each))
    return found


def _numbers(attribute: Attribute) -> Iterator[int]:
    waiting: list[Any] = [attribute]
    while waiting:
        each = waiting.pop()
        match each:
            case IntegerAttr():
                yield each.value.data
            case IntAttr():
                yield each.data
            case DenseArrayBase() | DenseIntOrFPElementsAttr() if _is_short(each):
                yield from (int(n) for n in each.get_values() if n == int(n))
            case AffineMapAttr():
                waiting += each.data.results
            case AffineSetAttr():
                waiting += [side for c in each.data.constraints for side in (c.lhs, c.rhs)]
            case AffineBinaryOpExpr():
                waiting += [each.lhs, each.rhs]
            case AffineConstantExpr():
                yield each.value
            case ArrayAttr():
                waiting += each.data
            case ShapedType():
                yield from each.get_shape()
            case _:
                pass


def _is_short(numbers: Any) -> bool:
    """Whether NUMBERS are few whole ones, and not data."""
    kind = numbers.elt_type if isinstance(numbers, DenseArrayBase) else numbers.get_element_type()
    return isinstance(kind, IntegerType | IndexType) and len(numbers) <= limits.DRAWN_NUMBERS


def borders(size: int, numbers: Iterable[int], chance: random.Random) -> list[int]:
    """Indices of a dimension of SIZE: the first, the last, and borders by NUMBERS, drawn if there are many.

    >>> borders(100, [32], random.Random(0))
    [0, 99, 96, 1, 2, 97, 98, 31, 32, 67, 68, 95]
    """
    found = dict.fromkeys([0, size - 1])
    ends: dict[int, None] = {}
    others: dict[int, None] = {}
    for number in sorted({2, *map(abs, numbers)}):
        if 1 < number < size:
            ends[size // number * number] = None
            last = size // number * number - 1
            others |= dict.fromkeys([number - 1, number, size - number - 1, size - number, last])
    rest = [each for each in others if each not in ends]
    if len(rest) > limits.DRAWN_BORDERS:
        rest = sorted(chance.sample(rest, limits.DRAWN_BORDERS))
    found |= dict.fromkeys([*ends, *rest])
    return [each for each in found if 0 <= each < size]


def drawn(sizes: Sequence[int], numbers: Iterable[int], seed: int) -> list[tuple[int, ...]]:
    """Some elements of a result of SIZES: corners, each border with other indices drawn, then any.

    The first one is not on a diagonal, on which what is transposed does not move. Other seeds draw others. An
    empty result has none, a scalar one.
    """
    if not all(sizes):
        return []
    chance = random.Random(seed)
    numbers = list(numbers)
    along = [borders(size, numbers, chance) for size in sizes]
    ends = [n - 1 for n in sizes]
    found = dict.fromkeys([tuple(n * (d % 2) for d, n in enumerate(ends)), tuple(0 for _ in sizes)])
    found |= dict.fromkeys([tuple(ends), tuple(n * ((d + 1) % 2) for d, n in enumerate(ends))])
    lines = [(d, at) for d, indices in enumerate(along) for at in indices]
    chance.shuffle(lines)
    for d, at in lines[: limits.DRAWN_ELEMENTS // 2]:
        near = tuple(chance.choice(indices) for indices in along)
        found[(*near[:d], at, *near[d + 1 :])] = None
    for _ in range(limits.DRAWN_ELEMENTS):
        found[tuple(chance.randrange(n) for n in sizes)] = None
    return list(found)[: limits.DRAWN_ELEMENTS]
