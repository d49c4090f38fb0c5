"""Arithmetic on 64 bits that wraps around whatever the arguments are, and what is left as it is written."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.store.store import BoundsStore

TEMPLATE = """
func.func @f(%n: index, %w: i32, %m: index) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %huge = arith.constant 9223372036854775807 : index
  %small = affine.max affine_map<(d0) -> (-1, d0)>(%n)
  %sign = affine.min affine_map<(d0) -> (1, d0)>(%small)
  %half = arith.shrui %sign, %one : index
  {}
  return
}}
"""


def bounds(body: str, name: str = "%r") -> tuple[int | None, int | None, bool]:
    """The constant bounds of NAME in BODY, and whether they are exact."""
    (unit,) = volcli.load(TEMPLATE.format(body)).units
    (model,) = unit.models()
    value = next(v for op in model.function.walk() for v in op.results if model.name_of(v) == name)
    found = BoundsStore(model.function, model.name_of).constant_bounds(value)
    return found.lower, found.upper, found.exact


def of_i64(text: str) -> str:
    """TEXT computes the i64 %q from %h, which is %half."""
    return f"""%h = arith.index_cast %half : index to i64
      {text}
      %r = arith.index_cast %q : i64 to index"""


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [
        # %half is 2^63 - 1 for %n < 0, and else 0.
        ("%r = arith.shli %half, %two : index", -4, 0),
        ("%r = arith.addi %half, %half : index", -2, 0),
        ("%r = arith.subi %half, %sign : index", -(2**63), 0),
        ("%r = index.add %half, %half", -2, 0),
        ("%r = arith.muli %half, %two : index", -2, 0),
        ("%r = arith.addi %huge, %huge : index", -2, -2),
        ("%r = arith.select %c, %half, %zero : index", 0, 2**63 - 1),
        (of_i64("%q = arith.addi %h, %h : i64"), -2, 0),
    ],
)
def test_what_is_large_for_small_arguments_wraps_around(body: str, low: int, high: int) -> None:
    condition = "%c = arith.cmpi slt, %m, %zero : index\n"
    assert bounds(condition + body) == (low, high, True)


def test_what_a_loop_carries_wraps_around_too() -> None:
    body = """%r = scf.for %i = %zero to %two step %one iter_args(%a = %half) -> index {
        %b = arith.addi %a, %half : index
        scf.yield %b : index
      }"""
    low, high, exact = bounds(body)
    assert low is not None
    assert high is not None
    assert -(2**63) <= low <= 0
    assert 2**63 - 3 <= high < 2**63
    assert not exact or (low, high) == (0, 2**63 - 3)


def test_a_product_of_widened_integers_may_wrap_around() -> None:
    body = """%u = arith.extui %w : i32 to i64
      %q = arith.muli %u, %u : i64
      %p = arith.muli %q, %u : i64
      %r = arith.index_cast %p : i64 to index
      %s = arith.addi %u, %u : i64
      %t = arith.index_cast %s : i64 to index"""
    low, high, _ = bounds(body)
    assert low is not None
    assert high is not None
    assert low < 0
    assert high < 2**63
    assert bounds(body, "%t") == (0, 2**33 - 2, True)


def test_arguments_are_taken_to_be_small_enough() -> None:
    assert bounds("%r = arith.shli %n, %two : index") == (None, None, True)
    assert bounds("%p = arith.muli %n, %m : index\n%r = arith.addi %p, %n : index")[:2] == (None, None)


CARRIED = """
func.func @f() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %r = affine.for %i = 0 to 1 iter_args(%a = %zero) -> (index) {
    %n = arith.index_cast %a : index to i32
    %d = arith.maxsi %one, %one : i32
    %m = arith.remui %n, %d : i32
    %next = arith.index_castui %m : i32 to index
    affine.yield %next : index
  }
  %b = arith.index_cast %r : index to i8
  %s = arith.index_cast %b : i8 to index
  return
}
"""


def test_what_a_loop_carries_is_not_exact_while_something_in_it_is_not_known_yet() -> None:
    """%n needs the range of %a, and %a what follows it: the first to be asked for must not matter."""
    (unit,) = volcli.load(CARRIED).units
    (model,) = unit.models()
    values = {model.name_of(v): v for op in model.function.walk() for v in op.results}
    for first in ("%n", "%m", "%next", "%r"):
        store = BoundsStore(model.function, model.name_of)
        store.constant_bounds(values[first])
        found = store.constant_bounds(values["%s"])
        assert (found.lower, found.upper, found.exact) == (0, 0, True), first


@pytest.mark.parametrize("operands", ["%q, %few", "%few, %q"])
def test_the_unsigned_maximum_of_an_unbounded_and_a_negative_number_is_negative(operands: str) -> None:
    """max(2^64 - 2, q) for q >= 3 is the signed number -2, although nothing bounds q."""
    body = f"""%c = arith.cmpi slt, %m, %zero : index
      %minus = arith.constant -2 : index
      %few = arith.select %c, %minus, %zero : index
      %q = arith.maxsi %n, %one : index
      %r = arith.maxui {operands} : index"""
    low, high, exact = bounds(body)
    assert low is None or low <= -2
    assert not exact or (low, high) == (-2, 2**63 - 1)


GROWING = """
func.func @f() {{
  %seven = arith.constant 7 : index
  %start = arith.constant {start} : index
  %large = arith.constant {large} : index
  %r = scf.while (%a = %start) : (index) -> (index) {{
    %goes_on = arith.cmpi sge, %a, %seven : index
    scf.condition(%goes_on) %a : index
  }} do {{
  ^bb0(%b: index):
    %next = arith.addi %b, %large : index
    scf.yield %next : index
  }}
  return
}}
"""


@pytest.mark.parametrize(("start", "large"), [(7, 5523857185544166166), (2**62, 2**62)])
def test_what_grows_by_large_numbers_without_a_bound_wraps_around(start: int, large: int) -> None:
    """The loop ends with the first sum that does: the second one here, or the first."""
    last = start
    while last >= 7:
        last = (last + large + 2**63) % 2**64 - 2**63
    found = volcli.load(GROWING.format(start=start, large=large)).function("f").bounds("%r")
    assert not found.never
    assert found.lower.constant is None or found.lower.constant <= last
    assert found.upper.constant is None or found.upper.constant >= last


EQUAL_AROUND = """
func.func @f(%p: i1) {
  %largest = arith.constant 9223372036854775807 : index
  %one = arith.constant 1 : index
  %r = scf.while (%a = %largest) : (index) -> (index) {
    scf.condition(%p) %a : index
  } do {
  ^bb0(%b: index):
    %next = arith.addi %b, %one : index
    scf.yield %largest : index
  }
  return
}
"""


def test_what_equals_a_large_number_in_a_loop_is_large() -> None:
    """%b is what the loop forwards, which is one number: its sum with 1 wraps around."""
    found = volcli.load(EQUAL_AROUND).function("f").bounds("%next")
    assert (found.lower.constant, found.upper.constant) == (-(2**63), -(2**63))


MAXIMUM_AROUND = """
func.func @f(%n: index, %m: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %negative = arith.constant -8 : i64
  %bit = arith.constant 1 : i64
  %half = arith.shrui %negative, %bit : i64
  %large = arith.index_cast %half : i64 to index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %m) -> index {
    %less = arith.subi %a, %one : index
    %b = arith.maxsi %less, %large : index
    scf.yield %b : index
  }
  return %r : index
}
"""


def test_what_is_refuted_of_a_loop_is_not_supposed_again() -> None:
    """That %less has 64 bits follows from %m, and is not seen of all that %a is found to be."""
    function = volcli.load(MAXIMUM_AROUND).function("f")
    assert function.bounds("%b").lower.constant == 2**63 - 4
    assert function.bounds("%a").lower.constant is None


SQUARED = """
func.func @f(%n: index) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %count = arith.constant {count} : index
  %r = scf.for %i = %zero to %count step %one iter_args(%a = %three) -> index {{
    %next = arith.muli %a, %a : index
    scf.yield %next : index
  }}
  return
}}
"""


@pytest.mark.parametrize("count", [1, 6, 8, 100])
def test_what_is_squared_in_each_iteration_wraps_around(count: int) -> None:
    number = 3
    for _ in range(count):
        number = (number * number + 2**63) % 2**64 - 2**63
    found = volcli.load(SQUARED.format(count=count)).function("f").bounds("%r")
    assert not found.never
    for bound, sign in ((found.lower.constant, 1), (found.upper.constant, -1)):
        assert bound is None or (sign * bound <= sign * number and -(2**63) <= bound < 2**63)


def test_a_chain_of_squares_is_its_number_modulo_2_to_the_64() -> None:
    squares = ["%s0 = arith.constant 3 : index"]
    squares += [f"%s{k + 1} = arith.muli %s{k}, %s{k} : index" for k in range(6)]
    body = "\n".join([*squares, "%r = arith.addi %s6, %zero : index"])
    expected = (3**64 + 2**63) % 2**64 - 2**63
    assert bounds(body) == (expected, expected, True)


def test_what_runs_up_to_the_largest_number_wraps_around_behind_it() -> None:
    text = """
    func.func @f() {
      affine.for %i = 0 to 9223372036854775807 {
        %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %k = affine.apply affine_map<(d0) -> (d0 + 5)>(%i)
      }
      return
    }
    """
    function = volcli.load(text).function("f")
    assert (function.bounds("%j").lower.constant, function.bounds("%j").upper.constant) == (1, 2**63 - 1)
    assert (function.bounds("%k").lower.constant, function.bounds("%k").upper.constant) == (
        -(2**63),
        2**63 - 1,
    )


def test_no_size_is_said_to_be_more_than_there_can_be() -> None:
    text = """
    func.func @f(%t: tensor<?xf32>, %f: f32) {
      %p = tensor.pad %t low[4611686018427387904] high[4611686018427387904] {
      ^bb0(%i: index):
        tensor.yield %f : f32
      } : tensor<?xf32> to tensor<?xf32>
      return
    }
    """
    size = volcli.load(text).function("f").bounds("%p", 0)
    assert (size.lower.constant, size.lower.exact, size.upper.constant) == (0, False, None)


SEARCHED = """
func.func @f(%n: index, %keys: memref<?xindex>, %key: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %found:2 = scf.while (%low = %zero, %high = %n) : (index, index) -> (index, index) {
    %goes_on = arith.cmpi slt, %low, %high : index
    scf.condition(%goes_on) %low, %high : index, index
  } do {
  ^bb0(%first: index, %last: index):
    %sum = arith.addi %first, %last : index
    %middle = arith.divsi %sum, %two : index
    %k = memref.load %keys[%middle] : memref<?xindex>
    %less = arith.cmpi slt, %k, %key : index
    %behind = arith.addi %middle, %one : index
    %then = arith.select %less, %behind, %first : index
    %to = arith.select %less, %last, %middle : index
    scf.yield %then, %to : index, index
  }
  return
}
"""
DOUBLED = """
func.func @f(%n: index) {
  %one = arith.constant 1 : index
  %r = scf.while (%a = %one) : (index) -> (index) {
    %goes_on = arith.cmpi slt, %a, %n : index
    scf.condition(%goes_on) %a : index
  } do {
  ^bb0(%b: index):
    %next = arith.addi %b, %b : index
    scf.yield %next : index
  }
  return
}
"""


@pytest.mark.slow
def test_what_grows_with_an_argument_or_not_at_all_is_not_taken_to_wrap_around() -> None:
    searched = volcli.load(SEARCHED).function("f")
    assert searched.bounds("%middle").lower.constant == 0
    assert str(searched.bounds("%middle").upper.expression) == "%n - 1"
    assert volcli.load(DOUBLED).function("f").bounds("%r").lower.constant == 1


@pytest.mark.parametrize(("limit", "last"), [("minui", 0), ("maxui", -3)])
def test_what_a_condition_alone_keeps_small_does_not_wrap_around(limit: str, last: int) -> None:
    """The limit is -3 or 0, which only sets see: intervals say that it has 64 bits, as `%a + 1` then may not."""
    function = volcli.load(f"""
        func.func @f(%c: i1) -> index {{
          %first = arith.constant -8 : index
          %one = arith.constant 1 : index
          %none = arith.constant 0 : index
          %three = arith.constant -3 : index
          %x = arith.select %c, %three, %none : index
          %y = arith.select %c, %three, %first : index
          %limit = arith.{limit} %x, %y : index
          %r, %l = scf.while (%b = %first, %last = %limit) : (index, index) -> (index, index) {{
            %less = arith.cmpi slt, %b, %limit : index
            scf.condition(%less) %b, %limit : index, index
          }} do {{
          ^bb0(%a: index, %same: index):
            %next = arith.addi %a, %one : index
            scf.yield %next, %same : index, index
          }}
          return %r : index
        }}""").function("f")
    for name, low, high in (("%b", -8, last), ("%next", -7, last)):
        found = function.bounds(name)
        assert (found.lower.constant, found.upper.constant) == (low, high)
        assert found.lower.exact
        assert found.upper.exact
