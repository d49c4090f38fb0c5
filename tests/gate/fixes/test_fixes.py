"""Fixes make of a program the one text that is expected, equal by `diff`, and without what they fix."""

from __future__ import annotations

from dataclasses import replace

import pytest

import volcli
from tests.gate.fixes.programs import WRITTEN, Fixable
from tests.gate.fixes.random_programs import random_program
from tests.shared.seeds import seeds
from volcli.gate.policy.policy import Policy
from volcli.gate.run import work_of
from volcli.gate.work.fixed import FixedFile, FixWork, fixed, key_of
from volcli.gate.work.work import checked

POLICY = Policy(select=("V1", "V2", "V204", "V215"))


def fixed_text(text: str, *, unsafe: bool = False, policy: Policy = POLICY) -> FixedFile:
    """TEXT with all of its fixes."""
    work = replace(work_of("fixed.mlir", policy), data=text.encode())
    wanted = frozenset(map(key_of, checked(work).findings))
    return fixed(FixWork(work, wanted, unsafe))


def assert_fixed(program: Fixable) -> None:
    found = fixed_text(program.before)
    assert found.after.decode() == program.after
    assert sorted(each.code for each in found.fixed) == sorted(program.codes)
    assert found.refused == ()
    left = checked(replace(work_of("fixed.mlir", POLICY), data=found.after)).findings
    assert {each.code for each in left}.isdisjoint(program.codes)
    before, after = map(volcli.loads, (program.before, program.after))
    assert {each.verdict for each in before.diff(after)} == {"equal"}


@pytest.mark.parametrize("program", WRITTEN, ids=lambda each: each.name)
def test_a_program_is_fixed_and_all_other_text_stays(program: Fixable) -> None:
    assert_fixed(program)


@pytest.mark.parametrize("seed", seeds(4, of=200))
def test_a_random_program_is_fixed_and_all_other_text_stays(seed: int) -> None:
    assert_fixed(random_program(seed))
