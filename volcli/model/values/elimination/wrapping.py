"""The states of a loop in which a machine integer counts, whose sums may wrap around.

A number w of 32 bits that becomes w + 2 while w < e wraps around for e = 2^31 - 1 alone. Let R be the step,
and R_0 the part of it in which no number wraps around. With the first states S and the parameters P for which
one of R_0*(S) wraps around,

    R*(S) = R_0*(S) outside of P        R*(S) = R*(S) in P

R_0 is a translation, whose closure is exact. P is small, and mostly such that the loop never ends there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import islpy as isl

from volcli.limits.widths import LARGE
from volcli.model.values.terms.constraint_set import Known
from volcli.presburger.sets.build import DIM, number

Reachable = Callable[[isl.Set, isl.Map], Known]


def before_wrapping(first: isl.Set, step: isl.Map, plainly: Reachable, generally: Reachable) -> Known | None:
    """What any number of STEPs makes of the FIRST states: PLAINLY where none wraps around, else GENERALLY.

    None if no step wraps around, or a number does for all parameters.
    """
    plain = _plain(step)
    if plain is None:
        return None
    known = plainly(first, plain)
    if not known.exact:
        return None
    wrapping = known.points.intersect(step.subtract(plain).domain()).params()
    if wrapping.is_empty():
        return known
    outside = wrapping.complement()
    if outside.is_empty():
        return None
    rest = generally(first.intersect_params(wrapping), step.intersect_params(wrapping))
    points = known.points.intersect_params(outside).union(rest.points.intersect_params(wrapping))
    return Known(points.coalesce(), rest.exact, rest.because)


def is_least(first: isl.Set, step: isl.Map, points: isl.Set) -> bool:
    """Whether POINTS, which hold all that is reached from the FIRST states, are no more than that.

    They are if a column grows in each STEP, is not less than some number in them, and each of POINTS is a
    first state or one step after another of them: from any of them one gets back to a first one.

    >>> first, step = (
    ...     isl.Set("{ [0, 0] }"),
    ...     isl.Map("{ [i, a] -> [i + 1, b] : (b - a - 2) mod 6 = 0 and 0 <= b < 6 }"),
    ... )
    >>> is_least(first, step, isl.Set("{ [i, a] : i >= 0 and 0 <= a < 6 and (a - 2 * i) mod 6 = 0 }"))
    True
    >>> is_least(first, step, isl.Set("{ [i, a] : i >= 0 and 0 <= a < 6 }"))
    False
    """
    moves = step.deltas()
    fixed = [moves.plain_get_val_if_fixed(DIM.set, k) for k in range(moves.dim(DIM.set))]
    grows = [k for k, by in enumerate(fixed) if by.is_int() and by.is_pos()]
    parts = [isl.Set.from_basic_set(part) for part in points.get_basic_sets()]
    is_founded = any(all(part.dim_has_lower_bound(DIM.set, k) for part in parts) for k in grows)
    return is_founded and bool(points.is_subset(first.union(points.apply(step))))


def _plain(step: isl.Map) -> isl.Map | None:
    """The part of STEP in which each column moves by its one small number, if it has one; None if all is."""
    moves = step.deltas()
    moves = moves.project_out(DIM.param, 0, moves.dim(DIM.param))
    by = {k: moved for k in range(moves.dim(DIM.set)) if (moved := _small_move(moves, k)) is not None}
    if not by:
        return None
    plain = step.intersect(_moving(moves.dim(DIM.set), tuple(by.items())))
    return None if step.is_subset(plain) else plain


def _small_move(moves: isl.Set, column: int) -> int | None:
    """By what COLUMN moves where that is less than 2^31; None if it is not one number, or the only one."""
    if moves.plain_get_val_if_fixed(DIM.set, column).is_int():
        return None
    line = moves.project_out(DIM.set, column + 1, moves.dim(DIM.set) - column - 1)
    line = line.project_out(DIM.set, 0, column)
    line = line.lower_bound_val(DIM.set, 0, number(1 - LARGE)).upper_bound_val(DIM.set, 0, number(LARGE - 1))
    if line.is_empty():
        return None
    least = line.dim_min_val(0)
    return least.to_python() if least.eq(line.dim_max_val(0)) else None


@cache
def _moving(columns: int, by: tuple[tuple[int, int], ...]) -> isl.Map:
    """Of so many COLUMNS, those of BY become what is said there more."""
    old, new = ([f"{name}{k}" for k in range(columns)] for name in "xy")
    said = " and ".join(f"{new[k]} = {old[k]} + {moved}" for k, moved in by)
    return isl.Map(f"{{ [{', '.join(old)}] -> [{', '.join(new)}] : {said} }}")
