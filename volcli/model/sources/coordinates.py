"""Whether coordinates of the loops take part in a number, however it is computed.

What is selected by a truth is both of its operands, where data decides; where coordinates do, in a way that
is not affine or through memory, it is one of them, and it is unknown which. So it is with arguments that are
numbers, and with constants: what decides by them may be written as a condition, or as nothing at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import IndexType, ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import LoopIndex, NotAffine, Parameter
from volcli.language.loop_numbers import is_index_like
from volcli.language.loops import Loop
from volcli.language.memory import Effect, is_memref
from volcli.language.provenance import is_integer
from volcli.language.reads import Access
from volcli.model.memory.roots import Origin, Root
from volcli.model.sources.places import Places
from volcli.model.stated_effects import only_computes


class Coordinates:
    """What coordinates take part in, in one function."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: dict[SSAValue, bool] = {}

    def decide(self, value: SSAValue) -> bool:
        """Whether coordinates or numbers may take part in VALUE, or no data does."""
        if value not in self._known:
            self._known[value] = self._found(value)
        return self._known[value]

    def _found(self, value: SSAValue) -> bool:
        seen = {value}
        pending = [value]
        is_data = False
        while pending:
            current = pending.pop()
            if self._is_coordinate(current):
                return True
            is_data = is_data or self._is_input(current)
            for each in self._before(current):
                if each not in seen:
                    seen.add(each)
                    pending.append(each)
        return not is_data

    def _is_input(self, value: SSAValue) -> bool:
        """Whether VALUE is data that the function is given, or memory that it did not make."""
        if is_memref(value):
            return self._places.buffers.root(value).origin is not Origin.ALLOCATION
        if isinstance(value, BlockArgument):
            return value.block is self._places.numbers.entry
        return isinstance(value, OpResult) and not value.op.regions and not only_computes(value.op)

    def _is_coordinate(self, value: SSAValue) -> bool:
        if not is_integer(value.type):
            return False
        kinds = LoopIndex | Parameter if is_index_like(value) else LoopIndex
        try:
            number = self._places.numbers.value(value)
        except NotAffine:
            return False
        return any(isinstance(atom, kinds) for atom in number.atoms())

    def _before(self, value: SSAValue) -> Iterator[SSAValue]:
        """What VALUE may be computed from; not what only selects its element."""
        if is_memref(value):
            yield from self._stored(self._places.buffers.root(value))
        elif isinstance(value, BlockArgument):
            yield from self._passed(value)
        elif isinstance(value, OpResult):
            is_shaped = any(isinstance(operand.type, ShapedType) for operand in value.op.operands)
            for operand in value.op.operands:
                if not (is_shaped and isinstance(operand.type, IndexType)):
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
        body = questions.scalar_body(op)
        if body is not None and isinstance(access := body.arguments[argument.index], Access):
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
            if any(self._places.buffers.root(a.memref) == root for a in writes):
                yield from (o for o in op.operands if not isinstance(o.type, IndexType))
                yield from _inside(op)


def _inside(op: Operation) -> Iterator[SSAValue]:
    """The values that the regions of OP compute."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield from inner.results
