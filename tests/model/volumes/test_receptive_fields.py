"""Receptive fields against exact element maps: how many indices of an input one element reaches."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import islpy as isl
import pytest

import volcli
from tests.oracles.elements.compare import enumerate_set
from volcli.facts.layers import LayerFact
from volcli.language.expressions import Atom, LoopIndex, constant, loop
from volcli.model.values.products.polynomials import value_at
from volcli.model.volumes.maps.positions import within

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
    "a loop that shifts": """
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> (tensor<8xf32>) {
        %s = tensor.extract_slice %t[1] [7] [1] : tensor<8xf32> to tensor<7xf32>
        %u = tensor.extract_slice %y[0] [1] [1] : tensor<8xf32> to tensor<1xf32>
        %v = tensor.concat dim(0) %s, %u : (tensor<7xf32>, tensor<1xf32>) -> tensor<8xf32>
        scf.yield %v : tensor<8xf32>
      }
      return %r : tensor<8xf32>
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


PATCHES = """
func.func @f(%x: tensor<1x3x224x224xf32>, %w: tensor<768x8xf32>) -> tensor<1x196x8xf32> {
  %0 = stablehlo.reshape %x : (tensor<1x3x224x224xf32>) -> tensor<1x3x14x16x14x16xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 4, 1, 3, 5]
    : (tensor<1x3x14x16x14x16xf32>) -> tensor<1x14x14x3x16x16xf32>
  %2 = stablehlo.reshape %1 : (tensor<1x14x14x3x16x16xf32>) -> tensor<1x196x768xf32>
  %r = stablehlo.dot_general %2, %w, contracting_dims = [2] x [0]
    : (tensor<1x196x768xf32>, tensor<768x8xf32>) -> tensor<1x196x8xf32>
  return %r : tensor<1x196x8xf32>
}
"""


def test_patches_of_an_image_are_windows() -> None:
    """Element [0, i, j] has the patch in row i floordiv 14 and column i mod 14."""
    program = volcli.loads(PATCHES).run("layers")
    (layer,) = (each for each in program.facts if isinstance(each, LayerFact) and each.value == "%r")
    image = layer.fields[0]
    assert image.exact
    assert [each.size for each in image.dimensions] == [1, 3, 16, 16]
    assert [[(m.along, m.step, m.period) for m in each.moves] for each in image.dimensions[2:]] == [
        [(1, Fraction(16, 14), 14)],
        [(1, 0, 14)],
    ]


@pytest.mark.parametrize("seed", range(20))
def test_divisions_without_effect_are_left_out(seed: int) -> None:
    chance = random.Random(seed)
    sizes = [chance.randint(1, 6) for _ in range(3)]
    index = sum((loop(k) * chance.choice((-6, 0, 1, 2, 4, 6, 12, 24)) for k in range(3)), constant(2))
    for _ in range(3):
        divisor = chance.choice((2, 3, 4, 6, 8, 12))
        index = (index // divisor if chance.random() < 0.5 else index % divisor) * 3 + loop(0)
    simpler = within(index, [constant(size) for size in sizes])
    for point in itertools.product(*map(range, sizes)):
        numbers: dict[Atom, int] = {LoopIndex(k): each for k, each in enumerate(point)}
        assert value_at(simpler, numbers) == value_at(index, numbers)


def test_a_loop_that_shifts_by_three_is_a_window() -> None:
    program = volcli.loads(PROGRAMS["a loop that shifts"]).run("layers")
    (layer,) = (each for each in program.facts if isinstance(each, LayerFact) and each.value == "%r")
    (x, y) = ((each.dimensions[0].size, each.dimensions[0].offset, each.exact) for each in layer.fields)
    assert (x, y) == ((1, 3, True), (1, 0, True))


def test_what_is_read_from_unknown_memory_may_be_of_any_input() -> None:
    program = volcli.loads("""
    func.func private @unknown(memref<4xf32>, tensor<4xf32>)
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %m = memref.alloc() : memref<4xf32>
      func.call @unknown(%m, %x) : (memref<4xf32>, tensor<4xf32>) -> ()
      %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
      %r = arith.addf %t, %y : tensor<4xf32>
      return %r : tensor<4xf32>
    }""").run("layers")
    (layer,) = (each for each in program.facts if isinstance(each, LayerFact) and each.value == "%r")
    assert [(each.input, each.is_whole, each.exact) for each in layer.fields] == [
        ("%x", True, False),
        ("%y", True, False),
    ]


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
