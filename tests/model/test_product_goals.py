"""Random claims about products and quotients, through the command line: none wrong, nearly all decided."""

from __future__ import annotations

import pytest

from tests.product_goals import CLAIMS, campaign


@pytest.mark.parametrize("seed", [5, 11])
def test_random_goals(seed: int) -> None:
    programs = 25
    verdicts, wrong, _ = campaign(programs, seed)
    assert not wrong, "\n\n".join(wrong)
    assert verdicts["unknown"] <= programs * CLAIMS // 20
    assert verdicts["proved"] > programs
