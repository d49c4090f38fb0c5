"""An operation is removed, and what only it used: as long as that only computes."""

from __future__ import annotations

from xdsl.ir import Operation, OpResult

from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.written import WrittenText
from volcli.model.stated_effects import only_computes


def without(op: Operation, written: WrittenText, title: str) -> Fix | None:
    """The text WRITTEN without OP, which has no results; None if it does not show where OP is."""
    changes = TextChanges(written)
    return changes.fix(title) if remove(op, written, changes) else None


def remove(op: Operation, written: WrittenText, changes: TextChanges) -> bool:
    """Add to CHANGES that OP is not there. False if the text does not show where it is."""
    extent = written.extent(op)
    if extent is None:
        return False
    changes.remove(extent.start, extent.end)
    remove_unused(set(op.walk()), written, changes)
    return True


def remove_unused(gone: set[Operation], written: WrittenText, changes: TextChanges) -> None:
    """Add to CHANGES that what computes values only for operations that are GONE is not there either."""
    pending = list(gone)
    while pending:
        for operand in pending.pop().operands:
            maker = operand.op if isinstance(operand, OpResult) else None
            if maker is None or maker in gone or maker.regions or not only_computes(maker):
                continue
            if not changes.kept.isdisjoint(maker.results):
                continue
            users = {use.operation for result in maker.results for use in result.uses}
            extent = written.extent(maker) if users <= gone else None
            if extent is not None:
                changes.remove(extent.start, extent.end)
                gone.add(maker)
                pending.append(maker)
