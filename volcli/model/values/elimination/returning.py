"""The states of a loop that returns to the same ones, which isl's transitive closure mostly does not find.

Let R be a step, S_0 the first states and S_k = R(S_{k-1}). A column *counts* if each step makes it d more and
does not look at it, but for when it ends: R(x + d) = R(x) + d. If then, for some k and p,

    S_{k+p} = S_k + p * d         S_{k+r+m*p} = S_{k+r} + m * p * d   for each r < p and m >= 0

`[i, a] -> [i + 1, 5 - a]` from `[0, 1]`: `[2m, 1]` and `[2m + 1, 4]`.

Where the loop runs while the column is in D, and x - d is in D if x is, a state is reached if it is a first
one, or if the number before its own is in D.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, reduce

import islpy as isl

from volcli.limits import values as limits
from volcli.presburger.sets.build import DIM


def returning(first: isl.Set, step: isl.Map) -> isl.Set | None:
    """What any number of STEPs makes of the FIRST states; None if they are not seen to return.

    >>> first, step = isl.Set("{ [0, 1] }"), isl.Map("{ [i, a] -> [i + 1, 5 - a] }")
    >>> str(returning(first, step))
    '{ [i0, 4] : (i0) mod 2 = 1 and i0 > 0; [i0, 1] : (i0) mod 2 = 0 and i0 >= 0 }'
    """
    counting = _counting(step)
    if counting is None:
        return None
    sets = [first]
    for k in range(1, limits.RETURNING_STEPS + 1):
        now = sets[-1].apply(counting.step).coalesce()
        if now.is_empty():
            return counting.reached(first, sets[1:])
        for period in range(1, k + 1):
            if now.is_equal(sets[k - period].apply(counting.translation(period))):
                later = [each.apply(counting.multiples(period)) for each in sets[k - period :]]
                return counting.reached(first, [*sets[1:], *later])
        if now.n_basic_set() > limits.PIECES:
            return None
        sets.append(now)
    return None


@dataclass(frozen=True, eq=False)
class _Counting:
    """A STEP in which COLUMN becomes BY more, and is not looked at; it is taken from states WITHIN."""

    step: isl.Map
    column: int
    by: int
    within: isl.Set

    def translation(self, steps: int) -> isl.Map:
        """To what the column is after so many STEPS."""
        return _translation(self.step.dim(DIM.in_), self.column, str(self.by * steps))

    def multiples(self, steps: int) -> isl.Map:
        """To what the column is after any multiple of so many STEPS."""
        return _translation(self.step.dim(DIM.in_), self.column, f"{self.by * steps} e")

    def reached(self, first: isl.Set, later: list[isl.Set]) -> isl.Set:
        """The FIRST states, and those of LATER ones that are reached from WITHIN."""
        inside = self.within.apply(self.translation(1))
        return reduce(isl.Set.union, (each.intersect(inside) for each in later), first).coalesce()


def _counting(step: isl.Map) -> _Counting | None:
    """STEP by its one column that counts; None if it has none, or others move by a number, too."""
    moves = step.deltas()
    fixed = [moves.plain_get_val_if_fixed(DIM.set, k) for k in range(moves.dim(DIM.set))]
    moving = [k for k, by in enumerate(fixed) if by.is_int() and not by.is_zero()]
    if len(moving) != 1:
        return None
    (column,) = moving
    by = fixed[column].to_python()
    kinds = (DIM.in_, DIM.out)
    free = step
    for kind in kinds:
        free = free.project_out(kind, column, 1).insert_dims(kind, column, 1)
    others = [k for k in range(step.dim(DIM.in_)) if k != column]
    moved = _translation(step.dim(DIM.in_), column, str(by))
    for k in others:
        for kind in kinds:
            moved = moved.project_out(kind, k, 1).insert_dims(kind, k, 1)
    free = free.intersect(moved)
    within = step.domain()
    for k in others:
        within = within.project_out(DIM.set, k, 1).insert_dims(DIM.set, k, 1)
    found = _Counting(free, column, by, within)
    if not free.intersect_domain(within).is_equal(step):
        return None
    before = within.apply(found.translation(-1))
    return found if before.is_subset(within) else None


@cache
def _translation(dims: int, column: int, by: str) -> isl.Map:
    """Of DIMS dimensions, that COLUMN becomes BY more: a number, or a multiple e >= 0 of one."""
    names = [f"x{k}" for k in range(dims)]
    to = [f"{name} + {by}" if k == column else name for k, name in enumerate(names)]
    where = "exists e : e >= 0 and" if by.endswith("e") else ""
    if not where:
        return isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(to)}] }}")
    out = [f"y{k}" for k in range(dims)]
    same = " and ".join(f"{new} = {old}" for new, old in zip(out, to, strict=True))
    return isl.Map(f"{{ [{', '.join(names)}] -> [{', '.join(out)}] : {where} {same} }}")
