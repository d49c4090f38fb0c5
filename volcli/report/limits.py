"""Limits as text: rows of their table, and which of them an explanation has met."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from volcli.limits.limit import Limit
from volcli.limits.table import exceeded
from volcli.report.lines import Line


def limit_rows(limits: Mapping[str, Limit]) -> list[Line]:
    """Each of LIMITS: its name, its number and what that counts, what happens beyond it, where it is from."""
    lines: list[Line] = []
    for name, limit in limits.items():
        option = f"; {limit.option} sets it" if limit.option else ""
        lines += [
            Line(f"{name}  {limit:,}: {limit.unit}"),
            Line(f"      beyond: {limit.beyond}; {measured(limit)}{option}"),
        ]
    return lines


def measured(limit: Limit) -> str:
    """Where LIMIT was measured, as text: a file, or the topic of a decision."""
    if not limit.is_measured:
        return "chosen, not measured"
    return f"measured: {limit.measured}" if "/" in limit.measured else f"decision: {limit.measured}"


def limits_of(lines: Iterable[Line]) -> list[Line]:
    """A line for each reason in LINES that is a limit: `limit: values.kept_variables (12)`.

    Where several limits are told in the same words, it names all of them: `limit: one or the other (8)`.
    """
    found = dict[str, None]()
    for line in lines:
        by_number: dict[int, list[str]] = {}
        for name, number in exceeded(line.text).items():
            by_number.setdefault(number, []).append(name)
        found |= {f"limit: {' or '.join(names)} ({number:,})": None for number, names in by_number.items()}
    return [Line(text) for text in found]
