"""A branch that is never taken is removed, and the other one takes the place of the condition."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.frontend.parse.names import Names
from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.removal import remove, remove_unused
from volcli.gate.fixes.renaming import rename
from volcli.gate.fixes.written import Extent, WrittenText

_CONDITIONS = ("scf.if", "affine.if")
_TITLE = "remove the branch"


def without_branch(op: Operation, dead: int, written: WrittenText, names: Names) -> Fix | None:
    """The text WRITTEN, in which OP has no condition: its region DEAD is never entered."""
    if op.name not in _CONDITIONS or len(op.regions) != 2:
        return None
    changes = TextChanges(written)
    taken = op.regions[1 - dead]
    block = taken.first_block
    if block is None or not block.ops:
        is_gone = not op.results and remove(op, written, changes)
        return changes.fix(_TITLE) if is_gone else None
    extent = written.extent(op)
    if extent is None or not written.tokens[extent.name].text.endswith("if"):
        return None
    end = block.last_op
    assert end is not None
    if len(taken.blocks) != 1 or not rename(op, end.operands, written, names, changes):
        return None
    body = _body(op, 1 - dead, extent, written)
    if body is None:
        return None
    opening, closing = (written.tokens[each] for each in body)
    yielding = written.extent(end)
    changes.remove(extent.start, opening.end)
    changes.remove(closing.start if yielding is None else yielding.start, extent.end)
    remove_unused({op, *op.regions[dead].walk()}, written, changes)
    _indent(extent, opening.end, closing.start if yielding is None else yielding.end, written, changes)
    return changes.fix(_TITLE)


def _body(op: Operation, region: int, extent: Extent, written: WrittenText) -> tuple[int, int] | None:
    """The brackets of a REGION of OP, which is written as `if ... { } else { }`."""
    bodies = written.bodies(extent)
    has_else = len(bodies) > 1 and written.tokens[bodies[1][0] - 1].text == "else"
    if written.tokens[extent.name].text.startswith('"') or len(bodies) <= region or (region and not has_else):
        return None
    return bodies[region]


def _indent(extent: Extent, start: int, end: int, written: WrittenText, changes: TextChanges) -> None:
    """Add to CHANGES that the lines from START to END begin where the condition does, if all are inside."""
    text = written.text
    wanted = _margin(text, extent.start)
    starts: list[int] = []
    at = text.find("\n", start, end)
    while at >= 0:
        if text[at + 1 : end].partition("\n")[0].strip():
            starts.append(at + 1)
        at = text.find("\n", at + 1, end)
    margins = [_margin(text, each) or "" for each in starts]
    more = min(map(len, margins), default=0) - len(wanted or "")
    if wanted is not None and more > 0 and all(each.startswith(wanted) for each in margins):
        for each in starts:
            changes.replace(each + len(wanted), each + len(wanted) + more, "")


def _margin(text: str, offset: int) -> str | None:
    """The space with which the line of OFFSET begins; None if something else stands before it."""
    first = text.rfind("\n", 0, offset) + 1
    line = text[first:].partition("\n")[0]
    margin = line[: len(line) - len(line.lstrip())]
    return margin if offset <= first + len(margin) else None
