"""How the record of a file is made, in a worker process, and those of many files.

`recorded` depends on nothing but its argument, as `checked` of the gate does.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from volcli.api.notes import notes_of
from volcli.api.spots import BY_PLACE
from volcli.diagnostics import UsageError, internal
from volcli.frontend.text.source import read_bytes
from volcli.gate.run import Running
from volcli.gate.work.carrying import carry_out
from volcli.gate.work.executor import Executor, Here, WorkerLostError
from volcli.gate.work.work import Work, most_seconds, program_of
from volcli.pages.iterations import iteration_drawings
from volcli.pages.records import AnswerCount, FileRecord, most_first, parts_of, with_beginning
from volcli.pages.sets import drawings_of
from volcli.passes.pipeline import with_option
from volcli.passes.table import find_question
from volcli.report.drawing.layers import layer_rows

if TYPE_CHECKING:
    from volcli.facts.fact import Fact

_PIPELINE = f"{BY_PLACE.replace('{loops-only=true}', '')},element-maps,layers,dead-code"
"""The passes whose facts are shown."""


@dataclass(frozen=True)
class PageWork:
    """A file that a page shows, and the tiles whose data flow is drawn, as planes with sizes; "" for none."""

    work: Work
    tile: str = ""

    @property
    def label(self) -> str:
        """The file."""
        return self.work.label


def recorded(work: PageWork) -> FileRecord:
    """What a page shows of the file of WORK; what cannot be read or fails is said, too."""
    from volcli.frontend.parse.recursion import no_collector_pauses

    begin = time.process_time()
    text = (work.work.data or b"").decode("utf-8", "replace")
    record = FileRecord(work.work.name, text, parts_of(text))
    try:
        with no_collector_pauses():
            record = _analysed(work, record)
    except UsageError as error:
        record = replace(record, error=error.diagnostic.message)
    except MemoryError:
        record = replace(record, error="the analysis needs more memory than it may have")
    except Exception as error:
        record = replace(record, error=internal.described(error)[0])
    return replace(record, seconds=time.process_time() - begin)


def _analysed(work: PageWork, record: FileRecord) -> FileRecord:
    """RECORD with what is found in the file of WORK."""
    from volcli.frontend.parse.recursion import deep_recursion

    _, program = program_of(work.work)
    program.run(_PIPELINE)
    if work.tile:
        program.run(tiled(work.tile))
    facts = program.facts
    if not any(symbol for _, symbol in record.parts):  # functions that do not begin lines
        begins = (
            (unit.parsed.written_at(m.function).line, f"@{m.name}")
            for unit in program.units
            for m in unit.models()
        )
        record = replace(record, parts=with_beginning(sorted(begins)))
    with deep_recursion():
        drawings = [
            each
            for unit in program.units
            for each in (*iteration_drawings(unit, record.name), *chain(*map(drawings_of, unit.facts)))
        ]
        return replace(
            record,
            notes=tuple(note for fact in facts for note in notes_of(fact, record.name)),
            known=_known(facts),
            drawings=tuple(drawings),
            layers=tuple(layer_rows(facts)),
        )


def tiled(tile: str) -> str:
    """The pipeline that finds what data flows between the tiles of TILE."""
    return with_option(find_question("mars"), "tile", tile)


def _known(facts: Iterable[Fact]) -> tuple[AnswerCount, ...]:
    """How much of each question FACTS know."""
    degrees: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: dict[str, Counter[str]] = defaultdict(Counter)
    for fact in facts:
        degree, reason = fact.certainty
        degrees[fact.question][degree] += 1
        if degree != "exact":
            reasons[fact.question][reason or "no reason is recorded"] += 1
    return tuple(
        AnswerCount(
            question,
            count["exact"],
            count["approximate"],
            count["unknown"],
            tuple(most_first(reasons[question])),
        )
        for question, count in sorted(degrees.items())
    )


_HERE = Running()


def records_of(works: Sequence[PageWork], running: Running = _HERE) -> list[FileRecord]:
    """The record of each of WORKS, made as RUNNING says. A process that ends costs its file alone."""
    works = [replace(each, work=replace(each.work, data=_data(each.work.path))) for each in works]
    executor: Executor[PageWork, FileRecord] = Here(recorded)
    if running.jobs:
        from volcli.gate.work.pool import Workers

        executor = Workers(running.jobs, recorded, lambda each: most_seconds(each.work), running.warn)
    waiting = iter(enumerate(works))
    found: dict[int, FileRecord] = {}

    def end(task: tuple[int, PageWork], future: Future[Any]) -> None:
        at, work = task
        try:
            found[at] = executor.result(future)
        except WorkerLostError:
            text = (work.work.data or b"").decode("utf-8", "replace")
            found[at] = FileRecord(work.work.name, text, parts_of(text), error="the analysis came to no end")
        running.done(len(found), len(works))

    carry_out(executor, lambda: next(waiting, None), lambda task: task[1], end)
    return [found[at] for at in range(len(works))]


def _data(path: str) -> bytes | None:
    """What the file at PATH holds; None if it cannot be read, which is said when it is analysed."""
    try:
        return read_bytes(path)
    except UsageError:
        return None
