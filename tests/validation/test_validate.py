"""`volcli validate`, with a tool that prints what each test says: no mlir-opt is needed."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.conftest import Run
from tests.validation.tools import BEFORE, RENAMED, SWAPPED, dump, printing, whole
from volcli.runtime.shipped import schema
from volcli.validation.calling import validate
from volcli.validation.comparing import ComparisonOptions, ProgramPair, compared


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "p.mlir"
    path.write_text(BEFORE)
    return path


def rows(text: str) -> list[list[str]]:
    """The cells of the table in TEXT, but for the seconds."""
    lines = [line.split() for line in text.split("\n")[2:] if line.startswith("  ")]
    return [cells[:-1] for cells in lines if len(cells) == 6 and cells[-1].replace(".", "").isdigit()]


def run(volcli: Run, program: Path, tool: str, *more: str) -> tuple[int, str]:
    words = "--pipeline", "-x", "--tool", tool, "--no-cache", "--reproducers", ""
    ran = volcli("validate", str(program), *words, *more)
    return ran.returncode, ran.stdout + ran.stderr


def test_each_pass_is_compared(program: Path, tmp_path: Path, volcli: Run) -> None:
    tool = printing(tmp_path, [dump("one", RENAMED), dump("two", SWAPPED)], whole(SWAPPED))
    code, said = run(volcli, program, tool)
    assert (code, rows(said)) == (1, [["one", "2", "2", "-", "-"], ["two", "1", "-", "1", "-"]])
    assert "2 passes changed something: 1 equal, 1 different" in said
    assert "  two: @f: different" in said
    assert "element [0, 1] no longer depends on %a[0, 1]" in said


def test_what_is_printed_of_one_function_replaces_it(program: Path, tmp_path: Path, volcli: Run) -> None:
    """As without --mlir-print-ir-module-scope: with aliases of its own."""
    function = SWAPPED.partition("func.func @g")[0].replace("[%j, %i]", "[%s, %i]")
    function = function.replace("%0 = ", "%s = affine.apply #map(%j)\n      %0 = ")
    text = f"#map = affine_map<(d0) -> (d0)>\n{function}"
    dumps = [
        dump("one", text, of="'func.func' operation: @f"),
        dump("two", text, of="'func.func' operation: @f"),
    ]
    code, said = run(volcli, program, printing(tmp_path, dumps))
    assert (code, rows(said)) == (1, [["one", "1", "-", "1", "-"], ["two", "1", "1", "-", "-"]])


def test_a_function_that_the_program_has_not(program: Path, tmp_path: Path, volcli: Run) -> None:
    dumps = [
        dump("one", RENAMED),
        dump("two", "func.func @h() {\n  return\n}", of="'func.func' operation: @h"),
    ]
    code, said = run(volcli, program, printing(tmp_path, dumps))
    assert (code, rows(said)) == (2, [["one", "2", "2", "-", "-"]])
    assert "the program has no function @h to be replaced" in said


@pytest.mark.parametrize(
    ("dumps", "words", "code", "expected"),
    [
        (
            [],
            "Unknown command line argument '-x'.\n",
            1,
            ["ended with exit code 1", "argument '-x'", "V020: "],
        ),
        (
            [dump("one", RENAMED)],
            "PLEASE submit a bug report\n",
            134,
            ["1 equal; prints ended with exit code 134"],
        ),
        (
            [dump("one", RENAMED), dump("two", RENAMED, failed=True)],
            "oops\n",
            1,
            ["the pass two failed", "oops"],
        ),
        ([dump("one", "module {\n  func.func @f( {\n}\n")], "", 0, ["V103", "1 unknown"]),
    ],
    ids=["refused", "crashed", "failed", "illegible"],
)
def test_a_tool_that_fails(
    program: Path, tmp_path: Path, volcli: Run, dumps: list[str], words: str, code: int, expected: list[str]
) -> None:
    """Its own words are told, and all that was compared before."""
    found, said = run(volcli, program, printing(tmp_path, dumps, words=words, code=code))
    assert found == (2 if code else 0)
    assert [each for each in expected if each not in said] == []


def test_a_tool_that_is_absent(program: Path, volcli: Run) -> None:
    code, said = run(volcli, program, "nowhere-opt")
    assert (code, "V008: no 'nowhere-opt' on PATH" in said) == (2, True)


def test_other_dialects_end_it(program: Path, tmp_path: Path, volcli: Run) -> None:
    foreign = "module {\n  llvm.func @f() {\n    llvm.return\n  }\n}"
    code, said = run(
        volcli, program, printing(tmp_path, [dump("one", RENAMED), dump("two", foreign)], foreign)
    )
    assert (code, len(rows(said))) == (0, 1)
    assert "two makes llvm.func: from there on nothing is compared" in said


def test_what_a_tool_does_after_its_last_dump_is_a_step(program: Path, tmp_path: Path, volcli: Run) -> None:
    code, said = run(volcli, program, printing(tmp_path, [dump("one", RENAMED)], whole(SWAPPED)))
    assert (code, rows(said)[1]) == (1, ["output", "1", "-", "1", "-"])


def test_first_against_last(program: Path, tmp_path: Path, volcli: Run) -> None:
    """Two wrong passes may be right together."""
    tool = printing(tmp_path, [dump("one", SWAPPED), dump("two", RENAMED)])
    code, said = run(volcli, program, tool, "--every-pair")
    assert (code, [cells[3] for cells in rows(said)]) == (1, ["1", "1"])
    assert re.search(r"all passes +2 +2 +- +- ", said)


def test_a_function_is_compared_where_what_it_calls_has_changed(tmp_path: Path, volcli: Run) -> None:
    text = (
        "func.func private @h(%m: memref<2xf32>) -> f32 {\n  %c0 = arith.constant 0 : index\n"
        "  %x = memref.load %m[%c0] : memref<2xf32>\n  return %x : f32\n}\n"
        "func.func @f(%m: memref<2xf32>) -> f32 {\n"
        "  %x = call @h(%m) : (memref<2xf32>) -> f32\n  return %x : f32\n}\n"
        "func.func @g() {\n  return\n}\n"
    )
    (tmp_path / "k.mlir").write_text(whole(text))
    _, said = run(
        volcli,
        tmp_path / "k.mlir",
        printing(tmp_path, [dump("one", text.replace("constant 0", "constant 1"))]),
    )
    assert rows(said) == [["one", "2", "-", "2", "-"]]


def test_what_is_only_declared_is_compared_where_it_is_called() -> None:
    before = """func.func private @fill(memref<4xf32>)
func.func @f(%a: memref<4xf32>) {
  call @fill(%a) : (memref<4xf32>) -> ()
  return
}
"""
    pair = ProgramPair(before, before.replace("%a", "%b"), ("before", "after"), "fill", ComparisonOptions())
    assert compared(pair).functions == ()
    assert [each.verdict for each in compared(replace(pair, function="f")).functions] == ["equal"]
    broken = replace(pair, before=f"{before}func.func @g() {{ foo }}", function="g", after=before)
    assert [each.verdict for each in compared(broken).functions] == ["unknown"]


def test_unknown_operations_that_stay_are_equal(tmp_path: Path, volcli: Run) -> None:
    text = (
        "#map = affine_map<(d0) -> (d0)>\n"
        'func.func @f(%a: memref<4xf32>) {\n  "foo.bar"(%a) {m = #map} : (memref<4xf32>) -> ()\n  return\n}\n'
    )
    (tmp_path / "u.mlir").write_text(text)
    same, other = text.replace("%a", "%arg0"), text.replace("(d0)>", "(d0 + 1)>")
    _, said = run(volcli, tmp_path / "u.mlir", printing(tmp_path, [dump("one", same), dump("two", other)]))
    assert [cells[2] for cells in rows(said)] == ["1", "-"]


def test_levels(tmp_path: Path, volcli: Run) -> None:
    """Operations are compared; a level that says less, or sums in another order, have to be asked for."""
    text = "func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {\n  BODY\n  return %r : f32\n}\n"
    sums = [
        text.replace("BODY", f"%s = arith.addf {one} : f32\n  %r = arith.addf %s, {two} : f32")
        for one, two in (("%x, %y", "%z"), ("%z, %y", "%x"))
    ]
    (tmp_path / "s.mlir").write_text(sums[0])
    tool = printing(tmp_path, [dump("one", sums[1]), dump("two", sums[1].replace("addf", "subf"))])
    columns = {
        more: [cells[2] for cells in rows(run(volcli, tmp_path / "s.mlir", tool, *more)[1])]
        for more in ((), ("--reassociate",), ("--compare", "sources"))
    }
    assert list(columns.values()) == [["-", "-"], ["1", "-"], ["1", "1"]]


def test_a_log_and_a_folder(program: Path, tmp_path: Path, volcli: Run) -> None:
    """Nothing is run; before-dumps are passed over, and the files of a folder are in the order of the passes."""
    log = tmp_path / "log.txt"
    log.write_text(
        dump("one", BEFORE).replace("After", "Before") + dump("one", RENAMED) + dump("two", SWAPPED)
    )
    tree = tmp_path / "tree" / "builtin_module_no-symbol-name"
    (tree / "func_func_f").mkdir(parents=True)
    (tree / "10_two.mlir").write_text(dump("two", SWAPPED))
    (tree / "func_func_f" / "2_0_one.mlir").write_text(dump("one", RENAMED))
    for place in (log, tmp_path / "tree"):
        ran = volcli("validate", str(program), "--dump", str(place), "--no-cache")
        assert (ran.returncode, [cells[0] for cells in rows(ran.stdout)]) == (1, ["one", "two"])
    ran = volcli("validate", str(program), "--dump", str(program), "--no-cache")
    assert (ran.returncode, "there is no dump after a pass in it" in ran.stdout) == (2, True)


def test_formats(program: Path, tmp_path: Path, volcli: Run) -> None:
    tool = printing(tmp_path, [dump("one", RENAMED), dump("two", SWAPPED)], code=3)
    named = [f"--format={style}:{tmp_path / style}" for style in ("json", "sarif", "junit", "github")]
    assert run(volcli, program, tool, *named)[0] == 2
    data = json.loads((tmp_path / "json").read_text())
    jsonschema.validate(data, json.loads(schema("validation")))
    (pipeline,) = data["pipelines"]
    assert [each["verdict"] for each in pipeline["steps"]] == ["equal", "different"]
    results = json.loads((tmp_path / "sarif").read_text())["runs"][0]["results"]
    assert [each["ruleId"] for each in results] == ["V241", "V020"]
    suite = ElementTree.fromstring((tmp_path / "junit").read_text())
    assert (suite[0].get("failures"), suite[0].get("errors")) == ("1", "1")
    assert (tmp_path / "github").read_text().count("::error") == 2


def test_what_is_known_is_not_compared_again(program: Path, tmp_path: Path, volcli: Run) -> None:
    tool = printing(tmp_path, [dump("one", RENAMED), dump("two", SWAPPED)])
    words = "--pipeline", "-x", "--tool", tool, "--cache-dir", str(tmp_path / "cache"), "--reproducers", ""
    first, second = (volcli("validate", str(program), *words, "-j1").stdout for _ in range(2))
    assert rows(first) == rows(second)
    assert all(line.endswith(" 0.00") for line in second.split("\n")[2:4])
    assert (tmp_path / "cache" / ".gitignore").exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--dump", "x", "--pipeline", "-x"],
        ["--pipeline", "-x", "--", "tool", "-y"],
        ["--pipeline", "-x", "--format", "xml"],
        ["--pipeline", "-x'"],
    ],
)
def test_calls_that_make_no_sense(program: Path, volcli: Run, words: list[str]) -> None:
    ran = volcli("validate", str(program), *words)
    assert (ran.returncode, "V007" in ran.stderr) == (2, True)


def test_commands_name_files_that_can_be_executed(tmp_path: Path, volcli: Run) -> None:
    """Of the programs between passes, too: they are written beside the reproducer."""
    text = "func.func @f(%x: i32, %y: i32) -> i32 {\n  %r = arith.addi %x, %y : i32\n  return %r : i32\n}\n"
    program = tmp_path / "a b.mlir"
    program.write_text(text)
    tool = printing(
        tmp_path, [dump("one", text.replace("%r", "%s")), dump("two", text.replace("addi", "subi"))]
    )
    folder = str(tmp_path / "found")
    code, said = run(volcli, program, tool, "--reproducers", folder)
    commands = [shlex.split(line) for line in said.splitlines() if line.startswith("      volcli run ")]
    ran = [volcli(*words[1:]) for words in commands]
    assert (code, [each.returncode for each in ran], [each.stderr for each in ran]) == (1, [0, 0], ["", ""])
    assert ran[0].stdout != ran[1].stdout


@pytest.mark.parametrize("text", ["", "\n  \n", "// only a comment\n"])
def test_a_file_without_operations_is_not_equal(tmp_path: Path, volcli: Run, text: str) -> None:
    (tmp_path / "empty.mlir").write_text(text)
    code, said = run(volcli, tmp_path / "empty.mlir", printing(tmp_path, [], text))
    assert (code, "empty.mlir:1:1: error: V107: there is no operation" in said) == (2, True)


def test_a_pipeline_that_is_not_options_of_the_tool(program: Path, volcli: Run) -> None:
    ran = volcli("validate", str(program), "--pipeline", "canonicalize,cse")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "V007: --pipeline: 'canonicalize,cse' is not an option of the tool" in ran.stderr
    assert "--pass-pipeline 'builtin.module(canonicalize,cse)'" in ran.stderr


def test_passes_are_words_or_one_text(program: Path, tmp_path: Path) -> None:
    tool = printing(tmp_path, [dump("one", RENAMED)])
    found = [validate(program, passes, tool=tool).command for passes in ("-x -y", ["-x", "-y"])]
    assert found == ["prints -x -y", "prints -x -y"]
