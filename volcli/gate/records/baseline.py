"""Baselines: what was found and known before, in a file, and what has changed since.

The file is JSON with one line for each finding and each fact, sorted, without lines of programs: code that is
moved within a file changes nothing in it, and a change of one function only what is said of that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.gate.findings.finding import Finding
from volcli.gate.records.matching import sorted_entries
from volcli.gate.records.record import Record, is_answer
from volcli.runtime.paths import relative

SCHEMA = 1


@dataclass(frozen=True)
class KnownFinding:
    """A finding of a baseline."""

    file: str
    kind: str
    key: str
    content: str
    message: str
    reason: str = ""

    @property
    def said(self) -> str:
        return ""  # the message has names in it

    @classmethod
    def of(cls, finding: Finding, file: str) -> KnownFinding:
        """FINDING, in FILE as the baseline calls it."""
        content = finding.content or f"{finding.message} {(finding.source or '').strip()}"
        return cls(file, finding.code, finding.key, content, finding.message, finding.reason)


@dataclass(frozen=True)
class KnownFact:
    """A record of a baseline, and the file that it is of."""

    file: str
    record: Record

    @property
    def kind(self) -> str:
        return self.record.question

    @property
    def key(self) -> str:
        return self.record.key

    @property
    def content(self) -> str:
        return self.record.content

    @property
    def said(self) -> str:
        return json.dumps(self.record.answer, sort_keys=True)


@dataclass(frozen=True)
class Baseline:
    """What was found and known; `folder` is where its names of files begin.

    `functions` are those of each file. Without `has_facts`, only findings are compared.
    """

    folder: str
    findings: tuple[KnownFinding, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    has_facts: bool = True

    @property
    def files(self) -> set[str]:
        """The files that it says something of."""
        return {*self.functions, *(each.file for each in (*self.findings, *self.facts))}

    def name(self, path: str) -> str:
        """How the file at PATH is called here."""
        return relative(path, self.folder)

    def of_files(self, checked: set[str]) -> Baseline:
        """What is about the files CHECKED, and about files that are no more: these may be renamed."""
        return self.without(self._there() - checked)

    def _there(self) -> set[str]:
        return {file for file in self.files if os.path.exists(os.path.join(self.folder, file))}

    def without(self, files: set[str]) -> Baseline:
        """What it says of others than FILES."""
        return replace(
            self,
            findings=tuple(each for each in self.findings if each.file not in files),
            facts=tuple(each for each in self.facts if each.file not in files),
            functions={file: names for file, names in self.functions.items() if file not in files},
        )

    def with_files(
        self,
        checked: Mapping[str, tuple[str, ...]],
        findings: Iterable[KnownFinding],
        facts: Iterable[KnownFact],
    ) -> Baseline:
        """This baseline with FINDINGS and FACTS for the files CHECKED, and without files that are no more.

        Of each of those the functions are given.
        """
        kept = self.without(self.files - self._there() | checked.keys())
        return replace(
            kept,
            findings=(*kept.findings, *findings),
            facts=(*kept.facts, *facts),
            functions={**kept.functions, **checked},
        )

    def text(self) -> str:
        """It as the text of its file."""
        findings = [
            {
                "file": one.file,
                "code": one.kind,
                "key": one.key,
                "content": one.content,
                **({"reason": one.reason} if one.reason else {}),
                "message": one.message,
            }
            for one in sorted_entries(self.findings)
        ]
        facts = [
            {
                "file": one.file, "question": one.kind, "function": one.record.function,
                "subject": one.record.subject, "number": one.record.number, "content": one.content,
                "answer": one.record.answer,
            }
            for one in sorted_entries(self.facts)
            if one.record.answer
        ]  # fmt: skip
        parts = [f'"schema": {SCHEMA}', f'"findings": {_lines(findings)}']
        functions = [
            {"file": file, "functions": names} for file, names in sorted(self.functions.items()) if names
        ]
        parts.append(f'"functions": {_lines(functions)}')
        parts += [f'"facts": {_lines(facts)}'] if self.has_facts else []
        return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(entries: Sequence[Mapping[str, Any]]) -> str:
    """ENTRIES as a JSON array with a line for each."""
    if not entries:
        return "[]"
    return "[\n" + ",\n".join(json.dumps(each, ensure_ascii=False) for each in entries) + "\n]"


def read_baseline(path: str) -> Baseline:
    """The baseline in the file PATH. Raises UsageError (V014) if that is none."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(Diagnostic("V014", f"'{path}' cannot be read: {why}")) from None
    try:
        data: dict[str, Any] = json.loads(text)
        if data["schema"] != SCHEMA:
            message = f"'{path}' is of schema {data['schema']}, and this volcli reads schema {SCHEMA}"
            raise UsageError(Diagnostic("V014", message))
        findings = tuple(_finding(each) for each in cast("list[dict[str, Any]]", data["findings"]))
        facts = tuple(_fact(each) for each in cast("list[dict[str, Any]]", data.get("facts", ())))
        named = cast("list[dict[str, Any]]", data.get("functions", ()))
        functions = {str(each["file"]): tuple(map(str, each["functions"])) for each in named}
    except json.JSONDecodeError as error:
        place = Place(path, error.lineno, error.colno)
        raise UsageError(Diagnostic("V014", f"not JSON: {error.msg}", place)) from None
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError(Diagnostic("V014", f"'{path}' is not a baseline: no {error}")) from None
    for number, each in enumerate((*findings, *facts), 1):
        if not _is_readable(each):
            message = f"'{path}' is not a baseline: entry {number}, of '{each.file}', is not one of volcli's"
            raise UsageError(Diagnostic("V014", message))
    return Baseline(folder, findings, facts, functions, "facts" in data)


def _is_readable(entry: KnownFinding | KnownFact) -> bool:
    """Whether ENTRY consists of what volcli writes; a file may have been edited, or merged by hand."""
    if isinstance(entry, KnownFinding):
        return _are_texts(entry.file, entry.kind, entry.key, entry.content, entry.message, entry.reason)
    record = entry.record
    is_written = record.question == "written" and bool(record.answer)
    return (
        _are_texts(entry.file, record.question, record.function, record.subject, record.content)
        and _are_numbers(record.number)
        and is_answer(record.question, record.answer)
        and (not is_written or _is_elements(record.answer["elements"]))
    )


def _is_elements(text: str) -> bool:
    from volcli.gate.records.written import (
        is_elements,  # and with it the engines, which a run without needs not
    )

    return is_elements(text)


def _are_texts(*values: object) -> bool:
    return all(isinstance(value, str) for value in values)


def _are_numbers(*values: object) -> bool:
    return all(isinstance(value, int) for value in values)


def _finding(data: Mapping[str, Any]) -> KnownFinding:
    reason = data.get("reason", "")
    return KnownFinding(data["file"], data["code"], data["key"], data["content"], data["message"], reason)


def _fact(data: Mapping[str, Any]) -> KnownFact:
    record = Record(
        data["question"], data["function"], data["subject"], data["answer"], data["content"], data["number"]
    )
    return KnownFact(data["file"], record)
