"""What happens in a call of a function: for all arguments, for some, or perhaps for none.

A set of iterations is over parameters: the function's arguments and their sizes, which its caller chooses,
and unknown values (what was loaded, what an unknown operation gives). What happens for some of the
latter may never happen; what happens for all of them does, for some arguments. Where it happens whenever an
operation runs, the program is wrong there or never gets there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import Dim, Value
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.domains.domain import equated
from volcli.model.memory.occurrence.plain_products import with_products
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.extremes import greatest, least
from volcli.presburger.measures.points import least_point
from volcli.presburger.sets.build import DIM, number
from volcli.presburger.sets.names import parameters_of_space, without


@dataclass(frozen=True, eq=False)
class CertainIterations:
    """Iterations that happen whatever the unknown values are, or whenever they run: `points`.

    Those that are `possible` happen for some unknown values. `always`: there are such points whatever the
    arguments are, as long as the operation runs at all. The `forced` ones happen whatever the unknown values
    are: of `if (load %p[0] < %n) store %m[9]`, none is, although what runs is out of bounds.
    """

    points: isl.Set
    possible: isl.Set
    always: bool
    forced: isl.Set


@dataclass(frozen=True, eq=False)
class CallArguments:
    """Arguments of a function, as sets of parameters: of calls in which something `surely` happens, of those
    in which it `may`, for some unknown values, and of those in which what it would happen to `runs` at all.
    """

    surely: isl.Set
    may: isl.Set
    runs: isl.Set


def calls_of(memory: Memory, found: CertainIterations, runs: isl.Set) -> CallArguments:
    """The arguments for which something happens of which this is FOUND, in one of the iterations RUNS."""
    return CallArguments(
        found.forced.params(), found.possible.params(), without_unknown(memory, runs).params()
    )


def certainty(
    memory: Memory, happens: isl.Set, runs: isl.Set, levels: Sequence[Level] = ()
) -> CertainIterations:
    """Of the iterations RUNS of LEVELS, over parameters, those in which something HAPPENS."""
    possible = without_unknown(memory, happens)
    forced = _forced(memory, happens, possible, runs, levels)
    if runs.is_subset(happens):
        return CertainIterations(possible, possible, not possible.is_empty(), forced)
    calls = without_unknown(memory, runs).params()
    always = not forced.is_empty() and bool(calls.is_subset(forced.params()))
    return CertainIterations(forced, possible, always, forced)


def _forced(
    memory: Memory, happens: isl.Set, possible: isl.Set, runs: isl.Set, levels: Sequence[Level]
) -> isl.Set:
    """Of the POSSIBLE iterations, those in which it HAPPENS whatever the unknown values are."""
    determined = memory.instances.determined
    if determined.may_not_be(determined.open_names(happens)):
        return possible.subtract(possible)
    if not _depends_on_unknown(memory, happens):
        return possible
    values = _values(memory, happens.align_params(runs.get_space()), levels)
    otherwise = values.intersect(possible).subtract(happens)  # of what is not possible it is known already
    return possible.subtract(without_unknown(memory, otherwise))


def _depends_on_unknown(memory: Memory, points: isl.Set) -> bool:
    """Whether POINTS depend on what is not an argument."""
    arguments, elimination = memory.bounds.arguments(), memory.bounds.elimination
    for position, name in enumerate(parameters_of_space(points)):
        variable = elimination.find(name)
        is_argument = variable is not None and arguments.contains(variable)
        if not is_argument and points.involves_dims(DIM.param, position, 1):
            return True
    return False


def _values(memory: Memory, points: isl.Set, levels: Sequence[Level]) -> isl.Set:
    """All iterations of LEVELS, and arguments, with the unknown values that are possible in POINTS."""
    result = isl.Set.universe(points.get_space())
    arguments, elimination = memory.bounds.arguments(), memory.bounds.elimination
    for name in parameters_of_space(points):
        variable = elimination.find(name)
        if variable is None or arguments.contains(variable):
            continue
        if memory.instances.determined.is_open(variable):
            result = result.intersect_params(memory.instances.determined.possible([name]))
        elif not memory.bounds.definitions.definition(variable).references:
            result = result.intersect_params(elimination.defined(variable).points)
    for position, level in enumerate(levels):
        if level.variable is not None:
            result = equated(result, DIM.set, position, elimination.name(Value(level.variable)))
    return result


def without_unknown(memory: Memory, points: isl.Set) -> isl.Set:
    """POINTS for some values of what is not an argument."""
    arguments, find = memory.bounds.arguments(), memory.bounds.elimination.find
    names = parameters_of_space(points)
    return without(points, *(n for n in names if (v := find(n)) is None or not arguments.contains(v)))


def plain_example(memory: Memory, points: isl.Set, operations: int | None = None) -> isl.Point:
    """The first of POINTS for arguments that surprise least: sizes that are not 0, where there are such.

    Parameters that are products of others have their values there, where that is found. If it takes more than
    a number of OPERATIONS to find the first one, it is any.
    """
    points = with_products(memory, points)
    if operations is None:
        return _first_plain(memory, points)
    try:
        with budget(operations):
            return _first_plain(memory, points)
    except BudgetExceeded:
        return points.sample_point()


def _first_plain(memory: Memory, points: isl.Set) -> isl.Point:
    for name in parameters_of_space(points):
        if isinstance(memory.bounds.elimination.find(name), Dim):
            position = points.find_dim_by_name(DIM.param, name)
            plain = points.lower_bound_val(DIM.param, position, number(1))
            points = points if plain.is_empty() else plain
    return first_point(points)


def first_point(points: isl.Set) -> isl.Point:
    """The lexicographically first point of POINTS for some parameters, as small ones as there are."""
    parameters = points.params()
    if parameters.dim(DIM.param):
        as_points = isl.Set.from_params(parameters)
        count = parameters.dim(DIM.param)
        nearest = _nearest(as_points.move_dims(DIM.set, 0, DIM.param, 0, count))
        for position, chosen in enumerate(nearest):
            points = points.fix_val(DIM.param, position, chosen)
    return least_point(points)


def _nearest(points: isl.Set) -> list[isl.Val]:
    """The coordinates of one of POINTS, each as near to 0 as the ones before it allow."""
    found: list[isl.Val] = []
    for position in range(points.dim(DIM.set)):
        positive = points.lower_bound_val(DIM.set, position, number(0))
        nearest = least(positive, position)
        if nearest is None:
            nearest = greatest(points, position)
        chosen = number(nearest or 0)
        found.append(chosen)
        points = points.fix_val(DIM.set, position, chosen)
    return found


def why_uncertain(memory: Memory, points: isl.Set) -> str:
    """What is not known of the first value that POINTS depends on and that no caller chooses."""
    arguments, elimination = memory.bounds.arguments(), memory.bounds.elimination
    for position, name in enumerate(parameters_of_space(points)):
        variable = elimination.find(name)
        if variable is None or arguments.contains(variable):
            continue
        if points.involves_dims(DIM.param, position, 1):
            because = memory.bounds.definitions.definition(variable).because
            return because or memory.instances.determined.because(variable)
    return "it depends on unknown values"
