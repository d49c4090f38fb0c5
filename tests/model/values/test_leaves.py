"""Leaves: which values are free, so that each number of their range occurs, and what is only known to contain them."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import ConstantBounds, Verdict

HELPERS = """
func.func private @reads(memref<8xindex>)
func.func private @unknown() -> index
func.func @five() -> index {
  %five = arith.constant 5 : index
  return %five : index
}
func.func @again(%again: index) -> index {
  %other = func.call @again(%again) : (index) -> index
  return %other : index
}
func.func @either(%which: i1, %number: i8) -> (index, index) {
  %seven = arith.constant 7 : index
  %byte = arith.index_castui %number : i8 to index
  cf.cond_br %which, ^a, ^b
^a:
  return %seven, %byte : index, index
^b:
  %less = func.call @five() : () -> index
  return %less, %byte : index, index
}
"""
ARGUMENTS = "%n: index, %k: index, %m: memref<8xindex>, %o: memref<8xindex>, %t: tensor<8xindex>, %y: i8, %p: i1, %floats: tensor<8xf32>, %h: f32"


def asked(body: str, name: str, dim: int | None = None) -> ConstantBounds:
    """The bounds of NAME in a function with BODY."""
    text = f"{HELPERS}\nfunc.func @f({ARGUMENTS}) {{\n%c0 = arith.constant 0 : index\n{body}\nreturn\n}}"
    (unit,) = volcli.load(text).units
    model = next(m for m in unit.models() if name in {m.name_of(v) for v, _ in m.bounds.variables()})
    store = BoundsStore(model.function, model.name_of)
    value = next(v for v, _ in store.variables() if model.name_of(v) == name)
    return store.constant_bounds(value, dim)


def verdict(body: str, claim: str) -> Verdict:
    text = f"{HELPERS}\nfunc.func @f({ARGUMENTS}) {{\n%c0 = arith.constant 0 : index\n{body}\nreturn\n}}"
    return volcli.load(text).compare(claim).verdict


STORE = "memref.store %n, %m[%k] : memref<8xindex>"
LOAD = "%x = memref.load %m[%c0] : memref<8xindex>"


@pytest.mark.sample(3)
@pytest.mark.parametrize("body", [
    LOAD,
    f"{LOAD}\n{STORE}",
    f"memref.store %n, %o[%c0] : memref<8xindex>\n{LOAD}",
    f"%a = memref.alloc() : memref<8xindex>\nmemref.store %n, %a[%c0] : memref<8xindex>\n{LOAD}",
    f"%c1 = arith.constant 1 : index\nmemref.store %n, %m[%c1] : memref<8xindex>\n{LOAD}",
    "%x = tensor.extract %t[%n] : tensor<8xindex>",
    "%s = tensor.cast %t : tensor<8xindex> to tensor<?xindex>\n%x = tensor.extract %s[%n] : tensor<?xindex>",
    f"scf.if %p {{\n{LOAD}\n}}",
    f"scf.for %i = %c0 to %n step %k {{\n{LOAD}\n}}\n{STORE}",
    "%x = arith.xori %n, %k : index",
    "%x = arith.divui %n, %k : index",
    "%x = affine.load %m[3] : memref<8xindex>",
    "%e = linalg.fill ins(%n : index) outs(%t : tensor<8xindex>) -> tensor<8xindex>\n%x = tensor.extract %e[%k] : tensor<8xindex>",
])  # fmt: skip
def test_what_is_free_is_any_number(body: str) -> None:
    assert asked(body, "%x") == ConstantBounds(None, None, because=asked(body, "%x").because)
    assert verdict(body, "%x < 1000") is Verdict.REFUTED


@pytest.mark.sample(4)
@pytest.mark.parametrize("body", [
    f"{STORE}\n{LOAD}",
    f"memref.store %n, %m[%c0] : memref<8xindex>\n{LOAD}",
    f"func.call @reads(%m) : (memref<8xindex>) -> ()\n{LOAD}",
    f'"other.keep"(%m) : (memref<8xindex>) -> ()\n{LOAD}',
    f"%q = memref.extract_aligned_pointer_as_index %m : memref<8xindex> -> index\n{LOAD}",
    f"%v = memref.subview %m[0] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1]>>\n"
    f"memref.store %n, %v[%k] : memref<4xindex, strided<[1]>>\n{LOAD}",
    f"%v = arith.select %p, %m, %o : memref<8xindex>\nmemref.store %n, %v[%k] : memref<8xindex>\n{LOAD}",
    f"scf.for %i = %c0 to %n step %k {{\n{LOAD}\n{STORE}\n}}",
    f"scf.if %p {{\n{STORE}\n}}\n{LOAD}",
    f"memref.copy %o, %m : memref<8xindex> to memref<8xindex>\n{LOAD}",
    "%a = memref.alloc() : memref<8xindex>\n%x = memref.load %a[%c0] : memref<8xindex>",
    "%x = func.call @unknown() : () -> index",
    "%x = func.call @again(%n) : (index) -> index",
    '%x = "other.number"() : () -> index',
    '%x = "other.number"(%n) : (index) -> index',
    "%x = arith.remui %n, %k : index",
    "%f = arith.sitofp %y : i8 to f32\n%w = arith.fptosi %f : f32 to i64\n%x = arith.index_cast %w : i64 to index",
])  # fmt: skip
def test_what_is_not_free_is_neither_exact_nor_refuted(body: str) -> None:
    found = asked(body, "%x")
    assert not found.exact
    assert found.because is not None
    assert verdict(body, "%x < 1000") is Verdict.UNKNOWN


def test_arguments_of_blocks_that_are_branched_to() -> None:
    """0 or 1 here, and from 0 on there."""
    text = """
    func.func @f(%p: i1, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      cf.cond_br %p, ^a(%c0 : index), ^a(%c1 : index)
    ^a(%x: index):
      cf.br ^b(%c0 : index)
    ^b(%i: index):
      %j = arith.addi %i, %c1 : index
      %more = arith.cmpi slt, %j, %n : index
      cf.cond_br %more, ^b(%j : index), ^c
    ^c:
      return
    }"""
    for claim in ("%x <= 1", "%i >= 0", "%j >= 1"):
        assert volcli.load(text).compare(claim).verdict is Verdict.PROVED
    for claim in ("%x <= 0", "%i >= 1", "%j >= 2", "%j < 5"):
        assert volcli.load(text).compare(claim).verdict is Verdict.REFUTED


def test_the_same_element_twice_is_one_number() -> None:
    body = """
      %a = tensor.extract %t[%k] : tensor<8xindex>
      %b = tensor.extract %t[%k] : tensor<8xindex>
      %x = arith.subi %a, %b : index
      %c = tensor.extract %t[%n] : tensor<8xindex>
      %z = arith.subi %a, %c : index
      %c1 = arith.constant 1 : index
      %l = arith.addi %k, %c1 : index
      %d = tensor.extract %t[%l] : tensor<8xindex>
      %w = arith.subi %a, %d : index"""
    assert asked(body, "%x") == ConstantBounds(0, 0)
    assert not asked(body, "%z").exact
    assert verdict(body, "%a = %c") is Verdict.UNKNOWN
    assert asked(body, "%w").exact
    assert verdict(body, "%a = %d") is Verdict.REFUTED


LOOP = """
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {{
    %e = tensor.extract %t[{index}] : tensor<8xindex>
    %c3 = arith.constant 3 : index
    %v = arith.andi %e, %c3 : index
    %b = arith.subi %v, %a : index
    scf.yield %b : index
  }}
  %x = arith.addi %r, %c0 : index"""


def test_what_a_loop_reads_in_each_iteration() -> None:
    """v3 - v2 + v1 - v0, each from 0 to 3; and 0 if they are one element, which is not found out."""
    assert asked(LOOP.format(index="%i"), "%x") == ConstantBounds(-6, 6)
    repeated = asked(LOOP.format(index="%c0"), "%x")
    assert not repeated.exact
    assert repeated.because == "%e may be the same element in two iterations"


def test_sums_over_one_tensor_are_not_independent() -> None:
    second = LOOP.replace("%r", "%s").replace("%i", "%j").replace("%x", "%u")
    body = LOOP.format(index="%i") + second.format(index="%j").replace("%c1 =", "%d1 =").replace(
        "%c4 =", "%d4 ="
    )
    assert not asked(f"{body}\n%w = arith.subi %x, %u : index", "%w").exact


def test_indices_of_what_is_generated_and_padded() -> None:
    body = """
      %g = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %s = arith.addi %i, %j : index
        tensor.yield %s : index
      } : tensor<?x5xindex>
      %q = tensor.pad %t low[2] high[%k] {
      ^bb0(%d: index):
        tensor.yield %d : index
      } : tensor<8xindex> to tensor<?xindex>"""
    assert asked(body, "%i") == ConstantBounds(0, None, because=asked(body, "%i").because)
    assert asked(body, "%j") == ConstantBounds(0, 4)
    assert verdict(body, "%s < %n + 4") is Verdict.PROVED
    assert verdict(body, "%i < 3") is Verdict.REFUTED
    assert verdict(body, "%d < %k + 10 and %d >= 0") is Verdict.PROVED
    assert verdict(body, "%d != 4") is Verdict.PROVED
    assert verdict(body, "%d != 1") is Verdict.REFUTED


def test_elements_of_a_constant() -> None:
    body = """
      %c = arith.constant dense<[[3, 8], [-2, 5]]> : tensor<2x2xindex>
      %c1 = arith.constant 1 : index
      %a = tensor.extract %c[%c0, %c1] : tensor<2x2xindex>
      %b = tensor.extract %c[%k, %n] : tensor<2x2xindex>"""
    assert asked(body, "%a") == ConstantBounds(8, 8)
    found = asked(body, "%b")
    assert (found.lower, found.upper, found.exact) == (-2, 8, False)
    assert verdict(body, "%b != 4") is Verdict.PROVED
    assert verdict(body, "%b != 3") is Verdict.UNKNOWN


@pytest.mark.parametrize(("made", "lower", "upper"), [
    ("constant @table : memref<4xindex> = dense<[3, 8, -2, 5]>", -2, 8),
    ("constant @table : memref<4xindex> = uninitialized", None, None),
    ("constant @table : memref<4xindex>", None, None),
    ("@table : memref<4xindex> = dense<[3, 8, -2, 5]>", None, None),
])  # fmt: skip
def test_elements_of_a_global_buffer_are_known_if_it_is_constant(
    made: str, lower: int | None, upper: int | None
) -> None:
    text = f"""
      memref.global {made}
      func.func @f(%k: index) -> index {{
        %t = memref.get_global @table : memref<4xindex>
        %a = memref.load %t[%k] : memref<4xindex>
        return %a : index
      }}"""
    (model,) = volcli.load(text).units[0].models()
    value = next(v for v, _ in model.bounds.variables() if model.name_of(v) == "%a")
    found = model.bounds.constant_bounds(value)
    assert (found.lower, found.upper) == (lower, upper)


@pytest.mark.parametrize(("text", "name"), [
    ("%x = tensor.empty(%n) : tensor<?xf32>", "%x"),
    ("%x = memref.alloc(%n) : memref<?xf32>", "%x"),
    ("%d = arith.subi %n, %k : index\n%x = tensor.empty(%d) : tensor<?xf32>", "%x"),
])  # fmt: skip
def test_sizes_are_not_negative(text: str, name: str) -> None:
    found = asked(text, name, 0)
    assert (found.lower, found.upper, found.exact) == (0, None, True)
    assert asked(f"{text}\n%y1 = arith.addi %n, %c0 : index", "%n").lower is None


def test_what_made_a_size_is_not_negative_behind_it() -> None:
    body = "%e = tensor.empty(%n) : tensor<?xf32>\n%x = arith.addi %n, %c0 : index"
    assert verdict(body, "dim(%e, 0) >= 0") is Verdict.PROVED


def test_numbers_beyond_64_bits_are_no_error() -> None:
    narrow = """
      %a = arith.index_cast %y : i8 to index
      %b = arith.index_castui %y : i8 to index
      %x = arith.divsi %b, %a : index
      %z = arith.remui %b, %a : index"""
    assert asked(narrow, "%b") == ConstantBounds(0, 255)
    found = asked(narrow, "%x")
    assert (found.lower, found.upper, found.exact) == (-255, 1, True)  # 255 / -1, and 1 / 1
    assert asked("%d = tensor.empty(%n) : tensor<?xf32>\n%q = tensor.dim %d, %c0 : tensor<?xf32>\n"
                 "%c4 = arith.constant 4 : index\n%x = arith.divui %q, %c4 : index", "%x").lower == 0  # fmt: skip


def test_what_called_functions_return() -> None:
    """5; and 5 or 7 with a byte, of which nothing is refuted: this caller may pass what it likes."""
    body = """
      %x = func.call @five() : () -> index
      %either:2 = func.call @either(%p, %y) : (i1, i8) -> (index, index)
      %r = arith.addi %either#0, %either#1 : index"""
    assert asked(body, "%x") == ConstantBounds(5, 5)
    assert verdict(body, "%x = 5") is Verdict.PROVED
    assert verdict(body, "%x = 6") is Verdict.REFUTED
    found = asked(body, "%r")
    assert (found.lower, found.upper, found.exact) == (5, 262, False)
    assert verdict(body, "%r <= 262") is Verdict.PROVED
    assert verdict(body, "%r <= 261") is Verdict.UNKNOWN


def test_truths_of_floats() -> None:
    """Either may be, and not both: a number that is less is not greater."""
    body = """
      %c1 = arith.constant 1 : index
      %e = tensor.extract %floats[%k] : tensor<8xf32>
      %zero = arith.constant 0.0 : f32
      %less = arith.cmpf olt, %e, %h : f32
      %more = arith.cmpf ogt, %e, %h : f32
      %same = arith.cmpf oeq, %h, %h : f32
      %positive = arith.cmpf ogt, %e, %zero : f32
      %a = arith.select %less, %c1, %c0 : index
      %b = arith.select %more, %c1, %c0 : index
      %c = arith.select %same, %c1, %c0 : index
      %x = arith.select %positive, %c1, %c0 : index
      %both = arith.addi %a, %b : index"""
    assert asked(body, "%a") == ConstantBounds(0, 1)
    assert asked(body, "%x") == ConstantBounds(0, 1)
    assert not asked(body, "%both").exact
    assert verdict(body, "%both < 2") is Verdict.UNKNOWN
    assert not asked(body, "%c").exact


def test_a_loop_with_a_condition_reads_another_element_each_time() -> None:
    body = """
      %c1 = arith.constant 1 : index
      %r:2 = scf.while (%i = %c0, %s = %c0) : (index, index) -> (index, index) {
        %c6 = arith.constant 6 : index
        %more = arith.cmpi slt, %i, %c6 : index
        scf.condition(%more) %i, %s : index, index
      } do {
      ^bb0(%i2: index, %s2: index):
        %e = tensor.extract %floats[INDEX] : tensor<8xf32>
        %is = arith.cmpf ogt, %e, %h : f32
        %step = arith.select %is, %c1, %c0 : index
        %next = arith.addi %i2, %c1 : index
        %sum = arith.addi %s2, %step : index
        scf.yield %next, %sum : index, index
      }
      %x = arith.addi %r#1, %c0 : index"""
    found = asked(body.replace("INDEX", "%k"), "%x")
    assert (found.lower, found.upper, found.exact) == (0, 6, False)


def test_elements_in_the_body_of_a_structured_operation() -> None:
    body = """
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                           iterator_types = ["reduction"]}
           ins(%t, %t : tensor<8xindex>, tensor<8xindex>) outs(%z : tensor<index>) {
      ^bb0(%in: index, %other: index, %out: index):
        %at = linalg.index 0 : index
        %again = linalg.index 0 : index
        %x = arith.subi %at, %again : index
        %d = arith.subi %in, %other : index
        linalg.yield %in : index
      } -> tensor<index>"""
    body = f"%z = tensor.empty() : tensor<index>\n{body}"
    assert asked(body, "%in").exact
    assert asked(body, "%at") == ConstantBounds(0, 7)
    assert asked(body, "%x") == ConstantBounds(0, 0)
    assert not asked(body, "%d").exact
    assert not asked(body, "%out").exact


def test_an_element_of_what_a_number_chooses_is_some_number() -> None:
    """No one condition says which of three tensors it is of."""
    text = """
    func.func @f(%m: memref<4xindex>, %x: tensor<5xindex>, %y: tensor<5xindex>) -> index {
      %c1 = arith.constant 1 : index
      %k = memref.load %m[%c1] : memref<4xindex>
      %r = scf.index_switch %k -> tensor<5xindex>
      case 0 { scf.yield %x : tensor<5xindex> }
      case 2 { scf.yield %y : tensor<5xindex> }
      default { scf.yield %x : tensor<5xindex> }
      %e = tensor.extract %r[%c1] : tensor<5xindex>
      return %e : index
    }"""
    fact = volcli.loads(text).function("f").bounds("%e")
    assert (fact.lower.constant, fact.upper.constant) == (None, None)
