"""stablehlo: maps and sizes by enumeration, both forms of its syntax, zeros through its operations."""

from __future__ import annotations

import random

import islpy as isl
import numpy as np
import pytest

import volcli
from tests.dialects.arrays import array, at, function, kind
from tests.oracles.contents.judge import judge
from tests.shared.enumeration import points_of
from volcli.execution.runs.inputs import Inputs
from volcli.facts.maps import MapFact
from volcli.testing import check, check_execution, computed_from

SEEDS = range(6)


def on_x(op: str, x: list[int], r: list[int], more: str = "") -> str:
    return function(f"%x: {kind(x)}{more}", f"  %r = stablehlo.{op} : ({kind(x)}) -> {kind(r)}", kind(r))


SAME = function("%x: tensor<2x3xf32>, %y: tensor<2x3xf32>", "  %r = {} : tensor<2x3xf32>", "tensor<2x3xf32>")


@pytest.mark.parametrize("name", ["add", "multiply", "power", "maximum"])
def test_two_operands(name: str) -> None:
    check_execution(SAME.replace("{}", f"stablehlo.{name} %x, %y"))


@pytest.mark.parametrize("name", ["abs", "exponential", "cosine"])
def test_one_operand(name: str) -> None:
    check_execution(SAME.replace("{}", f"stablehlo.{name} %x"))


def test_not() -> None:
    check(SAME.replace("{}", "stablehlo.not %x"), lambda x: x)


def test_one_number_for_all() -> None:
    arguments = "%p: tensor<i1>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>"
    op = "  %r = stablehlo.select %p, %x, %y : tensor<i1>, tensor<2x3xf32>"
    text = function(arguments, op, "tensor<2x3xf32>")
    check(text, lambda p, x, y: array([2, 3], lambda r: computed_from(p, at(x, r), at(y, r))))
    op = "  %r = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"
    check_execution(function(arguments, op, "tensor<2x3xf32>"))


@pytest.mark.parametrize("number", [0, 1, 2, 5, -1])
@pytest.mark.parametrize("regions", [1, 2, 3])
def test_a_case_by_a_constant_is_the_region_of_its_number(number: int, regions: int) -> None:
    """The last region is that of all numbers without one."""
    names = ("a", "b", "c")[:regions]
    kinds = ", ".join(f"%{name}: tensor<2xf32>" for name in names)
    branches = ", ".join(f"{{ stablehlo.return %{name} : tensor<2xf32> }}" for name in names)
    body = f"""  %i = stablehlo.constant dense<{number}> : tensor<i32>
      %r = "stablehlo.case"(%i) ({branches}) : (tensor<i32>) -> tensor<2xf32>"""
    exact, _ = judge(function(kinds, body, "tensor<2xf32>"), {f"%{name}": (2,) for name in names})
    assert exact == 1


def test_a_case_by_data_reads_each_region_and_its_number() -> None:
    branches = ", ".join(f"{{ stablehlo.return %{name} : tensor<2xf32> }}" for name in "aba")
    body = f'  %r = "stablehlo.case"(%i) ({branches}) : (tensor<i32>) -> tensor<2xf32>'
    text = function("%i: tensor<i32>, %a: tensor<2xf32>, %b: tensor<2xf32>", body, "tensor<2xf32>")
    (fact,) = volcli.loads(text).run("element-maps").facts
    assert isinstance(fact, MapFact)
    assert fact.exact
    assert fact.map is not None
    assert fact.map.is_equal(
        isl.UnionMap("{ r[d] -> a[d] : 0 <= d < 2; r[d] -> b[d] : 0 <= d < 2; r[d] -> i[] : 0 <= d < 2 }")
    )


def test_compare_and_convert() -> None:
    op = "  %r = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"
    check_execution(function("%x: tensor<2xf32>, %y: tensor<2xf32>", op, "tensor<2xi1>"))
    op = "  %r = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi32>"
    check_execution(function("%x: tensor<2xf32>", op, "tensor<2xi32>"))


def test_iota_reads_nothing() -> None:
    check_execution(function("", "  %r = stablehlo.iota dim = 1 : tensor<2x3xi32>", "tensor<2x3xi32>"))


@pytest.mark.parametrize("dims", [(0, 2), (2, 0), (1, 2)])
def test_broadcast_in_dim(dims: tuple[int, int]) -> None:
    check_execution(on_x(f"broadcast_in_dim %x, dims = {list(dims)}", [1, 2], [2, 2, 2]))


def test_reshape() -> None:
    check_execution(on_x("reshape %x", [2, 6], [3, 4]))


@pytest.mark.parametrize("dims", [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
def test_transpose(dims: tuple[int, ...]) -> None:
    x = [2, 3, 4]
    check_execution(on_x(f"transpose %x, dims = {list(dims)}", x, [x[d] for d in dims]))


def test_reverse() -> None:
    check_execution(SAME.replace("{}", "stablehlo.reverse %x, dims = [0, 1]"))


def test_concatenate() -> None:
    kinds = "tensor<2x1xf32>, tensor<2x2xf32>"
    op = f"  %r = stablehlo.concatenate %x, %y, dim = 1 : ({kinds}) -> tensor<2x3xf32>"
    check_execution(function("%x: tensor<2x1xf32>, %y: tensor<2x2xf32>", op, "tensor<2x3xf32>"))


@pytest.mark.parametrize("seed", SEEDS)
def test_slice(seed: int) -> None:
    draw = random.Random(seed)
    x = [draw.randint(3, 6) for _ in range(2)]
    start = [draw.randint(0, 1) for _ in x]
    limit = [draw.randint(2, n) for n in x]
    stride = [draw.randint(1, 3) for _ in x]
    r = [len(range(*each)) for each in zip(start, limit, stride, strict=True)]
    ranges = ", ".join(f"{a}:{b}:{c}" for a, b, c in zip(start, limit, stride, strict=True))
    check_execution(on_x(f"slice %x [{ranges}]", x, r))


@pytest.mark.parametrize("seed", range(12))
def test_pad(seed: int) -> None:
    draw = random.Random(seed)
    n, low, high, interior = draw.randint(1, 4), draw.randint(-1, 2), draw.randint(-1, 2), draw.randint(0, 2)
    high = max(high, 1 - low - n - (n - 1) * interior)
    r = n + (n - 1) * interior + low + high
    lists = f"low = [{low}], high = [{high}], interior = [{interior}]"
    op = f"  %r = stablehlo.pad %x, %c, {lists} : (tensor<{n}xf32>, tensor<f32>) -> tensor<{r}xf32>"
    check_execution(function(f"%x: tensor<{n}xf32>, %c: tensor<f32>", op, f"tensor<{r}xf32>"))


def test_dot_general() -> None:
    """A batch dimension that stands elsewhere on both sides, and two that are summed over."""
    lists = "batching_dims = [1] x [0], contracting_dims = [0, 3] x [3, 1]"
    a, b, r = [2, 2, 3, 2], [2, 2, 1, 2], [2, 3, 1]
    op = f"  %r = stablehlo.dot_general %a, %b, {lists} : ({kind(a)}, {kind(b)}) -> {kind(r)}"
    check_execution(function(f"%a: {kind(a)}, %b: {kind(b)}", op, kind(r)))


@pytest.mark.sample(4)
@pytest.mark.parametrize("dims", [(0,), (1,), (0, 2), (0, 1, 2)])
@pytest.mark.parametrize("name", ["add", "maximum", "multiply"])
def test_reduce(name: str, dims: tuple[int, ...]) -> None:
    x = [2, 3, 2]
    r = [n for d, n in enumerate(x) if d not in dims]
    kinds = f"({kind(x)}, tensor<f32>) -> {kind(r)}"
    op = f"  %r = stablehlo.reduce(%x init: %c) applies stablehlo.{name} across dimensions = {list(dims)} : {kinds}"

    check_execution(function(f"%x: {kind(x)}, %c: tensor<f32>", op, kind(r)))


def test_a_reduction_of_two_at_once() -> None:
    op = """  %r:2 = stablehlo.reduce(%x init: %c), (%y init: %c) across dimensions = [0] : (tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%u: tensor<f32>, %v: tensor<f32>) {
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s, %u : tensor<f32>, tensor<f32>
  }"""
    text = f"func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %c: tensor<f32>) {{\n{op}\n  return\n}}\n"
    check(text, lambda x, y, c, d: (x[0] + x[1] + c, computed_from(d)))


@pytest.mark.parametrize("seed", range(16))
def test_convolution(seed: int) -> None:
    draw = random.Random(seed)
    groups = draw.choice((1, 1, 2))
    x = [draw.randint(1, 2), draw.randint(2, 4), draw.randint(2, 4), groups * draw.randint(1, 2)]
    w = [draw.randint(1, 2), draw.randint(1, 3), x[3] // groups, groups * draw.randint(1, 2)]
    window = {
        "stride": [draw.randint(1, 2) for _ in range(2)],
        "low": [draw.randint(-1, 2) for _ in range(2)],
        "high": [draw.randint(0, 2) for _ in range(2)],
        "lhs_dilate": [draw.choice((1, 1, 2, 3)) for _ in range(2)],
        "rhs_dilate": [draw.randint(1, 2) for _ in range(2)],
        "reverse": [draw.randint(0, 1) for _ in range(2)],
    }
    spatial: list[int] = []
    for d in range(2):
        length = (x[1 + d] - 1) * window["lhs_dilate"][d] + 1 + window["low"][d] + window["high"][d]
        taps = (w[d] - 1) * window["rhs_dilate"][d] + 1
        if length < taps:
            window["high"][d] += taps - length
            length = taps
        spatial.append((length - taps) // window["stride"][d] + 1)
    sizes = [x[0], *spatial, w[3]]
    pad = [list(pair) for pair in zip(window["low"], window["high"], strict=True)]
    flags = ["true" if flag else "false" for flag in window["reverse"]]
    words = f"stride = {window['stride']}, pad = {pad}, lhs_dilate = {window['lhs_dilate']}"
    words += f", rhs_dilate = {window['rhs_dilate']}, reverse = [{', '.join(flags)}]"
    counts = f"batch_group_count = 1 : i64, feature_group_count = {groups} : i64"
    kinds = f"({kind(x)}, {kind(w)}) -> {kind(sizes)}"
    dims = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
    op = f"  %r = stablehlo.convolution(%x, %w) dim_numbers = {dims}, window = {{{words}}} {{{counts}}} : {kinds}"
    check_execution(function(f"%x: {kind(x)}, %w: {kind(w)}", op, kind(sizes)))


PROGRAM = """\
func.func @f(%a: tensor<2x3xf32>, %s: tensor<f32>, %l: tensor<2x3x4xf32>, %m: tensor<2x4x5xf32>, %x: tensor<1x5x2xf32>, %w: tensor<2x2x4xf32>) {
  %0 = stablehlo.add %a, %a {note} : tensor<2x3xf32>
  %1 = stablehlo.compare LT, %a, %0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %2 = stablehlo.select %1, %a, %0 : tensor<2x3xi1>, tensor<2x3xf32>
  %3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %4 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %5 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %6 = stablehlo.pad %a, %3, low = [1, 0], high = [0, -1], interior = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x2xf32>
  %7 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %8 = stablehlo.dot_general %l, %m, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %9 = stablehlo.reduce(%a init: %3) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %10 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 0]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x2xf32>, tensor<2x2x4xf32>) -> tensor<1x3x4xf32>
  %11 = stablehlo.reverse %a, dims = [0, 1] : tensor<2x3xf32>
  %12:2 = stablehlo.reduce(%a init: %3), (%0 init: %s) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
   reducer(%u: tensor<f32>, %v: tensor<f32>) (%p: tensor<f32>, %q: tensor<f32>) {
    %t = stablehlo.multiply %u, %v : tensor<f32>
    stablehlo.return %t, %p : tensor<f32>, tensor<f32>
  }
  return
}"""


def test_its_syntax_is_a_fixed_point_of_printing() -> None:
    program = volcli.loads(PROGRAM, via="xdsl")
    assert program.diagnostics == []
    assert program.text("none", reprint=True).strip() == PROGRAM


def test_the_generic_form_is_the_same_program() -> None:
    generic = volcli.loads(PROGRAM, via="xdsl").text("none", generic=True)
    assert "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0]" in generic
    assert "#stablehlo<precision HIGHEST>" in generic
    again = volcli.loads(generic, via="xdsl")
    assert again.diagnostics == []
    lines = [line.strip() for line in again.text("none", reprint=True).splitlines()]
    assert [line.strip() for line in PROGRAM.splitlines()] == lines[1:-1]


def test_what_is_not_declared_is_unknown_and_not_an_error() -> None:
    text = 'func.func @f(%x: tensor<4xf32>) {\n  %r = "stablehlo.cholesky"(%x) : (tensor<4xf32>) -> tensor<4xf32>\n  return\n}'
    assert {one.code for one in volcli.loads(text, via="xdsl").run("element-maps{of=%r}").diagnostics} == {
        "V301"
    }


ZERO = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
PADDED = ZERO + (
    "  %q = stablehlo.pad %x, %z, low = [1], high = [1], interior = [0] : (tensor<2xf32>, tensor<f32>)"
    " -> tensor<4xf32>\n"
)
ZEROS = {
    "multiply": (PADDED + "  %r = stablehlo.multiply %q, %y : tensor<4xf32>", {(0,), (3,)}),
    "add": (PADDED + "  %r = stablehlo.add %q, %q : tensor<4xf32>", {(0,), (3,)}),
    "cosine": (PADDED + "  %r = stablehlo.cosine %q : tensor<4xf32>", set[tuple[int, ...]]()),
    "sums": (
        PADDED + "  %m = stablehlo.reshape %q : (tensor<4xf32>) -> tensor<4x1xf32>\n"
        "  %r = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [1] : "
        "(tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>",
        {(0,), (3,)},
    ),
    "sums from one on": (
        PADDED + "  %one = stablehlo.constant dense<1.0> : tensor<f32>\n"
        "  %m = stablehlo.reshape %q : (tensor<4xf32>) -> tensor<4x1xf32>\n"
        "  %r = stablehlo.reduce(%m init: %one) applies stablehlo.add across dimensions = [1] : "
        "(tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>",
        set[tuple[int, ...]](),
    ),
    "products": (
        PADDED + "  %m = stablehlo.reshape %q : (tensor<4xf32>) -> tensor<4x1xf32>\n"
        "  %n = stablehlo.reshape %y : (tensor<4xf32>) -> tensor<1x4xf32>\n"
        "  %o = stablehlo.dot_general %m, %n, contracting_dims = [1] x [0] : "
        "(tensor<4x1xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>\n"
        "  %p = stablehlo.slice %o [0:4, 0:1] : (tensor<4x4xf32>) -> tensor<4x1xf32>\n"
        "  %r = stablehlo.reshape %p : (tensor<4x1xf32>) -> tensor<4xf32>",
        {(0,), (3,)},
    ),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", list(ZEROS))
def test_zeros_come_through(name: str) -> None:
    body, zeros = ZEROS[name]
    text = function("%x: tensor<2xf32>, %y: tensor<4xf32>", body, "tensor<4xf32>")
    (fact,) = volcli.loads(text).run("sparsity-regions{of=%r}").facts
    found = [points_of(isl.Set(row["set"])) for row in fact.to_json()["regions"] if row.get("zero")]
    assert set().union(*found) == zeros


@pytest.mark.parametrize(("x", "r"), [("2x3xf32", "2x3xi32"), ("2x3xf64", "2x3x2xi32"), ("2x4xi8", "2xi32")])
def test_bits_of_elements(x: str, r: str) -> None:
    op = f"  %r = stablehlo.bitcast_convert %x : (tensor<{x}>) -> tensor<{r}>"
    text = function(f"%x: tensor<{x}>", op, f"tensor<{r}>")
    if x == "2x3xf32":
        check_execution(text)
    elif x == "2x3xf64":
        check(text, reads=lambda r: [("x", r[:2])])
    else:
        check(text, reads=lambda r: [("x", (r[0], k)) for k in range(4)])


def test_numbers_of_fewer_bits() -> None:
    op = "  %r = stablehlo.reduce_precision %x, format = e5m2 : tensor<7xf32>"
    text = function("%x: tensor<7xf32>", op, "tensor<7xf32>")
    check_execution(text)
    given = np.array([1.125, 1.375, 65536.0, -65536.0, 2.0**-15, -0.0, 57344.0])
    ran = volcli.loads(text).function("f").run(Inputs(elements={"x": given}))
    assert str(np.asarray(ran.results[0]).tolist()) == "[1.0, 1.5, inf, -inf, 0.0, -0.0, 57344.0]"
