"""Seeds of random programs: a few for each run of the tests, the others for `make fuzz`."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(few: int, of: int) -> list[Any]:
    """The numbers below OF, as parameters of a test; those from FEW on have the mark `fuzz`."""
    return [*range(few), *(pytest.param(number, marks=pytest.mark.fuzz) for number in range(few, of))]
