"""These ask the real passes."""

from __future__ import annotations

import json
from pathlib import Path

from volcli.passes.table import PASSES

from .conftest import Shell


def test_each_pass_and_option_is_listed(shell: Shell) -> None:
    text = shell("passes").stdout
    listed = json.loads(shell("passes", "--format", "json").stdout)
    assert [row["name"] for row in listed] == list(PASSES)
    for row in listed:
        assert f"{row['name']}: {row['summary']}" in text
        for option in row["options"]:
            assert f"  {option['name']}: {option['type']} = " in text
            assert option["help"] in text


def test_the_generated_page_is_current(shell: Shell, root: Path) -> None:
    assert (root / "docs" / "passes.md").read_text() == shell("passes", "--format", "markdown").stdout


def test_one_pass_is_described(shell: Shell) -> None:
    said = shell("passes", "tile").stdout
    assert said.startswith("tile: loops over the tiles of a value, ")
    assert "Compute a value tile by tile" in said
    assert "  sizes: list = " in said
    assert "\ninfer-shapes" not in said
    assert [row["name"] for row in json.loads(shell("passes", "tile", "--format=json").stdout)] == ["tile"]


def test_a_pass_that_there_is_not(shell: Shell) -> None:
    ran = shell("passes", "tyle")
    assert ran.exit_code == 2
    assert "V001: no pass 'tyle'\n  next: did you mean 'tile'?" in ran.stderr


def test_opt_lists_them_as_mlir_opt_does(shell: Shell) -> None:
    assert (
        shell("opt", "--list-passes").stdout == shell("opt", "-list-passes").stdout == shell("passes").stdout
    )


def test_the_time_of_each_pass_is_reported(shell: Shell) -> None:
    for command in (["opt", "-p", "infer-shapes,value-bounds"], ["analyze", "--ask", "shapes,bounds"]):
        ran = shell(command[0], "testdata/bounds/matmul_tile.mlir", *command[1:], "--timing")
        names = [line.rsplit(maxsplit=1)[0] for line in ran.stderr.splitlines()]
        assert (names[0], names[-1]) == ("pass", "all passes")
        assert sorted(names[1:-1]) == ["infer-shapes", "value-bounds"]
