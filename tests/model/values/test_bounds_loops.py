"""Bounds of what goes around loops, where they have a closed form; the oracle tests loops that are short."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import ConstantBounds


class Asked:
    """The bounds of one function's values, by name."""

    def __init__(self, text: str) -> None:
        (unit,) = volcli.load(text).units
        (model,) = unit.models()
        self.store = BoundsStore(model.function, model.name_of)
        self.values = {self.store.name_of(v): (v, dim) for v, dim in self.store.variables()}

    def symbolic(self, name: str) -> tuple[str, str, bool]:
        """Both sides in terms of the arguments, and whether both are exact."""
        value, dim = self.values[name]
        found = self.store.bounds(value, dim, kept=self.store.arguments())
        texts = [
            "?" if e is None else self.store.texts.of(e)
            for e in (found.lower.expression, found.upper.expression)
        ]
        return texts[0], texts[1], found.lower.exact and found.upper.exact

    def constant(self, name: str) -> ConstantBounds:
        return self.store.constant_bounds(*self.values[name])


def counted(body: str, result: str = "%next") -> str:
    """A loop to %n that carries %a from 0 and yields RESULT of BODY."""
    return f"""
    func.func @f(%n: index, %m: index, %t: tensor<?xi1>) {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c5 = arith.constant 5 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {{
        {body}
        scf.yield {result} : index
      }}
      return
    }}"""


CHOICE = "%o = tensor.extract %t[%i] : tensor<?xi1>\n"


@pytest.mark.parametrize(
    ("body", "lower", "upper"),
    [
        (f"{CHOICE} %s = arith.addi %a, %c2 : index\n %next = arith.select %o, %s, %a : index", "0", "max(2 * %n, 0)"),
        ("%next = arith.muli %i, %c2 : index", "max(2 * %n - 2, 0)", "max(2 * %n - 2, 0)"),
    ],
)  # fmt: skip
def test_a_result_in_terms_of_the_number_of_iterations(body: str, lower: str, upper: str) -> None:
    assert Asked(counted(body)).symbolic("%r") == (lower, upper, True)


def test_a_result_that_saturates() -> None:
    asked = Asked(counted("%s = arith.addi %a, %c1 : index\n %next = arith.minsi %s, %c5 : index"))
    assert asked.constant("%r") == ConstantBounds(0, 5)
    assert asked.constant("%a") == ConstantBounds(0, 5)


def test_two_values_that_swap_places() -> None:
    asked = Asked("""
    func.func @f(%n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1, %b = %c7) -> (index, index) {
        scf.yield %b, %a : index, index
      }
      %sum = arith.addi %r, %s : index
      return
    }""")
    assert asked.constant("%r") == ConstantBounds(1, 7)
    assert asked.constant("%sum") == ConstantBounds(8, 8)


def test_what_is_chosen_once_an_iteration_is_chosen_for_all() -> None:
    """Each iteration adds 1 to one of two counters: their sum is the number of iterations."""
    asked = Asked("""
    func.func @f(%n: index, %t: tensor<?xi1>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0, %b = %c0) -> (index, index) {
        %o = tensor.extract %t[%i] : tensor<?xi1>
        %x = arith.addi %a, %c1 : index
        %y = arith.addi %b, %c1 : index
        %p = arith.select %o, %x, %a : index
        %q = arith.select %o, %b, %y : index
        scf.yield %p, %q : index, index
      }
      %sum = arith.addi %r, %s : index
      return
    }""")
    assert asked.symbolic("%sum") == ("max(%n, 0)", "max(%n, 0)", True)


def test_an_inner_loop_starts_where_the_last_one_ended() -> None:
    asked = Asked("""
    func.func @f(%n: index, %t: tensor<?x?xi1>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
        %s = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (index) {
          %o = tensor.extract %t[%i, %j] : tensor<?x?xi1>
          %x = arith.addi %b, %c1 : index
          %y = arith.select %o, %x, %b : index
          scf.yield %y : index
        }
        scf.yield %s : index
      }
      return
    }""")
    assert asked.symbolic("%r") == ("0", "max(4 * %n, 0)", True)


def test_while_counts_to_its_condition() -> None:
    asked = Asked("""
    func.func @f(%n: index) {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %r = scf.while (%b = %c0) : (index) -> index {
        %p = arith.cmpi slt, %b, %n : index
        scf.condition(%p) %b : index
      } do {
      ^bb0(%a: index):
        %next = arith.addi %a, %c3 : index
        scf.yield %next : index
      }
      return
    }""")
    assert asked.symbolic("%r")[2]
    assert asked.constant("%r") == ConstantBounds(0, None, because="%n is an argument of the function")
    value, other = asked.values["%r"][0], asked.values["%n"][0]
    assert asked.store.compare(value, ">=", other).verdict.value == "proved"
    inner, _ = asked.values["%a"]
    assert asked.store.compare(inner, "<", other).verdict.value == "proved"


def test_a_product_of_what_goes_around_is_bounded_and_not_called_exact() -> None:
    """2 to the power of i is no Presburger formula."""
    found = Asked(counted("%s = arith.addi %a, %a : index\n%next = arith.addi %s, %c1 : index")).constant(
        "%r"
    )
    assert not found.exact
    assert found.because is not None
    assert found.lower is None or found.lower <= 0


def test_nothing_is_said_of_what_is_never_executed() -> None:
    asked = Asked("""
    func.func @f(%n: index) {
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %p = arith.cmpi slt, %n, %c0 : index
      scf.if %p {
        %q = arith.cmpi sgt, %n, %c9 : index
        scf.if %q {
          %never = arith.constant 3 : index
        }
        %once = arith.constant 4 : index
      }
      return
    }""")
    assert asked.constant("%never").never
    assert asked.constant("%once") == ConstantBounds(4, 4)


def test_the_least_of_several_comes_in_the_order_of_the_function() -> None:
    asked = Asked("""
    func.func @f(%b: index, %a: index, %z: index) {
      %0 = arith.minsi %z, %a : index
      %m = arith.minsi %0, %b : index
      return
    }""")
    assert asked.symbolic("%m") == ("min(%b, %a, %z)", "min(%b, %a, %z)", True)


NESTED = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tensor.empty(%c1) : tensor<?xf32>
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<?xf32>, tensor<?xf32>) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%c = %b) -> (tensor<?xf32>) {
      scf.yield %b : tensor<?xf32>
    }
    scf.yield %inner, %inner : tensor<?xf32>, tensor<?xf32>
  }
  return
}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("first", ["%a", "%b", "%c", "%inner", "%r", "%s"])
def test_inner_and_outer_loops_that_depend_on_each_other_whichever_is_asked_first(first: str) -> None:
    asked = Asked(NESTED)
    for name in (first, "%a", "%b", "%c", "%inner", "%r", "%s"):
        assert asked.constant(name) == ConstantBounds(1, 1), name


def test_an_answer_that_too_many_conditions_decide_is_not_called_exact() -> None:
    conditions = "\n".join(
        f"%k{k} = arith.constant {k} : index\n%p{k} = arith.cmpi sgt, %n, %k{k} : index\nscf.if %p{k} {{" for k in range(30)
    )  # fmt: skip
    found = Asked(
        f"func.func @f(%n: index) {{ {conditions} %m = arith.addi %n, %k0 : index {'}' * 30} return }}"
    ).constant("%m")
    assert found.lower is not None
    assert found.lower <= 30
    assert found.lower == 30 or not found.exact


SWAPPED = """
func.func @f() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.while (%b1 = %zero, %b2 = %zero, %b3 = %zero) : (index, index, index) -> (index, index, index) {
    %p = arith.cmpi slt, %b1, %one : index
    scf.condition(%p) %b1, %b2, %b3 : index, index, index
  } do {
  ^bb0(%a1: index, %a2: index, %a3: index):
    %s:3 = scf.while (%d1 = %a2, %d2 = %a3, %d3 = %a1) : (index, index, index) -> (index, index, index) {
      %q = arith.cmpi slt, %d1, %a3 : index
      scf.condition(%q) %d1, %d2, %d2 : index, index, index
    } do {
    ^bb0(%c1: index, %c2: index, %c3: index):
      scf.yield %c1, %c2, %c3 : index, index, index
    }
    scf.yield %one, %s#2, %s#1 : index, index, index
  }
  return
}
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["%b1", "%b2", "%b3", "%r#0", "%r#1", "%r#2"])
def test_what_nothing_is_known_of_yet_makes_no_exact_answer(name: str) -> None:
    """%s#1 goes around the outer loop, and is found out while what goes around the inner one is not known."""
    found = Asked(SWAPPED).constant(name)
    ends = {"%b1": (0, 1), "%r#0": (1, 1)}.get(name, (0, 0))
    assert (found.lower, found.upper) == ends or not found.exact
