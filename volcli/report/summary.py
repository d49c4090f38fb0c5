"""The summary of a file: for each function how many answers of each kind there are, and those to look at.

@rows
  access  1 out-of-bounds, 1 in-bounds
    9:12  read %m[%i - 2, %j] out of bounds: index -2 in dimension 0 of size 10
  loops   1 carried, 1 parallel
  exact   2 bounds, 1 shapes
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from volcli.facts.fact import Fact
from volcli.limits import printing as limits
from volcli.report.files import FileReport
from volcli.report.lines import Line


def by_attention(facts: Iterable[Fact]) -> list[Fact]:
    """FACTS, what needs attention first."""
    return sorted(facts, key=lambda fact: not fact.needs_attention)


def totals(facts: Sequence[Fact]) -> str:
    """How many of FACTS have each answer: `1 carried, 3 parallel`."""
    counts = Counter(fact.answer for fact in by_attention(facts))
    return ", ".join(f"{count} {answer}" for answer, count in counts.items())


def summary_lines(report: FileReport) -> Iterator[Line]:
    """What is known of the file of REPORT, and what to look at."""
    yield Line(report.file, "bold")
    if not report.facts:
        yield Line(f"  {report.why_nothing}")
        return
    first: dict[str, int] = {}
    for fact in report.facts:
        first[fact.function] = min(first.get(fact.function, fact.place.line), fact.place.line)
    order = sorted(report.facts, key=lambda fact: (first[fact.function], fact.function))
    width = max(len(fact.question) for fact in report.facts)
    for function, facts in groupby(order, key=lambda fact: fact.function):
        yield from (Line(), Line(f"@{function}", "bold cyan"))
        plain: list[str] = []
        for question, same in groupby(facts, key=lambda fact: fact.question):
            answers = list(same)
            if all(fact.answer == "exact" for fact in answers):
                plain.append(f"{len(answers)} {question}")
            else:
                yield from _question(question, answers, width)
        if plain:
            yield Line(f"  {'exact':{width}}  {', '.join(plain)}")
    yield Line()
    place = f"{report.file} --at LINE" if report.file == "-" else f"{report.file}:LINE"
    yield Line(f"--ask QUESTION lists them; `volcli explain {place}` explains a line", "dim")


def _question(question: str, facts: Sequence[Fact], width: int) -> Iterator[Line]:
    """What FACTS answer to one QUESTION."""
    yield Line(f"  {question:{width}}  {totals(facts)}")
    wanted = [fact for fact in facts if fact.needs_attention]
    for fact in wanted[: limits.SUMMARY_ROWS]:
        yield Line(f"    {fact.place.line}:{fact.place.column}  {fact.headline}")
    if len(wanted) > limits.SUMMARY_ROWS:
        yield Line(f"    and {len(wanted) - limits.SUMMARY_ROWS} more: --ask {question}")
