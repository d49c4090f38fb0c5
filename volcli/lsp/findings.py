"""Findings as an editor's diagnostics, and their fixes as its code actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from lsprotocol import types

from volcli.diagnostics import CODES
from volcli.gate.findings.finding import Finding
from volcli.lsp.documents import Document, alike

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "remark": types.DiagnosticSeverity.Information,
}
_UNNECESSARY = ("V206", "V211", "V223")
"""Codes of what could be left out."""


@dataclass(frozen=True)
class ChosenFix:
    """Which fix an action is: that of a finding, by its number, of a document in a version."""

    uri: str
    version: int
    finding: int


def diagnostic(finding: Finding, document: Document) -> types.Diagnostic:
    """FINDING about DOCUMENT, as the editor shows it."""
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(document.uri, _range(document, each.line, each.column)), each.said
        )
        for each in finding.shown
    ]
    return types.Diagnostic(
        range=_range(document, finding.line, finding.column),
        severity=_SEVERITIES.get(finding.severity, types.DiagnosticSeverity.Hint),
        code=finding.code,
        code_description=types.CodeDescription(CODES[finding.code].page),
        source="volcli",
        message=f"{finding.message}\nnext: {finding.next_step}" if finding.next_step else finding.message,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else None,
        related_information=related or None,
    )


def _range(document: Document, line: int | None, column: int | None) -> types.Range:
    """From a place of the file, or its beginning, to the end of the word there."""
    at = max((line or 1) - 1, 0)
    start = document.character(at, column or 1)
    return document.range(at, start, document.word_end(at, start))


def fix_actions(
    findings: Sequence[Finding], document: Document, first: int, last: int
) -> Iterator[types.CodeAction]:
    """The fixes of those FINDINGS of DOCUMENT that are in the lines FIRST to LAST, from 0: without edits.

    A fix is proved, and its edit made, when it is chosen (`edit_of`).
    """
    for number, each in enumerate(findings):
        if each.fix is not None and each.line is not None and first <= each.line - 1 <= last:
            yield types.CodeAction(
                title=each.fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[diagnostic(each, document)],
                data=asdict(ChosenFix(document.uri, document.version, number)),
            )


def edit_of(document: Document, after: str) -> types.WorkspaceEdit:
    """What makes the text AFTER of DOCUMENT: the lines that differ, in one edit."""
    old, new = document.lines, after.split("\n")
    same = alike(old, new)
    at_end = alike(old[same:][::-1], new[same:][::-1])
    if same == len(old):  # lines at the end are added
        whole = document.range(same - 1, len(old[-1]), len(old[-1]))
        return types.WorkspaceEdit(
            changes={document.uri: [types.TextEdit(whole, "".join(f"\n{line}" for line in new[same:]))]}
        )
    if at_end == 0:
        last, end = len(old) - 1, len(old[-1])
        text = "\n".join(new[same:])
    else:
        last, end = len(old) - at_end, 0
        text = "".join(f"{line}\n" for line in new[same : len(new) - at_end])
    edit = types.TextEdit(document.range(same, 0, end, last), text)
    return types.WorkspaceEdit(changes={document.uri: [edit]})
