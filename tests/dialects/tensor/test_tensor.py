"""Element maps and sizes of the tensor dialect, each against an enumeration of what MLIR says of the op."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from tests.shared.enumeration import Function, Point, box_points, function, row_major

Reads = set[tuple[Point, str, Point]]


def plus(a: Point, b: Point) -> Point:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def minus(a: Point, b: Point) -> Point:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def scaled(offset: Point, index: Point, stride: Point) -> Point:
    return tuple(o + i * s for o, i, s in zip(offset, index, stride, strict=True))


def padded(source: Point, low: Point, high: Point, value: str) -> Reads:
    """`tensor.pad %t`: the source where it lies, else VALUE."""
    inside = box_points(*source)
    result = box_points(*plus(plus(source, low), high))
    return {(r, "t", minus(r, low)) if minus(r, low) in inside else (r, value, ()) for r in result}


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
    kind, result = ("x".join(map(str, s)) for s in (source, plus(plus(source, low), high)))
    f = Function(function(
        f"%t: tensor<{kind}xf32>, %x: f32",
        f"""%r = tensor.pad %t low{list(low)} high{list(high)} {{
            ^bb0(%i: index, %j: index): tensor.yield %x : f32
            }} : tensor<{kind}xf32> to tensor<{result}xf32>""",
        f"%r : tensor<{result}xf32>",
    ))  # fmt: skip
    assert f.reads("%r") == padded(source, low, high, "x")
    assert f.exact("%r")


DYNAMIC_PAD = function(
    "%t: tensor<?x3xf32>, %lo: index, %hi: index, %x: f32",
    """%r = tensor.pad %t low[%lo, 1] high[%hi, 0] {
       ^bb0(%i: index, %j: index): tensor.yield %x : f32
       } : tensor<?x3xf32> to tensor<?x4xf32>""",
    "%r : tensor<?x4xf32>",
)


@pytest.mark.sample(8)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize(("lo", "hi"), [(0, 0), (2, 0), (1, 3)])
def test_dynamic_pad(n: int, lo: int, hi: int) -> None:
    f = Function(DYNAMIC_PAD)
    assert f.reads("%r", t_d0=n, lo=lo, hi=hi) == padded((n, 3), (lo, 1), (hi, 0), "x")
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
    expected = {((r,), "t", (r - 1,)) if 1 <= r < 4 else ((r,), "b", (r,)) for r in range(6)}
    assert f.reads("%r") == expected


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
    assert f.reads("%r") == {((r,), "t", ((r - 1) % 4,)) for r in range(6)}


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
    assert f.reads("%r") == {(r, "t", scaled(offset, r, stride)) for r in box_points(*size)}


def inserted(dest: Point, size: Point, offset: Point, stride: Point) -> Iterator[tuple[Point, str, Point]]:
    image = {scaled(offset, s, stride): s for s in box_points(*size)}
    for r in box_points(*dest):
        yield (r, "s", image[r]) if r in image else (r, "t", r)


@pytest.mark.parametrize(("source", "offset", "size", "stride"), SLICES)
def test_insert_slice(source: Point, offset: Point, size: Point, stride: Point) -> None:
    kind, small = ("x".join(map(str, s)) for s in (source, size))
    f = Function(function(
        f"%t: tensor<{kind}xf32>, %s: tensor<{small}xf32>",
        f"""%r = tensor.insert_slice %s into %t{list(offset)} {list(size)} {list(stride)}
            : tensor<{small}xf32> into tensor<{kind}xf32>""",
        f"%r : tensor<{kind}xf32>",
    ))  # fmt: skip
    assert f.reads("%r") == set(inserted(source, size, offset, stride))


# Which dimensions a type keeps, as LLVM's getDroppedDims says: a unit dimension stays only where the
# reduced type has a 1 at the place.
REDUCTIONS = [
    ((1, 4, 1), (4,), [1]),
    ((1, 1, 4), (1, 4), [0, 2]),
    ((1, 1, 4), (4,), [2]),
    ((4, 1, 1), (4, 1), [0, 1]),
    ((1, 1, 1), (1,), [0]),
    ((1, 1, 1), (), []),
    ((1, 3, 1, 4), (3, 1, 4), [1, 2, 3]),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("size", "reduced", "kept"), REDUCTIONS)
def test_rank_reducing_slices(size: Point, reduced: Point, kept: list[int]) -> None:
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

    def place(s: Point) -> Point:
        by_dimension = dict(zip(kept, s, strict=True))
        return tuple(o + by_dimension.get(d, 0) for d, o in enumerate(offset))

    views = {(s, place(s)) for s in box_points(*reduced)}
    assert f.reads("%r") == {(s, "t", x) for s, x in views}
    assert {read for read in g.reads("%r") if read[1] == "s"} == {(x, "s", s) for s, x in views}


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
    changed = {(r, "r" if name == "s" else name, x) for r, name, x in inserted((8,), (3,), (1,), (s,))}
    assert f.reads("%u", s=s) >= changed
    assert not f.exact("%u")


def test_concat() -> None:
    f = Function(function(
        "%a: tensor<2x3xf32>, %b: tensor<2x0xf32>, %c: tensor<2x2xf32>",
        """%r = tensor.concat dim(1) %a, %b, %c
           : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>""",
        "%r : tensor<2x5xf32>",
    ))  # fmt: skip
    expected = {((i, j), "a", (i, j)) if j < 3 else ((i, j), "c", (i, j - 3)) for i, j in box_points(2, 5)}
    assert f.reads("%r") == expected


@pytest.mark.parametrize(("n", "m"), [(0, 2), (3, 0), (2, 3)])
def test_concat_of_dynamic_tensors(n: int, m: int) -> None:
    f = Function(function(
        "%a: tensor<?xf32>, %b: tensor<?xf32>",
        "%r = tensor.concat dim(0) %a, %b, %a "
        ": (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>",
        "%r : tensor<?xf32>",
    ))  # fmt: skip
    parts = [("a", i) for i in range(n)] + [("b", i) for i in range(m)] + [("a", i) for i in range(n)]
    expected = {((r,), name, (i,)) for r, (name, i) in enumerate(parts)}
    assert f.reads("%r", a_d0=n, b_d0=m) == expected
    assert f.sizes("%r") == ["2 * a_d0 + b_d0"]


def test_from_elements() -> None:
    f = Function(function(
        "%a: f32, %b: f32",
        """%r = tensor.from_elements %a, %b, %a, %b, %b, %a : tensor<2x3xf32>
           %s = tensor.from_elements %a : tensor<f32>""",
        "%r : tensor<2x3xf32>",
    ))  # fmt: skip
    order = "ababba"
    assert f.reads("%r") == {(r, order[row_major(r, (2, 3))], ()) for r in box_points(2, 3)}
    assert f.reads("%s") == {((), "a", ())}


def test_insert_and_extract() -> None:
    f = Function(function(
        "%t: tensor<3x2xf32>, %x: f32, %i: index",
        """%c1 = arith.constant 1 : index
           %r = tensor.insert %x into %t[%i, %c1] : tensor<3x2xf32>
           %y = tensor.extract %r[%c1, %i] : tensor<3x2xf32>""",
        "%r : tensor<3x2xf32>",
    ))  # fmt: skip
    for i in range(2):
        expected = {(r, "x", ()) if r == (i, 1) else (r, "t", r) for r in box_points(3, 2)}
        assert f.reads("%r", i=i) == expected
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
    assert f.reads("%s") == {(r, "x", ()) for r in box_points(2, 2)}
    assert f.reads("%d", n=3) == {(r, "x", ()) for r in box_points(3, 2)}
    assert f.reads("%e", n=3) == set()
    assert f.reads("%c", t_d0=3) == {(r, "t", r) for r in box_points(3, 2)}
    assert f.sizes("%c") == ["t_d0", "2"]
    assert f.sizes("%d") == ["n", "2"]


@pytest.mark.parametrize(("n", "lo", "hi"), list(product([0, 2], [0, 1], [0, 3])))
def test_dim_is_the_size(n: int, lo: int, hi: int) -> None:
    f = Function(DYNAMIC_PAD.replace("return %r", "%c0 = arith.constant 0 : index\n"
    "%d = tensor.dim %r, %c0 : tensor<?x4xf32>\nreturn %r"))  # fmt: skip
    assert f.number("%d") == "hi + lo + t_d0"
    assert len({r for r, _, _ in f.reads("%r", t_d0=n, lo=lo, hi=hi)}) == 4 * (n + lo + hi)
