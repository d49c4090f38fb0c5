"""Element maps and sparsity regions against brute force (tests/oracle): 0 disagreements."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import campaign, report
from tests.oracle.ask import disagreements
from tests.oracle.examples import EXAMPLES
from tests.oracle.programs import Program
from tests.oracle.regressions import REGRESSIONS
from tests.oracle.strategies import programs


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str) -> None:
    assert disagreements(EXAMPLES[name]()) == []


@pytest.mark.parametrize("name", REGRESSIONS)
def test_regression(name: str) -> None:
    assert disagreements(REGRESSIONS[name]()) == []


@settings(
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs())
def test_random_programs(program: Program) -> None:
    assert disagreements(program) == []


@pytest.mark.fuzz
def test_campaign() -> None:
    """What `make fuzz` runs; `python -m tests.fuzz` says how far it is and takes any seed."""
    failures = [report(seed, found) for seed, found in campaign(range(3000), progress=False)]
    assert not failures, "\n".join(failures)
