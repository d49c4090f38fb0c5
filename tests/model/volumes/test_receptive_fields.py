"""Receptive fields against exact element maps: how many indices of an input one element reaches."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.elements.compare import enumerate_set
from volcli.facts.layers import LayerFact

IN, OUT = isl.dim_type.in_, isl.dim_type.out


def _convolution(groups: int, channels: int, filters: int) -> str:
    a, w = f"tensor<1x5x{channels}xf32>", f"tensor<3x{channels // groups}x{filters}xf32>"
    return f"""
    func.func @f(%a: {a}, %w: {w}) -> tensor<1x3x{filters}xf32> {{
      %r = "stablehlo.convolution"(%a, %w) {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64,
        window_strides = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, lhs_dilation = array<i64: 1>,
        rhs_dilation = array<i64: 1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>}}
        : ({a}, {w}) -> tensor<1x3x{filters}xf32>
      return %r : tensor<1x3x{filters}xf32>
    }}"""


def _depthwise(channels: int, multiplier: int) -> str:
    x, w = f"tensor<1x4x4x{channels}xf32>", f"tensor<3x3x{channels}x{multiplier}xf32>"
    each = channels * multiplier
    return f"""
    func.func @f(%x: {x}, %w: {w}, %b: tensor<{each}xf32>) -> tensor<1x4x4x{each}xf32> {{
      %z = "tosa.const"() <{{values = dense<0.0> : tensor<1xf32>}}> : () -> tensor<1xf32>
      %r = tosa.depthwise_conv2d %x, %w, %b, %z, %z {{acc_type = f32, dilation = array<i64: 1, 1>,
        pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}}
        : ({x}, {w}, tensor<{each}xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x{each}xf32>
      return %r : tensor<1x4x4x{each}xf32>
    }}"""


PROGRAMS = {
    "one group": _convolution(1, 4, 2),
    "a filter for each channel": _convolution(4, 4, 4),
    "two filters for each channel": _convolution(4, 4, 8),
    "groups of channels": _convolution(2, 6, 4),
    "depthwise": _depthwise(3, 1),
    "depthwise, multiplied": _depthwise(3, 2),
    "dimensions collapsed": """
    func.func @f(%x: tensor<4x6xf32>) -> tensor<24xf32> {
      %r = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
      return %r : tensor<24xf32>
    }""",
    "other dimensions": """
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
      %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
      %r = tensor.expand_shape %c [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
      return %r : tensor<6x4xf32>
    }""",
    "branches of two inputs": """
    func.func @f(%c: i1, %a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
      %r = scf.if %c -> tensor<4xf32> {
        %s = tensor.extract_slice %b[1] [4] [1] : tensor<6xf32> to tensor<4xf32>
        %t = tensor.extract_slice %b[2] [4] [1] : tensor<6xf32> to tensor<4xf32>
        %u = arith.addf %s, %t : tensor<4xf32>
        scf.yield %u : tensor<4xf32>
      } else {
        scf.yield %a : tensor<4xf32>
      }
      return %r : tensor<4xf32>
    }""",
    "rows by known numbers": """
    func.func @f(%x: tensor<1x4x3xf32>) -> tensor<1x2x3xf32> {
      %i = "tosa.const"() <{values = dense<[[3, 0]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
      %r = tosa.gather %x, %i : (tensor<1x4x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32>
      return %r : tensor<1x2x3xf32>
    }""",
    "a row beside its sum": """
    func.func @f(%x: tensor<5x4xf32>, %e: tensor<5xf32>) -> tensor<5x4xf32> {
      %s = linalg.reduce { arith.addf } ins(%x : tensor<5x4xf32>) outs(%e : tensor<5xf32>) dimensions = [1]
      %o = tensor.empty() : tensor<5x4xf32>
      %b = linalg.broadcast ins(%s : tensor<5xf32>) outs(%o : tensor<5x4xf32>) dimensions = [1]
      %r = arith.addf %b, %x : tensor<5x4xf32>
      return %r : tensor<5x4xf32>
    }""",
    "a sum of what comes from two places": """
    func.func @f(%x: tensor<8xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
      %a = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %b = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %0 = tensor.expand_shape %a [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
      %1 = tensor.expand_shape %b [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
      %2 = tensor.concat dim(0) %0, %1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
      %r = linalg.reduce { arith.addf } ins(%2 : tensor<2x4xf32>) outs(%e : tensor<4xf32>) dimensions = [0]
      return %r : tensor<4xf32>
    }""",
    "all tiles": """
    func.func @f(%x: tensor<2x3xf32>) -> tensor<4x9xf32> {
      %m = tosa.const_shape {values = dense<[2, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %r = tosa.tile %x, %m : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x9xf32>
      return %r : tensor<4x9xf32>
    }""",
    "in another order": """
    func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %r = stablehlo.add %0, %x : tensor<4x4xf32>
      return %r : tensor<4x4xf32>
    }""",
    "a triangle": """
    func.func @f(%a: tensor<5x6xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
      %r = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
        iterator_types = ["parallel", "reduction"]} ins(%a: tensor<5x6xf32>) outs(%b : tensor<5xf32>) {
      ^bb0(%x: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %c = arith.cmpi sle, %j, %i : index
        %s = arith.addf %x, %o : f32
        %t = arith.select %c, %s, %o : f32
        linalg.yield %t : f32
      } -> tensor<5xf32>
      return %r : tensor<5xf32>
    }""",
}


def _reached(map_: isl.Map) -> list[int]:
    """Along each dimension of the input, how many indices lie between those that one element reaches."""
    rank = map_.dim(IN)
    elements: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for point in enumerate_set(map_.project_out_all_params().wrap().flatten()):
        elements.setdefault(point[:rank], []).append(point[rank:])
    return [
        max(max(each[d] for each in read) - min(each[d] for each in read) + 1 for read in elements.values())
        for d in range(map_.dim(OUT))
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_element_reaches_what_the_map_says(name: str) -> None:
    program = volcli.loads(PROGRAMS[name]).run("layers")
    (layer,) = (each for each in program.facts if isinstance(each, LayerFact) and each.value == "%r")
    fact = volcli.loads(PROGRAMS[name]).function("f").element_map("%r")
    assert fact.exact
    assert fact.map is not None
    maps: dict[str, list[int]] = {}
    fact.map.foreach_map(lambda each: maps.update({each.get_tuple_name(OUT): _reached(each)}))
    fields = {each.input.removeprefix("%"): each for each in layer.fields if each.dimensions}
    assert fields.keys() == maps.keys() - {"z", "z_r", "c"}
    for name_of, field in fields.items():
        sizes = [each.size for each in field.dimensions]
        assert all(size is not None and size >= true for size, true in zip(sizes, maps[name_of], strict=True))
        assert not field.exact or sizes == maps[name_of]


def test_the_window_of_a_sum_holds_that_of_its_parts() -> None:
    program = volcli.loads(PROGRAMS["a row beside its sum"]).run("layers")
    (layer,) = (each for each in program.facts if isinstance(each, LayerFact) and each.value == "%r")
    assert layer.fields[0].exact
    assert [each.size for each in layer.fields[0].dimensions] == [1, 4]


def test_groups_are_known_exactly() -> None:
    program = volcli.loads(PROGRAMS["groups of channels"]).run("layers")
    (layer,) = (each for each in program.facts if isinstance(each, LayerFact) and each.value == "%r")
    channels, filters = layer.fields
    assert channels.exact
    assert [(each.size, *(m.step for m in each.moves)) for each in channels.dimensions][1:] == [
        (3, 1),
        (3, 3 / 2),
    ]
    assert filters.exact
    assert [each.size for each in filters.dimensions] == [3, 3, 1]
