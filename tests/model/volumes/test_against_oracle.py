"""Element maps and sparsity regions against brute force (tests/oracles/elements): 0 disagreements."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.campaigns.elements import campaign, report
from tests.oracles.elements.ask import disagreements
from tests.oracles.elements.examples import EXAMPLES
from tests.oracles.elements.programs import Program
from tests.oracles.elements.regressions import REGRESSIONS
from tests.oracles.elements.strategies import programs


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    assert disagreements(EXAMPLES[name]()) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", REGRESSIONS)
def test_regression(name: str) -> None:
    assert disagreements(REGRESSIONS[name]()) == []


@pytest.mark.slow
@settings(
    max_examples=30,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs())
def test_random_programs(program: Program) -> None:
    assert disagreements(program) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.campaigns.elements` says how far it is and takes any seed."""
    failures = [report(seed, found) for seed, found in campaign(range(3000), progress=False)]
    assert not failures, "\n".join(failures)
