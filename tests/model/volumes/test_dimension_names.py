"""Names of dimensions: the iterators' names, passed on where dimensions follow each other."""

from __future__ import annotations

from tests.shared.enumeration import Function, function

CONVOLUTION = function(
    "%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %o: tensor<1x4x8x8xf32>, %z: f32",
    """%p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
       ^bb0(%a: index, %b: index, %c: index, %d: index): tensor.yield %z : f32
       } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>
       %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>)
         outs(%o : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
       %y = arith.negf %r : tensor<1x4x8x8xf32>""",
    "%y : tensor<1x4x8x8xf32>",
)


def test_names_pass_in_both_directions() -> None:
    f = Function(CONVOLUTION)
    names = {v: f.model.names_of_dimensions(f.value(v)) for v in ("%x", "%p", "%w", "%o", "%r", "%y")}
    assert names["%r"] == names["%y"] == names["%o"] == ("n", "f", "h", "w")
    assert names["%p"] == names["%x"] == ("n", "c", "h", "w")
    assert names["%w"] == ("f", "c", "kh", "kw")


def test_what_nothing_names_is_numbered() -> None:
    f = Function(
        function("%a: tensor<2x3xf32>", "%r = arith.negf %a : tensor<2x3xf32>", "%r : tensor<2x3xf32>")
    )
    assert f.model.names_of_dimensions(f.value("%r")) == ("d0", "d1")


def test_a_volume_never_has_one_name_twice() -> None:
    f = Function(function(
        "%a: tensor<4x4xf32>, %o: tensor<4x4xf32>",
        """%r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
          outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
           %s = linalg.matmul ins(%r, %r : tensor<4x4xf32>, tensor<4x4xf32>)
             outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>""",
        "%s : tensor<4x4xf32>",
    ))  # fmt: skip
    for value in ("%a", "%o", "%r", "%s"):
        names = f.model.names_of_dimensions(f.value(value))
        assert len(set(names)) == len(names) == 2
