"""What a type checker says to a user of volcli."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.api import uses_volcli
from tests.conftest import ROOT

USES = ROOT / "tests" / "api" / "uses_volcli.py"
WRONG = """
import volcli

program = volcli.load(3)
program.function("f").bounds("%n").lower.constant + 1
program.function("f").dependences("RAR")
program.nothing
"""

needs_mypy = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None, reason="needs mypy, of the extra 'test'"
)


def strict(path: Path, folder: Path, environment: Mapping[str, str]) -> tuple[int, list[str]]:
    """What `mypy --strict` says to the file at PATH, to which volcli is a library."""
    where = {**environment, "MYPYPATH": environment["PYTHONPATH"]}
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(folder / "cache"),
         str(path)],
        cwd=folder, env=where, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ran.returncode, ran.stdout.splitlines()


@needs_mypy
def test_a_program_that_uses_volcli_is_typed(tmp_path: Path, environment: Mapping[str, str]) -> None:
    code, said = strict(USES, tmp_path, environment)
    assert code == 0, said


@needs_mypy
def test_its_mistakes_are_seen(tmp_path: Path, environment: Mapping[str, str]) -> None:
    """So that silence means something: an API without types would accept all of this."""
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    code, said = strict(path, tmp_path, environment)
    lines = [int(line.split(":")[1]) for line in said if ": error: " in line]
    assert (code, lines) == (1, [4, 5, 6, 7]), said


def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "testdata" / "linalg" / "conv_layer.mlir"
    assert uses_volcli.main(path) == 0
    assert "'%ifm': [1, 3, 512, 512]" in capsys.readouterr().out
    assert uses_volcli.main(path.parent / "none.mlir") == 2
    program = uses_volcli.volcli.load(path)
    dense = uses_volcli.dense_elements(program.functions[0], "%act0")
    assert dense is not None
    assert dense.count_val().to_python() == 516128
    rows = uses_volcli.volcli.load(ROOT / "testdata" / "memory" / "shifted_rows.mlir")
    assert "{ [i = 2, j = 0] }" in {str(each) for each in uses_volcli.distances(rows).values()}
    tile = uses_volcli.volcli.load(ROOT / "testdata" / "bounds" / "matmul_tile.mlir")
    assert uses_volcli.largest(tile.function("tiled"), "%width") == 9
