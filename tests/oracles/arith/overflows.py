"""Small programs on 64 bits, run at numbers at which sums and products overflow.

An answer that names no assumption about arithmetic holds in each run, and one that does is not compared: it may
be another one in the machine. An equality is one modulo 2^64: `%r = %a + 1` holds for the greatest %a, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import volcli
from tests.oracles.arith.execute import POISON, bits
from tests.oracles.arith.formulas import column, names_in
from tests.oracles.arith.programs import Program, Writer, any_operation
from tests.oracles.arith.runs import Rows, chosen, joined, run
from tests.oracles.interpreter.arithmetic import RELATIONS
from volcli.facts.bounds import BoundsFact
from volcli.model.values.terms.answers import Verdict
from volcli.model.values.trust.arithmetic import OVERFLOW, PRODUCTS

WIDTHS = ((0,), (0, 64), (0, 8), (64, 32), (0, 16, 64), (64, 128))
"""Of the values of one program: 0 is an index."""
_NAMED = {OVERFLOW, PRODUCTS}


def programs() -> Iterator[Program]:
    """Up to five operations on two arguments, more and more."""
    for seed in range(2_000):
        chance = random.Random(f"overflow {seed}")
        widths = chance.choice(WIDTHS)
        writer = Writer(a=widths[0], b=chance.choice(widths))
        count = chance.randint(2, 6)
        while len(writer.steps) < count:
            any_operation(writer, chance, (*widths, 1))
        yield writer.program()


def complaints(program: Program) -> Iterator[str]:
    """What is wrong with volcli's answers about PROGRAM that name no assumption."""
    names, function = [*program.arguments], volcli.loads(program.text).function("f")
    given = product(*(_edges(bits(width)) for width in program.arguments.values()))
    seen: dict[str, list[Rows]] = {}
    run(program.steps, dict(zip(names, map(list, zip(*given, strict=True)), strict=True)), seen)
    for name in program.results:
        parts = seen.get(name) or [{key: [] for key in (*names, name)}]
        rows = joined(parts, sorted(set.intersection(*(set(each) for each in parts))))
        rows = chosen(rows, [each is not POISON for each in rows[name]])
        width = bits(program.width_of(name))
        yield from (
            f"{name}: {each}\n{program.text}" for each in _of_bounds(function.bounds(name), rows, name, width)
        )
        numbers = [int(each) for each in rows[name]]
        about = [(str(end), [end] * len(numbers)) for end in (0, 1)]
        about += [(each, [int(n) for n in rows[each]]) for each in names if POISON not in rows[each]]
        for (text, right), relation in product(about, (">=", "<")):
            said = function.compare(f"{name} {relation} {text}").found
            is_proved = said.verdict is Verdict.PROVED and not _NAMED & {*said.assumptions}
            if is_proved and not all(map(RELATIONS[relation], numbers, right)):
                yield f"{name} {relation} {text} is proved, and false\n{program.text}"


def _edges(width: int) -> list[int]:
    """Numbers of WIDTH bits between which arithmetic wraps around."""
    half = 2 ** (width - 1)
    wanted = {
        -half,
        1 - half,
        -(half // 2),
        -(2**31),
        -2,
        -1,
        0,
        1,
        2,
        3,
        2**31,
        half // 2,
        half - 2,
        half - 1,
    }
    return sorted(each for each in wanted if -half <= each < half)


def _of_bounds(found: BoundsFact, rows: Rows, name: str, width: int) -> Iterator[str]:
    numbers = [int(each) for each in rows[name]]
    if _NAMED & {*found.assumptions} or not numbers:
        return
    if found.never:
        yield f"it is said never to be computed, and is {numbers[0]}"
    for side, sign in ((found.lower, 1), (found.upper, -1)):
        if side.constant is not None and min(sign * each for each in numbers) < sign * side.constant:
            yield f"{min(numbers)} to {max(numbers)}, beyond the bound {side.constant}"
        if (
            found.equal is None
            and side.expression is not None
            and {*names_in(side.expression)} <= rows.keys()
        ):
            ends = zip(column(side.expression, rows), numbers, strict=True)
            if any(end is not None and sign * each < sign * end for end, each in ends):
                yield f"beyond the bound {side.expression}"
    if found.equal is not None and {*names_in(found.equal)} <= rows.keys():
        stated = zip(column(found.equal, rows), numbers, strict=True)
        if any(each is not None and (each - number) % 2 ** max(width, 64) for each, number in stated):
            yield f"it is not always {found.equal}"
