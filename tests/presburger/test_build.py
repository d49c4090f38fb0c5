"""Sets and relations from index expressions, against enumeration in plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared.enumeration import box_points, holds, pairs_of, points_of
from tests.shared.numbers import value
from tests.shared.seeds import examples
from volcli.language.expressions import (
    ANY,
    Atom,
    Expression,
    Index,
    LoopIndex,
    NotAffine,
    Parameter,
    constant,
    loop,
    loops,
    maximum,
    minimum,
    parameter,
    value_of,
)
from volcli.presburger.sets import build

PARAMETERS = {"n": 3, "m": 2}


def evaluate(expression: Expression, point: tuple[int, ...], parameters: Mapping[str, int]) -> int:
    """EXPRESSION at a POINT of the loops, for values of PARAMETERS."""
    environment: dict[Atom, int] = {LoopIndex(position): index for position, index in enumerate(point)}
    environment.update((Parameter(name), number) for name, number in parameters.items())
    return value(expression, environment)


def over(leaves: list[Expression], depth: int = 4) -> st.SearchStrategy[Expression]:
    small = st.integers(-3, 3)
    leaf = st.one_of(st.sampled_from(leaves), small.map(constant))

    def step(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return st.one_of(
            st.builds(lambda a, b: a + b, inner, inner),
            st.builds(lambda a, b: a - b, inner, inner),
            st.builds(lambda a, k: a * k, inner, small),
            st.builds(lambda a, k: a // k, inner, small.filter(bool)),
            st.builds(lambda a, k: a % k, inner, st.integers(1, 4)),
            st.builds(minimum, inner, inner),
            st.builds(maximum, inner, inner),
        )

    return st.recursive(leaf, step, max_leaves=depth)


on_loops = over([*loops(2), parameter("n"), parameter("m")])
on_parameters = over([parameter("n"), parameter("m")])
some_parameters = st.fixed_dictionaries({"n": st.integers(-1, 4), "m": st.integers(0, 3)})


@settings(max_examples=examples(40))
@given(st.lists(on_parameters, max_size=3), some_parameters)
def test_box(sizes: list[Expression], parameters: dict[str, int]) -> None:
    extents = [evaluate(size, (), parameters) for size in sizes]
    expected = set(product(*(range(e) for e in extents)))
    assert points_of(build.box(tuple(sizes)), **parameters) == expected


def test_the_box_of_a_scalar_is_one_point() -> None:
    """Lemma 4.3: a volume of rank 0 is indexed by the 0-tuple only."""
    assert points_of(build.box(())) == {()}


def test_a_negative_or_zero_size_is_empty() -> None:
    assert build.box((constant(0), constant(3))).is_empty()
    assert build.box((constant(-1),)).is_empty()


@pytest.mark.slow
@settings(max_examples=examples(50))
@given(st.lists(on_loops, min_size=0, max_size=3), some_parameters)
def test_relation(index: list[Expression], parameters: dict[str, int]) -> None:
    domain = box_points(4, 3)
    relation = build.relation(2, tuple(index)).intersect_domain(build.box((constant(4), constant(3))))
    expected = {(point, tuple(evaluate(e, point, parameters) for e in index)) for point in domain}
    assert pairs_of(relation, **parameters) == expected


def test_relation_with_an_unknown_index() -> None:
    index: tuple[Index, ...] = (ANY, loop(0) + 1, ANY)
    relation = build.relation(1, index)
    relation = relation.intersect_domain(build.box((constant(2),)))
    relation = relation.intersect_range(build.box((constant(2), constant(5), constant(3))))
    expected = {((point,), (a, point + 1, b)) for point in range(2) for a in range(2) for b in range(3)}
    assert pairs_of(relation) == expected


@settings(max_examples=examples(40))
@given(st.lists(on_loops, max_size=3), some_parameters)
def test_nonnegative(conditions: list[Expression], parameters: dict[str, int]) -> None:
    points = build.nonnegative(2, tuple(conditions)).intersect(build.box((constant(4), constant(3))))
    grid = box_points(4, 3)
    expected = {p for p in grid if all(evaluate(c, p, parameters) >= 0 for c in conditions)}
    assert points_of(points, **parameters) == expected


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(on_parameters, on_loops, some_parameters)
def test_domain(extent: Expression, condition: Expression, parameters: dict[str, int]) -> None:
    """Extents bound some of the loops, conditions the others."""
    others = (loop(1), constant(2) - loop(1), condition)
    points = build.domain(2, ((0, extent),), others)
    expected = {
        (i, j)
        for i in range(evaluate(extent, (), parameters))
        for j in range(3)
        if evaluate(condition, (i, j), parameters) >= 0
    }
    assert points_of(points, **parameters) == expected


@settings(max_examples=examples(40))
@given(on_parameters, on_parameters, some_parameters)
def test_equal(left: Expression, right: Expression, parameters: dict[str, int]) -> None:
    expected = evaluate(left, (), parameters) == evaluate(right, (), parameters)
    assert holds(build.equal(left, right), **parameters) == expected


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**62, 10**30])
def test_numbers_of_any_size(number: int) -> None:
    relation = build.relation(1, (loop(0) * number + number,))
    assert pairs_of(relation.intersect_domain(build.box((constant(2),)))) == {
        ((0,), (number,)),
        ((1,), (2 * number,)),
    }
    assert points_of(build.nonnegative(1, (loop(0) - number, constant(number) - loop(0)))) == {(number,)}


def test_parameters_are_sorted_and_found_inside() -> None:
    expression = minimum(parameter("z") // 2, parameter("a") % 3) + loop(0)
    assert build.parameters_of([expression, ANY]) == ("a", "z")


def test_what_is_not_affine_is_refused() -> None:
    from xdsl.dialects import test as xdsl_test
    from xdsl.dialects.builtin import IndexType

    (value,) = xdsl_test.TestOp(result_types=[IndexType()]).results
    for expression in (parameter("n") * loop(0), value_of(value)):
        with pytest.raises(NotAffine):
            build.relation(1, (expression,))


linear = st.lists(st.integers(-4, 4), min_size=5, max_size=5).map(
    lambda c: c[0] * loop(0) + c[1] * loop(1) + c[2] * parameter("n") + c[3] * parameter("m") + c[4]
)


@given(linear)
def test_linear_constraints_are_written_as_those_of_functions(expression: Expression) -> None:
    """Constraints are made directly; answers must not depend on which way that was."""
    over = build.space(build.parameters_of((expression,)), 2)
    function = build.affine(expression, over)
    assert build.zero(expression, over).plain_is_equal(function.zero_set())
    assert build.at_least_zero(expression, over).plain_is_equal(function.nonneg_set())
