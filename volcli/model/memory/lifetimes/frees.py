"""What operations free, and whether that is what an allocation gave.

`memref.dealloc` frees what `memref.alloc` or `memref.realloc` gave, or what a caller passes and gives away.
A cast is that memory. What `memref.alloca` or `memref.get_global` gave is not an allocation, nor what begins
after the first element of one:

    %v = memref.subview %a[4] [4] [1]; memref.dealloc %v            begins at the element 4
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.memref import AllocaOp
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, LoopIndex, NotAffine, Value, constant, substitute
from volcli.language.reads import rank_of
from volcli.model.memory.buffers.buffers import Buffers
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.stated_effects import effects_of


@dataclass(frozen=True)
class Free:
    """OP frees the memory of VALUE, unless it is `conditional`. `wrong` says why it is not an allocation.

    It `may_be_wrong` if it is a view of which that is not known.
    """

    op: Operation
    value: SSAValue
    conditional: bool = False
    wrong: str | None = None
    may_be_wrong: bool = False


def on_stack(root: Root) -> Operation | None:
    """The memref.alloca that ROOT is the memory of."""
    made = root.value
    if root.origin is not Origin.ALLOCATION or not isinstance(made, OpResult):
        return None
    return made.op if isinstance(made.op, AllocaOp) else None


class Frees:
    """What the operations of one function free themselves; calls apart."""

    def __init__(self, buffers: Buffers) -> None:
        self._buffers = buffers

    def of(self, op: Operation) -> list[Free]:
        """What OP frees."""
        stated = effects_of(op)
        found = [self.free(op, value, conditional=stated.conditional) for value in stated.frees]
        return found + [Free(op, value) for value in stated.ends]

    def free(self, op: Operation, value: SSAValue, *, conditional: bool) -> Free:
        """That OP frees VALUE, unless it is CONDITIONAL."""
        root = self._buffers.root(value)
        if root.origin is Origin.GLOBAL:
            return Free(op, value, conditional, f"the global @{root.symbol}")
        if on_stack(root) is not None:
            return Free(op, value, conditional, "memory on the stack")
        begins = self._first(value)
        if begins is not None and any(begins):
            index = ", ".join(map(str, begins))
            return Free(op, value, conditional, f"a part of a buffer that begins at its element [{index}]")
        return Free(op, value, conditional, may_be_wrong=begins is None)

    def _first(self, value: SSAValue) -> tuple[int, ...] | None:
        """The index in its buffer of the first element of VALUE; None if it is not known."""
        if self._buffers.view(value) is None:
            return (0,) * rank_of(value)
        view = self._buffers.as_view(value)
        if view is None:
            return None
        first: list[int] = []
        for each in view.index:
            number = number_of(each) if isinstance(each, Expression) else None
            if number is None:
                return None
            first.append(number)
        return tuple(first)


def number_of(expression: Expression) -> int | None:
    """EXPRESSION as a number, where its own loops begin and its values are constants; None if it is none."""

    def known(atom: Atom) -> Expression | None:
        if isinstance(atom, LoopIndex):
            return constant(0)
        if not isinstance(atom, Value) or not isinstance(atom.value, OpResult):
            return None
        number = questions.constant_fill(atom.value.op)
        return constant(number) if isinstance(number, int) else None

    try:
        found = substitute(expression, known)
    except NotAffine:
        return None
    return found.constant if found.is_constant else None
