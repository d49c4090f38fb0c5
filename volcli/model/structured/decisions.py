"""What decides between the ways out of a block: one truth after the other.

cf.cond_br %c, ^a, ^b                       if %c then ^a else ^b
cf.switch %n [default: ^d, 2: ^a, 5: ^a]    if %n = 2 or %n = 5 then ^a else ^d
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, SSAValue

from volcli.language.expressions import Value
from volcli.language.loops import Branch
from volcli.language.reads import Disjunction
from volcli.model.structured.counting import truth_of
from volcli.model.structured.graph import NotStructured

Test = tuple[SSAValue, int | None]
"""A value is this number; or it is true, where there is none."""


@dataclass(frozen=True)
class Decision:
    """One of the `ways` to `successor` is taken if one of the tests `when` holds, and no earlier decision is.

    Without tests, it is taken where no earlier one is. So are its ways, in their order: each with its tests,
    the last one without.
    """

    successor: Block
    ways: tuple[tuple[Branch, tuple[Test, ...]], ...]
    when: tuple[Test, ...] = ()


def decisions(out: Sequence[tuple[Branch, Block]]) -> list[Decision]:
    """What decides between the ways OUT of a block, one for each block. Raises NotStructured."""
    truth = truth_of(out[0][0].when) if len(out) == 2 else None
    if truth is not None:
        value, is_first = truth
        (taken, first), (otherwise, second) = out if is_first else reversed(out)
        return [Decision(first, ((taken, ()),), ((value, None),)), Decision(second, ((otherwise, ()),))]
    tests = [_test(branch.when) for branch, _ in out]
    if tests.count(None) != 1:
        raise NotStructured
    default, last = out[tests.index(None)]
    found: dict[Block, list[tuple[Branch, tuple[Test, ...]]]] = {}
    for (branch, successor), test in zip(out, tests, strict=True):
        if test is not None:
            found.setdefault(successor, []).append((branch, (test,)))
    made = [
        Decision(successor, (*ways[:-1], (ways[-1][0], ())), tuple(t for _, tests in ways for t in tests))
        for successor, ways in found.items()
        if successor is not last
    ]
    return [*made, Decision(last, (*found.get(last, ()), (default, ())))]


def _test(when: Disjunction) -> Test | None:
    """The value that is a number WHEN, and that number; None if WHEN says something else."""
    if len(when) != 1 or len(when[0]) != 2 or when[0][0] != -when[0][1]:
        return None
    match when[0][0].terms:
        case ((Value(value), (1 | -1) as factor),):
            return value, -factor * when[0][0].constant
        case _:
            return None
