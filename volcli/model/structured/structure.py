"""A function of blocks as one of loops and branches in regions, that does the same.

    ^head(%i, %s): ...  cf.cond_br %c, ^body, ^exit        %t = scf.for %i ... iter_args(%s) { ... }
                                                           or scf.while, where it cannot be counted
    cf.cond_br %c, ^a, ^b,  which meet in ^m(%x)           %x = scf.if %c { ... } else { ... }

What it returns is a copy beside the original, which stays as it is. Each operation is copied once, but for
what computes the condition of a counted loop and nothing else: that belongs to the iterations, and once more
to what comes behind them. The values of a copy say less than the original's where a loop's header runs once
more than its body; what touches memory runs equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import AnyFloat as FloatType
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from volcli.language.blocks import successors
from volcli.model.structured.counting import Counted, counted, touches_nothing, truth_of
from volcli.model.structured.graph import NaturalLoop, NotStructured, branches, loops, meeting, used_behind

OperationNamed = Callable[[str], type[Operation]]
Values = list[SSAValue]
Targets = Mapping[Block, Callable[[Values], Values]]
"""The blocks at which a region ends: what it yields there, from what is passed to the block."""

MOST_BLOCKS = 500
"""A function of more blocks stays as it is: finding where ways meet takes time that grows as their square."""


@dataclass
class Structured:
    """A copy of a function, with what each of its operations and values is a copy of."""

    function: Operation
    operations: dict[Operation, Operation] = field(default_factory=dict[Operation, Operation])
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])


def structured(function: Operation, operation: OperationNamed) -> Structured | None:
    """FUNCTION without branches between blocks; None if it has none, or is not seen to be structured.

    OPERATION gives the class of an operation by its name: those of scf and arith are used.
    """
    if len(function.regions) != 1 or not 1 < len(function.regions[0].blocks) <= MOST_BLOCKS:
        return None
    try:
        return _Copier(function, operation).copy()
    except NotStructured:
        return None


class _Copier:
    def __init__(self, function: Operation, operation: OperationNamed) -> None:
        self._source = function
        self._operation = operation
        self._loops = loops(function.regions[0])
        self._open: set[Block] = set()
        self._met: set[Block] = set()
        self._of: dict[SSAValue, SSAValue] = {}
        self._at: Operation = function
        copy = function.clone_without_regions()
        copy.parent = function.parent  # for symbols: what is around it does not know of the copy
        self.made = Structured(copy, {copy: function})

    def copy(self) -> Structured:
        entry = self._source.regions[0].blocks[0]
        block = Block(arg_types=[argument.type for argument in entry.args])
        self.made.function.regions[0].add_block(block)
        self._bind(entry.args, list(block.args))
        self._emit(entry, {}, (), block)
        return self.made

    # -- values ----------------------------------------------------------------------------------------

    def _bind(self, originals: Sequence[SSAValue], copies: Sequence[SSAValue]) -> None:
        for original, copy in zip(originals, copies, strict=True):
            self._of[original] = copy
            self.made.values.setdefault(copy, original)

    def _mapped(self, values: Sequence[SSAValue]) -> Values:
        return [self._of.get(value, value) for value in values]

    def _copy(self, op: Operation, into: Block) -> None:
        copies: dict[SSAValue, SSAValue] = dict(self._of)
        copy = op.clone(copies)
        into.add_op(copy)
        for inner, original in zip(copy.walk(), op.walk(), strict=True):
            self.made.operations[inner] = original
            self._bind(original.results, inner.results)
            for region, of in zip(inner.regions, original.regions, strict=True):
                for block, blocks_of in zip(region.blocks, of.blocks, strict=True):
                    self._bind(blocks_of.args, block.args)

    def _make(
        self,
        name: str,
        into: Block,
        operands: Sequence[SSAValue] = (),
        types: Sequence[Attribute] = (),
        regions: Sequence[Block] = (),
        **properties: Attribute,
    ) -> Operation:
        op = self._operation(name).create(
            operands=operands,
            result_types=types,
            properties=properties,
            regions=[Region(block) for block in regions],
        )
        into.add_op(op)
        self.made.operations[op] = self._at
        return op

    def _number(self, number: int, kind: Attribute, into: Block) -> SSAValue:
        """NUMBER as a value of type KIND."""
        if isinstance(kind, IndexType | IntegerType):
            value: Attribute = IntegerAttr(number, kind)
        elif isinstance(kind, FloatType):
            value = FloatAttr(float(number), kind)
        else:
            raise NotStructured
        return self._make("arith.constant", into, types=[kind], value=value).results[0]

    # -- blocks ----------------------------------------------------------------------------------------

    def _emit(
        self,
        block: Block,
        targets: Targets,
        types: Sequence[Attribute],
        into: Block,
        last: Block | None = None,
    ) -> Values:
        """What runs from BLOCK, whose arguments are bound, to one of TARGETS: what is yielded, of TYPES.

        If a LAST block is given, what runs to its end, and nothing is yielded.
        """
        while True:
            loop = self._loops.get(block)
            if loop is not None and block not in self._open:
                arrival = self._emit_loop(loop, into)
            else:
                if block in self._met:
                    raise NotStructured
                self._met.add(block)
                end = self._copy_before_end(block, into)
                if block is last:
                    return []
                if not end.successors:
                    if targets:
                        raise NotStructured
                    self._copy(end, into)
                    return []
                arrival = self._branch(block, targets, types, into)
                if not isinstance(arrival, tuple):
                    return arrival
            successor, passed = arrival
            if successor in targets:
                return targets[successor](passed)
            self._bind(successor.args, passed)
            block = successor

    def _copy_before_end(self, block: Block, into: Block) -> Operation:
        end = block.last_op
        if end is None:
            raise NotStructured
        for op in block.ops:
            if op is not end:
                self._copy(op, into)
        self._at = end
        return end

    def _branch(
        self, block: Block, targets: Targets, types: Sequence[Attribute], into: Block
    ) -> Values | tuple[Block, Values]:
        """From the end of BLOCK to where its ways meet: that block and its arguments, or what is yielded."""
        ways = list(zip(branches(block), successors(block), strict=True))
        if len(ways) == 1:
            return ways[0][1], self._mapped(ways[0][0].passed)
        truth = truth_of(ways[0][0].when) if len(ways) == 2 else None
        if truth is None:
            raise NotStructured
        condition, is_first = truth
        end = meeting(block, lambda each: self._following(each, block, targets))
        inner: Targets = targets if end is None or end in targets else {end: lambda passed: passed}
        kinds = types if inner is targets else [a.type for a in end.args] if end is not None else ()
        if not inner:
            raise NotStructured  # several ends of the function
        at, regions = self._at, []
        for branch, successor in ways if is_first else reversed(ways):
            region = Block()
            passed = self._mapped(branch.passed)
            if successor in inner:
                yielded = inner[successor](passed)
            else:
                self._bind(successor.args, passed)
                yielded = self._emit(successor, inner, kinds, region)
            self._at = at
            self._make("scf.yield", region, yielded)
            regions.append(region)
        made = self._make("scf.if", into, self._mapped([condition]), kinds, regions)
        if inner is targets:
            return list(made.results)
        assert end is not None
        return end, list(made.results)

    def _following(self, block: Block, start: Block, targets: Targets) -> Iterator[Block]:
        """Where control goes from BLOCK; behind a loop, it goes where the loop is left for."""
        if block in targets:
            return
        loop = self._loops.get(block)
        if loop is None or block in self._open or block is start:
            yield from dict.fromkeys(successors(block))
        else:
            yield from dict.fromkeys(successor for _, successor in loop.exits())

    # -- loops -----------------------------------------------------------------------------------------

    def _emit_loop(self, loop: NaturalLoop, into: Block) -> tuple[Block, Values]:
        """LOOP, whose header's arguments are bound; the block that it is left for, and its arguments."""
        ends = {successor for _, successor in loop.exits()}
        if len(ends) != 1 or loop.header.last_op is None:
            raise NotStructured
        self._at = loop.header.last_op
        self._open.add(loop.header)
        initial = tuple(self._mapped(loop.header.args))
        found = counted(loop, initial)
        if found is None or (arrival := self._counted(loop, found, initial, into)) is None:
            arrival = self._uncounted(loop, ends.pop(), initial, into)
        self._open.discard(loop.header)
        return arrival

    def _counted(
        self, loop: NaturalLoop, found: Counted, initial: Sequence[SSAValue], into: Block
    ) -> tuple[Block, Values] | None:
        """LOOP as scf.for; None if what comes behind needs values of the last iteration that it hides."""
        position, header = found.position, loop.header
        branch, end = next(
            (b, s) for b, s in zip(branches(found.exit), successors(found.exit), strict=True)
            if s not in loop.blocks
        )  # fmt: skip
        latch = loop.latches()[0]
        carried: list[SSAValue] = list(header.args)
        if found.tested_behind:
            carried = list(
                next(b.passed for b, s in zip(branches(latch), successors(latch), strict=True) if s is header)
            )
        used = dict.fromkeys((*branch.passed, *used_behind(loop)))
        again = self._again(found, loop, used, carried)
        if again is None:
            return None
        needed = {value for op in again for value in op.operands} | set(used)
        keep = [k for k in range(len(carried)) if k != position or carried[k] in needed]
        kind = header.args[position].type
        lower = initial[position]
        upper = self._upper(found, lower, kind, into)
        step = self._number(found.step, kind, into)
        types = [header.args[k].type for k in keep]
        body = Block(arg_types=[kind, *types])
        self._bind([header.args[k] for k in keep], body.args[1:])
        self._bind([header.args[position]], body.args[:1])
        at = self._at
        self._fill(loop, found, keep, types, body)
        self._at = at
        made = self._make("scf.for", into, (lower, upper, step, *(initial[k] for k in keep)), types, (body,))
        self._bind([carried[k] for k in keep], made.results)
        for op in again:
            self._copy(op, into)
        return end, self._mapped(branch.passed)

    @staticmethod
    def _again(
        found: Counted, loop: NaturalLoop, used: Mapping[SSAValue, None], carried: Sequence[SSAValue]
    ) -> list[Operation] | None:
        """What of the header is to be computed behind LOOP again; None if it does not give what is USED."""
        inside = [v for v in used if v not in carried and _home(v) in loop.blocks]
        if found.tested_behind:
            return None if inside else []
        wanted, again = set(inside), list[Operation]()
        for op in reversed(list(loop.header.ops)):
            if any(result in wanted for result in op.results):
                again.append(op)
                wanted -= set(op.results)
                wanted |= {v for v in op.operands if v not in carried and _home(v) in loop.blocks}
        if wanted or not all(map(touches_nothing, again)):
            return None
        return again[::-1]

    def _upper(self, found: Counted, lower: SSAValue, kind: Attribute, into: Block) -> SSAValue:
        """The end of the iterations."""
        if found.bound is None:
            upper = self._number(found.offset, kind, into)
        else:
            upper = self._plus(self._mapped([found.bound])[0], found.offset, kind, into)
        if not found.tested_behind:
            return upper
        least = self._plus(lower, 1, kind, into)
        return self._make("arith.maxsi", into, (least, upper), [kind]).results[0]

    def _plus(self, value: SSAValue, number: int, kind: Attribute, into: Block) -> SSAValue:
        if number == 0:
            return value
        return self._make("arith.addi", into, (value, self._number(number, kind, into)), [kind]).results[0]

    def _fill(
        self, loop: NaturalLoop, found: Counted, keep: Sequence[int], types: Sequence[Attribute], body: Block
    ) -> None:
        """The iterations of LOOP in BODY."""
        header = loop.header
        targets: Targets = {header: lambda passed: [passed[k] for k in keep]}
        if found.tested_behind:
            self._emit(header, {}, (), body, found.exit)
            ways = zip(branches(found.exit), successors(found.exit), strict=True)
            passed = next(branch.passed for branch, successor in ways if successor is header)
            yielded = targets[header](self._mapped(passed))
        else:
            self._met.add(header)
            self._copy_before_end(header, body)
            ways = zip(branches(header), successors(header), strict=True)
            branch, successor = next(way for way in ways if way[1] in loop.blocks)
            passed = self._mapped(branch.passed)
            if successor is header:
                yielded = targets[header](passed)
            else:
                self._bind(successor.args, passed)
                yielded = self._emit(successor, targets, types, body)
        self._make("scf.yield", body, yielded)

    def _tested(
        self, loop: NaturalLoop, end: Block, initial: Sequence[SSAValue], into: Block
    ) -> tuple[Block, Values]:
        """LOOP, which only its header leaves, as an scf.while.

        Its first region is the header; it forwards the header's arguments, and all that is used elsewhere.
        """
        header = loop.header
        before = Block(arg_types=[argument.type for argument in header.args])
        self._bind(header.args, before.args)
        last = self._copy_before_end(header, before)
        ways = list(zip(branches(header), successors(header), strict=True))
        truth = truth_of(ways[0][0].when) if len(ways) == 2 else None
        if truth is None:
            raise NotStructured
        flag = self._mapped([truth[0]])[0]
        if truth[1] != (ways[0][1] in loop.blocks):
            flag = self._make("arith.xori", before, (flag, self._number(1, i1, before)), [i1]).results[0]
        (inner, following), (outer, _) = sorted(ways, key=lambda way: way[1] not in loop.blocks)
        elsewhere = [
            result for op in header.ops for result in op.results
            if any(header.find_ancestor_op_in_block(use.operation) is None for use in result.uses)
        ]  # fmt: skip
        forwarded = [*header.args, *elsewhere, *outer.passed]
        types = [value.type for value in forwarded]
        self._make("scf.condition", before, (flag, *self._mapped(forwarded)))
        after = Block(arg_types=types)
        own = [*header.args, *elsewhere]
        self._bind(own, after.args[: len(own)])
        self._met.add(header)
        passed = self._mapped(inner.passed)
        targets: Targets = {header: lambda values: values}
        if following is header:
            yielded = passed
        else:
            self._bind(following.args, passed)
            yielded = self._emit(following, targets, [a.type for a in header.args], after)
        self._at = last
        self._make("scf.yield", after, yielded)
        made = self._make("scf.while", into, initial, types, (before, after))
        self._bind(own, made.results[: len(own)])
        return end, list(made.results[len(own) :])

    def _uncounted(
        self, loop: NaturalLoop, end: Block, initial: Sequence[SSAValue], into: Block
    ) -> tuple[Block, Values]:
        """LOOP as an scf.while that is left for END.

        Its first region runs an iteration, and forwards whether another one follows, its arguments, those of
        END, and what is used behind. What a way through the iteration does not give is some number.
        """
        header, used = loop.header, used_behind(loop)
        if all(block is header for block, _ in loop.exits()):
            return self._tested(loop, end, initial, into)
        parts = [[value.type for value in each] for each in (header.args, end.args, used)]
        types = [kind for part in parts for kind in part]
        before, after = Block(arg_types=parts[0]), Block(arg_types=types)
        self._bind(header.args, before.args)
        at = self._at
        follows, leaves = (self._number(number, i1, before) for number in (1, 0))
        nothing = [[self._number(0, kind, before) for kind in part] for part in parts]
        targets: Targets = {
            header: lambda passed: [follows, *passed, *nothing[1], *nothing[2]],
            end: lambda passed: [leaves, *nothing[0], *passed, *self._mapped(used)],
        }
        forwarded = self._emit(header, targets, [i1, *types], before)
        self._at = at
        self._make("scf.condition", before, forwarded)
        self._make("scf.yield", after, after.args[: len(parts[0])])
        made = self._make("scf.while", into, initial, types, (before, after))
        behind = list(made.results[len(parts[0]) :])
        self._bind(used, behind[len(parts[1]) :])
        return end, behind[: len(parts[1])]


def _home(value: SSAValue) -> Block | None:
    """The block that VALUE belongs to."""
    owner = value.owner
    return owner.parent if isinstance(owner, Operation) else owner
