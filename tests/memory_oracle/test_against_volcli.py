"""volcli's answers about memory, against all runs of random programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.fuzz_memory import failures, report
from tests.memory_oracle.ask_all import judged
from tests.memory_oracle.draw import drawn
from tests.memory_oracle.fixed import FIXED
from tests.memory_oracle.programs import Program


def complaints(seeds: list[str]) -> str:
    """What is wrong with volcli's answers about the programs of SEEDS."""
    reports = [report(s, drawn(s), found) for s in seeds if (found := failures(drawn(s)))]
    return "\n".join(reports)


@pytest.mark.parametrize("make", FIXED)
def test_programs_that_are_known_are_answered_exactly(make: Callable[[], Program]) -> None:
    assert [each for each in judged(make()) if each.worth != "exact"] == []


def test_no_answer_is_wrong_or_called_exact_without_being_it() -> None:
    assert complaints([f"21/{number}" for number in range(40)]) == ""


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.fuzz_memory` has the statistics and takes any seed."""
    assert complaints([f"22/{number}" for number in range(1000)]) == ""
