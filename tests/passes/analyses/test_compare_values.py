"""Claims about values: proved, refuted with a witness, unknown with the reason; what they would need."""

from __future__ import annotations

import pytest

import volcli
from volcli.diagnostics import UsageError
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.model.values.trust.arithmetic import OVERFLOW
from volcli.presburger.sets.conditions import read

TEXT = """
func.func @f(%n: index, %m: index, %t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %sum = arith.addi %n, %m : index
  %other = arith.addi %m, %n : index
  %product = arith.muli %n, %m : index
  scf.for %i = %c0 to %n step %c3 {
    %next = arith.addi %i, %c3 : index
    %cut = arith.minsi %next, %n : index
  }
  return
}
func.func @g(%x: index) {
  return
}
func.func @h(%x: index) {
  return
}
"""


def compare(claim: str, *assume: str) -> Comparison:
    return volcli.load(TEXT, assume=assume).compare(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "%sum = %other",
        "%i mod 3 = 0 and %i >= 0",
        "%i < %n",
        "%i < %cut <= %i + 3",
        "dim(%t, 0) >= 0",
        "%i = 0 or %i >= 3",
        "exists k : %i = 3k",
    ],
)
def test_what_holds(claim: str) -> None:
    assert compare(claim).verdict is Verdict.PROVED


def test_a_refutation_has_a_witness_and_a_precondition() -> None:
    found = compare("%next <= %n")
    assert found.verdict is Verdict.REFUTED
    assert not found.never
    assert found.witness is not None
    assert found.witness["%i"] + 3 > found.witness["%n"]
    assert compare("%next <= %n", found.precondition or "").verdict is Verdict.PROVED


def test_what_never_holds() -> None:
    found = compare("%next <= %i")
    assert (found.verdict, found.never) == (Verdict.REFUTED, True)


def test_a_product_is_refuted_by_numbers() -> None:
    found = compare("%product >= 0")
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness["%n"] * found.witness["%m"] < 0


CUBES = """
func.func @f(%x: index, %y: index, %z: index) {
  %xx = arith.muli %x, %x : index
  %yy = arith.muli %y, %y : index
  %zz = arith.muli %z, %z : index
  %xxx = arith.muli %xx, %x : index
  %yyy = arith.muli %yy, %y : index
  %zzz = arith.muli %zz, %z : index
  %two = arith.addi %xxx, %yyy : index
  %sum = arith.addi %two, %zzz : index
  return
}
"""


@pytest.mark.slow
def test_a_product_of_unknowns_is_a_reason() -> None:
    """Whether 114 is a sum of three cubes is an open question."""
    found = volcli.load(CUBES).compare("%sum != 114")
    assert found.verdict is Verdict.UNKNOWN
    assert found.because is not None
    assert "product of two unknowns" in found.because


def test_a_proof_names_its_assumptions() -> None:
    found = compare("%sum >= %m", "m >= 7", "n >= 0")
    assert (found.verdict, found.assumptions) == (Verdict.PROVED, ("n >= 0", OVERFLOW))


@pytest.mark.parametrize(
    ("claim", "code", "column"),
    [
        ("%sum >= ", "V009", 9),
        ("%none >= 1", "V005", 1),
        ("%x >= 1", "V009", 1),
        ("%t >= 1", "V005", 1),
    ],
)
def test_what_is_no_claim(claim: str, code: str, column: int) -> None:
    with pytest.raises(UsageError, match=r".") as caught:
        compare(claim)
    said = caught.value.diagnostic
    assert (said.code, said.place and said.place.column) == (code, column)


UNSIGNED = """
func.func @f(%a: index, %n: index) {
  %two = arith.constant 2 : index
  %all = arith.constant -1 : index
  %least = arith.maxsi %a, %two : index
  %above = arith.cmpi ult, %all, %least : index
  %chosen = arith.select %above, %all, %least : index
  %low = arith.minui %n, %least : index
  %r = arith.maxsi %chosen, %low : index
  %w = arith.minui %n, %a : index
  return
}
"""


def test_what_refutes_a_claim_has_64_bits() -> None:
    """An argument of 2^63 would be above all numbers without a sign that are negative with one; none is."""
    program = volcli.loads(UNSIGNED)
    assert program.compare("%r = %least").verdict is Verdict.PROVED
    for claim in ("%w >= 0", "%w <= %a", "%w <= %n"):
        found = program.compare(claim)
        assert found.verdict is Verdict.REFUTED
        assert found.witness is not None
        assert all(-(2**63) <= number < 2**63 for number in found.witness.values())


EVENTS = """
func.func @f(%a: index, %c: index, %s: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %a to %c step %s {
    %after = arith.addi %i, %c1 : index
    %square = arith.muli %i, %i : index
    %share = arith.divsi %square, %i : index
  }
  %product = arith.muli %a, %c : index
  return
}
"""


def test_a_division_by_zero_in_an_earlier_iteration_ends_an_execution() -> None:
    text = EVENTS.replace("step %s", "step %c1")
    found = volcli.load(text, assume=["%a <= 0"]).compare("%after <= 1")
    assert found.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("claim", "assume"),
    [
        ("%product != 6", []),
        ("%product < %a + %c", ["%a * %c >= 4", "%s >= 1"]),
        ("%square >= %a * %c", []),
    ],
)
def test_what_no_proof_decides_is_refuted_by_a_run(claim: str, assume: list[str]) -> None:
    """Whether the step %s ends the loop before something is divided by 0 is not known exactly."""
    found = volcli.load(EVENTS, assume=assume).compare(claim)
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    numbers = {name.removeprefix("%"): number for name, number in found.witness.items()}
    assert not read(claim).holds_at([numbers[each.value] for each in read(claim).names])
    assert all(read(each).holds_at([numbers[n.value] for n in read(each).names]) for each in assume)


def test_a_run_refutes_nothing_that_rests_on_facts_about_elements() -> None:
    text = EVENTS.replace("%s: index", "%s: index, %t: tensor<4xi32>")
    assert volcli.load(text).compare("%square >= %a * %c + 5").verdict is Verdict.UNKNOWN


STATED = """
func.func @f(%n: index {volcli.assume = affine_set<(d0) : (d0 - 5 >= 0)>}, %b: index, %k: index)
    attributes {volcli.assume = affine_set<(d0, d1, d2) : (d2 - d0 >= 0)>} {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %k step %b {
    %product = arith.muli %n, %b : index
    %square = arith.muli %product, %product : index
    %quotient = arith.floordivsi %square, %n : index
    %less = arith.ceildivsi %quotient, %n : index
  }
  return
}
"""


def test_a_run_that_refutes_a_claim_meets_what_attributes_state() -> None:
    """Of the function and of its arguments: %n >= 5 and %k >= %n."""
    found = volcli.load(STATED).compare("%less * %n >= %product + 1")
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness["%k"] >= found.witness["%n"] >= 5
    elements = STATED.replace("(d2 - d0 >= 0)>", "(d2 - d0 >= 0)>, volcli.facts = []", 1)
    assert volcli.load(elements).compare("%less * %n >= %product + 1").verdict is Verdict.UNKNOWN


WRAPPING = """
func.func @f(%a: index, %b: index, %n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %v1 = arith.muli %c3, %n : index
  %v3 = arith.minui %c3, %a : index
  %v4 = affine.min affine_map<()[s0, s1, s2] -> (s0, s1 - s2)>()[%c1, %v1, %b]
  scf.for %i = %c1 to %v3 step %b {
    %v6 = arith.minui %i, %v4 : index
  }
  return
}
"""


def test_a_witness_is_one_of_arithmetic_that_wraps() -> None:
    """With %n = 2^62, 3 * %n is negative."""
    found = volcli.load(WRAPPING, assume=["%b * %n >= 1"]).compare("%v4 - %a < %v6")
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert 3 * abs(found.witness["%n"]) < 1 << 63
