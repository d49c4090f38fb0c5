"""Structured operations: a body of scalars at all points of a loop nest, in lexicographic order.

    out[f(l)] = body(in[g(l)], ..., out[f(l)])

Where several points l have one element f(l), the body adds to what the points before have left there, and the
element comes from all of them, and from the initial one. If the body does not use what was there, the last
point counts, and no initial element.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import islpy as isl
from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.equivalence.paths.ends import Ends, Key, add
from volcli.equivalence.paths.leaves import NUMBER, constant_leaf
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.places.places import Places, nowhere
from volcli.equivalence.results.results import Backwards
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Expression, NotAffine, constant, loops
from volcli.language.memory import Effect, MemoryAccess, is_memref
from volcli.language.reads import Access, element_type, is_number, rank_of
from volcli.model.memory.buffers.roots import Root
from volcli.presburger.sets import build

_STATE = "a state goes from point to point through another result"


@dataclass(frozen=True, eq=False)
class Contributing:
    """The loop `points` of an operation that contribute: without the others, results are the same.

    A result that `keeps` what was there keeps it, too, where no point contributes; another one is +0 there.
    """

    points: isl.Set
    keeps: tuple[bool, ...]


Live = Callable[[Operation], Contributing | None]
"""What contributes to the results of an operation, after the points of the loops around; None: all of it."""


def all_points(_: Operation) -> None:
    """Nothing is left out."""


class Bodies:
    """The backward steps through structured operations."""

    def __init__(self, places: Places, block: Backwards, live: Live, *, to_operations: bool = False) -> None:
        self._places = places
        self._block = block
        self._live = live
        self._to_operations = to_operations

    def replace(self, op: Operation, body: TensorDefinition, key: Key, paths: Paths, found: Ends) -> None:
        """Let FOUND be what KEY, a result of OP or a buffer that it writes, is computed from."""
        names = [self._name(op, body, k) for k in range(len(body.outputs))]
        if names.count(key) != 1:
            raise NotAffine("two outputs are one buffer")
        self._output(op, body, names.index(key), paths, found)

    def before(self, op: Operation, body: TensorDefinition, ends: Ends) -> Ends:
        """What ENDS, at the beginning of the points of the body, are where OP begins.

        What the body gets of an output is what the point before with the same element has left there.
        Raises NotAffine.
        """
        names = [self._name(op, body, k) for k in range(len(body.outputs))]
        found: Ends = {}
        for key, paths in ends.items():
            if isinstance(key, Root) and key in names:
                raise NotAffine("a body reads a buffer that its operation writes")
            if isinstance(key, SSAValue) and (k := body.states.get(key)) is not None:
                if names.count(names[k]) != 1:
                    raise NotAffine("two outputs are one buffer")
                self._left(op, body, k, paths, found)
                continue
            for name, step in self._stands_for(op, body, key, paths):
                add(found, name, step)
        return found

    def _left(self, op: Operation, body: TensorDefinition, k: int, paths: Paths, found: Ends) -> None:
        """What the points before left of the k-th output. Raises NotAffine."""
        initial, yields = body.outputs[k].begins, body.outputs[k].yields
        if initial is None:
            raise NotAffine(_STATE)
        depth = self._places.numbers.around(op)
        target = self._target(op, body, k)
        live = self._live(op)
        counted = target if live is None or not live.keeps[k] else target.intersect_domain(live.points)
        same = target.apply_range(counted.reverse())
        before = same.intersect(isl.Map.lex_gt(same.domain().get_space())).lexmax()
        yielded = self._places.to_value(yields, depth + body.loops, 0)
        begun = self._block(body.block, {yields: paths.through(before).through(yielded)})
        for key, further in begun.items():
            if isinstance(key, BlockArgument) and key.block is body.block:
                raise NotAffine("a body passes on what it gets")
            add(found, key, further)
        start = paths.through(target.subtract_domain(before.domain()))
        if is_memref(initial):
            add(found, self._places.buffers.root(initial), start)
        else:
            add(found, initial, start.through(self._places.to_value(initial, depth, rank_of(initial))))

    def _name(self, op: Operation, body: TensorDefinition, k: int) -> Key:
        initial = body.outputs[k].begins
        if initial is not None and is_memref(initial):
            return self._places.buffers.root(initial)
        return op.results[k]

    def _target(self, op: Operation, body: TensorDefinition, k: int) -> isl.Map:
        """`{ [p, l] -> [p, f(l)] }` for the k-th output."""
        numbers, depth = self._places.numbers, self._places.numbers.around(op)
        initial = body.outputs[k].begins
        if initial is not None and is_memref(initial):
            write = MemoryAccess(Effect.WRITE, initial, body.outputs[k].element, body.sizes)
            return self._places.in_memory(write, depth)[1]
        element = tuple(numbers.expression(e, depth) for e in body.outputs[k].element)
        relation = build.relation(depth + body.loops, (*loops(depth), *element))
        return relation.intersect_domain(self._places.points(body.sizes, depth))

    def _output(self, op: Operation, body: TensorDefinition, k: int, paths: Paths, found: Ends) -> None:
        yields, own = body.outputs[k].yields, body.outputs[k].state
        depth = self._places.numbers.around(op)
        count = depth + body.loops
        target = self._target(op, body, k)
        start = self._places.to_value(yields, count, 0)
        ends = self._block(body.block, {yields: Paths.of(start)})
        added = ends.pop(own, Paths()) if own is not None else Paths()
        initial = body.outputs[k].begins
        is_injective = bool(target.is_injective())
        live = self._live(op)
        counted = target if live is None else target.intersect_domain(live.points)
        if self._to_operations and live is not None and not added and (live.keeps[k] or is_injective):
            points = paths.through(counted.reverse().lexmax())
            if live.keeps[k]:
                target = counted
            else:
                self._zero(op, k, paths.within(target.range().subtract(counted.range())), found)
        else:
            points = paths.through(counted.reverse())
            if not is_injective and not added:
                points = paths.through(target.reverse().lexmax())
            elif added and not self._is_whole(added, target):
                raise NotAffine("an iteration overwrites what those before it wrote")
        for key, further in ends.items():
            for name, step in self._stands_for(op, body, key, further):
                add(found, name, points.then(step))
        kept = paths if added else paths.within(target.range().complement())
        if initial is None or not kept:
            return
        if is_memref(initial):
            add(found, self._places.buffers.root(initial), kept)
        else:
            add(found, initial, kept.through(self._places.to_value(initial, depth, rank_of(initial))))

    def _zero(self, op: Operation, k: int, paths: Paths, found: Ends) -> None:
        """The elements of the k-th result of OP that PATHS lead to are +0."""
        result = op.results[k]
        if not paths:
            return
        if is_number(element_type(result.type)):
            rank = self._places.numbers.around(op) + rank_of(result)
            add(found, NUMBER, paths.through(build.relation(rank, (constant(0),))))
        else:
            add(found, constant_leaf(0.0, result.type), nowhere(paths))

    @staticmethod
    def _is_whole(added: Paths, target: isl.Map) -> bool:
        """Whether each point adds, once, to what is there."""
        is_once = len(added.terms) == 1 and added.terms[0].times == 1 and not added.terms[0].hidden
        return is_once and bool(target.domain().is_subset(added.support.domain()))

    def _stands_for(
        self, op: Operation, body: TensorDefinition, key: Key, paths: Paths
    ) -> list[tuple[Key, Paths]]:
        """What KEY, if it is an argument of the body, is outside of it."""
        access = body.arguments.get(key) if isinstance(key, SSAValue) else None
        if access is None:
            return [(key, self._outside(op, body, key, paths))]
        depth, own = self._places.numbers.around(op), body.loops
        here = build.relation(depth + own, loops(depth + own))
        if isinstance(access, Expression):
            number = self._places.numbers.expression(access, depth)
            return [(NUMBER, paths.through(build.relation(depth + own, (number,))))]
        assert isinstance(access, Access), "a body of an operation's own has no truths"
        output = body.states.get(cast("SSAValue", key))
        if output is not None and not self._target(op, body, output).is_injective():
            raise NotAffine(_STATE)
        operand = access.operand
        if is_memref(operand):
            read = MemoryAccess(Effect.READ, operand, access.index, body.sizes)
            root, relation = self._places.in_memory(read, depth)
            self._check_alias(op, body, root, relation)
            return [(root, paths.through(relation))]
        index = access.index if rank_of(operand) else ()
        step = here.apply_range(self._places.element(operand, index, depth, own))
        return [(operand, paths.through(step))]

    def _outside(self, op: Operation, body: TensorDefinition, key: Key, paths: Paths) -> Paths:
        """Paths to a buffer, at a point of the body, as paths to it before the operation."""
        if not isinstance(key, Root):
            return paths
        depth, own = self._places.numbers.around(op), body.loops
        rank = self._places.rank(key)
        kept = (*loops(depth), *(build.loop(depth + own + k) for k in range(rank)))
        return paths.through(build.relation(depth + own + rank, kept))

    def _check_alias(self, op: Operation, body: TensorDefinition, root: Root, read: isl.Map) -> None:
        """An element of a buffer that the operation writes is read before that, at the same point only."""
        for k in range(len(body.outputs)):
            if self._name(op, body, k) != root:
                continue
            written = self._target(op, body, k)
            if not (written.is_equal(read) and written.is_injective()):
                raise NotAffine("a buffer is read and written at different elements by one operation")
