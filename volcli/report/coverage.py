"""Coverage: what of a file volcli reads, and what of what it reads it has answers for.

A file is covered if each of its top-level operations (a function, a global, an operation of a module) is
read; an operation is covered for a question if some case answers it. What is not covered is still sound: it
is carried through unread, or taken pessimistically.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp, ShapedType
from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic
from volcli.diagnostics.counted import counted
from volcli.frontend.parse.opaque import OpaqueOperation
from volcli.frontend.parse.parser import ParsedModule
from volcli.frontend.parse.recursion import deep_recursion
from volcli.frontend.unread import UnreadOperation
from volcli.language import questions
from volcli.language.interface import Interface, operation_name
from volcli.model.symbols import symbol_of

_NEEDED_FOR: Mapping[str, Interface[object]] = {
    "shapes": questions.result_sizes,
    "maps": questions.element_reads,
    "regions": questions.element_reads,
}  # pyright: ignore[reportAssignmentType] - an Interface only gives answers, whatever their type
"""Per question of `volcli analyze`, the table that an operation with a shaped result must have a case in."""


@dataclass(frozen=True)
class OpCoverage:
    """One top-level operation: read, or not and why."""

    op: str
    name: str | None
    line: int
    reason: Diagnostic | None = None

    def to_json(self) -> dict[str, object]:
        """The row as `coverage --format json` has it."""
        reason = None if self.reason is None else f"{self.reason.code}: {self.reason.message}"
        row = {"op": self.op, "name": self.name, "line": self.line}
        return {**row, "read": self.reason is None, "reason": reason}


@dataclass
class Coverage:
    """The coverage of some files."""

    files: dict[str, list[OpCoverage]] = field(default_factory=dict[str, list[OpCoverage]])
    errors: dict[str, Diagnostic] = field(default_factory=dict[str, Diagnostic])
    """Per file that could not be opened, why."""
    histogram: Counter[str] = field(default_factory=Counter[str])
    opaque: Counter[str] = field(default_factory=Counter[str])
    """Operations in an unknown custom syntax: read as their text, with their uses."""
    uncovered: dict[str, Counter[str]] = field(
        default_factory=lambda: {question: Counter[str]() for question in _NEEDED_FOR}
    )

    def add(self, file: str, chunks: Sequence[ParsedModule]) -> None:
        """Count in FILE, of which CHUNKS were parsed."""
        rows = self.files.setdefault(file, [])
        for parsed in chunks:
            with deep_recursion():
                rows += sorted(_rows(parsed), key=lambda row: row.line)
                for op in parsed.module.walk():
                    if op is not parsed.module and not isinstance(op, UnreadOperation):
                        self._count(op)

    def _count(self, op: Operation) -> None:
        name = operation_name(op)
        self.histogram[name] += 1
        if isinstance(op, OpaqueOperation):
            self.opaque[name] += 1
        if any(isinstance(result.type, ShapedType) for result in op.results):
            for question, interface in _NEEDED_FOR.items():
                is_source = question == "shapes" and questions.constant_fill.answers(type(op))
                if not is_source and not interface.answers(type(op)):
                    self.uncovered[question][name] += 1

    @property
    def unread(self) -> list[OpCoverage]:
        """The operations that were not read."""
        return [row for rows in self.files.values() for row in rows if row.reason is not None]

    def to_json(self) -> str:
        """The text of the JSON object that docs/coverage.schema.json describes."""
        content = {
            "files": [
                {"file": file, "ops": [row.to_json() for row in rows], "error": self._error(file)}
                for file, rows in self.files.items()
            ],
            "histogram": dict(self.histogram.most_common()),
            "opaque": dict(self.opaque.most_common()),
            "uncovered": {q: dict(ops.most_common()) for q, ops in self.uncovered.items() if ops},
        }
        return json.dumps(content, indent=2, ensure_ascii=False) + "\n"

    def fail(self, file: str, why: Diagnostic) -> None:
        """Note that FILE could not be opened."""
        self.files.setdefault(file, [])
        self.errors[file] = why

    def _error(self, file: str) -> str | None:
        why = self.errors.get(file)
        return None if why is None else f"{why.code}: {why.message}"

    def to_text(self, most: int = 20) -> str:
        """For people: totals, what was not read by its reason, and the MOST frequent uncovered operations."""
        total, opened = sum(map(len, self.files.values())), len(self.files) - len(self.errors)
        lines = [
            f"{total - len(self.unread)} of {counted(total, 'top-level operation')} read, "
            f"in {counted(opened, 'file')}"
        ]
        reasons, first = self._reasons()
        lines += _section("not read", reasons, most, first)
        lines += _section("read as opaque text", self.opaque, most)
        questions_of: dict[tuple[tuple[str, int], ...], list[str]] = {}
        for question, ops in self.uncovered.items():
            questions_of.setdefault(tuple(ops.most_common()), []).append(f"'{question}'")
        for counts, names in questions_of.items():
            *others, last = names
            shown = f"{', '.join(others)} and {last}" if others else last
            lines += _section(f"without a case for {shown}", Counter(dict(counts)), most)
        return "\n".join(lines) + "\n"

    def _reasons(self) -> tuple[Counter[str], dict[str, str]]:
        """How often each reason kept an operation from being read, and where it did so first."""
        reasons, first = Counter[str](), dict[str, str]()
        for file, rows in self.files.items():
            for row in rows:
                if row.reason is not None:
                    reason = f"{row.reason.code}: {row.reason.message}"
                    reasons[reason] += 1
                    place = row.reason.place
                    first.setdefault(reason, f"{file}:{row.line if place is None else place.line}")
        return reasons, first


def _section(
    title: str, counts: Counter[str], most: int, first: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The MOST frequent of COUNTS; under each, the place where it was FIRST."""
    if counts:
        yield f"\n{title}:"
        width = len(str(max(counts.values())))
        for what, count in counts.most_common(most):
            yield f"  {count:>{width}}  {what}"
            if first is not None:
                yield f"  {'':>{width}}  {'first ' if count > 1 else ''}at {first[what]}"
        if len(counts) > most:
            yield f"  ... and {len(counts) - most} more"


def _rows(parsed: ParsedModule) -> Iterator[OpCoverage]:
    for unread in parsed.unread:
        yield OpCoverage(unread.op_name, unread.symbol, unread.place.line, unread.reason)
    for op in _top_level(parsed.module):
        name = symbol_of(op)
        shown = None if name == op.name else f"@{name}"
        yield OpCoverage(operation_name(op), shown, parsed.written_at(op).line)


def _top_level(module: ModuleOp) -> Iterator[Operation]:
    """The operations of MODULE and of the modules in it."""
    for op in module.body.ops:
        if isinstance(op, ModuleOp):
            yield from _top_level(op)
        elif not isinstance(op, UnreadOperation):
            yield op
