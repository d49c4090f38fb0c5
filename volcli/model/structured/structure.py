"""A function of blocks as one of loops and branches in regions, that does the same.

    ^head(%i, %s): ...  cf.cond_br %c, ^body, ^exit        %t = scf.for %i ... iter_args(%s) { ... }
                                                           or scf.while, where it cannot be counted
    cf.cond_br %c, ^a, ^b,  which meet in ^m(%x)           %x = scf.if %c { ... } else { ... }

What it returns is a copy beside the original, which stays as it is. Each operation is copied once, but for
what computes the condition of a counted loop and nothing else: that belongs to the iterations, and once more
to what comes after them. The values of a copy say less than the original's where a loop's header runs once
more than its body; what touches memory runs equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from volcli.language.loops import Branch
from volcli.language.programs.blocks import home
from volcli.limits import structure as limits
from volcli.model.structured.branches import BranchCopier, Surroundings, Targets
from volcli.model.structured.copying import OperationNamed, Structured, Values
from volcli.model.structured.counting import WRAPS, Counted, counted, truth_of
from volcli.model.structured.ends import again, last_ones, last_value, upper_end
from volcli.model.structured.graph import NaturalLoop, NotStructured, used_behind, ways
from volcli.model.structured.normal_form import normal_form
from volcli.model.structured.numbering import insert_number


def structured(function: Operation, operation: OperationNamed) -> Structured | None:
    """FUNCTION without branches between blocks; None if it has none, or is not seen to be structured.

    OPERATION gives the class of an operation by its name: those of scf and arith are used.
    """
    if len(function.regions) != 1 or not 1 < len(function.regions[0].blocks) <= limits.BLOCKS:
        return None
    try:
        normal = normal_form(function, operation)
    except NotStructured:
        return None
    copier = _Structurer(normal.function, operation)
    try:
        with copier.whole():
            return copier.run().of(normal)
    except NotStructured:
        normal.discard()
        return None


class _Structurer(BranchCopier):
    """Copies the loops of a function: as scf.for where they are counted, else as scf.while."""

    def run(self) -> Structured:
        entry = self._source.regions[0].blocks[0]
        block = Block(arg_types=[argument.type for argument in entry.args])
        self.made.function.regions[0].add_block(block)
        self.begin(entry.args, list(block.args))
        self._emit(entry, {}, (), block)
        return self.made

    def _emit_loop(
        self, loop: NaturalLoop, targets: Targets, types: Sequence[Attribute], into: Block, last: Block | None
    ) -> Values | tuple[Block, Values]:
        """LOOP, whose header's arguments are bound; what is after it, as `_branch` says it.

        If it is left for several blocks, the block after it is where the ways from these meet.
        """
        ends = sorted(
            dict.fromkeys(successor for _, successor in loop.exits()), key=lambda e: e not in targets
        )
        if not ends or loop.header.last_op is None:
            raise NotStructured
        self.at = loop.header.last_op
        self._open.add(loop.header)
        initial = tuple(self.mapped(loop.header.args))
        found = counted(loop, initial) if len(ends) == 1 else None
        if found is not None and (arrival := self._counted(loop, found, initial, into)) is not None:
            self._open.discard(loop.header)
            return arrival
        left = self._uncounted(loop, ends, initial, into)
        self._open.discard(loop.header)
        if len(ends) == 1:
            return left[0].block, left[0].passed
        first = [each.block for each in left]
        region = Surroundings(targets, types, into, last)
        return self._up_to(first, partial(self._one_of, left, into), region)

    def _one_of(
        self, left: Sequence[_Left], into: Block, targets: Targets, types: Sequence[Attribute]
    ) -> Values:
        """What is yielded after the one of LEFT whose flag is true, or after the last one."""
        first, *others = left
        if first.flag is None:
            return self._with(first.passed, first.block, targets, types, into)
        at, here, elsewhere = self.at, Block(), Block()
        yielded = self._with(first.passed, first.block, targets, types, here)
        self.at = at
        self.make("scf.yield", here, yielded)
        yielded = self._one_of(others, elsewhere, targets, types)
        self.at = at
        self.make("scf.yield", elsewhere, yielded)
        return list(self.make("scf.if", into, (first.flag,), types, (here, elsewhere)).results)

    def _counted(
        self, loop: NaturalLoop, found: Counted, initial: Sequence[SSAValue], into: Block
    ) -> tuple[Block, Values] | None:
        """LOOP as scf.for; None if what comes after needs values of the last iteration that it hides."""
        position, header = found.position, loop.header
        branch, end = next(way for way in ways(found.exit) if way[1] not in loop.blocks)
        carried: Sequence[SSAValue] = header.args
        if found.tested_behind:
            carried = next(back.passed for back, successor in ways(found.exit) if successor is header)
        used = dict.fromkeys((*branch.passed, *used_behind(loop)))
        of_last, repeated = last_ones(found, loop, used, carried)
        if not found.tested_behind:
            repeated = again(loop, used, carried)
        if repeated is None:
            return None
        kind = header.args[position].type
        needed = {value for op in repeated for value in op.operands} | set(used)
        is_last_needed = found.tested_behind and header.args[position] in needed
        is_needed = is_last_needed or carried[position] in needed
        is_simple = isinstance(kind, IndexType) or (found.step == 1 and not found.tested_behind)
        keep = [k for k in range(len(carried)) if k != position or (is_needed and not is_simple)]
        lower = initial[position]
        upper = upper_end(self, found, lower, kind, into)
        step = self.number(found.step, kind)
        types = [header.args[k].type for k in keep] + [value.type for value in of_last]
        first = [initial[k] for k in keep] + [self.number(0, value.type) for value in of_last]
        body = Block(arg_types=[kind, *types])
        self.begin([header.args[k] for k in keep if k != position], [
            argument for k, argument in zip(keep, body.args[1 : len(keep) + 1], strict=True) if k != position
        ])  # fmt: skip
        self.made.values.update(zip(body.args[len(keep) + 1 :], of_last, strict=True))
        self.begin([header.args[position]], body.args[:1])
        at = self.at
        following = [*(carried[k] for k in keep), *of_last]
        self._fill(loop, found, following, keep, body)
        self.at = at
        made = self.make("scf.for", into, (lower, upper, step, *first), types, (body,))
        if found.wraps:
            made.attributes[WRAPS] = UnitAttr()
        self.bind(following, made.results)
        if is_simple and (is_needed or not found.tested_behind):
            self.bind([carried[position]], [last_value(self, found, lower, upper, kind, into)])
        if is_last_needed:
            behind = self.mapped([carried[position]])[0]
            self.bind([header.args[position]], self.make("arith.subi", into, (behind, step), [kind]).results)
        if not found.tested_behind:  # the header runs once more than the iterations
            known = [v for k, v in enumerate(header.args) if k in keep or (k == position and is_simple)]
            self.made.occur(known, self.mapped(known), into)
            self.made.incomplete.update(value for value in header.args if value not in known)
        for op in repeated:
            self.copy(op, into, again=found.tested_behind)
        return end, self.mapped(branch.passed)

    def _fill(
        self, loop: NaturalLoop, found: Counted, carried: Values, keep: Sequence[int], body: Block
    ) -> None:
        """The iterations of LOOP in BODY, which yields what is CARRIED: the arguments at positions KEEP."""
        header = loop.header
        if found.tested_behind:
            self._emit(header, {}, (), body, found.exit)
            yielded = self.mapped(carried)
        else:
            self._met.add(header)
            self.copy_before_end(header, body)
            branch, successor = next(way for way in ways(header) if way[1] in loop.blocks)
            targets: Targets = {header: lambda passed: [passed[k] for k in keep]}
            yielded = self._go(branch, successor, targets, [each.type for each in carried], body)
        self.make("scf.yield", body, yielded)

    def _tested(
        self, loop: NaturalLoop, end: Block, initial: Sequence[SSAValue], into: Block
    ) -> tuple[Block, Values]:
        """LOOP, which only its header leaves, as an scf.while.

        Its first region is the header; it forwards the header's arguments, and all that is used elsewhere.
        What is passed on and comes from before the loop is no result of it.
        """
        header = loop.header
        before = Block(arg_types=[argument.type for argument in header.args])
        self.begin(header.args, before.args)
        last = self.copy_before_end(header, before)
        out = ways(header)
        condition, is_first = _truth(out)
        flag = self.mapped([condition])[0]
        if is_first != (out[0][1] in loop.blocks):
            flag = self.make("arith.xori", before, (flag, self.number(1, i1)), [i1]).results[0]
        (inner, following), (outer, _) = sorted(out, key=lambda way: way[1] not in loop.blocks)
        elsewhere = [
            result for op in header.ops for result in op.results
            if any(header.find_ancestor_op_in_block(use.operation) is None for use in result.uses)
        ]  # fmt: skip
        given = [value for value in outer.passed if home(value) in loop.blocks]
        forwarded = [*header.args, *elsewhere, *given]
        types = [value.type for value in forwarded]
        self.make("scf.condition", before, (flag, *self.mapped(forwarded)))
        after = Block(arg_types=types)
        own = [*header.args, *elsewhere]
        self.bind(own, after.args[: len(own)])
        self._met.add(header)
        targets: Targets = {header: lambda values: values}
        yielded = self._go(inner, following, targets, [a.type for a in header.args], after)
        self.at = last
        self.make("scf.yield", after, yielded)
        made = self._numbered(into, initial, types, before, after)
        self.bind(own, made[: len(own)])
        passed = dict(zip(given, made[len(own) :], strict=True))
        return end, [passed[v] if v in passed else self.mapped([v])[0] for v in outer.passed]

    def _numbered(
        self,
        into: Block,
        initial: Sequence[SSAValue],
        types: Sequence[Attribute],
        before: Block,
        after: Block,
    ) -> Values:
        """The results of an scf.while of BEFORE and AFTER, whose iterations are numbered: 0, 1, 2, ..."""
        kind = IndexType()
        zero, one = self.number(0, kind), self.number(1, kind)
        insert_number(before, after, lambda inner: self.make("arith.addi", None, (inner, one), [kind]))
        made = self.make("scf.while", into, (zero, *initial), (kind, *types), (before, after))
        return list(made.results[1:])

    def _uncounted(
        self, loop: NaturalLoop, ends: Sequence[Block], initial: Sequence[SSAValue], into: Block
    ) -> list[_Left]:
        """LOOP as an scf.while that is left for one of ENDS.

        Its first region runs an iteration, and forwards whether another one follows, its arguments, those of
        ENDS, what is used after, and for each of ENDS but the last whether it is left for that one. What a
        way through the iteration does not give is some number.
        """
        header, used = loop.header, used_behind(loop)
        constant = [self._constant(loop, end) for end in ends]
        if all(block is header for block, _ in loop.exits()) and len(ways(header)) == 2:
            return [_Left(*self._tested(loop, ends[0], initial, into))]
        parts = [[value.type for value in each] for each in (header.args, *(e.args for e in ends), used)]
        types = [*(kind for part in parts for kind in part), *[i1] * (len(ends) - 1)]
        before, after = Block(arg_types=parts[0]), Block(arg_types=types)
        self.begin(header.args, before.args)
        at = self.at
        false, true = (self.number(number, i1) for number in (0, 1))
        nothing = [self.nothing(part, before) for part in parts]
        flags = [
            [true if k == chosen else false for k in range(len(ends) - 1)] for chosen in range(len(ends))
        ]

        def leaving(position: int, passed: Values) -> Values:
            given = [passed if k == position else nothing[k + 1] for k in range(len(ends))]
            known = loop.known_at(ends[position], used)
            here = [self.mapped([v])[0] if v in known else n for v, n in zip(used, nothing[-1], strict=True)]
            return [false, *nothing[0], *(v for part in given for v in part), *here, *flags[position]]

        targets: dict[Block, Callable[[Values], Values]] = {
            end: partial(leaving, position) for position, end in enumerate(ends)
        }
        rest = [value for part in nothing[1:] for value in part]
        targets[header] = lambda passed: [true, *passed, *rest, *flags[-1]]
        forwarded = self._emit(header, targets, [i1, *types], before)
        self.at = at
        self.make("scf.condition", before, forwarded)
        self.make("scf.yield", after, after.args[: len(parts[0])])
        results = iter(self._numbered(into, initial, types, before, after))
        _, *passed, behind = [list[SSAValue](islice(results, len(part))) for part in parts]
        self.bind(used, behind)
        passed = [
            [made if value is None else self.mapped([value])[0] for made, value in zip(*each, strict=True)]
            for each in zip(passed, constant, strict=True)
        ]
        return [_Left(*each) for each in zip(ends, passed, (*results, None), strict=True)]

    @staticmethod
    def _constant(loop: NaturalLoop, end: Block) -> list[SSAValue | None]:
        """What LOOP passes to each argument of END whenever it is left for it, if that is from before it."""
        leaving = dict.fromkeys(block for block, successor in loop.exits() if successor is end)
        passed = [branch.passed for block in leaving for branch, to in ways(block) if to is end]
        columns = [[*dict.fromkeys(each)] for each in zip(*passed, strict=True)]
        return [
            column[0] if len(column) == 1 and home(column[0]) not in loop.blocks else None
            for column in columns
        ]


@dataclass(frozen=True)
class _Left:
    """A block that a loop was left for, if its FLAG is true or there is no other one; what it is PASSED."""

    block: Block
    passed: Values
    flag: SSAValue | None = None


def _truth(out: Sequence[tuple[Branch, Block]]) -> tuple[SSAValue, bool]:
    """The value that decides between two branches, and whether the first is taken where it is true."""
    truth = truth_of(out[0][0].when) if len(out) == 2 else None
    if truth is None:
        raise NotStructured
    return truth
