"""The steps back through loops that end by a condition: scf.while.

Its iterations are i = 0, 1, 2, ...; how many there are is not known, and not needed inside: the first region
and the second one run at (p, i), and what the second one yields is what the first one gets at (p, i + 1).
"""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.equivalence.backward.closures import Closure, Iteration, State, outside
from volcli.equivalence.backward.looping import Written
from volcli.equivalence.paths.ends import Ends, Key, add
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.places.places import Places
from volcli.equivalence.results.results import Backwards
from volcli.language.expressions import loop, loops
from volcli.language.loops import While
from volcli.language.reads import rank_of
from volcli.model.memory.buffers.roots import Root
from volcli.presburger.sets import build


class Whiles:
    """The backward steps out of loops that end by a condition."""

    def __init__(self, places: Places, block: Backwards, written: Written) -> None:
        self._places = places
        self._block = block
        self._written = written
        self._known: dict[tuple[Operation, Key], Closure] = {}

    def forwarded(self, op: Operation, stated: While, ends: Ends) -> Ends:
        """What ENDS, at the beginning of the second region of OP, are at that of the first one."""
        values = dict(zip(stated.after, stated.forwarded, strict=True))
        depth = self._places.numbers.around(op) + 1
        passed: Ends = {}
        for key, paths in ends.items():
            value = values.get(key) if not isinstance(key, Root) else None  # pyright: ignore[reportArgumentType]
            if value is None:
                add(passed, key, paths)
            else:
                add(passed, value, paths.through(self._places.to_value(value, depth, rank_of(value))))
        return self._block(op.regions[0].block, passed)

    def before(self, op: Operation, stated: While, ends: Ends) -> Ends:
        """What ENDS, at the beginning of the first region of OP, are where OP begins."""
        depth, written = self._places.numbers.around(op), self._written(op)
        initial: dict[Key, Key] = dict(zip(stated.before, stated.initial, strict=True))
        found: Ends = {}
        for start, paths in ends.items():
            reached: Ends = {start: paths}
            if start in initial or (isinstance(start, Root) and start in written):
                reached = self._closure(op, stated, start).begun(reached)
            elif isinstance(start, Root):
                reached = outside(reached, [start], depth, {start: self._places.rank(start)})
            for key, further in reached.items():
                value = initial.get(key, key)
                if value is not key and not isinstance(value, Root):
                    rank = self._places.rank(value)
                    further = further.through(self._places.to_value(value, depth, rank))  # pyright: ignore[reportArgumentType]
                add(found, value, further)
        return found

    def _closure(self, op: Operation, stated: While, key: Key) -> Closure:
        """What the iterations make of KEY, and of all that it depends on."""
        if (op, key) not in self._known:
            depth, written = self._places.numbers.around(op), self._written(op)
            bodies: dict[Key, Ends] = {}
            pending = [key]
            while pending:
                each = pending.pop()
                if each in bodies:
                    continue
                ends = self._iteration(op, stated, each)
                kept: dict[Key, int] = {
                    k: self._places.rank(k) for k in ends if isinstance(k, Root) and k not in written
                }
                bodies[each] = outside(ends, list(kept), depth, kept)
                states = (k for k in ends if k in stated.before or (isinstance(k, Root) and k in written))
                pending += states
            iteration = Iteration(build.nonnegative(depth + 1, (loop(depth),)), 1)
            states_of: dict[Key, State] = {each: State(each, self._places.rank(each)) for each in bodies}
            closure = Closure(iteration, states_of, bodies)
            self._known.update(((op, each), closure) for each in bodies)
        return self._known[op, key]

    def _iteration(self, op: Operation, stated: While, key: Key) -> Ends:
        """What KEY is computed from at the end of one iteration."""
        depth, rank = self._places.numbers.around(op) + 1, self._places.rank(key)
        start = Paths.of(build.relation(depth + rank, loops(depth + rank)))
        ends: Ends = {}
        if isinstance(key, Root):
            ends[key] = start
        else:
            value = next(y for a, y in zip(stated.before, stated.yielded, strict=True) if a is key)
            ends[value] = start.through(self._places.to_value(value, depth, rank))
        return self.forwarded(op, stated, self._block(op.regions[1].block, ends))
