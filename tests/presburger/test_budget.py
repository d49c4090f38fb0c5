"""A budget is exceeded at the same operation on every machine, and leaves isl as it was."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress

import islpy as isl
import pytest

from volcli.diagnostics import internal
from volcli.language.expressions import NotAffine, constant, loop
from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import (
    DEFAULT_OPERATIONS,
    BudgetExceeded,
    InternalFailure,
    Meter,
    budget,
    charge,
    unqueried,
)
from volcli.presburger.sets.build import box, nonnegative
from volcli.presburger.sets.unwieldy import Allowance, divides_large, divisions, is_dear

PLACE = isl.Set("[n] -> { [i, j, k] : 0 <= i, j, k < n and (i + 2j) mod 3 = 0 }")
HOLES = [isl.Set(f"[n] -> {{ [i, j, k] : (i + j + k) mod {k} = 0 }}") for k in range(2, 7)]


def expensive() -> isl.Set:
    """A few thousand isl operations."""
    points = PLACE
    for hole in HOLES:
        points = points.subtract(hole)
    return points


def cheap() -> isl.Set:
    return box((constant(4),)).intersect(nonnegative(1, (loop(0) - 2,)))


def exceeds(operations: int) -> bool:
    try:
        with budget(operations):
            expensive()
    except BudgetExceeded as error:
        return error.operations == operations and str(operations) in str(error)
    return False


def test_within_the_budget() -> None:
    with budget():
        assert cheap().count_val().to_python() == 2
    assert DEFAULT_OPERATIONS > 0


def test_exceeded_deterministically() -> None:
    """The least sufficient budget hardly depends on what ran before.

    isl copies on write: what else holds a set, such as a traceback, may cost it a copy.
    """
    low, high = 1, 20_000_000
    assert exceeds(low)
    assert not exceeds(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if exceeds(middle) else (low, middle)
    cheap()
    assert [exceeds(low * 9 // 10) for _ in range(3)] == [True] * 3
    assert [exceeds(high * 11 // 10) for _ in range(3)] == [False] * 3


def test_the_context_is_clean_afterwards() -> None:
    before = isl.DEFAULT_CONTEXT.get_max_operations()
    assert exceeds(100)
    assert isl.DEFAULT_CONTEXT.get_max_operations() == before
    assert not expensive().is_empty()
    assert cheap().count_val().to_python() == 2


def test_other_errors_are_remembered_and_clean_up() -> None:
    """They cost the query, as an excess does, and are said once; messages of volcli's own pass through."""
    internal.forget()
    before = isl.DEFAULT_CONTEXT.get_max_operations()
    with pytest.raises(InternalFailure, match="space"), budget():
        nonnegative(1, ()).intersect(nonnegative(2, ()))
    with (
        pytest.raises(InternalFailure, match="ZeroDivisionError"),
        internal.at("here"),
        budget(),
    ):
        _ = 1 // 0
    assert [failure.at for failure in internal.forget()] == [None, "here"]
    with pytest.raises(NotAffine), budget():
        raise NotAffine
    assert internal.forget() == []
    assert isl.DEFAULT_CONTEXT.get_max_operations() == before
    assert not expensive().is_empty()


def test_nested_budgets() -> None:
    """The inner one counts alone; after it the outer one is in force again."""
    with budget(20_000_000):
        assert exceeds(100)
        assert not expensive().is_empty()
    with pytest.raises(BudgetExceeded) as caught, budget(100):  # noqa: PT012
        with budget(20_000_000):
            expensive()
        expensive()
    assert caught.value.operations == 100


def test_an_inner_excess_may_be_handled_inside() -> None:
    with budget(20_000_000):
        try:
            with budget(50):
                expensive()
            reached = True
        except BudgetExceeded:
            reached = False
        assert not reached
        assert cheap().count_val().to_python() == 2


def test_what_sections_cost_together_is_charged_to_their_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    low, high = 1, 20_000_000  # what one section needs
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if exceeds(middle) else (low, middle)
    monkeypatch.setattr(limits, "DEFAULT_OPERATIONS", 2 * high)
    found: list[int | None] = []
    with budget(high):
        for _ in range(4):
            found.append(None)
            with suppress(BudgetExceeded), budget(2 * high):
                expensive()
                found[-1] = high
    assert found == [high, high, None, None]  # half of what two of them leave is less than another one needs
    with budget(2 * high), budget(2 * high):
        expensive()  # the next answer has its own


def test_answers_of_a_function_share_a_meter_and_have_a_little_more() -> None:
    def refused() -> int | None:
        try:
            with budget():
                for _ in range(10):
                    expensive()
        except BudgetExceeded as error:
            return error.operations
        return None

    with unqueried(100_000):
        found = [refused() for _ in range(20)]
        with budget():
            assert cheap().count_val().to_python() == 2
    assert found[0] is None
    assert found[-1] == limits.LAST_OPERATIONS
    assert refused() is None


def test_work_of_ours_is_charged() -> None:
    with pytest.raises(BudgetExceeded), budget():  # noqa: PT012
        charge(limits.ANSWER * DEFAULT_OPERATIONS)
        with budget():
            expensive()


def test_an_operation_may_count_several_times() -> None:
    low, high = 1, 20_000_000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if exceeds(middle) else (low, middle)
    with budget(30 * high, times=25):
        expensive()
    with pytest.raises(BudgetExceeded) as caught, budget(20 * high, times=25):
        expensive()
    assert caught.value.operations == 20 * high


def test_parts_of_a_meter_bring_back_what_they_do_not_use() -> None:
    meter = Meter(100, 100)
    with meter.part(80) as most, most.part(200) as all_of_it:
        assert all_of_it.left == 80
        all_of_it.spend(30)
        with pytest.raises(BudgetExceeded):
            all_of_it.spend(51)
        assert all_of_it.is_spent
    assert (most.left, meter.left) == (0, 20)
    with meter.part(30, least=25) as more:
        more.left -= 25
    assert meter.left == -5
    assert meter.is_spent


@pytest.mark.parametrize("operations", [1, 10, 100, 200])
def test_reading_text_beyond_the_budget(operations: int) -> None:
    """isl's reader calls it a syntax error: it is an exceeded budget all the same."""
    with pytest.raises(BudgetExceeded), budget(operations):
        isl.Set("[n] -> { [i, j, k] : 0 <= i, j, k < n and (i + 2j) mod 3 = 0 }")


def test_isl_is_limited_when_it_is_imported(environment: Mapping[str, str]) -> None:
    """A block that asks it nothing does not import it; what does is limited as if it had been there."""
    script = (
        "import sys\n"
        "from volcli.presburger.limits.budget import Watch, watched\n"
        "with watched(Watch(1000)):\n"
        "    assert 'islpy' not in sys.modules\n"
        "    from volcli.presburger.sets import build\n"
        "    print(build.isl.DEFAULT_CONTEXT.get_max_operations())\n"
        "print(build.isl.DEFAULT_CONTEXT.get_max_operations())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stdout.split() == ["5000", "0"]


@pytest.mark.parametrize(
    ("text", "is_slow"),
    [
        ("[n] -> { [x] : 16777216x <= n and x mod 3 = 1 }", True),
        ("[n] -> { [x] : 65536x <= n and x mod 3 = 1 }", False),
        ("[n] -> { [x] : x <= n + 2147483646 and x mod 3 = 1 }", False),
        ("[n] -> { [x] : 16777216x <= n }", False),
    ],
    ids=["steep", "of 16 bits", "a constant of 31 bits", "without a division"],
)
def test_sets_with_steep_coefficients_are_dear(text: str, is_slow: bool) -> None:
    assert is_dear(isl.Set(text)) is is_slow


def test_many_divisions_are_as_dear_as_large_numbers() -> None:
    parts = [f"i mod {k + 2} >= 1" for k in range(14)]
    few, many = (isl.Set("{ [i] : " + " or ".join(parts[:count]) + " }") for count in (12, 14))
    assert [divisions(each) for each in (few, many)] == [12, 14]
    assert [is_dear(each) for each in (few, many)] == [False, True]
    assert not divides_large(many)


def test_queries_on_large_numbers_share_an_allowance() -> None:
    """Each that comes to nothing leaves half as many operations to the next; others have all of them."""
    large = isl.Set("{ [i] : i < 8589934592 and i mod 3 = 1 }")
    small = isl.Set("{ [i] : i < 8589934592; [i] : i mod 3 = 1 }")
    assert [divides_large(each) for each in (large, small)] == [True, False]
    allowance = Allowance(1000)

    def limit(*, is_dear: bool) -> int:
        with pytest.raises(BudgetExceeded) as raised, allowance.of(is_dear=is_dear):
            expensive()
        return raised.value.operations

    assert [limit(is_dear=each) for each in (True, False, True, True)] == [40, 1000, 20, 10]
    allowance = Allowance(1000, 100)
    assert [limit(is_dear=each) for each in (True, False, True, True)] == [100, 1000, 50, 25]


def test_an_internal_error_is_said_to_be_of_sets_only_if_it_is() -> None:
    with pytest.raises(InternalFailure) as ours, budget():
        raise KeyError("ours")
    with pytest.raises(InternalFailure) as theirs, budget():
        isl.Set("{ [i] : ")
    internal.forget()
    assert ours.value.reason == "internal error in a query (KeyError: 'ours')"
    assert theirs.value.reason.startswith("internal error in integer set operations (")
