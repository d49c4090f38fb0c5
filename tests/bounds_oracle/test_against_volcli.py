"""volcli's constant bounds and comparisons, against all executions of random programs."""

from __future__ import annotations

import pytest

from tests.bounds_oracle.draw import drawn
from tests.fuzz_bounds import failures, report


def complaints(seeds: list[str]) -> str:
    """What is wrong with volcli's answers about the programs of SEEDS."""
    reports = [report(s, drawn(s), found) for s in seeds if (found := failures(drawn(s)))]
    return "\n".join(reports)


def test_no_answer_is_wrong_or_called_exact_without_being_it() -> None:
    assert complaints([f"11/{number}" for number in range(60)]) == ""


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.fuzz_bounds` has the statistics and takes any seed."""
    assert complaints([f"12/{number}" for number in range(3000)]) == ""
