"""tensor.gather by constant indices, against executions on terms; by data, each slice is one of all."""

from __future__ import annotations

import pytest

import volcli
from tests.oracles.contents.judge import judge
from volcli.facts.maps import MapFact

CASES = {
    "of vectors": ("4x5", "[[3], [0]]", "2x1", "[0]", "2x5"),
    "of a dimension in the middle": ("4x5x2", "[[4], [0], [4]]", "3x1", "[1]", "3x4x2"),
    "with dimensions of one element": ("4x5x6", "[[0, 3], [2, 5]]", "2x2", "[0, 2]", "2x1x5x1"),
    "by one index": ("4x5", "[1, 2]", "2", "[0, 1]", ""),
}


def gather(source: str, indices: str, dims: str, result: str, start: str, argument: str = "") -> str:
    def kind(sizes: str, element: str) -> str:
        return f"tensor<{sizes + 'x' if sizes else ''}{element}>"

    s, i, r = kind(source, "f32"), kind(indices, "index"), kind(result, "f32")
    return f"""func.func @f(%a: {s}{argument and f", %i: {i}"}) -> {r} {{
      {start.format(i)}
      %r = tensor.gather %a[%i] gather_dims({dims}) : ({s}, {i}) -> {r}
      return %r : {r}
    }}"""


@pytest.mark.parametrize("name", CASES)
def test_constant_indices_select_their_slices(name: str) -> None:
    source, numbers, indices, dims, result = CASES[name]
    text = gather(source, indices, dims, result, f"%i = arith.constant dense<{numbers}> : {{}}")
    exact, _ = judge(text, {"%a": tuple(map(int, source.split("x")))})
    assert exact == 1


def test_indices_that_are_data_select_any_slice() -> None:
    (fact,) = volcli.loads(gather("4x5", "2x1", "[0]", "2x5", "", "data")).run("element-maps").facts
    assert isinstance(fact, MapFact)
    assert str(fact.reason) == "its indices are data"
    assert [each.text for each in fact.pieces] == [
        "{ r[d0, d1] -> a[d0', d1' = d1] }",
        "{ r[d0, d1] -> i[d0' = d0, d1'] }",
    ]
