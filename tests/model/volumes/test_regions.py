"""Sparsity regions: the numbers of erratum E000, partitions, and parametric regions at fixed parameters."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl
import pytest

from tests.shared.enumeration import Function, Point, box_points, function, points_of
from volcli.model.volumes.knowledge.regions import Region, reaching_all, regions


def regions_of(f: Function, name: str) -> list[Region]:
    value = f.value(name)
    return regions(f.model.flow.facts(value), f.model.volume(value).domain)


def counts(found: list[Region]) -> dict[tuple[str, int], int | None]:
    return {(r.kind, r.degree): r.count for r in found}


def is_partition(found: list[Region], domain: isl.Set) -> bool:
    union = domain.subtract(domain)
    for region in found:
        if region.points.is_empty() or not region.points.intersect(union).is_empty():
            return False
        union = union.union(region.points)
    return bool(union.is_equal(domain))


def layer(batch: int, channels: int, filters: int, size: str, out: str, window: int) -> str:
    pad = "515" if size == "512" else "?"
    init = (
        "%init = tensor.empty() : tensor<OUT>"
        if size == "512"
        else (
            "%c2 = arith.constant 2 : index\n%h = tensor.dim %ifm, %c2 : tensor<IN>\n"
            "%o = affine.apply affine_map<(d0) -> ((d0 - 2) floordiv 2 + 1)>(%h)\n"
            "%init = tensor.empty(%o, %o) : tensor<OUT>"
        )
    )
    inside = f"{batch}x{channels}x{size}x{size}xf32"
    padded = f"{batch}x{channels}x{pad}x{pad}xf32"
    result = f"{batch}x{filters}x{out}x{out}xf32"
    body = f"""
      %cst0 = arith.constant 0.0 : f32
      %pad0 = tensor.pad %ifm low[0, 0, 1, 1] high[0, 0, 2, 2] {{
      ^bb0(%n: index, %c: index, %hh: index, %ww: index): tensor.yield %cst0 : f32
      }} : tensor<{inside}> to tensor<{padded}>
      {init.replace("OUT", result).replace("IN", inside)}
      %zero = linalg.fill ins(%cst0 : f32) outs(%init : tensor<{result}>) -> tensor<{result}>
      %r = linalg.conv_2d_nchw_fchw {{dilations = dense<1> : tensor<2xi64>, strides = dense<2>
        : tensor<2xi64>}}
        ins(%pad0, %wgt : tensor<{padded}>, tensor<{filters}x{channels}x{window}x{window}xf32>)
        outs(%zero : tensor<{result}>) -> tensor<{result}>"""
    weights = f"tensor<{filters}x{channels}x{window}x{window}xf32>"
    return function(f"%ifm: tensor<{inside}>, %wgt: {weights}", body, f"%r : tensor<{result}>")


@pytest.mark.parametrize(("batch", "channels", "filters"), [(1, 1, 1), (1, 3, 8), (2, 3, 4)])
def test_the_layer_of_figure_1(batch: int, channels: int, filters: int) -> None:
    """Per (n, f) plane: 254 * 254 dense, 1,016 on edges, 4 in corners; nothing static (erratum E000-3)."""
    f = Function(layer(batch, channels, filters, "512", "256", 5))
    found = regions_of(f, "%r")
    planes = batch * filters
    assert counts(found) == {
        ("dense", 0): planes * 64516,
        ("sparse", 1): planes * 1016,
        ("sparse", 2): planes * 4,
    }
    domain = f.model.volume(f.value("%r")).domain
    assert is_partition(found, domain)
    dense = isl.Set(
        f"{{ [n, f, h, w] : 0 <= n < {batch} and 0 <= f < {filters} and 0 < h <= 254 and 0 < w <= 254 }}"
    )
    assert found[0].points.is_equal(dense)


def test_three_dimensions() -> None:
    """A 10^3 cube padded by 1 and a 3^3 window: 8^3 inside, then 6 faces, 12 edges, 8 corners."""
    body = """
      %z = arith.constant 0.0 : f32
      %p = tensor.pad %t low[1, 1, 1] high[1, 1, 1] {
      ^bb0(%i: index, %j: index, %k: index): tensor.yield %z : f32
      } : tensor<10x10x10xf32> to tensor<12x12x12xf32>
      %e = tensor.empty() : tensor<10x10x10xf32>
      %o = linalg.fill ins(%z : f32) outs(%e : tensor<10x10x10xf32>) -> tensor<10x10x10xf32>
      %r = linalg.conv_3d ins(%p, %w : tensor<12x12x12xf32>, tensor<3x3x3xf32>)
        outs(%o : tensor<10x10x10xf32>) -> tensor<10x10x10xf32>"""
    f = Function(
        function("%t: tensor<10x10x10xf32>, %w: tensor<3x3x3xf32>", body, "%r : tensor<10x10x10xf32>")
    )
    found = regions_of(f, "%r")
    assert counts(found) == {
        ("dense", 0): 8**3, ("sparse", 1): 6 * 8**2, ("sparse", 2): 12 * 8, ("sparse", 3): 8,
    }  # fmt: skip
    assert is_partition(found, f.model.volume(f.value("%r")).domain)


def test_a_pad_as_wide_as_the_window_has_static_elements() -> None:
    """Pad 3 on both sides of 4 elements, sum over a window of 3: the outer elements see constants only."""
    body = """
      %z = arith.constant 0.0 : f32
      %p = tensor.pad %t low[3] high[3] {
      ^bb0(%i: index): tensor.yield %z : f32
      } : tensor<4xf32> to tensor<10xf32>
      %e = tensor.empty() : tensor<8xf32>
      %o = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %w = tensor.empty() : tensor<3xf32>
      %r = linalg.pooling_ncw_sum ins(%p3, %w : tensor<1x1x10xf32>, tensor<3xf32>)
        outs(%o3 : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>"""
    body = body.replace(
        "%r = linalg.pooling",
        """%p3 = tensor.expand_shape %p [[0, 1, 2]] output_shape [1, 1, 10]
        : tensor<10xf32> into tensor<1x1x10xf32>
      %o3 = tensor.expand_shape %o [[0, 1, 2]] output_shape [1, 1, 8] : tensor<8xf32> into tensor<1x1x8xf32>
      %r = linalg.pooling""",
    )
    f = Function(function("%t: tensor<4xf32>", body, "%r : tensor<1x1x8xf32>"))
    found = {(r.kind, r.degree): {p[2] for p in points_of(r.points)} for r in regions_of(f, "%r")}
    reached = {w: [i for i in range(w, w + 3) if 3 <= i < 7] for w in range(8)}
    assert found[("static", 0)] == {w for w, inside in reached.items() if not inside}
    assert found[("dense", 0)] == {w for w, inside in reached.items() if len(inside) == 3}
    assert found[("sparse", 1)] == {w for w, inside in reached.items() if 0 < len(inside) < 3}
    assert [r.zero for r in regions_of(f, "%r") if r.kind == "static"] == [True]


def kinds(found: list[Region], **parameters: int) -> dict[Point, tuple[str, int, object]]:
    return {
        p: (r.kind, r.degree, [phase[1:] for phase in r.phase])
        for r in found
        for p in points_of(r.points, **parameters)
    }


def instance(text: str, sizes: dict[str, int]) -> str:
    for name, number in sizes.items():
        text = text.replace(f"@{name}@", str(number))
    return text


PADDED = """
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[@l@] high[@h@] {
  ^bb0(%i: index): tensor.yield %z : f32
  } : tensor<@n@xf32> to tensor<@s@xf32>
  %r = arith.addf %p, %b : tensor<@s@xf32>"""


def padded_instances() -> Iterator[tuple[int, int, int]]:
    yield from ((n, low, high) for n in (0, 1, 3) for low in (0, 1) for high in (0, 2))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("n", "low", "high"), list(padded_instances()))
def test_parametric_regions_are_those_of_every_instance(n: int, low: int, high: int) -> None:
    """Where the parameter makes the data or the padding vanish, too."""
    size = n + low + high
    fixed = instance(PADDED, {"l": low, "h": high, "n": n, "s": size})
    one = Function(
        function(f"%t: tensor<{n}xf32>, %b: tensor<{size}xf32>", fixed, f"%r : tensor<{size}xf32>")
    )
    symbols = PADDED.replace("@l@", "%l").replace("@h@", "%h").replace("@n@", "?").replace("@s@", "?")
    all_ = Function(
        function("%t: tensor<?xf32>, %b: tensor<?xf32>, %l: index, %h: index", symbols, "%r : tensor<?xf32>")
    )
    values = {"t_d0": n, "l": low, "h": high, "b_d0": size}
    for name in ("%p", "%r"):
        assert kinds(regions_of(all_, name), **values) == kinds(regions_of(one, name))


def test_a_dynamic_layer_at_fixed_sizes() -> None:
    """Figure 1's layer with dynamic height and width, at 10 x 10: as for a static tensor of that size."""
    dynamic = Function(layer(1, 1, 1, "?", "?", 5))
    found = regions_of(dynamic, "%r")
    assert all(r.count is None for r in found)
    by_kind: dict[tuple[str, int], set[Point]] = {}
    for region in found:
        by_kind.setdefault((region.kind, region.degree), set()).update(
            points_of(region.points, ifm_d2=10, ifm_d3=10)
        )
    inner = {p for p in box_points(1, 1, 5, 5) if 0 < p[2] < 4 and 0 < p[3] < 4}
    corners = {(0, 0, h, w) for h in (0, 4) for w in (0, 4)}
    assert by_kind[("dense", 0)] == inner
    assert by_kind[("sparse", 2)] == corners
    assert by_kind[("sparse", 1)] == box_points(1, 1, 5, 5) - inner - corners


@pytest.mark.parametrize("body", ["generate", "generic"])
def test_a_selected_constant_of_the_body_is_not_data(body: str) -> None:
    """`select(i < 2, t[i], 0.0)`: only the first two elements depend on data."""
    inside = """%c2 = arith.constant 2 : index
        %z = arith.constant 0.0 : f32
        %k = arith.cmpi slt, %i, %c2 : index"""
    text = {
        "generate": f"""%r = tensor.generate {{
          ^bb0(%i: index):
            {inside}
            %x = tensor.extract %t[%i] : tensor<5xf32>
            %y = arith.select %k, %x, %z : f32
            tensor.yield %y : f32
          }} : tensor<5xf32>""",
        "generic": f"""%e = tensor.empty() : tensor<5xf32>
          %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
              iterator_types = ["parallel"]}} ins(%t : tensor<5xf32>) outs(%e : tensor<5xf32>) {{
          ^bb0(%x: f32, %u: f32):
            %i = linalg.index 0 : index
            {inside}
            %y = arith.select %k, %x, %z : f32
            linalg.yield %y : f32
          }} -> tensor<5xf32>""",
    }[body]
    f = Function(function("%t: tensor<5xf32>", text, "%r : tensor<5xf32>"))
    found = {r.kind: points_of(r.points) for r in regions_of(f, "%r")}
    assert found == {"dense": {(0,), (1,)}, "static": {(2,), (3,), (4,)}}


def test_an_unknown_operation_inside_a_body_is_data() -> None:
    """`call @random() : () -> f32` has no operand, and is no constant for that."""
    text = "func.func private @random() -> f32\n" + function("", """
      %e = tensor.empty() : tensor<5xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        outs(%e : tensor<5xf32>) {
      ^bb0(%u: f32):
        %x = func.call @random() : () -> f32
        linalg.yield %x : f32
      } -> tensor<5xf32>""", "%r : tensor<5xf32>")  # fmt: skip
    from tests.shared.enumeration import unit_of

    unit = unit_of(text)
    (model,) = [m for m in unit.models() if m.name == "f"]
    value = unit.parsed.names.find(model.function, "%r")
    assert value is not None
    facts = model.flow.facts(value)
    found = {r.kind for r in regions(facts, model.volume(value).domain)}
    assert "static" not in found or facts.inexact is not None


def test_phases_of_a_transposed_convolution() -> None:
    """Data on every second element: each phase of the output reads other taps."""
    f = Function(function("%t: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>", """
      %zeros = arith.constant dense<0.0> : tensor<1x1x9xf32>
      %s = tensor.insert_slice %t into %zeros[0, 0, 1] [1, 1, 4] [1, 1, 2] : tensor<1x1x4xf32>
        into tensor<1x1x9xf32>
      %o = arith.constant dense<0.0> : tensor<1x1x7xf32>
      %r = linalg.conv_1d_ncw_fcw ins(%s, %w : tensor<1x1x9xf32>, tensor<1x1x3xf32>)
        outs(%o : tensor<1x1x7xf32>) -> tensor<1x1x7xf32>""", "%r : tensor<1x1x7xf32>"))  # fmt: skip
    phases = {p[2] % 2: set() for p in box_points(1, 1, 7)}
    for region in regions_of(f, "%r"):
        for point in points_of(region.points):
            phases[point[2] % 2].add(tuple(region.phase))
    assert all(len(found) == 1 for found in phases.values())
    assert phases[0] != phases[1]


MEANS = """
    #plane = affine_map<(c, h) -> (c, h)>
    #row = affine_map<(c, h) -> (c)>
    func.func @f(%x: tensor<2x4xf32>, %y: tensor<3xf32>) -> tensor<5xf32> {
      %z = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0, 1] high[0, 1] {
      ^bb0(%c: index, %h: index): tensor.yield %z : f32
      } : tensor<2x4xf32> to tensor<2x6xf32>
      %e = tensor.empty() : tensor<2xf32>
      %i = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %sums = linalg.generic {indexing_maps = [#plane, #row], iterator_types = ["parallel", "reduction"]}
          ins(%p : tensor<2x6xf32>) outs(%i : tensor<2xf32>) {
      ^bb0(%in: f32, %sum: f32):
        %s = arith.addf %in, %sum : f32
        linalg.yield %s : f32
      } -> tensor<2xf32>
      %both = tensor.concat dim(0) %sums, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
      return %both : tensor<5xf32>
    }"""


def test_a_boundary_that_reaches_every_element_is_not_counted() -> None:
    """Each sum of a row reads the padding on both sides: that tells no sum from another."""
    f = Function(MEANS)
    facts, domain = f.model.flow.facts(f.value("%sums")), f.model.volume(f.value("%sums")).domain
    assert counts(regions(facts, domain)) == {("dense", 0): 2}
    assert reaching_all(facts, domain) == 2


def test_a_boundary_that_tells_branches_apart_counts_again() -> None:
    """Beside other numbers, the sums are those that read the padding."""
    f = Function(MEANS)
    facts, domain = f.model.flow.facts(f.value("%both")), f.model.volume(f.value("%both")).domain
    assert counts(regions(facts, domain)) == {("dense", 0): 3, ("sparse", 2): 2}
    assert reaching_all(facts, domain) == 0


def test_own_boundaries_count_wherever_they_are_touched() -> None:
    """Two elements padded on both sides, sums of three neighbours: each lies at one edge."""
    body = """
      %z = arith.constant 0.0 : f32
      %p = tensor.pad %t low[1] high[1] {
      ^bb0(%i: index): tensor.yield %z : f32
      } : tensor<2xf32> to tensor<4xf32>
      %e = tensor.empty() : tensor<2xf32>
      %o = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %w = arith.constant dense<1.0> : tensor<3xf32>
      %r = linalg.conv_1d ins(%p, %w : tensor<4xf32>, tensor<3xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>"""
    f = Function(function("%t: tensor<2xf32>", body, "%r : tensor<2xf32>"))
    assert counts(regions_of(f, "%r")) == {("sparse", 1): 2}
