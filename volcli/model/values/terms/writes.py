"""Which memory operations may write, and calls of functions that are seen: which of their arguments.

    func.func @get(%m: memref<8xindex>, %i: index) -> index { load %m[%i] }          writes nothing
    func.func @put(%m: memref<8xindex>, %o: memref<8xindex>) { call @get(%m, ...)    writes %o
                                                               store %o[...] }

The arguments that a function may write are the least sets that contain those of its own operations and of the
functions that it calls: of a recursion, too. An operation that stores an argument elsewhere, makes a pointer
of it, or of which the accesses are unknown, may write it.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Index, NotAffine
from volcli.language.memory import Effect, is_memref
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits
from volcli.model.stated_effects import stated_accesses
from volcli.model.symbols import called_by, entry_of, functions_called_in


class WrittenArguments:
    """The arguments that functions may write, found once for each that is called."""

    def __init__(self) -> None:
        self._known: dict[Operation, frozenset[int] | None] = {}

    def of_call(self, op: Operation) -> list[SSAValue] | None:
        """The operands that OP may write, or pass on; None if it is not a call of a function that is seen."""
        called = called_by(op)
        if called is None:
            return None
        if called not in self._known:
            self._known[called] = _written(called)
        positions = self._known[called]
        given = enumerate(op.operands)
        return None if positions is None else [value for place, value in given if place in positions]


def _written(function: Operation) -> frozenset[int] | None:
    """The positions of the arguments that FUNCTION may write: by what it calls, too. None: it calls much."""
    found: dict[Operation, frozenset[int]] = {}
    pending = [function]
    while pending:
        if len(found) == limits.WRITING_FUNCTIONS:
            return None
        each = pending.pop()
        if each not in found:
            found[each] = frozenset()
            pending += functions_called_in(each)
    is_changing = True
    while is_changing:
        is_changing = False
        for each, before in found.items():
            positions = frozenset(p for memref in _may_write(each, found) for p in _positions(memref, each))
            if positions != before:
                found[each], is_changing = positions, True
    return found[function]


def _may_write(function: Operation, known: dict[Operation, frozenset[int]]) -> Iterator[SSAValue]:
    """The memory that operations in FUNCTION may write, or pass on, by what is KNOWN of those it calls."""
    for op in operations_in(function):
        if op is function:
            continue
        if (called := called_by(op)) is not None:
            yield from (operand for position, operand in enumerate(op.operands) if position in known[called])
            continue
        accesses = stated_accesses(op)
        if accesses is None or (not accesses and passes_on(op)):
            yield from op.operands
            continue
        for access in accesses:
            if access.effect is Effect.WRITE:
                yield access.memref
            if access.stored is not None:
                yield access.stored


def _positions(memref: SSAValue, function: Operation) -> Iterator[int]:
    """The arguments of FUNCTION that MEMREF may be memory of, by their positions."""
    args = entry_of(function).args
    if not is_memref(memref):
        return
    for argument in args:
        if may_be(memref, argument):
            yield argument.index


def root_of(source: SSAValue) -> tuple[SSAValue, bool]:
    """The value that SOURCE is a part of, and whether it is that value itself."""
    root = source
    while isinstance(root, OpResult):
        view = questions.view(root.op)
        if view is not None and isinstance(root.type, ShapedType):
            root = view.base
            continue
        found = None if is_memref(root) else copied(root)
        if found is None:
            break
        root = found[0]
    return root, root is source


def copied(value: OpResult) -> tuple[SSAValue, tuple[Index, ...]] | None:
    """The tensor that VALUE has elements of, and which ones, as they are."""
    if questions.definition.answers(type(value.op)):
        return None  # a body computes them
    try:
        reads = questions.element_reads(value.op)
    except NotAffine:
        return None
    if reads is None or len(reads[value.index].alternatives) != 1:
        return None
    (alternative,) = reads[value.index].alternatives
    if len(alternative.reads) != 1 or alternative.yields is not None or reads[value.index].inexact:
        return None
    access = alternative.reads[0].access
    return access.operand, access.index


def may_be(memref: SSAValue, root: SSAValue) -> bool:
    """Whether MEMREF may be memory of the argument ROOT in every execution.

    It is not if it is new memory, a global or another argument: there are executions with different ones.
    """
    if not is_memref(memref):
        return False
    behind, _ = root_of(memref)
    if isinstance(behind, OpResult):
        return questions.buffer(behind.op) is None
    assert isinstance(root, BlockArgument)
    return behind is root or not isinstance(behind, BlockArgument) or behind.block is not root.block


def passes_on(op: Operation) -> bool:
    """Whether OP, which accesses no element, gives something from which memory can be reached: a pointer."""
    if not op.results or questions.view(op) is not None:
        return False
    try:
        return any(questions.value_of_result(result) is None for result in op.results)
    except NotAffine:
        return True
