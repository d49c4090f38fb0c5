"""A unit of work: one file, or some functions of it, under its settings, and what is found: plain data.

`checked` depends on nothing but its argument, and changes nothing: it may run in any process and on any
machine, and what it returns may be kept for as long as the text, the settings and volcli are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from volcli.diagnostics import Diagnostic, UsageError, internal
from volcli.gate.findings.finding import Finding, of_diagnostic
from volcli.gate.findings.settings import Settings
from volcli.gate.records.record import Record, counted
from volcli.gate.work.pieces import Part

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from volcli.api.program import Program
    from volcli.frontend.text.source import Source
    from volcli.gate.findings.analysed import Analysed
    from volcli.passes.base import Unit

_ABOUT_MORE = ("V0", "V100", "V101", "V102", "V105", "V107", "V108", "V9")
"""Codes of what may concern more than the function in which it is said."""
CONFIRMED = frozenset(["V203", "V205", "V206", "V207", "V208", "V210", "V216", "V217", "V218"])
"""Codes of findings that are executed."""
UNREPRODUCIBLE = ("V305", "V900", "V901")
"""Codes of what may be otherwise in another run."""
_FIRST_FUNCTIONS, _SECONDS_EACH = 10, 2
"""Work on n functions may take (10 + 2 n) times what a pass may take of one."""


@dataclass(frozen=True)
class Work:
    """One file to be checked, or a `part` of it; `name` is what it is called in findings.

    `data` is what the file holds. Without it, it is read by who checks it.
    """

    path: str
    name: str
    settings: Settings
    data: bytes | None = field(default=None, repr=False)
    part: Part | None = None

    @property
    def label(self) -> str:
        """`a.mlir`, or `a.mlir:120`, where a part begins."""
        return self.name if self.part is None else f"{self.name}:{self.part.shown[0][0]}"


@dataclass(frozen=True)
class FileResult:
    """What was found in one file, in the order of the text.

    `functions` are their symbols, and `places` their first lines with these. `lasting`: another run
    finds the same. `separable`: nothing was found that may concern more than one function. `failed`: it could
    not be analysed, and maybe parts of it can. `gaps` are the lines and codes of what was not read or not
    analysed.
    """

    file: str
    findings: tuple[Finding, ...]
    functions: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    gaps: tuple[tuple[int, str], ...] = ()
    places: tuple[tuple[int, str], ...] = field(default=(), compare=False)
    lasting: bool = field(default=True, compare=False)
    separable: bool = field(default=False, compare=False)
    failed: bool = field(default=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        """It as a JSON object."""
        return {
            "file": self.file,
            "functions": self.functions,
            "records": [record.to_json() for record in self.records],
            "gaps": self.gaps,
            "findings": [finding.to_json() for finding in self.findings],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FileResult:
        """What `to_json` gave DATA of."""
        return cls(
            data["file"],
            tuple(map(Finding.from_json, data["findings"])),
            tuple(data["functions"]),
            tuple(map(Record.from_json, data["records"])),
            tuple((line, code) for line, code in data["gaps"]),
        )


def checked(work: Work) -> FileResult:
    """What is found in the file of WORK; what cannot be read or fails is a finding, too.

    All that is built for it is dropped before the collector looks at it, once, and at nothing older.
    """
    from volcli.frontend.parse.recursion import no_collector_pauses

    try:
        with no_collector_pauses():
            found = _analysed(work)
            return found if work.part is not None else with_dumps(found, work.data)
    except UsageError as error:
        return unusable(work, error.diagnostic)
    except MemoryError:
        return lost(work, "needs more memory than it may have")
    except Exception as error:
        return replace(unusable(work, _internal(error)), lasting=False)


def with_dumps(result: FileResult, data: bytes | None) -> FileResult:
    """RESULT of a file with DATA, in which what several dumps of one program have is told once."""
    if data is None or b"IR Dump" not in data:
        return result
    from volcli.gate.findings.repeated import by_dump

    return replace(result, findings=by_dump(result.findings, data.decode()))


def most_seconds(work: Work) -> float | None:
    """The processor time that WORK may take at most; None: any."""
    if work.settings.timeout is None:
        return None
    data = b"" if work.data is None else work.data
    functions = data.count(b"func.func") if work.part is None else len(work.part.shown)
    return (_FIRST_FUNCTIONS + _SECONDS_EACH * functions) * work.settings.timeout


def unusable(work: Work, why: Diagnostic) -> FileResult:
    """That nothing is known of the file of WORK, and WHY: also where only V316 is wanted."""
    finding = of_diagnostic(why, work.name)
    codes, gaps = work.settings.codes, ((finding.line or 0, why.code),)
    if "V316" in codes and why.code not in codes:
        finding = of_diagnostic(replace(why, code="V316", message=f"{why.message} ({why.code})"), work.name)
    return FileResult(work.name, (finding,), gaps=gaps)


def lost(work: Work, why: str) -> FileResult:
    """That the analysis of WORK came to no end, and WHY."""
    diagnostic = Diagnostic("V901", f"the analysis of the file {why}")
    return replace(unusable(work, diagnostic), lasting=False, failed=True)


def _analysed(work: Work) -> FileResult:
    from volcli.frontend.parse.recursion import deep_recursion
    from volcli.gate.findings.analysed import Analysed
    from volcli.gate.records.recording import records
    from volcli.gate.rules.table import pipeline_for
    from volcli.language.unchanged import unchanged
    from volcli.loading.plugins import announced

    settings = work.settings
    whole, program = program_of(work)
    with unchanged():  # by any of the passes
        dialects = [each.dialect for each in announced()]
        program.run(pipeline_for(settings, program.source.text, dialects))
    shown = None if work.part is None else work.part.lines
    chunks = [Analysed(unit, settings, shown) for unit in program.units]
    with deep_recursion():
        found = [each for chunk in chunks for each in _findings(chunk) if each.code in settings.codes]
        found = _confirmed(found, chunks[0], whole) if len(chunks) == 1 else found
        known = [each for chunk in chunks for each in records(chunk)] if settings.record else []
        places = [place for unit in program.units for place in _places(unit)]
        unanalysed = [each for chunk in chunks for each in _gaps(chunk)]
    said = [each.code for unit in program.units for each in unit.diagnostics]
    return FileResult(
        work.name,
        numbered(found),
        tuple(symbol for _, symbol in sorted(places)),
        counted(known),
        tuple(sorted(unanalysed)),
        tuple(places),
        not any(code in UNREPRODUCIBLE for code in said),
        not any(code.startswith(_ABOUT_MORE) for code in said)
        and all(work.part is None or _is_read_apart(unit, work.part) for unit in program.units),
    )


def _is_read_apart(unit: Unit, part: Part) -> bool:
    """Whether no error of syntax in UNIT, which holds PART, depends on what else the text holds."""
    unread = {each.reason: each for each in unit.parsed.unread}
    for said in unit.diagnostics:
        if said.code in ("V103", "V104"):
            found = unread.get(said)
            if found is None or found.seen is None:
                return False
            if not any(first <= found.place.line <= found.seen <= last for first, last in part.read):
                return False
    return True


def program_of(work: Work) -> tuple[Source, Program]:
    """The whole text of WORK, and the program that is read of it: passes see what is shown."""
    from volcli.loading.driver import load_source

    settings = work.settings
    whole = _source(work)
    program = load_source(
        whole if work.part is None else replace(whole, text=work.part.text(whole.text)),
        split=True,
        budget=settings.budget,
        timeout=settings.timeout,
        via=settings.via,
        assume=settings.assume,
        effects=settings.effects,
    )
    for unit in program.units:
        unit.apart = True
    if work.part is not None:
        _show(work.part, program)
    return whole, program


def _source(work: Work) -> Source:
    """The text of WORK, all of it."""
    from volcli.frontend.text.source import decode, read_source

    source = read_source(work.path) if work.data is None else decode(work.data, work.path)
    return replace(source, name=work.name)


def _show(part: Part, program: Program) -> None:
    """Have passes see those functions of PROGRAM that are shown in PART."""
    for unit in program.units:

        def is_shown(function: Operation, unit: Unit = unit) -> bool:
            return unit.parsed.written_at(function).line in part.lines

        unit.shown = is_shown


def _places(unit: Unit) -> Iterator[tuple[int, str]]:
    """The lines and symbols of the functions that passes see."""
    for model in unit.models():
        yield unit.parsed.written_at(model.function).line, model.name


def _findings(analysed: Analysed) -> Iterator[Finding]:
    """What the rules find in what is shown, with fixes; what comments ignore there is marked."""
    from volcli.gate.findings.ignores import marked
    from volcli.gate.fixes.proposals import proposed
    from volcli.gate.rules.table import findings

    return proposed(marked(filter(analysed.shows, findings(analysed)), analysed), analysed)


def _confirmed(found: list[Finding], analysed: Analysed, whole: Source) -> list[Finding]:
    """What was FOUND, executed where that may show it; of the WHOLE file, which `volcli run` reads in one."""
    if not is_executed(found):
        return found  # executions import numpy
    from volcli.frontend.text.source import split_chunks
    from volcli.gate.rules.confirming import confirmed

    return list(confirmed(found, analysed)) if len(split_chunks(whole)) == 1 else found


def is_executed(findings: Iterable[Finding]) -> bool:
    """Whether some of FINDINGS are executed: by a command that names the file, and if that is one chunk.

    Such findings depend on more than the functions that they are about.
    """
    return any(each.code in CONFIRMED and each.ignored is None for each in findings)


def _gaps(analysed: Analysed) -> Iterator[tuple[int, str]]:
    """The lines and codes of what was not analysed of what is shown."""
    from volcli.gate.rules.unanalysed import gaps

    for each in gaps(analysed):
        line = None if each.place is None else each.place.line
        if analysed.shows_line(line):
            yield line or 0, each.code


def _internal(error: Exception) -> Diagnostic:
    what, trace = internal.described(error)
    return Diagnostic("V900", what, trace=trace)


def numbered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """FINDINGS in the order of the text, those with equal keys or equal content counted."""
    keys: Counter[str] = Counter()
    contents: Counter[tuple[str, str]] = Counter()
    found: list[Finding] = []
    for each in sorted(findings, key=lambda one: (one.line or 0, one.column or 0, one.code, one.message)):
        one = replace(each, number=0, copy=0)
        key, content = one.key, (one.code, one.content)
        found.append(replace(one, number=keys[key], copy=contents[content]))
        keys[key] += 1
        contents[content] += 1
    return tuple(found)
