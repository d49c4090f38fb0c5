"""Pictures of sets: the regions of a value, and what tiles read and produce."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.update import pictures

from .conftest import Shell

CONV = "testdata/linalg/conv_layer.mlir"
JACOBI = "testdata/mars/jacobi_1d.mlir"
ROW = "testdata/mars/one_row.mlir"
DIAMOND = ("--tile", "t+i: 8, t-i: 8")
SVG = "{http://www.w3.org/2000/svg}"


def test_the_regions_of_a_value(shell: Shell) -> None:
    """The 256 x 256 elements in three bands of rows, and of columns."""
    ran = shell("explain", CONV, "--value", "%act0")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert (
        ran.stdout
        == f"""{CONV}

regions of %act0 at n = 0, f = 0

h \\ w   0  1..254  255
0       C  B       C
1..254  B  A       B
255     C  B       C

A  dense: 516128
B  sparse of degree 1: 8128
C  sparse of degree 2: 32
"""
    )


def test_one_row_of_it(shell: Shell) -> None:
    ran = shell("explain", CONV, "--value", "act0", "--set", "h=0", "--set", "f=1", "--set", "n=0")
    assert "regions of %act0 at h = 0, f = 1, n = 0\n\nw  0  1..254  255\n   B  A       B\n" in ran.stdout


def test_the_sets_of_a_tile(shell: Shell) -> None:
    """Each point of a diamond in the letter of its set; as many letters as the set has elements."""
    ran = shell("explain", JACOBI, *DIAMOND)
    assert "%a produced by the tile (0, 0), tile t + i: 8, t - i: 8" in ran.stdout
    drawn = ran.stdout.partition("t \\ i")[2].partition("\n\n")[0]
    assert [drawn.count(mark) for mark in "ABCD"] == [6, 1, 1, 6]
    assert "C  3. to (0, 1), (1, 0), (1, 1): 1" in ran.stdout


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (("--set", "s=8"), "at s = 8, o0 = 0, o1 = 0\n\nd0 -3  -1   1   3\n    A A A B C C C\n"),
        (
            ("--set", "s=9", "--set", "o1=9"),
            "at s = 9, o1 = 9, o0 = 0\n\nd0 -8  -6  -4  -2\n    A A A A B B B B\n",
        ),
    ],
)
def test_numbers_for_symbols(settings: tuple[str, ...], said: str, shell: Shell) -> None:
    """Tiles of an odd size at odd places have no corner, and two sets."""
    ran = shell("explain", ROW, "--tile", "i+j: s, j-i: s", *settings)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert said in ran.stdout


def test_a_block_of_several_sets_belongs_to_none(tmp_path: Path, shell: Shell) -> None:
    """A slanted tile of 1000 x 500: neither all elements nor all rows that differ have room."""
    path = tmp_path / "t.mlir"
    path.write_text("""func.func @f(%a: memref<9000x9000xf32>, %b: memref<9000x9000xf32>) {
  affine.for %i = 0 to 8000 {
    affine.for %j = 0 to 8000 {
      %0 = affine.load %a[%i, %j] : memref<9000x9000xf32>
      %1 = affine.load %a[%i + 300, %j] : memref<9000x9000xf32>
      affine.store %1, %b[%i, %j] : memref<9000x9000xf32>
    }
  }
  return
}
""")
    ran = shell("explain", str(path), "--tile", "i+j: 1000, j: 500", "--set", "d1=400")
    assert ran.exit_code == 0, ran.stderr
    assert "a letter is" not in ran.stdout  # of one dimension there are few bands
    ran = shell("explain", str(path), "--tile", "i+j: 1000, j: 500")
    assert "elements; * several sets" in ran.stdout


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ((ROW, "--tile", "i+j: s, j-i: s"), "V011", "it depends on s: give numbers, as --set s=8"),
        ((CONV, "--value", "%act0", "--set", "z=1"), "V005", "is called 'z'"),
        ((CONV, "--value", "%acto"), "V005", "%acto"),
        ((JACOBI, *DIAMOND, "--value", "%b"), "V005", "no tile reads %b"),
        (
            ("testdata/mars/jacobi_2d.mlir", "--tile", "t: 8, t+i: 8, t+j: 8"),
            "V011",
            "the sets differ in several dimensions, t, i, j: fix some, as --set j=0",
        ),
        ((CONV, "--value", "%act0", "--set", "h=999"), "V011", "no element is left"),
    ],
)
def test_why_there_is_no_picture(command: tuple[str, ...], code: str, said: str, shell: Shell) -> None:
    ran = shell("explain", *command)
    assert ran.exit_code == 2
    assert code in ran.stderr
    assert said in ran.stderr


def test_either_accesses_or_sets(shell: Shell) -> None:
    for arguments in ((), ("--at", "3", "--value", "%act0")):
        ran = shell("explain", CONV, *arguments)
        assert "give one of FILE:LINE, --at, --value, --tile and --layers" in ran.stderr


def test_no_line_is_wider_than_the_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    ran = shell("explain", JACOBI, *DIAMOND)
    assert ran.exit_code == 0
    assert max(map(len, ran.stdout.splitlines())) <= 24


def test_svg_has_a_cell_for_each_element(tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "a.svg"
    ran = shell("explain", JACOBI, *DIAMOND, "--svg", str(file))
    assert ran.exit_code == 0
    root = ET.fromstring(file.read_text())
    texts = [each.text for each in root.iter(f"{SVG}text")]
    assert [texts.count(mark) for mark in "ABCD"] == [6, 1, 1, 6]
    assert any("(0, 1), (1, 0), (1, 1): 1" in (text or "") for text in texts)


@pytest.mark.parametrize("path", pictures(), ids=lambda path: path.name)
def test_pictures_of_documents_are_current(path: Path, tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "a.svg"
    assert shell("explain", *pictures()[path][1:], "--svg", str(file)).exit_code == 0
    assert file.read_text() == path.read_text(), "`make update` draws it anew"


@pytest.mark.slow
def test_the_consumers_of_an_element(shell: Shell) -> None:
    ran = shell("explain", JACOBI, *DIAMOND, "--element", "a[6, 0]")
    assert "  %a[6, 0] is in set 2 of the tile (0, 0)\n    consumed by (0, 1), (1, 0)\n" in ran.stdout
    assert "68 bytes, in 9 bursts from the array as it is, in 3 bursts from sets" in ran.stdout
    ran = shell("explain", ROW, "--tile", "i+j: s, j-i: s", "--element", "a[0]", "--set", "s=8")
    assert "in set 2 of the tile at (o0, o1, ...) if o1 = o0" in ran.stdout
    for element, code in (("a[6]", "V005"), ("b[1, 1]", "V005"), ("a6", "V002")):
        ran = shell("explain", JACOBI, *DIAMOND, "--element", element)
        assert (ran.exit_code, code in ran.stderr) == (2, True)
