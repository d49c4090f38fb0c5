"""What docs/deviations.md says of mlir-opt 22 is what mlir-opt 22 does (of volcli: test_readme.py)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

FILES = sorted((ROOT / "testdata" / "deviations").glob("*.mlir"))
_CLAIM = "// mlir-opt-22: "
_OPTIONS = "// options: "


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_document_names_it(path: Path, root: Path) -> None:
    assert f"testdata/deviations/{path.name} " in (root / "docs" / "deviations.md").read_text()


@pytest.mark.sample(10)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_mlir_opt_does_as_the_first_line_says(path: Path, mlir_opt: str) -> None:
    """`// mlir-opt-22: accepts`, `crashes`, `prints TEXT`, `loses TEXT`, `says TEXT`, or the text of its error."""
    claim = path.read_text().splitlines()[0].removeprefix(_CLAIM)
    words = [w for line in path.read_text().splitlines()[1:2] if line.startswith(_OPTIONS)
             for w in line.removeprefix(_OPTIONS).split()]  # fmt: skip
    ran = subprocess.run([mlir_opt, str(path), *words], capture_output=True, check=False, timeout=60)
    said, (verb, _, text) = ran.stderr.decode(errors="replace"), claim.partition(" ")
    match verb:
        case "accepts":
            assert (ran.returncode, said) == (0, "")
        case "says":
            assert ran.returncode == 0
            assert text in said
        case "crashes":
            assert ran.returncode < 0
        case "prints":
            assert text in ran.stdout.decode()
            assert text not in path.read_text().partition("\n")[2]
        case "loses":
            assert ran.returncode == 0
            assert text in path.read_text().partition("\n")[2]
            assert text not in ran.stdout.decode()
        case _:
            assert ran.returncode == 1
            assert claim in said
