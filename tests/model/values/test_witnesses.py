"""Ends of ranges that are attained although some assertion in a region is not known exactly."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.bounds import BoundsFact

CONSTANTS = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant 64 : i64
  %high = arith.constant 65 : i64
  %d = tensor.dim %t, %c0 : tensor<?xi64>
  %e = tensor.empty(%d) : tensor<?xi64>
"""
POSITIONS = """
  %data = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<?xi64>) {
  ^bb0(%old: i64):
    %k = linalg.index 0 : index
    %position = arith.index_cast %k : index to i64
    linalg.yield %position : i64
  } -> tensor<?xi64>
"""


def body(of: str, *lines: str) -> str:
    """An operation whose body asserts, for each element of OF."""
    text = "\n".join(lines)
    return f"""
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins({of} : tensor<?xi64>) outs(%e : tensor<?xi64>) {{
  ^bb0(%x: i64, %out: i64):
    {text}
    linalg.yield %x : i64
  }} -> tensor<?xi64>
"""


SMALL = '%small = arith.cmpi slt, %x, %low : i64\ncf.assert %small, "small"'
LARGE = '%large = arith.cmpi sge, %x, %high : i64\ncf.assert %large, "large"'
NOT_EMPTY = '%some = arith.cmpi sge, %d, %c1 : index\ncf.assert %some, "some"\n'


def sides(text: str, arguments: str = "%t: tensor<?xi64>") -> tuple[tuple[int | None, bool], ...]:
    """The numbers of %s = dim(%t, 0) + 1 behind TEXT, each with whether it is attained."""
    program = f"func.func @f({arguments}) {{{CONSTANTS}{text}\n%s = arith.addi %d, %c1 : index\nreturn\n}}"
    facts = volcli.load(program).run("value-bounds").facts
    (found,) = (f for f in facts if isinstance(f, BoundsFact) and f.value == "%s")
    return (found.lower.constant, found.lower.exact), (found.upper.constant, found.upper.exact)


def test_without_iterations_a_body_asserts_nothing_so_a_size_may_be_0() -> None:
    assert sides(POSITIONS + body("%data", SMALL)) == ((1, True), (None, False))


def test_a_body_that_runs_because_something_else_says_so_may_assert_what_fails() -> None:
    constant = POSITIONS.replace("linalg.yield %position", "linalg.yield %high")
    assert sides(NOT_EMPTY + constant + body("%data", SMALL)) == ((2, False), (None, False))


def test_the_elements_of_an_argument_may_satisfy_an_assertion_whatever_its_size_is() -> None:
    assert sides(body("%t", SMALL)) == ((1, True), (None, True))
    assert sides(NOT_EMPTY + body("%t", SMALL)) == ((2, True), (None, True))


@pytest.mark.parametrize(
    "text", [body("%t", SMALL, LARGE), body("%t", SMALL) + body("%t", LARGE).replace("%r", "%q")]
)
def test_no_elements_satisfy_assertions_that_contradict_each_other(text: str) -> None:
    """The size is 0, and nothing larger is attained."""
    assert not sides(text)[1][1]
    assert not sides(NOT_EMPTY + text)[0][1]


def test_assertions_about_two_arguments_are_satisfied_each_alone() -> None:
    both = body("%t", SMALL) + body("%u", LARGE).replace("%r", "%q")
    assert sides(both, "%t: tensor<?xi64>, %u: tensor<?xi64>") == ((1, True), (None, True))


def test_an_element_that_an_assertion_outside_of_regions_is_about_is_not_chosen() -> None:
    text = '%first = tensor.extract %t[%c0] : tensor<?xi64>\n%l = arith.cmpi sge, %first, %high : i64\ncf.assert %l, "l"'
    assert not sides(text + body("%t", SMALL))[1][1]


def test_an_assertion_about_an_element_and_its_position_has_to_hold_for_one_number_at_all_positions() -> None:
    """x < i + 64 does for x = 0; x < 64 - i, of 100 positions, too, but not for x >= 0 in addition."""
    at = "%k = linalg.index 0 : index\n%i = arith.index_cast %k : index to i64\n"
    less = f'{at}%lim = arith.subi %low, %i : i64\n%ok = arith.cmpi slt, %x, %lim : i64\ncf.assert %ok, "ok"'
    more = '%zero = arith.constant 0 : i64\n%is = arith.cmpi sge, %x, %zero : i64\ncf.assert %is, "is"'
    assert not sides(body("%t", less, more))[1][1]


def test_what_a_body_asserts_of_its_index_is_a_condition_on_the_size() -> None:
    index = '%k = linalg.index 0 : index\n%ok = arith.cmpi slt, %k, %c64 : index\ncf.assert %ok, "ok"'
    assert sides(body("%t", index)) == ((1, True), (65, True))


def test_an_answer_before_an_assertion_is_not_one_for_behind_it() -> None:
    program = f"func.func @f(%t: tensor<?xi64>) {{{CONSTANTS}{body('%t', SMALL, LARGE)}\nreturn\n}}"
    facts = [
        f for f in volcli.load(program).run("value-bounds").facts if isinstance(f, BoundsFact) and f.dim == 0
    ]
    exact = {f.value: f.upper.exact for f in facts}
    assert exact["%e"]
    assert not exact["%r"]


def test_a_loop_beside_an_assertion_takes_all_its_iterations_whatever_that_lets_pass() -> None:
    text = f"""
    func.func @f(%t: tensor<8xi64>) {{
      {CONSTANTS.replace("<?xi64>", "<8xi64>").replace("tensor.empty(%d)", "tensor.empty()")}
      %data = tensor.empty() : tensor<8xi64>
      {body("%data", SMALL).replace("<?xi64>", "<8xi64>")}
      %n = tensor.extract %data[%c0] : tensor<8xi64>
      scf.for %i = %c0 to %c64 step %c1 {{
      }}
      return
    }}"""
    facts = [f for f in volcli.load(text).run("value-bounds").facts if isinstance(f, BoundsFact)]
    (found,) = (f for f in facts if f.value == "%i")
    assert (found.lower.constant, found.lower.exact) == (0, True)
    assert (found.upper.constant, found.upper.exact) == (63, True)
