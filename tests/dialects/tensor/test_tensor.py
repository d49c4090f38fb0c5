"""Element maps and sizes of the tensor dialect, against executions on terms."""

from __future__ import annotations

from itertools import product

import pytest

from tests.shared.enumeration import Function, Point, function
from tests.shared.sources import computed_from


def agree(f: Function, name: str = "%r", **parameters: int) -> None:
    """Whether the map of NAME, whose operands are arguments, is what it is computed from."""
    assert f.reads(name, **parameters) == computed_from(f, name, **parameters)


@pytest.mark.parametrize(
    ("source", "low", "high"),
    [
        ((4, 3), (1, 0), (2, 1)),
        ((4, 3), (0, 0), (0, 0)),
        ((2, 2), (0, 3), (0, 0)),
        ((1, 1), (2, 2), (2, 2)),
        ((0, 3), (1, 1), (1, 0)),
    ],
)
def test_pad(source: Point, low: Point, high: Point) -> None:
    padded = [n + before + after for n, before, after in zip(source, low, high, strict=True)]
    kind, result = ("x".join(map(str, s)) for s in (source, padded))
    f = Function(function(
        f"%t: tensor<{kind}xf32>, %x: f32",
        f"""%r = tensor.pad %t low{list(low)} high{list(high)} {{
            ^bb0(%i: index, %j: index): tensor.yield %x : f32
            }} : tensor<{kind}xf32> to tensor<{result}xf32>""",
        f"%r : tensor<{result}xf32>",
    ))  # fmt: skip
    agree(f)
    assert f.exact("%r")


DYNAMIC_PAD = function(
    "%t: tensor<?x3xf32>, %lo: index, %hi: index, %x: f32",
    """%r = tensor.pad %t low[%lo, 1] high[%hi, 0] {
       ^bb0(%i: index, %j: index): tensor.yield %x : f32
       } : tensor<?x3xf32> to tensor<?x4xf32>""",
    "%r : tensor<?x4xf32>",
)


@pytest.mark.sample(4)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize(("lo", "hi"), [(0, 0), (2, 0), (1, 3)])
def test_dynamic_pad(n: int, lo: int, hi: int) -> None:
    f = Function(DYNAMIC_PAD)
    agree(f, t_d0=n, lo=lo, hi=hi)
    assert f.exact("%r")


def test_pad_with_a_computed_yield() -> None:
    """A.2.6: the padding may be selected from another volume by the index."""
    f = Function(function(
        "%t: tensor<3xf32>, %b: tensor<6xf32>",
        """%r = tensor.pad %t low[1] high[2] {
           ^bb0(%i: index):
             %y = tensor.extract %b[%i] : tensor<6xf32>
             tensor.yield %y : f32
           } : tensor<3xf32> to tensor<6xf32>""",
        "%r : tensor<6xf32>",
    ))  # fmt: skip
    agree(f)


def test_periodic_pad() -> None:
    """The example of A.2.6: `%i - lo mod size` selects the opposite border."""
    f = Function(function(
        "%t: tensor<4xf32>",
        """%c3 = arith.constant 3 : index
           %c4 = arith.constant 4 : index
           %r = tensor.pad %t low[1] high[1] {
           ^bb0(%i: index):
             %a = arith.addi %i, %c3 : index
             %m = affine.apply affine_map<(d0) -> (d0 mod 4)>(%a)
             %y = tensor.extract %t[%m] : tensor<4xf32>
             tensor.yield %y : f32
           } : tensor<4xf32> to tensor<6xf32>""",
        "%r : tensor<6xf32>",
    ))  # fmt: skip
    agree(f)


SLICES: list[tuple[Point, Point, Point, Point]] = [
    ((6, 5), (0, 0), (6, 5), (1, 1)),
    ((6, 5), (1, 2), (3, 2), (2, 1)),
    ((6, 5), (5, 0), (1, 3), (1, 2)),
    ((6, 5), (2, 1), (0, 3), (1, 1)),
    ((8, 3), (7, 0), (3, 3), (-2, 1)),
]


@pytest.mark.parametrize(("source", "offset", "size", "stride"), SLICES)
def test_extract_slice(source: Point, offset: Point, size: Point, stride: Point) -> None:
    kind, result = ("x".join(map(str, s)) for s in (source, size))
    f = Function(function(
        f"%t: tensor<{kind}xf32>",
        f"""%r = tensor.extract_slice %t{list(offset)} {list(size)} {list(stride)}
            : tensor<{kind}xf32> to tensor<{result}xf32>""",
        f"%r : tensor<{result}xf32>",
    ))  # fmt: skip
    agree(f)


@pytest.mark.parametrize(("source", "offset", "size", "stride"), SLICES)
def test_insert_slice(source: Point, offset: Point, size: Point, stride: Point) -> None:
    kind, small = ("x".join(map(str, s)) for s in (source, size))
    f = Function(function(
        f"%t: tensor<{kind}xf32>, %s: tensor<{small}xf32>",
        f"""%r = tensor.insert_slice %s into %t{list(offset)} {list(size)} {list(stride)}
            : tensor<{small}xf32> into tensor<{kind}xf32>""",
        f"%r : tensor<{kind}xf32>",
    ))  # fmt: skip
    agree(f)


# Which dimensions a type keeps, as LLVM's getDroppedDims says: a unit dimension stays only where the
# reduced type has a 1 at the place.
REDUCTIONS = [
    ((1, 4, 1), (4,)),
    ((1, 1, 4), (1, 4)),
    ((1, 1, 4), (4,)),
    ((4, 1, 1), (4, 1)),
    ((1, 1, 1), (1,)),
    ((1, 1, 1), ()),
    ((1, 3, 1, 4), (3, 1, 4)),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("size", "reduced"), REDUCTIONS)
def test_rank_reducing_slices(size: Point, reduced: Point) -> None:
    offset = tuple(range(1, len(size) + 1))
    ones = [1] * len(size)
    kind = "x".join("9" for _ in size)
    small = "x".join([*map(str, reduced), "f32"])
    f = Function(function(
        f"%t: tensor<{kind}xf32>, %s: tensor<{small}>",
        f"""%r = tensor.extract_slice %t{list(offset)} {list(size)} {ones}
          : tensor<{kind}xf32> to tensor<{small}>""",
        f"%r : tensor<{small}>",
    ))  # fmt: skip
    g = Function(function(
        f"%t: tensor<{kind}xf32>, %s: tensor<{small}>",
        f"""%r = tensor.insert_slice %s into %t{list(offset)} {list(size)} {ones}
            : tensor<{small}> into tensor<{kind}xf32>""",
        f"%r : tensor<{kind}xf32>",
    ))  # fmt: skip
    agree(f)
    agree(g)


@pytest.mark.parametrize(("o", "n", "s"), [(0, 3, 1), (2, 2, 2), (1, 0, 1), (5, 1, 4)])
def test_dynamic_slices(o: int, n: int, s: int) -> None:
    """Offset and size are parameters; a dynamic stride makes a product, and the map is not exact then."""
    f = Function(function(
        "%t: tensor<8xf32>, %o: index, %n: index",
        f"""%r = tensor.extract_slice %t[%o] [%n] [{s}] : tensor<8xf32> to tensor<?xf32>
           %u = tensor.insert_slice %r into %t[%o] [%n] [{s}] : tensor<?xf32> into tensor<8xf32>""",
        "%u : tensor<8xf32>",
    ))  # fmt: skip
    assert f.reads("%r", o=o, n=n) == {((i,), "t", (o + i * s,)) for i in range(n)}
    at = {o + i * s: i for i in range(n)}
    expected = {((r,), "r", (at[r],)) if r in at else ((r,), "t", (r,)) for r in range(8)}
    assert f.reads("%u", o=o, n=n) == expected
    assert f.exact("%r")
    assert f.exact("%u")


@pytest.mark.parametrize("s", [1, 2, 3])
def test_a_dynamic_stride_is_over_approximated(s: int) -> None:
    f = Function(function(
        "%t: tensor<8xf32>, %s: index",
        """%r = tensor.extract_slice %t[1] [3] [%s] : tensor<8xf32> to tensor<3xf32>
           %u = tensor.insert_slice %r into %t[1] [3] [%s] : tensor<3xf32> into tensor<8xf32>""",
        "%u : tensor<8xf32>",
    ))  # fmt: skip
    true = {((i,), "t", (1 + i * s,)) for i in range(3)}
    assert f.reads("%r", s=s) >= true
    assert not f.exact("%r")
    at = {1 + i * s: i for i in range(3)}
    assert f.reads("%u", s=s) >= {((r,), "r", (at[r],)) if r in at else ((r,), "t", (r,)) for r in range(8)}
    assert not f.exact("%u")


def test_concat() -> None:
    f = Function(function(
        "%a: tensor<2x3xf32>, %b: tensor<2x0xf32>, %c: tensor<2x2xf32>",
        """%r = tensor.concat dim(1) %a, %b, %c
           : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>""",
        "%r : tensor<2x5xf32>",
    ))  # fmt: skip
    agree(f)


@pytest.mark.parametrize(("n", "m"), [(0, 2), (3, 0), (2, 3)])
def test_concat_of_dynamic_tensors(n: int, m: int) -> None:
    f = Function(function(
        "%a: tensor<?xf32>, %b: tensor<?xf32>",
        "%r = tensor.concat dim(0) %a, %b, %a "
        ": (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>",
        "%r : tensor<?xf32>",
    ))  # fmt: skip
    agree(f, a_d0=n, b_d0=m)
    assert f.sizes("%r") == ["2 * a_d0 + b_d0"]


def test_from_elements() -> None:
    f = Function(function(
        "%a: f32, %b: f32",
        """%r = tensor.from_elements %a, %b, %a, %b, %b, %a : tensor<2x3xf32>
           %s = tensor.from_elements %a : tensor<f32>""",
        "%r : tensor<2x3xf32>",
    ))  # fmt: skip
    agree(f)
    agree(f, "%s")


def test_insert_and_extract() -> None:
    f = Function(function(
        "%t: tensor<3x2xf32>, %x: f32, %i: index",
        """%c1 = arith.constant 1 : index
           %r = tensor.insert %x into %t[%i, %c1] : tensor<3x2xf32>
           %y = tensor.extract %r[%c1, %i] : tensor<3x2xf32>""",
        "%r : tensor<3x2xf32>",
    ))  # fmt: skip
    for i in range(2):
        agree(f, i=i)
        assert f.reads("%y", i=i) == {((), "r", (1, i))}


def test_splat_cast_and_empty() -> None:
    f = Function(function(
        "%x: f32, %t: tensor<?x2xf32>, %n: index",
        """%s = tensor.splat %x : tensor<2x2xf32>
           %d = tensor.splat %x[%n] : tensor<?x2xf32>
           %e = tensor.empty(%n) : tensor<?x2xf32>
           %c = tensor.cast %t : tensor<?x2xf32> to tensor<?x?xf32>""",
        "%c : tensor<?x?xf32>",
    ))  # fmt: skip
    for name in ("%s", "%d", "%e", "%c"):
        agree(f, name, n=3, t_d0=3)
    assert f.sizes("%c") == ["t_d0", "2"]
    assert f.sizes("%d") == ["n", "2"]


@pytest.mark.parametrize(("n", "lo", "hi"), list(product([0, 2], [0, 1], [0, 3])))
def test_dim_is_the_size(n: int, lo: int, hi: int) -> None:
    f = Function(DYNAMIC_PAD.replace("return %r", "%c0 = arith.constant 0 : index\n"
    "%d = tensor.dim %r, %c0 : tensor<?x4xf32>\nreturn %r"))  # fmt: skip
    assert f.number("%d") == "hi + lo + t_d0"
    assert len({r for r, _, _ in f.reads("%r", t_d0=n, lo=lo, hi=hi)}) == 4 * (n + lo + hi)
