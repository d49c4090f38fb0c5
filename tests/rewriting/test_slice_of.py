"""Parts of values, made where the elements come from: executed beside a slice of the whole value."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Operation

import volcli
from tests.rewriting.rewritten import Pair, differences
from tests.shared.execution import needs_runner
from volcli.language.expressions import constant
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.slices import extract_slice
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.slice_of import SliceOf

Numbers = tuple[int, ...]
Part = tuple[Numbers, Numbers, Numbers]

LAYER = """\
func.func @f(%x: tensor<1x3x16x16xf32>, %w: tensor<4x3x5x5xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %v: index):
    tensor.yield %zero : f32
  } : tensor<1x3x16x16xf32> to tensor<1x3x19x19xf32>
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%p, %w : tensor<1x3x19x19xf32>, tensor<4x3x5x5xf32>)
      outs(%i : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %y : tensor<1x4x8x8xf32>
}
"""
POOLING = """\
func.func @f(%x: tensor<1x9x9x2xf32>) -> tensor<1x4x4x2xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x4x4x2xf32>
  %i = linalg.fill ins(%least : f32) outs(%e : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x9x9x2xf32>, tensor<3x3xf32>)
      outs(%i : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %y : tensor<1x4x4x2xf32>
}
"""
DEPTHWISE = """\
func.func @f(%x: tensor<1x7x7x3xf32>, %w: tensor<3x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x7x7x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %v: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x7x7x3xf32> to tensor<1x9x9x3xf32>
  %e = tensor.empty() : tensor<1x7x7x3xf32>
  %i = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<1x7x7x3xf32>) dimensions = [0, 1, 2]
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %w : tensor<1x9x9x3xf32>, tensor<3x3x3xf32>)
      outs(%i : tensor<1x7x7x3xf32>) -> tensor<1x7x7x3xf32>
  return %y : tensor<1x7x7x3xf32>
}
"""
DILATED = """\
func.func @f(%x: tensor<1x2x12xf32>, %w: tensor<2x2x3xf32>) -> tensor<1x2x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>}
      ins(%x, %w : tensor<1x2x12xf32>, tensor<2x2x3xf32>) outs(%i : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  return %y : tensor<1x2x8xf32>
}
"""
TRANSPOSED = """\
func.func @f(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x4x4xf32>) -> tensor<1x3x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x2x11x11xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<1x2x11x11xf32>) -> tensor<1x2x11x11xf32>
  %u = tensor.insert_slice %x into %z[0, 0, 2, 2] [1, 2, 4, 4] [1, 1, 2, 2]
      : tensor<1x2x4x4xf32> into tensor<1x2x11x11xf32>
  %e = tensor.empty() : tensor<1x3x8x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%u, %w : tensor<1x2x11x11xf32>, tensor<3x2x4x4xf32>)
      outs(%i : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return %y : tensor<1x3x8x8xf32>
}
"""
MOVED = """\
func.func @f(%x: tensor<6x4xf32>, %y: tensor<3x4xf32>, %z: tensor<3x1x2xf32>) -> tensor<4x9xf32> {
  %j = tensor.concat dim(0) %x, %y : (tensor<6x4xf32>, tensor<3x4xf32>) -> tensor<9x4xf32>
  %e = tensor.empty() : tensor<4x9xf32>
  %t = linalg.transpose ins(%j : tensor<9x4xf32>) outs(%e : tensor<4x9xf32>) permutation = [1, 0]
  %c = tensor.collapse_shape %z [[0, 1], [2]] : tensor<3x1x2xf32> into tensor<3x2xf32>
  %s = tensor.insert_slice %c into %t[1, 2] [3, 2] [1, 3] : tensor<3x2xf32> into tensor<4x9xf32>
  return %s : tensor<4x9xf32>
}
"""
COORDINATES = """\
#id = affine_map<(i, j) -> (i, j)>
func.func @f(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    %n = arith.index_cast %s : index to i32
    %g = arith.sitofp %n : i32 to f32
    %r = arith.addf %a, %g : f32
    linalg.yield %r : f32
  } -> tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}
"""
CONSTANTS = """\
func.func @f(%x: tensor<3x4xf32>) -> tensor<5x6x1xf32> {
  %c = arith.constant dense<2.5> : tensor<5x6xf32>
  %y = tensor.insert_slice %x into %c[1, 1] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x6xf32>
  %s = tensor.expand_shape %y [[0], [1, 2]] output_shape [5, 6, 1] : tensor<5x6xf32> into tensor<5x6x1xf32>
  return %s : tensor<5x6x1xf32>
}
"""
CASES: dict[str, tuple[str, tuple[Part, ...]]] = {
    "a layer": (
        LAYER,
        (
            ((0, 0, 0, 0), (1, 4, 1, 8), (1, 1, 1, 1)),
            ((0, 0, 1, 1), (1, 4, 6, 6), (1, 1, 1, 1)),
            ((0, 1, 7, 3), (1, 2, 1, 5), (1, 2, 1, 1)),
            ((0, 0, 1, 0), (1, 4, 3, 4), (1, 1, 2, 2)),
        ),
    ),
    "a pooling": (POOLING, (((0, 1, 0, 0), (1, 2, 2, 2), (1, 1, 2, 1)),)),
    "a depthwise convolution": (
        DEPTHWISE,
        (((0, 0, 2, 1), (1, 3, 5, 2), (1, 1, 1, 1)), ((0, 1, 1, 0), (1, 5, 5, 3), (1, 1, 1, 1))),
    ),
    "a dilated convolution": (
        DILATED,
        (((0, 0, 1), (1, 2, 3), (1, 1, 2)), ((0, 0, 5), (1, 1, 3), (1, 1, 1))),
    ),
    "a transposed convolution": (
        TRANSPOSED,
        (
            ((0, 0, 0, 0), (1, 3, 4, 4), (1, 1, 2, 2)),
            ((0, 0, 1, 0), (1, 3, 4, 4), (1, 1, 2, 2)),
            ((0, 0, 2, 3), (1, 3, 3, 2), (1, 1, 1, 1)),
        ),
    ),
    "moved": (
        MOVED,
        (
            ((0, 0), (1, 9), (1, 1)),
            ((1, 5), (3, 4), (1, 1)),
            ((2, 2), (2, 2), (1, 3)),
            ((0, 1), (4, 5), (1, 1)),
            ((0, 7), (4, 2), (1, 1)),
        ),
    ),
    "coordinates": (COORDINATES, (((1, 2), (2, 3), (3, 2)), ((4, 0), (2, 8), (1, 1)))),
    "constants": (
        CONSTANTS,
        (
            ((0, 0, 0), (1, 6, 1), (1, 1, 1)),
            ((1, 0, 0), (2, 3, 1), (1, 1, 1)),
            ((1, 1, 0), (2, 2, 1), (2, 2, 1)),
        ),
    ),
}


def sliced(text: str, numbers: Part, *, from_sources: bool) -> str:
    """The program that returns a part of what TEXT returns: by SliceOf, or as a slice of the whole."""
    program = volcli.loads(text)
    (unit,) = program.units
    (model,) = unit.models()
    last: Operation | None = model.function.regions[0].block.last_op
    assert last is not None
    (value,) = last.operands
    changes = Changes(unit, "test-slice-of")
    scope = Scope(changes.before(last), model, model.view(value))
    part = SliceParameters(*(tuple(map(constant, each)) for each in numbers))
    if from_sources:
        made = SliceOf(scope, lambda _: True).value(value, part)
    else:
        made = extract_slice(scope.builder, value, scope.mixed(part))
    changes.use(last, 0, made)
    kind = model.function.properties["function_type"]
    assert isinstance(kind, FunctionType)
    model.function.properties["function_type"] = FunctionType.from_lists(list(kind.inputs), [made.type])
    changes.finish(erase_dead=True)
    unit.report_internal_errors()
    assert not unit.failed, unit.diagnostics
    return program.text(annotate="none")


@pytest.mark.slow
@needs_runner
def test_parts_have_the_elements_of_the_value(mlir_opt: str) -> None:
    cases = [(text, part) for text, parts in CASES.values() for part in parts]
    pairs = [
        Pair(sliced(text, part, from_sources=False), sliced(text, part, from_sources=True), special=5)
        for text, part in cases
    ]
    assert differences(mlir_opt, pairs) == [0] * len(pairs)


@pytest.mark.parametrize(
    ("name", "part", "there", "not_there"),
    [
        ("a layer", 1, "tensor.extract_slice %x[0, 0, 1, 1] [1, 3, 15, 15]", "tensor.pad"),
        ("a transposed convolution", 2, "[1, 2, 3, 2] [1, 1, 2, 2]", "tensor<1x2x11x11xf32>"),
        ("a depthwise convolution", 0, "low[0, 1, 0, 0] high[0, 0, 1, 0]", "9x9"),
        ("moved", 2, "tensor.extract_slice %z", "linalg.transpose"),
        ("moved", 4, "tensor.extract_slice %y", "%x["),
        ("constants", 0, "dense<2.500000e+00> : tensor<1x6xf32>", "%x["),
        ("constants", 1, "tensor.extract_slice %x[0, 0] [2, 2]", "tensor<5x6xf32>"),
    ],
)
def test_no_more_than_the_part_is_made(name: str, part: int, there: str, not_there: str) -> None:
    text, parts = CASES[name]
    made = sliced(text, parts[part], from_sources=True)
    assert there in made
    assert not_there not in made
