"""Padding that adds nothing, or nothing that is read, is removed, and its operand is used instead."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation

from volcli.frontend.parse.names import Names
from volcli.gate.findings.fix import Fix
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.removal import remove, remove_unused
from volcli.gate.fixes.renaming import rename, uses_in
from volcli.gate.fixes.written import WrittenText

_TITLE = "use the operand of the padding"


def without_padding(op: Operation, written: WrittenText, names: Names, *, is_empty: bool) -> Fix | None:
    """The text WRITTEN without the padding OP, of which IS_EMPTY says that it adds no element."""
    if op.name != "tensor.pad":
        return None
    source, result = op.operands[0], op.results[0]
    changes = TextChanges(written)
    if not is_empty:
        is_gone = _sliced(op, written, names, changes) and remove(op, written, changes)
    elif source.type == result.type:
        is_gone = rename(op, [source], written, names, changes) and remove(op, written, changes)
    else:
        is_gone = _cast(op, written, names, changes)
    return changes.fix(_TITLE) if is_gone else None


def _cast(op: Operation, written: WrittenText, names: Names, changes: TextChanges) -> bool:
    """Add to CHANGES that OP is a cast to its type."""
    extent, source = written.extent(op), op.operands[0]
    if extent is None or names.get(source) is None:
        return False
    changes.kept.add(source)
    cast = f"tensor.cast {names.of(source)} : {source.type} to {op.results[0].type}"
    changes.replace(written.tokens[extent.name].start, extent.end, cast)
    gone = set(op.walk()) - {op}
    remove_unused({op, *gone}, written, changes)
    return True


def _sliced(op: Operation, written: WrittenText, names: Names, changes: TextChanges) -> bool:
    """Add to CHANGES that slices of OP are slices of its operand, beginning as much earlier as it adds."""
    lows = _lows(op)
    changes.kept.add(op.operands[0])
    for user in {use.operation for use in op.results[0].uses}:
        places = uses_in(user, op.results[0], written, names)
        extent = written.extent(user)
        if user.name != "tensor.extract_slice" or extent is None or len(places) != 1:
            return False
        tokens = written.tokens
        at = next(n for n in range(extent.name, extent.last) if tokens[n].start == places[0][0])
        opened = next(n for n in range(at, extent.last) if tokens[n].text == "[")
        closed = next(n for n in range(opened, extent.last) if tokens[n].text == "]")
        offsets = tokens[opened + 1 : closed : 2]
        if len(offsets) != len(lows) or not all(each.text.isdecimal() for each in offsets):
            return False
        changes.replace(*places[0], names.of(op.operands[0]))
        for each, less in zip(offsets, lows, strict=True):
            if less < 0 or int(each.text) < less:
                return False
            changes.replace(each.start, each.end, str(int(each.text) - less))
        colon = next((n for n in range(closed, extent.last) if tokens[n].text == ":"), None)
        to = next((n for n in range(extent.last, closed, -1) if tokens[n].text == "to"), None)
        if colon is None or to is None:
            return False
        changes.replace(tokens[colon + 1].start, tokens[to - 1].end, str(op.operands[0].type))
    return True


def _lows(op: Operation) -> list[int]:
    """How many elements OP adds in front, in each dimension; a number below 0 where that is an operand."""
    low = op.properties.get("static_low")
    return [int(each) for each in low.get_values()] if isinstance(low, DenseArrayBase) else []
