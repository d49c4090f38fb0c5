"""Callbacks of isl: what they raise reaches who asked, and nothing is printed."""

from __future__ import annotations

import ast
from pathlib import Path

import islpy as isl
import pytest

import volcli
from volcli.presburger.limits.budget import BudgetExceeded, NeedsWorker, budget
from volcli.presburger.measures.points import few_points
from volcli.presburger.sets.callbacks import points_of, visit

_ROOT = Path(volcli.__file__).parent
_HOME = _ROOT / "presburger" / "sets" / "callbacks.py"
_CALLERS = ("foreach_", "every_", "map_descendant")


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, NeedsWorker])
def test_what_a_callback_raises_is_raised(
    kind: type[BaseException], capfd: pytest.CaptureFixture[str]
) -> None:
    seen: list[isl.Point] = []

    def take(point: isl.Point) -> None:
        seen.append(point)
        raise kind

    with pytest.raises(kind):
        visit(isl.Set("{ [i] : 0 <= i < 5 }").foreach_point, take)
    assert len(seen) == 1
    assert capfd.readouterr() == ("", "")


def test_an_error_of_isl_is_raised() -> None:
    with pytest.raises(isl.Error):
        points_of(isl.Set("{ [i] : i >= 0 }"))


@pytest.mark.sample(4)
@pytest.mark.parametrize("operations", range(20, 4000, 111))
def test_a_budget_that_ends_inside_a_callback(operations: int, capfd: pytest.CaptureFixture[str]) -> None:
    points = isl.Set("{ [i, j] : 0 <= i < 20 and i <= j < 20 and (i + j) mod 3 = 0 }")
    try:
        with budget(operations):
            points_of(points)
    except BudgetExceeded:
        pass
    found = few_points(points, 1000, operations)
    assert found is None or len(found) == 70
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_no_other_place_passes_a_callback_to_isl() -> None:
    found: list[str] = []
    for root in (_ROOT, _ROOT.parent / "dialects"):
        for path in sorted(root.rglob("*.py")):
            text = path.read_text()
            for node in ast.walk(ast.parse(text)) if any(f".{name}" in text for name in _CALLERS) else ():
                if isinstance(node, ast.Attribute) and node.attr.startswith(_CALLERS) and path != _HOME:
                    found.append(f"{path}:{node.lineno}")
    assert not found
