"""The value that is passed on where a way gives none: nothing uses it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.traits import Pure

from volcli.language.memory import Buffer, Effects, MemoryAccess
from volcli.language.questions import accesses, buffer, effects


@irdl_op_definition
class NothingOp(IRDLOperation):
    """`%x = volcli.nothing : T`: some value, as a memref of no memory."""

    name = "volcli.nothing"
    result = result_def()
    traits = traits_def(Pure())


@buffer.case(NothingOp)
def no_memory(op: NothingOp) -> Buffer:
    """No element of it exists."""
    return Buffer(is_none=True)


@accesses.case(NothingOp)
def no_access(op: NothingOp) -> Sequence[MemoryAccess]:
    """It has none."""
    return ()


@effects.case(NothingOp)
def no_effect(op: NothingOp) -> Effects:
    """It has none."""
    return Effects()
