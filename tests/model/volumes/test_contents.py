"""Maps and regions of memory: what a buffer contains, by value-based flow."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.contents import programs, truth
from tests.oracles.contents.judge import judge
from tests.shared.seeds import seeds
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.limits import volumes as limits

SHAPES = {"%a": (6,), "%b": (6,), "%m": (6, 6), "%x": (), "%t": (6,)}


def maps(text: str, of: str = "") -> dict[str, MapFact]:
    program = volcli.loads(text).run(f"element-maps{of}")
    assert not [each for each in program.diagnostics if each.code == "V900"]
    return {fact.value: fact for fact in program.facts if isinstance(fact, MapFact)}


def regions(text: str) -> dict[str, RegionsFact]:
    facts = volcli.loads(text).run("sparsity-regions").facts
    return {fact.value: fact for fact in facts if isinstance(fact, RegionsFact)}


def is_map(fact: MapFact, expected: str) -> bool:
    return fact.exact and fact.map is not None and bool(fact.map.is_equal(isl.UnionMap(expected)))


def function(arguments: str, body: str, result: str = "") -> str:
    kind = f" -> ({result.split(':')[1]})" if result else ""
    return f"func.func @f({arguments}){kind} {{\n{body}\nreturn {result}\n}}"


A_AND_B = "%a: memref<8xf32>, %b: memref<8xf32>"


def test_what_was_copied_comes_from_where_it_was() -> None:
    """The returned argument is not what it was before the function; that arguments are different is assumed."""
    text = function(A_AND_B, "memref.copy %a, %b : memref<8xf32> to memref<8xf32>", "%b : memref<8xf32>")
    fact = maps(text)["%b"]
    assert is_map(fact, "{ b[i] -> a[i] : 0 <= i < 8 }")
    assert fact.assumptions == ("%a and %b are different memory",)


def test_elements_that_nothing_writes_are_what_they_were() -> None:
    body = """
      affine.for %i = 2 to 5 {
        %x = affine.load %a[7 - %i] : memref<8xf32>
        affine.store %x, %b[%i] : memref<8xf32>
      }"""
    expected = "{ b[i] -> a[7 - i] : 2 <= i < 5; b[i] -> b[i] : 0 <= i < 2 or 5 <= i < 8 }"
    assert is_map(maps(function(A_AND_B, body))["%b"], expected)


def test_a_recurrence_is_closed() -> None:
    """`b[i] = b[i - 1] + a[i]` is computed from b[0] and from a[1], ..., a[i]."""
    body = """
      affine.for %i = 1 to 8 {
        %x = affine.load %b[%i - 1] : memref<8xf32>
        %y = affine.load %a[%i] : memref<8xf32>
        %s = arith.addf %x, %y : f32
        affine.store %s, %b[%i] : memref<8xf32>
      }"""
    expected = "{ b[i] -> b[0] : 0 <= i < 8; b[i] -> a[j] : 0 < j <= i < 8 }"
    assert is_map(maps(function(A_AND_B, body))["%b"], expected)


def test_an_unrolled_sum_is_a_sum() -> None:
    """Two writes that lead to each other: one is put into the equation of the other one, a sum over %i, %j."""
    body = """
      affine.for %i = 0 to 4 { affine.for %j = 0 to 8 step 2 {
        %s = affine.load %b[0] : memref<8xf32>
        %x = affine.load %a[%j] : memref<8xf32>
        %t = arith.addf %s, %x : f32
        affine.store %t, %b[0] : memref<8xf32>
        %u = affine.load %b[0] : memref<8xf32>
        %y = affine.load %a[%j + 1] : memref<8xf32>
        %v = arith.addf %u, %y : f32
        affine.store %v, %b[0] : memref<8xf32>
      } }"""
    expected = "{ b[0] -> b[0]; b[0] -> a[j] : 0 <= j < 8; b[i] -> b[i] : 0 < i < 8 }"
    assert is_map(maps(function(A_AND_B, body))["%b"], expected)


def test_without_a_form_each_write_may_be_computed_from_all_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CHAIN_OPERATIONS", "CHAIN_STEPS", "CLOSURE_OPERATIONS"):
        monkeypatch.setattr(limits, name, 10)
    body = """
      affine.for %i = 1 to 4 {
        %x = affine.load %b[%i - 1] : memref<8xf32>
        %y = affine.load %a[2 * %i] : memref<8xf32>
        %s = arith.addf %x, %y : f32
        affine.store %s, %b[%i] : memref<8xf32>
      }"""
    fact = maps(function(A_AND_B, body))["%b"]
    exact = isl.UnionMap(
        "{ b[i] -> b[i] : 4 <= i < 8; b[i] -> b[0] : 0 <= i < 4; b[i] -> a[j] : i < 4 and j % 2 = 0 < j <= 2i }"
    )
    most = isl.UnionMap("{ b[i] -> a[j] : 0 < i < 4 and 2 <= j <= 6 }").union(exact)
    assert fact.map is not None
    assert (fact.exact, fact.reason) == (False, "budget: more than 10 integer set operations")
    assert exact.is_subset(fact.map)
    assert fact.map.is_subset(most)


def test_what_a_loop_carries_and_a_branch_gives() -> None:
    body = """
      %z = arith.constant 0.0 : f32
      %r = affine.for %i = 0 to 8 step 2 iter_args(%s = %z) -> (f32) {
        %x = affine.load %a[%i] : memref<8xf32>
        %q = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) -> f32 {
          affine.yield %x : f32
        } else {
          affine.yield %s : f32
        }
        %t = arith.addf %s, %q : f32
        affine.yield %t : f32
      }
      affine.store %r, %b[3] : memref<8xf32>"""
    found = maps(function(A_AND_B, body))["%b"]
    assert found.exact
    stated = truth.stated(found, {"%a": (8,), "%b": (8,)})
    assert stated[(3,)] == {("a", (4,)), ("a", (6,))}
    assert stated[(2,)] == {("b", (2,))}


def test_tensors_in_buffers_and_buffers_of_tensors() -> None:
    body = """
      %t = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
      %r = arith.negf %t : tensor<8xf32>
      bufferization.materialize_in_destination %r in restrict writable %b : (tensor<8xf32>, memref<8xf32>) -> ()
      %u = bufferization.to_tensor %b restrict : memref<8xf32> to tensor<8xf32>"""
    found = maps(function(A_AND_B, body, "%u : tensor<8xf32>"))
    assert is_map(found["%u"], "{ u[i] -> a[i] : 0 <= i < 8 }")
    assert is_map(found["%b"], "{ b[i] -> a[i] : 0 <= i < 8 }")


def test_constants_and_tensors_that_are_in_buffers() -> None:
    """A constant global is no data; another one may contain anything."""
    text = """
      memref.global "private" constant @w : memref<4xf32> = dense<[0.0, 1.0, 0.0, 2.0]>
      memref.global "private" @v : memref<4xf32> = dense<1.0>
      func.func @f(%t: tensor<4xf32>, %a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
        %w = memref.get_global @w : memref<4xf32>
        memref.copy %w, %a : memref<4xf32> to memref<4xf32>
        %v = memref.get_global @v : memref<4xf32>
        memref.copy %v, %b : memref<4xf32> to memref<4xf32>
        %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
        memref.copy %m, %c : memref<4xf32> to memref<4xf32>
        return
      }"""
    found = regions(text)
    assert [[row.label for row in found[name].regions] for name in ("%a", "%c")] == [["static"], ["dense"]]
    assert [found[name].exact for name in ("%a", "%b", "%c")] == [True, False, True]
    assert is_map(maps(text)["%c"], "{ c[i] -> t[i] : 0 <= i < 4 }")


def test_what_is_loaded_where_it_is_loaded() -> None:
    """A later write does not matter."""
    body = """
      %c3 = arith.constant 3 : index
      memref.copy %a, %b : memref<8xf32> to memref<8xf32>
      %x = memref.load %b[%c3] : memref<8xf32>
      memref.store %x, %a[%c3] : memref<8xf32>"""
    found = maps(function(A_AND_B, body, "%x : f32"), "{of=%x}")
    assert is_map(found["%x"], "{ x[] -> a[3] }")


def test_numbers_that_loops_and_branches_give() -> None:
    """The map of a number that is no element: of a sum of what is loaded or taken, and of an exact choice."""
    text = """
      func.func @f(%n: index, %a: memref<?xf32>, %t: tensor<8xf32>) -> (f32, f32) {
        %z = arith.constant 0.0 : f32
        %r = affine.for %i = 0 to %n iter_args(%s = %z) -> (f32) {
          %x = affine.load %a[%i] : memref<?xf32>
          %u = arith.addf %s, %x : f32
          affine.yield %u : f32
        }
        %q = affine.for %i = 0 to 4 iter_args(%s = %z) -> (f32) {
          %j = affine.apply affine_map<(d0) -> (2 * d0)>(%i)
          %x = tensor.extract %t[%j] : tensor<8xf32>
          %y = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) -> f32 {
            affine.yield %x : f32
          } else {
            affine.yield %s : f32
          }
          affine.yield %y : f32
        }
        return %r, %q : f32, f32
      }"""
    found, known = maps(text), regions(text)
    expected = "{ r[] -> a[i] : a_d0 >= 0 and 0 <= i < n and i < a_d0; r[] -> z_r[] : a_d0 >= 0 }"
    assert is_map(found["%r"], f"[a_d0, n] -> {expected}")
    assert is_map(found["%q"], "[a_d0] -> { q[] -> t[6] : a_d0 >= 0 }")
    assert [row.label for row in known["%q"].regions] == ["dense"]
    assert [known[name].exact for name in ("%r", "%q")] == [True, True]


def test_vectors() -> None:
    """Lanes are followed through memory and arithmetic; behind the end of a buffer they are the padding."""
    text = """
      func.func @f(%n: index, %a: memref<8xf32>, %b: memref<8xf32>, %c: memref<?xf32>, %p: f32) {
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c6 = arith.constant 6 : index
        %v = vector.transfer_read %a[%c6], %p : memref<8xf32>, vector<4xf32>
        %o = vector.broadcast %p : f32 to vector<4xf32>
        %w = arith.negf %o : vector<4xf32>
        %s = arith.addf %v, %w : vector<4xf32>
        vector.transfer_write %v, %b[%c0] : vector<4xf32>, memref<8xf32>
        vector.store %s, %a[%c0] : memref<8xf32>, vector<4xf32>
        scf.for %i = %c0 to %n step %c4 {
          %left = affine.min affine_map<(d0)[s0] -> (s0 - d0, 4)>(%i)[%n]
          %m = vector.create_mask %left : vector<4xi1>
          vector.transfer_write %w, %c[%i], %m : vector<4xf32>, memref<?xf32>
        }
        return
      }"""
    found, known = maps(text), regions(text)
    window = "b[i] -> a[6 + i] : 0 <= i < 2 and c_d0 >= 0; b[i] -> p[] : 2 <= i < 4 and c_d0 >= 0"
    assert is_map(found["%b"], f"[c_d0] -> {{ {window}; b[i] -> b[i] : 4 <= i < 8 and c_d0 >= 0 }}")
    filled = "c[i] -> p[] : 0 <= i < n and i < c_d0; c[i] -> c[i] : n <= i < c_d0 and i >= 0"
    assert is_map(found["%c"], f"[c_d0, n] -> {{ {filled} }}")
    assert [found[name].exact for name in ("%a", "%b", "%c")] == [True, True, True]
    assert [known[name].exact for name in ("%a", "%b", "%c")] == [True, True, True]


STEPS = {
    "exchanged": """
      %z = arith.constant dense<0.0> : vector<4xf32>
      %p:2 = affine.for %i = 0 to 3 iter_args(%s = %v, %q = %z) -> (vector<4xf32>, vector<4xf32>) {
        %w = vector.transfer_read %a[%i], %x : memref<6xf32>, vector<4xf32>
        %n = arith.addf %q, %w : vector<4xf32>
        affine.yield %n, %s : vector<4xf32>, vector<4xf32>
      }
      vector.store %p#0, %b[%c0] : memref<6xf32>, vector<4xf32>
      vector.store %p#1, %a[%c1] : memref<6xf32>, vector<4xf32>""",
    "broadcast": """
      %r = vector.transfer_read %m[%c1, %c1], %x {permutation_map = affine_map<(d0, d1) -> (0, d1)>,
        in_bounds = [true, false]} : memref<6x6xf32>, vector<3x4xf32>
      vector.transfer_write %r, %m[%c0, %c0] : vector<3x4xf32>, memref<6x6xf32>""",
    "masked": """
      %c3 = arith.constant 3 : index
      %k = vector.create_mask %c3 : vector<4xi1>
      %l = vector.maskedload %a[%c1], %k, %v : memref<6xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.store %l, %b[%c1] : memref<6xf32>, vector<4xf32>
      vector.maskedstore %m[%c1, %c1], %k, %l : memref<6x6xf32>, vector<4xi1>, vector<4xf32>""",
    "under a mask": """
      %c3 = arith.constant 3 : index
      %k = vector.create_mask %c3 : vector<4xi1>
      %l = vector.mask %k { vector.transfer_read %a[%c1], %x {in_bounds = [true]} : memref<6xf32>, vector<4xf32> }
        : vector<4xi1> -> vector<4xf32>
      %s = vector.shuffle %l, %v [0, 4, 3, 5] : vector<4xf32>, vector<4xf32>
      vector.mask %k { vector.transfer_write %s, %b[%c1] {in_bounds = [true]} : vector<4xf32>, memref<6xf32> }
        : vector<4xi1>""",
    "combined": """
      %c6 = arith.constant 6 : index
      %r, %q = scf.parallel (%i) = (%c0) to (%c6) step (%c1) init (%x, %x) -> (f32, f32) {
        %y = memref.load %a[%i] : memref<6xf32>
        %w = memref.load %m[%i, %i] : memref<6x6xf32>
        scf.reduce(%y, %w : f32, f32) {
        ^bb0(%l: f32, %k: f32):
          %s = arith.addf %l, %k : f32
          scf.reduce.return %s : f32
        }, {
        ^bb0(%l: f32, %k: f32):
          %s = arith.mulf %l, %k : f32
          scf.reduce.return %s : f32
        }
      }
      memref.store %r, %b[%c0] : memref<6xf32>
      affine.for %j = 1 to 4 {
        %p = affine.parallel (%i) = (0) to (%j) reduce ("maximumf") -> f32 {
          %y = affine.load %m[%i, %j] : memref<6x6xf32>
          affine.yield %y : f32
        }
        %n = arith.addf %p, %q : f32
        affine.store %n, %b[%j] : memref<6xf32>
      }""",
    "in a scope": """
      %r = memref.alloca_scope -> (f32) {
        %t = memref.alloca() : memref<6xf32>
        memref.copy %a, %t : memref<6xf32> to memref<6xf32>
        memref.copy %t, %b : memref<6xf32> to memref<6xf32>
        %y = affine.load %t[3] : memref<6xf32>
        memref.alloca_scope.return %y : f32
      }
      memref.store %r, %m[%c0, %c1] : memref<6x6xf32>""",
    "updated": """
      affine.for %i = 0 to 4 {
        %y = memref.load %a[%i] : memref<6xf32>
        %o = memref.atomic_rmw addf %y, %b[%c1] : (f32, memref<6xf32>) -> f32
        %p = memref.generic_atomic_rmw %m[%c1, %i] : memref<6x6xf32> {
        ^bb0(%e: f32):
          %n = arith.mulf %e, %y : f32
          memref.atomic_yield %n : f32
        }
        %q = memref.atomic_rmw assign %x, %m[%i, %c0] : (f32, memref<6x6xf32>) -> f32
      }""",
}


@pytest.mark.parametrize("name", STEPS)
def test_steps_against_executions(name: str) -> None:
    arguments = "%a: memref<6xf32>, %b: memref<6xf32>, %m: memref<6x6xf32>, %x: f32, %v: vector<4xf32>"
    indices = "".join(f"%c{k} = arith.constant {k} : index\n" for k in (0, 1))
    program = volcli.loads(function(arguments, indices + STEPS[name])).run("element-maps")
    real = truth.elements(program.units[0].of_module()[0])
    facts = [fact for fact in program.facts if isinstance(fact, MapFact)]
    assert facts
    for fact in facts:
        assert fact.exact
        assert truth.stated(fact, SHAPES | {"%v": (4,)}) == real[fact.value]


def test_views_that_are_returned() -> None:
    """A view by addresses is of the elements that lie there; new memory that nothing writes is of none."""
    text = """
      func.func @f(%a: memref<2x4xf32>, %u: memref<*xf32>) -> (memref<3xf32, strided<[2], offset: 1>>,
          memref<2x2xf32, strided<[2, 1]>>, memref<2x2xf32>) {
        %v = memref.reinterpret_cast %a to offset: [1], sizes: [3], strides: [2]
          : memref<2x4xf32> to memref<3xf32, strided<[2], offset: 1>>
        %w = memref.reinterpret_cast %u to offset: [0], sizes: [2, 2], strides: [2, 1]
          : memref<*xf32> to memref<2x2xf32, strided<[2, 1]>>
        %n = memref.alloc() : memref<2x2xf32>
        return %v, %w, %n : memref<3xf32, strided<[2], offset: 1>>, memref<2x2xf32, strided<[2, 1]>>,
          memref<2x2xf32>
      }"""
    found = maps(text)
    assert is_map(found["%v"], "{ v[0] -> a[0, 1]; v[1] -> a[0, 3]; v[2] -> a[1, 1] }")
    assert found["%w"].exact
    assert is_map(found["%n"], "{ }")


def test_calls_that_write() -> None:
    text = """
      func.func private @move(%s: memref<8xf32>, %t: memref<8xf32>) {
        affine.for %i = 0 to 7 {
          %x = affine.load %s[%i + 1] : memref<8xf32>
          affine.store %x, %t[%i] : memref<8xf32>
        }
        return
      }
      func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
        %m = memref.alloc() : memref<8xf32>
        call @move(%a, %m) : (memref<8xf32>, memref<8xf32>) -> ()
        call @move(%m, %b) : (memref<8xf32>, memref<8xf32>) -> ()
        return
      }"""
    expected = "{ b[i] -> a[i + 2] : 0 <= i < 6; b[7] -> b[7] }"
    assert is_map(maps(text)["%b"], expected)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("call @g(%b) : (memref<8xf32>) -> ()", "the memory effects of @g are unknown"),
        (
            """%v = memref.load %p[] : memref<index>
               %x = memref.load %a[%v] : memref<8xf32>
               memref.store %x, %b[%v] : memref<8xf32>""",
            "which selects elements, is loaded from data",
        ),
        (
            """%v = memref.load %p[] : memref<index>
               affine.for %i = 0 to %v {
                 %x = affine.load %a[%i] : memref<8xf32>
                 affine.store %x, %b[%i] : memref<8xf32>
               }""",
            "which selects elements, is loaded from data",
        ),
        (
            """%v = memref.load %p[] : memref<index>
               %c0 = arith.constant 0 : index
               %k = arith.cmpi eq, %v, %c0 : index
               scf.if %k { memref.copy %a, %b : memref<8xf32> to memref<8xf32> }""",
            "which selects elements, is loaded from data",
        ),
    ],
    ids=["unknown", "subscript", "bound", "branch"],
)
def test_where_data_decide_there_is_no_answer(body: str, reason: str) -> None:
    text = f"func.func private @g(memref<8xf32>)\n{function(f'{A_AND_B}, %p: memref<index>', body)}"
    for found in (maps(text)["%b"], regions(text)["%b"]):
        assert found.certainty.degree == "unknown"
        assert reason in str(found.certainty.reason)


def test_constants_that_are_computed_with_are_no_padding() -> None:
    """What is not written is what it was; a number that is multiplied with is not stored beside data."""
    body = """
      %c = arith.constant 0.5 : f32
      %z = arith.constant 0.0 : f32
      affine.for %i = 1 to 4 {
        affine.store %z, %b[%i] : memref<8xf32>
        affine.for %j = 0 to 8 {
          %x = affine.load %a[%j] : memref<8xf32>
          %y = affine.load %b[%i] : memref<8xf32>
          %s = arith.addf %x, %y : f32
          affine.store %s, %b[%i] : memref<8xf32>
        }
      }
      affine.for %i = 0 to 4 {
        %x = affine.load %a[%i] : memref<8xf32>
        %y = arith.mulf %x, %c : f32
        affine.store %y, %a[%i] : memref<8xf32>
      }"""
    found = regions(function(A_AND_B, body))
    for fact in (found["%a"], found["%b"]):
        assert fact.exact
        assert [(row.label, row.count) for row in fact.regions] == [("dense", 8)]


def test_sizes_that_agree_are_one_parameter() -> None:
    """What is stored along one of them reaches all elements along the other: none is told apart."""
    body = """
      %z = arith.constant 1.0 : f32
      linalg.exp ins(%x : memref<4x?xf32>) outs(%o : memref<4x?xf32>)
      %t = memref.alloc() : memref<4xf32>
      linalg.fill ins(%z : f32) outs(%t : memref<4xf32>)
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]} ins(%t : memref<4xf32>) outs(%o : memref<4x?xf32>) {
      ^bb0(%a: f32, %b: f32):
        %c = arith.mulf %a, %b : f32
        linalg.yield %c : f32
      }"""
    text = function("%x: memref<4x?xf32>, %o: memref<4x?xf32>", body)
    box = "0 <= i < 4 and 0 <= j < x_d1"
    assert is_map(maps(text)["%o"], f"[x_d1] -> {{ o[i, j] -> x[i, j] : {box}; o[i, j] -> z_use[] : {box} }}")
    fact = regions(text)["%o"]
    assert fact.exact
    assert [each["kind"] for each in fact.to_json()["regions"]] == ["dense"]


def test_padding_in_memory_is_not_told_apart() -> None:
    """What reads both padding and data is not dense; which it is, is not known."""
    body = """
      %z = arith.constant 0.0 : f32
      affine.store %z, %b[0] : memref<8xf32>
      affine.for %i = 0 to 7 {
        %x = affine.load %b[%i] : memref<8xf32>
        affine.store %x, %a[%i + 1] : memref<8xf32>
        %y = affine.load %b[%i + 1] : memref<8xf32>
        %s = arith.addf %x, %y : f32
        affine.store %s, %a[%i] : memref<8xf32>
      }"""
    fact = regions(function(A_AND_B, body))["%a"]
    assert fact.certainty.degree == "approximate"


def test_regions_of_memory() -> None:
    """What is filled with zeros is zero; what is copied into it is data."""
    body = """
      %z = arith.constant 0.0 : f32
      linalg.fill ins(%z : f32) outs(%b : memref<8xf32>)
      %v = memref.subview %b[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
      %w = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
      memref.copy %w, %v : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: 2>>"""
    fact = regions(function(A_AND_B, body))["%b"]
    assert fact.exact
    assert [(row.label, row.count) for row in fact.regions] == [("dense", 4), ("static zero", 4)]


@pytest.mark.parametrize(("first", "label"), [(0, "static zero"), (4, "static")])
def test_constants_of_a_view_are_those_of_its_elements(first: int, label: str) -> None:
    """The elements 0 to 3 of the buffer are 0, the others are 1; the view has four of them."""
    kind = f"memref<4xf32, strided<[1], offset: {first}>>"
    body = f"""
      %z = arith.constant 0.0 : f32
      %o = arith.constant 1.0 : f32
      affine.for %i = 0 to 4 {{
        affine.store %z, %b[%i] : memref<8xf32>
        affine.store %o, %b[%i + 4] : memref<8xf32>
      }}
      %v = memref.subview %b[{first}] [4] [1] : memref<8xf32> to {kind}"""
    found = regions(f"func.func @f({A_AND_B}) -> {kind} {{\n{body}\nreturn %v : {kind}\n}}")["%v"]
    assert [(row.label, row.count) for row in found.regions] == [(label, 4)]


def test_writes_in_a_circle_are_closed_once_for_all_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stencil on two arrays: what each of them contains is computed from the same writes to both."""
    asked: list[isl.UnionMap] = []
    closure = isl.UnionMap.transitive_closure

    def counted(relation: isl.UnionMap) -> tuple[isl.UnionMap, bool]:
        asked.append(relation)
        return closure(relation)

    monkeypatch.setattr(isl.UnionMap, "transitive_closure", counted)
    monkeypatch.setattr(limits, "CHAIN_STEPS", 100)  # else the few steps are taken one by one
    body = """
      affine.for %t = 0 to 2 {
        affine.for %i = 1 to 7 {
          %x = affine.load %a[%i - 1] : memref<8xf32>
          %y = affine.load %a[%i + 1] : memref<8xf32>
          %s = arith.addf %x, %y : f32
          affine.store %s, %b[%i] : memref<8xf32>
        }
        affine.for %i = 1 to 7 {
          %x = affine.load %b[%i] : memref<8xf32>
          affine.store %x, %a[%i] : memref<8xf32>
        }
      }"""
    found = maps(function(A_AND_B, body))
    assert is_map(
        found["%a"],
        """{ a[i] -> a[i] : i = 0 or i = 7; a[i] -> a[j] : 0 < i < 7 and (j = i - 2 or j = i or j = i + 2)
                                                           and 0 <= j < 8;
             a[1] -> a[0]; a[6] -> a[7] }""",
    )
    assert found["%b"].exact
    assert len(asked) == 1


LU = """
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to affine_map<(d) -> (d)>(%i) {
      affine.for %k = 0 to affine_map<(d) -> (d)>(%j) {
        %x = affine.load %m[%i, %k] : memref<4x4xf32>
        %y = affine.load %m[%k, %j] : memref<4x4xf32>
        %p = arith.mulf %x, %y : f32
        %z = affine.load %m[%i, %j] : memref<4x4xf32>
        %s = arith.subf %z, %p : f32
        affine.store %s, %m[%i, %j] : memref<4x4xf32>
      }
      %x = affine.load %m[%j, %j] : memref<4x4xf32>
      %y = affine.load %m[%i, %j] : memref<4x4xf32>
      %q = arith.divf %y, %x : f32
      affine.store %q, %m[%i, %j] : memref<4x4xf32>
    }
    affine.for %j = affine_map<(d) -> (d)>(%i) to 4 {
      affine.for %k = 0 to affine_map<(d) -> (d)>(%i) {
        %x = affine.load %m[%i, %k] : memref<4x4xf32>
        %y = affine.load %m[%k, %j] : memref<4x4xf32>
        %p = arith.mulf %x, %y : f32
        %z = affine.load %m[%i, %j] : memref<4x4xf32>
        %s = arith.subf %z, %p : f32
        affine.store %s, %m[%i, %j] : memref<4x4xf32>
      }
    }
  }"""


def test_a_decomposition_in_place_is_followed_exactly() -> None:
    program = volcli.loads(function("%m: memref<4x4xf32>", LU)).run("element-maps")
    (fact,) = (each for each in program.facts if isinstance(each, MapFact))
    (model,) = program.units[0].of_module()
    assert fact.exact
    assert truth.stated(fact, {"%m": (4, 4)}) == truth.elements(model)["%m"]


@pytest.mark.parametrize("seed", seeds(6, 400))
def test_random_programs_against_executions(seed: int) -> None:
    """The long campaign draws more of them."""
    judge(programs.drawn(seed), SHAPES)
