"""Seeds of random programs: a few for each run of the tests, the others for `make fuzz`."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest


class Campaigns:
    """Whether this run asks for the mark `fuzz`: tests/conftest.py says so before it imports a test."""

    are_chosen: ClassVar[bool] = False


def seeds(few: int, of: int) -> list[Any]:
    """The numbers below OF, as parameters of a test; those from FEW on have the mark `fuzz`.

    They are parameters only in a run that selects that mark: there are 8,000 of them.
    """
    if not Campaigns.are_chosen:
        return [*range(few)]
    return [*range(few), *(pytest.param(number, marks=pytest.mark.fuzz) for number in range(few, of))]
