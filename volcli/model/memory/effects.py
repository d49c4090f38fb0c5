"""Operations that do more than what they say of elements: calls, operations that nobody knows, dealloc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, SSAValue

from volcli import questions
from volcli.interface import operation_name
from volcli.model.memory.buffers import Buffers, Origin

_STRANGERS = frozenset(("func.call", "func.call_indirect", "vector.print"))
_KNOWN = frozenset(
    ("affine", "arith", "bufferization", "cf", "complex", "index", "linalg", "math", "memref", "scf",
     "tensor", "util", "vector")
)  # fmt: skip
FREES = frozenset(("memref.dealloc", "memref.realloc", "bufferization.dealloc"))


@dataclass(frozen=True)
class Inside:
    """What is in an operation: one whose effects need an order, and whether there are assertions."""

    stranger: Operation | None = None
    asserts: bool = False

    @property
    def because(self) -> str | None:
        """What the iterations of a loop around it may not do in any order."""
        if self.stranger is None:
            return None
        name = operation_name(self.stranger)
        return (
            f"{name} frees a buffer of all iterations" if name in FREES else f"nobody knows what {name} does"
        )


def insides(function: Operation, buffers: Buffers) -> Mapping[Operation, Inside]:
    """What is inside of each operation of FUNCTION that has anything of the kind in it.

    A loop around a stranger has an order: of what is printed, of what is called. So has one that frees a
    buffer that it has not allocated: no access may follow. An assertion is an assumption, as everywhere in
    volcli: where it fails, nothing is said.
    """
    found: dict[Operation, Inside] = {}
    for op in function.walk():
        asserts = questions.assumptions.answers(type(op)) and not op.results
        frees = operation_name(op) in FREES
        if not asserts and not frees and not is_stranger(op):
            continue
        around, home = op.parent_op(), _home(op.operands, buffers) if frees else None
        while around is not None and around is not home:
            known = found.get(around, Inside())
            stranger = known.stranger or (None if asserts else op)
            found[around] = Inside(stranger, known.asserts or asserts)
            around = None if around is function else around.parent_op()
    return found


def is_stranger(op: Operation) -> bool:
    """Whether nobody knows all that OP does."""
    name = operation_name(op)
    if isinstance(op, UnregisteredOp) or name in _STRANGERS:
        return True
    return name.partition(".")[0] not in _KNOWN and not questions.accesses.answers(type(op))


def _home(freed: Sequence[SSAValue], buffers: Buffers) -> Operation | None:
    """The operation whose regions allocate the one buffer that is FREED; None if nobody knows it."""
    roots = [buffers.root(value) for value in freed[:1]]
    if len(freed) != 1 or roots[0].origin is not Origin.ALLOCATION:
        return None
    owner = roots[0].value.owner
    return owner.parent_op() if isinstance(owner, Operation) else None
