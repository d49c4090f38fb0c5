"""Random systems as text, and the loops that `explain --system` prints for them, executed.

The oracle reads neither: it enumerates the points of a window at which all conditions hold, where these are Python
expressions. A printed loop that leaves the window is cut off there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, inf

from tests.oracles.interpreter.judgement import Judgement
from volcli.api.systems import system_of_text
from volcli.diagnostics import UsageError
from volcli.frontend.text.source import Source
from volcli.report.systems import system_lines

WINDOW = range(-4, 5)
SYMBOLS = range(-2, 4)
_CALLS = {"min": min, "max": max, "ceil": ceil, "floor": floor, "inf": inf}


@dataclass(frozen=True)
class WrittenSystem:
    """CONDITIONS over VARIABLES and SYMBOLS as lines of a file, where ASSUMED hold."""

    variables: tuple[str, ...]
    symbols: tuple[str, ...]
    conditions: tuple[str, ...]
    assumed: tuple[str, ...]

    @property
    def text(self) -> str:
        assumed = f"\n# assumed: {' and '.join(self.assumed)}" if self.assumed else ""
        return "\n".join([f"# --system {','.join(self.variables)}", *self.conditions]) + assumed


def drawn_text(seed: str) -> WrittenSystem:
    """The system of SEED: two to four variables, and one to three symbols."""
    chance = random.Random(seed)
    variables = ["i", "j", "k", "l"][: chance.choice((2, 2, 2, 3, 3, 4))]
    symbols = ["b", "n", "c"][: chance.choice((1, 2, 2, 3))]
    lines: list[str] = []
    for name in variables:
        if chance.random() < 0.9:
            lines.append(f"{chance.choice(('0', '-2', symbols[-1]))} <= {name}")
        if chance.random() < 0.9:
            lines.append(f"{name} <= {_most(chance, symbols)}")
    for _ in range(chance.randint(1, 3)):
        lines.append(_between(chance, variables, symbols))
    assumed = [f"{name} >= {chance.randint(-1, 2)}" for name in symbols if chance.random() < 0.5]
    if len(symbols) > 1 and chance.random() < 0.2:
        assumed.append(f"(b - 1) * (n - {chance.randint(0, 2)}) >= {chance.randint(0, 2)}")
    return WrittenSystem(tuple(variables), tuple(symbols), tuple(lines), tuple(assumed))


def _most(chance: random.Random, symbols: Sequence[str]) -> str:
    first, last = symbols[0], symbols[-1]
    return chance.choice(
        ("3", "4", last, f"2 * {first} - 1", f"min({last}, 3)", f"min({first} + 1, {last}, 4)",
         f"floor({last} / 2)", f"floor(({first} + 3) / 3)", f"{first} * {last}")
    )  # fmt: skip


def _between(chance: random.Random, variables: Sequence[str], symbols: Sequence[str]) -> str:
    """A condition on two variables: a tile, a triangle, an equality, or anything linear."""
    inner, outer = chance.sample(variables, 2)
    size = chance.choice(symbols)
    match chance.randint(0, 6):
        case 0:
            return f"{size} * {inner} <= {outer} <= {size} * {inner} + {size} - 1"
        case 1:
            return f"{inner} <= {outer} + {chance.randint(-2, 2)}"
        case 2:
            return f"{inner} = {chance.choice((2, -1, 1, 3, size))} * {outer} + {chance.choice((0, 1, size))}"
        case 3:
            return f"{chance.choice((2, 3))} * {inner} >= {outer} - {chance.choice((1, size))}"
        case 4:
            return f"({size} - 1) * {inner} + {chance.choice(symbols)} * {outer} >= {chance.randint(-3, 3)}"
        case 5:
            return f"{inner} <= min({outer} + 1, {size}) and {inner} >= max({outer} - 2, -{size})"
        case _:
            other = chance.choice(symbols)
            return f"{size} * {inner} + {other} * {outer} + {chance.randint(-2, 5)} >= 0"


def judged_text(given: WrittenSystem) -> Iterator[Judgement]:
    """Whether the printed loops reach the points of GIVEN, each once and in order, for all small symbols."""
    try:
        found = system_of_text(Source("a.txt", given.text), given.variables, given.assumed)
    except UsageError as error:
        said = error.diagnostic
        is_told = said.place is not None and said.note is not None
        worth = "unknown" if is_told else "crash"
        yield Judgement("loops", worth, given.text, "", f"{said.code}: {said.message}")
        return
    lines = [line.text for line in system_lines(found.variables, found.known, found.steps)]
    loops = lines[max(k for k, each in enumerate(lines) if each[:5] == "Loops") + 1 :]
    for values in product(SYMBOLS, repeat=len(given.symbols)):
        numbers = dict(zip(given.symbols, map(Fraction, values), strict=True))
        if not all(_value(each, numbers) for each in given.assumed):
            continue
        expected, reached = list(_points(given, numbers)), list(_scanned(loops, 0, numbers, given.variables))
        if expected != reached:
            why = f"at {dict(zip(given.symbols, values, strict=True))}: {expected} and not {reached}"
            yield Judgement("loops", "wrong", given.text, "\n".join(loops), why)
            return
    yield Judgement("loops", "exact", given.text, "\n".join(loops))


def _value(text: str, numbers: Mapping[str, object]) -> object:
    return eval(text.replace(" = ", " == "), {**_CALLS}, dict(numbers))  # the texts are drawn or printed here


def _points(given: WrittenSystem, numbers: Mapping[str, object]) -> Iterator[tuple[int, ...]]:
    for point in product(WINDOW, repeat=len(given.variables)):
        here = {**numbers, **dict(zip(given.variables, map(Fraction, point), strict=True))}
        if all(_value(each, here) for each in given.conditions):
            yield point


def _scanned(
    lines: Sequence[str], at: int, numbers: Mapping[str, object], variables: Sequence[str]
) -> Iterator[tuple[int, ...]]:
    """The points that the loops in LINES from AT on reach: each `if` in the first column is a nest."""
    nests: list[list[str]] = []
    for line in lines[at:]:
        if not nests or line.startswith("  if ") or not _is_inside(line, nests[-1]):
            nests.append([])
        nests[-1].append(line.strip())
    for nest in nests:
        yield from _nest(nest, numbers, variables)


def _is_inside(line: str, nest: Sequence[str]) -> bool:
    """Whether LINE belongs to NEST: no other loop there is over its variable."""
    variable = line.strip().removeprefix("for ").partition(" = ")[0]
    return all(each.removeprefix("for ").partition(" = ")[0] != variable for each in nest)


def _nest(
    lines: Sequence[str], numbers: Mapping[str, object], variables: Sequence[str]
) -> Iterator[tuple[int, ...]]:
    if not lines:
        yield tuple(int(numbers[each]) for each in variables)  # pyright: ignore[reportArgumentType]
        return
    head, *rest = lines
    if head.startswith("if "):
        if _value(head[3:], numbers):
            yield from _nest(rest, numbers, variables)
        return
    variable, _, bounds = head.removeprefix("for ").partition(" = ")
    low, _, high = bounds.partition(" to ") if head.startswith("for ") else (bounds, "", bounds)
    least, most = (_value(each.replace("+inf", "inf"), numbers) for each in (low, high))
    assert isinstance(least, Fraction | int | float)
    assert isinstance(most, Fraction | int | float)
    for number in WINDOW:
        if least <= number <= most:
            yield from _nest(rest, {**numbers, variable: Fraction(number)}, variables)
