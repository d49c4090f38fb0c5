"""`volcli run` on programs with one defect each: found at its line, of its kind. Correct ones have none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import volcli
from volcli.execution.runs.inputs import Inputs

DEFECTS = (Path(__file__).parent / "defects.mlir").read_text().split("// -----\n")
STEPS = 10_000


def _expected(text: str) -> tuple[str, int]:
    """The kind of the defect, and its line."""
    (found,) = [
        (match[1], number)
        for number, line in enumerate(text.split("\n"), 1)
        if (match := re.search(r"\S.* // (\w+)$", line)) and not line.startswith("//")
    ]
    return found


@pytest.mark.sample(20)
@pytest.mark.parametrize("number", range(len(DEFECTS)))
def test_a_defect_is_found_at_its_line(number: int) -> None:
    text = DEFECTS[number]
    kind, line = _expected(text)
    found = volcli.loads(text).function("f").run(Inputs(), steps=STEPS)
    stop = found.diagnostic
    assert stop is not None, text
    assert stop.place is not None
    assert (found.defect or "stopped", stop.place.line) == (kind, line), stop.message
