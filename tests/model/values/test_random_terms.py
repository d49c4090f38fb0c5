"""Bounds over chosen values of random programs with assumptions, against all small arguments.

The answer is for all arguments, and the arguments are few: they are bounded by assumptions, so that the
enumeration is complete.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from itertools import product

import pytest

import volcli
from volcli.facts.bounds import BoundsFact, Side

Row = dict[str, int]
NAMES = ("a", "b", "c")


@dataclass(frozen=True)
class Drawn:
    """A program, what is assumed of its arguments, its rows (all values of each execution), and its values."""

    text: str
    assumptions: tuple[str, ...]
    rows: list[Row]
    names: list[str]


OPS = (
    ("arith.addi {l}, {r} : index", "{l} + {r}"),
    ("arith.addi {l}, {k} : index", "{l} + {k}"),
    ("arith.subi {l}, {r} : index", "{l} - {r}"),
    ("arith.muli {l}, {k} : index", "{l} * {k}"),
    ("arith.minsi {l}, {r} : index", "min({l}, {r})"),
    ("arith.maxsi {l}, {r} : index", "max({l}, {r})"),
    ("arith.minsi {l}, {k} : index", "min({l}, {k})"),
    ("arith.floordivsi {l}, {d} : index", "{l} // {d}"),
    ("arith.ceildivsi {l}, {d} : index", "-(-{l} // {d})"),
    ("affine.apply affine_map<(d0, d1) -> (d0 * 2 - d1 + 1)>({l}, {r})", "{l} * 2 - {r} + 1"),
    ("affine.apply affine_map<(d0) -> (d0 mod 3)>({l})", "{l} % 3"),
    ("affine.min affine_map<(d0, d1) -> (d0 + 1, 4 - d1)>({l}, {r})", "min({l} + 1, 4 - {r})"),
    ("arith.muli {l}, {r} : index", "{l} * {r}"),
)
RELATED = (
    ("%a <= %b", "a <= b"),
    ("%a + %b <= 5", "a + b <= 5"),
    ("%b = 2 * %a", "b == 2 * a"),
    ("%a mod 2 = 0", "a % 2 == 0"),
    ("%c = %a or %c = %b", "c == a or c == b"),
    ("%a + %b + %c >= 4", "a + b + c >= 4"),
    ("%c = %a + %b", "c == a + b"),
)


def drawn(seed: int) -> Drawn:
    """The program of SEED: arguments in short ranges that may be related, and some operations on them."""
    chance = random.Random(seed)
    ranges = {name: (low := chance.randint(-2, 2), low + chance.randint(0, 5)) for name in NAMES}
    assumptions = [f"%{name} >= {low} and %{name} <= {high}" for name, (low, high) in ranges.items()]
    rows: list[Row] = [
        dict(zip(NAMES, numbers, strict=True))
        for numbers in product(*(range(low, high + 1) for low, high in ranges.values()))
    ]
    for text, python in chance.sample(RELATED, chance.choice((0, 1, 1, 2))):
        kept = [row for row in rows if eval(python, {}, row)]
        if kept:  # else it would say that the function is never called
            rows = kept
            assumptions.append(text)
    lines: list[str] = []
    names: list[str] = [*NAMES]
    for number in range(chance.randint(2, 5)):
        mlir, python = chance.choice(OPS)
        left, right = chance.choice(names[-4:]), chance.choice(names)
        constants = {"k": chance.choice((-1, 2, 3, 8)), "d": chance.choice((2, 3, 4))}
        lines += [f"%{k}{number} = arith.constant {n} : index" for k, n in constants.items()]
        parts = {"l": f"%{left}", "r": f"%{right}", **{k: f"%{k}{number}" for k in constants}}
        lines.append(f"%v{number} = {mlir.format(**parts)}")
        for row in rows:
            row[f"v{number}"] = eval(
                python.format(l=f"({row[left]})", r=f"({row[right]})", **constants), {"min": min, "max": max}
            )
        names.append(f"v{number}")
    body = "\n".join(f"  {line}" for line in lines)
    arguments = ", ".join(f"%{name}: index" for name in NAMES)
    return Drawn(f"func.func @f({arguments}) {{\n{body}\n  return\n}}", tuple(assumptions), rows, names)


def number(text: str, row: Row) -> int:
    """The bound TEXT, if values are those of ROW."""
    python = re.sub(r"%(\w+)", lambda name: f"({row[name[1]]})", text)
    while " ceildiv " in python:  # x ceildiv d = (x + d - 1) // d; its left side is a name, or in brackets
        before, behind = python.split(" ceildiv ", 1)
        start = _opened(before)
        divisor = re.match(r"\d+", behind)
        assert divisor is not None
        python = f"{before[:start]}(({before[start:]} + {divisor[0]} - 1) // {behind[: divisor.end()]}){behind[divisor.end() :]}"
    found = eval(python.replace("floordiv", "//").replace("mod", "%"), {"min": min, "max": max}, {})
    assert isinstance(found, int)
    return found


def _opened(text: str) -> int:
    """Where the bracket opens that closes at the end of TEXT."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise AssertionError(text)


def complaints(program: Drawn, fact: BoundsFact, subject: str, chosen: list[str]) -> list[str]:
    """What the enumeration finds wrong with FACT: bounds of SUBJECT over CHOSEN values."""
    found: list[str] = []
    least, most = (end(row[subject] for row in program.rows) for end in (min, max))
    if "not expressible" in fact._line() or None in (fact.lower.text, fact.upper.text):  # pyright: ignore[reportPrivateUsage]
        found.append(f"it lies between {least} and {most}")
    for side, sign, whole in ((fact.lower, 1, least), (fact.upper, -1, most)):
        found += _side(program, side, sign, subject, chosen)
        if side.constant is not None and (side.constant - whole) * sign > 0:
            found.append(f"{side.constant} is no bound: {whole}")
        if side.constant is not None and side.exact and side.constant != whole:
            found.append(f"{side.constant} is not attained: {whole}")
    return found


def _side(program: Drawn, side: Side, sign: int, subject: str, chosen: list[str]) -> list[str]:
    """What is wrong with a lower (SIGN 1) or an upper bound (-1)."""
    if side.text is None:
        return []
    if not set(re.findall(r"%(\w+)", side.text)) <= set(chosen):
        return [f"{side.text} speaks of others"]
    ends: dict[tuple[int, ...], int] = {}
    for row in program.rows:
        key = tuple(row[name] for name in chosen)
        ends[key] = min(ends.get(key, sign * row[subject]), sign * row[subject])
    for row in program.rows:
        bound = sign * number(side.text, row)
        end = ends[tuple(row[name] for name in chosen)]
        if bound > end or (side.expression_exact and bound != end):
            exact = "exact " if side.expression_exact else ""
            return [f"the {exact}bound {side.text} is {sign * bound}, not {sign * end}, for {row}"]
    return []


def ask(seed: int) -> tuple[str, list[str], bool]:
    """What is said of a value of the program of SEED, what is wrong with it, and whether it is tightest."""
    program, chance = drawn(seed), random.Random(-seed - 1)
    subject = chance.choice(program.names[-3:])
    chosen = chance.sample([name for name in program.names if name != subject], chance.choice((1, 2, 2)))
    function = volcli.loads(program.text, assume=list(program.assumptions)).function("f")
    fact = function.bounds(f"%{subject}", in_terms_of=[f"%{name}" for name in chosen])
    told = "\n".join(
        [program.text, *program.assumptions, f"%{subject} in terms of {chosen}", *fact.annotation()]
    )
    is_exact = fact.lower.expression_exact and fact.upper.expression_exact
    return told, complaints(program, fact, subject, chosen), is_exact


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 80, 10))
def test_bounds_over_chosen_values(start: int) -> None:
    answers = [ask(seed) for seed in range(start, start + 10)]
    for told, found, _ in answers:
        assert not found, f"{found[0]}\n{told}"
    assert sum(is_exact for _, _, is_exact in answers) >= 4
