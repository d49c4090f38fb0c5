"""What docs/deviations.md says of mlir-opt 22 is what mlir-opt 22 does (of volcli: test_readme.py)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

FILES = sorted((ROOT / "testdata" / "deviations").glob("*.mlir"))
_CLAIM = "// mlir-opt-22: "


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_document_names_it(path: Path, root: Path) -> None:
    assert f"testdata/deviations/{path.name} " in (root / "docs" / "deviations.md").read_text()


@pytest.mark.mlir
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mlir_opt_does_as_the_first_line_says(path: Path, mlir_opt: str) -> None:
    """`// mlir-opt-22: accepts`, or the text of its error."""
    claim = path.read_text().splitlines()[0].removeprefix(_CLAIM)
    ran = subprocess.run([mlir_opt, str(path)], capture_output=True, text=True, check=False, timeout=60)
    if claim == "accepts":
        assert (ran.returncode, ran.stderr) == (0, "")
    else:
        assert ran.returncode == 1
        assert claim in ran.stderr
