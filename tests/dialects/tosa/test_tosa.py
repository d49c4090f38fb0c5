"""tosa: maps and sizes by enumeration, syntax and shapes by mlir-opt, zeros through the layers."""

from __future__ import annotations

import random
import subprocess
from typing import Any

import islpy as isl
import pytest

import volcli
from tests.dialects.arrays import Array, array, at, broadcast, function, kind
from tests.shared.enumeration import Function, pairs_of, points_of
from volcli.testing import check, check_execution, computed_from

SEEDS = range(6)
ZEROS = """\
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
"""


def shape_of(name: str, numbers: list[int]) -> str:
    values = ", ".join(map(str, numbers))
    count = len(numbers)
    return f"  %{name} = tosa.const_shape {{values = dense<[{values}]> : tensor<{count}xindex>}} : () -> !tosa.shape<{count}>\n"


def one(name: str, x: list[int], r: list[int], attributes: str = "") -> str:
    """An operation with one operand."""
    op = f"  %r = tosa.{name} %x {attributes} : ({kind(x)}) -> {kind(r)}"
    return function(f"%x: {kind(x)}", op, kind(r))


def listed(name: str, numbers: tuple[int, ...], width: str = "i64") -> str:
    return f"{name} = array<{width}: {', '.join(map(str, numbers))}>"


@pytest.mark.parametrize("seed", SEEDS)
def test_broadcasting(seed: int) -> None:
    draw = random.Random(seed)
    sizes = [draw.randint(1, 3) for _ in range(draw.randint(1, 3))]
    a, b = ([draw.choice((1, n)) for n in sizes] for _ in range(2))
    sizes = [max(pair) for pair in zip(a, b, strict=True)]
    arguments = f"%a: {kind(a)}, %b: {kind(b)}"
    op = f"  %r = tosa.sub %a, %b : ({kind(a)}, {kind(b)}) -> {kind(sizes)}"
    check_execution(function(arguments, op, kind(sizes)))


def test_select_and_products_are_broadcast() -> None:
    arguments = "%c: tensor<1x3xi1>, %a: tensor<2x1xf32>, %b: tensor<1x1xf32>, %s: tensor<1xi8>"
    types = "tensor<1x3xi1>, tensor<2x1xf32>, tensor<1x1xf32>"
    op = f"  %r = tosa.select %c, %a, %b : ({types}) -> tensor<2x3xf32>"
    check(function(arguments, op, "tensor<2x3xf32>"), lambda c, a, b: broadcast([2, 3], c, a, b))
    op = "  %r = tosa.mul %a, %b, %s : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>"
    check(function(arguments, op, "tensor<2x1xf32>"), lambda a, b, s: broadcast([2, 1], a, b))


def test_a_size_that_may_be_one_is_broadcast_or_not() -> None:
    """`?` beside 3 is 1 or 3: element r is computed from x[min(r, n - 1)]."""
    op = "  %r = tosa.add %x, %y : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>"
    text = function("%x: tensor<?xf32>, %y: tensor<3xf32>", op, "tensor<3xf32>")
    program = volcli.loads(text).run("infer-shapes,element-maps{of=%r}")
    assert [one.code for one in program.diagnostics] == []
    (unit,) = program.units
    (model,) = unit.models()
    value = unit.parsed.names.find(model.function, "%r")
    assert value is not None
    for n in (1, 3):
        maps = model.maps.of_operation(value)
        (own,) = [each for use, each in maps.targets.items() if model.name_of(use.volume) == "%x"]
        assert maps.inexact is None
        assert pairs_of(own, x_d0=n) == {((r,), (min(r, n - 1),)) for r in range(3)}


@pytest.mark.sample(4)
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_max", "reduce_min", "reduce_product", "argmax"])
def test_reductions(name: str, axis: int) -> None:
    x = [2, 3, 2]
    kept = [1 if d == axis else n for d, n in enumerate(x)]
    wanted = [n for d, n in enumerate(x) if d != axis] if name == "argmax" else kept

    element = "i32" if name == "argmax" else "f32"
    op = f"  %r = tosa.{name} %x {{axis = {axis} : i32}} : ({kind(x)}) -> {kind(wanted, element)}"
    text = function(f"%x: {kind(x)}", op, kind(wanted, element))
    if name == "argmax":
        check(text, lambda v: array(wanted, lambda r: computed_from(
            *(at(v, (*r[:axis], k, *r[axis:])) for k in range(x[axis])))))  # fmt: skip
    else:
        check_execution(text)


def test_matmul() -> None:
    a, b = [2, 2, 3], [2, 3, 2]
    kinds = f"{kind(a)}, {kind(b)}, tensor<1xf32>, tensor<1xf32>"
    op = f"  %r = tosa.matmul %a, %b, %z, %z : ({kinds}) -> tensor<2x2x2xf32>"
    check_layer(function(f"%a: {kind(a)}, %b: {kind(b)}", ZEROS + op, "tensor<2x2x2xf32>"))


def test_a_matrix_times_itself() -> None:
    """One value, and two elements of it in each product."""
    kinds = "tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>"
    op = f"  %r = tosa.matmul %a, %a, %z, %z : ({kinds}) -> tensor<1x2x2xf32>"
    check_layer(function("%a: tensor<1x2x2xf32>", ZEROS + op, "tensor<1x2x2xf32>"))


def check_layer(text: str) -> None:
    """What TEXT computes is what its case says, in which the zero points, which are known, are not read."""
    check_execution(text)
    assert "z" not in {volume for _, volume, _ in Function(text).reads("%r")}


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["conv2d", "depthwise_conv2d"])
def test_convolutions(name: str, seed: int) -> None:
    draw = random.Random(seed)
    x = [1, draw.randint(3, 4), draw.randint(3, 4), draw.randint(1, 2)]
    taps = [draw.randint(1, 2), draw.randint(1, 3)]
    stride, dilation = ((draw.randint(1, 2), draw.randint(1, 2)) for _ in range(2))
    stride, dilation = tuple(stride), tuple(dilation)
    pad = [draw.randint(0, 2) for _ in range(4)]
    windows: list[int] = []
    for d in range(2):
        span = x[1 + d] - 1 + pad[2 * d] + pad[2 * d + 1] - (taps[d] - 1) * dilation[d]
        pad[2 * d + 1] += -span % stride[d] if span >= 0 else -span
        span = x[1 + d] - 1 + pad[2 * d] + pad[2 * d + 1] - (taps[d] - 1) * dilation[d]
        windows.append(span // stride[d] + 1)
    filters = 2
    w = [*taps, x[3], filters] if name == "depthwise_conv2d" else [filters, *taps, x[3]]
    outputs = x[3] * filters if name == "depthwise_conv2d" else filters
    sizes = [1, *windows, outputs]
    bias = draw.choice((1, outputs))
    attributes = f"acc_type = f32, {listed('pad', tuple(pad))}, {listed('stride', stride)}, {listed('dilation', dilation)}"
    kinds = f"{kind(x)}, {kind(w)}, {kind([bias])}, tensor<1xf32>, tensor<1xf32>"
    op = f"  %r = tosa.{name} %x, %w, %b, %z, %z {{{attributes}}} : ({kinds}) -> {kind(sizes)}"
    arguments = f"%x: {kind(x)}, %w: {kind(w)}, %b: {kind([bias])}"
    check_layer(function(arguments, ZEROS + op, kind(sizes)))


def test_conv3d() -> None:
    x, w = [1, 2, 3, 2, 1], [1, 2, 2, 1, 1]
    pads = listed("pad", (1, 0, 0, 0, 0, 0))
    attributes = f"acc_type = f32, {pads}, {listed('stride', (1, 1, 2))}, {listed('dilation', (1, 1, 1))}"
    kinds = f"{kind(x)}, {kind(w)}, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>"
    sizes = [1, 2, 2, 1, 1]
    attributes = attributes.replace("array<i64: 1, 1, 2>", "array<i64: 1, 1, 1>")
    sizes = [1, 2, 2, 2, 1]
    op = f"  %r = tosa.conv3d %x, %w, %b, %z, %z {{{attributes}}} : ({kinds}) -> {kind(sizes)}"

    arguments = f"%x: {kind(x)}, %w: {kind(w)}, %b: tensor<1xf32>"
    check_layer(function(arguments, ZEROS + op, kind(sizes)))


@pytest.mark.parametrize("stride", [(1, 1), (2, 1), (2, 3)])
@pytest.mark.parametrize("pad", [(0, 0, 0, 0), (1, 0, 0, 1)])
def test_transpose_conv2d(stride: tuple[int, int], pad: tuple[int, ...]) -> None:
    x, w = [1, 2, 3, 1], [2, 2, 2, 1]
    spatial = [(x[1 + d] - 1) * stride[d] + w[1 + d] + pad[2 * d] + pad[2 * d + 1] for d in range(2)]
    sizes = [1, *spatial, 2]

    attributes = f"acc_type = f32, {listed('out_pad', pad)}, {listed('stride', stride)}"
    kinds = f"{kind(x)}, {kind(w)}, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>"
    op = f"  %r = tosa.transpose_conv2d %x, %w, %b, %z, %z {{{attributes}}} : ({kinds}) -> {kind(sizes)}"
    check_layer(function(f"%x: {kind(x)}, %w: {kind(w)}, %b: tensor<2xf32>", ZEROS + op, kind(sizes)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["max_pool2d", "avg_pool2d"])
def test_pooling(name: str, seed: int) -> None:
    draw = random.Random(seed)
    x = [1, draw.randint(3, 5), draw.randint(3, 5), 2]
    kernel, stride = ((draw.randint(1, 3), draw.randint(1, 3)) for _ in range(2))
    kernel, stride = tuple(kernel), tuple(stride)
    pad = [draw.randint(0, kernel[d // 2] - 1) for d in range(4)]
    spans = [x[1 + d] + pad[2 * d] + pad[2 * d + 1] - kernel[d] for d in range(2)]
    sizes = [1, *(spans[d] // stride[d] + 1 for d in range(2)), 2]

    attributes = f"{listed('kernel', kernel)}, {listed('stride', stride)}, {listed('pad', tuple(pad))}"
    if name == "max_pool2d":
        check_execution(one(name, x, sizes, f"{{{attributes}}}"))
        return
    kinds = f"{kind(x)}, tensor<1xf32>, tensor<1xf32>"
    op = f"  %r = tosa.avg_pool2d %x, %z, %z {{acc_type = f32, {attributes}}} : ({kinds}) -> {kind(sizes)}"
    check_layer(function(f"%x: {kind(x)}", ZEROS + op, kind(sizes)))


def test_pad() -> None:
    body = ZEROS + shape_of("p", [1, 0, 2, 1])
    op = "  %r = tosa.pad %x, %p, %z : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x6xf32>"

    def padded(x: Array, _: object, z: Array) -> Array:
        def element(r: tuple[int, ...]) -> Any:
            i, j = r[0] - 1, r[1] - 2
            return x[i][j] if 0 <= i < 2 and 0 <= j < 3 else z[0]

        return array([3, 6], element)

    check(function("%x: tensor<2x3xf32>", body + op, "tensor<3x6xf32>"), padded)


def test_slice() -> None:
    body = shape_of("s", [1, 2]) + shape_of("n", [2, 3])
    op = "  %r = tosa.slice %x, %s, %n : (tensor<4x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>"
    check_execution(function("%x: tensor<4x6xf32>", body + op, "tensor<2x3xf32>"))


def test_reshape() -> None:
    op = "  %r = tosa.reshape %x, %s : (tensor<2x6xf32>, !tosa.shape<3>) -> tensor<3x1x4xf32>"
    check_execution(function("%x: tensor<2x6xf32>", shape_of("s", [3, 1, 4]) + op, "tensor<3x1x4xf32>"))


@pytest.mark.parametrize("perms", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_transpose(perms: tuple[int, ...]) -> None:
    x = [2, 3, 4]
    wanted = [x[p] for p in perms]
    check_execution(one("transpose", x, wanted, f"{{{listed('perms', perms, 'i32')}}}"))


def test_concat() -> None:
    kinds = "tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>"
    op = f"  %r = tosa.concat %x, %y, %x {{axis = 1 : i32}} : ({kinds}) -> tensor<2x4xf32>"
    check_execution(function("%x: tensor<2x1xf32>, %y: tensor<2x2xf32>", op, "tensor<2x4xf32>"))


def test_tile() -> None:
    op = "  %r = tosa.tile %x, %m : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x9xf32>"
    check_execution(function("%x: tensor<2x3xf32>", shape_of("m", [2, 3]) + op, "tensor<4x9xf32>"))


def test_reverse() -> None:
    check_execution(one("reverse", [2, 3], [2, 3], "{axis = 1 : i32}"))


@pytest.mark.parametrize("name", ["cast", "identity", "abs", "tanh"])
def test_one_to_one(name: str) -> None:
    check_execution(one(name, [2, 3], [2, 3]))


def test_rescale() -> None:
    flags = "input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = SINGLE_ROUND, scale32 = true"
    kinds = "tensor<2x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>"
    op = f"  %r = tosa.rescale %x, %m, %s, %i, %o {{{flags}}} : ({kinds}) -> tensor<2x3xi8>"
    names = zip("xmsio", kinds.split(", "), strict=True)
    text = function(", ".join(f"%{name}: {each}" for name, each in names), op, "tensor<2x3xi8>")
    check(
        text, lambda x, m, s, i, o: array([2, 3], lambda r: x[r[0]][r[1]] * m[r[1]] + s[r[1]] + i[0] + o[0])
    )


def test_gather_reads_some_row() -> None:
    op = "  %r = tosa.gather %v, %i : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>"
    text = function("%v: tensor<1x3x2xf32>, %i: tensor<1x2xi32>", op, "tensor<1x2x2xf32>")
    check(text, lambda v, i: array([1, 2, 2], lambda r: v[0][0][r[2]] + i[0][r[1]]), exact=False)


ZERO_REGIONS = {
    "a padded product": (
        ZEROS + shape_of("p", [1, 1]) + "  %q = tosa.pad %x, %p, %z : (tensor<2xf32>, !tosa.shape<2>, tensor<1xf32>)"
        " -> tensor<4xf32>\n  %s = \"tosa.const\"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n"
        "  %r = tosa.mul %q, %y, %s : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>",
        {(0,), (3,)},
    ),
    "a padded sum": (
        ZEROS + shape_of("p", [1, 1]) + "  %q = tosa.pad %x, %p, %z : (tensor<2xf32>, !tosa.shape<2>, tensor<1xf32>)"
        " -> tensor<4xf32>\n  %r = tosa.add %q, %q : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        {(0,), (3,)},
    ),
    "a padded exponential": (
        ZEROS + shape_of("p", [1, 1]) + "  %q = tosa.pad %x, %p, %z : (tensor<2xf32>, !tosa.shape<2>, tensor<1xf32>)"
        " -> tensor<4xf32>\n  %r = tosa.exp %q : (tensor<4xf32>) -> tensor<4xf32>",
        set[tuple[int, ...]](),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(ZERO_REGIONS))
def test_zeros_come_through(name: str) -> None:
    body, zeros = ZERO_REGIONS[name]
    text = function("%x: tensor<2xf32>, %y: tensor<4xf32>", body, "tensor<4xf32>")
    program = volcli.loads(text).run("sparsity-regions{of=%r}")
    (fact,) = program.facts
    regions = fact.to_json()["regions"]
    found = [points_of(isl.Set(region["set"])) for region in regions if region.get("zero")]
    assert set().union(*found) == zeros


def test_mlir_opt_reads_what_is_printed(mlir_opt: str) -> None:
    kinds = "tensor<2x3xf32>, tensor<1x3xf32>"
    body = (
        shape_of("s", [3, 2])
        + f"  %m = tosa.maximum %x, %y {{nan_mode = IGNORE}} : ({kinds}) -> tensor<2x3xf32>\n"
        + "  %c = tosa.clamp %m {max_val = 6.0 : f32, min_val = 0.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
        + "  %r = tosa.reshape %c, %s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>"
    )
    text = function("%x: tensor<2x3xf32>, %y: tensor<1x3xf32>", body, "tensor<3x2xf32>")
    printed = volcli.loads(text, via="xdsl").text("none", reprint=True)
    answers = [
        subprocess.run([mlir_opt], input=each, capture_output=True, text=True, check=True).stdout
        for each in (text, printed)
    ]
    assert answers[0] == answers[1]
    assert "{nan_mode = IGNORE}" in printed


def test_zero_points_of_integers_are_read() -> None:
    """And with those that are not known to be 0, a product with 0 is not 0."""
    kinds = "tensor<1x1x2xi8>, tensor<1x2x1xi8>, tensor<1xi8>, tensor<1xi8>"
    op = f"  %r = tosa.matmul %a, %b, %p, %q : ({kinds}) -> tensor<1x1x1xi32>"
    names = zip("abpq", kinds.split(", "), strict=True)
    text = function(", ".join(f"%{name}: {each}" for name, each in names), op, "tensor<1x1x1xi32>")
    check(text, lambda a, b, p, q: [[[sum(a[0][0][k] * b[0][k][0] for k in range(2)) + p[0] + q[0]]]])
    constant = '  %a = "tosa.const"() <{values = dense<0> : tensor<1x1x2xi8>}> : () -> tensor<1x1x2xi8>\n'
    zero = '  %p = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n'
    for known, zeros in (("", 0), (zero, 1)):
        arguments = "%b: tensor<1x2x1xi8>, %q: tensor<1xi8>" + ("" if known else ", %p: tensor<1xi8>")
        body = constant + known + op.replace("%q", "%p")
        (fact,) = (
            volcli.loads(function(arguments, body, "tensor<1x1x1xi32>")).run("sparsity-regions{of=%r}").facts
        )
        assert sum(bool(row.get("zero")) for row in fact.to_json()["regions"]) == zeros


ZERO_POINT = """
func.func @f(%x: tensor<1x2x4xi8>) -> tensor<1x2x2xi32> {
  %w = "tosa.const"() <{values = dense<[[[0, 0], [3, 3], [1, 0], [0, 3]]]> : tensor<1x4x2xi8>}>
      : () -> tensor<1x4x2xi8>
  %none = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %three = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.matmul %x, %w, %none, %three
      : (tensor<1x2x4xi8>, tensor<1x4x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
  return %r : tensor<1x2x2xi32>
}
"""


def test_weights_that_are_the_zero_point_are_structural_zeros() -> None:
    """Of 16 products 6 have one of the three weights 3, each for both rows."""
    (fact,) = volcli.loads(ZERO_POINT).run("structural-zeros").facts
    (row,) = fact.to_json()["live"]
    assert (fact.to_json()["multiplications"], row["zeros"], row["assumes"]) == (16, 6, [])
