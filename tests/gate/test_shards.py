"""A run in shards, put together, is the run of all files."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from volcli.cli.commands import volcli

OUT = """func.func @f{n}(%m: memref<4xf32>) -> f32 {{
  %x = affine.load %m[{index}] : memref<4xf32>
  return %x : f32
}}
"""
STYLES = ("text", "json", "sarif", "junit", "github")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Seven files, of which three have a finding."""
    for n in range(7):
        (tmp_path / f"f{n}.mlir").write_text(OUT.format(n=n, index=4 if n % 3 == 0 else 3))
    return tmp_path


def call(folder: Path, *arguments: str) -> tuple[int, str]:
    with contextlib.chdir(folder):
        ran = CliRunner().invoke(volcli, arguments)
    return ran.exit_code, ran.output


def shards(folder: Path, count: int, *more: str) -> list[str]:
    """The results of shards of a check of FOLDER."""
    names = [f"{n + 1}.json" for n in range(count)]
    for n, name in enumerate(names):
        call(folder, "check", ".", "--shard", f"{n + 1}/{count}", f"--format=json:{name}", *more)
    return names


def test_shards_put_together_are_the_whole(folder: Path) -> None:
    schema = json.loads(Path("docs/findings.schema.json").read_text())
    names = shards(folder, 3)
    for name in names:
        jsonschema.validate(json.loads((folder / name).read_text()), schema)
    for style in STYLES:
        assert call(folder, "merge", *reversed(names), "--format", style) == call(
            folder, "check", ".", "--format", style
        )
    assert call(folder, "merge", *names)[0] == 1


def test_shards_are_compared_with_a_baseline_together(folder: Path) -> None:
    baseline = ("--baseline", "known.json")
    call(folder, "check", ".", *baseline, "--update-baseline", "--facts")
    (folder / "f0.mlir").rename(folder / "moved.mlir")  # to another shard
    (folder / "f1.mlir").write_text(OUT.format(n=1, index=5))
    names = shards(folder, 2, *baseline)
    found = call(folder, "merge", *names, *baseline)
    assert found == call(folder, "check", ".", *baseline)
    assert "1 new" in found[1]


def test_what_is_not_all_of_a_run_is_refused(folder: Path) -> None:
    one, two = shards(folder, 2)
    for arguments, said in (
        ((one,), "V016: the shard 2/2 is missing"),
        ((one, two, one), "V016: 'f0.mlir' is in several of these results"),
        ((one, "f0.mlir"), "V016: 'f0.mlir' is not JSON"),
        (("nowhere.json",), "V016: 'nowhere.json' cannot be read"),
        ((one, two, "--baseline", "known.json"), "V016: the facts about 'f0.mlir' are not in these results"),
    ):
        (folder / "known.json").write_text('{"schema": 1, "findings": [], "facts": []}')
        code, output = call(folder, "merge", *arguments)
        assert (code, said in output) == (2, True), output


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b"])
def test_what_is_no_shard_is_refused(folder: Path, text: str) -> None:
    code, output = call(folder, "check", ".", "--shard", text)
    assert (code, f"V007: --shard: '{text}' is not a shard" in output) == (2, True)
