"""The steps back through loops, all iterations at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from xdsl.ir import Block, Operation, SSAValue

from volcli.equivalence.backward.closures import Closure, Iteration, State, outside
from volcli.equivalence.paths.ends import Ends, Key, add, merge
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.places.places import Places
from volcli.equivalence.results.results import Backwards
from volcli.language import questions
from volcli.language.expressions import NotAffine, loop, loops, maximum
from volcli.language.interface import operation_name
from volcli.language.loops import Carried, Induction, Loop
from volcli.language.reads import rank_of
from volcli.model.memory.buffers.roots import Root
from volcli.presburger.sets import build

Written = Callable[[Operation], Collection[Root]]
"""The buffers that an operation writes."""


class Looping:
    """The backward steps through counted loops."""

    def __init__(self, places: Places, block: Backwards, written: Written) -> None:
        self._places = places
        self._block = block
        self._written = written
        self._solved: dict[tuple[Operation, Key], Sequence[Closure]] = {}

    def after(self, op: Operation, counted: Loop, key: Key) -> Ends:
        """What KEY, a result of the loop OP or a buffer that it writes, is after it."""
        return self._entered(op, counted, self._levels(op, counted, key)[-1].solved[key])

    def before(self, op: Operation, counted: Loop, ends: Ends) -> Ends:
        """What ENDS, at the beginning of an iteration of the loop OP, are where OP begins.

        Each loop of a nest is left by its first iteration; what begins another one is the end of one before.
        """
        begins: dict[Key, Key] = {each.argument: each.result for each in counted.carried}
        written, first = self._written(op), self._places.numbers.around(op)
        found: Ends = {}
        for start, paths in ends.items():
            key = begins.get(start, start)
            reached: Ends = {start: paths}
            if (shared := _shared(counted, start)) is not None:
                reached = {}
                self._given(op, shared, paths, reached)
            elif start in begins or (isinstance(start, Root) and start in written):
                for closure in self._levels(op, counted, key):
                    reached = closure.begun(reached)
            elif isinstance(start, Root):
                rank = self._places.rank(start)
                for position in reversed(range(len(counted.inductions))):
                    reached = outside(reached, [start], first + position, {start: rank})
            merge(found, self._entered(op, counted, reached))
        return found

    def _levels(self, op: Operation, counted: Loop, key: Key) -> Sequence[Closure]:
        """The closures of KEY, and of what it depends on, over each loop of OP, the innermost first."""
        if (op, key) not in self._solved:
            carried: dict[Key, Carried] = {each.result: each for each in counted.carried}
            if key not in carried and not isinstance(key, Root):
                raise NotAffine(f"a result of {operation_name(op)} is not followed")
            bodies, states = self._bodies_of(op, counted, key, carried)
            depth = self._places.numbers.around(op)
            ranks: dict[Key, int] = {
                k: self._places.rank(k) for ends in bodies.values() for k in ends if isinstance(k, Root)
            }
            kept = [root for root in ranks if root not in self._written(op)]
            levels: list[Closure] = []
            for position in reversed(range(len(counted.inductions))):
                iteration = self.iteration(counted.inductions[position], depth + position)
                bodies = {k: outside(ends, kept, depth + position, ranks) for k, ends in bodies.items()}
                levels.append(Closure(iteration, states, bodies))
                bodies = levels[-1].solved
            self._solved.update(((op, each), levels) for each in states)
        return self._solved[op, key]

    def _entered(self, op: Operation, counted: Loop, ends: Ends) -> Ends:
        """ENDS with the initial values for the arguments of the block of the loop OP."""
        before = {each.argument: each.initial for each in counted.carried}
        depth = self._places.numbers.around(op)
        found: Ends = {}
        for key, paths in ends.items():
            if isinstance(key, SSAValue) and key in before:
                initial = before[key]
                add(found, initial, paths.through(self._places.to_value(initial, depth, rank_of(initial))))
            else:
                add(found, key, paths)
        return found

    def _bodies_of(
        self, op: Operation, counted: Loop, key: Key, carried: dict[Key, Carried]
    ) -> tuple[dict[Key, Ends], dict[Key, State]]:
        """What one iteration makes of KEY, and of all states that it depends on."""
        begins: dict[Key, Key] = {each.argument: result for result, each in carried.items()}
        written = self._written(op)
        bodies: dict[Key, Ends] = {}
        states: dict[Key, State] = {}
        pending = [key]
        while pending:
            each = pending.pop()
            if each in bodies:
                continue
            begin = carried[each].argument if each in carried else each
            states[each] = State(begin, self._places.rank(each))
            bodies[each] = self._body(op, counted, each, carried.get(each))
            pending += [
                begins.get(k, k)
                for k in bodies[each]
                if k in begins or (isinstance(k, Root) and k in written)
            ]
        return bodies, states

    def _body(self, op: Operation, counted: Loop, key: Key, carried: Carried | None) -> Ends:
        """What KEY is computed from at the end of one iteration of the loop OP."""
        block = op.regions[0].block
        depth, rank = self._places.numbers.depth(block), self._places.rank(key)
        start = Paths.of(build.relation(depth + rank, loops(depth + rank)))
        ends: Ends = {}
        others: Ends = {}
        if carried is None:
            ends[key] = start
        elif carried.yielded is carried.argument:
            add(others, carried.argument, self._inserted(block, carried.argument, start, ends, depth))
        else:
            ends[carried.yielded] = start.through(self._places.to_value(carried.yielded, depth, rank))
        for each, paths in self._block(block, ends).items():
            if (shared := _shared(counted, each)) is not None:
                self._given(op, shared, paths, others)
            else:
                add(others, each, paths)
        return others

    def _given(self, op: Operation, shared: Carried, paths: Paths, found: Ends) -> None:
        """Let FOUND be what each iteration of the loop OP reads of what they SHARE, where PATHS lead.

        That is what it was before the loop, whatever other iterations insert.
        """
        depth = self._places.numbers.depth(op.regions[0].block)
        initial = shared.initial
        add(found, initial, paths.through(self._places.to_value(initial, depth, rank_of(initial))))

    def _inserted(self, block: Block, argument: SSAValue, paths: Paths, ends: Ends, depth: int) -> Paths:
        """The slices that the end of an iteration puts into the tensor ARGUMENT that all iterations share.

        What is left of PATHS leads to what the tensor was before them.
        """
        last = block.last_op
        for inner in reversed(list(last.walk())[1:]) if last is not None else ():
            insertion = questions.insertion(inner)
            if insertion is None:
                if argument in inner.operands:
                    raise NotAffine(f"{operation_name(inner)} writes into a shared tensor")
                continue
            if insertion.dest is not argument:
                continue
            count = rank_of(insertion.source)
            element = tuple(self._places.numbers.expression(e, depth) for e in insertion.element)
            sizes = tuple((depth + k, s) for k, s in enumerate(self._places.numbers.sizes(insertion.source)))
            target = build.relation(depth + count, (*loops(depth), *element))
            target = target.intersect_domain(build.domain(depth + count, sizes, ()))
            here = paths.through(target.reverse())
            add(ends, insertion.source, here.through(self._places.to_value(insertion.source, depth, count)))
            paths = paths.within(target.range().complement())
        return paths

    def iteration(self, induction: Induction, position: int) -> Iteration:
        """The iterations of one induction. Raises NotAffine."""
        bounds = (induction.lower, induction.upper)
        low, high = ([self._places.numbers.expression(e, 0) for e in each] for each in bounds)
        step = self._places.numbers.expression(induction.step, 0)
        if not step.is_constant or step.constant < 1:
            raise NotAffine("the step of a loop is not a constant")
        variable = loop(position)
        conditions = [*(variable - e for e in low), *(e - 1 - variable for e in high)]
        if step.constant > 1:
            conditions.append(-((variable - maximum(*low)) % step.constant))
        return Iteration(build.nonnegative(position + 1, tuple(conditions)), step.constant)


def _shared(counted: Loop, key: Key) -> Carried | None:
    """What the iterations of a loop share, which is KEY in each: none sees the end of another one."""
    return next((c for c in counted.carried if c.argument is key and c.yielded is key), None)
