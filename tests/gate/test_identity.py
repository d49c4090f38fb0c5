"""Since a baseline: defects are told, edits that change nothing are not, and findings that are made worse are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.identity import UNSEEN, alarms, known, missed, of_programs, silent, told


def test_defects_are_told_as_new(tmp_path: Path) -> None:
    """Every tenth of those of `python -m tests.campaigns.identity`."""
    assert missed(tmp_path, 10) == (6, [])


def test_what_changes_nothing_is_not_told(tmp_path: Path) -> None:
    """By baselines of findings alone; with facts in the campaign."""
    count, wrong = alarms(tmp_path, 12, facts=False)
    assert (count > 40, wrong) == (True, [])


def test_a_known_finding_that_is_made_worse_or_moved_is_told(tmp_path: Path) -> None:
    assert silent(tmp_path) == (20, [])


@pytest.mark.parametrize("name", UNSEEN)
def test_what_no_analysis_sees_is_not_told(tmp_path: Path, name: str) -> None:
    """A program that computes another value, at the same places, is no finding; `volcli diff` tells it."""
    function, old, new = UNSEEN[name]
    (before,) = (each.before for each in of_programs() if each.name == function)
    assert old in before
    baseline = known(tmp_path, {"a.mlir": before}, facts=True)
    assert told(baseline, {"a.mlir": before.replace(old, new)}) == {}
