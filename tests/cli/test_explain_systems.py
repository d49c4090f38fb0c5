"""explain --system and --boxes: systems and boxes as text, and the loops of a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Shell

BLOCKS = "0 <= i <= U\n# a comment\nj >= 0 and j <= 2 * i\nj <= V\nb * x <= j <= b * x + b - 1\n"
NEST = """
func.func @f(%n: index, %s: index, %m: memref<?xf32>, %v: f32) {
  %zero = arith.constant 0 : index
  scf.for %i = %zero to %n step %s {
    memref.store %v, %m[%i] : memref<?xf32>
  }
  return
}
"""


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text(BLOCKS)
    return path


def test_the_loops_of_a_system(text: Path, shell: Shell) -> None:
    ran = shell("explain", str(text), "--system", "x, i, j", "--assume", "U >= 0 and V >= 0 and b >= 1")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert ran.stdout.endswith("""
Loops
  for x = 0 to min(floor(V / b), floor((2 * U) / b))
    for i = ceil((b * x) / 2) to U
      for j = b * x to min(2 * i, V, b + b * x - 1)
""")


def test_a_condition_on_products_is_an_assumption(text: Path, shell: Shell) -> None:
    text.write_text("i >= 0\n(b - 1) * (c - 1) >= i\n")
    ran = shell("explain", str(text), "--system", "i", "--assume", "(b - 1) * (c - 1) >= 5")
    assert "if" not in ran.stdout.partition("Loops")[2]
    assert "for i = 0 to -b - c + b * c + 1" in ran.stdout


def test_a_minimum_above_is_two_inequalities(text: Path, shell: Shell) -> None:
    text.write_text("max(0, m) <= i <= min(n, b * m)\n")
    ran = shell("explain", str(text), "--system", "i")
    assert ran.stdout.endswith("    for i = max(0, m) to min(b * m, n)\n")
    assert "(4)" in ran.stdout


def test_the_loops_of_a_program(tmp_path: Path, shell: Shell) -> None:
    """A step that is a value is at least 1; what is scanned is the number of the iteration."""
    path = tmp_path / "a.mlir"
    path.write_text(NEST)
    ran = shell("explain", str(path), "--system", "%i", "--assume", "n >= 1")
    assert "System over %i_number, where %n - 1 >= 0 and %s - 1 >= 0" in ran.stdout
    assert ran.stdout.endswith("Loops\n  for %i_number = 0 to floor((%n - 1) / %s)\n")


def test_hull_and_intersection(text: Path, shell: Shell) -> None:
    """Of two boxes, for b >= 9; the third one has no dimension y."""
    text.write_text("A:\n  x: [n, n + 7]\n  y: [0, 1]\nbox B:\n  x: [min(n, n - 2), n + b]\n")
    ran = shell("explain", str(text), "--boxes", "--assume", "b >= 9")
    hull, intersection = ran.stdout.split("Hull")[1].split("Intersection")
    assert "x: [n - 2, b + n]" in hull
    assert "x: [n, n + 7]" in intersection
    assert "y:" not in hull + intersection
    assert "without y, of which not each box has an interval" in hull


def test_boxes_that_are_apart(text: Path, shell: Shell) -> None:
    text.write_text("A:\n  x: [n, n + 7]\nB:\n  x: [n + 8, 3 * n]\n")
    assert "x: [n + 8, min(n + 7, 3 * n)], which is empty" in shell("explain", str(text), "--boxes").stdout


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("i >= 0\nj or\n", ["--system", "i"], "a.txt:2:3: error: V009"),
        (
            "i >= 0 or j >= 0\n",
            ["--system", "i"],
            "a.txt:1:1: error: V009: expected inequalities that all hold",
        ),
        ("# nothing\n", ["--system", "i"], "V005: no condition of"),
        ("i >= 0\n", ["--system", "i, k"], "V005: no condition of"),
        (
            "i <= n\ni * i >= 3\n",
            ["--system", "i"],
            "a.txt:2:1: error: V011: the system is not eliminated: a square of i",
        ),
        (
            "i = n\ni mod 2 = 0\n",
            ["--system", "i"],
            "a.txt:2:1: error: V011: the system is not eliminated: i in",
        ),
        (
            "i >= min(n, 0)\n",
            ["--system", "i"],
            "a.txt:1:1: error: V009: expected inequalities that all hold",
        ),
        (
            "i >= 0\n",
            ["--system", "i, i"],
            "V002: option '--system' lists variables, the outermost first: 'i' is",
        ),
        ("i >= 0\n", ["--system", "i,,j"], "the outermost first: a name is missing"),
        (NEST, ["--system", "%i, %i"], "'%i' is there twice"),
        (
            "i * j >= 0\n",
            ["--system", "i, j"],
            "V011: the system is not eliminated: the product i * j of var",
        ),
        ("i >= 0\n", ["--system", "i", "--assume", "n != 0"], "V009: expected inequalities that all hold"),
        ("A:\n  x: [0]\n", ["--boxes"], "a.txt:2:7: error: V009: expected two ends"),
        ("A:\n  x: [0, n mod 2]\n", ["--boxes"], "a.txt:2:7: error: V009"),
        ("x: [0, 1]\n", ["--boxes"], "a.txt:1:1: error: V009: expected a box"),
        ("", ["--boxes"], "V005: no box in"),
        ("A:\n  x: [0, 1]\nA:\n", ["--boxes"], "a.txt:3:1: error: V009: a second 'A'"),
        ("A:\n  x: [0, 1]\n  x: [0, 2]\n", ["--boxes"], "a.txt:3:1: error: V009: a second 'x'"),
        (NEST, ["--system", "i, j"], "name loops of a program as '%i, %j'"),
        ("i * i >= 3\n", ["--system", "i"], "next: variables occur in sums, and times symbols"),
    ],
)
def test_what_is_wrong(text: Path, shell: Shell, content: str, options: list[str], said: str) -> None:
    text.write_text(content)
    ran = shell("explain", str(text), *options)
    assert ran.exit_code != 0
    assert said in ran.stderr


def test_no_function_has_such_loops(tmp_path: Path, shell: Shell) -> None:
    path = tmp_path / "a.mlir"
    path.write_text(NEST)
    assert "V005: no function has loops over %k" in shell("explain", str(path), "--system", "%k").stderr
    assert "V011" in shell("explain", str(path), "--system", "%n").stderr
