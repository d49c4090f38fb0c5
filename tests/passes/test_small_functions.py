"""Functions of at most 20 operations: no query of theirs is for a worker, and so none takes long."""

from __future__ import annotations

import pytest

import volcli
from tests.campaigns.shapes import shapes
from volcli.passes.table import find_question
from volcli.presburger.limits import worker

SEEDS = (262, 330, 599, 766, 774)
"""With what has been slowest of a thousand: formulas, conditions and relations of many remainders."""


@pytest.mark.parametrize("seed", SEEDS)
def test_the_main_process_answers(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> str:
        raise AssertionError("a query was for a worker")

    monkeypatch.setattr(worker, "_in_workers", refused)
    program = volcli.load(shapes(str(seed)))
    for question in ("bounds", "access"):
        facts = program.run(find_question(question)).facts
        assert facts
