"""Sets matched to slices, against enumeration: what is one, what is none, and every expression by numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from math import prod

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.presburger.test_build import evaluate
from tests.shared.enumeration import Point, points_of
from tests.shared.seeds import examples
from volcli.language.expressions import Expression
from volcli.presburger.expressions.match_slice import NotASlice, SliceParameters, match_slice

Numbers = Mapping[str, int]


def elements(found: SliceParameters, parameters: Numbers) -> list[Point]:
    """The indices of a slice, one for each element, with what must hold of its numbers."""

    def numbers(expressions: Sequence[Expression]) -> list[int]:
        return [evaluate(e, (), parameters) for e in expressions]

    offsets, sizes, strides = (numbers(part) for part in (found.offsets, found.sizes, found.strides))
    assert all(size >= 0 for size in sizes)
    assert all(stride >= 1 for stride in strides)
    lines = [[o + s * k for k in range(n)] for o, n, s in zip(offsets, sizes, strides, strict=True)]
    return list(product(*lines))


def is_slice(points: set[Point]) -> bool:
    """Whether POINTS are the product of lines with one distance between neighbours."""
    if not points:
        return True
    lines = [sorted(set(line)) for line in zip(*points, strict=True)]
    steps = ({b - a for a, b in pairwise(line)} for line in lines)
    return len(points) == prod(map(len, lines)) and all(len(step) <= 1 for step in steps)


def check(
    points: isl.Set,
    ranges: Mapping[str, Iterable[int]],
    where: str = "true",
    found: SliceParameters | NotASlice | None = None,
) -> SliceParameters | NotASlice:
    """What is said of POINTS where WHERE holds, compared with its indices for all parameters in RANGES."""
    names = ", ".join(ranges)
    found = match_slice(points, isl.Set(f"[{names}] -> {{ : {where} }}")) if found is None else found
    context = isl.Set(f"[{names}] -> {{ : {where} }}")
    for values in product(*ranges.values()):
        numbers = dict(zip(ranges, values, strict=True))
        at = isl.Set(
            f"[{names}] -> {{ : {' and '.join(f'{n} = {v}' for n, v in numbers.items()) or 'true'} }}"
        )
        if context.intersect(at).is_empty():
            continue
        if isinstance(found, SliceParameters):
            listed = elements(found, numbers)
            assert len(listed) == len(set(listed))
            assert set(listed) == points_of(points, **numbers)
    if isinstance(found, NotASlice) and found.witness is not None:
        wrong = {n: int(v) for n, v in re.findall(r"(\w+) = (-?\d+)", found.witness)}
        wrong = dict.fromkeys(ranges, 0) | wrong
        assert not is_slice(points_of(points, **wrong))
    return found


def expected(found: SliceParameters | NotASlice, offsets: str, sizes: str, strides: str) -> None:
    assert isinstance(found, SliceParameters), found
    texts = (", ".join(map(str, part)) for part in (found.offsets, found.sizes, found.strides))
    assert tuple(texts) == (offsets, sizes, strides)


N = {"n": range(-3, 13)}
Q = {"q": range(16)}
SLICES: list[tuple[str, Mapping[str, Iterable[int]], str, tuple[str, str, str]]] = [
    ("{ [i, j] : 2 <= i < 7 and j = 3 }", {}, "true", ("2, 3", "5, 1", "1, 1")),
    ("{ [i] : 0 <= i <= 30 and (2i) mod 8 = 2 }", {}, "true", ("1", "8", "4")),
    ("{ [i] : exists a, b : i = 4a + 6b + 1 and 0 <= i < 20 }", {}, "true", ("1", "10", "2")),
    ("{ [i] : exists a : -3a = i - 2 and -10 < i <= 11 }", {}, "true", ("-7", "7", "3")),
    ("{ [i] : 0 <= i < 4; [4]; [i] : 5 <= i < 9 }", {}, "true", ("0", "9", "1")),
    ("{ [0, j] : 0 <= j < 3; [2, j] : 0 <= j < 3 }", {}, "true", ("0, 0", "2, 3", "2, 1")),
    ("{ [i, j] : 1 = 0 }", {}, "true", ("0, 0", "0, 0", "1, 1")),
    ("{ [] }", {}, "true", ("", "", "")),
    ("[n] -> { [i] : 0 <= i < n }", N, "n >= 0", ("0", "n", "1")),
    ("[n] -> { [i] : 0 <= i < n }", N, "true", ("0", "max(n, 0)", "1")),
    ("[n] -> { [i, j] : 0 <= i < n and n <= j < 2n }", N, "n >= 1", ("0, n", "n, n", "1, 1")),
    ("[n] -> { [i] : 0 <= i < n; [i] : n <= i <= 9 }", N, "0 <= n < 10", ("0", "10", "1")),
    ("[n] -> { [i] : 0 <= i < n and i mod 3 = 2 }", N, "n >= 0", ("2", "n floordiv 3", "3")),
    ("[n] -> { [0]; [n]; [2n] }", N, "n >= 1", ("0", "3", "n")),
    ("[n] -> { [i] : i = 7 and n > 2; [i] : n <= 2 and i = 7 }", N, "true", ("7", "1", "1")),
    ("[q] -> { [h] : 32q - 1 <= h <= 32q + 33 }", Q, "1 <= q <= 14", ("32 * q - 1", "35", "1")),
    ("[q] -> { [2q, h] : 0 <= h < 8 and h mod 2 = q mod 2 }", Q, "q mod 2 = 0", ("2 * q, 0", "1, 4", "1, 2")),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("text", "ranges", "where", "answer"), SLICES, ids=[case[0] for case in SLICES])
def test_slices(
    text: str, ranges: Mapping[str, Iterable[int]], where: str, answer: tuple[str, str, str]
) -> None:
    expected(check(isl.Set(text), ranges, where), *answer)


def test_a_tile_at_the_border_is_clamped() -> None:
    """The first tile reads one row less, and the last one too: 0 <= q < 16 in one expression."""
    tile = isl.Set("[q] -> { [h] : 0 <= h <= 511 and 32q - 1 <= h <= 32q + 33 }")
    found = check(tile, Q, "0 <= q < 16")
    assert isinstance(found, SliceParameters)
    assert str(found.offsets[0]) == "max(32 * q - 1, 0)"
    cut = isl.Set("[q] -> { [h] : max(0, 32q - 1) <= h <= min(511, 32q + 33) and 0 <= q < 16 }")
    assert isinstance(check(cut, Q, "0 <= q < 16"), SliceParameters)  # the same as three cases of q


NO_SLICES: list[tuple[str, Mapping[str, Iterable[int]], str, str]] = [
    ("{ [i, i] : 0 <= i < 4 }", {}, "true", "not a product"),
    ("{ [i, j] : 0 <= i, j < 4 and not (i = 3 and j = 3) }", {}, "true", "not a product"),
    ("{ [0]; [1]; [3] }", {}, "true", "not equally spaced"),
    ("{ [i] : 0 <= i < 9 and i != 4 }", {}, "true", "not equally spaced"),
    ("[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }", N, "n >= 0", "not a product"),
    ("[n] -> { [i] : 0 <= i < 9 and i != n }", N, "1 <= n <= 7", "not equally spaced"),
    ("[n] -> { [i] : 0 <= i < 9; [n] }", N, "n >= 11", "not equally spaced"),
]


@pytest.mark.parametrize(("text", "ranges", "where", "reason"), NO_SLICES, ids=[c[0] for c in NO_SLICES])
def test_no_slices_have_a_witness(
    text: str, ranges: Mapping[str, Iterable[int]], where: str, reason: str
) -> None:
    found = check(isl.Set(text), ranges, where)
    assert isinstance(found, NotASlice)
    assert reason in found.reason
    assert found.witness is not None


def test_what_no_expression_says_has_a_reason_and_no_witness() -> None:
    for text, reason in {
        "[n] -> { [i] : i >= n }": "dimension 0 is unbounded",
        "[n] -> { [i] : 0 <= i < 4 and (n <= 2 or n >= 5) }": "it has no index where 3 <= n <= 4",
        "[n] -> { [0]; [n] }": "the stride of dimension 0",
        "{ [] : 1 = 0 }": "it has no index, not even []",
    }.items():
        found = match_slice(isl.Set(text))
        assert isinstance(found, NotASlice)
        assert reason in found.reason
        assert found.witness is None
    assert isinstance(
        match_slice(isl.Set("[n] -> { [0]; [n] }"), isl.Set("[n] -> { : n > 0 }")), SliceParameters
    )


def test_a_budget_that_is_spent_is_a_reason() -> None:
    found = match_slice(isl.Set("[n] -> { [i, j] : 0 <= i < n and 0 <= j < 2n }"), operations=20)
    assert isinstance(found, NotASlice)
    assert found.reason.startswith("budget:")


def test_names_and_other_parameters_do_not_matter() -> None:
    points = isl.Set("[m, n] -> { t[a, b] : 0 <= a < n and m <= b <= m + 3 }")
    expected(match_slice(points, isl.Set("[k, n] -> { : n > 0 and k > n }")), "0, m", "n, 4", "1, 1")


finite = st.sets(st.tuples(st.integers(-3, 5), st.integers(0, 4)), max_size=6)
line = st.tuples(st.integers(-3, 3), st.integers(0, 4), st.integers(1, 3))
products = st.tuples(line, line).map(lambda both: set(product(*(range(o, o + s * n, s) for o, n, s in both))))


@given(finite | products)
def test_sets_without_parameters_are_decided(points: set[Point]) -> None:
    """A slice exactly if it is one, and then the same indices."""
    union = isl.Set("{ [i, j] : 1 = 0 }")
    for i, j in points:
        union = union.union(isl.Set(f"{{ [{i}, {j}] }}"))
    found = check(union.coalesce(), {})
    assert isinstance(found, SliceParameters) == is_slice(points)


small = st.integers(-3, 4)
forms = st.tuples(small, st.integers(-2, 2), st.integers(-1, 1)).map(
    lambda c: f"({c[0]} + {c[1]}n + {c[2]}m)"
)
lines = st.tuples(forms, st.integers(1, 3), forms)
NM = {"n": range(-1, 5), "m": range(3)}


@st.composite
def parametric(draw: st.DrawFn) -> str:
    """A union of one or two pieces: boxes with strides, some with a diagonal or a condition."""
    pieces: list[str] = []
    for _ in range(draw(st.integers(1, 2))):
        conditions: list[str] = []
        for name in "ij":
            low, stride, length = draw(lines)
            conditions.append(f"{low} <= {name} <= {low} + {length} and ({name} - {low}) mod {stride} = 0")
        if draw(st.integers(0, 4)) == 0:
            conditions.append(draw(st.sampled_from(["i = j", "i <= j", "n >= 1", "i != 2", "n = m"])))
        pieces.append("[i, j] : " + " and ".join(conditions))
    return f"[n, m] -> {{ {'; '.join(pieces)} }}"


@pytest.mark.slow
@settings(max_examples=examples(30))
@given(parametric(), st.sampled_from(["true", "n >= 0", "n >= 1 and m >= 1", "0 <= n <= 3 and m <= n"]))
def test_sets_with_parameters(text: str, where: str) -> None:
    check(isl.Set(text), NM, where)


@pytest.mark.slow
@settings(max_examples=examples(30))
@given(lines, lines, st.integers(0, 3))
def test_slices_with_parameters_are_found(
    first: tuple[str, int, str], second: tuple[str, int, str], cut: int
) -> None:
    """A slice, written as such or in two parts, is one; where a size may be negative, it is empty there."""
    (a, s, x), (b, t, y) = first, second
    box = (
        f"{a} <= i < {a} + {s} * {x} and (i - {a}) mod {s} = 0 and "
        f"{b} <= j < {b} + {t} * {y} and (j - {b}) mod {t} = 0"
    )
    parts = f"[i, j] : {box} and i <= {a} + {cut}; [i, j] : {box} and i > {a} + {cut}"
    found = check(isl.Set(f"[n, m] -> {{ {parts} }}"), NM, f"{x} >= 1 and {y} >= 1")
    assert isinstance(found, SliceParameters)
