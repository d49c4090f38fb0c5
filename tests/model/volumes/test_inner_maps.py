"""Element maps of values inside of loops and bodies, and to values between, by enumeration."""

from __future__ import annotations

from itertools import product

import islpy as isl

import volcli
from tests.conftest import ROOT
from tests.oracles.elements.compare import enumerate_set
from volcli.facts.maps import MapFact

PROGRAM = (ROOT / "testdata" / "regions" / "inside.mlir").read_text()
Points = set[tuple[int, ...]]


def pairs(fact: MapFact, target: str, **values: int) -> Points:
    """The elements of the value and of TARGET that are related, as one tuple each, for VALUES of parameters."""
    assert fact.map is not None
    assert fact.exact
    found: list[isl.Map] = []
    fact.map.foreach_map(lambda each: found.append(each))
    points: Points = set()
    for each in found:
        if each.get_tuple_name(isl.dim_type.out) != target:
            continue
        for name, value in values.items():
            position = each.find_dim_by_name(isl.dim_type.param, name)
            if position >= 0:
                each = each.fix_val(isl.dim_type.param, position, isl.Val(value))
        points |= enumerate_set(each.project_out_all_params().wrap().flatten())
    return points


def test_a_value_of_an_iteration() -> None:
    function = volcli.loads(PROGRAM).function("rows")
    fact = function.element_map("%sum")
    for i in range(-1, 10):
        runs = 0 <= i < 8
        assert pairs(fact, "x", i=i) == ({(d, i, d - 1) for d in range(1, 5)} if runs else set())
        assert pairs(fact, "z_p", i=i) == ({(0,), (5,)} if runs else set())
    assert pairs(fact, "acc") == {(d, d) for d in range(6)}


def test_a_map_leads_to_a_volume_between() -> None:
    function = volcli.loads(PROGRAM).function("rows")
    fact = function.element_map("%row", to="%p")
    assert all(pairs(fact, "p", i=i) == {(d, i, d) for d in range(6)} for i in range(8))
    assert fact.to == "%p"


def test_several_targets_are_several_facts() -> None:
    program = volcli.loads(PROGRAM).run("element-maps{of=%row to=%p,%x,inputs}")
    assert [fact.subject for fact in program.facts] == ["%row to %p", "%row to %x", "%row"]


def test_a_scalar_at_a_loop_point() -> None:
    function = volcli.loads(PROGRAM).function("product")
    points = list(product(range(4), range(3), range(5)))
    fact = function.element_map("%product")
    assert pairs(fact, "x") == {(m, n, k, m, k) for m, n, k in points}
    assert pairs(fact, "y") == {(m, n, k, k, n) for m, n, k in points}
    assert pairs(fact, "init") == set()


def test_an_accumulator_holds_what_the_points_before_have_read() -> None:
    function = volcli.loads(PROGRAM).function("product")
    points = list(product(range(4), range(3), range(5)))
    before = function.element_map("%before")
    assert pairs(before, "x") == {(m, n, k, m, j) for m, n, k in points for j in range(k)}
    assert pairs(before, "init") == {(m, n, k, m, n) for m, n, k in points}
    partial = function.element_map("%partial")
    assert pairs(partial, "x") == {(m, n, k, m, j) for m, n, k in points for j in range(k + 1)}


def test_no_map_leads_into_a_region_that_the_value_is_not_in() -> None:
    fact = volcli.loads(PROGRAM).function("rows").element_map("%r", to="%sum")
    assert fact.map is None
    assert "%sum is inside a region that %r is not in" in str(fact.reason)
