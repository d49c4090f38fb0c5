"""Small instances of a function: sizes and index arguments that cover what may make a difference."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import Attribute

from volcli.execution.runs.inputs import Inputs
from volcli.limits import execution as limits

SMALL = (0, 1, 2, 3, 5)
"""Empty, one, even, odd, and a size that no small tile divides."""
LARGER = (9, 17)
"""Sizes that no tile of 2, 4, 8 or 16 divides."""
NEGATIVE = -3
EQUAL = (3, 9)
"""The sizes of instances in which all are equal."""

Parameter = tuple[str, int | None]
"""An argument and its dimension, or an index argument and None."""


def parameters(names: Sequence[str], kinds: Sequence[Attribute]) -> list[Parameter]:
    """What an execution of a function with arguments of these KINDS must choose: sizes and index values."""
    found: list[Parameter] = []
    for name, kind in zip(names, kinds, strict=True):
        if isinstance(kind, IndexType):
            found.append((name, None))
        elif isinstance(kind, ShapedType):
            found += [(name, d) for d, size in enumerate(kind.get_shape()) if size == DYNAMIC_INDEX]
    return found


def small(names: Sequence[str], kinds: Sequence[Attribute], base: Inputs) -> list[Inputs]:
    """Instances of BASE, of which there are few, in which its unknown sizes and index values are SMALL.

    All combinations where they are few; else all equal ones, each parameter alone at each number, and random
    combinations: the same ones in each run.
    """
    free = _free(names, kinds, base)
    return [_instance(base, free, values) for values in covering(len(free))]


def uncommon(names: Sequence[str], kinds: Sequence[Attribute], base: Inputs) -> list[Inputs]:
    """Instances of BASE that small ones leave out: all sizes 9, all 17, and negative index values."""
    free = _free(names, kinds, base)
    chosen = [[size] * len(free) for size in LARGER if free]
    if any(dimension is None for _, dimension in free):
        chosen.append([NEGATIVE if dimension is None else SMALL[-1] for _, dimension in free])
    return [_instance(base, free, values) for values in chosen]


def all_equal(names: Sequence[str], kinds: Sequence[Attribute], base: Inputs, value: int) -> Inputs:
    """The instance of BASE in which all unknown sizes and index values are VALUE."""
    free = _free(names, kinds, base)
    return _instance(base, free, [value] * len(free))


def alike(names: Sequence[str], kinds: Sequence[Attribute], base: Inputs) -> list[Inputs]:
    """Instances of BASE in which all unknown sizes, index values and integers are one number.

    So integers that programs from C pass as sizes are sizes.
    """
    free = _free(names, kinds, base)
    pairs = zip(names, kinds, strict=True)
    integers = [(name, None) for name, kind in pairs if isinstance(kind, IntegerType) and kind.bitwidth > 8]
    chosen = [*free, *(each for each in integers if each[0] not in base.numbers)]
    return [_instance(base, chosen, [size] * len(chosen)) for size in EQUAL] if integers else []


def _free(names: Sequence[str], kinds: Sequence[Attribute], base: Inputs) -> list[Parameter]:
    known = {*base.sizes, *((name, None) for name in base.numbers)}
    return [each for each in parameters(names, kinds) if each not in known]


def covering(count: int) -> list[tuple[int, ...]]:
    """Values for COUNT parameters.

    >>> covering(1), len(covering(2)), len(covering(9))
    ([(3,), (2,), (1,), (0,), (5,)], 25, 64)
    """
    ordered = sorted(SMALL, key=lambda value: (value != 3, value == 5, -value))
    if len(SMALL) ** count <= limits.INSTANCES:
        return list(itertools.product(ordered, repeat=count))
    found = dict.fromkeys((value,) * count for value in ordered)
    for position in range(count):
        for value in ordered:
            found.setdefault(tuple(value if k == position else 3 for k in range(count)))
    chance = random.Random(count)
    while len(found) < limits.INSTANCES:
        found.setdefault(tuple(chance.choice(SMALL) for _ in range(count)))
    return list(found)[: limits.INSTANCES]


def _instance(base: Inputs, free: Sequence[Parameter], values: Sequence[int]) -> Inputs:
    sizes, numbers = dict(base.sizes), dict(base.numbers)
    for (name, dimension), value in zip(free, values, strict=True):
        if dimension is None:
            numbers[name] = value
        else:
            sizes[name, dimension] = value
    return Inputs(sizes, numbers, base.elements, base.kind, base.size, base.seed)
