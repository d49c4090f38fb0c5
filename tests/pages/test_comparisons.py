"""Pages of `volcli diff` and `volcli validate`: what differs, and both programs side by side."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.pages.test_page import HOSTILE, Tree
from volcli.cli.commands import volcli
from volcli.pages.comparisons import paired, validation_page
from volcli.validation.results import ComparedFunction, StepResult, Validation

BEFORE, AFTER = "testdata/diff/smoothed.mlir", "testdata/diff/smoothed_wrong.mlir"


def compared(*arguments: str) -> tuple[str, int]:
    """What `volcli diff ARGUMENTS --format html` writes, and its exit code."""
    result = CliRunner().invoke(volcli, ["diff", *arguments, "--format", "html"])
    return result.stdout, result.exit_code


@pytest.fixture
def at_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)


@pytest.mark.usefixtures("at_root")
def test_a_difference_is_shown_with_its_element_and_both_programs() -> None:
    page, code = compared(BEFORE, AFTER)
    assert code == 1
    tree = Tree(page)
    assert (tree.wrong, tree.open) == ([], [])
    assert "<dt>Element that differs</dt><dd><code>[0]</code></dd>" in page
    assert "<code>%a[2]</code> in the program before only" in page
    assert "1 function: 1 different." in {text.strip() for text in tree.said["p"]}
    rows = re.findall(r"<tr( class=\"changed\")?>(.*?)</tr>", page, re.S)
    sides = {tuple(re.findall(r"<td(?: class=\"(?:was|is)\")?>(.*?)</td>", row)) for _, row in rows}
    assert ("  affine.for %i = 0 to 12 {", "  affine.for %i = 0 to 10 {") in sides
    kept = [row for changed, row in rows if not changed and "%s = arith.addf" in row]
    assert len(kept) == 1
    assert kept[0].count("%s = arith.addf %x, %y : f32") == 2


@pytest.mark.usefixtures("at_root")
def test_equal_functions_are_closed() -> None:
    page, code = compared(BEFORE, "testdata/diff/smoothed_fused.mlir")
    assert code == 0
    (part,) = re.findall(r'<details class="part"[^>]*>', page)
    assert part == '<details class="part" id="@smoothed">'


def test_what_programs_say_is_text(tmp_path: Path) -> None:
    before, after = tmp_path / "a.mlir", tmp_path / "b.mlir"
    before.write_text(HOSTILE)
    after.write_text(HOSTILE.replace("constant 9", "constant 8"))
    page, _ = compared(str(before), str(after))
    tree = Tree(page)
    assert (tree.wrong, tree.open) == ([], [])
    assert "img" not in {tag for tag, _ in tree.found}
    assert not any("alert" in text for text in tree.said["script"])


def test_lines_are_paired_once_each() -> None:
    before = [*enumerate(["a", " b", "c", "d"], 1)]
    after = [*enumerate(["a", "x", "y", "b", "d"], 1)]
    found = [*paired(before, after)]
    assert [each.before for each in found if each.before] == before
    assert [each.after for each in found if each.after] == after
    assert [(each.before, each.after) for each in found if each.alike] == [
        ((1, "a"), (1, "a")),
        ((2, " b"), (4, "b")),
        ((4, "d"), (5, "d")),
    ]


def test_passes_are_a_table_and_those_that_are_not_equal_have_their_programs() -> None:
    text = "func.func @f() {\n  return\n}\n"
    unknown = ComparedFunction.unknown("f", "it is too large")
    steps = (
        StepResult(1, "canonicalize", (), 0.5),
        StepResult(2, "cse", (unknown,), 0.25, texts=(text, text.replace("return", "func.return"))),
    )
    page = validation_page([Validation("a.mlir", "mlir-opt", steps)])
    tree = Tree(page)
    assert (tree.wrong, tree.open) == ([], [])
    assert re.findall(r"<tr><td>(\w+)</td>", page) == ["canonicalize", "cse"]
    assert "a.mlir: pass 2, cse" in page
    assert "it is too large" in page
    assert '<td class="is">  func.return</td>' in page


@pytest.mark.usefixtures("at_root")
def test_validate_writes_the_page(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    dump = ["--dump", "testdata/diff/smoothed_passes.log", "--no-cache", "-j", "1"]
    result = CliRunner().invoke(volcli, ["validate", BEFORE, *dump, "--format", f"html:{target}"])
    assert result.exit_code == 0
    assert "lower-affine" in target.read_text()
