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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from volcli.equivalence.paths.ends import Ends, Key, add
from volcli.equivalence.paths.leaves import unknown
from volcli.equivalence.paths.paths import Paths, Term
from volcli.equivalence.paths.stars import star
from volcli.language.expressions import Expression, loop
from volcli.language.programs.graphs import components
from volcli.limits import equivalence as limits
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

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
            self._ends.update(self._solved(component))

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

    def _solved(self, component: Sequence[Key]) -> dict[Key, Ends]:
        """What the states of COMPONENT are at the end of each iteration, from what is outside of the loop."""
        exits = {key: self._exits(key, component) for key in component}
        steps = {key: self._steps_among(key, component) for key in component}
        ways = self._ways(component, steps)
        if ways is None:
            return {key: self._unknown(key) for key in component}
        found: dict[Key, Ends] = {}
        for key in component:
            found[key] = {}
            for other, paths in ways[key].items():
                for target, further in exits[other].items():
                    add(found[key], target, paths.then(further))
        return found

    def _exits(self, key: Key, component: Sequence[Key]) -> Ends:
        """What the state is computed from, outside of the loop and of COMPONENT, in one iteration."""
        exits: Ends = {}
        for target, paths in self.bodies[key].items():
            other = self._by_begin.get(target)
            if other is None:
                add(exits, target, paths)
                continue
            add(exits, target, paths.through(self._first(self.states[other].rank)))
            if other not in component:
                before = paths.through(self._previous(self.states[other].rank))
                for end, further in self._ends[other].items():
                    add(exits, end, before.then(further))
        return exits

    def _steps_among(self, key: Key, component: Sequence[Key]) -> Ends:
        """From the state to those of COMPONENT at the end of the iteration before."""
        found: Ends = {}
        for target, paths in self.bodies[key].items():
            other = self._by_begin.get(target)
            if other in component and other is not None:
                step = paths.through(self._previous(self.states[other].rank))
                add(found, other, step)
        return found

    def _ways(self, component: Sequence[Key], steps: Mapping[Key, Ends]) -> dict[Key, Ends] | None:
        """All sequences of STEPS from each state to each; None if they are not known exactly.

        S is the closure of the steps from a state to itself, N those to another: S + S N S + S N S N S + ...,
        as long as there are any. Two results of a tile that read each other have one N: each element is in
        one tile.
        """
        stars: dict[Key, Paths] = {}
        for key in component:
            closure = star(steps[key].get(key, Paths()), self._points(self.states[key].rank))
            if closure is None:
                return None
            stars[key] = closure
        found: dict[Key, Ends] = {key: {key: stars[key]} for key in component}
        latest: dict[Key, Ends] = {key: {key: stars[key]} for key in component}
        for _ in range(limits.STATE_CHANGES if len(component) > 1 else 0):
            longer: dict[Key, Ends] = {key: {} for key in component}
            for key, reached in latest.items():
                for middle, paths in reached.items():
                    for other, step in steps[middle].items():
                        if other is not middle:
                            add(longer[key], other, paths.then(step).then(stars[other]))
            latest = {k: {o: p for o, p in ends.items() if not _is_empty(p)} for k, ends in longer.items()}
            if not any(latest.values()):
                return found
            for key, reached in latest.items():
                for other, paths in reached.items():
                    add(found[key], other, paths)
        return found if len(component) == 1 else None

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

    def _components(self) -> Iterator[list[Key]]:
        """The states that depend on each other, each component after those that it depends on."""
        order = list(self.states)
        for component in components(order, self._followed):
            yield sorted(component, key=order.index)

    def _followed(self, key: Key) -> Iterator[Key]:
        """The states that KEY is made of in an iteration."""
        for target in self.bodies[key]:
            other = self._by_begin.get(target)
            if other is not None:
                yield other


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
