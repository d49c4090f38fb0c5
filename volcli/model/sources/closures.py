"""What loops leave behind: the last iteration's values, followed back through all iterations.

An iteration i of a loop leaves in each carried value c the elements

    end_c(i)[e]  computed from  x, elements from outside, and  begin_c'(i)[e'],
    begin_c(i) = end_c(i - step),  and the initial value in the first iteration.

So what `end_c(last)` is computed from is the closure of the step `T = { [i, e] -> [i - step, e'] }`, and then
one step to what is outside. Along one vector (an accumulator keeps its element: e' = e) the closure is exact:

    T* = { [p] -> [p + n v] : n >= 0, and T leads on from p, p + v, ..., p + (n - 1) v }

Other steps are left to isl, which says whether its closure is exact. Where it is not, nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from volcli.language.expressions import Expression, constant, loop
from volcli.model.sources.ends import Ends, Key, add
from volcli.model.sources.leaves import unknown
from volcli.model.sources.paths import Paths, Term
from volcli.presburger import build
from volcli.presburger.build import DIM
from volcli.presburger.coalescing import coalesced

_MOST_PARTS = 4
"""isl is not asked for the closure of a relation of more parts, which may take it minutes."""
_NOT_EXACT = "a value goes from iteration to iteration in a way that has no exact closure"


@dataclass(frozen=True, eq=False)
class Iteration:
    """The iterations of one loop, whose coordinate is the last one of `domain`: all i with step `step`."""

    domain: isl.Set
    step: int

    @property
    def position(self) -> int:
        """The coordinate of the loop."""
        return self.domain.dim(DIM.set) - 1


@dataclass(frozen=True, eq=False)
class State:
    """A value or buffer that a loop carries: what it is called at the beginning, and its rank."""

    begin: Key
    rank: int


class Closure:
    """Of each carried state what it is after the loop, from what one iteration makes of it, BODIES."""

    def __init__(self, iteration: Iteration, states: Mapping[Key, State], bodies: Mapping[Key, Ends]) -> None:
        self.iteration = iteration
        self.states = states
        self.bodies = bodies
        self._by_begin = {state.begin: key for key, state in states.items()}
        self._ends: dict[Key, Ends] = {}

    @cached_property
    def solved(self) -> dict[Key, Ends]:
        """What each state is after the loop; the states' beginnings are now those before it."""
        self._solve()
        return {key: self._last(key) for key in self.states}

    def _solve(self) -> None:
        """Find what each state is at the end of each iteration."""
        for component in self._components() if not self._ends else ():
            if len(component) == 1:
                self._ends[component[0]] = self._alone(component[0])
            else:
                self._ends.update((key, self._unknown(key)) for key in component)

    def begun(self, ends: Ends) -> Ends:
        """ENDS, at the beginning of an iteration: those before the loop, or what another iteration made."""
        self._solve()
        found: Ends = {}
        for target, paths in ends.items():
            key = self._by_begin.get(target)
            if key is None:
                add(found, target, paths)
                continue
            rank = self.states[key].rank
            add(found, target, paths.through(self._first(rank)))
            before = paths.through(self._previous(rank))
            for end, further in self._ends[key].items():
                add(found, end, before.then(further))
        return found

    def _unknown(self, key: Key) -> Ends:
        points = self._points(self.states[key].rank)
        return {unknown(_NOT_EXACT): Paths((Term(isl.Map.from_domain(points), 0, 0),))}

    def _alone(self, key: Key) -> Ends:
        """What the state is at the end of each iteration, from what is outside of the loop."""
        exits: Ends = {}
        around = Paths()
        rank = self.states[key].rank
        for target, paths in self.bodies[key].items():
            other = self._by_begin.get(target)
            if other is None:
                add(exits, target, paths)
                continue
            add(exits, target, paths.through(self._first(self.states[other].rank)))
            before = paths.through(self._previous(self.states[other].rank))
            if other is key:
                around = around.plus(before)
                continue
            for end, further in self._ends[other].items():
                add(exits, end, before.then(further))
        closure = star(around, self._points(rank))
        if closure is None:
            return self._unknown(key)
        found: Ends = {}
        for target, paths in exits.items():
            add(found, target, closure.then(paths))
        return found

    def _last(self, key: Key) -> Ends:
        """The state after the last iteration, or what it was before, if there is none."""
        state = self.states[key]
        position, rank = self.iteration.position, state.rank
        domain = self.iteration.domain
        last = isl.Map.from_domain(domain).move_dims(DIM.out, 0, DIM.in_, position, 1).lexmax()
        ends = last.wrap().flatten().add_dims(DIM.set, rank)
        to_last = Paths.of(_without(position, rank).intersect_domain(ends).reverse())
        found: Ends = {}
        for target, paths in self._ends[key].items():
            add(found, target, to_last.then(paths))
        never = domain.project_out(DIM.set, position, 1).complement().add_dims(DIM.set, rank)
        add(found, state.begin, Paths.of(build.relation(position + rank, _all(position + rank))
                                         .intersect_domain(never)))  # fmt: skip
        return {target: paths for target, paths in found.items() if not _is_empty(paths)}

    # -- iterations ------------------------------------------------------------------------------------

    def _points(self, rank: int) -> isl.Set:
        return self.iteration.domain.add_dims(DIM.set, rank)

    def _previous(self, rank: int) -> isl.Map:
        """`{ [i, e] -> [i - step, e] }`"""
        return self._steps(rank).intersect_range(self._points(rank)).intersect_domain(self._points(rank))

    def _steps(self, rank: int) -> isl.Map:
        position = self.iteration.position
        index = list(_all(position + 1 + rank))
        index[position] = loop(position) - self.iteration.step
        return build.relation(position + 1 + rank, tuple(index))

    def _first(self, rank: int) -> isl.Map:
        """`{ [i, e] -> [e] }` in the first iteration."""
        later = self._previous(rank).domain()
        return _without(self.iteration.position, rank).intersect_domain(self._points(rank).subtract(later))

    def _components(self) -> list[list[Key]]:
        """The states that depend on each other, each component behind those that it depends on."""
        follows = {key: self._reachable(key) for key in self.states}
        rest: list[Key] = list(self.states)
        found: list[list[Key]] = []
        while rest:
            key = next(k for k in rest if all(o not in rest or k in follows[o] for o in follows[k]))
            component = [k for k in rest if k is key or (k in follows[key] and key in follows[k])]
            found.append(component)
            rest = [k for k in rest if k not in component]
        return found

    def _reachable(self, key: Key) -> list[Key]:
        found: list[Key] = []
        pending = [key]
        while pending:
            for target in self.bodies[pending.pop()]:
                other = self._by_begin.get(target)
                if other is not None and other not in found:
                    found.append(other)
                    pending.append(other)
        return found


def star(step: Paths, points: isl.Set) -> Paths | None:
    """The paths of any number of STEPs among POINTS; None if that is not known exactly."""
    identity = points.identity()
    if not step:
        return Paths.of(identity)
    relation = step.support
    is_counted = all(term.times == 1 and not term.hidden for term in step.terms)
    vector = _vector(relation)
    if vector is not None:
        found = _along(relation, points, vector)
    else:
        if relation.n_basic_map() > _MOST_PARTS or any(m.dim(DIM.div) for m in relation.get_basic_maps()):
            return None
        closure, is_exact = relation.transitive_closure()
        if not is_exact:
            return None
        found = closure.union(identity)
        is_counted = is_counted and bool(relation.is_single_valued())
    return Paths((Term(coalesced(found), 0, 1 if is_counted else 0),))


def _vector(relation: isl.Map) -> tuple[int, ...] | None:
    """The one vector by which RELATION goes on from each point; None if there are several."""
    deltas = relation.deltas()
    numbers: list[int] = []
    for k in range(deltas.dim(DIM.set)):
        value = deltas.plain_get_val_if_fixed(DIM.set, k)
        if not value.is_int():
            low, high = deltas.dim_min_val(k), deltas.dim_max_val(k)
            if not (low.is_int() and high.is_int() and low.eq(high)):
                return None
            value = low
        numbers.append(value.to_python())
    return tuple(numbers)


def _along(step: isl.Map, points: isl.Set, vector: Sequence[int]) -> isl.Map:
    """`{ [p] -> [p + n v] : n >= 0 }` as far as STEP leads on from each point but the last one."""
    rank = len(vector)
    # over (p, n): p + n v, and p
    to_end = build.relation(rank + 1, tuple(loop(k) + loop(rank) * number for k, number in enumerate(vector)))
    to_start = build.relation(rank + 1, _all(rank))
    any_number = to_start.intersect_domain(_counts(rank)).reverse().apply_range(to_end)
    some = to_start.intersect_domain(_counts(rank, 1)).reverse().apply_range(to_end)
    any_number = any_number.intersect_domain(points).intersect_range(points)
    stops = points.subtract(step.domain())
    if stops.is_empty():
        return any_number
    beyond = any_number.intersect_range(stops).apply_range(some.intersect_range(points))
    return any_number.subtract(beyond)


def _counts(rank: int, least: int = 0) -> isl.Set:
    """`{ [p, n] : n >= least }`"""
    return build.nonnegative(rank + 1, (loop(rank) - constant(least),))


def _all(count: int) -> tuple[Expression, ...]:
    return tuple(loop(k) for k in range(count))


def _without(position: int, rank: int) -> isl.Map:
    """`{ [o, i, e] -> [o, e] }` with i at POSITION."""
    kept = (*_all(position), *(loop(position + 1 + k) for k in range(rank)))
    return build.relation(position + 1 + rank, kept)


def _is_empty(paths: Paths) -> bool:
    return all(term.relation.is_empty() for term in paths.terms)


def outside(ends: Ends, keys: Sequence[Key], position: int, ranks: Mapping[Key, int]) -> Ends:
    """ENDS, with KEYS, which the loop at POSITION leaves as they are, as they are before it."""
    found: Ends = {}
    for key, paths in ends.items():
        add(found, key, paths.through(_without(position, ranks[key])) if key in keys else paths)
    return found
