"""Baselines: what is new, changed and lost is told; what is moved, renamed or formatted anew is not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run

PROGRAM = """func.func @outside(%m: memref<9xf32>) -> f32 {
  %v = affine.load %m[9] : memref<9xf32>
  return %v : f32
}

func.func @tiles(%t: tensor<104xf32>, %n: index) {
  %c64 = arith.constant 64 : index
  %small = arith.cmpi slt, %n, %c64 : index
  cf.assert %small, "small"
  %size = affine.max affine_map<(n) -> (n, 1)>(%n)
  affine.for %i = 0 to 104 step 16 {
    %width = affine.min affine_map<(i) -> (16, 104 - i)>(%i)
    %tile = tensor.extract_slice %t[%i] [%width] [1] : tensor<104xf32> to tensor<?xf32>
  }
  return
}

func.func @stencil(%m: memref<32x32xf32>) {
  affine.for %i = 1 to 32 {
    affine.for %j = 0 to 32 {
      %a = affine.load %m[%i - 1, %j] : memref<32x32xf32>
      affine.store %a, %m[%i, %j] : memref<32x32xf32>
    }
  }
  return
}

func.func @padded(%t: tensor<8xf32>) -> tensor<12xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %t low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<12xf32>
  return %p : tensor<12xf32>
}

func.func @by_size(%m: memref<?xf32>) {
  affine.for %i = 0 to 40 {
    %a = affine.load %m[%i] : memref<?xf32>
    affine.store %a, %m[%i] : memref<?xf32>
  }
  return
}
"""

Check = Callable[..., tuple[int, list[tuple[str, str]], str]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory, volcli: Run) -> str:
    """The baseline of PROGRAM."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "a.mlir").write_text(PROGRAM)
    ran = volcli("check", "a.mlir", "--baseline", "baseline.json", "--update-baseline", "--facts", cwd=folder)
    assert ran.returncode == 0
    return (folder / "baseline.json").read_text()


@pytest.fixture
def check(tmp_path: Path, volcli: Run, written: str) -> Check:
    """Check another text than PROGRAM, with its baseline: the exit code, codes with functions, and what is said."""
    (tmp_path / "a.mlir").write_text(PROGRAM)
    baseline = str(tmp_path / "baseline.json")
    Path(baseline).write_text(written)

    def run(text: str, name: str = "a.mlir") -> tuple[int, list[tuple[str, str]], str]:
        (tmp_path / "a.mlir").unlink(missing_ok=True)
        (tmp_path / name).write_text(text)
        report = str(tmp_path / "report.json")
        ran = volcli(
            "check",
            str(tmp_path / name),
            "--baseline",
            baseline,
            "--format",
            f"json:{report}",
            "--format",
            "text",
        )
        found = json.loads(Path(report).read_text())["files"][0]["findings"]
        return ran.returncode, [(each["code"], each["function"]) for each in found], ran.stdout

    return run


def renamed(text: str) -> str:
    """TEXT with other names of values and functions, comments, and lines moved."""
    text = re.sub(r"%(?!c64\b|bb0)([a-z]\w*)", r"%other_\1", text)
    text = re.sub(r"@(\w+)", r"@new_\1", text)
    return "// A comment.\n\n" + text.replace("\n  ", "\n\n      ")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "change", [lambda text: text, renamed, lambda text: "\n".join(reversed(re.split(r"\n(?=func)", text)))]
)
def test_nothing_is_told_of_what_is_moved_or_renamed(check: Check, change: Callable[[str], str]) -> None:
    code, found, said = check(change(PROGRAM))
    assert (code, found) == (0, [])
    assert "since the baseline: 0 new, 0 changed; 1 known" in said


def test_a_file_may_be_renamed(check: Check) -> None:
    assert check(PROGRAM, "b.mlir")[:2] == (0, [])


@pytest.mark.sample(4)
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        # a second access that is out of bounds, and one that is so by more
        ("return %v : f32", "%w = affine.load %m[10] : memref<9xf32>\n  return %v : f32", [("V203", "outside")]),
        ("%m[9]", "%m[10]", [("V203", "outside")]),
        # a slice that is too wide
        ("(16, 104 - i)", "(16, 105 - i)", [("V203", "tiles")]),
        # an assertion that says less
        ("arith.constant 64", "arith.constant 65", [("V230", "tiles")]),
        # a loop that was parallel
        ("%a, %m[%i, %j]", "%a, %m[%i, 0]", [("V232", "stencil")]),
        # an index that nobody knows
        (
            "%a = affine.load %m[%i - 1, %j]",
            "%k = \"some.index\"() : () -> index\n      %a = memref.load %m[%k, %j]",
            [("V231", "stencil")],
        ),
        # padding that is no zero
        ("arith.constant 0.0", "arith.constant 1.0", [("V233", "padded")]),
        # arguments that have to be larger
        ("0 to 40", "0 to 41", [("V234", "by_size")]),
        # elements that are not written any more: the last one, half of them, and all
        ("0 to 40", "0 to 39", [("V235", "by_size")]),
        ("    affine.for %j = 0 to 32 {", "    affine.for %j = 0 to 16 {", [("V235", "stencil")]),
        ("affine.store %a, %m[%i] : memref<?xf32>", "", [("V235", "by_size")]),
        ("affine.store %a, %m[%i]", "affine.store %a, %m[0]", [("V232", "by_size")]),
    ],
)  # fmt: skip
def test_what_is_worse_is_told(check: Check, old: str, new: str, found: list[tuple[str, str]]) -> None:
    assert old in PROGRAM
    code, told, said = check(PROGRAM.replace(old, new))
    assert (code, sorted(told)) == (1, found), said


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("arith.constant 64", "arith.constant 63"),
        ("low[2] high[2]", "low[3] high[1]"),
    ],
)
def test_what_is_better_is_not(check: Check, old: str, new: str) -> None:
    assert old in PROGRAM
    assert check(PROGRAM.replace(old, new))[:2] == (0, [])


CALLS = """func.func private @first(%m: memref<8xf32>, %i: index) -> f32 {
  %x = func.call @second(%m, %i) : (memref<8xf32>, index) -> f32
  return %x : f32
}
func.func private @second(%m: memref<8xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<8xf32>
  return %x : f32
}
func.func @main(%m: memref<8xf32>) -> f32 {
  %c = arith.constant 7 : index
  %x = call @first(%m, %c) : (memref<8xf32>, index) -> f32
  return %x : f32
}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("constant 7", "constant 8", ("V208", "main")),
        # What a private function does itself is no call's fault.
        (
            "%x = memref.load %m[%i]",
            '%k = "some.index"() : () -> index\n  %x = memref.load %m[%k]',
            ("V231", "second"),
        ),
    ],
)
def test_a_call_is_told_and_not_what_it_costs_the_functions_that_it_calls(
    tmp_path: Path, volcli: Run, old: str, new: str, found: tuple[str, str]
) -> None:
    assert old in CALLS
    (tmp_path / "a.mlir").write_text(CALLS)
    command = ("check", "a.mlir", "--no-cache", "--baseline", "b.json")
    assert volcli(*command, "--update-baseline", "--facts", cwd=tmp_path).returncode == 0
    (tmp_path / "a.mlir").write_text(CALLS.replace(old, new))
    ran = volcli(*command, "--format", "json", cwd=tmp_path)
    told = [(each["code"], each["function"]) for each in json.loads(ran.stdout)["files"][0]["findings"]]
    assert told == [found]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "comment", ["", "// volcli: ignore V231 nobody knows %k", "// volcli: ignore-file V2"]
)
def test_a_comment_ignores_what_is_lost(tmp_path: Path, volcli: Run, comment: str) -> None:
    (tmp_path / "a.mlir").write_text(CALLS)
    command = ("check", "a.mlir", "--no-cache", "--baseline", "b.json")
    assert volcli(*command, "--update-baseline", "--facts", cwd=tmp_path).returncode == 0
    load = "%x = memref.load %m[%i]"
    lost = f'%k = "some.index"() : () -> index\n  {comment}\n  {load.replace("%i", "%k")}'
    (tmp_path / "a.mlir").write_text(CALLS.replace(load, lost))
    ran = volcli(*command, cwd=tmp_path)
    assert (ran.stdout.count("V231: read"), ran.stdout.count("V223")) == (not comment, 0)


def test_what_is_fixed_is_counted(check: Check) -> None:
    code, found, said = check(PROGRAM.replace("%m[9]", "%m[8]"))
    assert (code, found) == (0, [])
    assert "0 known, 1 fixed" in said


def test_the_file_has_a_line_for_each_entry_and_none_of_the_program(tmp_path: Path, volcli: Run) -> None:
    (tmp_path / "a.mlir").write_text(PROGRAM)
    baseline = tmp_path / "baseline.json"
    arguments = ("--baseline", str(baseline), "--update-baseline", "--facts")
    volcli("check", str(tmp_path), *arguments)
    first = baseline.read_text()
    data = json.loads(first)
    assert first.count("\n") == sum(len(data[name]) for name in ("findings", "functions", "facts")) + 9
    assert first.splitlines()[3:] != []
    (tmp_path / "a.mlir").write_text("\n\n" + PROGRAM)
    volcli("check", str(tmp_path), *arguments)
    assert baseline.read_text() == first
    # Other files keep their entries, until they are no more.
    (tmp_path / "b.mlir").write_text(PROGRAM)
    volcli("check", str(tmp_path / "b.mlir"), *arguments)
    assert {each["file"] for each in json.loads(baseline.read_text())["facts"]} == {"a.mlir", "b.mlir"}
    (tmp_path / "b.mlir").unlink()
    volcli("check", str(tmp_path / "a.mlir"), *arguments)
    assert baseline.read_text() == first


KNOWN = """{"schema": 1, "findings": [], "facts": [{"file": "a.mlir", "question": %s, "function": "f",
"subject": "%%%%n", "number": 0, "content": "", "answer": %%s}]}"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ('{"schema": 2}', "of schema 2"),
        ('{"schema": 1, "findings": [{}], "facts": []}', "no 'file'"),
        ('{"schema": 1, "findings": 3, "facts": []}', "is not a baseline"),
        *(
            (KNOWN % f'"{question}"' % answer, "entry 1, of 'a.mlir', is not one of volcli's")
            for question, answer in [
                ("bounds", '{"lower": "x", "upper": []}'),
                ("bounds", '{"lower": 1}'),
                ("access", '{"verdict": 7}'),
                ("loops", '{"kind": {}}'),
                ("zeros", '{"zeros": true}'),
                ("preconditions", '{"condition": null}'),
                ("written", '{"elements": "{ [d0 : garbage"}'),
                ("colour", '{"is": "red"}'),
            ]
        ),
    ],
)
def test_a_baseline_that_is_none(tmp_path: Path, volcli: Run, text: str, said: str) -> None:
    (tmp_path / "a.mlir").write_text(PROGRAM)
    (tmp_path / "baseline.json").write_text(text)
    ran = volcli("check", str(tmp_path / "a.mlir"), "--baseline", str(tmp_path / "baseline.json"))
    assert ran.returncode == 2
    assert "V014" in ran.stderr
    assert said in ran.stderr


STORED = """func.func @first(%x: f32) -> f32 {
  %a = memref.alloc() : memref<6xf32>
  affine.for %i = 0 to 5 {
    affine.store %x, %a[%i] : memref<6xf32>
  }
  %r = affine.for %i = 0 to 6 iter_args(%s = %x) -> f32 {
    %v = affine.load %a[%i] : memref<6xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  return %r : f32
}
"""
SECOND = """func.func @second(%m: memref<8xf32>) -> f32 {
  %v = affine.load %m[7] : memref<8xf32>
  return %v : f32
}
"""


def since(folder: Path, volcli: Run, before: dict[str, str], after: dict[str, str]) -> list[tuple[str, ...]]:
    """State, code, function and what was before of each finding in AFTER, with the baseline of BEFORE."""
    command = ("check", str(folder / "src"), "--no-cache", "--baseline", str(folder / "b.json"))
    for texts, more in ((before, ("--update-baseline",)), (after, ("--format", "json"))):
        (folder / "src").mkdir(exist_ok=True)
        for old in (folder / "src").iterdir():
            old.unlink()
        for name, text in texts.items():
            (folder / "src" / name).write_text(text)
        ran = volcli(*command, *more)
    found = [each for file in json.loads(ran.stdout)["files"] for each in file["findings"]]
    return [(each["state"], each["code"], each["function"], each["before"]) for each in found]


def test_a_known_finding_that_grows_is_told(tmp_path: Path, volcli: Run) -> None:
    """The operation and its operands are what they were; what it reads is more."""
    grown = STORED.replace("0 to 5", "0 to 2")
    ((state, code, function, said),) = since(tmp_path, volcli, {"a.mlir": STORED}, {"a.mlir": grown})
    assert (state, code, function) == ("changed", "V205", "first")
    assert said.endswith("elements { [d0 = 5] }")
    other_names = STORED.replace("%a", "%buffer").replace("@first", "@other").replace("%i", "%k")
    assert since(tmp_path, volcli, {"a.mlir": STORED}, {"a.mlir": "\n\n" + other_names}) == []


@pytest.mark.slow
def test_a_known_finding_that_moves_is_told(tmp_path: Path, volcli: Run) -> None:
    """To another file, or to another function of its file; not where a file or a function has a new name."""
    wrong, right = SECOND.replace("[7]", "[8]"), SECOND.replace("second", "third")
    before = {"a.mlir": wrong, "b.mlir": right}
    exchanged = {"a.mlir": SECOND, "b.mlir": right.replace("[7]", "[8]")}
    ((state, code, function, said),) = since(tmp_path, volcli, before, exchanged)
    assert (state, code, function) == ("changed", "V203", "third")
    assert said.startswith("in @second of ")
    ((state, _, function, said),) = since(
        tmp_path, volcli, {"a.mlir": wrong + right}, {"a.mlir": SECOND + right.replace("[7]", "[8]")}
    )
    assert (state, function) == ("changed", "third")
    assert said.startswith("in @second: ")
    assert since(tmp_path, volcli, before, {"c.mlir": wrong, "b.mlir": right}) == []
    assert (
        since(tmp_path, volcli, before, {"a.mlir": wrong.replace("second", "fourth"), "b.mlir": right}) == []
    )


def test_a_baseline_has_facts_only_if_they_are_asked_for(tmp_path: Path, volcli: Run) -> None:
    """It keeps them then. Without, it costs what a check costs, and what is lost is not told."""
    (tmp_path / "a.mlir").write_text(SECOND)
    command = ("check", "a.mlir", "--no-cache", "--baseline", "b.json")
    for more, has_facts in (((), False), (("--facts",), True), ((), True)):
        assert volcli(*command, "--update-baseline", *more, cwd=tmp_path).returncode == 0
        assert ("facts" in json.loads((tmp_path / "b.json").read_text())) == has_facts
    refused = volcli(*command, "--facts", cwd=tmp_path)
    assert (refused.returncode, "--facts needs --update-baseline" in refused.stderr) == (2, True)
