"""Sets over variables, with what they are worth: exact or not, and why."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cache

import islpy as isl

from volcli.limits import values as limits
from volcli.limits.presburger import LARGE_DIVISIONS
from volcli.model.values.terms.variables import Variable
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.box import simple_hull
from volcli.presburger.sets import build
from volcli.presburger.sets.unwieldy import divisions, is_unwieldy


@dataclass(frozen=True)
class Kept:
    """The variables that an answer may speak of; `key` tells two of them apart."""

    key: Hashable
    contains: Callable[[Variable], bool] = field(compare=False)


NOTHING = Kept("nothing", lambda _: False)


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of variables: they lie in `points`, a set over their names; all of it, if exact.

    It is `coalesced` if its pieces were joined where they can be.
    """

    points: isl.Set
    exact: bool = True
    because: str | None = None
    coalesced: bool = False


def intersection(left: Known, right: Known) -> Known:
    """What LEFT and RIGHT say together."""
    if left is always():
        return right
    if right is always():
        return left
    because = left.because if left.because is not None else right.because
    return Known(left.points.intersect(right.points), left.exact and right.exact, because)


TOO_MANY = f"more than {limits.PIECES} alternatives"


def conjunction(left: Known, right: Known) -> Known:
    """What LEFT and RIGHT say together; LEFT alone, if that has too many pieces.

    Of n conditions `x_k != 0` there are 2^n pieces.
    """
    both = intersection(left, right)
    if both.points.n_basic_set() <= limits.PIECES:
        return both
    return Known(left.points, False, TOO_MANY)


def simple(known: Known) -> Known:
    """KNOWN in few pieces; in one that holds them all, if they are too many.

    Of a piece that is unwieldy nothing is kept that has to do with divisions.
    """
    points = known.points
    if (too_many := _too_many_divisions(points)) is not None:
        because = too_many if known.exact else known.because
        return simple(Known(_without_divisions(points), False, because))
    if not known.exact and _takes_long(points):
        return Known(_hull(points), False, known.because)
    if known.exact and divisions(points) > limits.DIVISIONS_OF_A_SET:
        because = f"more than {limits.DIVISIONS_OF_A_SET} divisions in all alternatives"
        return Known(_hull(points), False, because)
    if points.n_basic_set() > 1 and not known.coalesced:
        points = points.coalesce()
        most = limits.PIECES if known.exact else _most_approximate(points)
        if points.n_basic_set() > most:
            because = TOO_MANY if known.exact else known.because
            return Known(_hull(points), False, because)
    return Known(points, known.exact, known.because, coalesced=True)


def _most_approximate(points: isl.Set) -> int:
    """How many pieces POINTS may have, which are more than there are."""
    is_divided = any(part.dim(build.DIM.div) for part in points.get_basic_sets())
    return limits.DIVIDED_PIECES if is_divided else limits.APPROXIMATE_PIECES


def _too_many_divisions(points: isl.Set) -> str | None:
    """Why the divisions in a piece of POINTS are too many; None if they are not."""
    parts = points.get_basic_sets()
    if any(part.dim(build.DIM.div) > limits.DIVISIONS_OF_A_PIECE for part in parts):
        return f"more than {limits.DIVISIONS_OF_A_PIECE} divisions"
    if any(is_unwieldy([part]) for part in parts):
        return f"more than {LARGE_DIVISIONS} divisions of large numbers"
    return None


def _takes_long(points: isl.Set) -> bool:
    """Whether POINTS have several pieces, and so many coefficients that to join these takes long.

    Each piece is compared with each constraint of the others. With divisions that costs more than it brings:
    of 24 pieces with 20 constraints each, more than `DIVIDED_PIECES` are left nearly always.
    """
    if points.n_basic_set() <= limits.CHEAP_PIECES:
        return False
    parts = points.get_basic_sets()
    constraints = sum(part.n_constraint() for part in parts)
    divisions = max(part.dim(build.DIM.div) for part in parts)
    coefficients = constraints * (points.dim(build.DIM.param) + divisions)
    if coefficients > limits.JOINED_COEFFICIENTS:
        return True
    return divisions > 0 and coefficients * len(parts) > limits.DIVIDED_COEFFICIENTS


def _hull(points: isl.Set) -> isl.Set:
    """The simple hull of POINTS; where divisions are of large numbers, of what is without them."""
    return simple_hull(_without_divisions(points) if is_unwieldy(points.get_basic_sets()) else points)


def _without_divisions(points: isl.Set) -> isl.Set:
    """What each piece of POINTS says without its divisions: a superset."""
    result = isl.Set.empty(points.get_space())
    for part in points.get_basic_sets():
        rest = part.drop_constraints_involving_dims(build.DIM.div, 0, part.dim(build.DIM.div))
        result = result.union(isl.Set.from_basic_set(rest))
    return result


def complement(points: isl.Set) -> isl.Set:
    """What is not in POINTS; raises BudgetExceeded where that is in too many cases to tell apart.

    Each piece is outside of one of the constraints, and of all that came before; of a piece with k divisions,
    that is also asked of their ranges.
    """
    with budget(limits.COMPLEMENT_OPERATIONS):
        return points.complement()


def surely_outside(points: isl.Set) -> isl.Set:
    """What is not in POINTS, or a part of it: what is outside of a simpler superset.

    >>> surely_outside(isl.Set("[x] -> { : x > 7 or x < 3 }"))
    Set("[x] -> {  : 3 <= x <= 7 }")
    """
    for superset in (lambda: points, lambda: _without_divisions(points)):
        try:
            return complement(superset())
        except BudgetExceeded:
            continue
    return _hull(points).complement()


def union(left: Known, right: Known) -> Known:
    """What holds if LEFT or RIGHT does."""
    because = left.because if left.because is not None else right.because
    return Known(left.points.union(right.points), left.exact and right.exact, because)


@cache
def always() -> Known:
    """Nothing is known."""
    return Known(isl.Set.universe(build.space((), 0)).params())


def never() -> Known:
    """Nothing is possible."""
    return Known(isl.Set.empty(build.space((), 0)).params())


def dimension(points: isl.Set, name: str) -> isl.Set:
    """The parameter NAME as the only dimension of a set."""
    position = points.find_dim_by_name(build.DIM.param, name)
    result = isl.Set.from_params(points)
    if position < 0:
        return result.add_dims(build.DIM.set, 1)
    return result.move_dims(build.DIM.set, 0, build.DIM.param, position, 1)
