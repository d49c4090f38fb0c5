"""The normal form of affine expressions: equal values, and the form that mlir-opt gives them."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr

from volcli.frontend.parse.affine.affine_normal import normal_form
from volcli.frontend.parse.affine.affine_text import map_text
from volcli.frontend.parse.parser import ParsedModule

Read = Callable[..., ParsedModule]

LEAVES = [*map(AffineExpr.dimension, (0, 1)), *map(AffineExpr.symbol, (0, 1))]
SUM, PRODUCT = AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul
QUOTIENTS = (AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv, AffineBinaryOpKind.Mod)


def larger(smaller: st.SearchStrategy[AffineExpr]) -> st.SearchStrategy[AffineExpr]:
    def quotient(kind: AffineBinaryOpKind, dividend: AffineExpr, divisor: int) -> AffineExpr:
        return AffineBinaryOpExpr(kind, dividend, AffineExpr.constant(divisor))

    def scaled(expression: AffineExpr, factor: int) -> AffineExpr:
        return AffineBinaryOpExpr(PRODUCT, expression, AffineExpr.constant(factor))

    return st.one_of(
        st.builds(AffineBinaryOpExpr, st.just(SUM), smaller, smaller),
        st.builds(scaled, smaller, st.integers(-3, 6)),
        st.builds(quotient, st.sampled_from(QUOTIENTS), smaller, st.integers(1, 6)),
    )


EXPRESSIONS = st.recursive(
    st.sampled_from(LEAVES) | st.builds(AffineExpr.constant, st.integers(-4, 8)), larger, max_leaves=8
)
VALUES = st.lists(st.integers(-9, 9), min_size=2, max_size=2)


@pytest.mark.slow
@given(EXPRESSIONS, VALUES, VALUES)
def test_it_has_the_same_values(expression: AffineExpr, dims: Sequence[int], symbols: Sequence[int]) -> None:
    assert normal_form(expression).eval(dims, symbols) == expression.eval(dims, symbols)


@pytest.mark.slow
@given(EXPRESSIONS)
def test_it_is_its_own_normal_form(expression: AffineExpr) -> None:
    normal = normal_form(expression)
    assert normal_form(normal) == normal


SPELLINGS = [
    "d1 + d0", "s0 + d1", "s1 * s0", "2 + d0 + 3", "3 * d0 * 2", "d0 + 1 + d1", "d0 * 2 + d0 * 3", "d0 - d0",
    "d0 * 0 + d1", "(d0 * 8) floordiv 4", "(d0 * 8) ceildiv 4", "(d0 * 8 + d1) floordiv 4", "(d0 * 8) mod 4",
    "(d0 * 8 + d1) mod 4", "(d1 + d0 * 8 + 4) mod 4", "(d0 mod 12) mod 4", "(d0 mod 6) mod 4", "7 floordiv -2",
    "-7 mod 4", "7 ceildiv 2", "d0 - (d0 floordiv 4) * 4", "d0 - (d0 floordiv s0) * s0", "d0 mod (s0 - s0)",
    "s0 * d0", "(d0 * s0) * 4 * s1", "(d0 floordiv 8) * 8 floordiv 4", "((d0 * 6) mod 4 + d1) mod 2",
    "(d0 + d1) floordiv 1", "d0 mod 1", "d0 floordiv -1", "(d0 * 4) floordiv -2", "d0 ceildiv s0 + 4 - 4",
]  # fmt: skip


def test_it_is_the_form_of_mlir_opt(read: Read, mlir_opt: str) -> None:
    maps = ", ".join(f"affine_map<(d0, d1)[s0, s1] -> ({text})>" for text in SPELLINGS)
    program = f'"t.a"() {{a = [{maps}]}} : () -> ()\n'
    done = subprocess.run(
        [mlir_opt, "-allow-unregistered-dialect", "-mlir-print-local-scope"],
        input=program,
        capture_output=True,
        text=True,
        check=True,
    )
    op = read(program).module.body.block.first_op
    assert op is not None
    ours = [map_text(each.data) for each in cast(ArrayAttr[AffineMapAttr], op.attributes["a"])]
    assert ours == re.findall(r"affine_map<(.*?)>(?=[,\]])", done.stdout)
