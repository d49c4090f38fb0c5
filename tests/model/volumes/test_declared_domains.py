"""volcli.domain: where an argument may be other than zero, and what follows for products of such arguments."""

from __future__ import annotations

from itertools import product

import pytest

import volcli
from tests.oracles.elements.compare import enumerate_set
from volcli.facts.regions import RegionsFact

UPPER_RIGHT = "affine_set<(d0, d1) : (d1 - d0 >= 0)>"
UPPER_LEFT = "affine_set<(d0, d1)[s0, s1] : (s1 - 1 - d0 - d1 >= 0)>"


def regions(text: str) -> RegionsFact:
    return volcli.loads(text).function("f").regions("%r")


def matmul(left: str, right: str, size: int = 6) -> str:
    """The product of two matrices with these domains."""
    kind = f"tensor<{size}x{size}xf32>"
    return f"""
    func.func @f(%u: {kind} {{volcli.domain = {left}}}, %v: {kind} {{volcli.domain = {right}}}) -> {kind} {{
      %z = arith.constant dense<0.0> : {kind}
      %r = linalg.matmul ins(%u, %v : {kind}, {kind}) outs(%z : {kind}) -> {kind}
      return %r : {kind}
    }}"""


def banded(below: int, above: int) -> str:
    return f"affine_set<(d0, d1) : (d0 - d1 + {above} >= 0, d1 - d0 + {below} >= 0)>"


def test_element_wise_product_of_triangular_matrices() -> None:
    """IMPACT 2023, appendix A.1."""
    kind = "tensor<?x?xf32>"
    fact = regions(f"""
    func.func @f(%u: {kind} {{volcli.domain = {UPPER_RIGHT}}}, %v: {kind} {{volcli.domain = {UPPER_LEFT}}}) -> {kind} {{
      %r = arith.mulf %u, %v fastmath<nnan,ninf> : {kind}
      return %r : {kind}
    }}""")
    dense, static = fact.regions
    assert (dense.kind, dense.gist.text) == ("dense", "[u_d1] -> { r[d0, d1] : d0 <= d1 < u_d1 - d0 }")
    assert (static.kind, static.zero, static.assumes) == ("static", True, ())
    assert fact.assumptions == (
        "%u is zero except where -d0 + d1 >= 0",
        "%v is zero except where -d0 - d1 + s1 - 1 >= 0",
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize(("below", "above"), [((0, 0), (2, 1)), ((1, 2), (0, 1)), ((5, 5), (0, 0))])
def test_product_of_bands_is_a_band(below: tuple[int, int], above: tuple[int, int]) -> None:
    fact = regions(matmul(banded(below[0], above[0]), banded(below[1], above[1])))
    dense = set[tuple[int, ...]]().union(*(enumerate_set(r.set) for r in fact.regions if r.kind != "static"))
    assert dense == {(i, j) for i, j in product(range(6), repeat=2) if -sum(below) <= j - i <= sum(above)}
    assert all(r.assumes == ("nnan", "ninf") for r in fact.regions if r.kind == "static")


def test_product_of_block_diagonal_matrices() -> None:
    blocks = "affine_set<(d0, d1) : (d0 floordiv 2 - d1 floordiv 2 == 0)>"
    fact = regions(matmul(blocks, blocks))
    assert enumerate_set(fact.regions[0].set) == {
        (i, j) for i, j in product(range(6), repeat=2) if i // 2 == j // 2
    }
    assert fact.exact


def test_what_needs_no_domain_names_none() -> None:
    fact = regions(matmul(UPPER_RIGHT, UPPER_RIGHT).replace("ins(%u, %v", "ins(%v, %v"))
    assert fact.assumptions == ("%v is zero except where -d0 + d1 >= 0",)
    kind = "tensor<4x4xf32>"
    fact = regions(f"""
    func.func @f(%u: {kind} {{volcli.domain = {UPPER_RIGHT}}}) -> {kind} {{
      %r = math.exp %u : {kind}
      return %r : {kind}
    }}""")
    # exp(0) is 1 for either zero: those elements depend on no data
    assert [(r.kind, r.count, r.zero) for r in fact.regions] == [("dense", 10, False), ("static", 6, False)]
    assert len(fact.assumptions) == 1


def test_the_sign_of_a_zero_outside_is_unknown() -> None:
    kind = "tensor<4x4xf32>"
    fact = regions(f"""
    func.func @f(%u: {kind} {{volcli.domain = {UPPER_RIGHT}}}) -> {kind} {{
      %one = arith.constant dense<1.0> : {kind}
      %r = arith.divf %one, %u : {kind}
      return %r : {kind}
    }}""")
    assert [region.kind for region in fact.regions] == ["dense", "sparse"]


@pytest.mark.parametrize(
    ("kind", "attribute", "message"),
    [
        ("tensor<4xf32>", "4 : i32", "'volcli.domain' of %t is not an affine_set"),
        (
            "tensor<4xf32>",
            "affine_set<(d0, d1) : (d0 >= 0)>",
            "has 2 dimensions and 0 symbols, not 1 and 0 or 1",
        ),
        ("tensor<4x4xf32>", "affine_set<(d0, d1)[s0] : (d0 >= 0)>", "and 1 symbol, not 2 and 0 or 2"),
        ("memref<4xf32>", "affine_set<(d0) : (d0 >= 0)>", "is for a ranked tensor"),
        ("index", "affine_set<() : (0 == 0)>", "is for a ranked tensor"),
    ],
)
def test_what_is_no_domain(kind: str, attribute: str, message: str) -> None:
    text = f"func.func @f(%t: {kind} {{volcli.domain = {attribute}}}) {{\n  return\n}}"
    (diagnostic,) = volcli.loads(text).units[0].diagnostics
    assert diagnostic.code == "V112"
    assert message in diagnostic.message
    assert diagnostic.place is not None


def test_a_domain_of_what_is_computed_is_refused() -> None:
    """Nothing is computed from it: an engineer who writes it there expects more than is done."""
    kind, domain = "tensor<4x4xf32>", "volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>"
    text = f"""func.func @f(%x: {kind}) -> ({kind} {{{domain}}}) {{
  %e = tensor.empty() {{{domain}}} : {kind}
  return %e : {kind}
}}
"""
    found = volcli.loads(text).units[0].diagnostics
    places = [(each.code, each.place.line) for each in found if each.place is not None]
    assert places == [("V112", 1), ("V112", 2)]
    assert "'volcli.domain' of result 0 belongs on an argument" in found[0].message
    assert "'volcli.domain' of 'tensor.empty' op belongs on an argument" in found[1].message
