"""Which elements of arguments are read before anything writes them; and what reads one element at all.

An element of a tensor is what it was when the function was called; one of memory is, if no operation that may
have run before may write it, or pass the memory on to what may. What stands before another operation in the
text may have run before it, and what is in one loop with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import ANY, Index
from volcli.language.memory import Effect
from volcli.language.programs.blocks import blocks_around
from volcli.language.programs.definitions import own_body
from volcli.language.reads import Access, rank_of
from volcli.language.unchanged import operations_in
from volcli.model.stated_effects import stated_accesses
from volcli.model.values.terms.writes import WrittenArguments, copied, may_be, passes_on

Indices = tuple[Index, ...]


class Unwritten:
    """What may have written the elements of FUNCTION's arguments before its operations read them."""

    def __init__(self, function: Operation) -> None:
        self._function = function
        self._order: dict[Operation, int] | None = None
        self._writers: dict[SSAValue, list[tuple[Operation, Indices | None]]] = {}

    @cached_property
    def _writes(self) -> WrittenArguments:
        return WrittenArguments()

    def may_be_written(
        self,
        root: SSAValue,
        source: SSAValue,
        index: Indices,
        op: Operation,
        are_different: Callable[[Indices, Indices], bool],
    ) -> bool:
        """Whether something may have written the element of ROOT before OP reads it, at INDEX of SOURCE.

        `are_different` tells of two indices whether they are known never to be the same.
        """
        if root not in self._writers:
            self._writers[root] = list(self._writes_to(root))
        return any(
            self._may_run_before(writer, op)
            and not (source is root and written is not None and are_different(written, index))
            for writer, written in self._writers[root]
        )

    def _writes_to(self, root: SSAValue) -> Iterable[tuple[Operation, Indices | None]]:
        """The operations that may write to ROOT or pass it on, and the index in it where that is known."""
        for op in operations_in(self._function):
            if op is self._function:
                continue
            written = self._writes.of_call(op)
            if written is not None:
                if any(may_be(operand, root) for operand in written):
                    yield op, None
                continue
            accesses = stated_accesses(op)
            if accesses is None or (not accesses and passes_on(op)):
                if any(may_be(operand, root) for operand in op.operands):
                    yield op, None
                continue
            for access in accesses:
                if access.effect is Effect.WRITE and may_be(access.memref, root):
                    is_known = access.memref is root and not access.extents
                    yield op, access.index if is_known else None

    def _may_run_before(self, first: Operation, second: Operation) -> bool:
        """Whether FIRST may have run when SECOND does: it stands before it, or both are in one loop."""
        if self._order is None:
            self._order = {op: place for place, op in enumerate(operations_in(self._function))}
        if self._order[first] < self._order[second] or len(self._function.regions[0].blocks) > 1:
            return True
        around = set(operations_around(first.parent))
        for parent in operations_around(second.parent):
            if parent is self._function:
                return False
            if parent in around and _repeats(parent):
                return True
        return False


def element_read(value: SSAValue) -> tuple[SSAValue, Indices] | None:
    """The tensor or memref, and the index, of the one element that VALUE is."""
    if isinstance(value.type, ShapedType):
        return None
    if not isinstance(value, OpResult):
        return _scalar_of(value)
    accesses = questions.accesses(value.op)
    if accesses:
        access = accesses[0]
        is_element = len(accesses) == 1 and access.effect is Effect.READ and not access.extents
        return (access.memref, access.index) if is_element and access.partial is None else None
    return copied(value)


def owner_of(argument: SSAValue) -> Operation | None:
    """The operation of which a block has ARGUMENT."""
    return argument.block.parent_op() if isinstance(argument, BlockArgument) else None


def _scalar_of(argument: SSAValue) -> tuple[SSAValue, Indices] | None:
    """The operand that ARGUMENT, of the body of a structured operation, is any element of.

    An output's argument is its initial element where each loop point has an element of its own: where points
    share one, as (d0, d1) -> (d0) makes them, it holds what those before have left.
    """
    op = owner_of(argument)
    body = None if op is None or not op.results else own_body(op)
    access = None if body is None else body.arguments.get(argument)
    if body is None or not isinstance(access, Access):
        return None
    if argument in body.states and not body.is_injective(access.index):
        return None
    return access.operand, (ANY,) * rank_of(access.operand)


def _repeats(op: Operation) -> bool:
    """Whether the regions of OP may run more than once: those of a branch run at most once."""
    is_branch = questions.choices.answers(type(op)) or questions.guards.answers(type(op))
    return questions.loop.answers(type(op)) or not is_branch


def operations_around(block: Block | None) -> Iterable[Operation]:
    """The operations that BLOCK is in, from the inside out."""
    for each in blocks_around(block):
        parent = each.parent_op()
        if parent is not None:
            yield parent
