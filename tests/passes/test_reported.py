"""Which diagnostics a growing list holds is known without comparing each with each."""

from __future__ import annotations

import random

from volcli.diagnostics import Diagnostic
from volcli.passes.reported import Reported


def test_it_is_what_the_list_says() -> None:
    """Also after the end of the list was taken off, and something else put there."""
    draw, reported, said = random.Random(5), Reported(), list[Diagnostic]()
    for _ in range(2000):
        one = Diagnostic("V302", f"message {draw.randrange(30)}")
        assert reported.holds(said, one) == (one in said)
        match draw.randrange(6):
            case 0:
                del said[draw.randrange(len(said) + 1) :]
            case 1:
                said = []
            case _:
                said.append(one)
