"""What was not read or not analysed is in each summary, and fails a gate that asks for proofs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Run

HIDDEN = """func.func @f(%a: memref<10xf32>, %x: f32) {
  %c = arith.constant 12 : index
  mystery.launch %a, %x, %c twice
  return
}
"""
READ = """func.func @g(%a: memref<10xf32>, %x: f32) {
  affine.store %x, %a[3] : memref<10xf32>
  return
}
"""
PROOFS = ("--select", "V314,V315", "--fail-on", "remark")
UNREADABLE = "func.func @f( {\n}\n"
BESIDE = READ + "affine.for %i = 0 to 4 {\n}\n"
UNKNOWN = READ.replace("  return", '  "some.op"(%a) : (memref<10xf32>) -> ()\n  return')
PADDING = "".join(f"func.func @p{n}() {{\n{'  // line' + chr(10)}  return\n}}\n" for n in range(300))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("text", "code"),
    [(HIDDEN, "V306"), (UNREADABLE, "V103"), (BESIDE, "V309"), (UNKNOWN, "V301"), (HIDDEN + PADDING, "V306")],
)
def test_a_gate_for_proofs_fails_and_each_summary_counts(
    tmp_path: Path, volcli: Run, text: str, code: str
) -> None:
    (tmp_path / "a.mlir").write_text(text)
    call = ("check", "a.mlir", "--no-cache", "--via", "xdsl")
    ran = volcli(*call, *PROOFS, cwd=tmp_path)
    assert (ran.returncode, f"({code})" in ran.stdout) == (1, True)
    ran = volcli(*call, "--select", "V206", "--format", "json", cwd=tmp_path)
    data = json.loads(ran.stdout)
    assert data["files"][0]["unanalysed"] == {code: 1}
    for style in ("text", "github", "junit", "sarif"):
        said = volcli(*call, "--select", "V206", "--format", style, cwd=tmp_path).stdout
        assert "analysed" in said
        assert code in said


def test_what_is_declared_is_known(tmp_path: Path, volcli: Run) -> None:
    """Also that it ends the life of memory, in a file of which no other word says so."""
    (tmp_path / "a.mlir").write_text(
        HIDDEN.replace("  return", "  memref.store %x, %a[%c] : memref<10xf32>\n  return")
    )
    call = ("check", "a.mlir", "--no-cache", "--via", "xdsl", "--ignore", "V203", "--format", "concise")
    assert "(V306: 1)" in volcli(*call, cwd=tmp_path).stdout
    ran = volcli(*call, "--effects", "mystery.launch = reads 0", cwd=tmp_path)
    assert ran.stdout == "no findings in 1 file\n"
    ran = volcli(*call, "--effects", "mystery.launch = frees 0", cwd=tmp_path)
    assert ran.stdout.startswith(
        "a.mlir:4:3: error: V216: 'memref.store' op uses %a, which was freed before\n"
    )


def test_a_file_that_cannot_be_opened_fails_it_too(tmp_path: Path, volcli: Run) -> None:
    (tmp_path / "a.mlir").write_bytes(b"ML\xefR\x00\x01")
    ran = volcli("check", "a.mlir", "--no-cache", *PROOFS, cwd=tmp_path)
    assert (ran.returncode, "(V102)" in ran.stdout) == (1, True)


def test_what_is_read_passes_and_a_comment_may_ignore_the_rest(tmp_path: Path, volcli: Run) -> None:
    reason = "  // volcli: ignore V316 the launch is checked elsewhere\n  mystery"
    for text, is_counted in ((READ, False), (HIDDEN.replace("  mystery", reason), True)):
        (tmp_path / "a.mlir").write_text(text)
        ran = volcli("check", "a.mlir", "--no-cache", "--via", "xdsl", *PROOFS, cwd=tmp_path)
        assert (ran.returncode, "V306: 1" in ran.stdout) == (0, is_counted)
    ran = volcli("check", "a.mlir", "--no-cache", *PROOFS, "--ignore", "V316", cwd=tmp_path)
    assert ran.returncode == 0


def test_an_expectation_about_what_was_not_read_is_not_proved(tmp_path: Path, volcli: Run) -> None:
    (tmp_path / "a.mlir").write_text("// volcli: expect in-bounds\n" + HIDDEN)
    ran = volcli("check", "a.mlir", "--no-cache", "--via", "xdsl", cwd=tmp_path)
    assert (ran.returncode, "V221: 'in-bounds' is not proved: what 'mystery.launch' op" in ran.stdout) == (
        1,
        True,
    )


def test_shards_put_together_count_it(tmp_path: Path, volcli: Run) -> None:
    (tmp_path / "a.mlir").write_text(HIDDEN)
    (tmp_path / "b.mlir").write_text(READ)
    for number in "12":
        call = ("check", "a.mlir", "b.mlir", "--no-cache", "--via", "xdsl", "--shard", f"{number}/2")
        assert volcli(*call, "--format", f"json:{number}.json", cwd=tmp_path).returncode == 0
    ran = volcli("merge", "1.json", "2.json", cwd=tmp_path)
    assert "not read or analysed: 1 place (V306: 1)" in ran.stdout


@pytest.mark.parametrize(
    ("ignored", "policy", "message"),
    [
        (None, "", "there is no .mlir file below"),
        ("*.mlir\n", "", "a .gitignore leaves out all .mlir files below"),
        ("", 'exclude = ["*.mlir"]\n', "'exclude' leaves out all files below"),
    ],
)
def test_a_folder_without_files_is_refused(
    tmp_path: Path, volcli: Run, ignored: str | None, policy: str, message: str
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "volcli.toml").write_text(policy)
    if ignored is not None:
        (tmp_path / "src" / "a.mlir").write_text(READ)
        (tmp_path / "src" / ".gitignore").write_text(ignored)
    call = ("check", "src", "--no-cache")
    ran = volcli(*call, cwd=tmp_path)
    assert (ran.returncode, f"V017: {message} 'src'" in ran.stderr) == (2, True)
    assert volcli(*call, "--allow-empty", cwd=tmp_path).returncode == 0
    (tmp_path / "volcli.toml").write_text("allow-empty = true\n" + policy)
    assert volcli(*call, cwd=tmp_path).returncode == 0


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("comment", "meant"),
    [
        ("// volcli: expects in-bounds", "expect in-bounds"),
        ("// volcli: expcet in-bounds", "expect in-bounds"),
        ("// volcli: disable V203", "ignore V203"),
        ("// volcli: Ignore V203", "ignore V203"),
        ("// volcli: ignor-file V203", "ignore-file V203"),
        ("// volcli ignore V203", "ignore V203"),
        ("// volcli: in-bounds", "expect in-bounds"),
        ("// volcli: %a[3] in bounds", None),
        ("// volcli: access 0 reads %a[3], never", None),
        ("// volcli: in the order 1, 2", None),
        ("// volcli is fine with this", None),
    ],
)
def test_what_is_nearly_a_directive_is_told(
    tmp_path: Path, volcli: Run, comment: str, meant: str | None
) -> None:
    (tmp_path / "a.mlir").write_text(READ.replace("  affine", f"  {comment}\n  affine"))
    ran = volcli("check", "a.mlir", "--no-cache", cwd=tmp_path)
    assert (ran.returncode, "V222" in ran.stdout) == ((1, True) if meant else (0, False))
    assert meant is None or meant in ran.stdout
    left = volcli("annotate", "a.mlir", "--remove", cwd=tmp_path).stdout
    assert (comment in left) == (meant is not None or "volcli:" not in comment)
