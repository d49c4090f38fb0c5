"""The command, with the real driver."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from volcli.diagnostics import CODES, internal
from volcli.runtime.shipped import finding_example

from .conftest import Shell

PROGRAM = """func.func @rows(%m: memref<10x10xf32>, %other: memref<4xf32>, %c: f32) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      affine.store %c, %m[%i, %j] : memref<10x10xf32>
      %x = affine.load %m[%i - 2, %j] : memref<10x10xf32>
      %y = affine.load %other[0] : memref<4xf32>
    }
  }
  return
}
func.func @line(%m: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %x = affine.load %m[%i - 2] : memref<?xf32>   affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
func.func @by_data(%m: memref<?xf32>, %at: memref<?xindex>, %c: f32) {
  affine.for %i = 0 to 9 {
    %k = memref.load %at[%i] : memref<?xindex>
    memref.store %c, %m[%k] : memref<?xf32>
  }
  return
}
"""
STORE, LOAD, OTHER, LINE, BY_DATA = 4, 5, 6, 13, 20
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.mlir"
    path.write_text(PROGRAM)
    return str(path)


def test_the_tableaus_of_a_pair(file: str, shell: Shell) -> None:
    ran = shell("explain", file, "--at", f"{STORE},{LOAD}")
    assert (ran.exit_code, ran.stderr) == (0, "")
    text = ran.stdout
    answers = """
source  4: affine.store %m[%i, %j], in the loops %i, %j
sink    5: affine.load %m[%i - 2, %j], in the loops %i', %j'

depth 1: RAW, distance (2, 0)
  for example (%i = 0, %j = 0) and then (%i = 2, %j = 0) access %m[0, 0]
depth 2: independent
depth 3: independent

Access relations
"""
    assert text.startswith(f"{file}\n{answers}")
    polyhedron = """Dependence polyhedron:
Domain: 0, Range: 2, Symbols: 0, Locals: 0
2 constraints
(None None const)
1 0 -2 = 0
0 1 0 = 0
  { [d1, d2] : d1 = 2 and d2 = 0 }
"""
    assert polyhedron in text
    parts = (
        "srcRel\n",
        "dstRel\n",
        "srcDomain\n",
        "dstDomain\n",
        "dstRel.inverse()\n",
        "dstRel.compose(srcRel)\n",
    )
    assert all(part in text for part in parts)
    assert "\x1b" not in text


def test_one_line_lists_all_pairs(file: str, shell: Shell) -> None:
    ran = shell("explain", file, "--at", str(STORE))
    assert ran.exit_code == 0
    assert (
        "--at 4,5  affine.store %m[%i, %j] -> affine.load %m[%i - 2, %j]\n  depth 1: RAW, distance (2, 0)"
        in ran.stdout
    )
    assert "--at 4,4  " in ran.stdout
    assert "affine.load %other" not in ran.stdout


def test_of_a_place_all_is_told_that_is_known_there(file: str, shell: Shell) -> None:
    by_name, by_option = shell("explain", f"{file}:{LOAD}"), shell("explain", file, "--at", str(LOAD))
    assert by_name.stdout == by_option.stdout
    # What is found elsewhere is not told, nor is it a failure.
    assert (by_name.exit_code, by_name.stderr) == (0, "")
    said = by_name.stdout.split("\n")
    assert said[0] == f"{file}:5:12: affine.load, in @rows"
    assert said[3].startswith("V203: 'affine.load' op reads %m[%i - 2, %j] out of bounds: ")
    assert (
        "  by access 0, %m[%i, %j]: { [i, j] -> [i' = 2 + i, j' = j] : 0 <= i <= 6 and 0 <= j <= 8 }" in said
    )
    assert "--at 5,4  affine.load %m[%i - 2, %j] -> affine.store %m[%i, %j]" in said


@pytest.mark.parametrize(
    ("line", "known"),
    [
        (2, ["%i in [0, 8]", "%i carries RAW %m[%i, %j] -> %m[%i - 2, %j], distance (2, 0)"]),
        (3, ["%j in [0, 8]", "%j: parallel"]),
        (11, ["V204: @line needs %n <= dim(%m, 0), if %n >= 3, for 2 accesses", "shape %m: [m_d0]"]),
        (20, ["access 1 writes %m[%k]: unknown: %k is a result of memref.load", "--at 20,20  memref.store"]),
    ],
)
def test_each_kind_of_operation_is_explained(file: str, shell: Shell, line: int, known: list[str]) -> None:
    said = shell("explain", f"{file}:{line}").stdout.split("\n")
    for each in known:
        assert any(part.startswith(each) for part in said), each


def test_an_allocation_and_the_regions_of_a_tensor_inside_a_function(tmp_path: Path, shell: Shell) -> None:
    path = tmp_path / "b.mlir"
    path.write_text("""func.func @f(%t: tensor<3xf32>, %c: f32) -> tensor<5xf32> {
  %m = memref.alloc() : memref<10xf32>
  memref.dealloc %m : memref<10xf32>
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1] high[1] { ^bb0(%i: index): tensor.yield %z : f32 } : tensor<3xf32> to tensor<5xf32>
  %q = arith.addf %p, %p : tensor<5xf32>
  return %q : tensor<5xf32>
}
""")
    assert shell("explain", f"{path}:2").stdout.endswith(
        "%m has 10 elements, 40 bytes\n%m: freed in line 3\n"
    )
    said = shell("explain", f"{path}:5:8").stdout
    assert "  static zero  2  { p[d0 = 4]; p[d0 = 0] }\n" in said
    assert "\nd0  0 1 2 3 4\n    B A A A B\n" in said
    found = json.loads(shell("explain", f"{path}:5:8", "--format", "json").stdout)
    assert [each["question"] for each in found["files"][0]["facts"]] == ["shapes", "bounds", "regions"]


def test_accesses_that_share_a_line_are_told_apart_by_columns(file: str, shell: Shell) -> None:
    listed = shell("explain", file, "--at", str(LINE))
    assert "--at 13:51,13:10  affine.store %m[%i] -> affine.load %m[%i - 2]\n  depth 1: RAW" in listed.stdout
    ran = shell("explain", file, "--at", "13:51,13:10")
    assert ran.exit_code == 0
    assert "{ [d1] : d1 = 2 and %n >= 5 }" in ran.stdout


def test_two_buffers_have_no_tableau(file: str, shell: Shell) -> None:
    ran = shell("explain", file, "--at", f"{STORE},{OTHER}")
    assert ran.exit_code == 0
    assert "%m and %other are assumed to be different buffers, as by mlir-opt" in ran.stdout
    assert "Domain:" not in ran.stdout


def test_an_access_that_is_not_affine_is_said(file: str, shell: Shell) -> None:
    ran = shell("explain", file, "--at", f"{BY_DATA},{BY_DATA}")
    assert ran.exit_code == 0
    assert "no constraint matrices, because of the source: " in ran.stdout
    assert "depth 1: unknown: " in ran.stdout


class TestErrors:
    @pytest.mark.parametrize(
        ("at", "said"),
        [
            ("1,4", ":1:1: error: V010: no access to memory begins in this line\n"),
            ("7,4", ":7:1: error: V010: no access to memory begins in this line\n"),
            ("4:9,5", ":4:9: error: V010: no access to memory begins at this place\n"),
            ("9999", ":9999:1: error: V010: no operation begins in this line\n"),
            ("4,13", ":13:10: error: V010: the two accesses are in different functions, @rows and @line\n"),
            ("5,5", ":5:12: error: V010: both accesses only read: their order does not matter\n"),
        ],
    )
    def test_a_place_without_a_pair(self, file: str, shell: Shell, at: str, said: str) -> None:
        ran = shell("explain", file, "--at", at)
        assert ran.exit_code == 2
        assert ran.stdout == ""
        assert ran.stderr.startswith(file + said)
        assert ran.stderr.count("error:") == 1
        assert "  next: " in ran.stderr

    def test_the_nearest_accesses_are_named(self, file: str, shell: Shell) -> None:
        assert (
            "  next: the nearest accesses begin at 4, 5, 6, " in shell("explain", file, "--at", "1,4").stderr
        )

    @pytest.mark.parametrize("at", ["x", "", "4,", "0", "4,5,6", "4:0", "-1"])
    def test_no_places(self, file: str, shell: Shell, at: str) -> None:
        ran = shell("explain", file, "--at", at)
        assert ran.exit_code == 2
        assert "error: V007: " in ran.stderr

    @pytest.mark.parametrize("setting", ["n", "=3", "n=x", "n="])
    def test_no_setting(self, file: str, shell: Shell, setting: str) -> None:
        ran = shell("explain", file, "--at", "4,5", "--picture", "--set", setting)
        assert ran.exit_code == 2
        assert "error: V007: " in ran.stderr

    def test_a_file_without_accesses(self, tmp_path: Path, shell: Shell) -> None:
        path = tmp_path / "none.mlir"
        path.write_text("func.func @f() { return }\n")
        ran = shell("explain", str(path), "--at", "1,1")
        assert ran.exit_code == 2
        assert "  next: no operation of this file that was read accesses a memref" in ran.stderr

    def test_settings_are_for_pictures(self, file: str, shell: Shell) -> None:
        assert (
            "V007: --set is for --picture and --svg"
            in shell("explain", file, "--at", "4", "--set=n=1").stderr
        )

    def test_an_unknown_name(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "4,5", "--picture", "--set", "k=1")
        assert ran.exit_code == 2
        assert "V005: no loop around both accesses and no parameter of theirs is called 'k'" in ran.stderr

    def test_a_parameter_without_a_number(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "13:51,13:10", "--picture")
        assert ran.exit_code == 2
        assert "V011: there is no picture: %n has no number: --set n=8, for example" in ran.stderr

    def test_too_many_iterations(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "13:51,13:10", "--picture", "--set", "n=1000000000")
        assert ran.exit_code == 2
        assert "V011: there is no picture: it has more than 2500 points" in ran.stderr

    def test_a_syntax_error_does_not_hide_the_rest(self, tmp_path: Path, shell: Shell) -> None:
        path = tmp_path / "half.mlir"
        path.write_text("func.func @bad( {\n}\n" + PROGRAM)
        ran = shell("explain", str(path), "--at", "6,7", "--via", "xdsl")
        assert ran.exit_code == 2
        assert "V103" in ran.stderr
        assert "depth 1: RAW, distance (2, 0)" in ran.stdout


class TestPictures:
    def test_of_one_loop(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "13:51,13:10", "--picture", "--set", "%n=8")
        assert ran.exit_code == 0
        assert ran.stdout.split("\n", 2)[2] == (
            "affine.store %m[%i] -> affine.load %m[%i - 2]\n"
            "\n"
            "%n = 8\n"
            "\n"
            "%i  2  3  4  5  6  7\n"
            "    o  o  @  @  x  x\n"
            "\n"
            "o source, x sink, @ both, . neither\n"
            "\n"
            "depth 1, RAW\n"
            "  (2)  4 times, first: (2) -> (4)\n"
        )

    def test_of_two_loops(self, file: str, shell: Shell) -> None:
        lines = shell("explain", file, "--at", "4,5", "--picture").stdout.splitlines()
        assert lines[4] == "%i \\ %j  0  1  2  3  4  5  6  7  8"
        assert lines[5] == "0        o  o  o  o  o  o  o  o  o"
        assert lines[7] == "2        @  @  @  @  @  @  @  @  @"
        assert lines[13] == "8        x  x  x  x  x  x  x  x  x"

    def test_one_iteration_of_a_loop(self, file: str, shell: Shell) -> None:
        text = shell("explain", file, "--at", "4,5", "--picture", "--set", "j=3").stdout
        assert "%i  0  1  2  3  4  5  6  7  8\n    o  o  @  @  @  @  @  x  x\n" in text

    def test_iterations_that_may_not_run_are_marked(self, tmp_path: Path, shell: Shell) -> None:
        path = tmp_path / "step.mlir"
        path.write_text("""func.func @f(%m: memref<9xf32>, %x: f32, %s: index) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %s {
    memref.store %x, %m[%i] : memref<9xf32>
  }
  return
}
""")
        text = shell("explain", str(path), "--at", "5", "--picture", "--set", "s=2").stdout
        assert "%i  0  1  2  3  4  5  6  7  8\n" in text
        assert "some of these iterations may not run: the step of %i is not a constant\n" in text

    @pytest.mark.parametrize("width", [40, 30])
    def test_narrow_terminals(self, file: str, shell: Shell, width: int) -> None:
        ran = shell("explain", file, "--at", "4,5", "--picture", env={"COLUMNS": str(width)})
        assert ran.exit_code == 0
        assert max(map(len, ran.stdout.splitlines())) <= width

    def test_a_picture_that_does_not_fit(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "4,5", "--picture", env={"COLUMNS": "20"})
        assert ran.exit_code == 2
        assert "V011: there is no picture: it is 25 columns wide, and the terminal 20" in ran.stderr

    def test_svg(self, file: str, shell: Shell, tmp_path: Path) -> None:
        target = tmp_path / "out.svg"
        ran = shell("explain", file, "--at", "4,5", "--svg", str(target))
        assert ran.exit_code == 0
        assert "(2, 0)  63 times" in ran.stdout
        root = ET.fromstring(target.read_text())
        assert root.tag == f"{SVG}svg"
        titles = {t.text for t in root.iter(f"{SVG}title")}
        assert "affine.store %m[%i, %j] -> affine.load %m[%i - 2, %j]" in titles
        assert len(list(root.iter(f"{SVG}circle"))) == 81
        assert len([p for p in root.iter(f"{SVG}path") if p.find(f"{SVG}title") is not None]) == 63
        assert {"%i", "%j", "depth 1, RAW: (2, 0)"} <= {t.text for t in root.iter(f"{SVG}text")}

    def test_svg_to_stdout_is_alone(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "4,5", "--svg", "-")
        assert ET.fromstring(ran.stdout).tag == f"{SVG}svg"

    def test_each_depth_has_its_dashes(self, tmp_path: Path, shell: Shell) -> None:
        path = tmp_path / "two.mlir"
        path.write_text("""func.func @f(%m: memref<9x9xf32>) {
  affine.for %i = 1 to 4 {
    affine.for %j = 1 to 4 {
      %x = affine.load %m[%i - 1, %j - 1] : memref<9x9xf32>
      affine.store %x, %m[%i, %j - 1] : memref<9x9xf32>
      affine.store %x, %m[%i, %j] : memref<9x9xf32>
    }
  }
  return
}""")
        ran = shell("explain", str(path), "--at", "6", "--svg", "-")
        root = ET.fromstring(ran.stdout)
        by_depth: dict[str, set[str | None]] = {}
        for group in root.iter(f"{SVG}g"):
            for title in group.iterfind(f"{SVG}path/{SVG}title"):
                by_depth.setdefault((title.text or "")[-1], set()).add(group.get("stroke-dasharray"))
        assert by_depth == {"1": {None}, "2": {"7 4"}}

    def test_what_depends_on_its_own_iteration_has_a_ring(self, tmp_path: Path, shell: Shell) -> None:
        path = tmp_path / "same.mlir"
        path.write_text("""func.func @f(%m: memref<9xf32>, %c: f32) {
  affine.for %i = 0 to 5 {
    affine.store %c, %m[%i] : memref<9xf32>
    %x = affine.load %m[%i] : memref<9xf32>
  }
  return
}""")
        root = ET.fromstring(shell("explain", str(path), "--at", "3,4", "--svg", "-").stdout)
        rings = root.findall(f".//{SVG}g[@fill='none']/{SVG}circle")
        in_legend = root.findall(f".//{SVG}circle[@fill='none']")
        assert (len(rings), len(in_legend)) == (5, 1)
        assert "depth 2, RAW, in the same iteration: (0)" in {t.text for t in root.iter(f"{SVG}text")}

    def test_a_failed_write_leaves_the_old_picture(self, file: str, shell: Shell, tmp_path: Path) -> None:
        ran = shell("explain", file, "--at", "4,5", "--svg", str(tmp_path / "none" / "out.svg"))
        assert ran.exit_code == 2
        assert "error: V006: cannot write" in ran.stderr


class TestOutput:
    @pytest.mark.slow
    @pytest.mark.parametrize("width", [1, 10, 40, 79, 200])
    def test_narrow_terminals_fold_lines(self, file: str, shell: Shell, width: int) -> None:
        ran = shell("explain", file, "--at", "4,5", env={"COLUMNS": str(width)})
        assert ran.exit_code == 0
        assert max(map(len, ran.stdout.splitlines())) <= width
        assert "[d1,d2]:d1=2andd2=0" in "".join(ran.stdout.split())

    def test_a_pipe_is_never_folded(self, file: str, shell: Shell) -> None:
        ran = shell("explain", file, "--at", "4,5")
        assert max(map(len, ran.stdout.splitlines())) > 150

    def test_a_file(self, file: str, shell: Shell, tmp_path: Path) -> None:
        target = tmp_path / "out.txt"
        ran = shell("explain", file, "--at", "4,5", "-o", str(target))
        assert ran.stdout == ""
        assert "Dependence polyhedron:" in target.read_text()

    def test_stdin(self, shell: Shell) -> None:
        ran = shell("explain", "-", "--at", "4,5", input=PROGRAM)
        assert ran.exit_code == 0
        assert "depth 1: RAW" in ran.stdout

    def test_chunks_are_programs_of_their_own(self, tmp_path: Path, shell: Shell) -> None:
        path = tmp_path / "chunks.mlir"
        path.write_text(PROGRAM + "// -----\n" + PROGRAM)
        ran = shell("explain", str(path), "--at", "28,29")
        assert "source  28: affine.store %m[%i, %j]" in ran.stdout


def test_an_internal_error_is_said(file: str, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from volcli.api import places

    pairs = places.AccessesByPlace.pairs

    def failing(self: places.AccessesByPlace, spots: object) -> object:
        internal.remember(LookupError("no such key"), "a case")
        return pairs(self, spots)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(places.AccessesByPlace, "pairs", failing)
    ran = shell("explain", file, "--at", f"{STORE},{LOAD}")
    assert ran.exit_code == 2
    assert "V900: unknown: internal error in a case (LookupError: no such key)" in ran.stderr
    assert "Dependence polyhedron" in ran.stdout


class TestNumbers:
    """`--value` of an index value or a size."""

    def test_the_tile_of_the_slides(self, shell: Shell) -> None:
        ran = shell("explain", "testdata/bounds/matmul_tile.mlir", "--value", "dim(%product, 1)")
        assert (ran.exit_code, ran.stderr) == (0, "")
        assert "dim(%product, 1) <= 9  (exact; needs 1, 2, 4)" in ran.stdout

    def test_json(self, shell: Shell, root: Path) -> None:
        ran = shell("explain", "testdata/bounds/paper_002.mlir", "--value", "@if:%r", "--format", "json")
        found = json.loads(ran.stdout)
        jsonschema.validate(found, json.loads((root / "docs" / "facts.schema.json").read_text()))
        (fact,) = found["files"][0]["facts"]
        assert (fact["question"], fact["function"], fact["value"]) == ("derivation", "if", "%r")
        assert [bound["needs"] for bound in fact["bounds"]] == [[1], [1]]

    def test_assumptions_are_constraints(self, shell: Shell) -> None:
        assumed = ("--assume", "@sums:%arg0 + @sums:%arg1 <= 9", "--assume", "@sums:%arg0 >= 3")
        ran = shell("explain", "testdata/bounds/paper_002.mlir", "--value", "@sums:%1", *assumed)
        assert (ran.exit_code, ran.stderr) == (0, "")
        assert "%1 <= 9  (exact; needs 1, 3)" in ran.stdout
        assert "(@sums:%arg0 + @sums:%arg1 <= 9)" in ran.stdout

    @pytest.mark.parametrize("wrong", ["%nothing >= 3", "%arg0 >="])
    def test_what_is_no_assumption(self, wrong: str, shell: Shell) -> None:
        ran = shell("explain", "testdata/bounds/paper_002.mlir", "--value", "%1", "--assume", wrong)
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert "<assume>:1:" in ran.stderr

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("--value", "%width", "--picture"), "V011"),
            (("--value", "%product", "--format", "json"), "V011"),
            (("--value", "dim(%product, 7)"), "V005"),
            (("--value", "dim(%nothing, 0)"), "V005"),
            (("--value", "@nothing:%width"), "V005"),
            (("--value", "dim(%product"), "V009"),
        ],
    )
    def test_what_there_is_none_of(self, arguments: tuple[str, ...], code: str, shell: Shell) -> None:
        ran = shell("explain", "testdata/bounds/matmul_tile.mlir", *arguments)
        assert (ran.exit_code, ran.stdout) == (2, "")
        assert f"error: {code}: " in ran.stderr


@pytest.mark.slow
def test_an_explanation_ends_with_the_limit(shell: Shell, tmp_path: Path) -> None:
    """A sum of seven minima is a formula of 128 pieces."""
    arguments = ", ".join(f"%a{k}: index, %b{k}: index" for k in range(7))
    minima = "\n".join(f"%m{k} = arith.minsi %a{k}, %b{k} : index" for k in range(7))
    sums = "\n".join(
        f"%s{k} = arith.addi %{'s' if k > 1 else 'm'}{k - 1}, %m{k} : index" for k in range(1, 7)
    )
    path = tmp_path / "sums.mlir"
    path.write_text(f"func.func @f({arguments}) -> index {{\n{minima}\n{sums}\nreturn %s6 : index\n}}\n")
    ran = shell("explain", str(path), "--value", "%s6")
    assert ran.exit_code == 0
    *_, bound, last = ran.stdout.splitlines()
    assert bound.endswith("(exact; needs budget: more than 2000000 integer set operations)")
    assert last == "limit: presburger.default_operations or values.recurrence_operations (2,000,000)"


def test_no_limit_is_named_where_none_is_hit(file: str, shell: Shell) -> None:
    assert "limit:" not in shell("explain", file, "--at", f"{STORE},{LOAD}").stdout


def test_the_row_of_a_limit(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = "values.pieces  48: basic sets of an exact set of values\n      beyond: the answer is over-approximated; "
    ran = shell("explain", "values.pieces")
    assert (ran.exit_code, ran.stdout) == (0, row + "decision: budgets-for-inexact-sets\n")
    assert row in shell("explain", "values").stdout
    assert "\n\nstructure.blocks  500: " in shell("explain", "V304").stdout
    assert "--budget sets it" in shell("explain", "presburger.default_operations").stdout
    monkeypatch.chdir(tmp_path)
    (tmp_path / "values").write_text(PROGRAM)
    assert "give one of FILE:LINE, --at, --value, --tile and --layers" in shell("explain", "values").stderr


RESTS_ON_MORE = ("V212", "V223", *(f"V23{k}" for k in range(6)))
"""Findings that a policy, other codes or a baseline have a part in: the program alone has none."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("code", list(CODES))
def test_a_code_is_explained_with_a_program_that_has_it(shell: Shell, code: str) -> None:
    ran = shell("explain", code)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"{code}  {CODES[code].severity.value}: {CODES[code].summary}\n")
    if (example := finding_example(code)) is not None:
        assert example in ran.stdout
        is_found = f"\n{code}.mlir:" in ran.stdout.partition("and not in @silent\n")[2]
        assert is_found is (code not in RESTS_ON_MORE)


def test_codes_in_small_letters_and_codes_that_there_are_not(shell: Shell) -> None:
    assert shell("explain", "v203").stdout == shell("explain", "V203").stdout
    ran = shell("explain", "V999")
    assert (ran.exit_code, ran.stderr) == (
        2,
        "error: V007: no code 'V999'\n  next: `volcli codes` lists the codes\n",
    )


def test_a_code_is_explained_with_a_picture(shell: Shell) -> None:
    """Of V203, the elements that its program takes, 0 to 103 of 104, and 104 to 111 outside."""
    lines = shell("explain", "V203", env={"COLUMNS": "150"}).stdout.split("\n")
    at = lines.index("elements of %t")
    assert lines[at + 3].split() == ["A" * 104 + "B" * 8]
    assert lines[at + 5 : at + 7] == ["A  taken", "B  out of bounds"]
