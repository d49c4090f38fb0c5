"""Coordinates of elements that are a multiple of one loop's variable, but for what no loop changes.

Where a coordinate is `c * i + p` in a source and `c * i' + q` in a sink, they go to one element only if
i' - i = (p - q) / c, whatever the iterations are and all else is. So most pairs are refuted in most loops:

    for i { for j { store %m[i + %n, j]; load %m[i + %n, j + 2] } }      distances 0 and -2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from volcli.language.expressions import Expression, Index, LoopIndex, Parameter, loop


@dataclass(frozen=True)
class LoopRow:
    """`coefficient * i + rest` with the iteration i of the loop at `position`; None: `rest` alone."""

    position: int | None
    coefficient: int
    rest: Expression


def row_of(index: Index, is_stable: Callable[[Parameter], bool]) -> LoopRow | None:
    """INDEX, over loops and parameters, as a row; None if it is none, or if it has what is not STABLE."""
    if not isinstance(index, Expression):
        return None
    position, coefficient = None, 0
    for atom, factor in index.terms:
        match atom:
            case LoopIndex() if position is None:
                position, coefficient = atom.position, factor
            case Parameter() if is_stable(atom):
                pass
            case _:
                return None
    return LoopRow(position, coefficient, index if position is None else index - loop(position) * coefficient)


def is_refuted(
    source: Sequence[LoopRow | None],
    sink: Sequence[LoopRow | None],
    difference: Sequence[int],
    common: int,
    depth: int,
) -> bool:
    """Whether it shows that they never go to one element at DEPTH, in COMMON loops.

    The offset of SOURCE is that of SINK and the DIFFERENCE.
    """
    for one, other, apart in zip(source, sink, difference, strict=False):
        if one is None or one != other:
            continue
        if one.position is None:
            if apart:
                return True
        elif one.position < common:
            distance, remainder = divmod(apart, one.coefficient)
            is_later = distance > 0 if one.position == depth - 1 else distance == 0 or one.position >= depth
            if remainder or not is_later:
                return True
    return False
