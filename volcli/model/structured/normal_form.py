"""The blocks of a function with one end, and loops that are entered at one block and can be left.

    ^a: return %x      ^b: return %y             ^a: br ^end(%x)   ^b: br ^end(%y)   ^end(%z): return %z

    a cycle entered at ^a(%x) and at ^b(%y)      what branches to ^a or ^b branches to ^ab(%is_a, %x, %y),
                                                 which branches to ^a(%x) or to ^b(%y)

    a cycle that is never left                   its header ends the function in a case that never is

Each is a rule about edges of the graph, and operations stay where they are. What a way does not pass is some
value that nothing uses: a number, or an operation that gives nothing. A cycle that is entered at several
blocks has a new header after the rule; what is left of it without the header has fewer edges into it, so that
the rule comes to an end. (Lifting cf to scf in MLIR has the same rules: `--lift-cf-to-scf`.)
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from volcli.language.programs.blocks import dominators, successors
from volcli.language.reads import is_number
from volcli.model.structured.copying import Copier, OperationNamed, Structured, Values
from volcli.model.structured.graph import NotStructured, cycles, loops

Edge = tuple[Block, int]
"""A block, and which of its successors is meant."""


def normal_form(function: Operation, operation: OperationNamed) -> Structured:
    """A copy of FUNCTION whose blocks have one end and loops with one entry. Raises NotStructured."""
    copier = _Normal(function, operation)
    with copier.whole():
        return copier.run()


class _Normal(Copier):
    """Copies a function, and changes where its blocks branch to."""

    def run(self) -> Structured:
        self._copy_blocks()
        self._drop_unreached()
        end = self._one_end()
        self._one_entry(list(self._region.blocks)[1:])
        self._leave_endless(end)
        return self.made

    @property
    def _region(self) -> Region:
        return self.made.function.regions[0]

    def _copy_blocks(self) -> None:
        blocks = {block: Block(arg_types=block.arg_types) for block in self.at.regions[0].blocks}
        region = self._region
        for block, copy in blocks.items():
            region.add_block(copy)
            self.bind(block.args, copy.args)
        for block in dominators(list(blocks)):  # so that each value is copied before what uses it
            for op in block.ops:
                self.copy(op, blocks[block])
            last = blocks[block].last_op
            if last is not None and last.successors:
                last.successors = [blocks[each] for each in last.successors]

    def _drop_unreached(self) -> None:
        reached = dominators(self._region.blocks)
        for block in list(self._region.blocks):
            if block not in reached:
                self._region.detach_block(block)

    # -- ends ------------------------------------------------------------------------------------------

    def _one_end(self) -> Block:
        """The block at whose end the function ends: a new one, if there are several or none."""
        ends = [block for block in self._region.blocks if not successors(block)]
        if len(ends) == 1:
            return ends[0]
        lasts = [last for block in ends if (last := block.last_op) is not None]
        if len(lasts) < len(ends) or len({_kind(last) for last in lasts}) > 1:
            raise NotStructured
        end = Block(arg_types=[value.type for value in (lasts[0].operands if lasts else self.at.results)])
        self._region.add_block(end)
        if not lasts:
            self.make("scf.yield" if self.at.results else "func.return", end, end.args)
            return end
        self.at = self.made.operations[lasts[0]]
        self.make(lasts[0].name, end, end.args)
        for block, last in zip(ends, lasts, strict=True):
            self.at = self.made.operations[last]
            passed = list(last.operands)
            block.erase_op(last)
            self.branch(block, end, passed)
        return end

    # -- cycles with several entries -------------------------------------------------------------------

    def _one_entry(self, blocks: Sequence[Block]) -> None:
        """Each cycle of BLOCKS is entered at one block."""
        pending = [blocks]
        while pending:
            for members in cycles(pending.pop()):
                inside = frozenset(members)
                into = [edge for edge in self._edges_to(inside) if edge[0] not in inside]
                entries = list(dict.fromkeys(map(_target, into)))
                header = entries[0] if len(entries) == 1 else self._dispatch(members, entries)
                pending.append([block for block in members if block is not header])

    def _dispatch(self, members: Sequence[Block], entries: Sequence[Block]) -> Block:
        """A new block in front of ENTRIES, of the cycle of MEMBERS: what branched to them branches to it."""
        edges = self._edges_to(entries)
        self.at = self.made.operations[_last(members[0])]
        kinds, places = _places(entries)
        flags: list[Attribute] = [i1] * (len(entries) - 1)
        header = Block(arg_types=[*flags, *kinds])
        self._region.insert_block_before(header, entries[0])
        passed = header.args[len(flags) :]
        for k, value in enumerate(passed):
            arguments = [e.args[at.index(k)] for e, at in zip(entries, places, strict=True) if k in at]
            if len(arguments) == 1:
                self._call([value], arguments)
        self._lead_on(header, entries, [[passed[k] for k in at] for at in places])
        for edge in edges:
            position = entries.index(_target(edge))
            between = self._split(edge)
            taken = [self.number(int(k == position), i1) for k in range(len(flags))]
            own = dict(zip(places[position], between.args, strict=True))
            given = [own.get(k) or self.nothing([kind], between)[0] for k, kind in enumerate(kinds)]
            self.branch(between, header, [*taken, *given])
        return header

    def _call(self, values: Iterable[SSAValue], others: Iterable[SSAValue]) -> None:
        """Call VALUES as OTHERS are called."""
        for value, other in zip(values, others, strict=True):
            called = self.made.values.get(other) or self.made.called.get(other)
            if called is not None:
                self.made.called[value] = called

    def _lead_on(self, header: Block, entries: Sequence[Block], passed: Sequence[Values]) -> None:
        """From HEADER to the first of ENTRIES whose flag is true, or the last, with what it is PASSED."""
        at, flags = header, header.args[: len(entries) - 1]
        for k, flag in enumerate(flags):
            is_last = flag is flags[-1]
            other = entries[-1] if is_last else Block()
            if not is_last:
                self._region.insert_block_before(other, entries[0])
            self.branch_if(at, flag, (entries[k], passed[k]), (other, passed[-1] if is_last else []))
            at = other

    # -- cycles that are never left --------------------------------------------------------------------

    def _leave_endless(self, end: Block) -> None:
        """From each cycle that is never left there is a way to END that is never taken."""
        found = list(loops(self._region).values())
        for loop in found:
            if not loop.exits() and not any(other.blocks > loop.blocks for other in found):
                self._leave(loop.header, end)

    def _leave(self, header: Block, end: Block) -> None:
        """In front of HEADER there is a block that branches to END where true is false."""
        edges = self._edges_to([header])
        self.at = self.made.operations[_last(header)]
        front = Block(arg_types=header.arg_types)
        self._call(front.args, header.args)
        self._region.insert_block_before(front, header)
        for block, k in edges:
            _redirect(block, k, front)
        true = self.number(1, i1)
        never = self.nothing(end.arg_types, front)
        self.branch_if(front, true, (header, list[SSAValue](front.args)), (end, never))

    # -- edges -----------------------------------------------------------------------------------------

    def _edges_to(self, targets: Container[Block]) -> list[Edge]:
        every = ((block, k, to) for block in self._region.blocks for k, to in enumerate(successors(block)))
        return [(block, k) for block, k, to in every if to in targets]

    def _split(self, edge: Edge) -> Block:
        """A new block that EDGE leads to, with the arguments of the block that it led to."""
        block, position = edge
        between = Block(arg_types=_target(edge).arg_types)
        self._region.insert_block_before(between, _target(edge))
        _redirect(block, position, between)
        return between


def _places(entries: Sequence[Block]) -> tuple[list[Attribute], list[list[int]]]:
    """The types of what a dispatch to ENTRIES passes on, and which of it are the arguments of each entry.

    Numbers of different entries have one place, as only one entry is taken: fewer values go around the cycle.
    Memory has its own, which is no memory in the other cases.
    """
    kinds: list[Attribute] = []
    places: list[list[int]] = []
    for entry in entries:
        free = [k for k, kind in enumerate(kinds) if is_number(kind)]
        own: list[int] = []
        for argument in entry.args:
            found = next((k for k in free if kinds[k] == argument.type), None)
            if found is None:
                found = len(kinds)
                kinds.append(argument.type)
            else:
                free.remove(found)
            own.append(found)
        places.append(own)
    return kinds, places


def _kind(last: Operation) -> tuple[object, ...]:
    """The same for ends that differ in nothing but the values."""
    if last.regions:
        raise NotStructured
    kinds = tuple(value.type for value in last.operands)
    return last.name, kinds, tuple(last.properties.items()), tuple(last.attributes.items())


def _target(edge: Edge) -> Block:
    block, position = edge
    return successors(block)[position]


def _last(block: Block) -> Operation:
    last = block.last_op
    if last is None:
        raise NotStructured
    return last


def _redirect(block: Block, position: int, to: Block) -> None:
    """The successor of BLOCK at POSITION is TO."""
    last = _last(block)
    last.successors = [to if k == position else each for k, each in enumerate(last.successors)]
