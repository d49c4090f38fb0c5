"""What holds of values that are not determined, and what is assumed of them, against Python's integers."""

from __future__ import annotations

from itertools import product

import pytest
from xdsl.ir import Operation

from tests.dialects.bounds_cases import at, holds, signed_range, the, true, value_of_op
from tests.dialects.roundtrip import read_natively
from tests.oracles.interpreter.arithmetic import DIVISIONS, arith, canonical, is_defined
from tests.shared.enumeration import function
from volcli.language import questions
from volcli.language.expressions import constant, dim_of, value_of


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", sorted(DIVISIONS | {"andi", "ori", "xori"}))
def test_facts_of_two_unknowns(name: str) -> None:
    op = the(f"arith.{name}", "%x: i4, %y: i4", f"%r = arith.{name} %x, %y : i4", "%r : i4")
    (facts,) = questions.value_cases(op) or ()
    for a, b in product(signed_range(4), repeat=2):
        if not is_defined(name, a, b, 4):
            continue
        r = arith(name, a, b, 4)
        values = dict(zip((*op.operands, op.results[0]), (a, b, r), strict=True))
        assert holds(facts, values), (a, b, r)


@pytest.mark.parametrize("name", ["shrsi", "shrui"])
def test_facts_of_shifts(name: str) -> None:
    op = the(f"arith.{name}", "%x: i4, %y: i4", f"%r = arith.{name} %x, %y : i4", "%r : i4")
    (facts,) = questions.value_cases(op) or ()
    for a, k in product(signed_range(4), range(4)):
        r = arith(name, a, k, 4)
        assert holds(facts, dict(zip((*op.operands, op.results[0]), (a, k, r), strict=True)))


def allowed(op: Operation, *operands: int) -> list[int]:
    """The results from -20 to 20 that the facts of OP admit."""
    facts = questions.value_cases(op) or [(facts,) for facts in questions.value_facts(op) or ()]
    given = dict(zip(op.operands, operands, strict=True))
    return [r for r in range(-20, 21) if holds(facts[0], {**given, op.results[0]: r})]


@pytest.mark.parametrize(("name", "a", "b", "low", "high"), [
    ("remui", 9, 4, 0, 3), ("remui", 2, 9, 0, 2), ("remsi", 9, -4, 0, 3), ("remsi", -9, 4, -3, 0),
    ("andi", 9, -1, 0, 9), ("andi", 12, 9, 0, 9), ("divui", 9, 4, 0, 9), ("floordivsi", -9, 4, -9, -1),
    ("shrsi", -9, 1, -9, -1), ("shrui", 9, 1, 0, 9),
])  # fmt: skip
def test_facts_are_tight_where_the_signs_are_known(name: str, a: int, b: int, low: int, high: int) -> None:
    op = the(f"arith.{name}", "%x: index, %y: index", f"%r = arith.{name} %x, %y : index", "%r : index")
    assert allowed(op, a, b) == list(range(low, high + 1))


@pytest.mark.parametrize(("name", "body", "low", "high"), [
    ("vector.vscale", "%r = vector.vscale", 1, None),
    ("tensor.rank", "%r = tensor.rank %u : tensor<*xf32>", 0, None),
    ("memref.rank", "%r = memref.rank %v : memref<*xf32>", 0, None),
    ("tensor.dim", "%r = tensor.dim %t, %i : tensor<2x?x5xf32>", 2, 7),
    ("memref.dim", "%r = memref.dim %m, %i : memref<2x?x5xf32>", 2, 7),
    ("memref.dim", "%r = memref.dim %v, %i : memref<*xf32>", 0, None),
])  # fmt: skip
def test_facts_of_sizes(name: str, body: str, low: int, high: int | None) -> None:
    arguments = (
        "%t: tensor<2x?x5xf32>, %m: memref<2x?x5xf32>, %i: index, %u: tensor<*xf32>, %v: memref<*xf32>"
    )
    op = the(name, arguments, body, "%r : index")
    (facts,) = questions.value_facts(op) or ()
    sizes = dict.fromkeys(op.operands, (2, 7, 5))
    found = [r for r in range(-3, 70) if true(facts, {op.results[0]: r}, sizes)]
    assert found == list(range(low, 70 if high is None else high + 1))


def test_ranks_are_constants() -> None:
    for name in ("tensor", "memref"):
        op = the(
            f"{name}.rank", f"%t: {name}<2x?xf32>", f"%r = {name}.rank %t : {name}<2x?xf32>", "%r : index"
        )
        assert questions.index_value(op) == constant(2)


def test_the_size_of_an_index_is_one_of_two() -> None:
    op = the("index.sizeof", "", "%r = index.sizeof", "%r : index")
    (cases,) = questions.value_cases(op) or ()
    assert [r for r in range(70) if holds(cases, {op.results[0]: r})] == [32, 64]


@pytest.mark.parametrize("name", sorted(DIVISIONS | {"andi", "ori", "xori"}))
def test_operations_of_one_value_with_itself(name: str) -> None:
    """a xor a is 0, a rem a is 0, a div a is 1, whichever way it is rounded."""
    op = the(f"arith.{name}", "%x: i4", f"%r = arith.{name} %x, %x : i4", "%r : i4")
    for a in signed_range(4):
        if is_defined(name, a, a, 4):
            assert at(value_of_op(op), {op.operands[0]: a}) == arith(name, a, a, 4)


@pytest.mark.parametrize("name", sorted(DIVISIONS | {"andi", "ori", "xori"}))
def test_units(name: str) -> None:
    op = the(f"arith.{name}", "%x: i4, %y: i4", f"%r = arith.{name} %x, %y : i4", "%r : i4")
    unit = questions.unit(op)
    if unit is None:
        assert name.startswith("rem")
        return
    for a in signed_range(4):
        assert arith(name, a, unit, 4) == a


def test_absolute_values_and_counts_of_bits() -> None:
    op = the("math.absi", "%x: i4", "%r = math.absi %x : i4", "%r : i4")
    for a in signed_range(4):
        assert at(value_of_op(op), {op.operands[0]: a}) == canonical(abs(a), 4)
    op = the("math.ctpop", "%x: i8", "%r = math.ctpop %x : i8", "%r : i8")
    assert allowed(op, 0) == list(range(9))


def test_iterators_are_inside_of_what_they_index() -> None:
    """The second iterator runs over the static size of the two that it indexes."""
    op = the(
        "linalg.index", "%a: tensor<?x?xf32>, %b: tensor<?x4xindex>",
        """%r = linalg.generic {
             indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
             iterator_types = ["parallel", "parallel"]}
             ins(%a : tensor<?x?xf32>) outs(%b : tensor<?x4xindex>) {
           ^bb0(%x: f32, %y: index):
             %k = linalg.index 1 : index
             linalg.yield %k : index
           } -> tensor<?x4xindex>""",
        "%r : tensor<?x4xindex>",
    )  # fmt: skip
    (facts,) = questions.value_facts(op) or ()
    generic = op.parent_op()
    assert generic is not None
    index = value_of(op.results[0])
    assert facts == (index, dim_of(generic.operands[1], 1) - 1 - index)


def test_an_iterator_that_indexes_nothing_alone_is_not_negative() -> None:
    op = the(
        "linalg.index", "%b: tensor<?xindex>",
        """%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>], iterator_types = ["parallel", "parallel"]}
             outs(%b : tensor<?xindex>) {
           ^bb0(%y: index):
             %k = linalg.index 1 : index
             linalg.yield %k : index
           } -> tensor<?xindex>""",
        "%r : tensor<?xindex>",
    )  # fmt: skip
    assert questions.value_facts(op) == [(value_of(op.results[0]),)]


def test_digits() -> None:
    op = the(
        "affine.delinearize_index", "%x: index, %n: index",
        "%r:3 = affine.delinearize_index %x into (4, %n, 3) : index, index, index", "%r#0 : index",
    )  # fmt: skip
    _, second, third = (value_of(result) for result in op.results)
    n = value_of(op.operands[1])
    assert questions.value_facts(op) == [(), (second, n - 1 - second), (third, 2 - third)]


@pytest.mark.parametrize(("disjoint", "basis", "count"), [
    ("", "(4, 5)", 0), ("disjoint", "(5)", 2), ("disjoint", "(4, 5)", 3),
])  # fmt: skip
def test_disjoint_digits_are_inside_of_the_basis(disjoint: str, basis: str, count: int) -> None:
    """The outermost digit may be negative."""
    op = the(
        "affine.linearize_index", "%a: index, %b: index",
        f"%r = affine.linearize_index {disjoint} [%a, %b] by {basis} : index", "%r : index",
    )  # fmt: skip
    a, b = (value_of(operand) for operand in op.operands)
    stated = questions.assumptions(op)
    assert stated is not None
    assert {e for disjunction in stated for (conjunction) in disjunction for e in conjunction} == set(
        [b, 4 - b, 3 - a][:count]
    )


# -- assumptions ---------------------------------------------------------------------------------------


def test_an_assertion_holds() -> None:
    op = the("cf.assert", "%c: i1", 'cf.assert %c, "it must"', "%c : i1")
    assert questions.assumptions(op) == [((value_of(op.operands[0]) - 1,),)]


def assumed(text: str, kind: str = "index") -> Operation:
    return the("util.assume.int", f"%x: {kind}", f"%r = util.assume.int %x{text} : {kind}", f"%r : {kind}")


@pytest.mark.parametrize(("text", "expected"), [
    ("<umin = 1, umax = 9, udiv = 3>", {3, 6, 9}),
    ("[<umin = 3, umax = 5>, <umin = 7, umax = 7>]", {3, 4, 5, 7}),
    ("<umax = 2>", {0, 1, 2}),
    ("[<umax = 1>, <udiv = 7>]", {0, 1, 7, -2, -9}),
])  # fmt: skip
def test_assumed_integers(text: str, expected: set[int]) -> None:
    """Numbers are unsigned: 2^64 - 2 and 2^64 - 9 are multiples of 7."""
    op = assumed(text)
    (stated,) = questions.assumptions(op) or ()
    assert {x for x in range(-10, 13) if holds(stated, {op.operands[0]: x})} == expected


def test_narrow_assumed_integers_are_unsigned_too() -> None:
    op = assumed("<umin = 6, umax = 9>", "i4")
    (stated,) = questions.assumptions(op) or ()
    assert {x for x in signed_range(4) if holds(stated, {op.operands[0]: x})} == {6, 7, -8, -7}


def test_what_is_assumed_of_is_the_operand() -> None:
    op = the(
        "util.assume.int", "%x: index, %y: i32",
        "%r:2 = util.assume.int %x<umin = 1>, %y[<umin = 2, umax = 3>, <umin = 5>] : index, i32", "%r#0 : index",
    )  # fmt: skip
    assert questions.index_values(op) == [value_of(operand) for operand in op.operands]
    assert [[c.value for c in each] for each in questions.choices(op) or ()] == [[o] for o in op.operands]


@pytest.mark.parametrize("text", [
    "%r = util.assume.int %x<umin = 1, umax = 9, udiv = 3> : index",
    "%r:2 = util.assume.int %x[<umin = 1>, <udiv = 2>], %x[] {a = 1 : i64} : index, index",
    '%r = "util.assume.int"(%x) <{assumptions = [[#util.int.assumption<umax = 4>]]}> : (index) -> index',
])  # fmt: skip
def test_assumed_integers_print_as_they_were_read(text: str) -> None:
    from volcli.frontend.print.printer import print_module

    printed = print_module(read_natively(function("%x: index", text, "%x : index")))
    assert print_module(read_natively(printed)) == printed
    assert "util.assume.int %x" in printed
