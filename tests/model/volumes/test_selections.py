"""A select by one truth, and a branch by the same: one answer, by what the program is given."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.model.volumes.test_contents import function, is_map, maps

TYPE = "tensor<8xf32>"
FORMS = (
    f"arith.select %c, %a, %b : {TYPE}",
    f"scf.if %c -> {TYPE} {{ scf.yield %a : {TYPE} }} else {{ scf.yield %b : {TYPE} }}",
)
CONDITIONS = {
    "arith.cmpi eq, %n, %one : index": "n = 1",
    "arith.cmpi sle, %n, %one : index": "n <= 1",
    "arith.xori %p, %q : i1": "p != q",
    "arith.addi %p, %q : i1": "p != q",
    "arith.cmpi eq, %p, %q : i1": "p = q",
    "arith.cmpi ult, %p, %q : i1": "p < q",
    "arith.cmpi slt, %p, %q : i1": "p > q",
    "arith.cmpi sge, %p, %q : i1": "p <= q",
    "arith.andi %p, %q : i1": "p = 1 and q = 1",
}


TRUTHS = isl.Set("[p, q] -> { : 0 <= p <= 1 and 0 <= q <= 1 }")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_is_chosen_is_read_where_it_is(condition: str, form: str) -> None:
    """`%n` and the truths are parameters: no element is read for them."""
    lines = f"%one = arith.constant 1 : index\n%c = {condition}\n%r = {form}"
    text = function(f"%a: {TYPE}, %b: {TYPE}, %n: index, %p: i1, %q: i1", lines, f"%r : {TYPE}")
    fact = maps(text)["%r"]
    assert fact.exact
    assert fact.map is not None
    holds, points = CONDITIONS[condition], "0 <= i < 8"
    wanted = f"r[i] -> a[i] : {points} and {holds}; r[i] -> b[i] : {points} and not ({holds})"
    expected = isl.UnionMap(f"[n, p, q] -> {{ {wanted} }}")
    assert fact.map.intersect_params(TRUTHS).is_equal(expected.intersect_params(TRUTHS)), fact.map


def test_a_select_by_what_is_loaded_reads_it() -> None:
    """Any of both values may be chosen: an element depends on what decides, and on both."""
    lines = f"%c = tensor.extract %t[] : tensor<i1>\n%r = {FORMS[0]}"
    fact = maps(function(f"%a: {TYPE}, %b: {TYPE}, %t: tensor<i1>", lines, f"%r : {TYPE}"))["%r"]
    assert is_map(fact, "{ r[i] -> a[i] : 0 <= i < 8; r[i] -> b[i] : 0 <= i < 8; r[i] -> t[] : 0 <= i < 8 }")


MASKS = {
    "arith.constant dense<[true, false, true, false, true, true, true, true]>": {0, 2, 4, 5, 6, 7},
    "stablehlo.constant dense<[false, true, true, false, false, false, true, false]>": {1, 2, 6},
}
KINDS = f"tensor<8xi1>, {TYPE}"


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("select", ["stablehlo.select %m, %a, %z : " + KINDS, "generic"])
def test_a_mask_that_is_a_list_is_structure(mask: str, select: str) -> None:
    """Where it does not hold, zeros are multiplied."""
    if select == "generic":
        same = ", ".join(["affine_map<(i) -> (i)>"] * 4)
        select = f"""linalg.generic {{indexing_maps = [{same}], iterator_types = ["parallel"]}}
        ins(%m, %a, %z : tensor<8xi1>, {TYPE}, {TYPE}) outs(%a : {TYPE}) {{
        ^bb0(%t: i1, %x: f32, %y: f32, %o: f32):
          %s = arith.select %t, %x, %y : f32
          linalg.yield %s : f32
        }} -> {TYPE}"""
    lines = f"""%m = {mask} : tensor<8xi1>\n%z = arith.constant dense<0.0> : {TYPE}\n%s = {select}
    %r = arith.mulf %s, %b fastmath<nnan, ninf> : {TYPE}"""
    text = function(f"%a: {TYPE}, %b: {TYPE}", lines, f"%r : {TYPE}")
    fact, places = maps(text, "{of=%r to=%a}")["%r"], MASKS[mask]
    assert is_map(fact, f"{{ {'; '.join(f'r[{k}] -> a[{k}]' for k in places)} }}")
    (zeros,) = volcli.loads(text).run("structural-zeros").to_json()["files"][0]["facts"]
    assert max(row["zeros"] for row in zeros["live"]) == 8 - len(places)
