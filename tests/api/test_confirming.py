"""Facts compared with executions: right ones are confirmed, and what is made wrong is an internal error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import volcli
from volcli.api.confirming.facts import compared
from volcli.api.confirming.summary import COMPARED, summary
from volcli.facts.fact import Fact
from volcli.facts.flow import ReadFact
from volcli.model.values.terms.answers import Verdict
from volcli.passes.table import find_question
from volcli.presburger.sets.named import NamedMap, NamedSet, NamedUnionMap

TEXT = """
func.func @f(%m: memref<?xf32>, %n: index, %t: tensor<6xf32>) -> (tensor<9xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 1 to 4 {
    %x = affine.load %m[%i - 1] : memref<?xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  affine.for %k = 0 to 0 {
    affine.store %zero, %m[%k] : memref<?xf32>
  }
  affine.parallel (%j) = (0) to (4) {
    affine.store %zero, %m[%j] : memref<?xf32>
  }
  affine.for %l = 0 to 4 {
    affine.store %zero, %m[%l] : memref<?xf32>
  }
  %p = tensor.pad %t low[2] high[1] {
  ^bb0(%d: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<9xf32>
  %b = memref.alloc() : memref<4xf32>
  %y = affine.load %m[%n] : memref<?xf32>
  return %p, %y : tensor<9xf32>, f32
}
"""
QUESTIONS = tuple(question for question in COMPARED if question not in ("comparisons", "mars"))


def asked(text: str, claims: tuple[str, ...] = ()) -> Iterator[tuple[Any, list[Fact]]]:
    """The units of TEXT, and what is stated of each."""
    program = volcli.loads(text)
    program.run(",".join(dict.fromkeys(map(find_question, QUESTIONS))))
    for claim in claims:
        program.compare(claim)
    for unit in program.units:
        yield unit, unit.facts


def one(text: str, question: str, subject: str) -> tuple[Any, Any]:
    """The unit of TEXT, and its fact about SUBJECT."""
    ((unit, facts),) = asked(text, ("0 <= %i", "%n < dim(%m, 0)"))
    found = [each for each in facts if each.question == question and each.subject == subject]
    return unit, found[0]


def _source(read: ReadFact, pairs: str) -> ReadFact:
    (source, *_) = read.sources
    return replace(read, sources=(replace(source, pairs=NamedMap(pairs)),))


_WRONG: dict[tuple[str, str], tuple[Callable[[Any], Fact], str]] = {
    ("shapes", "%p"): (lambda fact: replace(fact, sizes=(fact.sizes[0] + 1,)), "its sizes are [9]"),
    ("allocations", "%b"): (lambda fact: replace(fact, elements=3), "its sizes are [4]"),
    ("volumes", "%p"): (
        lambda fact: replace(fact, domain=NamedSet("{ p[d0] : 0 <= d0 <= 7 }")), "it has the element [8]",
    ),
    ("maps", "%p"): (
        lambda fact: replace(fact, relation=NamedUnionMap("{ p[d0] -> t[d0 - 1] }")), "is computed from t[",
    ),
    ("regions", "%p"): (
        lambda fact: replace(fact, regions=fact.regions[:1]), "element [0] is in no region",
    ),
    ("flow", "read of %m[%i - 1]"): (
        lambda fact: _source(fact, "{ [i] -> [i + 2] : 0 < i <= 2 }"), "writes in iteration (1,) what (2,) reads",
    ),
    ("flow", "write of %m[%l]"): (
        lambda fact: replace(fact, is_wholly_dead=True), "what iteration (0,) writes is read",
    ),
    ("flow", "%m"): (lambda fact: replace(fact, live_in=NamedSet("{ [d0 = 1] }")), "element [0] is live in"),
    ("loops", "%i"): (
        lambda fact: replace(fact, kind="parallel"), "iteration (1,) and then (2,) access one element",
    ),
    ("access", "write of %m[%i]"): (
        lambda fact: replace(fact, verdict="in-bounds"), "index 1 is not in dimension 0 of size 1",
    ),
    ("preconditions", "@f"): (
        lambda fact: replace(fact, condition="%n < dim(%m, 0)"), "index -3 is not in dimension 0 of size 5",
    ),
    ("comparisons", "0 <= %i"): (
        lambda fact: replace(fact, found=replace(fact.found, never=True)), "%i = 1",
    ),
    ("comparisons", "%n < dim(%m, 0)"): (
        lambda fact: replace(fact, claim="%n > dim(%m, 0)", found=replace(fact.found, verdict=Verdict.PROVED)),
        "%n = 3, dim(%m, 0) = ",
    ),
}  # fmt: skip


@pytest.mark.sample(6)
@pytest.mark.parametrize(("question", "subject"), _WRONG)
def test_a_wrong_fact_is_an_internal_error(question: str, subject: str) -> None:
    unit, fact = one(TEXT, question, subject)
    wrong, said = _WRONG[question, subject]
    found = compared(unit, [wrong(fact)])
    assert not found.facts
    (error,) = found.errors
    assert error.code == "V900"
    assert error.place == fact.place
    assert f"{question} of " in error.message
    assert "an execution, `volcli run - --function f" in error.message
    assert said in error.message, error.message


RACE = TEXT.replace(
    "affine.store %zero, %m[%j]", "%z = affine.load %m[0] : memref<?xf32> affine.store %z, %m[%j]"
)
LIVELY = TEXT.replace("%k = 0 to 0", "%k = 0 to 2")


@pytest.mark.parametrize(
    ("question", "subject", "text", "said"),
    [
        ("races", "%j", RACE, "iteration (0) and iteration (1) of a parallel loop access one element"),
        ("dead", "%k", LIVELY, "it runs"),
    ],
)
def test_what_another_program_does_not_do(question: str, subject: str, text: str, said: str) -> None:
    """The fact is that of TEXT, where it is right."""
    unit, fact = one(TEXT, question, subject)
    assert [each.confirmed is not None for each in compared(unit, [fact]).facts] == [True]
    other, _ = one(text, "shapes", "%p")
    op = next(each for each in other.parsed.module.walk() if other.parsed.written_at(each) == fact.place)
    moved = replace(fact, where=other.where(other.models()[0], op))
    (error,) = compared(other, [moved]).errors
    assert said in error.message


PRODUCT = """
func.func @g(%t: tensor<6xf32>, %k: tensor<3xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %t low[2] high[2] {
  ^bb0(%d: index):
    tensor.yield %zero : f32
  } : tensor<6xf32> to tensor<10xf32>
  %r = linalg.conv_1d ins(%p, %k : tensor<10xf32>, tensor<3xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
"""


def test_a_point_that_contributes_nothing_has_a_zero_factor() -> None:
    ((unit, facts),) = asked(PRODUCT)
    fact: Any = next(each for each in facts if each.question == "zeros")
    assert compared(unit, [fact]).facts[0].confirmed is not None
    wrong = replace(fact, live=(replace(fact.live[-1], points=NamedSet("{ [a, b] : a + b >= 4 }")),))
    (error,) = compared(unit, [wrong]).errors
    assert "contradicts this: " in error.message
    assert " at [0, 2]" in error.message


SUMS = """
func.func @h(%m: memref<20x20xf32>, %o: memref<20xf32>) {
  affine.for %i = 0 to 20 {
    affine.for %k = 0 to 20 {
      %x = affine.load %m[%i, %k] : memref<20x20xf32>
      %y = affine.load %o[%i] : memref<20xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %o[%i] : memref<20xf32>
    }
  }
  return
}
"""


def test_a_consumer_that_mars_lack_is_an_internal_error() -> None:
    program = volcli.loads(SUMS)
    program.run("mars{tile='i:4, k:4'}")
    (unit,) = program.units
    fact: Any = next(each for each in program.facts if each.subject == "%o produced")
    assert compared(unit, [fact]).facts[0].confirmed is not None
    rows = tuple(replace(row, consumers=("(1, 0)",)) for row in fact.sets)
    (error,) = compared(unit, [replace(fact, sets=rows)]).errors
    assert "iteration (0, 4) reads what (0, 3) wrote, in the tile at (0, 1) from that" in error.message


SLICES = """
func.func @s(%t: tensor<12x8xf32>, %n: index, %b: memref<20xf32>) -> (tensor<2x8xf32>, tensor<12x8xf32>) {
  %a = tensor.extract_slice %t[%n, 0] [2, 8] [1, 1] : tensor<12x8xf32> to tensor<2x8xf32>
  %u = tensor.extract_slice %t[0, 0] [6, 8] [2, 1] : tensor<12x8xf32> to tensor<6x8xf32>
  %c = tensor.extract_slice %u[1, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  %d = tensor.extract_slice %t[2, 0] [1, 8] [1, 1] : tensor<12x8xf32> to tensor<1x8xf32>
  %e = tensor.insert_slice %d into %t[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<12x8xf32>
  %p = memref.subview %b[0] [10] [2] : memref<20xf32> to memref<10xf32, strided<[2]>>
  %q = memref.subview %b[1] [10] [2] : memref<20xf32> to memref<10xf32, strided<[2], offset: 1>>
  return %a, %e : tensor<2x8xf32>, tensor<12x8xf32>
}
"""


def _slices() -> tuple[Any, dict[str, Any]]:
    program = volcli.loads(SLICES)
    program.run("compare-slices")
    (unit,) = program.units
    return unit, {fact.subject: fact for fact in unit.facts}


def test_slices_that_are_made_once_are_confirmed() -> None:
    unit, facts = _slices()
    found = compared(unit, list(facts.values()))
    assert not found.errors
    assert {fact.subject for fact in found.facts if fact.confirmed is None} == set()
    relations = {subject: fact.relation for subject, fact in facts.items()}
    assert relations["%c, %d of %t"] == "equal"
    assert relations["%a, %d of %t"] == "sometimes"
    assert relations["%p, %q of %b"] == "disjoint"


@pytest.mark.parametrize(
    ("subject", "other", "said"),
    [
        ("%p, %q of %b", "%c, %d of %t", "they have other elements, or in another order"),
        ("%c, %d of %t", "%p, %q of %b", "both have [2, 0]"),
        ("%p, %q of %b", "%u, %d of %t", "they have no element in common"),
    ],
)
def test_slices_that_are_something_else(subject: str, other: str, said: str) -> None:
    """What is true of two slices, stated of others."""
    unit, facts = _slices()
    wrong = replace(facts[subject], overlap=facts[other].overlap, equivalent=facts[other].equivalent)
    (error,) = compared(unit, [wrong]).errors
    assert error.message.endswith(f"contradicts this: {said}")


def test_a_condition_of_slices_is_compared() -> None:
    unit, facts = _slices()
    fact = facts["%a, %d of %t"]
    assert fact.overlap.weakest
    for condition, said in (("%n >= 0", "they have no element in common"), ("%n < 0", "both have [2, 0]")):
        wrong = replace(fact, overlap=replace(fact.overlap, precondition=condition))
        (error,) = compared(unit, [wrong]).errors
        assert error.message.endswith(said)


def test_a_missing_dependence_is_an_internal_error() -> None:
    """Where all dependences were asked for, and not where some were."""
    ((unit, facts),) = asked(TEXT)
    left = [each for each in facts if not each.subject.startswith("RAW affine.store %m[%i]")]
    assert len(left) < len(facts)
    assert not compared(unit, left).errors
    errors = compared(unit, left, ["dependences"]).errors
    assert any(
        "no RAW dependence of line 5 on line 6 at depth 1 is stated" in each.message for each in errors
    )
    assert not compared(unit, facts, ["dependences"]).errors


def test_assumptions_are_compared_where_an_execution_fulfils_them() -> None:
    """Arguments of an execution are different memory; nothing is known of what else somebody assumes."""
    text = """
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %b[%i] : memref<8xf32>
  }
  return
}
"""
    ((unit, facts),) = asked(text)
    fact: Any = next(each for each in facts if each.question == "loops")
    assert fact.assumptions == ("%a and %b are different memory",)
    assert compared(unit, [fact]).facts[0].confirmed is not None
    other = replace(fact, assumptions=("it is Monday",))
    assert compared(unit, [other]).facts == [other]


def test_the_summary_says_why_others_are_not_confirmed() -> None:
    ((unit, facts),) = asked(TEXT)
    found = compared(unit, facts)
    text = summary(found.facts, found.executions)
    confirmed = sum(each.confirmed is not None for each in found.facts)
    assert text.startswith(
        f"{confirmed} of {len(facts)} facts are confirmed by {found.executions} executions; "
    )
    assert summary(found.facts[:1], 1) == "1 of 1 fact is confirmed by 1 execution"
    assert summary([replace(facts[0], confirmed=None)], 0).endswith("0 executions; 1 is not executed")


def test_no_execution_contradicts(root: Path) -> None:
    """The answers to all questions about some programs; of others, tests/facts/test_facts.py has them at hand."""
    confirmed = 0
    for path in sorted((root / "testdata" / "run").glob("*.mlir")):
        for unit, facts in asked(path.read_text()):
            found = compared(unit, facts, QUESTIONS)
            assert not found.errors, (path, found.errors)
            confirmed += sum(each.confirmed is not None for each in found.facts)
    assert confirmed >= 10
