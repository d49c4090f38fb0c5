"""Index expressions against plain Python integers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import test as xdsl_test
from xdsl.dialects.builtin import IndexType, TensorType, f32
from xdsl.ir import SSAValue

from tests.shared.numbers import value
from tests.shared.seeds import examples
from volcli.language.expressions import (
    ANY,
    Atom,
    Dim,
    Expression,
    FloorDiv,
    LoopIndex,
    Minimum,
    Mod,
    Monomial,
    NotAffine,
    Parameter,
    Value,
    constant,
    dim_of,
    expression_of_atom,
    loop,
    loops,
    maximum,
    minimum,
    number_values,
    parameter,
    piecewise,
    renamed,
    sort_key,
    substitute,
    value_of,
)

_INDICES = xdsl_test.TestOp(result_types=[IndexType(), IndexType()]).results
_TENSOR = xdsl_test.TestOp(result_types=[TensorType(f32, [-1, -1])]).results[0]
LEAVES: tuple[Expression, ...] = (
    *loops(3),
    parameter("n"),
    parameter("m"),
    *(value_of(v) for v in _INDICES),
    *(dim_of(_TENSOR, d) for d in range(2)),
)
LEAF_ATOMS = tuple(atom for leaf in LEAVES if (atom := leaf.single_atom) is not None)
numbers = st.integers(-12, 12)
environments = st.lists(numbers, min_size=len(LEAVES), max_size=len(LEAVES))


Computed = tuple[Expression, Callable[[Mapping[Atom | None, int]], int]]
"""An expression made by the operators, and the same computation in plain Python."""


def _binary(left: Computed, right: Computed, which: int) -> Computed:
    (a, f), (b, g) = left, right
    match which:
        case 0:
            return a + b, lambda e: f(e) + g(e)
        case 1:
            return a - b, lambda e: f(e) - g(e)
        case 2:
            return minimum(a, b), lambda e: min(f(e), g(e))
        case 3:
            return maximum(a, b, a), lambda e: max(f(e), g(e))
        case _:
            return a * b, lambda e: f(e) * g(e)


def _scalar(operand: Computed, number: int, which: int) -> Computed:
    a, f = operand
    match which:
        case 0:
            return a * number, lambda e: f(e) * number
        case 1:
            return number - a, lambda e: number - f(e)
        case 2:
            return a // (number or 3), lambda e: f(e) // (number or 3)
        case 3:
            return a % (abs(number) + 1), lambda e: f(e) % (abs(number) + 1)
        case 4:
            return a.ceildiv(number or 3), lambda e: -(-f(e) // (number or 3))
        case _:
            return -a + number, lambda e: -f(e) + number


def _leaf(position: int) -> Computed:
    return LEAVES[position], lambda e: e[LEAF_ATOMS[position]]


def _constant(number: int) -> Computed:
    return constant(number), lambda _: number


leaves = st.one_of(st.integers(0, len(LEAVES) - 1).map(_leaf), numbers.map(_constant))
computed = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(_binary, inner, inner, st.integers(0, 4)),
        st.builds(_scalar, inner, numbers, st.integers(0, 5)),
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(computed, environments)
def test_operators_are_those_of_integers(made: Computed, values: list[int]) -> None:
    expression, reference = made
    environment = dict(zip(LEAF_ATOMS, values, strict=True))
    assert value(expression, environment) == reference(environment)


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(computed, environments, st.lists(leaves, min_size=len(LEAVES), max_size=len(LEAVES)))
def test_substitution_is_evaluation_of_the_replacements(
    made: Computed, values: list[int], replacements: list[Computed]
) -> None:
    expression, reference = made
    environment = dict(zip(LEAF_ATOMS, values, strict=True))
    by_atom = dict(zip(LEAF_ATOMS, replacements, strict=True))
    replaced = substitute(expression, lambda atom: by_atom[atom][0] if atom in by_atom else None)
    inner = {atom: reference_(environment) for atom, (_, reference_) in by_atom.items()}
    assert value(replaced, environment) == reference(inner)


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(computed)
def test_normal_form_invariants(made: Computed) -> None:
    expression, _ = made
    terms = expression.terms
    assert all(c != 0 for _, c in terms)
    assert len({atom for atom, _ in terms}) == len(terms)
    assert substitute(expression, lambda _: None) == expression
    assert expression - expression == constant(0)
    assert expression + expression == 2 * expression
    assert all(expression.coefficient(atom) == c for atom, c in terms)


linear = st.lists(st.tuples(st.integers(0, len(LEAVES) - 1), st.integers(-3, 3)), max_size=6)


@given(linear, st.randoms(use_true_random=False), numbers)
def test_equal_linear_forms_are_equal_values(terms: list[tuple[int, int]], shuffle: object, c: int) -> None:
    shuffled = list(terms)
    shuffle.shuffle(shuffled)  # pyright: ignore
    first = sum((LEAVES[i] * k for i, k in terms), start=constant(c))
    second = constant(0)
    for i, k in shuffled:
        second = second + LEAVES[i] * k
    second = c + second
    assert first == second
    assert hash(first) == hash(second)
    assert str(first) == str(second)


@pytest.mark.parametrize("make", [lambda e: e // 2, lambda e: e % 3, lambda e: minimum(e, loop(0))])
def test_divisions_of_unnamed_values_are_ordered_too(make: Callable[[Expression], Expression]) -> None:
    """Two values without a name print alike, and are two atoms for all that."""
    one, two = (make(value_of(v)) for v in _INDICES)
    assert str(one) == str(two)
    assert one != two
    assert one + two == two + one
    assert one - two != constant(0)


def test_what_prints_alike_is_ordered_by_position() -> None:
    """Values are numbered by their text: the tenth comes behind the ninth."""
    op = xdsl_test.TestOp(result_types=[IndexType()] * 120)
    number_values(op)
    halves = [value_of(value) // 2 for value in op.results]
    total = sum(reversed(halves), constant(0))
    assert [expression_of_atom(atom) for atom, _ in total.terms] == halves


def test_keys_grow_no_faster_than_expressions() -> None:
    """Minima in maxima in minima ...: each comparison looks at a text as long as the expression, once."""
    deep = loop(0)
    for number in range(20):
        deep = maximum(minimum(deep, parameter("n")) - loop(1), parameter("m") + number)
    key = sort_key(next(iter(deep.atoms())))
    assert len(str(key)) < 10 * len(str(deep))
    assert minimum(deep, deep + loop(2)) == minimum(deep + loop(2), deep)


@given(numbers, st.integers(-9, 9).filter(bool))
def test_constants_fold(a: int, b: int) -> None:
    assert constant(a) // b == constant(a // b)
    assert constant(a) // constant(b) == constant(a // b)
    assert constant(a).ceildiv(b) == constant(-(-a // b))
    assert constant(a) * constant(b) == constant(a * b)
    assert minimum(constant(a), constant(b)) == constant(min(a, b))
    assert maximum(constant(a), constant(b)) == constant(max(a, b))


@given(st.sampled_from([*LEAVES, constant(7), constant(-7)]), st.integers(-9, 9), st.booleans())
def test_a_remainder_is_pythons_or_refused(a: Expression, b: int, wrap: bool) -> None:
    """`e mod b` for b <= 0 has no meaning in affine maps: it is refused,"
    " and never silently another number."""
    divisor = constant(b) if wrap else b
    environment = dict.fromkeys(LEAF_ATOMS, 5)
    try:
        result = a % divisor
    except NotAffine:
        assert b <= 0
        return
    assert value(result, environment) == value(a, environment) % b


@pytest.mark.parametrize("divisor", [0, constant(0), parameter("n")])
def test_a_division_that_is_not_affine_is_refused(divisor: Expression | int) -> None:
    for divide in (Expression.__floordiv__, Expression.__mod__, Expression.ceildiv):
        with pytest.raises(NotAffine):
            divide(loop(0), divisor)


def test_what_the_divisor_divides_leaves_the_division() -> None:
    assert (4 * loop(0) + 2 * loop(1) + 5) // 2 == 2 * loop(0) + loop(1) + 2
    assert (4 * loop(0) + 6) % 2 == constant(0)
    assert (3 * loop(0) + 4) // 2 == (3 * loop(0)) // 2 + 2


def test_extrema() -> None:
    assert minimum(loop(0), loop(0)) == loop(0)
    assert minimum(constant(2), loop(0), constant(5)) == minimum(loop(0), constant(2))
    with_constants = maximum(loop(0), constant(2), constant(5))
    assert with_constants == maximum(loop(0), constant(5))


def test_atoms_come_before_what_is_inside() -> None:
    inner = (loop(0) + parameter("n")) // 2
    expression = minimum(inner, loop(1) % 3) + loop(2)
    kinds = [type(atom) for atom in expression.atoms()]
    assert kinds == [LoopIndex, Minimum, FloorDiv, LoopIndex, Parameter, Mod, LoopIndex]


def test_atoms_reach_inside() -> None:
    expression = minimum((loop(0) + parameter("n")) // 2, loop(1) % 3) + loop(2) * parameter("m")
    inner = {atom for atom in expression.atoms() if isinstance(atom, LoopIndex | Parameter)}
    assert inner == {LoopIndex(0), LoopIndex(1), LoopIndex(2), Parameter("n"), Parameter("m")}


def test_renamed() -> None:
    expression = (parameter("n") + 1) // 2 + parameter("m")
    assert renamed(expression, {"n": constant(5)}) == parameter("m") + 3
    assert renamed(expression, {"n": parameter("m")}) == (parameter("m") + 1) // 2 + parameter("m")


def test_a_product_becomes_affine_with_one_factor() -> None:
    product = loop(0) * parameter("n")
    assert isinstance(product.single_atom, Monomial)
    assert renamed(product, {"n": constant(3)}) == 3 * loop(0)


def test_values_are_themselves_and_not_their_names() -> None:
    one, other = (_named("x") for _ in range(2))
    assert Value(one) != Value(other)
    assert Value(one) == Value(one)
    assert Dim(_TENSOR, 0) != Dim(_TENSOR, 1)
    assert str(ANY) == "any"


def _named(name: str) -> SSAValue:
    (result,) = xdsl_test.TestOp(result_types=[IndexType()]).results
    result.name_hint = name
    return result


def _python(text: str) -> str:
    """MLIR's operators as Python's; `a floordiv b` and `a mod b` bind as `*` does, from the left."""
    return text.replace(" floordiv ", " // ").replace(" mod ", " % ")


@pytest.mark.slow
@settings(max_examples=examples(100))
@given(computed, environments)
def test_printed_text_reads_back(made: Computed, values: list[int]) -> None:
    """Over loops and parameters the text is MLIR's affine syntax; evaluated, it gives the same number."""
    expression, _ = made
    names = dict(zip(LEAF_ATOMS, ("d0", "d1", "d2", "n", "m", "x", "y", "s", "t"), strict=True))
    closed = substitute(expression, lambda atom: parameter(names[atom]) if atom in names else None)
    environment = {Parameter(name): value for name, value in zip(names.values(), values, strict=True)}
    text = str(closed)
    assert not re.search(r"[+-] -|--", text)
    scope = dict(zip(names.values(), values, strict=True))
    assert eval(_python(text), {"min": min, "max": max}, scope) == value(closed, environment)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (loop(0) * 2 - 1, "2 * d0 - 1"),
        (constant(-3), "-3"),
        (-loop(0) - 1, "-d0 - 1"),
        (parameter("n") - loop(1), "-d1 + n"),
        (3 * ((loop(0) + 1) // 2), "3 * ((d0 + 1) floordiv 2)"),
        (loop(0) % 4 + 1, "d0 mod 4 + 1"),
        (minimum(loop(0), constant(4)), "min(d0, 4)"),
    ],
)
def test_printing(expression: Expression, text: str) -> None:
    assert str(expression) == text


def test_a_chain_that_uses_each_twice_is_refused_early() -> None:
    """`x mod 3 + x floordiv 2`, again and again: what is written doubles with each step."""
    number, steps = parameter("n"), 0
    with pytest.raises(NotAffine, match="an expression of more than 256 atoms"):  # noqa: PT012 - in some step
        while steps < 60:
            number = (number % 3) + (number // 2)
            steps += 1
    assert 5 < steps < 10
    assert number.size <= 2 * 256


def test_the_number_of_an_expression() -> None:
    n, m = parameter("%n"), parameter("dim(%t, 0)")
    expression = 3 * n * m + minimum(n // 2, m % 3) - maximum(n, m)
    assert expression.evaluate({"dim(%t, 0)": 7}, n=5) == 99
    assert piecewise(((n - 3,), n), ((2 - n,), m)).evaluate({"%n": 2, "dim(%t, 0)": 7}) == 7
    with pytest.raises(ValueError, match=r"dim\(%t, 0\) has no number"):
        expression.evaluate(n=5)
