"""Element maps and sizes of reshapes: both sides keep the row-major position."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import Function, Point, box_points, function, row_major
from tests.shared.sources import computed_from

RESHAPES = [
    ((6, 4), (2, 3, 4), "[[0, 1], [2]]"),
    ((6,), (1, 6, 1), "[[0, 1, 2]]"),
    ((6, 1), (2, 1, 3, 1), "[[0, 1, 2], [3]]"),
    ((1, 5), (1, 1, 5), "[[0, 1], [2]]"),
    ((0, 4), (0, 2, 4), "[[0, 1], [2]]"),
]


@pytest.mark.parametrize(("small", "large", "groups"), RESHAPES)
def test_expand_and_collapse(small: Point, large: Point, groups: str) -> None:
    """Both keep the row-major position."""
    kinds = ["x".join(map(str, s)) + "xf32" for s in (small, large)]
    f = Function(function(
        f"%t: tensor<{kinds[0]}>",
        f"""%e = tensor.expand_shape %t {groups} output_shape {list(large)} : tensor<{kinds[0]}>
          into tensor<{kinds[1]}>
            %r = tensor.collapse_shape %e {groups} : tensor<{kinds[1]}> into tensor<{kinds[0]}>""",
        f"%r : tensor<{kinds[0]}>",
    ))  # fmt: skip
    said = f.reads("%e")
    assert said == computed_from(f, "%e")
    assert f.reads("%r") == {(x, "e", r) for r, _, x in said}
    assert f.exact("%e")
    assert f.exact("%r")


def test_reassociation_to_a_scalar() -> None:
    f = Function(function(
        "%t: tensor<1x1xf32>",
        """%c = tensor.collapse_shape %t [] : tensor<1x1xf32> into tensor<f32>
           %r = tensor.expand_shape %c [] output_shape [1, 1, 1] : tensor<f32> into tensor<1x1x1xf32>""",
        "%r : tensor<1x1x1xf32>",
    ))  # fmt: skip
    assert f.reads("%c") == {((), "t", (0, 0))}
    assert f.reads("%r") == {((0, 0, 0), "c", ())}


@pytest.mark.parametrize("n", [0, 1, 3])
def test_dynamic_expand_and_collapse(n: int) -> None:
    """The outermost dimension of a group may be dynamic: it is not multiplied by anything."""
    f = Function(function(
        "%t: tensor<?x2xf32>, %n: index",
        """%c = tensor.collapse_shape %t [[0, 1]] : tensor<?x2xf32> into tensor<?xf32>
           %r = tensor.expand_shape %c [[0, 1, 2]] output_shape [%n, 2, 1] : tensor<?xf32>
             into tensor<?x2x1xf32>""",
        "%r : tensor<?x2x1xf32>",
    ))  # fmt: skip
    both = {"t_d0": n, "n": n}
    assert f.reads("%c", **both) == {((2 * i + j,), "t", (i, j)) for i, j in box_points(n, 2)}
    assert f.reads("%r", **both) == {((i, j, 0), "c", (2 * i + j,)) for i, j in box_points(n, 2)}
    assert f.exact("%c")
    assert f.exact("%r")


@pytest.mark.parametrize(("n", "m"), [(2, 3), (1, 1), (3, 2)])
def test_two_dynamic_dimensions_in_a_group_are_over_approximated(n: int, m: int) -> None:
    f = Function(function(
        "%t: tensor<?x?xf32>",
        "%r = tensor.collapse_shape %t [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>",
        "%r : tensor<?xf32>",
    ))  # fmt: skip
    (size,) = f.sizes("%r")
    found = f.reads("%r", t_d0=n, t_d1=m, **{size: n * m})
    assert found >= {((row_major(x, (n, m)),), "t", x) for x in box_points(n, m)}
    assert not f.exact("%r")


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ((6, 4), (3, 8)),
        ((2, 3, 4), (4, 6)),
        ((6,), (1, 6)),
        ((1,), ()),
        ((), (1, 1)),
        ((2, 0), (0, 5)),
        ((5, 0), (4, 0)),
    ],
)
def test_static_reshape(source: Point, result: Point) -> None:
    kinds = ["x".join([*map(str, s), "f32"]) for s in (source, result)]
    f = Function(function(
        f"%t: tensor<{kinds[0]}>, %s: tensor<{len(result)}xindex>",
        f"%r = tensor.reshape %t(%s) "
        f": (tensor<{kinds[0]}>, tensor<{len(result)}xindex>) -> tensor<{kinds[1]}>",
        f"%r : tensor<{kinds[1]}>",
    ))  # fmt: skip
    by_position = {row_major(x, source): x for x in box_points(*source)}
    expected = {(r, "t", by_position[row_major(r, result)]) for r in box_points(*result)}
    found = {read for read in f.reads("%r") if read[1] == "t"}
    assert found == expected


def test_dynamic_reshape_is_unknown_but_sound() -> None:
    f = Function(function(
        "%t: tensor<?xf32>, %n: index, %m: index",
        """%s = tensor.from_elements %n, %m : tensor<2xindex>
           %r = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>""",
        "%r : tensor<?x?xf32>",
    ))  # fmt: skip
    assert f.sizes("%r") == ["n", "m"]
    found = f.reads("%r", t_d0=6, n=2, m=3)
    assert found >= {(r, "t", (row_major(r, (2, 3)),)) for r in box_points(2, 3)}
    assert not f.exact("%r")


@pytest.mark.parametrize(("n", "m"), [(2, 3), (1, 1), (3, 2)])
@pytest.mark.parametrize("swapped", [False, True])
def test_sizes_of_one_come_and_go(n: int, m: int, *, swapped: bool) -> None:
    """Of `1x?x4x?` and `?x4x?x1` all other sizes are equal, unless the two unknown ones change places."""
    d, e = ("%e", "%d") if swapped else ("%d", "%e")
    f = Function(function(
        "%t: tensor<1x?x4x?xf32>",
        f"""%c1 = arith.constant 1 : index
           %c3 = arith.constant 3 : index
           %c4 = arith.constant 4 : index
           %d = tensor.dim %t, %c1 : tensor<1x?x4x?xf32>
           %e = tensor.dim %t, %c3 : tensor<1x?x4x?xf32>
           %s = tensor.from_elements {d}, %c4, {e}, %c1 : tensor<4xindex>
           %r = tensor.reshape %t(%s) : (tensor<1x?x4x?xf32>, tensor<4xindex>) -> tensor<?x4x?x1xf32>""",
        "%r : tensor<?x4x?x1xf32>",
    ))  # fmt: skip
    assert f.exact("%r") is not swapped
    found = f.reads("%r", t_d1=n, t_d3=m)
    if not swapped:
        assert found == {((i, k, j, 0), "t", (0, i, k, j)) for i, k, j in box_points(n, 4, m)}


@pytest.mark.parametrize("n", [0, 1, 3])
def test_the_last_unknown_size_follows_from_the_number_of_elements(n: int) -> None:
    """Whatever the shape operand says, as far as the operation is defined."""
    f = Function(function(
        "%t: tensor<4x?x2xf32>, %s: tensor<4xindex>",
        "%r = tensor.reshape %t(%s) : (tensor<4x?x2xf32>, tensor<4xindex>) -> tensor<4x1x?x2xf32>",
        "%r : tensor<4x1x?x2xf32>",
    ))  # fmt: skip
    assert f.exact("%r")
    (size,) = [str(each) for each in f.sizes("%r")[2:3]]
    found = f.reads("%r", **{"t_d1": n, size: n})
    assert found == {((i, 0, j, k), "t", (i, j, k)) for i, j, k in box_points(4, n, 2)}
