"""From what a block leaves behind back to what there was before it, one operation at a time, the last first.

Paths lead to values `v[e]` at points of the loops around them, and to buffers: to the element `B[e]` as it is
at this place of the program. An operation that makes v or writes B replaces these by what it reads:

    %s = arith.addf %x, %y          s[p]      ->  x[p], y[p]
    memref.store %s, %B[%i]         B[p, e]   ->  s[p] if e = i(p), else B[p, e] as it was before
    %x = memref.load %B[%j]         x[p]      ->  B[p, j(p)] as it is here

Loops are followed through all of their iterations at once (`closures`). So a tensor that goes around a loop,
a scalar that does, and a buffer that is written in one are the same: states. What has no case is "unknown".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress

import islpy as isl
from xdsl.ir import Block, BlockArgument, Operation, OpResult
from xdsl.traits import IsTerminator, is_side_effect_free

from volcli.equivalence.backward.contents import BlockContents, has_contents
from volcli.equivalence.backward.looping import Looping
from volcli.equivalence.backward.whiles import Whiles
from volcli.equivalence.paths.ends import Ends, Key, Left, add, merge
from volcli.equivalence.paths.leaves import NUMBER, UNDEFINED, Leaf, LeafKind, made, unknown
from volcli.equivalence.paths.paths import Paths
from volcli.equivalence.paths.points import is_identity
from volcli.equivalence.places.numbers import SEVERAL_BLOCKS
from volcli.equivalence.places.places import Places, nowhere
from volcli.equivalence.places.written import Written
from volcli.equivalence.results.bodies import Bodies, Live
from volcli.equivalence.results.decided import DecidedIntegers
from volcli.equivalence.results.laws import Laws
from volcli.equivalence.results.results import Results, as_number
from volcli.language import questions
from volcli.language.expressions import NotAffine, loops
from volcli.language.interface import operation_name
from volcli.language.loops import Loop, While
from volcli.language.memory import Effect
from volcli.language.programs.definitions import own_body
from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.stated_effects import only_computes, stated_accesses
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

Through = Callable[[OpResult], bool]
"""Whether what computes a result is followed through, where paths lead to operations."""


def nothing(_: OpResult) -> bool:
    """No operation is."""
    return False


class Backward:
    """The backward steps in one function: to its inputs, or only TO_OPERATIONS that compute something.

    Then there are many steps, and each may cost at most OPERATIONS of isl. Some are followed THROUGH.
    """

    def __init__(
        self,
        function: Operation,
        live: Live,
        operations: int,
        *,
        to_operations: bool = False,
        through: Through = nothing,
    ) -> None:
        self._operations = operations
        self._is_followed = through
        self.places = Places(function)
        self._to_operations = to_operations
        self.written = Written(self.places)
        self._bodies = Bodies(self.places, self.block, live, to_operations=to_operations)
        self._results = Results(
            self.places,
            self.block,
            Laws(self.places, self.written, DecidedIntegers(function, operations)),
        )
        self._loops = Looping(self.places, self.block, self.written)
        self._whiles = Whiles(self.places, self.block, self.written)
        self._contents: BlockContents | None = None

    def block(self, block: Block, ends: Ends) -> Ends:
        """What is before BLOCK, for the paths to ENDS at its end."""
        return self._through(len(self._in_order(block)[0]), block, ends)

    def _through(self, end: int, block: Block, ends: Ends) -> Ends:
        """What is before BLOCK, for the paths to ENDS after its first END operations."""
        ops, at = self._in_order(block)
        if self._contents is not None and block is self.places.numbers.entry:
            return self._contents.before(end, ends)
        while end:
            if not any(isinstance(key, Root) for key in ends):  # then only what makes a key counts
                made_here = (at.get(key.op, end) for key in ends if isinstance(key, OpResult))
                end = max((k + 1 for k in made_here if k < end), default=0)
            if end:
                end -= 1
                if not ops[end].has_trait(IsTerminator, value_if_unregistered=False):
                    self._step_within_budget(ops[end], ends)
        if block is not self.places.numbers.entry:
            for argument in block.args:
                self._number(argument, ends, self.places.numbers.depth(block))
        return ends

    def _step_within_budget(self, op: Operation, ends: Ends) -> None:
        with budget(self._operations) if self._to_operations else nullcontext():
            self._step(op, ends)

    def prepare(self) -> None:
        """Know what buffers hold between the operations of the function, if its paths are many and long."""
        ops, _ = self._in_order(self.places.numbers.entry)
        if self._contents is None and has_contents(ops, self.written):
            step = self._step_within_budget
            self._contents = BlockContents(ops, self.places, self.written, step, self._operations)

    @cached_method
    def _in_order(self, block: Block) -> tuple[Sequence[Operation], dict[Operation, int]]:
        ops = list(block.ops)
        return ops, {op: k for k, op in enumerate(ops)}

    def before(self, op: Operation, ends: Ends) -> Ends:
        """What ENDS, as they are where OP begins, are at the beginning of the function.

        What encloses OP is left through its beginning, as of the iteration that OP runs in. Raises NotAffine.
        """
        assert op.parent is not None, "an operation of the function"
        return self._out(op.parent, self._in_order(op.parent)[1][op], ends)

    def behind(self, block: Block, ends: Ends) -> Ends:
        """What ENDS, as they are at the end of BLOCK, are where the function begins. Raises NotAffine."""
        return self._out(block, len(self._in_order(block)[0]), ends)

    def _out(self, block: Block, end: int, ends: Ends) -> Ends:
        ends = self._through(end, block, ends)
        while block is not self.places.numbers.entry:
            around, outer = block.parent_op(), block.parent_block()
            if around is None or outer is None or block.parent is self.places.numbers.entry.parent:
                raise NotAffine(SEVERAL_BLOCKS)
            try:
                ends = self._entered(around, block, ends)
            except NotAffine as error:
                ends = {unknown(str(error)): nowhere(paths) for paths in ends.values()}
            ends = self._through(self._in_order(outer)[1][around], outer, ends)
            block = outer
        return ends

    def _entered(self, op: Operation, block: Block, ends: Ends) -> Ends:
        """What ENDS, at the beginning of BLOCK of OP, are where OP begins. Raises NotAffine."""
        counted = questions.loop(op)
        if isinstance(counted, Loop):
            return self._loops.before(op, counted, ends)
        if isinstance(counted, While):
            if block is op.regions[1].block:
                ends = self._whiles.forwarded(op, counted, ends)
            return self._whiles.before(op, counted, ends)
        if (body := own_body(op)) is not None:
            return self._bodies.before(op, body, ends)
        if counted is None and questions.guards.answers(type(op)):
            return ends
        raise NotAffine(f"what is in {operation_name(op)} is not followed")

    def expanded(self, result: OpResult, *, counted: bool = False) -> Ends:
        """What the elements of RESULT, of an operation with a scalar body, are made from."""
        depth, rank = self.places.numbers.around(result.op), rank_of(result)
        every = Paths.of(build.relation(depth + rank, loops(depth + rank)))
        every = every if counted else every.uncounted
        return self.before(result.op, self._replaced(result.op, result, every))

    def _number(self, argument: Key, ends: Ends, depth: int) -> None:
        """Replace an ARGUMENT of a block by the number that it is, if it is one."""
        if argument in ends and not isinstance(argument, Root | Leaf):
            number = as_number(self.places, argument, ends[argument], depth)
            if number is not None:
                del ends[argument]
                add(ends, NUMBER, number)

    def points(self, block: Block) -> isl.Set:
        """The points of the loops around BLOCK at which it runs. Raises NotAffine."""
        op, around = block.parent_op(), block.parent_block()
        if block is self.places.numbers.entry or op is None or around is None:
            return isl.Set.universe(build.space((), 0))
        found, depth = self.points(around), self.places.numbers.depth(around)
        counted, body = questions.loop(op), own_body(op)
        if isinstance(counted, Loop):
            for position, induction in enumerate(counted.inductions):
                domain = self._loops.iteration(induction, depth + position).domain
                found = found.add_dims(DIM.set, 1).intersect(domain)
            return found
        if body is not None:
            own = self.places.points(body.sizes, depth)
            return found.add_dims(DIM.set, body.loops).intersect(own)
        if isinstance(counted, While):
            return found.add_dims(DIM.set, 1).lower_bound_val(DIM.set, depth, build.number(0))
        for guard in questions.guards(op) or ():
            if guard.region is block.parent:
                with suppress(NotAffine):  # where data decides: if it runs
                    holds = self.places.where(self.places.numbers.where(guard.condition), 0, depth)
                    found = found.intersect(holds)
                return found
        raise NotAffine(f"what is in {operation_name(op)} is not followed")

    def _step(self, op: Operation, ends: Ends) -> None:
        """Replace what OP makes or writes."""
        if self._to_operations:
            self._stop(op, ends)
        results: list[Key] = [result for result in op.results if result in ends]
        self._allocated(op, ends)
        for key in [key for key in ends if key in self.written.freed(op)]:
            add(ends, UNDEFINED, nowhere(ends.pop(key)))
        roots, because = self.written.effects(op)
        written = [key for key in ends if isinstance(key, Root) and (because or key in roots)]
        before = {key: ends.pop(key) for key in (*results, *written)}
        for key, paths in before.items():
            try:
                if because is not None and isinstance(key, Root):
                    raise NotAffine(because)
                merge(ends, self._replaced(op, key, paths))
            except NotAffine as error:
                if self._to_operations and (leaf := self._leaf(op, key, because)) is not None:
                    add(ends, leaf, paths)
                else:
                    add(ends, unknown(str(error)), nowhere(paths))

    def _leaf(self, op: Operation, key: Key, because: str | None) -> Leaf | None:
        """What cannot be followed through OP, as what OP leaves there; None if nothing is known of it."""
        rank = self.places.numbers.around(op) + self.places.rank(key)
        if isinstance(key, OpResult) and not op.regions and only_computes(op):
            return made(key, rank)
        if isinstance(key, Root) and because is not None:
            return None
        is_access = len(stated_accesses(op) or ()) == 1 and not op.regions
        is_control = isinstance(questions.loop(op), While) or questions.guards.answers(type(op))
        return Leaf(LeafKind.LEFT, Left(op, key), rank) if is_access or is_control else None

    def _stop(self, op: Operation, ends: Ends) -> None:
        """Follow the results that OP computes no further."""
        for result in op.results:
            if result in ends and self._computes(result):
                rank = self.places.numbers.around(op) + rank_of(result)
                add(ends, made(result, rank), ends.pop(result))

    def _computes(self, result: OpResult) -> bool:
        """Whether RESULT is a new number, or a tensor of some: neither a copy, nor a number of the loops."""
        op = result.op
        if self._is_followed(result):
            return False
        if questions.loop(op) is not None or questions.guards.answers(type(op)) or questions.accesses(op):
            return False
        if (body := own_body(op)) is not None:
            return not isinstance(body.outputs[result.index].yields, BlockArgument)
        if op.regions or questions.constant_fill.answers(type(op)) or self._results.is_decided(result):
            return False
        stated = questions.element_reads(op)
        if stated is None:
            return is_side_effect_free(op)
        reads = stated[result.index]
        computed = any(each.yields is not None for each in reads.alternatives)
        return computed or reads.inexact is not None or reads.opaque

    def _replaced(self, op: Operation, key: Key, paths: Paths) -> Ends:
        """What KEY, which OP makes or writes and PATHS lead to, is computed from. Raises NotAffine."""
        found: Ends = {}
        counted = questions.loop(op)
        if isinstance(counted, Loop):
            for target, further in self._loops.after(op, counted, key).items():
                add(found, target, paths.then(further))
        elif counted is None and questions.guards.answers(type(op)):
            self._branches(op, key, paths, found)
        elif (body := own_body(op)) is not None:
            self._bodies.replace(op, body, key, paths, found)
        elif op.regions and not questions.element_reads.answers(type(op)):
            raise NotAffine(f"{operation_name(op)} has no case")
        elif isinstance(key, OpResult):
            self._results.replace(key, paths, found)
        else:
            assert isinstance(key, Root)
            self._store(op, key, paths, found)
        return found

    def _allocated(self, op: Operation, ends: Ends) -> None:
        """What was in a buffer before OP made it: nothing, or the elements of a value whose memory it is."""
        for key in [key for key in ends if isinstance(key, Root) and key.symbol is None]:
            if not isinstance(key.value, OpResult) or key.value.op is not op:
                continue
            paths = ends.pop(key)
            if key.held is not None:
                rank, depth = rank_of(key.value), self.places.numbers.around(op)
                add(ends, key.held, paths.through(self.places.to_value(key.held, depth, rank)))
            elif key.origin is Origin.ALLOCATION:
                add(ends, UNDEFINED, nowhere(paths))
            else:
                add(ends, unknown(key.because or "unknown memory"), nowhere(paths))

    def _store(self, op: Operation, root: Root, paths: Paths, found: Ends) -> None:
        """What the buffer ROOT holds after OP."""
        depth = self.places.numbers.around(op)
        accesses = questions.accesses(op) or ()
        writes = [a for a in accesses if a.effect is Effect.WRITE]
        if len(writes) != 1 or writes[0].partial is not None:
            raise NotAffine(f"{operation_name(op)} is not followed")
        (write,) = writes
        _, target = self.places.in_memory(write, depth)
        here = paths.through(target.reverse())
        reads = [a for a in accesses if a.effect is Effect.READ]
        if questions.copies(op) and reads:
            (read,) = reads
            source, relation = self.places.in_memory(read, depth)
            if source == root and not is_identity(relation.apply_range(target.reverse())):
                raise NotAffine("a buffer is copied to itself, to elements that are read")
            add(found, source, here.through(relation))
        elif write.stored is not None and len(accesses) == 1:
            count = len(write.extents)
            stored = build.relation(depth + count, loops(self.places.numbers.of_value(write.stored)))
            add(found, write.stored, here.through(stored))
        elif write.lanes is not None and len(accesses) == 1:
            rank = rank_of(write.lanes)
            if len(write.extents) != rank:
                raise NotAffine(f"{operation_name(op)} writes an element several times")
            moved = self.places.lanes(write, write.lanes, depth).reverse()
            add(
                found,
                write.lanes,
                here.through(moved).through(self.places.to_value(write.lanes, depth, rank)),
            )
        else:
            raise NotAffine(f"{operation_name(op)} is not followed")
        add(found, root, paths.within(target.range().complement()) if here else paths)

    # -- control ---------------------------------------------------------------------------------------

    def _branches(self, op: Operation, key: Key, paths: Paths, found: Ends) -> None:
        """Each region where its condition holds; where none does, memory stays as it is."""
        depth, rank = self.places.numbers.around(op), self.places.rank(key)
        choices = (questions.choices(op) or ()) if op.results else ()
        covered = isl.Set.empty(build.space((), depth))
        for k, guard in enumerate(questions.guards(op) or ()):
            if len(guard.region.blocks) != 1:
                raise NotAffine(f"a region of {operation_name(op)} has several blocks")
            holds = self.places.where(self.places.numbers.where(guard.condition), 0, depth)
            covered = covered.union(holds)
            here = paths.within(holds.add_dims(DIM.set, rank))
            inside: Ends = {}
            if isinstance(key, OpResult):
                value = choices[key.index][k].value
                add(inside, value, here.through(self.places.to_value(value, depth, rank)))
            else:
                add(inside, key, here)
            merge(found, self.block(guard.region.block, inside))
        rest = paths.within(covered.complement().add_dims(DIM.set, rank))
        if not isinstance(key, OpResult):
            add(found, key, rest)
        elif rest:
            raise NotAffine(f"no region of {operation_name(op)} runs")
