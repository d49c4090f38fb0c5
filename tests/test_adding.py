"""The worked example of docs/adding.md: a package that adds a dialect, as somebody else would write it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.conftest import Run
from tests.readme import install_example, rerun_example


def test_the_worked_example(root: Path, tmp_path: Path, environment: Mapping[str, str]) -> None:
    document = (root / "docs" / "adding.md").read_text()
    assert rerun_example(document, tmp_path, environment) == document, "`make update` rewrites the output"


def test_it_is_the_package_that_makes_it_work(root: Path, tmp_path: Path, volcli: Run) -> None:
    """Without it, the operation is opaque: its text is kept, and its shape is not known."""
    install_example((root / "docs" / "adding.md").read_text(), tmp_path)
    ran = volcli("opt", str(tmp_path / "echo.mlir"), "-p", "infer-shapes")
    assert "V306: " in ran.stderr
    assert "signal.reverse" in ran.stderr
