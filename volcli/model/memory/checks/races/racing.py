"""For which arguments two accesses race: whenever their loops have two iterations each, or for some only.

Let D and E be the iterations of the loops around two accesses, and R the arguments for which they race. A
loop with one iteration is not parallel. So they race in any case if they do for all arguments for which each
loop around both of them has two iterations, if it ever has:

    { a : for each loop k, there are i in D(a) and j in E(a) with i_k != j_k }  is a part of  R

    scf.parallel i < %n { store %m[0] }                                 races in any case
    scf.parallel i < %n, j < %k { store %m[i + j] }                     races in any case
    scf.parallel i < %n { store %m[i]; load %m[i + 4] }                 races for %n >= 5: needs %n <= 4
    scf.parallel i < 2 { if i < %n { store %m[0] } }                    races for %n >= 2: needs %n <= 1

D and E are what the bounds of the loops allow. What decides inside of the loop whether an access runs, a
branch or a mask, has no part in them: if arguments decide that, there is a race for some arguments only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import islpy as isl

from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import (
    CallArguments,
    CertainIterations,
    certainty,
    without_unknown,
)
from volcli.presburger.sets.build import DIM


def racing(
    memory: Memory, points: isl.Set, possible: isl.Set, domains: Callable[[], Sequence[isl.Set]], common: int
) -> CallArguments:
    """The arguments for which there are POINTS, of two accesses in loops of DOMAINS, COMMON ones the first.

    It may happen where there are POSSIBLE ones. What `runs` is that each of these loops has two iterations.
    """
    found = _certain(memory, points)
    surely = found.forced.params()
    may = (found if possible is points else _certain(memory, possible)).possible.params()
    if surely.plain_is_universe():
        return CallArguments(surely, may, surely)
    first, second = domains()
    runs = _repeated(memory, first, second, common)
    return CallArguments(surely, may, runs)


def _certain(memory: Memory, points: isl.Set) -> CertainIterations:
    given = isl.Set.from_params(points.params())
    return certainty(memory, given, isl.Set.universe(given.get_space()))


def united(found: Sequence[CallArguments]) -> CallArguments:
    """The arguments for which anything happens that is FOUND, which is not empty."""
    surely, may, runs = (
        _union(sets) for sets in ((c.surely for c in found), (c.may for c in found), (c.runs for c in found))
    )
    return CallArguments(surely, may, runs)


def happens_always(calls: CallArguments) -> bool:
    """Whether something happens in all CALLS in which it may at all."""
    return not calls.runs.is_empty() and bool(calls.runs.is_subset(calls.surely))


def _union(sets: Iterable[isl.Set]) -> isl.Set:
    first, *others = sets
    for each in others:
        first = first.union(each)
    return first.coalesce()


def _repeated(memory: Memory, first: isl.Set, second: isl.Set, common: int) -> isl.Set:
    """The arguments for which each COMMON loop of FIRST and SECOND has two iterations, if it ever has."""
    one, other = (each.project_out(DIM.set, common, each.dim(DIM.set) - common) for each in (first, second))
    one, other = without_unknown(memory, one), without_unknown(memory, other)
    result = one.params().intersect(other.params())
    for position in range(common):
        before, behind = (_only(each, position) for each in (one, other))
        apart = before.lex_lt_set(behind).union(before.lex_gt_set(behind)).domain().params()
        result = result if apart.is_empty() else result.intersect(apart)
    return result.coalesce()


def _only(points: isl.Set, position: int) -> isl.Set:
    """The coordinate at POSITION of POINTS."""
    points = points.project_out(DIM.set, position + 1, points.dim(DIM.set) - position - 1)
    return points.project_out(DIM.set, 0, position)
