"""undefined-elements: what certainly reaches a result, and what only may."""

from __future__ import annotations

import pytest

import volcli

EMPTY = "%e = tensor.empty() : tensor<8xf32>\n"
GENERIC = """
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {{
  ^bb0(%p: f32, %o: f32):
    {}
    linalg.yield %s : f32
  }} -> tensor<8xf32>
"""
FOUR = "%four = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"


def found(body: str) -> list[str]:
    text = f"""func.func @f(%x: tensor<8xf32>, %k: i1, %n: index) -> tensor<8xf32> {{
  {EMPTY}{body}
  return %r : tensor<8xf32>
}}"""
    return [
        each.message
        for each in volcli.loads(text).run("undefined-elements").diagnostics
        if each.code == "V205"
    ]


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        ("%r = linalg.add ins(%e, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>", "0 <= d0 <= 7"),
        (GENERIC.format("%s = arith.addf %p, %o : f32"), "0 <= d0 <= 7"),
        (GENERIC.format("%c = arith.cmpf ogt, %o, %p : f32\n %s = arith.select %c, %o, %p : f32"), "0 <= d0 <= 7"),
        (FOUR + "%r = tensor.insert_slice %four into %e[2] [4] [1] : tensor<4xf32> into tensor<8xf32>", "d0 >= 6 or d0 <= 1"),
    ],
)  # fmt: skip
def test_what_reaches_a_result(body: str, elements: str) -> None:
    (message,) = found(body)
    assert "computes a result from uninitialized elements of %e" in message
    assert elements in message


@pytest.mark.parametrize(
    "body",
    [
        GENERIC.format("%s = arith.addf %p, %p : f32"),
        GENERIC.format("%s = arith.select %k, %p, %o : f32"),
        "%r = arith.select %k, %x, %e : tensor<8xf32>",
        "%r = scf.if %k -> tensor<8xf32> { scf.yield %x : tensor<8xf32> } else { scf.yield %e : tensor<8xf32> }",
        # another half each, and one of a size that nobody knows
        FOUR + """%a = tensor.insert_slice %four into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %four into %a[4] [4] [1] : tensor<4xf32> into tensor<8xf32>""",
        """%part = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  %r = tensor.insert_slice %part into %e[0] [%n] [1] : tensor<?xf32> into tensor<8xf32>""",
        # nobody asks for it
        """%y = linalg.add ins(%e, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.cast %x : tensor<8xf32> to tensor<8xf32>""",
    ],
)  # fmt: skip
def test_what_may_not(body: str) -> None:
    assert found(body) == []
