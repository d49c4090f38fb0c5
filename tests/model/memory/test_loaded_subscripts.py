"""Subscripts, offsets, pad amounts, sizes and conditions that are loaded from data."""

from __future__ import annotations

import json

import pytest

from tests.shared.enumeration import Function, function, run

LOADED = """%zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %v = tensor.extract %where[%zero] : tensor<2xindex>
  %i = arith.remui %v, %three : index
"""
ARGUMENTS = "%x: tensor<6xf32>, %where: tensor<2xindex>, %n: index, %bits: tensor<2xi1>"
MOVES = {
    "insert": "%r = tensor.insert %z into %x[%i] : tensor<6xf32>",
    "mask": """%e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = arith.cmpi sle, %k, %i : index
    %s = arith.select %c, %z, %a : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>""",
    "literals": """%r = tensor.generate {
  ^bb0(%k: index):
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %c = arith.cmpi ult, %i, %k : index
    %s = scf.if %c -> (f32) {
      scf.yield %one : f32
    } else {
      scf.yield %two : f32
    }
    tensor.yield %s : f32
  } : tensor<6xf32>""",
    "product of a loop and a subscript": """%r = tensor.generate {
  ^bb0(%k: index):
    %m = arith.muli %k, %i : index
    %s = tensor.extract %x[%m] : tensor<6xf32>
    tensor.yield %s : f32
  } : tensor<6xf32>""",
    "padding": """%p = tensor.extract_slice %x[0] [4] [1] : tensor<6xf32> to tensor<4xf32>
  %high = arith.subi %three, %i : index
  %w = tensor.pad %p low[%i] high[%high] {
  ^bb0(%k: index):
    tensor.yield %z : f32
  } : tensor<4xf32> to tensor<7xf32>
  %r = tensor.extract_slice %w[0] [6] [1] : tensor<7xf32> to tensor<6xf32>""",
    "truth": """%b = tensor.extract %bits[%zero] : tensor<2xi1>
  %j = arith.select %b, %zero, %three : index
  %r = tensor.insert %z into %x[%j] : tensor<6xf32>""",
    "sum over a loaded size": """%one = arith.constant 1.0 : f32
  %e = tensor.empty(%i) : tensor<?xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %e6 = tensor.empty() : tensor<6xf32>
  %f6 = linalg.fill ins(%z : f32) outs(%e6 : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%f : tensor<?xf32>) outs(%f6 : tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>""",
}


def of(move: str) -> str:
    return function(ARGUMENTS, LOADED + "  " + move, "%r : tensor<6xf32>")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", MOVES)
def test_what_selects_belongs_to_the_map_and_nothing_is_static(name: str) -> None:
    (file,) = run(of(MOVES[name]), "element-maps,sparsity-regions").to_json()["files"]
    maps, regions = file["facts"]
    source = "bits[d0" if name == "truth" else "where[d0"
    assert source in maps["map"]
    assert not maps["exact"]
    assert not regions["exact"]
    assert {region["kind"] for region in regions["regions"]} <= {"dense", "sparse"}


def test_what_is_loaded_twice_makes_no_static_product() -> None:
    """Both factors are 0 at the same loaded subscript: it still depends on that which element is 0."""
    text = of("""%a = tensor.insert %z into %x[%i] : tensor<6xf32>
  %b = tensor.insert %z into %x[%i] : tensor<6xf32>
  %r = arith.mulf %a, %b : tensor<6xf32>""")
    ((fact,),) = (file["facts"] for file in run(text, "sparsity-regions").to_json()["files"])
    assert [region["kind"] for region in fact["regions"]] == ["dense"]


@pytest.mark.parametrize(
    "number",
    [
        "%j = arith.addi %n, %three : index",
        "%j = arith.muli %n, %n : index",
        "%j = arith.remui %n, %n : index",
    ],
)
def test_what_arguments_determine_is_a_parameter(number: str) -> None:
    """A subscript that is computed from integer arguments alone is no data, affine or not."""
    f = Function(of(f"{number}\n  %r = tensor.insert %z into %x[%j] : tensor<6xf32>"))
    assert f.exact("%r")
    assert {name for _, name, _ in f.reads("%r", n=1, j=1)} == {"x", "z_r"}


def test_a_result_of_a_loaded_size_keeps_its_elements() -> None:
    f = Function(of("""%e = tensor.empty(%i) : tensor<?xf32>
  %r = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>""").replace(
        "tensor<6xf32> {", "tensor<?xf32> {").replace("return %r : tensor<6xf32>", "return %r : tensor<?xf32>"))  # fmt: skip
    assert f.exact("%r")


def test_a_size_that_is_loaded_selects() -> None:
    """The shape operand of a reshape determines a size, also where the reshaped tensor has no element."""
    f = Function(
        of("""%w = tensor.reshape %x(%where) : (tensor<6xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %d = tensor.dim %w, %zero : tensor<?x?xf32>
  %r = tensor.insert %z into %x[%d] : tensor<6xf32>""")
    )
    reason = "dimension 0 of %w, which selects elements, is loaded from data"
    assert f.model.maps.of_operation(f.value("%r")).inexact == reason
    sources = {(r, x) for r, name, x in f.inputs("%r", w_d0=0, w_d1=5) if name == "where"}
    assert sources == {((r,), (x,)) for r in range(6) for x in range(2)}


def test_json_says_what_parameters_and_volumes_are() -> None:
    text = function(
        "%a.b: tensor<?xf32>, %a-b: tensor<?xf32>, %where: tensor<1xindex>, %n: index",
        """%zero = arith.constant 0 : index
  %i = tensor.extract %where[%zero] : tensor<1xindex>
  %square = arith.muli %n, %n : index
  %s = tensor.extract_slice %a-b[%i] [%square] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.concat dim(0) %a.b, %s : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>""",
        "%r : tensor<?xf32>",
    )
    (file,) = run(text, "element-maps").to_json()["files"]
    (fact,) = file["facts"]
    known = {p["value"]: p for p in fact["parameters"] if p["dim"] is None}
    assert (known["%i"]["kind"], known["%i"]["data"], known["%i"]["op"]) == (
        "loaded",
        ["%where"],
        "tensor.extract",
    )
    assert (known["%square"]["kind"], known["%square"]["data"]) == ("computed", [])
    sizes = {p["value"]: (p["kind"], p["dim"]) for p in fact["parameters"] if p["dim"] is not None}
    assert sizes["%a.b"] == ("size", 0)
    names = {v["value"]: v["name"] for v in fact["volumes"]}
    assert names["%a.b"] != names["%a-b"]
    assert all(f"{name}[" in json.dumps(fact["map"]) for name in (names["%a.b"], names["%a-b"], names["%r"]))


def test_elements_are_counted_whatever_other_sizes_are() -> None:
    """The 4 elements of a constant are 4, although another value of the function has a dynamic size."""
    text = function(
        "%x: tensor<?xf32>", "%r = arith.constant dense<0.0> : tensor<4xf32>", "%r : tensor<4xf32>"
    )
    ((fact,),) = (file["facts"] for file in run(text, "sparsity-regions").to_json()["files"])
    assert [region["count"] for region in fact["regions"]] == [4]


@pytest.mark.parametrize(
    "number",
    [
        "%i = func.call @somewhere() : () -> index",
        "%j = func.call @somewhere() : () -> index\n%c2 = arith.constant 2 : index\n"
        "%i = arith.remui %j, %c2 : index",
        '%i = "some.number"() : () -> index',
        "scf.execute_region {\n scf.yield\n}\n%i = scf.execute_region -> index {\n"
        '  %k = "some.number"() : () -> index\n  scf.yield %k : index\n}',
    ],
)
def test_a_number_of_an_operation_without_a_case_is_data(number: str) -> None:
    """Where the 1 is inserted differs from run to run: no element is static."""
    body = f"""{number}
      %zeros = arith.constant dense<0.0> : tensor<6xf32>
      %one = arith.constant 1.0 : f32
      %r = tensor.insert %one into %zeros[%i] : tensor<6xf32>"""
    text = "func.func private @somewhere() -> index\n" + function("%x: f32", body, "%r : tensor<6xf32>")
    facts = [f for file in run(text, "sparsity-regions").to_json()["files"] for f in file["facts"]]
    assert [(r["kind"], r["count"]) for f in facts for r in f["regions"]] == [("dense", 6)]
