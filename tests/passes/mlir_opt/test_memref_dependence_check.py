"""test-memref-dependence-check against mlir-opt-22's pass: the same remarks, or stricter ones, which are named here."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

import volcli
from tests.conftest import Run
from tests.oracles.memory.draw import programs
from tests.passes.mlir_opt.dependence_cases import CASES, ONE, TWO, function
from volcli.diagnostics import Diagnostic
from volcli.loading.driver import Program

PASS = "test-memref-dependence-check"
REMARK = re.compile(r"dependence from (\d+) to (\d+) at depth (\d+) = (.*)")
Question = tuple[int, int, int]

TIGHTER: dict[str, set[Question]] = {
    "reversed": {(0, 1, 2)},
    "mod": {(0, 0, 1), (1, 0, 1)},
    "double_buffer": {(0, 0, 1)},
    "mod_of_a_sum": {(0, 1, 1), (1, 0, 1)},
    "tiled": {(0, 1, 1)},
    "parallel_in_steps": {(0, 2, 1)},
}
"""Where mlir-opt reasons with fractions of iterations (docs/deviations.md)."""
ANSWERED = {"scf_if_around": {(0, 1, 1), (0, 1, 2), (1, 0, 1), (1, 0, 2)}}
"""Where mlir-opt's check fails."""


@dataclass(frozen=True)
class Said:
    """What a tool printed of a file: its diagnostics without their notes, and its exit code."""

    stderr: str
    returncode: int

    def answers(self) -> dict[Question, str]:
        """The remarks."""
        return {
            (int(found[1]), int(found[2]), int(found[3])): found[4]
            for line in self.stderr.splitlines()
            if (found := REMARK.search(line))
        }


def by_mlir_opt(mlir_opt: str, path: Path, *options: str) -> Said:
    """mlir-opt's answers; each remark and error has a note (three lines) that says where it is."""
    ran = subprocess.run(
        [mlir_opt, f"-{PASS}", *options, str(path), "-o", "/dev/null"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    notes = re.compile(r"^\S+: note: see current operation: .*\n(?:(?!\S+:\d+:\d+: ).*\n)*", re.MULTILINE)
    return Said(notes.sub("", ran.stderr), ran.returncode)


def by_volcli(volcli: Run, path: Path, *options: str) -> Said:
    """volcli's answers, as it prints them."""
    ran = volcli("opt", str(path), "-p", PASS, "-o", "/dev/null", *options)
    return Said(ran.stderr, ran.returncode)


def written(folder: Path, text: str) -> Path:
    path = folder / "input.mlir"
    path.write_text(text)
    return path


def answers(text: str) -> dict[Question, str]:
    """volcli's answers, without a process."""
    program = volcli.load(text).run(PASS)
    found = [REMARK.fullmatch(d.message) for d in _diagnostics(program)]
    return {(int(f[1]), int(f[2]), int(f[3])): f[4] for f in found if f is not None}


def failures(text: str) -> int:
    """How many checks fail."""
    return sum(d.code == "V405" for d in _diagnostics(volcli.load(text).run(PASS)))


def _diagnostics(program: Program) -> list[Diagnostic]:
    return [each for unit in program.units for each in unit.diagnostics]


# -- what is printed -----------------------------------------------------------------------------------

SEVERAL = (
    function(ONE, """
        affine.for %i = 2 to 90 {
          affine.store %x, %m[%i] : memref<100xf32>
          %a = affine.load %m[%i - 2] : memref<100xf32>
        }""", "first")
    + "func.func private @declared(memref<100xf32>)\n"
    + function(f"{ONE}, %n: index", """
        affine.store %x, %m[3] : memref<100xf32>
        affine.if affine_set<()[s0] : (s0 - 3 >= 0)>()[%n] {
          %a = affine.load %m[3] : memref<100xf32>
        }""", "second")
)  # fmt: skip
NESTED = f"module @outer {{\n{SEVERAL}module @inner {{\n{function(ONE, 'affine.store %x, %m[3] : memref<100xf32>')}}}\n{function(TWO, 'affine.store %x, %m[3, 4] : memref<100x100xf32>')}}}\n"


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", [SEVERAL, NESTED, function("", "")], ids=["functions", "modules", "nothing"])
def test_the_remarks_of_a_module_are_printed_as_mlir_opt_prints_them(
    text: str, tmp_path: Path, mlir_opt: str, volcli: Run
) -> None:
    path = written(tmp_path, text)
    assert by_volcli(volcli, path) == by_mlir_opt(mlir_opt, path)


def test_chunks_are_numbered_anew(tmp_path: Path, mlir_opt: str, volcli: Run) -> None:
    path = written(tmp_path, "// -----\n".join([SEVERAL, CASES["rows"], CASES["imperfect"]]))
    ours = by_volcli(volcli, path, "--split-input-file")
    assert ours == by_mlir_opt(mlir_opt, path, "--split-input-file")
    assert ours.stderr.count("dependence from 0 to 0 at depth 1") == 3


def test_a_check_that_fails_is_an_error_and_no_failure(tmp_path: Path, mlir_opt: str, volcli: Run) -> None:
    text = """
        %s = "test.memory"() : () -> memref<100xf32>
        affine.store %x, %m[3] : memref<100xf32>
        scf.if %b {
          affine.store %x, %s[3] : memref<100xf32>
        }"""
    path = written(tmp_path, function(f"{ONE}, %b: i1", text))
    theirs, ours = by_mlir_opt(mlir_opt, path), by_volcli(volcli, path)
    failed = f"{path}:3:3: error: dependence check failed\n"
    assert theirs.returncode == ours.returncode == 0
    assert failed in ours.stderr


def test_functions_share_no_memory_for_the_check() -> None:
    """A pair of accesses in two functions is asked at depth 1 only, and is independent."""
    found = answers(SEVERAL)
    between = {question: text for question, text in found.items() if (question[0] < 2) != (question[1] < 2)}
    assert between == {(a, b, 1): "false" for a in range(4) for b in range(4) if (a < 2) != (b < 2)}


# -- the paper -----------------------------------------------------------------------------------------

TWO_ROWS = function("%m: memref<10x10xf32>, %x: f32", """
    affine.for %i = 0 to 9 {
      affine.for %j = 0 to 9 {
        affine.store %x, %m[%i, %j] : memref<10x10xf32>
        %y = affine.load %m[%i - 2, %j] : memref<10x10xf32>
      }
    }""")  # fmt: skip
SKEWED = function("%m: memref<64x128xf32>, %x: f32", """
    affine.for %i = 0 to 10 {
      affine.for %j = 0 to 7 {
        affine.store %x, %m[%i + 3 * %j, 4 * %i + 5 * %j] : memref<64x128xf32>
        %y = affine.load %m[%i + %j, %i + 2 * %j + 3] : memref<64x128xf32>
      }
    }""")  # fmt: skip
QUESTIONS = [(a, b, depth) for a in range(2) for b in range(2) for depth in range(1, 4)]


def test_example_1_of_the_paper() -> None:
    expected = dict.fromkeys(QUESTIONS, "false") | {(0, 1, 1): "[2, 2][0, 0]"}
    assert answers(TWO_ROWS) == expected


def test_example_2_of_the_paper() -> None:
    """E004-1: the hull of six distances from the store to the load, one distance back, none at depth 2."""
    nest = list(product(range(10), range(7)))
    meets = [
        ((i, j), (p, q))
        for (i, j), (p, q) in product(nest, nest)
        if (i + 3 * j, 4 * i + 5 * j) == (p + q, p + 2 * q + 3)
    ]
    forth = {(p - i, q - j) for (i, j), (p, q) in meets if p > i}
    assert forth == {(1, 1), (2, 2), (3, 3), (5, -1), (6, 0), (7, 1)}
    assert {(i - p, j - q) for (i, j), (p, q) in meets if i > p} == {(2, -4)}
    assert [both for both in meets if both[0][0] == both[1][0]] == [((1, 0), (1, 0))]
    expected = dict.fromkeys(QUESTIONS, "false")
    expected |= {(0, 1, 1): "[1, 7][-1, 3]", (1, 0, 1): "[2, 2][-4, -4]", (0, 1, 3): "true"}
    assert answers(SKEWED) == expected


# -- against mlir-opt ----------------------------------------------------------------------------------


def inside(ours: str, theirs: str) -> bool:
    """Whether one answer is another one, or says strictly less."""
    if ours in (theirs, "false"):
        return True
    boxes = [
        [(float(low), float(high)) for low, high in re.findall(r"\[([^,]+), ([^\]]+)\]", text)]
        for text in (ours, theirs)
    ]
    mine, other = boxes
    return len(mine) == len(other) > 0 and all(
        a <= c and d <= b for (a, b), (c, d) in zip(other, mine, strict=True)
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", CASES)
def test_each_answer_is_that_of_mlir_opt_or_lies_inside_of_it(
    name: str, tmp_path: Path, mlir_opt: str
) -> None:
    theirs = by_mlir_opt(mlir_opt, written(tmp_path, CASES[name])).answers()
    ours = answers(CASES[name])
    assert {q for q in theirs if theirs[q] != ours[q]} == TIGHTER.get(name, set())
    assert ours.keys() - theirs.keys() == ANSWERED.get(name, set())
    assert all(inside(ours[question], text) for question, text in theirs.items())


@pytest.mark.slow
def test_random_nests(tmp_path: Path, mlir_opt: str) -> None:
    """What is tighter is judged by enumeration elsewhere (tests/oracles/memory)."""
    counts: Counter[str] = Counter()
    for program in programs(91, 30, plain=True):
        theirs, ours = by_mlir_opt(mlir_opt, written(tmp_path, program.text)).answers(), answers(program.text)
        assert ours.keys() == theirs.keys()
        assert all(inside(ours[question], text) for question, text in theirs.items()), program.text
        counts.update("equal" if ours[q] == theirs[q] else "tighter" for q in theirs)
    assert counts["equal"] > 500
    assert counts["tighter"] > 5


def test_enough_is_compared() -> None:
    assert len(CASES) >= 50
    assert CASES.keys() >= TIGHTER.keys() | ANSWERED.keys()


def test_what_is_tighter_is_true() -> None:
    """By enumeration: tiles of 8, and a store that goes down while the load goes up."""
    pairs = [
        (t, i, u, j) for t in range(0, 64, 8) for i in range(t, t + 8)
        for u in range(t + 8, 64, 8) for j in range(u, u + 8) if i == j - 4
    ]  # fmt: skip
    assert {(u - t, j - i) for t, i, u, j in pairs} == {(8, 4)}
    assert answers(CASES["tiled"])[0, 1, 1] == "[8, 8][4, 4]"
    assert not any(20 - i == i + 5 for i in range(20))
    assert answers(CASES["reversed"])[0, 1, 2] == "false"


# -- where nothing is known ----------------------------------------------------------------------------


def test_memory_of_unknown_origin_fails() -> None:
    """The store is compared with itself and with the load of another buffer, which may be the same."""
    text = function("%m: memref<8xf32>, %x: f32", """
        %s = "test.memory"() : () -> memref<8xf32>
        affine.store %x, %m[3] : memref<8xf32>
        %y = affine.load %s[3] : memref<8xf32>""")  # fmt: skip
    assert answers(text) == {(0, 0, 1): "false", (1, 0, 1): "false", (1, 1, 1): "false"}
    assert failures(text) == 1


def test_loops_that_stand_alone_in_a_module_are_a_program() -> None:
    text = """
        %x = arith.constant 1.0 : f32
        %m = memref.alloc() : memref<10xf32>
        affine.for %i = 1 to 9 {
          affine.store %x, %m[%i] : memref<10xf32>
          %y = affine.load %m[%i - 1] : memref<10xf32>
        }
        """
    assert answers(text)[0, 1, 1] == "[1, 1]"
    assert failures(text) == 0


def test_loops_beside_functions_fail() -> None:
    """Neither the loop, nor what it has to do with the function beside it, is known."""
    text = """
        %x = arith.constant 1.0 : f32
        %m = memref.alloc() : memref<10xf32>
        affine.for %i = 1 to 9 {
          affine.store %x, %m[%i] : memref<10xf32>
        }
        """ + function(ONE, "affine.store %x, %m[3] : memref<100xf32>")
    assert answers(text) == {(1, 1, 1): "false"}
    assert failures(text) == 3


def test_accesses_that_are_not_affine_are_not_asked_about() -> None:
    text = function(f"{ONE}, %n: index", """
        memref.store %x, %m[%n] : memref<100xf32>
        affine.store %x, %m[3] : memref<100xf32>
        %y = memref.load %m[%n] : memref<100xf32>""")  # fmt: skip
    assert answers(text) == {(0, 0, 1): "false"}
