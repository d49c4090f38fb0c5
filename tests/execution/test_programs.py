"""Random programs: volcli's engine prints what mlir-runner prints, and finds nothing undefined in them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.campaigns.execution import Tally, compare
from tests.execution.programs import drawn
from tests.execution.programs.peer import here
from tests.shared.execution import needs_runner
from tests.shared.seeds import seeds

SEED = 7
EACH = 4


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("part", seeds(1, of=100))
def test_mlir_runner_prints_the_same(mlir_opt: str, part: int) -> None:
    tally = Tally()
    compare(mlir_opt, [drawn(EACH * part + k, SEED) for k in range(EACH)], tally)
    assert (tally.wrong, tally.undefined, tally.not_lowered, tally.equal) == ([], [], [], EACH)


@pytest.mark.slow
@pytest.mark.parametrize("number", seeds(2, of=200))
def test_nothing_is_undefined_in_any_order_of_parallel_loops(number: int) -> None:
    module = drawn(number, SEED + 1)
    for order in (None, 1, 2):
        assert here([module], Counter(), order=order)[module.name].stop is None
