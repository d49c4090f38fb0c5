"""Systems of equations over intervals, solved from above, and what the solver promises of its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations

import pytest

import volcli
from volcli.model.values.terms.ranges import Interval, is_within
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.tables import Cuts, Progress, Table

Ask = Callable[[str], Interval]
Equation = Callable[[Ask], Interval]


class System:
    """EQUATIONS, each of which is a cut; those in PLAIN are none. It counts how often each is computed."""

    def __init__(
        self, equations: Mapping[str, Equation], plain: Mapping[str, Equation] | None = None
    ) -> None:
        self.solver = Solver()
        self.cuts: Cuts[str, Interval] = Cuts(self)
        self.table: Table[str, Interval] = Table()
        self.computed: list[str] = []
        self._equations = equations
        self._plain = plain or {}

    def ask(self, key: str) -> Interval:
        """What is known of KEY."""
        if key in self._plain:
            return self.solver.answer(self.table, key, self._plain[key], self.ask)
        return self.solver.solve(self.cuts, key)

    def nothing(self, key: str) -> Interval:
        del key
        return None, None

    def define(self, key: str) -> Interval:
        self.computed.append(key)
        return self._equations[key](self.ask)

    def is_exact(self, answer: Interval) -> bool:
        return answer[0] is not None and answer[0] == answer[1]

    def progress(self, key: str, before: Interval, after: Interval) -> Progress:
        del key
        if before == after:
            return Progress.THE_SAME
        return Progress.MORE if is_within(after, before) else Progress.LESS


def capped(other: str, step: int, least: int, most: int) -> Equation:
    """`max(least, min(OTHER + step, most))`."""

    def compute(ask: Ask) -> Interval:
        low, high = ask(other)
        bottom = least if low is None else max(least, min(low + step, most))
        return bottom, most if high is None else max(least, min(high + step, most))

    return compute


NESTED = {
    "a": capped("b", 0, 0, 10),
    "b": capped("a", 0, 3, 20),
    "c": capped("b", -1, 0, 99),
    "d": capped("d", 0, 5, 6),
    "e": capped("d", 100, 0, 300),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("order", list(permutations(NESTED)))
def test_answers_do_not_depend_on_what_was_asked_before(order: tuple[str, ...]) -> None:
    system = System(NESTED)
    found = {key: system.ask(key) for key in order}
    assert found == {"a": (3, 10), "b": (3, 10), "c": (2, 9), "d": (5, 6), "e": (105, 106)}
    assert found == {key: System(NESTED).ask(key) for key in order}


def test_without_a_cycle_each_answer_is_computed_once() -> None:
    system = System({"a": capped("b", 1, 0, 9), "b": capped("c", 1, 0, 9), "c": lambda _: (1, 2)})
    assert [system.ask(key) for key in "cabca"] == [(1, 2), (3, 4), (2, 3), (1, 2), (3, 4)]
    assert sorted(system.computed) == ["a", "b", "c"]


def test_what_is_exact_is_not_computed_again() -> None:
    system = System({"a": capped("b", 0, 2, 9), "b": lambda ask: (ask("a"), (7, 7))[1]})
    assert (system.ask("a"), system.ask("b")) == ((7, 7), (7, 7))
    assert system.computed.count("b") == 1


def test_an_inner_component_that_needs_nothing_outside_is_complete_at_once() -> None:
    equations = {"inner": capped("inner", 0, 1, 5), "outer": lambda ask: (ask("outer"), ask("inner"))[1]}
    system = System(equations)
    system.ask("outer")
    assert system.cuts.complete["inner"] == (1, 5)
    assert not system.cuts.provisional
    assert not system.cuts.last


def test_what_is_computed_on_the_way_goes_with_its_component() -> None:
    plain: dict[str, Equation] = {"x": capped("a", 0, 0, 6)}
    system = System({"a": capped("x", 0, 3, 8)}, plain)
    assert system.ask("a") == (3, 6)
    assert not system.table.complete
    assert not system.table.provisional
    assert system.ask("x") == (3, 6)
    assert system.table.complete == {"x": (3, 6)}


def test_a_plain_answer_that_comes_back_to_itself_is_that_of_its_component() -> None:
    plain: dict[str, Equation] = {"x": capped("a", 0, 0, 6)}
    system = System({"a": capped("x", 0, 3, 8)}, plain)
    assert system.ask("x") == (3, 6)


def test_each_round_is_true_and_there_are_few() -> None:
    """a = min(a + 1, 10) has the only solution 10, which is nine rounds away."""
    system = System({"a": capped("a", 1, 0, 10)})
    low, high = system.ask("a")
    assert low is not None
    assert 0 < low < 10 == high
    assert len(system.computed) < 6


def test_a_round_that_says_less_is_left_out() -> None:
    def worse(ask: Ask) -> Interval:
        low, _ = ask("a")
        return (0, 5) if low is None else (-100, 100)

    assert System({"a": worse}).ask("a") == (0, 5)


def test_an_error_leaves_nothing_behind() -> None:
    def fails(ask: Ask) -> Interval:
        ask("a")
        raise ArithmeticError

    equations = {"a": capped("b", 0, 0, 9), "b": fails}
    system = System(equations)
    with pytest.raises(ArithmeticError):
        system.ask("a")
    assert not system.cuts.open
    assert not system.cuts.complete
    assert not system.cuts.provisional
    equations["b"] = lambda _: (2, 3)
    assert system.ask("a") == (2, 3)


@pytest.mark.parametrize(("most", "expected"), [(20, (0, 20)), (200, (0, 127))])
def test_what_is_supposed_is_looked_at(most: int, expected: Interval) -> None:
    """`a + 1` is supposed to have 8 bits; if what follows from that says otherwise, it is computed without."""

    def stays() -> bool:
        high = system.ask("a")[1]
        return high is not None and high < 127

    def compute(ask: Ask) -> Interval:
        ask("a")
        if system.solver.is_refuted("8 bits"):
            return 0, 127
        system.solver.suppose("8 bits", stays)
        return 0, most

    system = System({"a": compute})
    assert system.ask("a") == expected
    assert len(system.computed) < 6


TWO_THAT_FOLLOW_ONE = """
func.func @f() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %low = arith.constant 256 : i16
  %high = arith.constant 3922 : i16
  %ten = arith.constant 10 : i16
  %r, %s = scf.for %i = %zero to %three step %one iter_args(%a = %low, %b = %high) -> (i16, i16) {
    %next = arith.subi %b, %ten : i16
    scf.yield %next, %next : i16, i16
  }
  return
}
"""


@pytest.mark.parametrize("first", ["%a", "%b", "%r", "%s"])
def test_what_has_a_formula_in_a_later_round_is_not_defined_by_what_is_defined_by_it(first: str) -> None:
    """%b is defined in terms of %a before it is known not to wrap around; then %a is not in terms of %b."""
    function = volcli.load(TWO_THAT_FOLLOW_ONE).function("f")
    function.bounds(first)
    ends = {name: function.bounds(name) for name in ("%a", "%b", "%r", "%s")}
    found = {name: (each.lower.constant, each.upper.constant) for name, each in ends.items()}
    assert found == {"%a": (256, 3912), "%b": (3902, 3922), "%r": (3892, 3892), "%s": (3892, 3892)}
