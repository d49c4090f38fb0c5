"""Index values by affine maps, against Python's integers."""

from __future__ import annotations

import pytest
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineDimExpr, AffineSymExpr

from tests.presburger.test_build import evaluate
from tests.shared.enumeration import Function, function
from volcli.language.affine_maps import evaluate as evaluate_map
from volcli.language.expressions import LoopIndex, NotAffine, constant, loop, parameter, substitute

MAPS = {
    "(d0)[s0] -> (d0 * 2 + s0 - 3)": lambda x, y: x * 2 + y - 3,
    "(d0)[s0] -> ((d0 + s0) floordiv 3)": lambda x, y: (x + y) // 3,
    "(d0)[s0] -> (d0 ceildiv 4 - s0)": lambda x, y: -(-x // 4) - y,
    "(d0)[s0] -> (d0 mod 5 + s0 mod 2)": lambda x, y: x % 5 + y % 2,
    "(d0)[s0] -> (-d0 - s0)": lambda x, y: -x - y,
    "(d0)[s0] -> (d0 - (d0 floordiv 2) * 2)": lambda x, y: x - x // 2 * 2,
    "(d0)[s0] -> (7)": lambda x, y: 7,
}


@pytest.mark.parametrize("text", MAPS)
def test_apply(text: str) -> None:
    f = Function(
        function("%x: index, %y: index", f"%r = affine.apply affine_map<{text}>(%x)[%y]", "%r : index")
    )
    number = f.model.store.number(f.value("%r"))
    for x in range(-6, 7):
        for y in range(-3, 4):
            assert evaluate(number, (), {"x": x, "y": y}) == MAPS[text](x, y)


@pytest.mark.parametrize(("op", "fold"), [("min", min), ("max", max)])
def test_extrema(op: str, fold: type[min]) -> None:  # pyright: ignore
    f = Function(function(
        "%x: index, %y: index",
        f"%r = affine.{op} affine_map<(d0)[s0] -> (d0 + 1, s0 floordiv 2, 3)>(%x)[%y]",
        "%r : index",
    ))  # fmt: skip
    number = f.model.store.number(f.value("%r"))
    for x in range(-4, 5):
        for y in range(-4, 9):
            assert evaluate(number, (), {"x": x, "y": y}) == fold(x + 1, y // 2, 3)


def test_two_dims() -> None:
    f = Function(function(
        "%x: index, %y: index", "%r = affine.apply affine_map<(d0, d1) -> (d1 - 2 * d0)>(%x,"
        " %y)", "%r : index"
    ))  # fmt: skip
    number = f.model.store.number(f.value("%r"))
    assert evaluate(number, (), {"x": 5, "y": 1}) == -9


def test_applied_maps_compose() -> None:
    f = Function(function(
        "%x: index",
        """%a = affine.apply affine_map<(d0) -> (d0 * 4 + 2)>(%x)
           %r = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%a)""",
        "%r : index",
    ))  # fmt: skip
    assert f.number("%r") == "2 * x + 1"


@pytest.mark.parametrize("kind", list(AffineBinaryOpKind))
def test_semi_affine_expressions(kind: AffineBinaryOpKind) -> None:
    """A product of two unknowns stays a product; a division by one has no affine form."""
    expression = AffineBinaryOpExpr(kind, AffineDimExpr(0), AffineSymExpr(0))
    dims, symbols = [loop(0)], [parameter("n")]
    if kind in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul):
        assert evaluate_map(expression, dims, symbols) == (
            loop(0) + parameter("n") if kind is AffineBinaryOpKind.Add else loop(0) * parameter("n")
        )
    else:
        with pytest.raises(NotAffine):
            evaluate_map(expression, dims, symbols)
    at_3 = evaluate_map(expression, dims, [constant(3)])
    for x in range(-6, 7):
        expected = {
            AffineBinaryOpKind.Add: x + 3,
            AffineBinaryOpKind.Mul: x * 3,
            AffineBinaryOpKind.Mod: x % 3,
            AffineBinaryOpKind.FloorDiv: x // 3,
            AffineBinaryOpKind.CeilDiv: -(-x // 3),
        }[kind]
        assert (
            evaluate(
                substitute(at_3, lambda atom, x=x: constant(x) if atom == LoopIndex(0) else None), (), {}
            )
            == expected
        )
