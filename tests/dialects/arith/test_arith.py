"""Index arithmetic, conditions, zeros and element maps of the arith dialect, against Python's integers."""

from __future__ import annotations

import pytest

from tests.oracles.interpreter.arithmetic import PREDICATES, SIGNED, arith, compared, unsigned
from tests.presburger.test_build import evaluate
from tests.shared.enumeration import Function, box_points, function
from volcli.language import questions

RANGE = range(-7, 8)


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", ["index", "i64"])
@pytest.mark.parametrize("divisor", [1, 3, -2])
@pytest.mark.parametrize("name", SIGNED)
def test_index_arithmetic(name: str, divisor: int, kind: str) -> None:
    """Either the exact number, or a parameter of its own (unknown): never another number."""
    f = Function(function(
        f"%x: {kind}", f"%c = arith.constant {divisor} : {kind}\n"
        f"%r = arith.{name} %x, %c : {kind}", f"%r : {kind}"
    ))  # fmt: skip
    number = f.model.store.number(f.value("%r"))
    assert str(number) != "r", "the divisor is a constant: the result is affine"
    for x in RANGE:
        assert evaluate(number, (), {"x": x}) == arith(name, x, divisor)


@pytest.mark.parametrize("name", ["floordivsi", "ceildivsi", "divsi", "remsi", "muli"])
def test_what_is_not_affine_is_a_parameter(name: str) -> None:
    f = Function(function("%x: index, %y: index", f"%r = arith.{name} %x, %y : index", "%r : index"))
    assert f.number("%r") == "r"


@pytest.mark.parametrize("name", ["divui", "remui", "shrui", "maxui", "andi", "ceildivui"])
def test_unsigned_arithmetic_is_not_guessed(name: str) -> None:
    f = Function(function(
        "%x: index", f"%c = arith.constant 2 : index\n%r = arith.{name} %x, %c : index", "%r : index"
    ))  # fmt: skip
    for x in (*range(-5, 6), 2**40):
        parameters = {"x": x, "r": (number := unsigned(arith(name, x, 2), 64))}
        assert evaluate(f.model.store.number(f.value("%r")), (), parameters) % 2**64 == number


def test_shift() -> None:
    f = Function(function(
        "%x: index, %n: index",
        """%c = arith.constant 3 : index
           %r = arith.shli %x, %c : index
           %s = arith.shli %x, %n : index""",
        "%r : index",
    ))  # fmt: skip
    assert f.number("%r") == "8 * x"
    assert f.number("%s") == "s"


@pytest.mark.parametrize(
    "body",
    [
        "%t = arith.trunci %x : i64 to i32\n"
        "%e = arith.extsi %t : i32 to i64\n%r = arith.index_cast %e : i64 to index",
        "%t = arith.trunci %x : i64 to i8\n%r = arith.index_cast %t : i8 to index",
        "%t = arith.trunci %x : i64 to i32\n"
        "%u = arith.addi %t, %t : i32\n%r = arith.index_cast %u : i32 to index",
        "%t = arith.trunci %x : i64 to i1\n%r = arith.extui %t : i1 to i64",
    ],
)
def test_narrow_integers_wrap_and_are_not_numbers(body: str) -> None:
    """`trunc` and sums of i32 lose the mathematical integer: the result is not %x."""
    kind = "index" if "to index" in body.splitlines()[-1] else "i64"
    f = Function(function("%x: i64", body, f"%r : {kind}"))
    number = f.number("%r")
    assert number not in ("x", "2 * x")
    assert not number.isdecimal()


def test_casts_keep_the_number() -> None:
    f = Function(function(
        "%x: index", "%a = arith.index_cast %x : index to i64\n"
        "%r = arith.index_cast %a : i64 to index", "%r : index"
    ))  # fmt: skip
    assert f.number("%r") == "x"


def test_sums_of_booleans_wrap() -> None:
    """true + true is false in i1: it must not become the number 2 (nor -2)."""
    f = Function(function(
        "%x: index",
        """%t = arith.constant true
           %s = arith.addi %t, %t : i1
           %e = arith.extsi %s : i1 to i64
           %r = arith.index_cast %e : i64 to index""",
        "%r : index",
    ))  # fmt: skip
    assert f.number("%r") not in ("2", "-2", "1", "-1")


def test_true_is_minus_one_when_sign_extended() -> None:
    f = Function(function(
        "%x: index",
        "%t = arith.constant true\n%e = arith.extsi %t : i1 to i64\n%r = arith.index_cast %e : i64 to index",
        "%r : index",
    ))  # fmt: skip
    number = f.number("%r")
    assert number == "-1" or number.isidentifier()


@pytest.mark.parametrize("predicate", [name for name in PREDICATES if name[0] != "u"])
def test_comparisons(predicate: str) -> None:
    f = Function(function("%x: index, %y: index", f"%r = arith.cmpi {predicate}, %x, %y : index", "%r : i1"))
    found = questions.condition(f.value("%r").owner)  # pyright: ignore
    assert found is not None
    for x in range(-2, 3):
        for y in range(-2, 3):
            values = {"x": x, "y": y}
            for disjunction, expected in ((found.true, True), (found.false, False)):
                holds = any(
                    all(evaluate(f.model.store.resolve(e), (), values) >= 0 for e in conjunction)
                    for conjunction in disjunction
                )
                assert holds == (compared(predicate, x, y) == expected)


def test_comparisons_of_narrow_integers_are_not_guessed() -> None:
    f = Function(function("%x: i32, %y: i32", "%r = arith.cmpi slt, %x, %y : i32", "%r : i1"))
    assert questions.condition(f.value("%r").owner) is None  # pyright: ignore


def test_elementwise_maps() -> None:
    f = Function(function(
        "%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %k: i1, %m: tensor<2x3xi1>, %s: f32, %t: f32",
        """%r = arith.addf %a, %b : tensor<2x3xf32>
           %u = "arith.select"(%m, %a, %r)
             : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
           %v = arith.select %k, %a, %b : tensor<2x3xf32>
           %w = arith.mulf %s, %t : f32
           %x = arith.negf %a : tensor<2x3xf32>""",
        "%r : tensor<2x3xf32>",
    ))  # fmt: skip
    grid = box_points(2, 3)
    assert f.reads("%r") == {(r, o, r) for r in grid for o in "ab"}
    assert f.reads("%u") == {(r, o, r) for r in grid for o in "mar"}
    assert f.reads("%v") == {(r, o, r) for r in grid for o in "ab"}, "which one is, the parameter %k says"
    assert f.reads("%w") == {((), o, ()) for o in "st"}
    assert f.reads("%x") == {(r, "a", r) for r in grid}


def test_a_constant_depends_on_nothing() -> None:
    f = Function(function("", "%r = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>", "%r : tensor<2xf32>"))
    assert f.reads("%r") == set()


@pytest.mark.parametrize(
    ("text", "fill"),
    [
        ("0.0 : f32", 0),
        ("-0.0 : f32", 0),
        ("0 : index", 0),
        ("false", 0),
        ("dense<0.0> : tensor<4xf32>", 0),
        ("dense<3> : tensor<4xi32>", 3),
        ("dense<0> : tensor<100x64x220x220xi32>", 0),
        ("dense<[0.0, 1.0]> : tensor<2xf32>", None),
        ("2.5 : f32", 2.5),
    ],
)
def test_constant_fill(text: str, fill: float | None) -> None:
    kind = text.partition(" : ")[2] or "i1"
    f = Function(function("", f"%r = arith.constant {text}", f"%r : {kind}"))
    assert questions.constant_fill(f.value("%r").owner) == fill  # pyright: ignore
