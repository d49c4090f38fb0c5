"""Facts of the user about elements, and the zeros among the numbers of constants, by enumeration."""

from __future__ import annotations

import random
from itertools import product

import islpy as isl
import pytest

import volcli
from tests.oracles.elements.compare import enumerate_set
from volcli.diagnostics import UsageError
from volcli.facts.maps import MapFact

Points = set[tuple[int, ...]]


def pairs(fact: MapFact, target: str) -> Points:
    """The elements of the value and of TARGET that the map relates, as one tuple each."""
    assert fact.map is not None
    found: list[isl.Map] = []
    fact.map.foreach_map(lambda each: found.append(each))
    of_target = [each for each in found if each.get_tuple_name(isl.dim_type.out) == target]
    return {point for each in of_target for point in enumerate_set(each.wrap().flatten())}


def of_kind(text: str, kind: str, given: tuple[str, ...] = (), name: str = "f") -> Points:
    rows = volcli.loads(text, given=given).function(name).regions("%r").regions
    return {point for row in rows if row.kind == kind for point in enumerate_set(row.set)}


def written(numbers: list[list[int]]) -> str:
    return "dense<[" + ", ".join(f"[{', '.join(map(str, row))}]" for row in numbers) + "]>"


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(12))
def test_a_product_with_a_matrix_of_numbers_reads_what_is_not_zero(seed: int) -> None:
    drawn = random.Random(seed)
    rows, inner = drawn.randint(2, 5), drawn.randint(2, 5)
    numbers = [[drawn.choice((0, 0, 1, -2)) for _ in range(inner)] for _ in range(rows)]
    numbers[0][0], numbers[-1][-1] = 0, 1
    text = f"""
    func.func @f(%x: tensor<{inner}x3xi32>) -> tensor<{rows}x3xi32> {{
      %w = arith.constant {written(numbers)} : tensor<{rows}x{inner}xi32>
      %z = arith.constant dense<0> : tensor<{rows}x3xi32>
      %r = linalg.matmul ins(%w, %x : tensor<{rows}x{inner}xi32>, tensor<{inner}x3xi32>)
          outs(%z : tensor<{rows}x3xi32>) -> tensor<{rows}x3xi32>
      return %r : tensor<{rows}x3xi32>
    }}"""
    read = {(m, n, k, n) for m, n, k in product(range(rows), range(3), range(inner)) if numbers[m][k]}
    fact = volcli.loads(text).function("f").element_map("%r")
    assert fact.exact
    assert pairs(fact, "x") == read
    assert of_kind(text, "static") == {(m, n) for m in range(rows) for n in range(3) if not any(numbers[m])}


PRODUCT = """
func.func @f(%a: tensor<6x6xi32>, %b: tensor<6x6xi32>, %n: index) -> tensor<6x6xi32> {
  %r = arith.muli %a, %b : tensor<6x6xi32>
  return %r : tensor<6x6xi32>
}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("i < j", lambda i, j: i < j),
        ("i + 2j >= 7", lambda i, j: i + 2 * j >= 7),
        ("(i + j) mod 2 = 0", lambda i, j: (i + j) % 2 == 0),
        ("i = 0 or j = 5", lambda i, j: i == 0 or j == 5),
        ("floor(i / 2) != floor(j / 2)", lambda i, j: i // 2 != j // 2),
    ],
)
def test_zeros_that_are_given(condition: str, holds) -> None:  # pyright: ignore  # noqa: ANN001
    fact = volcli.loads(PRODUCT, given=[f"%a[i, j] = 0 : {condition}"]).function("f").element_map("%r")
    every = set(product(range(6), repeat=2))
    zeros = {point for point in every if holds(*point)}  # pyright: ignore
    assert pairs(fact, "b") == {(*point, *point) for point in every - zeros}
    assert fact.assumptions == (f"given: %a[i, j] = 0 : {condition}",)
    assert of_kind(PRODUCT, "static", (f"%a[i, j] = 0 : {condition}",)) == zeros


@pytest.mark.sample(4)
@pytest.mark.parametrize("a", [-2, 0, 1, 3])
@pytest.mark.parametrize("b", [-3, 0, 2])
def test_a_function_of_the_indices_is_zero_where_it_is(a: int, b: int) -> None:
    said = f"%a[i, j] = {a} * i + j + {b}" if b >= 0 else f"%a[i, j] = {a} * i + j - {-b}"
    zeros = {(i, j) for i, j in product(range(6), repeat=2) if a * i + j + b == 0}
    assert of_kind(PRODUCT, "static", (said,)) == zeros


def test_a_fact_may_depend_on_arguments() -> None:
    regions = volcli.loads(PRODUCT, given=["%a[i, j] = 0 : j >= %n"]).function("f").regions("%r")
    static = next(row for row in regions.regions if row.kind == "static")
    assert static.set.is_equal(isl.Set("[n] -> { r[i, j] : 0 <= i < 6 and 0 <= j < 6 and j >= n }"))


def test_what_two_facts_say_holds() -> None:
    facts = ("%a[i, j] = 0 : i < 2", "%b[i, j] = 0 : j < 2")
    assert of_kind(PRODUCT, "static", facts) == {
        (i, j) for i, j in product(range(6), repeat=2) if i < 2 or j < 2
    }
    assert volcli.loads(PRODUCT, given=facts).function("f").regions("%r").assumptions == tuple(
        f"given: {fact}" for fact in facts
    )


def test_a_fact_that_an_answer_does_not_need_is_not_named() -> None:
    fact = volcli.loads(PRODUCT, given=["%a is constant"]).function("f").element_map("%r")
    assert fact.assumptions == ()


def test_constant_and_undefined_depend_on_no_data_and_are_not_zero() -> None:
    sums = PRODUCT.replace("muli", "addi")
    for kind in ("constant", "undefined"):
        facts = (f"%a[i, j] is {kind} : i < 2", f"%b[i, j] is {kind} : i < 3")
        (static,) = (
            row
            for row in volcli.loads(sums, given=facts).function("f").regions("%r").regions
            if row.kind == "static"
        )
        assert not static.zero
        assert enumerate_set(static.set) == set(product(range(2), range(6)))


CONTRADICTIONS = {
    "two facts": (("%a[i, j] = 0 : i < 2", "%a[i, j] = 1 : i = 1"), PRODUCT),
    "a constant": (("%c = 0",), PRODUCT.replace("%r = ", "%c = arith.constant dense<7> : tensor<6xi32>\n  %r = ")),
    "no such element": (("%a[i, j] = 0 : i >= 6",), PRODUCT),
    "what is computed": (
        ("%s[i] = 1 : i = 0",),
        PRODUCT.replace(
            "%r = ",
            "%z = arith.constant dense<0> : tensor<4xi32>\n  %s = arith.muli %z, %z : tensor<4xi32>\n  %r = ",
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_said_and_nothing_follows(name: str) -> None:
    facts, text = CONTRADICTIONS[name]
    program = volcli.loads(text, given=facts)
    program.run("sparsity-regions")
    assert [said.code for said in program.diagnostics] == ["V214"]
    kept = facts[:-1]
    assert [row.to_json() for row in program.facts[0].regions] == [  # pyright: ignore
        row.to_json() for row in volcli.loads(text, given=kept).function("f").regions("%r").regions
    ]


def test_facts_that_can_be_are_no_contradiction() -> None:
    program = volcli.loads(PRODUCT, given=["%a[i, j] = i - j : i >= j", "%a[i, j] = 0 : i = j", "%r = 0"])
    program.run("sparsity-regions")
    assert program.diagnostics == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%a[i, j]", "expected '= 0'"),
        ("%a[i] = 0", "%a has 2 dimensions"),
        ("%a[i, i] = 0", "expected different names"),
        ("%a[i, j] = i * j", "not an affine function"),
        ("%a[i, j] = 0 : k < 2", "'%k' is neither an index of %a"),
        ("%a[i, j] = 0 : i <", "expected an affine condition"),
        ("%a[i, j] = 0 : i < 1 and i > 1", "no element satisfies"),
        ("%n = 0", "%n is not a ranked tensor"),
        ("%q = 0", "'%q' is not a value"),
        ("%a is great", "expected one of constant"),
        ("a = 0", "expected a value"),
    ],
)
def test_a_text_that_is_no_fact(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        volcli.loads(PRODUCT, given=[text])
    assert caught.value.diagnostic.code == "V009"
    assert message in caught.value.diagnostic.message


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("4 : i32", "is not a dictionary"),
        ("{nil = affine_set<(i, j) : (i >= 0)>}", "says 'nil'"),
        ("{zero = affine_set<(i) : (i >= 0)>}", "has 1 dimension and 0 symbols"),
        ("{zero = 1 : i32}", "is neither an affine_set"),
        ("{equal = affine_set<(i, j) : (i >= 0)>}", "is neither an affine_map"),
    ],
)
def test_an_attribute_that_states_no_facts(attribute: str, message: str) -> None:
    text = PRODUCT.replace("%a: tensor<6x6xi32>", f"%a: tensor<6x6xi32> {{volcli.facts = {attribute}}}")
    (said,) = volcli.loads(text).diagnostics
    assert said.code == "V113"
    assert message in said.message


def test_an_attribute_says_the_same_as_a_text() -> None:
    sets = {
        "zero": "affine_set<(i, j)[s0, s1] : (i - s0 + 2 >= 0)>",
        "constant": "affine_set<(i, j) : (1 - j >= 0)>",
    }
    stated = ", ".join(f"{kind} = {where}" for kind, where in sets.items())
    text = PRODUCT.replace("%a: tensor<6x6xi32>", f"%a: tensor<6x6xi32> {{volcli.facts = {{{stated}}}}}")
    given = ("%a[i, j] = 0 : i >= dim(%a, 0) - 2", "%a[i, j] is constant : j <= 1")
    for kind in ("dense", "sparse", "static"):
        assert of_kind(text, kind) == of_kind(PRODUCT, kind, given)


def test_a_float_is_narrowed_under_flags_that_are_named() -> None:
    text = PRODUCT.replace("i32", "f32").replace("muli", "mulf")
    fact = volcli.loads(text, given=["%a[i, j] = 0 : i < j"]).function("f").element_map("%r")
    assert fact.assumes == ("nnan", "ninf")
    stated = text.replace("mulf %a, %b", "mulf %a, %b fastmath<nnan,ninf>")
    fact = volcli.loads(stated, given=["%a[i, j] = 0 : i < j"]).function("f").element_map("%r")
    assert fact.assumes == ()
    assert pairs(fact, "b") == {(i, j, i, j) for i, j in product(range(6), repeat=2) if i >= j}


def test_a_large_constant_is_not_looked_at() -> None:
    """More than 4,096 numbers: the map is what the operation reads."""
    numbers = ", ".join(str(k % 2) for k in range(5000))
    text = f"""
    func.func @f(%x: tensor<5000xi32>) -> tensor<5000xi32> {{
      %w = arith.constant dense<[{numbers}]> : tensor<5000xi32>
      %r = arith.muli %x, %w : tensor<5000xi32>
      return %r : tensor<5000xi32>
    }}"""
    fact = volcli.loads(text).function("f").element_map("%r")
    assert fact.map is not None
    assert fact.map.intersect_range(isl.UnionSet("{ x[i] : 0 <= i }")).is_equal(
        isl.UnionMap("{ r[i] -> x[i] : 0 <= i < 5000 }")
    )


def test_a_fact_that_is_not_used_is_no_reason() -> None:
    """%p = 1 contradicts %x = 0; that 0 + 1 is static follows from the latter, and would from the former."""
    text = """
func.func @f(%x: tensor<4xi32>, %w: tensor<4xi32>) -> tensor<4xi32> {
  %one = arith.constant dense<1> : tensor<4xi32>
  %p = arith.muli %x, %w : tensor<4xi32>
  %q = arith.addi %p, %one : tensor<4xi32>
  return %q : tensor<4xi32>
}
"""
    program = volcli.loads(text, given=["%x[i] = 0 : i < 2", "%p[i] = 1 : i < 2"]).run("sparsity-regions")
    (fact,) = program.facts
    assert fact.to_json()["assumptions"] == ["given: %x[i] = 0 : i < 2"]
    assert [d.code for d in program.diagnostics] == ["V214"]


FILLED = """
func.func @f(%x: tensor<6xi32>) -> tensor<6xi32> {
  %c1 = arith.constant 1 : i32
  %e = tensor.empty() : tensor<6xi32>
  %ones = linalg.fill ins(%c1 : i32) outs(%e : tensor<6xi32>) -> tensor<6xi32>
  %q = arith.muli %x, %ones : tensor<6xi32>
  return %q : tensor<6xi32>
}
"""


@pytest.mark.parametrize("wrong", ["%ones = 0", "%x[i] = 99999999999", "%x[i] = 0 : i > 9"])
def test_what_cannot_be_narrows_no_map(wrong: str) -> None:
    """That all elements of a fill are 1 is structure, which maps do not look at; facts are judged by it."""
    program = volcli.loads(FILLED, given=[wrong]).run("element-maps{of=%q},sparsity-regions{of=%q}")
    assert {d.code for d in program.diagnostics} == {"V214"}
    found, expected = (p.functions[0].element_map("%q").map for p in (program, volcli.loads(FILLED)))
    assert found is not None
    assert expected is not None
    assert found.is_equal(expected)
    assert (
        program.facts[1].content() == volcli.loads(FILLED).run("sparsity-regions{of=%q}").facts[0].content()
    )
