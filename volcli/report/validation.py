"""What is known of pipelines: a table for people, JSON, and findings for code scanning and CI servers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from volcli import __version__
from volcli.diagnostics import CODES, Diagnostic
from volcli.diagnostics.counted import counted
from volcli.facts.differences import DIFFERENT, EQUAL, UNKNOWN
from volcli.gate.findings.finding import Finding, of_diagnostic
from volcli.gate.findings.grounds import Ground
from volcli.gate.report import FileFindings, Report
from volcli.validation.results import VERDICTS, ComparedFunction, StepResult, Validation

_HEADS = ("functions", *VERDICTS, "seconds")
_CODES = {DIFFERENT: "V241", UNKNOWN: "V317"}
"""The codes of what is told of a function after a pass."""


def as_text(found: Sequence[Validation]) -> str:
    """FOUND for people: for each file a row for each pass, and what is not equal."""
    return "\n\n".join("\n".join(_lines(each)) for each in found) + "\n" * bool(found)


def as_json(found: Sequence[Validation]) -> str:
    """FOUND as the text of one JSON object, which docs/validation.schema.json describes."""
    report = {"volcli": __version__, "schema": 1, "pipelines": [each.to_json() for each in found]}
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def as_report(found: Sequence[Validation], exit_code: int) -> Report:
    """FOUND as what the gate reports: a finding for each function that is not equal after a pass."""
    files = [FileFindings(each.file, tuple(_findings(each)), _functions(each)) for each in found]
    return Report(tuple(files), exit_code)


def _lines(found: Validation) -> Iterator[str]:
    width = max([len(each.title) for each in found.compared] + [len("pass")])
    yield f"{found.file}: {found.command}"
    if found.steps:
        yield f"  {'pass':{width}}  {'  '.join(_HEADS)}"
    for step in found.compared:
        counts = [len(step.functions), *(step.counts[verdict] for verdict in VERDICTS)]
        cells = [f"{count or '-':>{len(head)}}" for count, head in zip(counts, _HEADS, strict=False)]
        yield f"  {step.title:{width}}  {'  '.join(cells)}  {step.seconds:7.2f}"
    yield f"  {_total(found)}"
    for step in found.compared:
        for each in step.functions:
            if each.verdict != EQUAL:
                yield from _told(step, each)
        if step.reproducer is not None:
            yield f"  reproducer: {step.reproducer}"
    for line in found.said.split("\n") if found.said else ():
        yield f"  {line}"
    if found.ended is not None and found.broken:
        yield f"  V020: {CODES['V020'].next_step}"


def _total(found: Validation) -> str:
    """`2 passes changed something: 1 equal, 1 different`, and how the pipeline ended."""
    counts = Counter(step.verdict for step in found.steps)
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    passes = f"{counted(len(found.steps), 'pass', 'passes')} changed something"
    total = f"{passes}: {said}" if said else "no pass changed anything"
    return total if found.ended is None else f"{total}; {found.ended}"


def _told(step: StepResult, found: ComparedFunction) -> Iterator[str]:
    """What is FOUND after STEP, behind the name of the pass."""
    first, *others = found.lines
    yield f"  {step.title}: {first}"
    yield from (f"  {line}" for line in others)


def _functions(found: Validation) -> tuple[str, ...]:
    """The functions that some pass of FOUND has changed."""
    return tuple(sorted({each.function for step in found.steps for each in step.functions}))


def _findings(found: Validation) -> Iterator[Finding]:
    for step in found.compared:
        for each in step.functions:
            if each.verdict != EQUAL:
                yield _finding(found, step, each)
    if found.ended is not None and found.broken:
        yield of_diagnostic(Diagnostic("V020", f"{found.command}: {found.ended}"), found.file)


def _finding(found: Validation, step: StepResult, each: ComparedFunction) -> Finding:
    """That the function EACH is not known to be what it was before STEP."""
    code = CODES[_CODES[each.verdict]]
    reasons = "; ".join(line.strip() for line in each.lines[1:]) or each.lines[0]
    shown = f"; reproducer: {step.reproducer}" if step.reproducer else ""
    message = f"{step.title}: {reasons}{shown}"
    return Finding(
        code.name, code.severity.value, found.file, 1, 1, each.function, f"{step.title} #{step.number}",
        message, code.next_step, (Ground("", f"{step.number}:{step.title}:{each.function}"),),
    )  # fmt: skip
