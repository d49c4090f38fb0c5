"""Seeds of random programs: a few for each run of the tests, the others for `make fuzz`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from tests.shared.selected import quick


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


def examples(few: int) -> int:
    """How many examples of a property hypothesis draws: FEW in each run, which are the same ones; more in a campaign."""
    return 10 * few if Campaigns.are_chosen else few


def spread(parameters: Sequence[Any], few: int) -> list[Any]:
    """PARAMETERS of a test, of which FEW, evenly spread, are in each run; the others have the mark `fuzz`.

    A tuple is the values of several parameters.
    """
    chosen = quick(len(parameters), few)
    every = [each if isinstance(each, tuple) else (each,) for each in parameters]
    return [
        pytest.param(*each, marks=() if number in chosen else pytest.mark.fuzz)
        for number, each in enumerate(every)
        if number in chosen or Campaigns.are_chosen
    ]
