"""What is printed can be read back by isl, as the same set."""

from __future__ import annotations

import islpy as isl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.seeds import examples
from volcli.presburger.sets.names import identifier, named_map, named_set

DIM = isl.dim_type
ssa_names = st.one_of(
    st.from_regex(r"\A%[A-Za-z_$.\-][A-Za-z0-9_$.\-]{0,6}\Z"),
    st.from_regex(r"\A%[0-9]{1,4}(#[0-9])?\Z"),
)
RESERVED = [
    "and",
    "or",
    "not",
    "exists",
    "min",
    "max",
    "mod",
    "floor",
    "floord",
    "ceil",
    "ceild",
    "implies",
    "true",
    "false",
    "infty",
    "nan",
    "NaN",
    "rat",
    "Sym",
    "int",
    "range",
]


def parametric(name: str) -> isl.Set:
    points = isl.Set("[p] -> { [i, j] : 0 <= i < p and i <= j <= 2i }")
    return points.set_dim_name(DIM.param, 0, name)


@pytest.mark.slow
@settings(max_examples=examples(50))
@given(ssa_names, ssa_names)
def test_identifiers_are_read_back(volume: str, size: str) -> None:
    points = named_set(parametric(identifier(size)), identifier(volume), ["h", "w"])
    again = isl.Set(str(points))
    assert again.is_equal(points)
    assert again.get_tuple_name() == identifier(volume)


@pytest.mark.sample(4)
@pytest.mark.parametrize("word", [*RESERVED, *map(str.upper, RESERVED), *map(str.title, RESERVED)])
def test_words_of_isls_language_are_no_identifiers(word: str) -> None:
    name = identifier(f"%{word}")
    points = named_set(parametric(name), name, [identifier(f"%{word}"), "w"])
    assert isl.Set(str(points)).is_equal(points)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("%act0", "act0"), ("%0", "_0"), ("%r#1", "r_1"), ("%a.b", "a_b"), ("%x-1", "x_1"), ("%_", "_")],
)
def test_identifier(name: str, expected: str) -> None:
    assert identifier(name) == expected


def test_unused_parameters_are_not_printed() -> None:
    points = isl.Set("[n, m] -> { [i] : 0 <= i < n }")
    assert str(named_set(points, "A", ["h"])) == "[n] -> { A[h] : 0 <= h < n }"


@pytest.mark.parametrize("parameter", ["n", "h", "w", "p"])
@pytest.mark.parametrize("target", [("h", "w"), ("w", "h"), ("k", "h"), ("n", "n_")])
def test_maps_are_read_back(parameter: str, target: tuple[str, str]) -> None:
    """Also where a dimension of both sides and a parameter have one name."""
    relation = isl.Map(
        "[p] -> { [i, j] -> [k, l] : 0 <= i < p and k = 2i and j <= l < j + p and 0 <= j < 3 }"
    )
    relation = relation.set_dim_name(DIM.param, 0, parameter)
    named = named_map(relation, "R", ["h", "w"], "S", target)
    assert isl.Map(str(named)).is_equal(named)


def test_equal_names_on_both_sides_and_a_parameter() -> None:
    """`%n: index` beside a batch dimension n: isl primes the source's n, and we must not prime alike."""
    relation = isl.Map("[n] -> { [i] -> [k] : 0 <= i < n and k = i + 1 }")
    named = named_map(relation, "R", ["n"], "S", ["n"])
    assert isl.Map(str(named)).is_equal(named)
