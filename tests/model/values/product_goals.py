"""Random functions with products and quotients of values, claims about them, and what is true of these.

What is true is found in three ways that share nothing with volcli: by enumeration of small arguments, by z3,
and by computing at the numbers that a refutation names.

    python -m tests.model.values.product_goals [PROGRAMS [SEED]]
"""

from __future__ import annotations

import json
import operator
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import z3
from click.testing import CliRunner

from volcli.cli.commands import volcli

Point = Mapping[str, int]
SMALL = range(-3, 6)
CLAIMS = 10
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip


def _toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a >= 0) == (b > 0) else -1)


ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "addi": operator.add, "subi": operator.sub, "muli": operator.mul, "minsi": min, "maxsi": max,
    "floordivsi": operator.floordiv, "ceildivsi": lambda a, b: -(-a // b), "divsi": _toward_zero,
    "remsi": lambda a, b: a - b * _toward_zero(a, b),
    "select": lambda a, b: a if a >= b else 1,
    "branch": lambda a, b: a // b if b >= 1 else a,
}  # fmt: skip
DIVISIONS = ("floordivsi", "ceildivsi", "divsi", "remsi")


@dataclass
class Program:
    """Arguments with assumptions `x - y >= c` (y may be None), loops `0 <= i < x`, and operations inside.

    `select` is its first operand if that is at least the second one, or 1; `branch` divides if it can.
    """

    arguments: list[str]
    assumed: list[tuple[str, str | None, int]]
    loops: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    before: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])
    inside: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])
    claims: list[tuple[str, str, str, int]] = field(default_factory=list[tuple[str, str, str, int]])

    def text(self) -> str:
        position = {name: f"d{k}" for k, name in enumerate(self.arguments)}
        facts = [f"{position[x]}{f' - {position[y]}' if y else ''} - {c} >= 0" for x, y, c in self.assumed]
        dims = ", ".join(position.values())
        known = (
            f" attributes {{volcli.assume = affine_set<({dims}) : ({', '.join(facts)})>}}" if facts else ""
        )
        lines = [f"func.func @f({', '.join(f'%{each}: index' for each in self.arguments)}){known} {{"]
        lines += [f"  %c{k} = arith.constant {k} : index" for k in (0, 1, 2)]
        lines += [line for each in self.before for line in written(*each)]
        for i, end, step in self.loops:
            lines.append(f"  scf.for %{i} = %c0 to %{end} step %{step} {{")
        lines += [line for each in self.inside for line in written(*each)]
        lines += ["    }" for _ in self.loops]
        return "\n".join([*lines, "  return", "}"])

    def claim_texts(self) -> list[str]:
        return [f"%{a} {relation} %{b} + {c}" for a, relation, b, c in self.claims]


def written(result: str, op: str, a: str, b: str) -> list[str]:
    match op:
        case "select":
            return [f"    %{result}c = arith.cmpi sge, %{a}, %{b} : index",
                    f"    %{result} = arith.select %{result}c, %{a}, %c1 : index"]  # fmt: skip
        case "branch":
            return [f"    %{result}c = arith.cmpi sge, %{b}, %c1 : index",
                    f"    %{result} = scf.if %{result}c -> index {{",
                    f"      %{result}q = arith.floordivsi %{a}, %{b} : index",
                    f"      scf.yield %{result}q : index\n    }} else {{\n      scf.yield %{a} : index\n    }}"]  # fmt: skip
        case _:
            return [f"    %{result} = arith.{op} %{a}, %{b} : index"]


class Undefined(Exception):
    """A division by 0, or a loop in steps that are not positive."""


def executions(program: Program, small: Sequence[int] = SMALL) -> Iterator[Point]:
    """The values in all iterations of all executions for SMALL arguments, up to what is undefined."""
    for values in product(small, repeat=len(program.arguments)):
        yield from _executions(program, dict(zip(program.arguments, values, strict=True)))


def _executions(program: Program, arguments: Point) -> Iterator[Point]:
    point = {**arguments, "c0": 0, "c1": 1, "c2": 2}
    if any(point[x] - (point[y] if y else 0) < c for x, y, c in program.assumed):
        return
    try:
        _compute(program.before, point)
        yield from _iterations(program, point, program.loops)
    except Undefined:
        return


def _iterations(
    program: Program, point: dict[str, int], loops: Sequence[tuple[str, str, str]]
) -> Iterator[Point]:
    if not loops:
        inner = dict(point)
        try:
            _compute(program.inside, inner)
        finally:
            yield inner
        return
    (i, end, step), *others = loops
    if point[step] <= 0:
        raise Undefined
    for number in range(0, point[end], point[step]):
        yield from _iterations(program, {**point, i: number}, others)


def _compute(ops: Sequence[tuple[str, str, str, str]], point: dict[str, int]) -> None:
    for result, op, a, b in ops:
        try:
            point[result] = ARITHMETIC[op](point[a], point[b])
        except ZeroDivisionError:
            raise Undefined from None


# -- drawing ---------------------------------------------------------------------------------------------


def drawn(chance: random.Random) -> Program:
    """A function of two to four arguments, most of them bounded, with products and quotients of them."""
    names = ["n", "b", "m", "k"][: chance.choice((2, 2, 3, 3, 4))]
    assumed: list[tuple[str, str | None, int]] = [
        (name, None, chance.choice((0, 1, 1, 2))) for name in names if chance.random() < 0.8
    ]
    if chance.random() < 0.3:
        first, second = chance.sample(names, 2)
        assumed.append((first, second, chance.choice((0, 1))))
    program = Program(names, assumed)
    known = [*names]
    if chance.random() < 0.5:
        program.before.append(("t", chance.choice(("ceildivsi", "floordivsi", "muli", "addi")), "n", "b"))
        known.append("t")
    for i in ("i", "j")[: chance.choice((0, 0, 1, 1, 2))]:
        program.loops.append((i, chance.choice(known), chance.choice(("c1", "c1", "c1", "b"))))
        known.append(i)
    for number in range(chance.randint(2, 4)):
        name = f"v{number}"
        kind = chance.random()
        op = (
            "muli"
            if kind < 0.5
            else chance.choice(("addi", "subi", "addi", "subi", "minsi", "maxsi", "select", "branch"))
        )
        op = chance.choice(DIVISIONS) if kind > 0.85 else op
        last = known[-1] if number else chance.choice(known)
        pair = [last, chance.choice([*known, "c1", "c2"])]
        if op not in DIVISIONS:
            chance.shuffle(pair)
        elif program.loops:  # no iteration is undefined, for none runs behind it
            positive = [x for x, y, c in assumed if y is None and c >= 1]
            op, pair[1] = (op, chance.choice(positive)) if positive else ("branch", pair[1])
        elif pair[1] not in names:
            pair[1] = chance.choice(names)
        program.inside.append((name, op, pair[0], pair[1]))
        known.append(name)
    made = [r for r, *_ in program.inside]
    for _ in range(CLAIMS):
        relation = chance.choice(list(RELATIONS)[:4] * 3 + ["=", "!="])
        other = chance.choice([*known, "c0", "c1"])
        program.claims.append((chance.choice(made), relation, other, chance.randint(-1, 1)))
    return program


# -- judging ---------------------------------------------------------------------------------------------


def judged(program: Program, folder: Path) -> list[tuple[str, str, str | None]]:
    """What volcli says of each claim, and what is wrong with that; the claims go through the command line."""
    file = folder / "program.mlir"
    file.write_text(program.text())
    options = [part for text in program.claim_texts() for part in ("--compare", text)]
    result = CliRunner().invoke(volcli, ["analyze", str(file), "--format", "json", *options])
    facts = json.loads(result.stdout)["files"][0]["facts"]
    said = {fact["claim"]: fact for fact in facts}
    points = list(executions(program))
    found: list[tuple[str, str, str | None]] = []
    for claim, text in zip(program.claims, program.claim_texts(), strict=True):
        fact = said[text]
        found.append((text, fact["verdict"], _wrong(program, claim, fact, points)))
    return found


def _wrong(
    program: Program, claim: tuple[str, str, str, int], fact: Mapping[str, Any], points: Sequence[Point]
) -> str | None:
    left, relation, right, shift = claim

    def holds(point: Point) -> bool:
        return bool(RELATIONS[relation](point[left], point[right] + shift))

    points = [point for point in points if left in point and right in point]
    if fact["verdict"] == "proved":
        for point in points:
            if not holds(point):
                return f"false at {point}"
        return _by_z3(program, claim)
    if fact["verdict"] == "refuted":
        if fact["never"] and any(map(holds, points)):
            return "it is said never to hold"
        witness = {name.removeprefix("%"): number for name, number in (fact["witness"] or {}).items()}
        return None if fact["witness"] is None else _wrong_witness(program, claim, holds, witness)
    return None


def _wrong_witness(
    program: Program, claim: tuple[str, str, str, int], holds: Callable[[Point], bool], witness: Point
) -> str | None:
    left, _, right, _ = claim
    arguments = {name: witness.get(name, 0) for name in program.arguments}
    free = [name for name in program.arguments if name not in witness]
    near = (number + shift for number in witness.values() for shift in (0, 1))  # x - y >= c is assumed
    for values in product(
        dict.fromkeys((1, 0, 2, -1, 3, *near)), repeat=len(free)
    ):  # what is not named does not matter
        for point in _executions(program, {**arguments, **dict(zip(free, values, strict=True))}):
            meant = all(point.get(name, number) == number for name, number in witness.items())
            if meant and left in point and right in point and not holds(point):
                return None
    return f"the witness {witness} is none"


def _by_z3(program: Program, claim: tuple[str, str, str, int]) -> str | None:
    """Why a proved claim is false, if z3 finds numbers in half a second."""
    left, relation, right, shift = claim
    solver = z3.Solver()
    solver.set("timeout", 500)
    numbers: dict[str, Any] = {name: z3.Int(name) for name in program.arguments}
    numbers |= {f"c{k}": z3.IntVal(k) for k in (0, 1, 2)}
    for x, y, c in program.assumed:
        solver.add(numbers[x] - (numbers[y] if y else 0) >= c)
    for ops in (program.before, None, program.inside):
        if left in numbers and right in numbers:
            break
        if ops is None:
            for i, end, step in program.loops:
                numbers[i] = z3.Int(i)
                count = z3.Int(f"{i}.count")
                solver.add(numbers[i] == count * numbers[step], count >= 0, numbers[step] >= 1)
                solver.add(numbers[i] < numbers[end])
            continue
        for result, op, a, b in ops:
            if left in numbers and right in numbers:
                break
            if op in DIVISIONS:
                solver.add(numbers[b] != 0)
            numbers[result] = _symbolic(op, numbers[a], numbers[b])
    solver.add(z3.Not(RELATIONS[relation](numbers[left], numbers[right] + shift)))
    return f"z3: {solver.model()}" if solver.check() == z3.sat else None


def _symbolic(op: str, a: Any, b: Any) -> Any:
    down = z3.If(b > 0, a / b, (-a) / (-b))  # z3 rounds down for a positive divisor
    up = -z3.If(b > 0, (-a) / b, a / (-b))
    zero = z3.If((a >= 0) == (b > 0), down, up)
    match op:
        case "minsi":
            return z3.If(a < b, a, b)
        case "maxsi":
            return z3.If(a < b, b, a)
        case "select":
            return z3.If(a >= b, a, 1)
        case "branch":
            return z3.If(b >= 1, a / b, a)
        case "floordivsi":
            return down
        case "ceildivsi":
            return up
        case "divsi":
            return zero
        case "remsi":
            return a - b * zero
        case _:
            return ARITHMETIC[op](a, b)


def campaign(programs: int, seed: int = 0) -> tuple[Counter[str], list[str], list[str]]:
    """How often each verdict was given; what was wrong; and what was unknown."""
    chance = random.Random(seed)
    verdicts: Counter[str] = Counter()
    wrong: list[str] = []
    unknown: list[str] = []
    with TemporaryDirectory() as folder:
        for _ in range(programs):
            program = drawn(chance)
            for text, verdict, why in judged(program, Path(folder)):
                verdicts[verdict] += 1
                if why is not None:
                    wrong.append(f"{program.text()}\n{text}: {verdict}, but {why}")
                if verdict == "unknown":
                    unknown.append(f"{program.text()}\n{text}")
    return verdicts, wrong, unknown


if __name__ == "__main__":
    counted, errors, open_ = campaign(*map(int, sys.argv[1:]))
    print(*errors, *open_[:20], counted, f"{len(errors)} wrong", sep="\n\n")
