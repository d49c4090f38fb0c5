"""Mutants of arithmetic at the default level; `make fuzz-levels` has all of them."""

from __future__ import annotations

import pytest

from tests.campaigns.levels import verdict
from tests.equivalence.mutations import CHANGES, Mutated, all_mutants

MUTANTS = {each.name: each for each in all_mutants()[::23]}


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_arithmetic_is_refuted_or_computes_the_same(name: str) -> None:
    found, lines = verdict(MUTANTS[name])
    assert found in ("different", "equal", "equal by arithmetic"), lines


def test_each_error_occurs() -> None:
    names = [each.name for each in all_mutants()]
    assert len(names) > 300
    assert all(any(f": {kind} " in name for name in names) for kind in (*CHANGES, "dropped %r"[:7]))


def test_a_wrong_answer_would_be_seen() -> None:
    """A pair that differs is refuted; what is equal is compared by runs, too."""
    text = "func.func @f(%a: i8, %b: i8) -> i8 {\n  %r = arith.subi %a, %b : i8\n  return %r : i8\n}\n"
    assert verdict(Mutated("exchanged", text, text.replace("%a, %b :", "%b, %a :")))[0] == "different"
    assert verdict(Mutated("itself", text, text))[0] == "equal"
