"""For which arguments an iteration occurs in which something fails, where loops have steps that are values.

Let F be a set of numbers of a loop `i = l, l + s, l + 2 * s, ... < u`, by its arguments. That some number of
the loop is in F is not a Presburger formula. It is implied by each of these, which are:

    l in F          l + s in F          all y with max(l, u - s) <= y < u are in F, and l < u

since the last iteration is among those y, whichever it is. And it implies that some i with l <= i < u is in
F. Where the two are the same, that is when something fails:

    tiles [i, min(i + s, n)) of [0, n) in a buffer of size d        fails in (n - s, n) if n > d; so for n > d
"""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from volcli.language.expressions import Expression, Value, loop, maximum, parameter
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.domains.domain import equated
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import without

_FIRST, _BEHIND, _STEP = "first", "behind", "step"


def certainly(memory: Memory, fails: isl.Set, site: Site) -> isl.Set:
    """The parameters for which it is certain that some iteration of the loops around SITE is in FAILS.

    FAILS is over these loops as if they were dense, which MEMORY takes them to be.
    """
    strides = {stride.position for stride in memory.strides.of(site.levels)}
    for position in reversed(range(len(site.levels))):
        if position in strides:
            fails = _some(memory, fails, site.levels[: position + 1])
        else:
            fails = fails.project_out(DIM.set, position, 1)
        fails = fails.coalesce()
    return fails.params()


def _some(memory: Memory, fails: isl.Set, levels: tuple[Level, ...]) -> isl.Set:
    """The iterations of all LEVELS but the last one, in which one of that one is certainly in FAILS."""
    induction, last = levels[-1].induction, len(levels) - 1
    assert induction is not None
    resolve = memory.bounds.definitions.resolve
    numbers = {
        _FIRST: maximum(*map(resolve, induction.lower)),
        _BEHIND: -maximum(*(-resolve(e) for e in induction.upper)),
        _STEP: resolve(induction.step),
    }
    bounds = _bounds(memory, numbers, levels[:-1])
    if bounds is None:
        return isl.Set.empty(fails.project_out(DIM.set, last, 1).get_space())
    around = bounds.insert_dims(DIM.set, last, 1)
    given = fails.intersect(around)
    i, (first, behind, step) = loop(last), map(parameter, numbers)

    def where(points: isl.Set, *conditions: Expression) -> isl.Set:
        return points.intersect(build.nonnegative(last + 1, conditions))

    def some(points: isl.Set) -> isl.Set:
        return points.project_out(DIM.set, last, 1)

    window = where(around, i - first, i - behind + step, behind - i - 1)
    found = some(window).subtract(some(window.subtract(given)))
    for known in (first, first + step):
        found = found.union(some(where(given, i - known, known - i)))
    return without(found, *numbers)


def _bounds(memory: Memory, numbers: Mapping[str, Expression], levels: tuple[Level, ...]) -> isl.Set | None:
    """The NUMBERS, as parameters, in each iteration of LEVELS; None if they are not known exactly."""
    elimination, kept = memory.bounds.elimination, memory.instances.determined.kept(levels)
    equations = [parameter(name) - e for name, e in numbers.items()]
    known = elimination.conjunction(equations, (parameter(_STEP) - 1,))
    known = elimination.onto(kept, known, elimination.all_variables(numbers.values()))
    if not known.exact:
        return None
    found = isl.Set.from_params(known.points).add_dims(DIM.set, len(levels))
    for position, level in enumerate(levels):
        if level.variable is not None:
            found = equated(found, DIM.set, position, elimination.name(Value(level.variable)))
    return found
