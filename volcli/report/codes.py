"""Codes of diagnostics, for `volcli codes` and `volcli explain CODE`."""

from __future__ import annotations

from collections.abc import Iterator

from volcli.diagnostics import CODES, Code
from volcli.report.lines import Line
from volcli.runtime.shipped import finding_example


def code_text(code: Code) -> str:
    """The code with its meaning and what to do next."""
    return f"{code.name}  {code.severity.value}: {code.summary}\n      {code.next_step}\n"


def code_lines(name: str, *, width: int | None = None) -> Iterator[Line]:
    """The code NAME with a program that has it, and all that is known where it is found there."""
    yield from map(Line, code_text(CODES[name]).rstrip("\n").split("\n"))
    example = finding_example(name)
    if example is None:
        return
    yield Line()
    yield from map(Line, example.rstrip("\n").split("\n"))
    yield Line()
    yield Line("volcli check finds it in @fires, and not in @silent", "bold")
