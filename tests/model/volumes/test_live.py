"""The loop points that contribute: sets against enumeration, and programs without the others against numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import islpy as isl
import pytest
from xdsl.ir import OpResult

import volcli
from tests.oracles.elements.compare import enumerate_set
from volcli.model.volumes.knowledge.live import LivePoints, live

_MAPS = "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>"


def live_of(text: str, name: str, assume_finite: bool = False) -> LivePoints:
    """The live points of the operation that defines the value NAME of the only function of TEXT."""
    (unit,) = volcli.loads(text).units
    (model,) = unit.models()
    value = next(value for value in model.values() if model.name_of(value) == name)
    assert isinstance(value, OpResult)
    found = live(model.flow, value.op, assume_finite)
    assert found is not None
    return found


def lower(name: str, source: str, size: int, keeps: str = "sge") -> str:
    """NAME is SOURCE where its row compares with its column by KEEPS, and 0 elsewhere."""
    kind = f"tensor<{size}x{size}xf32>"
    return f"""
      %{name}_e = tensor.empty() : {kind}
      %{name} = linalg.generic {{
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]
      }} ins(%{source} : {kind}) outs(%{name}_e : {kind}) {{
      ^bb0(%{name}_in: f32, %{name}_out: f32):
        %{name}_i = linalg.index 0 : index
        %{name}_j = linalg.index 1 : index
        %{name}_c = arith.cmpi {keeps}, %{name}_i, %{name}_j : index
        %{name}_z = arith.constant 0.0 : f32
        %{name}_s = arith.select %{name}_c, %{name}_in, %{name}_z : f32
        linalg.yield %{name}_s : f32
      }} -> {kind}"""


def test_triangular_times_dense() -> None:
    text = f"""
    func.func @f(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>) -> tensor<5x5xf32> {{
      %zero = arith.constant dense<0.0> : tensor<5x5xf32>
      {lower("l", "a", 5)}
      %r = linalg.matmul ins(%l, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%zero : tensor<5x5xf32>) -> tensor<5x5xf32>
      return %r : tensor<5x5xf32>
    }}"""
    found = live_of(text, "%r", assume_finite=True)
    expected = {(m, n, k) for m, n, k in product(range(5), repeat=3) if k <= m}
    assert enumerate_set(found.points) == expected
    assert (found.needs, found.keeps, found.inexact) == ({"nnan", "ninf"}, (True,), None)
    # 0 * inf is NaN: all points count for all numbers of IEEE 754.
    assert live_of(text, "%r").is_everything


def test_facts_under_fewer_flags_are_those_that_need_none() -> None:
    """What rests on no flag is found out once; the sum of 0 * w, which rests on two, is data without them."""
    text = f"""
    func.func @f(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>) -> tensor<5x5xf32> {{
      %zero = arith.constant dense<0.0> : tensor<5x5xf32>
      %r = linalg.matmul ins(%zero, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%zero : tensor<5x5xf32>)
        -> tensor<5x5xf32>
      {lower("l", "r", 5)}
      return %l : tensor<5x5xf32>
    }}"""
    (model,) = volcli.loads(text).units[0].models()
    flow, values = model.flow, {model.name_of(value): value for value in model.values()}
    zero, product_, lower_ = (values[name] for name in ("%zero", "%r", "%l"))
    certain = flow.under(frozenset())
    assert certain.facts(zero) is flow.facts(zero)
    assert flow.facts(product_).needs == {frozenset({"nnan", "ninf"})}
    assert [each.facts(lower_).reaching is False for each in (flow, certain)] == [True, False]


@pytest.mark.parametrize(
    ("flags", "needs"),
    [("nnan,ninf", frozenset[str]()), ("fast", frozenset[str]()), ("nnan", {"nnan", "ninf"})],
)
def test_stated_flags_are_no_assumption(flags: str, needs: set[str]) -> None:
    text = f"""
    func.func @f(%a: tensor<5x5xf32>, %b: tensor<5x5xf32>) -> tensor<5x5xf32> {{
      %zero = arith.constant dense<0.0> : tensor<5x5xf32>
      {lower("l", "a", 5)}
      %r = linalg.generic {{indexing_maps = [{_MAPS}], iterator_types = ["parallel", "parallel", "reduction"]}}
        ins(%l, %b : tensor<5x5xf32>, tensor<5x5xf32>) outs(%zero : tensor<5x5xf32>) {{
      ^bb0(%x: f32, %y: f32, %acc: f32):
        %p = arith.mulf %x, %y fastmath<{flags}> : f32
        %s = arith.addf %acc, %p : f32
        linalg.yield %s : f32
      }} -> tensor<5x5xf32>
      return %r : tensor<5x5xf32>
    }}"""
    assert live_of(text, "%r").is_everything is bool(needs)
    found = live_of(text, "%r", assume_finite=True)
    assert found.needs == needs
    assert not found.is_everything


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("init", "flags", "needs"),
    [
        ("0.0", "none", frozenset[str]()),  # a sum that starts with +0 is never -0
        ("-1.5", "none", frozenset[str]()),  # nor one of a number, since x - x = +0
        ("-0.0", "none", {"nsz"}),
        ("-0.0", "nsz", frozenset[str]()),
    ],
)
def test_a_zero_of_unknown_sign_is_added_to_what_is_no_negative_zero(
    init: str, flags: str, needs: set[str]
) -> None:
    text = f"""
    func.func @f(%a: tensor<4xi32>, %w: tensor<3xf32>) -> tensor<6xf32> {{
      %init = arith.constant dense<{init}> : tensor<6xf32>
      %c = arith.constant 0 : i32
      %z = tensor.pad %a low[2] high[2] {{
      ^bb0(%i: index):
        tensor.yield %c : i32
      }} : tensor<4xi32> to tensor<8xi32>
      %k = arith.constant dense<[-1.0, 2.0, 1.0]> : tensor<3xf32>
      %r = linalg.generic {{
        indexing_maps = [affine_map<(o, k) -> (o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>],
        iterator_types = ["parallel", "reduction"]
      }} ins(%z, %k : tensor<8xi32>, tensor<3xf32>) outs(%init : tensor<6xf32>) {{
      ^bb0(%x: i32, %y: f32, %acc: f32):
        %f = arith.sitofp %x : i32 to f32
        %p = arith.mulf %f, %y : f32
        %s = arith.addf %p, %acc fastmath<{flags}> : f32
        linalg.yield %s : f32
      }} -> tensor<6xf32>
      return %r : tensor<6xf32>
    }}"""
    expected = {(o, k) for o, k in product(range(6), range(3)) if 2 <= o + k <= 5}
    found = live_of(text, "%r", assume_finite=True)
    assert enumerate_set(found.points) == expected
    assert found.needs == needs
    # -0 + (+0) is +0, so that adding +0 may be left out only if no sum is -0; -0 + (-0) is -0: 0 * -1 may be
    everything = set(product(range(6), range(3))) - {(0, 0), (1, 0)}
    assert enumerate_set(live_of(text, "%r").points) == (everything if needs else expected)


@pytest.mark.parametrize(
    ("operation", "is_live"),
    [
        ("arith.addi %acc, %x", lambda i: i < 4),
        ("arith.addi %x, %acc", lambda i: i < 4),
        ("arith.subi %acc, %x", lambda i: i < 4),
        ("arith.subi %x, %acc", lambda i: True),
        ("arith.ori %acc, %x", lambda i: i < 4),
        ("arith.xori %x, %acc", lambda i: i < 4),
        ("arith.andi %acc, %x", lambda i: True),
        ("arith.muli %acc, %x", lambda i: True),
        ("arith.maxsi %acc, %x", lambda i: True),
    ],
)
def test_what_integers_are_combined_by(operation: str, is_live: Callable[[int], bool]) -> None:
    text = f"""
    func.func @f(%a: tensor<4xi32>, %init: tensor<i32>) -> tensor<i32> {{
      %c = arith.constant 0 : i32
      %z = tensor.pad %a low[0] high[3] {{
      ^bb0(%i: index):
        tensor.yield %c : i32
      }} : tensor<4xi32> to tensor<7xi32>
      %r = linalg.generic {{
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]
      }} ins(%z : tensor<7xi32>) outs(%init : tensor<i32>) {{
      ^bb0(%x: i32, %acc: i32):
        %s = {operation} : i32
        linalg.yield %s : i32
      }} -> tensor<i32>
      return %r : tensor<i32>
    }}"""
    assert enumerate_set(live_of(text, "%r").points) == {(i,) for i in range(7) if is_live(i)}


def test_transposed_convolution_has_live_taps_by_phase() -> None:
    text = """
    func.func @f(%x: tensor<4x4xi32>, %w: tensor<4x4xi32>) -> tensor<8x8xi32> {
      %zeros = arith.constant dense<0> : tensor<11x11xi32>
      %init = arith.constant dense<0> : tensor<8x8xi32>
      %z = tensor.insert_slice %x into %zeros[2, 2] [4, 4] [2, 2] : tensor<4x4xi32> into tensor<11x11xi32>
      %r = linalg.conv_2d ins(%z, %w : tensor<11x11xi32>, tensor<4x4xi32>) outs(%init : tensor<8x8xi32>)
        -> tensor<8x8xi32>
      return %r : tensor<8x8xi32>
    }"""
    found = live_of(text, "%r")
    spread = {2 + 2 * i for i in range(4)}
    everything = list(product(range(8), range(8), range(4), range(4)))
    assert enumerate_set(found.points) == {p for p in everything if {p[0] + p[2], p[1] + p[3]} <= spread}
    assert len(enumerate_set(found.dead)) == len(everything) - 196


def test_element_wise_products_have_the_domain_of_both_factors() -> None:
    """IMPACT 2023, appendix A.1: an upper-right and an upper-left triangular matrix."""
    text = """
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%u: tensor<6x6xi32>, %v: tensor<6x6xi32>) -> tensor<6x6xi32> {
      %e = tensor.empty() : tensor<6x6xi32>
      %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%u, %v : tensor<6x6xi32>, tensor<6x6xi32>) outs(%e : tensor<6x6xi32>) {
      ^bb0(%ux: i32, %vx: i32, %out: i32):
        %z = arith.constant 0 : i32
        %n = arith.constant 6 : index
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %sum = arith.addi %i, %j : index
        %uc = arith.cmpi sge, %j, %i : index
        %vc = arith.cmpi slt, %sum, %n : index
        %us = arith.select %uc, %ux, %z : i32
        %vs = arith.select %vc, %vx, %z : i32
        %p = arith.muli %us, %vs : i32
        linalg.yield %p : i32
      } -> tensor<6x6xi32>
      return %r : tensor<6x6xi32>
    }"""
    found = live_of(text, "%r")
    assert enumerate_set(found.points) == {(i, j) for i in range(6) for j in range(i, 6 - i)}
    assert found.keeps == (False,)


def test_a_selection_that_keeps_what_was_there() -> None:
    text = """
    func.func @f(%a: tensor<6xf32>, %init: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]
      } ins(%a : tensor<6xf32>) outs(%init : tensor<f32>) {
      ^bb0(%x: f32, %acc: f32):
        %two = arith.constant 2 : index
        %i = linalg.index 0 : index
        %c = arith.cmpi slt, %i, %two : index
        %s = arith.addf %acc, %x : f32
        %t = arith.select %c, %acc, %s : f32
        linalg.yield %t : f32
      } -> tensor<f32>
      return %r : tensor<f32>
    }"""
    found = live_of(text, "%r")
    assert enumerate_set(found.points) == {(i,) for i in range(2, 6)}


def test_what_is_no_sum_is_live() -> None:
    text = """
    func.func @f(%a: tensor<6xi32>, %init: tensor<i32>) -> tensor<i32> {
      %zeros = arith.constant dense<0> : tensor<6xi32>
      %r = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]
      } ins(%zeros : tensor<6xi32>) outs(%init : tensor<i32>) {
      ^bb0(%x: i32, %acc: i32):
        %two = arith.constant 2 : i32
        %d = arith.muli %acc, %two : i32
        %s = arith.addi %d, %x : i32
        linalg.yield %s : i32
      } -> tensor<i32>
      return %r : tensor<i32>
    }"""
    assert live_of(text, "%r").is_everything


_ROW, _ALL, _SCALARS = "affine_map<(i, j) -> (i)>", "affine_map<(i, j) -> (i, j)>", "f32, %acc: f32"


def _row(name: str, source: str, start: str, operation: str) -> str:
    """The rows of a 4 by 4 matrix, combined by an operation."""
    return f"""
      %{name}_o = arith.constant dense<{start}> : tensor<4xf32>
      %{name} = linalg.generic {{indexing_maps = [{_ALL}, {_ROW}], iterator_types = ["parallel", "reduction"]}}
        ins(%{source} : tensor<4x4xf32>) outs(%{name}_o : tensor<4xf32>) {{
      ^bb0(%x: f32, %acc: f32):
        %s = {operation} %x, %acc : f32
        linalg.yield %s : f32
      }} -> tensor<4xf32>"""


def _by_row(name: str, source: str, row: str, operation: str) -> str:
    """Each element of a 4 by 4 matrix with that of its row."""
    return f"""
      %{name} = linalg.generic {{
        indexing_maps = [{_ALL}, {_ROW}, {_ALL}], iterator_types = ["parallel", "parallel"]
      }} ins(%{source}, %{row} : tensor<4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4xf32>) {{
      ^bb0(%x: f32, %y: {_SCALARS}):
        %s = {operation} %x, %y : f32
        linalg.yield %s : f32
      }} -> tensor<4x4xf32>"""


def test_what_a_softmax_makes_of_a_causal_mask_is_zero() -> None:
    """exp(-inf - max) = 0, and 0 / sum = 0, if no number is NaN; the mask is computed by two operations."""
    text = f"""
    func.func @f(%scores: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<4x4xf32> {{
      %e = tensor.empty() : tensor<4x4xf32>
      %i1 = tensor.empty() : tensor<4x4xi1>
      %all = arith.constant dense<true> : tensor<4x4xi1>
      %infinity = arith.constant 0xFF800000 : f32
      %zeros = arith.constant dense<0.0> : tensor<4x4xf32>
      %kept = linalg.generic {{indexing_maps = [{_ALL}, {_ALL}], iterator_types = ["parallel", "parallel"]}}
        ins(%all : tensor<4x4xi1>) outs(%i1 : tensor<4x4xi1>) {{
      ^bb0(%t: i1, %o: i1):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %before = arith.cmpi sle, %j, %i : index
        %both = arith.andi %before, %t : i1
        linalg.yield %both : i1
      }} -> tensor<4x4xi1>
      %masked = linalg.generic {{
        indexing_maps = [{_ALL}, {_ALL}, {_ALL}], iterator_types = ["parallel", "parallel"]
      }} ins(%kept, %scores : tensor<4x4xi1>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {{
      ^bb0(%t: i1, %x: {_SCALARS}):
        %s = arith.select %t, %x, %infinity : f32
        linalg.yield %s : f32
      }} -> tensor<4x4xf32>
      {_row("most", "masked", "0xFF800000", "arith.maximumf")}
      {_by_row("shifted", "masked", "most", "arith.subf")}
      %powers = math.exp %shifted : tensor<4x4xf32>
      {_row("total", "powers", "0.0", "arith.addf")}
      {_by_row("weights", "powers", "total", "arith.divf")}
      %r = linalg.matmul ins(%weights, %v : tensor<4x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<4x4xf32>)
        -> tensor<4x4xf32>
      return %r : tensor<4x4xf32>
    }}"""
    found = live_of(text, "%r", assume_finite=True)
    assert enumerate_set(found.points) == {(m, n, k) for m, n, k in product(range(4), repeat=3) if k <= m}
    assert found.needs == {"nnan", "ninf"}
    assert live_of(text, "%r").is_everything  # -inf - -inf is NaN
    lost = text.replace("dense<true>", "dense<false>")
    assert live_of(lost, "%masked").points.is_equal(live_of(lost, "%masked").domain)


def test_a_causal_mask_of_a_sequence_of_unknown_length() -> None:
    """Positions count up from 0, rows are compared with columns, and a unit dimension goes by a reshape."""
    text = """
    func.func @f(%scores: tensor<1x?x?xf32>, %v: tensor<?x4xf32>, %init: tensor<?x4xf32>) -> tensor<?x4xf32> {
      %c1 = arith.constant 1 : index
      %no = arith.constant 0 : i64
      %zero = arith.constant 0.0 : f32
      %n = tensor.dim %scores, %c1 : tensor<1x?x?xf32>
      %ni = arith.index_cast %n : index to i64
      %e = tensor.empty(%n) : tensor<?xi64>
      %at = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%e : tensor<?xi64>) {
      ^bb0(%o: i64):
        %i = linalg.index 0 : index
        %k = arith.index_cast %i : index to i64
        linalg.yield %k : i64
      } -> tensor<?xi64>
      %row = tensor.expand_shape %at [[0, 1]] output_shape [1, %n] : tensor<?xi64> into tensor<1x?xi64>
      %column = tensor.expand_shape %at [[0, 1]] output_shape [%n, 1] : tensor<?xi64> into tensor<?x1xi64>
      %s = tensor.empty(%n, %n) : tensor<?x?xf32>
      %s3 = tensor.empty(%n, %n) : tensor<1x?x?xf32>
      %masked = linalg.generic {
        indexing_maps = [affine_map<(b, i, j) -> (0, j)>, affine_map<(b, i, j) -> (i, 0)>,
          affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
        iterator_types = ["parallel", "parallel", "parallel"]
      } ins(%row, %column, %scores : tensor<1x?xi64>, tensor<?x1xi64>, tensor<1x?x?xf32>)
        outs(%s3 : tensor<1x?x?xf32>) {
      ^bb0(%j: i64, %i: i64, %x: f32, %o: f32):
        %d = arith.subi %j, %i : i64
        %c = arith.cmpi sle, %d, %no : i64
        %t = arith.select %c, %x, %zero : f32
        linalg.yield %t : f32
      } -> tensor<1x?x?xf32>
      %shape = tensor.from_elements %ni, %ni : tensor<2xi64>
      %m = tensor.reshape %masked(%shape) : (tensor<1x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
      %r = linalg.matmul ins(%m, %v : tensor<?x?xf32>, tensor<?x4xf32>) outs(%init : tensor<?x4xf32>)
        -> tensor<?x4xf32>
      return %r : tensor<?x4xf32>
    }"""
    found = live_of(text, "%r", assume_finite=True)
    assert not found.is_everything
    assert found.points.is_subset(isl.Set("{ [m, n, k] : k <= m }"))
    assert found.dead.is_subset(isl.Set("{ [m, n, k] : k > m }"))


def test_a_constant_truth_is_one() -> None:
    """`x and true` is x: every element of the mask that the indices admit is data."""
    text = """
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %all = arith.constant dense<true> : tensor<4x4xi1>
      %e = tensor.empty() : tensor<4x4xf32>
      %zero = arith.constant 0.0 : f32
      %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%all, %a : tensor<4x4xi1>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
      ^bb0(%t: i1, %x: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %c = arith.cmpi sge, %i, %j : index
        %both = arith.andi %c, %t : i1
        %s = arith.select %both, %x, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x4xf32>
      return %r : tensor<4x4xf32>
    }"""
    regions = volcli.loads(text).function("f").regions("%r").regions
    assert [(region.kind, region.count) for region in regions] == [("dense", 10), ("static", 6)]


@pytest.mark.parametrize(
    ("operation", "padding", "is_live"),
    [
        ("arith.maximumf", "0xFF800000", lambda i: 1 <= i < 5),
        ("arith.minimumf", "0x7F800000", lambda i: 1 <= i < 5),
        ("arith.maximumf", "0x7F800000", lambda i: True),
        ("arith.maximumf", "0.0", lambda i: True),
        ("arith.maxnumf", "0xFF800000", lambda i: True),  # of NaN and -inf that is -inf
        ("arith.addf", "0xFF800000", lambda i: True),
        ("arith.addf", "-0.0", lambda i: 1 <= i < 5),
    ],
)
def test_extrema_do_not_change_by_the_infinity_below(
    operation: str, padding: str, is_live: Callable[[int], bool]
) -> None:
    text = f"""
    func.func @f(%a: tensor<4xf32>, %init: tensor<f32>) -> tensor<f32> {{
      %c = arith.constant {padding} : f32
      %z = tensor.pad %a low[1] high[2] {{
      ^bb0(%i: index):
        tensor.yield %c : f32
      }} : tensor<4xf32> to tensor<7xf32>
      %r = linalg.generic {{
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]
      }} ins(%z : tensor<7xf32>) outs(%init : tensor<f32>) {{
      ^bb0(%x: f32, %acc: f32):
        %s = {operation} %acc, %x : f32
        linalg.yield %s : f32
      }} -> tensor<f32>
      return %r : tensor<f32>
    }}"""
    assert enumerate_set(live_of(text, "%r").points) == {(i,) for i in range(7) if is_live(i)}
