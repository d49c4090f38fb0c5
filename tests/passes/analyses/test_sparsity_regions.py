"""The pass sparsity-regions: options, limits, and rows."""

from __future__ import annotations

import islpy as isl
import pytest

from tests.passes.analyses.test_element_maps import BLOCKS, NESTED, TWO
from tests.shared.enumeration import function, run
from volcli.diagnostics import UsageError
from volcli.facts.regions import RegionsFact

PADDED = function("%t: tensor<4xf32>", """
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index): tensor.yield %z : f32
  } : tensor<4xf32> to tensor<7xf32>
  %r = arith.addf %p, %p : tensor<7xf32>""", "%r : tensor<7xf32>")  # fmt: skip


def regions(text: str, options: str = "") -> list[RegionsFact]:
    return [f for f in run(text, f"sparsity-regions{options}").facts if isinstance(f, RegionsFact)]


def test_rows() -> None:
    (fact,) = regions(PADDED)
    assert (fact.value, fact.exact) == ("%r", True)
    rows = {row.kind: (row.count, row.set) for row in fact.regions}
    assert {kind: count for kind, (count, _) in rows.items()} == {"dense": 4, "static": 3}
    assert rows["dense"][1].is_equal(isl.Set("{ r[i] : 1 <= i < 5 }"))
    assert rows["static"][1].is_equal(isl.Set("{ r[i] : 0 <= i < 7 and (i < 1 or i > 4) }"))
    assert fact.domain is not None
    assert fact.domain.set.is_equal(isl.Set("{ r[i] : 0 <= i < 7 }"))
    assert [row.zero for row in fact.regions if row.kind == "static"] == [True]


def test_of() -> None:
    assert [f.value for f in regions(PADDED, "{of=%p}")] == ["%p"]
    assert {f.value for f in regions(PADDED, "{of=all}")} >= {"%p", "%r"}
    (fact,) = regions(PADDED, "{of=%t}")
    assert [(row.kind, row.count) for row in fact.regions] == [("dense", 4)]
    with pytest.raises(UsageError) as caught:
        regions(PADDED, "{of=%q}")
    assert caught.value.diagnostic.code == "V005"


def test_a_value_in_a_region_is_unknown() -> None:
    (fact,) = regions(NESTED, "{of=%y}")
    assert (fact.exact, fact.domain, fact.regions) == (False, None, ())


def test_limits_are_reported_once() -> None:
    text = PADDED.replace(
        "arith.addf %p, %p : tensor<7xf32>", '"my.op"(%p) : (tensor<7xf32>) -> tensor<7xf32>'
    )
    program = run(text, "element-maps,sparsity-regions")
    assert [d.code for d in program.diagnostics] == ["V301"]
    blocks = BLOCKS.replace("cf.cond_br %k, ^bb1, ^bb2", '"my.br"(%k)[^bb1, ^bb2] : (i1) -> ()')
    assert [d.code for d in run(blocks, "sparsity-regions").diagnostics] == ["V304"]


def test_an_unknown_operation_makes_data() -> None:
    text = PADDED.replace(
        "arith.addf %p, %p : tensor<7xf32>", '"my.op"(%p) : (tensor<7xf32>) -> tensor<7xf32>'
    )
    (fact,) = regions(text)
    assert not fact.exact
    assert {row.kind for row in fact.regions} <= {"dense", "sparse"}


def test_a_small_budget() -> None:
    program = run(PADDED, "sparsity-regions", budget=1)
    (fact,) = program.facts
    assert isinstance(fact, RegionsFact)
    assert [d.code for d in program.diagnostics] == ["V302"]
    assert (fact.exact, fact.regions) == (False, ())


def test_a_budget_counts_for_one_query_alone() -> None:
    """The query after an unknown one is answered."""
    program = run(PADDED + TWO.replace("@f", "@g"), "sparsity-regions", budget=1)
    answered = [bool(f.domain) for f in program.facts if isinstance(f, RegionsFact)]
    assert answered[0] is False


def test_data_only() -> None:
    (fact,) = regions(TWO)
    assert [(row.kind, row.degree, row.count) for row in fact.regions] == [("dense", 0, 4)]
