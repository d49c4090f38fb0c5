"""volcli's answers about memory, against all runs of random programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.campaigns.linear import CAMPAIGN as LINEAR
from tests.campaigns.memory import CAMPAIGN
from tests.oracles.memory import data
from tests.oracles.memory.ask_all import judged
from tests.oracles.memory.ask_data import failures as failures_of_data
from tests.oracles.memory.fixed import FIXED
from tests.oracles.memory.programs import Program

complaints = CAMPAIGN.complaints


@pytest.mark.sample(3)
@pytest.mark.parametrize("make", FIXED)
def test_programs_that_are_known_are_answered_exactly(make: Callable[[], Program]) -> None:
    assert [each for each in judged(make()) if each.worth != "exact"] == []


@pytest.mark.slow
@pytest.mark.parametrize("programs", [10, pytest.param(40, marks=pytest.mark.fuzz)])
def test_no_answer_is_wrong_or_called_exact_without_being_it(programs: int) -> None:
    assert complaints([f"21/{number}" for number in range(programs)]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("programs", [5, pytest.param(15, marks=pytest.mark.fuzz)])
def test_no_answer_about_products_is_wrong_or_called_exact_without_being_it(programs: int) -> None:
    assert LINEAR.complaints([f"23/{number}" for number in range(programs)]) == ""


def data_complaints(seed: int, count: int, budget: int | None = None) -> list[str]:
    """What runs contradict of what is said of programs whose subscripts depend on data; with their texts."""
    found: list[str] = []
    for program in data.programs(seed, count):
        bad = sorted(set(failures_of_data(program, data.runs(program, 12), budget)))
        found += [f"{bad}\n{program.text}"] if bad else []
    return found


@pytest.mark.slow
@pytest.mark.parametrize("budget", [None, 400, 800])
def test_what_depends_on_data_is_said_of_no_run_where_it_is_not_so(budget: int | None) -> None:
    assert data_complaints(31, 8, budget) == []


@pytest.mark.fuzz
@pytest.mark.parametrize("budget", [None, 400, 800, 20_000])
def test_campaign_of_data(budget: int | None) -> None:
    assert data_complaints(32, 1000, budget) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.campaigns.memory` has the statistics and takes any seed."""
    assert complaints([f"22/{number}" for number in range(1000)]) == ""


@pytest.mark.fuzz
def test_campaign_of_products() -> None:
    """As `python -m tests.campaigns.linear`."""
    assert LINEAR.complaints([f"24/{number}" for number in range(500)]) == ""
