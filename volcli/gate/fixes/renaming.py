"""Uses of the results of an operation become uses of other values."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from volcli.frontend.parse.names import Names
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.written import WrittenText


def rename(
    op: Operation, values: Sequence[SSAValue], written: WrittenText, names: Names, changes: TextChanges
) -> bool:
    """Add to CHANGES that VALUES are used in the place of the results of OP. False if it cannot be done."""
    return all(
        _rename(result, value, written, names, changes)
        for result, value in zip(op.results, values, strict=True)
        if result.uses
    )


def _rename(old: SSAValue, new: SSAValue, written: WrittenText, names: Names, changes: TextChanges) -> bool:
    name, other = names.get(old), names.get(new)
    if name is None or other is None:
        return False
    changes.kept.add(new)
    for user in {use.operation for use in old.uses}:
        places = uses_in(user, old, written, names)
        if not places:
            return False
        for start, end in places:
            changes.replace(start, end, str(other))
    return True


def uses_in(user: Operation, value: SSAValue, written: WrittenText, names: Names) -> list[tuple[int, int]]:
    """Where the text of USER, apart from the operations in it, has the name of VALUE as an operand."""
    extent, name = written.extent(user), names.get(value)
    if extent is None or name is None:
        return []
    inner = [
        found
        for region in user.regions
        for block in region.blocks
        for each in block.ops
        if (found := written.extent(each)) is not None
    ]
    places: list[tuple[int, int]] = []
    for at in range(extent.name, extent.last + 1):
        token = written.tokens[at]
        if token.text != f"%{name.base}" or any(each.first <= at <= each.last for each in inner):
            continue
        number = written.tokens[at + 1] if at + 1 < len(written.tokens) else None
        is_numbered = number is not None and number.text.startswith("#") and number.start == token.end
        if (number.text[1:] if number is not None and is_numbered else "0") == str(name.number):
            places.append((token.start, number.end if number is not None and is_numbered else token.end))
    return places
