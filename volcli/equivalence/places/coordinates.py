"""Whether coordinates of the loops take part in a number, however it is computed.

What is selected by a truth is both of its operands, where data decides; where coordinates do, in a way that
is not affine or through memory, it is one of them, and it is unknown which. So it is with arguments that are
numbers: what depends on them may be written as a condition as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import IndexType, ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.equivalence.places.places import Places
from volcli.language import questions
from volcli.language.expressions import LoopIndex, NotAffine, Parameter
from volcli.language.loops import Loop
from volcli.language.memory import Effect, is_memref
from volcli.language.programs.definitions import own_body
from volcli.language.programs.loop_numbers import is_index_like
from volcli.language.reads import Access, element_type, is_number
from volcli.language.unchanged import cached_method
from volcli.model.memory.buffers.roots import Origin, Root


class Coordinates:
    """What coordinates take part in, in one function."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._counted: dict[Root, bool] = {}

    @cached_method
    def decide(self, value: SSAValue) -> bool:
        """Whether coordinates may take part in VALUE.

        What is made of constants alone counts, too: a counter, that a loop carries or memory holds.
        """
        behind = self._behind(value)
        return any(map(self._is_coordinate, behind)) or not any(map(self._is_data, behind))

    def _behind(self, value: SSAValue) -> dict[SSAValue, None]:
        """VALUE and all that it may be computed from."""
        seen: dict[SSAValue, None] = {value: None}
        pending = [value]
        while pending:
            for each in self._before(pending.pop()):
                if each not in seen:
                    seen[each] = None
                    pending.append(each)
        return seen

    def _is_coordinate(self, value: SSAValue) -> bool:
        if is_memref(value):
            root = self._places.buffers.root(value)
            return is_number(element_type(value.type)) and self._is_counted_in(root)
        if not is_number(value):
            return False
        kinds = LoopIndex | Parameter if is_index_like(value) else LoopIndex
        try:
            number = self._places.numbers.value(value)
        except NotAffine:
            return isinstance(value, BlockArgument) and self._is_carried(value)
        return any(isinstance(atom, kinds) for atom in number.atoms())

    @staticmethod
    def _is_carried(argument: BlockArgument) -> bool:
        op = argument.block.parent_op()
        counted = None if op is None else questions.loop(op)
        return isinstance(counted, Loop) and any(each.argument is argument for each in counted.carried)

    def _is_counted_in(self, root: Root) -> bool:
        """Whether what is stored in the buffer ROOT may be computed from what was there."""
        if root not in self._counted:
            self._counted[root] = False
            behind = (each for stored in self._stored(root) for each in self._behind(stored))
            self._counted[root] = any(
                is_memref(each) and self._places.buffers.root(each) == root for each in behind
            )
        return self._counted[root]

    def _is_data(self, value: SSAValue) -> bool:
        """Whether VALUE is an element of an input, or a buffer of inputs."""
        if is_memref(value):
            return self._places.buffers.root(value).origin is not Origin.ALLOCATION
        return isinstance(value, BlockArgument) and value.block is self._places.numbers.entry

    def _before(self, value: SSAValue) -> Iterator[SSAValue]:
        """What VALUE may be computed from; not what only selects its element."""
        if is_memref(value):
            yield from self._stored(self._places.buffers.root(value))
        elif isinstance(value, BlockArgument):
            yield from self._passed(value)
        elif isinstance(value, OpResult):
            is_shaped = any(isinstance(operand.type, ShapedType) for operand in value.op.operands)
            holds_indices = isinstance(element_type(value.type), IndexType)
            for operand in value.op.operands:
                if holds_indices or not (is_shaped and isinstance(operand.type, IndexType)):
                    yield operand
            yield from _inside(value.op)

    def _passed(self, argument: BlockArgument) -> Iterator[SSAValue]:
        op = argument.block.parent_op()
        if op is None or argument.block is self._places.numbers.entry:
            return
        counted = questions.loop(op)
        if isinstance(counted, Loop):
            for each in counted.carried:
                if each.argument is argument:
                    yield from (each.initial, each.yielded)
        body = own_body(op)
        if body is not None and isinstance(access := body.arguments.get(argument), Access):
            yield access.operand

    def _stored(self, root: Root) -> Iterator[SSAValue]:
        """What is put into the buffer ROOT, if the function makes it."""
        if root.origin is not Origin.ALLOCATION:
            return
        function = self._places.numbers.entry.parent_op()
        assert function is not None
        for op in function.walk():
            try:
                accesses = questions.accesses(op) or ()
            except NotAffine:
                continue
            writes = (a for a in accesses if a.effect is Effect.WRITE)
            into = [each for each in writes if self._places.buffers.root(each.memref) == root]
            yield from (each.stored for each in into if each.stored is not None)
            if any(each.stored is None for each in into):
                yield from (o for o in op.operands if o not in [each.memref for each in into])
                yield from _inside(op)


def _inside(op: Operation) -> Iterator[SSAValue]:
    """What the regions of OP end with."""
    for region in op.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield from block.last_op.operands
