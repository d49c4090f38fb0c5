"""Sets as rows of integers: they hold for the points that isl says, read in Python and by the page's own script."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import islpy as isl
import pytest

import volcli
from volcli.facts.layers import LayerFact
from volcli.pages import sets
from volcli.pages.sets import drawings_of, part_of, set_json
from volcli.presburger.sets.build import DIM

SETS = (
    "{ [i, j] : 0 <= i < 9 and 0 <= j <= i }",
    "{ [i, j] : 0 <= i < 9 and 2j <= i < 3j + 4 and 0 <= j < 9 }",
    "{ [i, j] : exists (e : i = 3e + j and 0 <= e < 4) and 0 <= j < 7 }",
    "{ [i, j] : 0 <= i < 9 and 0 <= j < 9 and (i + floor(j/3)) mod 4 = 1 }",
    "{ [i, j] : exists (a, b : i = 2a + 5b and 0 <= a < 3 and 0 <= b < 2) and 0 <= j < 5 and (i + j) mod 2 = 0 }",
    "[n] -> { [i, j] : 0 <= i < n and n - 5 <= 2j < n + floor(i/2) }",
    "[n] -> { [i, j] : -3 <= i < n and 0 <= j < 9 and (i + j + n) mod 3 = 0 }",
    "{ [i, j] : (0 <= i < 4 and 0 <= j < 4) or (6 <= i < 9 and 2 <= j <= i) }",
)
_FROM, _TO = -6, 18
NODE = shutil.which("node") or shutil.which("nodejs")


def holds(part: Mapping[str, Any], point: Sequence[int]) -> bool:
    """Whether POINT, parameters first, is in PART, as the head of `sets.py` says."""
    values = [*point]
    for most, *row in part.get("q", ()):
        values.append(_sum(row, values) // most)
    return all(_sum(row, values) == 0 if equal else _sum(row, values) >= 0 for equal, *row in part["c"])


def _sum(row: Sequence[int], values: Sequence[int]) -> int:
    *factors, rest = row
    return rest + sum(a * b for a, b in zip(factors, values, strict=False))


def points_of(text: str, n: int) -> set[tuple[int, int]]:
    """The points of the set TEXT for this N, as isl enumerates them."""
    points = isl.Set(text)
    for k in range(points.dim(DIM.param)):
        points = points.fix_val(DIM.param, k, isl.Val(n))
    found: set[tuple[int, int]] = set()
    points.project_out_all_params().foreach_point(
        lambda point: found.add(tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in (0, 1)))
    )
    return found


@pytest.mark.parametrize("text", SETS)
@pytest.mark.parametrize("n", [1, 8])
def test_rows_hold_for_the_points_of_the_set(text: str, n: int) -> None:
    points = isl.Set(text)
    params = points.dim(DIM.param)
    parts = [part_of(each, params) for each in points.compute_divs().get_basic_sets()]
    plane = product(range(_FROM, _TO), repeat=2)
    found = {each for each in plane if any(holds(part, (*([n] * params), *each)) for part in parts)}
    assert found == points_of(text, n)


@pytest.mark.skipif(NODE is None, reason="needs node (Debian package nodejs)")
def test_the_script_draws_the_points_of_the_set(root: Path) -> None:
    """Every plane of every set, down and to the right, row by row; and along one axis."""
    script = (root / "volcli" / "pages" / "templates" / "constraints.js").read_text()
    cases: list[tuple[str, int, Mapping[str, Any], list[int]]] = []
    for text, n in product(SETS, (6, 8)):
        data = set_json(isl.Set(text), [("all", isl.Set(text))])
        assert data is not None
        cases.append((text, n, data, [n] * len(data["params"])))
    drive = """
    const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
    const cells = ([sets, params, down, right]) => {
      const [rows, columns] = [down, right].map((k) => constraints.range(sets, k, params));
      const found = [];
      for (const band of constraints.rowsOf(sets, [...params, 0, 0], down, right, rows, columns))
        for (let y = band.from; y <= band.to; y++)
          for (const [a, b] of band.runs[0]) for (let x = a; x <= b; x++) found.push(down < right ? [y, x] : [x, y]);
      return found;
    };
    console.log(JSON.stringify(cases.map(cells)));
    """
    asked = [(data, params, *plane) for _, _, data, params in cases for plane in ((0, 1), (1, 0))]
    ran = subprocess.run(
        [str(NODE), "-e", script + drive], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    drawn = json.loads(ran.stdout)
    expected = [points_of(text, n) for text, n, _, _ in cases for _ in range(2)]
    for (data, *_), cells, points in zip(asked, drawn, expected, strict=True):
        assert len(cells) == len({tuple(each) for each in cells}), data
        assert {tuple(each) for each in cells} == points, data


def test_regions_of_dynamic_sizes_are_those_of_the_fact() -> None:
    program = volcli.load("testdata/linalg/conv_layer_dynamic.mlir")
    fact = program.function("krnl0").regions("%act0")
    (drawing,) = drawings_of(fact)
    data = drawing.sets
    assert data is not None
    assert data["params"] == ["ifm_d3", "ifm_d2"]
    draw = random.Random(0)
    for _ in range(40):
        sizes = draw.randint(2, 12), draw.randint(2, 12)
        point = 0, draw.randint(0, 7), draw.randint(0, 5), draw.randint(0, 5)
        here = isl.Set(
            f"[ifm_d3, ifm_d2] -> {{ act0[{', '.join(map(str, point))}] : ifm_d3 = {sizes[0]} and ifm_d2 = {sizes[1]} }}"
        )
        layers = [any(holds(part, (*sizes, *point)) for part in layer["parts"]) for layer in data["layers"]]
        assert layers == [not region.set.is_disjoint(here) for region in fact.regions]


def test_what_an_element_reaches_is_drawn_for_each_element() -> None:
    program = volcli.load("testdata/linalg/two_layers.mlir")
    fact = program.function("layers").element_map("%conv1")
    drawing = next(each for each in drawings_of(fact) if each.title.endswith("%x"))
    data = drawing.sets
    assert data is not None
    assert (data["chosen"], data["dims"][:4]) == (4, ["n", "f", "h", "w"])
    parts = data["layers"][0]["parts"]
    reached = {
        (h, w)
        for h, w in product(range(12), repeat=2)
        if any(holds(part, (0, 0, 0, 5, 0, 0, h, w)) for part in parts)
    }
    assert reached == {(h, w) for h in (0, 1) for w in (4, 5, 6)}


def test_what_is_alike_everywhere_has_no_picture() -> None:
    program = volcli.loads("""func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %b = arith.addf %a, %a : tensor<4x4xf32>
      return %b : tensor<4x4xf32>
    }""")
    assert [*drawings_of(program.function("f").regions("%b"))] == []
    program.run("layers")
    assert all(not [*drawings_of(each)] for each in program.facts if isinstance(each, LayerFact))


def test_sets_without_end_or_with_too_many_constraints_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = isl.Set("{ [i] : i >= 0 }")
    assert set_json(endless, [("all", endless)]) is None
    line = isl.Set("{ [i] : 0 <= i < 9 }")
    assert set_json(line, [("all", line)]) is not None
    monkeypatch.setattr(sets.limits, "PAGE_CONSTRAINTS", 3)
    assert set_json(line, [("all", line)]) is None
