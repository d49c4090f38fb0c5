"""A loop without iterations is removed; what it gives is what it began with."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from volcli.frontend.parse.names import Names
from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.removal import remove
from volcli.gate.fixes.renaming import rename
from volcli.gate.fixes.written import WrittenText

_CARRYING = ("affine.for", "scf.for", "scf.parallel", "scf.forall")
"""Loops whose last operands are what their results are without an iteration."""
_PLAIN = (*_CARRYING, "affine.parallel")


def without_loop(op: Operation, written: WrittenText, names: Names) -> Fix | None:
    """The text WRITTEN without the loop OP."""
    if op.name not in (_CARRYING if op.results else _PLAIN):
        return None
    changes = TextChanges(written)
    begun: Sequence[SSAValue] = op.operands[len(op.operands) - len(op.results) :]
    renamed = rename(op, begun, written, names, changes)
    return changes.fix("remove the loop") if renamed and remove(op, written, changes) else None
