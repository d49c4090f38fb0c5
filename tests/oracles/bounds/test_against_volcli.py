"""volcli's constant bounds and comparisons, against all executions of random programs."""

from __future__ import annotations

import pytest

from tests.campaigns.bounds import CAMPAIGN
from tests.oracles.bounds.ask import judged
from tests.oracles.bounds.draw import drawn

# Once wrong, called exact without being it, or the end of the process: loops whose iterations share a choice;
# carried sizes; an inner loop that depends on what the outer one carries and the other way round; a closure that
# overflows isl's stack.
FOUND = ["2/908", "2/3105", "2/3339", "2/4788", "2/1180", "2/1708", "5/36"]


complaints = CAMPAIGN.complaints


@pytest.mark.slow
def test_no_answer_is_wrong_or_called_exact_without_being_it() -> None:
    assert complaints([f"11/{number}" for number in range(30)]) == ""


@pytest.mark.slow
def test_nor_with_loops_that_end_by_a_condition() -> None:
    assert complaints([f"11/{number}" for number in range(20)], unbounded=True) == ""


@pytest.mark.slow
def test_nor_with_unsigned_and_bitwise_operations() -> None:
    assert complaints([f"11/{number}" for number in range(30)], with_bits=True) == ""


@pytest.mark.slow
@pytest.mark.parametrize("operations", [300, 2000])
def test_nor_with_a_small_budget(operations: int) -> None:
    for number in range(12):
        program = drawn(f"14/{number}", with_bits=number % 2 == 0)
        assert [each for each in judged(program, operations) if each.is_failure] == [], number


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", ["4/19", "4/652"])
def test_what_campaigns_found_of_loops_in_loops_that_end_by_a_condition(seed: str) -> None:
    assert complaints([seed], unbounded=True) == ""


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", FOUND)
def test_what_campaigns_found_stays_right(seed: str) -> None:
    assert complaints([seed]) == ""


@pytest.mark.slow
def test_nearly_all_bounds_are_exact() -> None:
    worths = [
        judgement.worth
        for number in range(50)
        for judgement in judged(drawn(f"13/{number}"))
        if judgement.kind == "bound"
    ]
    assert worths.count("exact") >= 0.99 * len(worths)


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.campaigns.bounds` has the statistics and takes any seed."""
    assert complaints([f"12/{number}" for number in range(3000)]) == ""
    assert complaints([f"12/{number}" for number in range(1000)], unbounded=True) == ""
    assert complaints([f"12/{number}" for number in range(3000)], with_bits=True) == ""
