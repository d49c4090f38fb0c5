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

ROOMS = ("model", "equivalence", "rewriting", "execution", "symbolic")
INSIDE = ",".join([*(f"volcli.{room}.*" for room in ROOMS), "xdsl.*", "numpy.*", "rich.*"])
"""What no type of the API is from: to check it takes two thirds of the time."""

needs_mypy = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None, reason="needs mypy, of the extra 'test'"
)


@pytest.mark.slow
@needs_mypy
def test_mistakes_are_seen_and_nothing_else(tmp_path: Path, environment: Mapping[str, str]) -> None:
    """What `mypy --strict` says to two programs to which volcli is a library, in one run.

    Silence at the first means something: an API without types would accept all of the second.
    """
    wrong = tmp_path / "wrong.py"
    wrong.write_text(WRONG)
    (tmp_path / "mypy.ini").write_text(f"[mypy]\n[mypy-{INSIDE}]\nfollow_imports = skip\n")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", "cache", str(USES),
         str(wrong)],
        cwd=tmp_path, env={**environment, "MYPYPATH": environment["PYTHONPATH"]},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = [line.split(":") for line in ran.stdout.splitlines() if ": error: " in line]
    assert [(Path(file).name, int(line)) for file, line, *_ in said] == [
        (wrong.name, n) for n in (4, 5, 6, 7)
    ], ran.stdout
    assert ran.returncode == 1


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
