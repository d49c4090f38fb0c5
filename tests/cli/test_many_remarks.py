"""Many diagnostics are written together, each with the line of its own place."""

from __future__ import annotations

import pytest

from volcli.cli.parts.console import Console
from volcli.diagnostics import Diagnostic, Place

LINES = {1: "  first", 2: "\tsecond", 3: "x" * 200}


def said(diagnostics: list[Diagnostic], capsys: pytest.CaptureFixture[str]) -> tuple[str, int]:
    console = Console()
    console.say(diagnostics, lambda place: LINES.get(place.line))
    return capsys.readouterr().err, console.exit_code


def test_each_is_said_as_if_it_were_alone(capsys: pytest.CaptureFixture[str]) -> None:
    places = [
        Place("a.mlir", 1, 3),
        Place("a.mlir", 1, 3),
        Place("a.mlir", 2, 2),
        Place("a.mlir", 3, 1),
        None,
    ]
    codes = ("V404", "V405", "V203", "V404")
    some = [Diagnostic(code, f"number {k}", place) for k, (place, code) in enumerate(
        (place, code) for place in places for code in codes)]  # fmt: skip
    some.append(
        Diagnostic("V404", "with another place", places[0], related=((Place("a.mlir", 2, 1), "there"),))
    )
    alone = [said([each], capsys) for each in some]
    together = said(some, capsys)
    assert together[0] == "".join(text for text, _ in alone)
    assert together[1] == max(code for _, code in alone) == 1


def test_more_than_are_written_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    place = Place("a.mlir", 2, 2)
    text, code = said([Diagnostic("V404", f"number {k}", place) for k in range(2500)], capsys)
    assert text == "".join(f"a.mlir:2:2: remark: number {k}\n\tsecond\n\t^\n" for k in range(2500))
    assert code == 0
