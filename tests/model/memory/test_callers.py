"""What all callers pass to private functions that call each other, against an enumeration of all calls.

Functions pass their arguments and buffers of their own on, in any order, around recursions, too. An
execution is at a call with some of the arguments in one buffer: which ones is a pattern, and all patterns
that executions get to are found by following each call from each pattern.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

import volcli
from tests.shared.seeds import seeds
from volcli.model.memory.buffers.roots import Origin, Root
from volcli.model.memory.checks.calls.callers import Callers

FUNCTIONS, ARGUMENTS = 4, 3
Call = tuple[int, tuple[str, ...]]
Pattern = tuple[int, ...]
"""For each argument, the first one that is the same buffer."""
TYPE = "memref<8xf32>"
NAMES = tuple("abc")
OWN = tuple("xyz")


def drawn(seed: int) -> list[list[Call]]:
    """The calls in each function; the last one is public, has no arguments, and calls each of the others."""
    draw = random.Random(seed)
    found: list[list[Call]] = []
    for _ in range(FUNCTIONS):
        known = NAMES + OWN[: draw.randrange(2)]
        calls = draw.choice((0, 1, 1, 2))
        found.append([(draw.randrange(FUNCTIONS), draw_from(draw, known)) for _ in range(calls)])
    found.append([(callee, draw_from(draw, OWN)) for callee in range(FUNCTIONS)])
    return found


def draw_from(draw: random.Random, known: tuple[str, ...]) -> tuple[str, ...]:
    """Arguments, mostly different ones."""
    if draw.random() < 0.7:
        return tuple(draw.sample(known, ARGUMENTS))
    return tuple(draw.choice(known) for _ in range(ARGUMENTS))


def text_of(program: list[list[Call]]) -> str:
    """The program as a module."""
    lines: list[str] = []
    types = ", ".join([TYPE] * ARGUMENTS)
    for number, calls in enumerate(program):
        is_last = number == FUNCTIONS
        arguments = "" if is_last else ", ".join(f"%{name}: {TYPE}" for name in NAMES)
        lines.append(f"func.func {'' if is_last else 'private '}@f{number}({arguments}) {{")
        lines += [f"  %{name} = memref.alloc() : {TYPE}" for name in OWN]
        for callee, passed in calls:
            operands = ", ".join(f"%{name}" for name in passed)
            lines.append(f"  func.call @f{callee}({operands}) : ({types}) -> ()")
        lines += ["  return", "}"]
    return "\n".join(lines)


def patterns(program: list[list[Call]]) -> list[set[Pattern]]:
    """With which patterns each function is called."""
    found: list[set[Pattern]] = [set() for _ in program]
    pending: list[tuple[int, Pattern]] = [(FUNCTIONS, ())]
    while pending:
        caller, pattern = pending.pop()
        if pattern in found[caller]:
            continue
        found[caller].add(pattern)
        for callee, passed in program[caller]:
            buffers = [NAMES[pattern[NAMES.index(name)]] if name in NAMES else name for name in passed]
            pending.append((callee, tuple(map(buffers.index, buffers))))
    return found


def answers(text: str, order: list[int]) -> Iterator[tuple[int, dict[tuple[int, int], str]]]:
    """Of the functions, asked in this ORDER, what is said of each two of their arguments."""
    parsed = volcli.loads(text).units[0].parsed
    functions = list(parsed.module.body.block.ops)
    callers = Callers(parsed.module)
    for number in order:
        function = functions[number]
        entry = function.regions[0].first_block
        assert entry is not None
        roots = [Root(Origin.ARGUMENT, value) for value in entry.args]
        shared = callers.shared(function)
        said: dict[tuple[int, int], str] = {}
        for first, second in combinations(range(ARGUMENTS), 2):
            of_second = shared.get(second)
            if callers.pass_apart(function, roots[first], roots[second]):
                said[first, second] = "apart"
            elif of_second is not None and of_second.always == first:
                said[first, second] = "one"
            elif of_second is not None and first in of_second.sometimes:
                said[first, second] = "perhaps"
            else:
                said[first, second] = "assumed apart"
        yield number, said


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", seeds(100, 1500))
def test_what_is_said_of_two_arguments_is_what_all_calls_pass(seed: int) -> None:
    program = drawn(seed)
    known = patterns(program)
    orders = [list(range(FUNCTIONS)), list(range(FUNCTIONS))[::-1]]
    first, last = (dict(answers(text_of(program), order)) for order in orders)
    assert first == last, "what was asked before matters"
    for number, said in first.items():
        for (one, other), answer in said.items():
            same = {pattern[one] == pattern[other] for pattern in known[number]}
            truth = {frozenset({True}): "one", frozenset({False}): "apart"}.get(frozenset(same), "perhaps")
            if answer == "perhaps" and truth == "one":
                continue  # the same as an argument before this one, which is told
            assert answer == truth, f"f{number}: arguments {one} and {other}"
