"""stablehlo: operations on whole rows, and those whose sizes are operands, against the maps of their formulas."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from volcli.facts.maps import MapFact
from volcli.passes.table import find_question

X, F = "tensor<2x3x4xf32>", "tensor<3xf32>"
BOX = "0 <= a < 2 and 0 <= f < 3 and 0 <= b < 4"
ROW = f"r[a, f, b] -> x[i, f, k] : {BOX} and 0 <= i < 2 and 0 <= k < 4"
MEAN = "0 <= f < 3 and 0 <= i < 2 and 0 <= k < 4"
ATTRIBUTES = "<{epsilon = 0.1 : f32, feature_index = 1 : i64}>"


def _of_feature(*names: str) -> str:
    return "; ".join(f"r[a, f, b] -> {name}[f] : {BOX}" for name in names)


CASES = {
    "inference": (
        f'%r = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {ATTRIBUTES} '
        f": ({X}, {F}, {F}, {F}, {F}) -> {X}",
        {"%r": f"r[a, f, b] -> x[a, f, b] : {BOX}; {_of_feature('s', 'o', 'm', 'v')}"},
    ),
    "training": (
        f'%r, %p, %q = "stablehlo.batch_norm_training"(%x, %s, %o) {ATTRIBUTES} '
        f": ({X}, {F}, {F}) -> ({X}, {F}, {F})",
        {"%r": f"{ROW}; {_of_feature('s', 'o')}", "%p": f"p[f] -> x[i, f, k] : {MEAN}"},
    ),
    "gradients": (
        f'%r, %p, %q = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) {ATTRIBUTES} '
        f": ({X}, {F}, {F}, {F}, {X}) -> ({X}, {F}, {F})",
        {
            "%r": f"{ROW}; {ROW.replace('x[', 'g[')}; {_of_feature('s', 'm', 'v')}",
            "%p": f"p[f] -> x[i, f, k] : {MEAN}; p[f] -> g[i, f, k] : {MEAN}; "
            "p[f] -> m[f] : 0 <= f < 3; p[f] -> v[f] : 0 <= f < 3",
            "%q": f"q[f] -> g[i, f, k] : {MEAN}",
        },
    ),
    "transform": (
        f"%r = stablehlo.fft %x, type = RFFT, length = [4] : ({X}) -> tensor<2x3x3xcomplex<f32>>",
        {"%r": "r[a, b, c] -> x[a, b, d] : 0 <= a < 2 and 0 <= b < 3 and 0 <= c < 3 and 0 <= d < 4"},
    ),
    "barrier": (
        f"%r, %p = stablehlo.optimization_barrier %x, %s : {X}, {F}",
        {"%p": "p[f] -> s[f] : 0 <= f < 3"},
    ),
    "padding": (
        """%l = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
            %h = stablehlo.constant dense<[0, -1]> : tensor<2xi64>
            %n = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
            %r = stablehlo.dynamic_pad %t, %c, %l, %h, %n
              : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x4xf32>""",
        {
            "%r": "r[i, j] -> t[i - 1, k] : 1 <= i < 3 and j = 2 * k and 0 <= k < 2; "
            "r[0, j] -> c[] : 0 <= j < 4; r[i, j] -> c[] : 0 <= i < 3 and 0 <= j < 4 and j mod 2 = 1"
        },
    ),
    "broadcast": (
        """%n = stablehlo.constant dense<[3, 5]> : tensor<2xi64>
           %r = stablehlo.dynamic_broadcast_in_dim %s, %n, dims = [0] : (tensor<3xf32>, tensor<2xi64>)
             -> tensor<?x?xf32>""",
        {"%r": "r[i, j] -> s[i] : 0 <= i < 3 and 0 <= j < 5"},
    ),
    "reshape": (
        """%n = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
           %r = stablehlo.dynamic_reshape %t, %n : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>""",
        {"%r": "r[i, j] -> t[k, l] : 2 * i + j = 3 * k + l and 0 <= i < 3 and 0 <= j < 2 and 0 <= l < 3"},
    ),
    "gather": (
        """%n = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
           %i = stablehlo.constant dense<[[1], [0], [5]]> : tensor<3x1xi32>
           %r = "stablehlo.dynamic_gather"(%t, %i, %n) <{indices_are_sorted = false, dimension_numbers =
             #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
             index_vector_dim = 1>}> : (tensor<2x3xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x3xf32>""",
        {
            "%r": "r[0, j] -> t[1, j] : 0 <= j < 3; r[1, j] -> t[0, j] : 0 <= j < 3; "
            "r[2, j] -> t[1, j] : 0 <= j < 3"
        },
    ),
}
ARGUMENTS = (
    f"%x: {X}, %g: {X}, %s: {F}, %o: {F}, %m: {F}, %v: {F}, %t: tensor<2x3xf32>, %c: tensor<f32>, "
    "%w: tensor<1x2xf32>"
)


def _maps(text: str) -> dict[str, MapFact]:
    program = volcli.loads(f"func.func @f({ARGUMENTS}) {{\n{text}\nreturn\n}}").run("element-maps{of=all}")
    assert not [each for each in program.diagnostics if each.code != "V303"]
    return {fact.value: fact for fact in program.facts if isinstance(fact, MapFact)}


@pytest.mark.parametrize("name", CASES)
def test_the_map_is_that_of_the_formula(name: str) -> None:
    text, expected = CASES[name]
    found = _maps(text)
    for value, stated in expected.items():
        fact = found[value]
        assert fact.exact
        assert fact.map is not None
        assert fact.map.is_equal(isl.UnionMap(f"{{ {stated} }}")), fact.map


def test_a_window_selects_one_element_and_which_one_is_data() -> None:
    text = """%r = "stablehlo.select_and_scatter"(%t, %w, %c) <{window_dimensions = array<i64: 2, 2>,
        padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_strides = array<i64: 2, 2>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %y = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %y : tensor<i1>
      }, {
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %y = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %y : tensor<f32>
      }) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<f32>) -> tensor<2x3xf32>"""
    fact = _maps(text)["%r"]
    assert not fact.exact
    assert "data decides" in str(fact.certainty.reason)
    windows = "0 <= i < 2 and 0 <= j < 3 and 0 <= o < 2 and 2 * o - 1 <= j < 2 * o + 1"
    expected = f"""{{ r[i, j] -> w[0, o] : {windows}; r[i, j] -> c[] : 0 <= i < 2 and 0 <= j < 3;
        r[i, j] -> t[p, q] : exists o : {windows} and 0 <= p < 2 and 2 * o - 1 <= q < 2 * o + 1
          and 0 <= q < 3 }}"""
    assert fact.map is not None
    assert fact.map.is_equal(isl.UnionMap(expected)), fact.map


def test_sizes_that_are_operands() -> None:
    text = """func.func @f(%x: tensor<1x4x8xf32>) {
      %n = stablehlo.constant dense<[7, 4]> : tensor<2xi64>
      %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
      %p, %q = tosa.rfft2d %x : (tensor<1x4x8xf32>) -> (tensor<1x4x?xf32>, tensor<1x4x5xf32>)
      return
    }"""
    facts = [fact.to_json() for fact in volcli.loads(text).run(find_question("shapes")).facts]
    shapes = {fact["value"]: [str(each["eq"]) for each in fact["dims"]] for fact in facts}
    assert shapes["%a"] == ["7", "4"]
    assert shapes["%p"] == ["1", "4", "5"]
