"""Claims, bounds and slices within all that holds where they stand: what ran before them included."""

from __future__ import annotations

import itertools

import pytest

import volcli
from volcli.facts.bounds import BoundsFact
from volcli.facts.slices import SlicesFact
from volcli.loading.driver import Program
from volcli.model.values.terms.answers import Comparison, Verdict

CONSTANTS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(8))


def program(arguments: str, body: str, *assume: str, budget: int | None = None) -> Program:
    text = f"func.func @f({arguments}) {{\n{CONSTANTS}\n{body}\nreturn\n}}"
    return volcli.load(text, assume=assume, budget=budget)


def compare(claim: str, arguments: str, body: str, *assume: str) -> Comparison:
    return program(arguments, body, *assume).compare(claim)


UNRELATED = """
  %small = arith.cmpi ult, %p, %c3 : index
  scf.if %small {
    scf.for %i = %c2 to %m step %c1 {
      %v = arith.muli %q, %c3 : index
    }
  }"""
P_Q_M = "%p: index, %q: index, %m: index"


def test_a_witness_and_a_precondition_know_guards_and_loops_that_share_nothing_with_the_claim() -> None:
    found = compare("%v <= 6", P_Q_M, UNRELATED)
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness["%q"] > 2
    assert 0 <= found.witness["%p"] < 3
    assert found.witness["%m"] > 2
    assert found.weakest
    for condition in ("p < 0", "p >= 3", "m <= 2", "q <= 2"):
        assert compare("%v <= 6", P_Q_M, UNRELATED, condition).verdict is Verdict.PROVED
    for part in ("%p < 0", "%p >= 3", "%m <= 2", "%q <= 2"):
        assert part in (found.precondition or "")


def test_a_place_that_an_assumption_about_something_else_excludes_is_never_reached() -> None:
    found = compare("%v <= 6", P_Q_M, UNRELATED, "p >= 5")
    assert (found.verdict, found.never, found.assumptions) == (Verdict.PROVED, True, ("p >= 5",))


@pytest.mark.parametrize("assumed", [("p >= 5", "p <= 2"), ("p + q >= 3", "q <= 1", "p <= 1")])
def test_contradictory_assumptions_are_named(assumed: tuple[str, ...]) -> None:
    found = compare("%m < 0", P_Q_M, "", *assumed)
    assert (found.verdict, found.never) == (Verdict.PROVED, True)
    assert found.because == "the assumptions contradict each other"
    assert set(found.assumptions) == set(assumed)


def test_so_does_an_assumption_that_no_value_of_its_type_satisfies() -> None:
    assert compare("%q = 1", "%p: i8, %q: index", "", "p >= 200").never
    assert compare("%q = 1", "%t: tensor<?xf32>, %q: index", "", "dim(%t, 0) <= -1").never


ASSERTIONS = {
    "earlier loop": (
        "scf.for %i = %c1 to %c3 step %c1 {\n cf.assert %less, \"\"\n}",
        "",
    ),
    "both branches": (
        "%o = arith.cmpi sgt, %q, %c0 : index\n"
        'scf.if %o {\n cf.assert %less, ""\n} else {\n cf.assert %least, ""\n}',
        "",
    ),
    "branch of an iteration": (
        "scf.for %i = %c0 to %c4 step %c1 {\n %o = arith.cmpi eq, %i, %c2 : index\n"
        ' scf.if %o {\n cf.assert %less, ""\n}\n}',
        "",
    ),
    "loop in a loop": (
        "scf.for %i = %c0 to %c2 step %c1 {\n scf.for %j = %c0 to %c2 step %c1 {\n"
        ' cf.assert %less, ""\n}\n}',
        "",
    ),
}  # fmt: skip
COMPARED = "%less = arith.cmpi slt, %p, %c4 : index\n%least = arith.cmpi slt, %p, %c2 : index\n"


@pytest.mark.sample(3)
@pytest.mark.parametrize("where", ASSERTIONS)
def test_assertions_in_regions_that_ran_count(where: str) -> None:
    body = COMPARED + ASSERTIONS[where][0] + "\n%z = arith.addi %p, %c1 : index"
    assert compare("%z <= 4", P_Q_M, body).verdict is Verdict.PROVED
    assert compare("%p <= 3", P_Q_M, body).verdict is Verdict.REFUTED, "an argument is there before"


def test_an_assertion_in_a_loop_that_may_not_run_says_when_it_did() -> None:
    body = f'{COMPARED} scf.for %i = %c0 to %q step %c1 {{\n cf.assert %less, ""\n}}\n'
    body += "%z = arith.addi %p, %c1 : index"
    assert compare("%z <= 4", P_Q_M, body).verdict is Verdict.REFUTED
    assert compare("%z <= 4 or %q <= 0", P_Q_M, body).verdict is Verdict.PROVED


def test_earlier_iterations_have_come_by_their_assertions() -> None:
    body = """
    scf.for %i = %c0 to %m step %c2 {
      %v = arith.addi %i, %c1 : index
      %g = arith.cmpi slt, %i, %c3 : index
      cf.assert %g, ""
    }"""
    assert compare("%v <= 5", P_Q_M, body).verdict is Verdict.PROVED
    found = compare("%v <= 4", P_Q_M, body)
    assert (found.verdict, (found.witness or {})["%i"]) == (Verdict.REFUTED, 4)


def test_an_assertion_about_loaded_values_refutes_nothing_behind_it() -> None:
    body = """
    scf.for %i = %c0 to %c4 step %c1 {
      %l = memref.load %b[%i] : memref<8xindex>
      %g = arith.cmpi slt, %l, %p : index
      cf.assert %g, ""
    }
    %z = memref.load %b[%c2] : memref<8xindex>"""
    found = compare("%z < %p", "%b: memref<8xindex>, %p: index", body)
    assert found.verdict is Verdict.UNKNOWN
    assert found.because


COUNTING = """
  %r = scf.while (%w = %c2) : (index) -> index {
    %go = arith.cmpi slt, %w, %p : index
    scf.condition(%go) %w : index
  } do {
  ^bb0(%x: index):
    %y = arith.addi %x, %c3 : index
    scf.yield %y : index
  }"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("claim", ["%x < %r", "%y <= %r", "%w <= %r", "%r >= %p", "%x <= %w or %x >= %w"])
def test_the_result_of_a_while_is_of_its_last_iteration(claim: str) -> None:
    found = compare(claim, P_Q_M, COUNTING)
    assert (found.verdict, found.never) == (Verdict.PROVED, False)


def test_what_comes_after_a_loop_that_never_ends_is_never_reached() -> None:
    for_ever = COUNTING.replace("slt, %w, %p", "sge, %w, %c0") + "\n%z = arith.addi %p, %c1 : index"
    assert compare("%z < 0", P_Q_M, for_ever).never
    halting = COUNTING.replace("slt, %w, %p", "ne, %w, %p") + "\n%z = arith.addi %p, %c1 : index"
    found = compare("%z < 4", P_Q_M, halting)
    assert found.verdict is not Verdict.REFUTED or (found.witness or {})["%p"] % 3 == 2


def test_a_result_that_data_decide_is_not_independent_of_the_iterations() -> None:
    body = """
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> index {
      %l = memref.load %b[%i] : memref<8xindex>
      %s = arith.cmpi sgt, %l, %c0 : index
      %n = arith.addi %a, %c1 : index
      %k = arith.select %s, %n, %a : index
      scf.yield %k : index
    }"""
    assert compare("%a <= %r", "%b: memref<8xindex>", body).verdict is Verdict.UNKNOWN
    assert compare("%r <= 3", "%b: memref<8xindex>", body).verdict is not Verdict.PROVED


def test_blocks_are_entered_under_the_conditions_of_their_branches() -> None:
    body = """
      %g = arith.cmpi slt, %p, %c3 : index
      cf.cond_br %g, ^a, ^b
    ^a:
      %v = arith.addi %p, %c1 : index
      %u = arith.addi %q, %c1 : index
      cf.br ^c
    ^b:
      cf.br ^c
    ^c:
      %z = arith.addi %p, %c2 : index"""
    assert compare("%v <= 3", P_Q_M, body).verdict is Verdict.PROVED
    assert compare("%u <= 3", P_Q_M, body, "p >= 3").never
    found = compare("%z <= 4", P_Q_M, body)
    assert (found.verdict, found.precondition) == (Verdict.REFUTED, "%p <= 2")


def slices(body: str, *assume: str) -> SlicesFact:
    loaded = program("%t: tensor<?xf32>, %n: index, %m: index", body, *assume).run("compare-slices")
    (fact,) = [fact for fact in loaded.facts if isinstance(fact, SlicesFact)]
    return fact


def test_slices_of_few_elements_with_a_dynamic_stride_have_an_exact_condition() -> None:
    fact = slices("""
      %a = tensor.extract_slice %t[1] [3] [%n] : tensor<?xf32> to tensor<3xf32>
      %b = tensor.extract_slice %t[7] [1] [1] : tensor<?xf32> to tensor<1xf32>""", "n >= 1")  # fmt: skip
    assert fact.overlap.verdict is Verdict.REFUTED
    assert fact.overlap.weakest
    assert set((fact.overlap.precondition or "").split(" or ")) == {"%n = 3", "%n = 6"}


def test_a_condition_that_is_only_sufficient_says_so() -> None:
    fact = slices("""
      %a = tensor.extract_slice %t[%n] [%m] [%n] : tensor<?xf32> to tensor<?xf32>
      %b = tensor.extract_slice %t[6] [1] [1] : tensor<?xf32> to tensor<1xf32>""", "n >= 1", "m >= 1")  # fmt: skip
    assert not fact.overlap.weakest
    assert fact.overlap.precondition is None or "sufficient" in str(fact.rows()) + str(fact.annotation())


@pytest.mark.sample(1)
@pytest.mark.parametrize("budget", [1, 10, 40, 100, 400])
def test_bounds_that_a_budget_has_cost_are_not_exact(budget: int) -> None:
    body = COUNTING + "\n%z = arith.minsi %r, %q : index\n%u = arith.maxsi %z, %c1 : index"
    body += "\n%k = arith.minsi %u, %c7 : index\n%j = arith.remsi %u, %c5 : index"
    whole = {f.subject: f for f in facts(body, None)}
    for fact in facts(body, budget):
        truth = whole[fact.subject]
        for side, other in ((fact.lower, truth.lower), (fact.upper, truth.upper)):
            assert not side.exact or side.constant == other.constant
        assert fact.reason or (fact.lower.exact and fact.upper.exact)


def facts(body: str, budget: int | None) -> list[BoundsFact]:
    loaded = program(P_Q_M, body, budget=budget).run("value-bounds")
    return [fact for fact in loaded.facts if isinstance(fact, BoundsFact)]


def test_claims_and_bounds_know_the_sizes_that_operations_demand() -> None:
    arguments = "%a: tensor<5x3xf32>, %b: tensor<3x?xf32>, %o: tensor<?x?xf32>"
    body = """
      %r = linalg.matmul ins(%a, %b : tensor<5x3xf32>, tensor<3x?xf32>)
        outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>"""
    for claim in ("dim(%r, 0) = 5", "dim(%o, 0) = 5", "dim(%r, 1) = dim(%b, 1)"):
        assert compare(claim, arguments, body).verdict is Verdict.PROVED


DIVISIONS = ("divui", "divsi", "floordivsi", "ceildivsi", "ceildivui", "remui", "remsi")


@pytest.mark.sample(3)
@pytest.mark.parametrize("division", DIVISIONS)
def test_what_has_divided_by_zero_goes_nowhere(division: str) -> None:
    """Behind `x op y`, y is not 0; the fold `x op x = 1` does not forget it."""
    text = f"""func.func @f(%x: index, %y: index) {{
      %q = arith.{division} %x, %y : index
      %r = arith.{division} %y, %y : index
      %z = arith.addi %y, %y : index
      return
    }}"""
    program = volcli.load(text, assume=["%y >= 0"])
    for claim in ("%q = %q and %y >= 1", "%r < %y + 1", "%z >= 2"):
        assert program.compare(claim).verdict.value == "proved", claim


def test_what_divides_by_zero_is_never_reached() -> None:
    program = volcli.load("""func.func @f(%x: index) {
      %zero = arith.constant 0 : index
      %q = arith.divui %x, %zero : index
      %z = arith.addi %x, %x : index
      return
    }""")
    assert program.compare("%z < %x").never
    assert not program.compare("%x < 0").never


def test_a_square_is_least_where_its_root_is_0() -> None:
    text = """func.func @f(%c: i1, %n: index) {
      %a = arith.constant -1 : index
      %b = arith.constant 1 : index
      %s = arith.select %c, %a, %b : index
      %t = arith.muli %s, %s : index
      %u = arith.muli %n, %n : index
      return
    }"""
    facts = {f.value: f for f in volcli.load(text).run("value-bounds").facts if isinstance(f, BoundsFact)}
    assert facts["%t"].lower.constant == 1 or not facts["%t"].lower.exact
    assert (facts["%u"].lower.constant, facts["%u"].lower.exact) == (0, True)


def test_what_guards_a_place_may_be_related_to_anything_unless_it_is_known() -> None:
    text = """func.func @f(%c: i1, %m: memref<4xindex>) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %v = arith.select %c, %one, %zero : index
      memref.store %v, %m[%zero] : memref<4xindex>
      %w = memref.load %m[%zero] : memref<4xindex>
      %p = arith.cmpi sle, %w, %zero : index
      scf.if %p {
        %x = arith.select %c, %one, %zero : index
      }
      return
    }"""
    facts = {f.value: f for f in volcli.load(text).run("value-bounds").facts if isinstance(f, BoundsFact)}
    assert not facts["%x"].upper.exact


PADDED = """
func.func @f(%x: tensor<4xf32>, %y: tensor<2x4x5xf32>, %d: tensor<?x?xf32>, %n: index) {{
  %z = arith.constant 0.0 : f32
  {}
  return
}}
"""


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ((0,), (2,), [(4, 5)]),
        ((1,), (2,), [(0, 6)]),
        ((3,), (0,), [(0, 2)]),
        ((0, 1, 0), (0, 0, 0), [(0, 1), (0, 0), (0, 4)]),
        ((0, 1, 1), (0, 1, 1), [(0, 1), (0, 5), (0, 6)]),
    ],
)
def test_padding_is_computed_outside_of_the_source_only(
    low: tuple[int, ...], high: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    """All indices that some element outside of the source has, and no other number."""
    source, sizes = ("%x", (4,)) if len(low) == 1 else ("%y", (2, 4, 5))
    padded = [a + n + b for a, n, b in zip(low, sizes, high, strict=True)]
    names = [f"%i{d}" for d in range(len(low))]
    kinds = ["x".join(map(str, each)) for each in (sizes, padded)]
    body = f"""%p = tensor.pad {source} low{list(low)} high{list(high)} {{
      ^bb0({", ".join(f"{name}: index" for name in names)}):
        tensor.yield %z : f32
      }} : tensor<{kinds[0]}xf32> to tensor<{kinds[1]}xf32>"""
    (unit,) = volcli.load(PADDED.format(body)).units
    (model,) = unit.models()
    (pad,) = (op for op in model.function.walk() if op.regions and op is not model.function)
    outside = [
        point
        for point in itertools.product(*map(range, padded))
        if not all(a <= i < a + n for i, a, n in zip(point, low, sizes, strict=True))
    ]
    for d, argument in enumerate(pad.regions[0].block.args):
        found = model.bounds.constant_bounds(argument)
        assert (found.lower, found.upper, found.exact) == (*expected[d], True)
        assert expected[d] == (min(p[d] for p in outside), max(p[d] for p in outside))
