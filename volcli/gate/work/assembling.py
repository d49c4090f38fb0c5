"""What was found in groups of functions, function by function, and put together to what is in their file."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from volcli.diagnostics import Diagnostic, Place
from volcli.gate.findings.finding import Finding, of_diagnostic
from volcli.gate.records.record import Record, counted
from volcli.gate.work.pieces import FilePiece
from volcli.gate.work.work import FileResult, Work, numbered

_NAMES_LINES = re.compile(r"\blines? \d|\d:\d")
"""What mentions other places of the program is not known to be the same where these have moved."""


@dataclass
class _Found:
    """What is said of one piece."""

    findings: list[Finding] = field(default_factory=list[Finding])
    records: list[Record] = field(default_factory=list[Record])
    symbols: list[str] = field(default_factory=list[str])
    gaps: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])


def owners(results: Sequence[FileResult], pieces: Sequence[FilePiece]) -> dict[FilePiece, FileResult] | None:
    """What RESULTS say of each of PIECES, lines counted from its first one.

    None if it cannot be told apart: something was found beside functions, or one is not where it should be.
    """
    starts = [each.first for each in pieces]
    found: dict[FilePiece, _Found] = {each: _Found() for each in pieces}
    lasting = dict.fromkeys(pieces, True)

    def owner(line: int | None) -> FilePiece | None:
        at = bisect_right(starts, line or 0) - 1
        return pieces[at] if at >= 0 and (line or 0) <= pieces[at].last else None

    failed: set[FilePiece] = set()
    for result in results:
        if result.failed:
            if (piece := owner(result.findings[0].line)) is None:
                return None
            failed.add(piece)
            lasting[piece] = False
        elif not result.separable:
            return None
        for line, symbol in result.places:
            if (piece := owner(line)) is None:
                return None
            found[piece].symbols.append(symbol)
            lasting[piece] &= result.lasting
        for each in result.findings:
            if (piece := owner(each.line)) is None:
                return None
            found[piece].findings.append(each.moved(-piece.first))
        for each in result.records:
            if (piece := owner(each.line)) is None:
                return None
            found[piece].records.append(replace(each, line=each.line - piece.first))
        for line, code in result.gaps:
            if (piece := owner(line)) is None:
                return None
            found[piece].gaps.append((line - piece.first, code))
    for piece, one in found.items():
        wanted = [piece.symbol[1:].strip('"')]
        if piece.symbol and piece not in failed and one.symbols not in ([], wanted):
            return None
    return {
        piece: FileResult(
            "",
            tuple(one.findings),
            tuple(one.symbols),
            tuple(one.records),
            tuple(one.gaps),
            lasting=lasting[piece],
            separable=not any(_names_lines(each) or _goes_beyond(each, piece) for each in one.findings),
        )
        for piece, one in found.items()
    }


def assembled(name: str, pieces: Sequence[FilePiece], parts: Mapping[FilePiece, FileResult]) -> FileResult:
    """What PARTS say of PIECES, as what is found in their file, which is called NAME."""
    findings = [each.moved(piece.first, name) for piece in pieces for each in parts[piece].findings]
    records = [
        replace(each, line=each.line + piece.first) for piece in pieces for each in parts[piece].records
    ]
    gaps = [(line + piece.first, code) for piece in pieces for line, code in parts[piece].gaps]
    functions = tuple(symbol for piece in pieces for symbol in parts[piece].functions)
    is_lasting = all(parts[piece].lasting for piece in pieces)
    return FileResult(
        name, numbered(findings), functions, counted(records), tuple(sorted(gaps)), lasting=is_lasting
    )


def single_failure(result: FileResult, piece: FilePiece, work: Work) -> FileResult:
    """RESULT, that nothing is known of a file, as what is said of the one function in PIECE."""
    (finding,) = result.findings
    line = piece.first
    for number, text in enumerate((work.data or b"").decode().split("\n")[piece.first - 1 :], piece.first):
        if piece.symbol in text and not text.lstrip().startswith("//"):
            line = number
            break
    column = 1
    what = f"function {piece.symbol}" if piece.symbol else "program between '// -----' lines"
    message = finding.message.replace("the analysis of the file", f"the analysis of {what}", 1)
    one = of_diagnostic(Diagnostic(finding.code, message, Place(work.name, line, column)), work.name)
    function = piece.symbol[1:].strip('"')
    finding = replace(one, function=function, subject=piece.symbol or "file")
    return replace(result, findings=(finding,), gaps=((line, finding.code),))


def _goes_beyond(finding: Finding, piece: FilePiece) -> bool:
    """Whether FINDING, with lines counted from the first one of PIECE, rests on what stands elsewhere."""
    lines = (each.line for each in finding.rests_on if each.line is not None)
    return not all(0 <= line <= piece.last - piece.first for line in lines)


def _names_lines(finding: Finding) -> bool:
    said = f"{finding.message} {finding.next_step} {json.dumps(finding.witness)}"
    return _NAMES_LINES.search(said) is not None or '"line"' in said
