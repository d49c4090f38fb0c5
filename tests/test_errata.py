"""The corrections of the source documents, as docs/deviations.md lists them: each has a test that holds it."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from itertools import product

import islpy as isl
import pytest

import volcli
from tests.conftest import ROOT
from volcli.language.expressions import Atom, parameter
from volcli.model.mars.footprints.footprints import Footprints
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.presburger.measures.points import few_points
from volcli.symbolic.context import Context, tightened
from volcli.symbolic.scanning import scan

COUNTS = {"E000": 8, "E001": 6, "E002": 4, "E003": 7, "E004": 3, "N001": 5, "N003": 3}
EVERY = [f"{document}-{number + 1}" for document, count in COUNTS.items() for number in range(count)]
LAYER = ROOT / "testdata" / "linalg" / "conv_layer.mlir"


@cache
def rows() -> dict[str, str]:
    """Each entry of the tables, with its last cell."""
    text = (ROOT / "docs" / "deviations.md").read_text()
    found = re.findall(r"^\| ([EN]\d{3}-\d+) \|.*\| ([^|]*) \|$", text, re.MULTILINE)
    assert len(found) == len({name for name, _ in found})
    return dict(found)


def test_every_correction_is_listed() -> None:
    assert list(rows()) == EVERY


@pytest.mark.parametrize("name", EVERY)
def test_the_tests_that_hold_it_are_there(name: str) -> None:
    tests = re.findall(r"`([\w/]+\.py)::(\w+)`", rows()[name])
    assert tests, rows()[name]
    for path, test in tests:
        walked = ast.walk(ast.parse((ROOT / path).read_text()))
        assert test in {node.name for node in walked if isinstance(node, ast.FunctionDef)}, (path, test)


def test_row_513_is_padding() -> None:
    """E000-1: the image has rows 1 to 512 of the padded one, and what is not in it is padding."""
    found = volcli.load(LAYER).function("krnl0").value("%pad0").element_map("operands")
    assert found.map is not None
    padding = found.map.intersect_range(isl.UnionSet("{ cst0_pad0[] }")).domain()
    whole = isl.Set("{ pad0[n, c, h, w] : n = 0 and 0 <= c <= 2 and 0 <= h <= 514 and 0 <= w <= 514 }")
    image = isl.Set("{ pad0[n, c, h, w] : 1 <= h <= 512 and 1 <= w <= 512 }")
    assert padding.is_equal(isl.UnionSet.from_set(whole.subtract(image)))


def test_a_reduction_is_bounded_by_what_is_read() -> None:
    """E000-2: element 0 of a pooling reads the elements 0 to 2, which its window bounds, and no others."""
    text = """
func.func @f(%x: tensor<1x5x1x1xf32>, %o: tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32> {
  %w = tensor.empty() : tensor<3x1xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w : tensor<1x5x1x1xf32>, tensor<3x1xf32>) outs(%o : tensor<1x3x1x1xf32>) -> tensor<1x3x1x1xf32>
  return %r : tensor<1x3x1x1xf32>
}
"""
    found = volcli.loads(text).function("f").value("%r").element_map()
    assert found.map is not None
    reads = found.map.intersect_range(isl.UnionSet("{ x[a, b, c, d] }"))
    printed = "{ r[a, h, c, d] -> x[a, y, c, d] : 0 <= a + c + d <= 0 and a = 0 and c = 0 and 0 <= h <= 2 and h <= y <= h + 2 }"
    assert reads.is_equal(isl.UnionMap(printed))


def test_mlir_opt_reads_figure_1(mlir_opt: str) -> None:
    """E000-7: with today's name of the maximum."""
    assert "arith.maximumf" in LAYER.read_text()
    subprocess.run([mlir_opt, str(LAYER)], check=True, capture_output=True, timeout=60)


def test_a_tile_has_its_size() -> None:
    """E001-1: tile (q0, q1) of `i: 3, i+j: 4` is 3 q0 <= i < 3 (1 + q0) and 4 q1 <= i + j < 4 (1 + q1)."""
    tiling = HyperplaneTiling.parse("i: 3, i+j: 4")
    for tile in ((0, 0), (1, 2), (-1, 1)):
        points = few_points(Footprints(tiling, (0, 0)).tile(tile), 100)
        assert points is not None
        box = product(range(-20, 20), repeat=2)
        expected = {(i, j) for i, j in box if (i // 3, (i + j) // 4) == tile}
        assert {tuple(p) for p in points} == expected


@pytest.mark.parametrize(("left", "right"), [("%n", "%m"), ("%m", "%n")])
def test_unequal_in_either_direction(left: str, right: str) -> None:
    """E002-2: two numbers are never equal if the first is less, and if it is greater."""
    text = """
func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  return
}
"""
    assert volcli.loads(text).function("f").compare(f"{left} = {right}").found.never


def test_a_maximum_is_at_least_each_operand() -> None:
    """E002-4: the slides have `%r <= 2` and `%r <= %a`, of which neither holds."""
    f = volcli.load(ROOT / "testdata" / "bounds" / "paper_002.mlir").function("max_and_apply")
    assert f.compare("%max >= 2 and %max >= %a").found.verdict.value == "proved"
    assert f.compare("%max <= 2").found.verdict.value == "refuted"
    assert f.compare("%max <= %a").found.verdict.value == "refuted"
    assert {"%max >= %a", "%max >= 2"} <= {each.text for each in f.value("%max").derivation().constraints}


def test_a_triangle_needs_its_diagonal() -> None:
    """E003-4: 21 of the 36 points of the box that figure 5-1 draws a triangle in."""
    i, j = parameter("i"), parameter("j")
    variables: list[Atom] = [atom for each in (i, j) if (atom := each.single_atom) is not None]
    (nest,) = scan(variables, [i, j, 5 - i - j], Context())
    (outer, inner) = nest.loops
    assert [str(e.numerator) for e in outer.upper] == ["5"]
    assert [str(e.numerator) for e in inner.upper] == ["-i + 5"]


def test_the_mean_of_table_5_3() -> None:
    """E003-7: the cycles as they are printed; neither mean is the printed 79.04 %."""
    halide = (432, 34122, 7835, 398693, 64922, 99833, 542, 561664, 1980)
    ours = (370, 35276, 722, 340932, 50702, 92274, 375, 399942, 1697)
    ratios = [n / h for n, h in zip(ours, halide, strict=True)]
    assert round(100 * sum(ratios) / len(ratios), 1) == 75.6
    assert round(100 * sum(ours) / sum(halide), 1) == 78.8


def test_a_rule_of_rounding_needs_a_positive_value() -> None:
    """N003-1: what simplify_min writes differs for each a <= 0, and for no a > 0."""
    differs = [a for a in range(-8, 9) if min((a + 3) // 4 * 4, max(a, 4)) != max(a, 4)]
    assert differs == list(range(-8, 1))
    f = volcli.load(ROOT / "testdata" / "symbolic" / "rounded.mlir").function("rounded")
    assert f.compare("%other = %bounded").found.verdict.value == "refuted"


def test_a_symbolic_constant_is_not_divided() -> None:
    """N003-2: a symbol need not be even; its multiples by a common factor are divided."""
    x, y, m = map(parameter, "xym")
    assert tightened(2 * x + 4 * y + m) == 2 * x + 4 * y + m
    assert tightened(2 * x + 4 * y + 2 * m) == x + 2 * y + m
