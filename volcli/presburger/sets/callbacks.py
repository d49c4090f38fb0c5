"""What isl calls for each point or piece; the only place that passes it a function of Python.

isl cannot pass an exception on: one that leaves a callback ends as a traceback on stderr, and as an error of
isl without its cause. A callback of this module keeps what was raised, tells isl to stop, and what was raised
is raised again once isl has returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, cast

import islpy as isl

P = ParamSpec("P")


def points_of(points: isl.Set) -> list[isl.Point]:
    """The points of a bounded set.

    >>> points_of(isl.Set("{ [i] : 0 <= i < 9 and i mod 4 = 1 }"))
    [Point("{ [1] }"), Point("{ [5] }")]
    """
    found: list[isl.Point] = []
    visit(points.foreach_point, found.append)
    return found


def maps_of(relations: isl.UnionMap) -> list[isl.Map]:
    """The relations in RELATIONS, one for each pair of spaces."""
    every = relations.get_map_list()
    return [every.get_at(number) for number in range(every.n_map())]


def pieces(function: isl.PwAff) -> list[tuple[isl.Set, isl.Aff]]:
    """The pieces of a piecewise quasi-affine FUNCTION: where, and what."""
    found: list[tuple[isl.Set, isl.Aff]] = []

    def take(where: isl.Set, what: isl.Aff) -> None:
        found.append((where, what))

    visit(function.foreach_piece, take)
    return found


def map_pieces(function: isl.PwMultiAff) -> list[tuple[isl.Set, isl.MultiAff]]:
    """The pieces of a piecewise quasi-affine map."""
    found: list[tuple[isl.Set, isl.MultiAff]] = []

    def take(where: isl.Set, what: isl.MultiAff) -> None:
        found.append((where, what))

    visit(function.foreach_piece, take)
    return found


def visit(each: Callable[[Callable[P, None]], None], take: Callable[P, None]) -> None:
    """Call EACH, a function of isl, with TAKE as its callback; what TAKE raises is raised after EACH."""
    raised: list[BaseException] = []

    def carried(*found: P.args, **named: P.kwargs) -> isl.stat:
        try:
            take(*found, **named)
        except BaseException as error:  # KeyboardInterrupt and NeedsWorker, too
            raised.append(error)
            return isl.stat.error
        return isl.stat.ok

    try:
        each(cast(Callable[P, None], carried))  # isl reads what islpy does not declare: whether to go on
    except Exception:
        if not raised:
            raise
    if raised:
        raise raised[0]
