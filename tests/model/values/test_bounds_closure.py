"""All states that a step leads to, against steps that are taken one by one."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.enumeration import Point, points_of
from tests.shared.seeds import examples
from volcli.model.values.elimination.closure import reachable
from volcli.model.values.elimination.returning import returning

UPPER = 9
UPDATES = ["a", "a + 1", "a - 2", "a + 3", "5 - a", "0", "4", "i", "a + i", "b", "floor(a/2)"]
CONDITIONS = ["true", "a <= 3", "a > 3", "b >= a", "i >= 2"]
pieces = st.lists(
    st.tuples(st.sampled_from(UPDATES), st.sampled_from(UPDATES), st.sampled_from(CONDITIONS)),
    min_size=1, max_size=3,
)  # fmt: skip


def step_of(parts: list[tuple[str, str, str]]) -> isl.Map:
    """A step of [i, a, b] up to UPPER, by one of PARTS."""
    maps = [f"[i, a, b] -> [i + 1, {x}, {y}] : i < {UPPER} and {when}" for x, y, when in parts]
    return isl.Map(f"{{ {'; '.join(maps)} }}")


def enumerated(first: set[Point], parts: list[tuple[str, str, str]]) -> set[Point]:
    """The same, one state at a time, in Python."""
    met, now = set(first), set(first)
    while now:
        following: set[Point] = set()
        for i, a, b in now:
            names = {"i": i, "a": a, "b": b, "true": True, "floor": int}
            for x, y, when in parts:
                if i < UPPER and eval(when, names):
                    new = [eval(text.replace("/", "//"), names) for text in (x, y)]
                    following.add((i + 1, *new))
        now = following - met
        met |= now
    return met


def test_no_steps_lead_nowhere() -> None:
    """Steps of large numbers and many quotients are not looked at where none is taken."""
    first = isl.Set("{ [a] : 0 <= a <= 2 }")
    step = isl.Map("[n] -> { [a] -> [floor((a + n) / 7) + 9223372036854775808 * floor(n / 4294967296)] }")
    found = reachable(first, step, 0, 8)
    assert found.exact
    assert points_of(found.points) == {(0,), (1,), (2,)}


@pytest.mark.slow
@settings(max_examples=examples(30))
@given(pieces, st.booleans())
def test_what_is_reached_is_what_steps_lead_to(parts: list[tuple[str, str, str]], counted: bool) -> None:
    first = isl.Set("{ [0, a, b] : 0 <= a <= 2 and 1 <= b <= 2 }")
    found = reachable(first, step_of(parts), UPPER if counted else None, 16)
    truth = enumerated(points_of(first), parts)
    if found.exact:
        assert points_of(found.points) == truth
    else:
        contained = isl.Set.empty(first.get_space())
        for point in truth:
            contained = contained.union(isl.Set(f"{{ {list(point)} }}"))
        assert contained.is_subset(found.points)


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("[i, a] -> [i + 1, a + 1]; [i, a] -> [i + 1, a]", "0 <= a <= i"),
        ("[i, a] -> [i + 1, a + 3]; [i, a] -> [i + 1, a]", "0 <= a <= 3i and a mod 3 = 0"),
        ("[i, a] -> [i + 1, 5 - a]", "(i mod 2 = 0 and a = 0) or (i mod 2 = 1 and a = 5)"),
        (
            "[i, a] -> [i + 1, a + 1] : a < 7; [i, a] -> [i + 1, 7] : a >= 7",
            "(a = i and i <= 7) or (a = 7 and i > 7)",
        ),
        ("[i, a] -> [i + 1, 2i]", "(i = 0 and a = 0) or (i > 0 and a = 2i - 2)"),
    ],
)
def test_without_end_what_is_reached_has_a_closed_form(step: str, expected: str) -> None:
    maps = [part if ":" in part else f"{part} : true" for part in step.split("; ")]
    relation = isl.Map(f"[n] -> {{ {'; '.join(f'{part} and 0 <= i < n' for part in maps)} }}")
    found = reachable(isl.Set("[n] -> { [0, 0] }"), relation, None, 4)
    truth = isl.Set(f"[n] -> {{ [i, a] : ((i = 0 and a = 0) or 0 <= i <= n) and ({expected}) }}")
    assert found.exact
    assert found.points.is_equal(truth)


def test_sums_of_the_counter_are_contained_and_not_called_exact() -> None:
    """a = i * (i - 1) / 2 is no Presburger formula."""
    step = isl.Map("[n] -> { [i, a] -> [i + 1, a + i] : 0 <= i < n }")
    found = reachable(isl.Set("[n] -> { [0, 0] }"), step, None, 4)
    assert not found.exact
    assert isl.Set("[n] -> { [6, 15] : n > 6 }").is_subset(found.points)


def test_a_closure_that_isl_does_not_return_from_is_given_up() -> None:
    """The closure of the square of this step overflows isl's stack, without a budget."""
    step = isl.Map("{ [a, i] -> [a + 1, i + 1] : i <= 6; [a, i] -> [a + i, i + 1] : i <= 6 }")
    found = reachable(isl.Set("[n] -> { [n, 3] : -2 <= n <= 1 }"), step, 4, 32)
    assert found.exact
    met = {(0, 3)}
    for i in range(3, 7):
        met |= {(b, i + 1) for a, j in met if j == i for b in (a + 1, a + i)}
    assert points_of(found.points, n=0) == met


def test_an_empty_closure_is_not_believed() -> None:
    """Of this step's cube isl says that its transitive closure is empty, and exactly so."""
    step = isl.Map(
        "[n] -> { [a, i] -> [b, 1 + i] : (a + b) mod 2 = 0 and 0 <= n <= 2 and i <= 3 and "
        "4 + 2n + 3a <= 3b <= 8 + 2n + 3a }"
    )
    found = reachable(isl.Set("{ [4, 0] }"), step, 4, 32)
    assert found.exact
    assert found.points.intersect(isl.Set("{ [a, 4] }")).is_equal(
        isl.Set("[n] -> { [12, 4] : 0 <= n <= 1; [20, 4] : n = 2 }")
    )


@pytest.mark.slow
def test_what_is_multiplied_and_wraps_around_is_after_a_step() -> None:
    """a = 7 * a + x of 32 bits has no closed form: what is known is what one step may lead to."""
    word = "-2147483648 <= a <= 2147483647 and -2147483648 <= b <= 2147483647"
    step = isl.Map(
        f"[x, n] -> {{ [a, i] -> [b, i + 1] : (b - 7a - x) mod 4294967296 = 0 and {word} and 1 <= i < n "
        "and -2147483648 <= x <= 2147483647 }"
    )
    first = isl.Set("[x, n] -> { [x, 1] }")
    found = reachable(first, step, None, 4)
    assert not found.exact
    assert found.points.is_subset(first.union(step.range()))
    assert first.union(first.apply(step)).is_subset(found.points)


def test_sums_that_wrap_around_are_exact() -> None:
    word = "-2147483648 <= a <= 2147483647 and -2147483648 <= b <= 2147483647"
    step = isl.Map(
        f"[n] -> {{ [a, i] -> [b, i + 1] : (b - a - 3) mod 4294967296 = 0 and {word} and 0 <= i < n }}"
    )
    found = reachable(isl.Set("{ [2147483646, 0] }"), step, None, 4)
    assert found.exact
    assert points_of(found.points, n=2) == {(2**31 - 2, 0), (1 - 2**31, 1), (4 - 2**31, 2)}


def test_what_is_said_of_parameters_alone_is_no_part_of_a_closure() -> None:
    """A limit of 64 bits: isl's closure with such numbers is not asked for."""
    step = isl.Map("[n] -> { [a] -> [a + 1] : a < n and -9223372036854775808 <= n <= 9223372036854775807 }")
    found = reachable(isl.Set("{ [0] }"), step, None, 8)
    limited = "0 < a <= n and n <= 9223372036854775807"
    assert found.exact
    assert found.points.is_equal(isl.Set(f"[n] -> {{ [a] : a = 0 or ({limited}) }}"))


@pytest.mark.parametrize(
    ("first", "step"),
    [
        ("[n] -> { [0, n] }", "[n] -> { [i, a] -> [i + 1, 5 - a] }"),
        ("[n] -> { [0, n] }", "[n] -> { [i, a] -> [i + 1, 3] : a <= n }"),
        ("[n] -> { [0, 0] }", "[n] -> { [i, a] -> [i + 1, a + 1] : a < 4; [i, a] -> [i + 1, 0] : a >= 4 }"),
        ("[n] -> { [2, n] : n > 1 }", "[n] -> { [i, a] -> [i + 2, n - a] : i < n }"),
        ("[n] -> { [0, n] }", "[n] -> { [i, a] -> [i - 1, 1] : a != 1; [i, a] -> [i - 1, n] : a = 1 }"),
    ],
)
def test_states_that_return_are_those_of_steps_taken_one_by_one(first: str, step: str) -> None:
    begin, relation = isl.Set(first), isl.Map(step)
    found = returning(begin, relation)
    assert found is not None
    met = begin
    for _ in range(12):
        met = met.union(met.apply(relation))
    near = isl.Set("[n] -> { [i, a] : -10 <= i <= 10 and -4 <= n <= 4 }")
    assert found.intersect(near).is_equal(met.intersect(near))


@pytest.mark.parametrize(
    "step",
    [
        "[n] -> { [i, a] -> [i + 1, i] }",  # looks at the number
        "[n] -> { [i, a] -> [i + 1, 5 - a] : i > 2 or a = 3 }",  # runs only from some number on
        "[n] -> { [i, a] -> [i + 1, a + 1] : a < n }",  # does not return after a few steps
        "[n] -> { [i, a] -> [5 - i, a] }",  # nothing counts
    ],
)
def test_other_states_are_not_said_to_return(step: str) -> None:
    assert returning(isl.Set("[n] -> { [0, 0] }"), isl.Map(step)) is None
