"""What several fixes leave unused together: values that were used before, and now are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from xdsl.ir import Operation

from volcli.api.program import Program
from volcli.diagnostics import UsageError
from volcli.frontend.text.source import Source
from volcli.gate.findings.fix import Edit, applied
from volcli.gate.findings.settings import Settings
from volcli.gate.fixes.changes import TextChanges
from volcli.gate.fixes.proving import FixProof, loaded
from volcli.gate.fixes.removal import remove, remove_unused
from volcli.gate.fixes.written import WrittenText
from volcli.model.stated_effects import only_computes
from volcli.model.symbols import functions, symbol_of

_Place = tuple[int, str]
"""The number of a chunk, and a function in it."""


def swept(
    before: str,
    after: Source,
    settings: Settings,
    prove: Callable[[Source, Source, str, Settings], FixProof],
) -> str:
    """AFTER without operations that only compute what was used BEFORE and is not used any more.

    PROVE proves that a function stays equal without them.
    """
    try:
        old, new = (loaded(each, settings) for each in (Source(after.name, before), after))
    except UsageError:
        return after.text
    used = {(place, name) for place, name, op in _makers(old) if _is_used(op)}
    unused: dict[_Place, list[Operation]] = {}
    for place, name, op in _makers(new):
        if (place, name) in used and not _is_used(op) and not op.regions and only_computes(op):
            unused.setdefault(place, []).append(op)
    text = after.text
    for (chunk, function), found in reversed(unused.items()):
        shorter = applied(text, _edits(new, chunk, found))
        one, other = replace(after, text=text), replace(after, text=shorter)
        if prove(one, other, function, settings).verdict == "safe":
            text = shorter
    return text


def _edits(program: Program, chunk: int, found: Sequence[Operation]) -> tuple[Edit, ...]:
    """What takes the operations that were FOUND out of a CHUNK of PROGRAM, and what only they used."""
    written = WrittenText(program.units[chunk].parsed)
    changes = TextChanges(written)
    for op in found:
        remove(op, written, changes)
    remove_unused({*found}, written, changes)
    fix = changes.fix("remove what is unused")
    return () if fix is None or fix.loses else fix.edits


def _makers(program: Program) -> Iterator[tuple[_Place, str, Operation]]:
    """The operations of PROGRAM that have results, each with its place and the name of its first result."""
    for chunk, unit in enumerate(program.units):
        for function in functions(unit.parsed.module):
            for op in function.walk():
                if op.results:
                    yield (chunk, symbol_of(function)), unit.parsed.names.of(op.results[0]), op


def _is_used(op: Operation) -> bool:
    return any(result.uses for result in op.results)
