"""`volcli check --fix`, `--fix-diff` and `--unsafe-fixes`: which files are written, what is said, and the exit code."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import Run
from tests.gate.fixes.programs import WRITTEN
from volcli.runtime.shipped import schema

STORE = WRITTEN[0]
DOUBTFUL = """func.func @g(%x: f32, %i: index) {
  %a = memref.alloc() : memref<9xf32>
  memref.store %x, %a[%i] : memref<9xf32>
  memref.dealloc %a : memref<9xf32>
  return
}
"""
LOSING = """func.func @h(%m: memref<9xf32>, %x: f32) {
  affine.store %x, // the value
     %m[3] : memref<9xf32>
  affine.store %x, %m[3] : memref<9xf32>
  return
}
"""
OUTSIDE = """func.func @f(%m: memref<9xf32>) -> f32 {
  %c9 = arith.constant 9 : index
  %v = memref.load %m[%c9] : memref<9xf32>
  return %v : f32
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one file that can be fixed."""
    monkeypatch.chdir(tmp_path)
    Path("a.mlir").write_text(STORE.before)
    return tmp_path


@pytest.fixture
def check(folder: Path, volcli: Run) -> Run:
    """`volcli check` in this folder, without a cache."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return volcli("check", "--no-cache", *arguments, cwd=folder)

    return run


def test_files_are_fixed_and_what_remains_decides_the_exit_code(folder: Path, check: Run) -> None:
    Path("b.mlir").write_text(OUTSIDE)
    before = check()
    assert "  fix: remove the store (--fix)\n" in before.stdout
    ran = check("--fix")
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "fixed 1 finding in 1 file (V206: 1)\n1 error in 1 of 2 files (V203: 1)\n" in ran.stdout
    assert (Path("a.mlir").read_text(), Path("b.mlir").read_text()) == (STORE.after, OUTSIDE)
    again = check("a.mlir", "--fix")
    assert (again.returncode, again.stdout) == (0, "fixed 0 findings\nno findings in 1 file\n")


def test_a_diff_writes_nothing(folder: Path, check: Run) -> None:
    ran = check("--fix-diff")
    assert ran.returncode == 1
    assert ran.stdout.startswith("--- a.mlir\n+++ a.mlir\n@@ -1,6 +1,5 @@\n")
    assert "-    affine.store %x, %m[%i] : memref<9xf32>\n" in ran.stdout
    assert ran.stderr == "would fix 1 finding in 1 file (V206: 1)\n"
    assert Path("a.mlir").read_text() == STORE.before
    Path("a.mlir").write_text(STORE.after)
    nothing = check("--fix-diff")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (0, "", "would fix 0 findings\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (DOUBTFUL, "errors that may have happened no longer happen"),
        (LOSING, "comments in the code that is removed are lost"),
    ],
)
def test_unsafe_fixes_have_to_be_asked_for(folder: Path, check: Run, text: str, why: str) -> None:
    Path("a.mlir").write_text(text)
    ran = check("--fix")
    assert f"  not fixed: {why} (--unsafe-fixes)\n" in ran.stdout
    assert "fixed 0 findings\nnot fixed without --unsafe-fixes: 1 finding\n" in ran.stdout
    assert (ran.returncode, Path("a.mlir").read_text()) == (1, text)
    unsafe = check("--fix", "--unsafe-fixes")
    assert (unsafe.returncode, unsafe.stdout.splitlines()[0]) == (0, "fixed 1 finding in 1 file (V206: 1)")
    assert Path("a.mlir").read_text().count("store") == text.count("store") - 1


def test_an_edit_that_is_not_proved_is_not_written(
    folder: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proposal that removes the store which is alive is refused, and so is one that cannot be read."""
    from volcli.gate.findings.fix import Edit, Fix
    from volcli.gate.fixes import proposals

    for edit in (Edit(4, 1, 5, 1), Edit(3, 1, 3, 20)):

        def wrong(*_: object, edit: Edit = edit) -> Fix:
            return Fix("wrong", (edit,))

        with monkeypatch.context() as patch:
            patch.setattr(proposals, "_of", wrong)
            ran = check("--fix", "--unsafe-fixes")
        assert "not fixed: " in ran.stdout
        assert "not fixed for lack of a proof: 1 finding\n" in ran.stdout
        assert (ran.returncode, Path("a.mlir").read_text()) == (1, STORE.before)


def test_a_comparison_that_fails_proves_nothing(
    folder: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexError("out of order")

    monkeypatch.setattr("volcli.gate.fixes.proving._compared", fail)
    ran = check("--fix", "--unsafe-fixes")
    assert "  not fixed: internal error in the comparison (IndexError: out of order)\n" in ran.stdout
    assert (ran.returncode, Path("a.mlir").read_text()) == (1, STORE.before)


def test_a_file_with_two_names_is_fixed_once(folder: Path, check: Run) -> None:
    Path("b.mlir").symlink_to("a.mlir")
    ran = check("--fix")
    assert (ran.returncode, ran.stderr, Path("a.mlir").read_text()) == (0, "", STORE.after)
    assert Path("b.mlir").is_symlink()


def test_a_file_that_changed_meanwhile_is_left_as_it_is(
    folder: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from volcli.gate.work import fixed

    proved = fixed.proved

    def changing(*arguments: object) -> object:
        Path("a.mlir").write_text(OUTSIDE)
        return proved(*arguments)  # pyright: ignore[reportArgumentType]

    Path("b.mlir").write_text(STORE.before)
    monkeypatch.setattr(fixed, "proved", changing)
    ran = check("--fix")
    assert "V006: 'a.mlir' has changed meanwhile: it is left as it is, without its fixes" in ran.stderr
    assert "fixed 1 finding in 1 file (V206: 1)\n" in ran.stdout
    assert ran.returncode == 2
    assert (Path("a.mlir").read_text(), Path("b.mlir").read_text()) == (OUTSIDE, STORE.after)


def test_a_file_that_cannot_be_written_is_named(
    folder: Path, check: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    ran = check("--fix")
    assert "V006: cannot write 'a.mlir': No space left on device" in ran.stderr
    assert (ran.returncode, Path("a.mlir").read_text()) == (2, STORE.before)
    assert [each.name for each in folder.iterdir()] == ["a.mlir"]


def test_known_findings_are_left_alone(folder: Path, check: Run) -> None:
    Path("a.mlir").write_text(f"{STORE.before}func.func @old() {{\n  return\n}}\n")
    baseline = ("--baseline", "known.json")
    check(*baseline, "--update-baseline")
    both = f"{STORE.before.replace('@f', '@new').replace('%x, %m', '%y, %m')}{Path('a.mlir').read_text()}"
    Path("a.mlir").write_text(both)
    ran = check(*baseline, "--fix")
    assert "fixed 1 finding in 1 file (V206: 1)\n" in ran.stdout
    assert Path("a.mlir").read_text().endswith(f"{STORE.before}func.func @old() {{\n  return\n}}\n")
    assert Path("a.mlir").read_text().count("affine.store") == both.count("affine.store") - 1


def test_programs_that_read_reports_get_the_edits(folder: Path, check: Run) -> None:
    from fluidattacks_core.sarif import SarifLog  # takes a third of a second, which few tests need

    ran = check("--format", "json", "--format", "sarif:out.sarif", "a.mlir")
    report = json.loads(ran.stdout)
    jsonschema.validate(report, json.loads(schema("findings")))
    (finding,) = report["files"][0]["findings"]
    edit = {"line": 3, "column": 1, "end_line": 4, "end_column": 1, "text": ""}
    assert finding["fix"] == {"title": "remove the store", "edits": [edit], "loses": False}
    log = json.loads(Path("out.sarif").read_text())
    SarifLog.model_validate(log)
    (result,) = log["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    region = {"startLine": 3, "startColumn": 1, "endLine": 4, "endColumn": 1}
    assert change == {"artifactLocation": {"uri": "a.mlir"}, "replacements": [{"deletedRegion": region}]}
    report = json.loads(check("--format", "json", "--fix", "a.mlir").stdout)
    jsonschema.validate(report, json.loads(schema("findings")))
    assert [(each["file"], each["code"]) for each in report["fixes"]] == [("a.mlir", "V206")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-", "--fix"), "--fix: standard input is not a file that could be edited"),
        (("-", "--fix-diff"), "--fix-diff: standard input is not a file that could be edited"),
        (("--fix", "--fix-diff"), "--fix writes files, and --fix-diff writes none"),
        (("--unsafe-fixes",), "--unsafe-fixes needs --fix or --fix-diff"),
        (("--fix-diff", "--format", "json"), "--fix-diff prints a diff and no findings"),
        (("--fix", "--baseline", "x", "--update-baseline"), "--fix with --update-baseline"),
    ],
)
def test_what_does_not_go_together_is_refused(
    folder: Path, check: Run, arguments: tuple[str, ...], said: str
) -> None:
    ran = check(*arguments)
    assert f"error: V007: {said}" in ran.stderr
    assert (ran.returncode, Path("a.mlir").read_text()) == (2, STORE.before)


@pytest.mark.mlir
def test_what_is_read_through_mlir_opt_has_no_fix(folder: Path, check: Run) -> None:
    ran = check("--via", "mlir-opt", "--fix")
    assert "V206" in ran.stdout
    assert "fix: " not in ran.stdout
    assert (ran.returncode, Path("a.mlir").read_text()) == (1, STORE.before)


@pytest.mark.parametrize("unreadable", [False, True])
def test_a_region_whose_names_are_used_again_is_not_written(
    folder: Path, check: Run, unreadable: bool
) -> None:
    """In the place of the condition, %v would be defined again by the loop."""
    other = "v" if unreadable else "w"
    Path("a.mlir").write_text(f"""func.func @f(%m: memref<9xf32>, %x: f32) {{
  %false = arith.constant false
  scf.if %false {{
    affine.store %x, %m[0] : memref<9xf32>
  }} else {{
    %v = affine.load %m[1] : memref<9xf32>
    affine.store %v, %m[2] : memref<9xf32>
  }}
  affine.for %i = 0 to 9 {{
    %{other} = affine.load %m[%i] : memref<9xf32>
    affine.store %{other}, %m[%i] : memref<9xf32>
  }}
  return
}}
""")
    ran = check("--fix")
    said = "  not fixed: the edited text cannot be read: redefinition of SSA value '%v'\n"
    assert (ran.returncode, said in ran.stdout, "scf.if" in Path("a.mlir").read_text()) == (unreadable,) * 3


def test_an_operation_with_a_comment_to_volcli_has_no_fix(folder: Path, check: Run) -> None:
    text = STORE.before.replace("    affine.store %x", "    // volcli: expect in-bounds\n    affine.store %x")
    Path("a.mlir").write_text(text)
    ran = check("--fix")
    assert (ran.returncode, Path("a.mlir").read_text()) == (1, text)
