"""Random claims about products and quotients, through the command line: none wrong, nearly all decided.

And claims that are true of random loops whose steps are values: nearly all proved. And claims at the border of
what is true, of other random systems.
"""

from __future__ import annotations

import pytest

from tests.model.values import step_goals, system_goals
from tests.model.values.product_goals import CLAIMS, campaign


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "programs"), [(3, 10), pytest.param(0, 500, marks=pytest.mark.fuzz)])
def test_random_goals(seed: int, programs: int) -> None:
    verdicts, wrong, _ = campaign(programs, seed)
    assert not wrong, "\n\n".join(wrong)
    assert verdicts["unknown"] <= programs * CLAIMS // 20
    assert verdicts["proved"] > programs


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "programs"), [(1, 8), pytest.param(0, 300, marks=pytest.mark.fuzz)])
def test_steps_that_are_values(seed: int, programs: int) -> None:
    verdicts, wrong, _ = step_goals.campaign(programs, seed)
    assert not wrong, "\n\n".join(wrong)
    assert verdicts["proved"]
    assert verdicts["unknown"] <= 0.03 * (verdicts["proved"] + verdicts["unknown"])


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "programs"), [(3, 6), pytest.param(0, 100, marks=pytest.mark.fuzz)])
def test_claims_at_the_border_of_what_is_true(seed: int, programs: int) -> None:
    """Of those that small arguments refute, one of a hundred may be unknown."""
    verdicts, wrong, _ = system_goals.campaign(programs, seed)
    assert not wrong, "\n\n".join(wrong)
    assert verdicts["proved"]
    assert verdicts["unknown, false"] <= 0.01 * verdicts["refuted, false"]
