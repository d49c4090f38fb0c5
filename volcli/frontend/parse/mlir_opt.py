"""The second door: any dialect, read by mlir-opt and taken over in its generic form.

mlir-opt prints each operation generically with the place it read it from. That form needs no custom syntax,
and the places lead back into the user's text: to the lines of diagnostics and annotations, and to the names
of values, which the generic form has lost.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection, Iterable
from dataclasses import replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from volcli.diagnostics import Diagnostic, Place
from volcli.frontend.parse.constants.sections import metadata_sections
from volcli.frontend.parse.names import Names
from volcli.frontend.parse.opaque import OpaqueOperation, has_body
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.text.locations import LineTable, place_of, place_of_argument
from volcli.frontend.text.source import Source
from volcli.frontend.unread import UnreadOperation
from volcli.limits import frontend as limits

TOOLS = ("mlir-opt-22", "mlir-opt")
"""The names that mlir-opt is looked for on PATH, the version that volcli is tested with first."""

_FLAGS = (
    "--allow-unregistered-dialect",
    "--mlir-print-op-generic",
    "--mlir-print-debuginfo",
    "--mlir-print-local-scope",
)
_ERROR = re.compile(r"^<stdin>:(\d+):(\d+): error: (.*)$", re.MULTILINE)
_SAID = "mlir-opt: "
"""How what mlir-opt says of a place begins."""
_NOT_AN_END = re.compile("[^\n]")
_RESULTS = re.compile(r"(?P<names>%[-\w$.]+(?::\d+)?(?:\s*,\s*%[-\w$.]+(?::\d+)?)*)\s*=\s*$")
_ARGUMENT = re.compile(r"%(?P<name>[-\w$.]+)")


def find_tool() -> str | None:
    """The path of mlir-opt, or None if there is none on PATH."""
    return next(filter(None, map(shutil.which, TOOLS)), None)


def parse_through(source: Source, context: Context, tool: str) -> ParsedModule:
    """Read SOURCE through TOOL. What TOOL rejects is a diagnostic (V103) of an empty module."""
    # Leading newlines keep the lines of a chunk those of its file.
    text = "\n" * (source.first_line - 1) + source.text
    try:
        ran = subprocess.run(
            [tool, *_FLAGS],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=limits.MLIR_OPT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _rejected(source, [Diagnostic("V103", f"{tool}: {error}", Place(source.name, 1, 1))])
    if ran.returncode != 0:
        errors = [
            Diagnostic("V103", f"{_SAID}{message}", Place(source.name, int(line), int(column)))
            for line, column, message in _ERROR.findall(ran.stderr)
        ]
        unlocated = Diagnostic("V103", "mlir-opt rejects this text", Place(source.name, source.first_line, 1))
        return _rejected(source, errors or [unlocated])
    generic = ran.stdout.replace('loc("<stdin>":', f'loc("{source.name}":')
    # With --mlir-print-local-scope, mlir-opt leaves them out.
    generic = "\n".join([generic, *metadata_sections(source.text)])
    parsed = parse(Source(source.name, generic), context)
    names = _names(source, parsed.module)
    return replace(
        parsed, source=source, names=names, explicit_places={}, taken_over={parsed.module}, extents={}
    )


def is_partly_text(parsed: ParsedModule) -> bool:
    """Whether something with a body in PARSED was read as its text: accesses in it are not seen."""
    return _is_partly_text(parsed.module)


def _is_partly_text(op: Operation) -> bool:
    return any(map(_hides_a_body, op.walk()))


def _hides_a_body(op: Operation) -> bool:
    if not isinstance(op, OpaqueOperation) or op.regions:
        return False
    return has_body("".join(op.strings("text")))


def complete(parsed: ParsedModule, context: Context, tool: str) -> ParsedModule:
    """PARSED with what could not be read natively, or only as text, read through TOOL, if TOOL reads it.

    What TOOL rejects costs nothing but itself and what refers to it.
    Each operation that is taken over is said (V307) in place of the error that it was; of one in which
    something was read as text, that is said in place of the remark (V306).
    """
    through = _accepted(parsed, context, tool)
    found = {_line_and_column(op): op for op in _top_level(through.module)}
    for op in [op for op in _top_level(parsed.module) if _is_partly_text(op)]:
        if (other := found.pop(_line_and_column(op), None)) is not None and op.parent is not None:
            texts = [one for one in op.walk() if isinstance(one, OpaqueOperation)]
            places = {parsed.written_at(one) for one in texts}
            parsed.taken_over.add(_replace(op.parent, op, other))
            parsed.diagnostics[:] = [_as_taken_over(one, places, tool) for one in parsed.diagnostics]
    for placeholder in [op for op in _top_level(parsed.module) if isinstance(op, UnreadOperation)]:
        place = _line_and_column(placeholder)
        unread = next((u for u in parsed.unread if (u.place.line, u.place.column) == place), None)
        op = found.get(place)
        block = placeholder.parent
        if unread is None or op is None or block is None or unread.reason.code == "V900":
            continue  # what is volcli's own fault stays an error
        parsed.taken_over.add(_replace(block, placeholder, op))
        parsed.unread.remove(unread)
        parsed.diagnostics[parsed.diagnostics.index(unread.reason)] = Diagnostic(
            "V307", f"{unread.name} was read through {tool}: {unread.reason.message}", unread.reason.place
        )
    parsed.names.adopt(through.names)
    parsed.malformed.update(through.malformed)
    return parsed


def _accepted(parsed: ParsedModule, context: Context, tool: str) -> ParsedModule:
    """What TOOL reads of PARSED's text without the operations in which it finds errors.

    These are taken out as long as there are others that only TOOL reads. Where its errors are in none, or it
    crashes, those in which volcli finds a syntax error are.
    """
    source, table = parsed.source, LineTable(parsed.source)
    items = {op: tuple(map(table.line_column, extent)) for op, extent in parsed.extents.items()}
    wrong = {each.first for each in parsed.unread if each.reason.code == "V103"}
    through = parse_through(source, context, tool)
    for _ in range(limits.MLIR_OPT_TEXTS):
        said = [one.place for one in through.diagnostics if one.place and one.message.startswith(_SAID)]
        errors = [(place.line, place.column) for place in said]
        rejected = [op for op, (first, last) in items.items() if any(first <= at < last for at in errors)]
        rejected = rejected or [op for op in items if parsed.extents[op][0] in wrong]
        for op in rejected:
            del items[op]
        if through.taken_over or not rejected or not any(map(_needs_a_tool, items)):
            break
        source = replace(source, text=_without(source.text, [parsed.extents[op] for op in rejected]))
        through = parse_through(source, context, tool)
    return through


def _needs_a_tool(op: Operation) -> bool:
    return isinstance(op, UnreadOperation) or _is_partly_text(op)


def _without(text: str, extents: Iterable[tuple[int, int]]) -> str:
    """TEXT with spaces in place of what is in EXTENTS."""
    for first, last in extents:
        text = text[:first] + _NOT_AN_END.sub(" ", text[first:last]) + text[last:]
    return text


def _as_taken_over(diagnostic: Diagnostic, places: Collection[Place], tool: str) -> Diagnostic:
    """DIAGNOSTIC; if it says that something at one of PLACES is text, that it was read through TOOL."""
    if diagnostic.code != "V306" or diagnostic.place not in places:
        return diagnostic
    message = diagnostic.message.replace(" is read as opaque:", f" was read through {tool}:")
    return Diagnostic("V307", message, diagnostic.place)


def _rejected(source: Source, errors: list[Diagnostic]) -> ParsedModule:
    return ParsedModule(source, ModuleOp([]), Names(), errors)


def _replace(block: Block, old: Operation, new: Operation) -> Operation:
    """NEW, in the place of OLD."""
    new.detach()
    block.insert_op_before(new, old)
    old.detach()
    return new


def _line_and_column(op: Operation) -> tuple[int, int]:
    place = place_of(op)
    return place.line, place.column


def _top_level(module: ModuleOp) -> list[Operation]:
    """The operations of MODULE and of the modules in it."""
    found: list[Operation] = []
    for op in module.body.ops:
        found += _top_level(op) if isinstance(op, ModuleOp) else [op]
    return found


def _names(source: Source, module: ModuleOp) -> Names:
    """The names that the user's text has at the places of MODULE's results and arguments."""
    names = Names()
    for op in module.walk():
        _name_results(source, names, op)
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    place = place_of_argument(argument)
                    line = source.line(place.line) or ""
                    if named := _ARGUMENT.match(_from_byte(line, place.column)):
                        names.record(named["name"], [argument])
    return names


def _name_results(source: Source, names: Names, op: Operation) -> None:
    """An operation is placed at its name, after `%a, %b:2 = `."""
    if not op.results:
        return
    place = place_of(op)
    line = source.line(place.line) or ""
    before = line.encode()[: place.column - 1].decode(errors="ignore")
    written = _RESULTS.search(before)
    position = 0
    for each in re.split(r"\s*,\s*", written["names"]) if written else ():
        base, _, size = each.removeprefix("%").partition(":")
        names.record(base, op.results[position : position + int(size or 1)])
        position += int(size or 1)


def _from_byte(line: str, column: int) -> str:
    return line.encode()[column - 1 :].decode(errors="ignore")
