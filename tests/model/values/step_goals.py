"""Random loops whose steps are values, and claims about them that are true: peeled loops, triangles of tiles, two
levels, remainders that are asserted, conditions joined by andi and ori, minima and squares.

A claim is x >= y + c with the largest c, by enumeration of small arguments, that larger arguments do not lower.

    python -m tests.model.values.step_goals [PROGRAMS [SEED]]
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from tests.model.values.product_goals import ARITHMETIC, RELATIONS, Point, Undefined, written
from volcli.cli.commands import volcli

SMALL, LARGER = range(-1, 5), range(5, 8)
CLAIMS = 8
PREDICATES = {">=": "sge", "=": "eq", "<": "slt", "!=": "ne", ">": "sgt"}
Condition = tuple[str, str, str]


@dataclass(frozen=True)
class Computed:
    """An operation of arith."""

    result: str
    op: str
    left: str
    right: str

    def lines(self) -> Iterator[str]:
        yield from written(self.result, self.op, self.left, self.right)


@dataclass(frozen=True)
class Where:
    """What is asserted, or what a branch needs: CONDITIONS, all of them or (`is_any`) one of them."""

    name: str
    conditions: tuple[Condition, ...]
    is_any: bool = False
    body: Body | None = None

    def holds(self, point: Point) -> bool:
        found = [RELATIONS[relation](point[a], point[b]) for a, relation, b in self.conditions]
        return any(found) if self.is_any else all(found)

    def lines(self) -> Iterator[str]:
        join, last = "arith.ori" if self.is_any else "arith.andi", ""
        for k, (a, relation, b) in enumerate(self.conditions):
            yield f"    %{self.name}_{k} = arith.cmpi {PREDICATES[relation]}, %{a}, %{b} : index"
            if k:
                yield f"    %{self.name}_j{k} = {join} {last}, %{self.name}_{k} : i1"
            last = f"%{self.name}_{'j' if k else ''}{k}"
        if self.body is None:
            yield f'    cf.assert {last}, "{self.name}"'
        else:
            yield f"    scf.if {last} {{"
            yield from self.body.lines()
            yield "    }"


@dataclass(frozen=True)
class Loop:
    """for VARIABLE = LOW to HIGH step STEP."""

    variable: str
    low: str
    high: str
    step: str
    body: Body

    def lines(self) -> Iterator[str]:
        yield f"    scf.for %{self.variable} = %{self.low} to %{self.high} step %{self.step} {{"
        yield from self.body.lines()
        yield "    }"


@dataclass
class Body:
    """A block: its statements, and the names that they may use."""

    names: list[str]
    statements: list[Computed | Where | Loop] = field(default_factory=list[Computed | Where | Loop])

    def lines(self) -> Iterator[str]:
        for each in self.statements:
            yield from each.lines()


def executions(program: Body, arguments: Point) -> Iterator[Point]:
    """The values that are there after each operation, and at the end of each run of each block."""
    try:
        yield from _run(program, {**arguments, "c0": 0, "c1": 1, "c2": 2})
    except Undefined:
        return


def _run(body: Body, point: dict[str, int]) -> Iterator[Point]:
    for each in body.statements:
        match each:
            case Computed():
                try:
                    point[each.result] = ARITHMETIC[each.op](point[each.left], point[each.right])
                except ZeroDivisionError:
                    raise Undefined from None
                yield dict(point)
            case Where(body=None):
                if not each.holds(point):
                    raise Undefined
            case Where(body=Body() as inner):
                if each.holds(point):
                    yield from _run(inner, dict(point))
            case Loop():
                if point[each.step] <= 0:
                    raise Undefined
                for number in range(point[each.low], point[each.high], point[each.step]):
                    yield from _run(each.body, {**point, each.variable: number})
    yield point


# -- drawing ---------------------------------------------------------------------------------------------


@dataclass
class _Writer:
    chance: random.Random
    arguments: list[str]
    made: int = 0

    def fresh(self, stem: str) -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def compute(self, body: Body, op: str, left: str, right: str) -> str:
        result = self.fresh("v")
        body.statements.append(Computed(result, op, left, right))
        body.names.append(result)
        return result

    def program(self) -> Body:
        body = Body([*self.arguments])
        facts: list[Condition] = [("b", ">=", "c1")] if self.chance.random() < 0.8 else []
        facts += [("n", ">=", "c0")] if self.chance.random() < 0.6 else []
        facts += [("c", ">=", "c1")] if "c" in self.arguments else []
        facts += [("m", ">=", "c0")] if "m" in self.arguments and self.chance.random() < 0.7 else []
        if len(facts) > 1 and self.chance.random() < 0.3:
            inner = Body([*body.names])
            body.statements.append(Where(self.fresh("w"), tuple(facts), body=inner))
            self.tiles(inner)
            return body
        is_joined = self.chance.random() < 0.5
        for each in [tuple(facts)] if is_joined and facts else [(fact,) for fact in facts]:
            body.statements.append(Where(self.fresh("w"), each))
        self.tiles(body)
        return body

    def tiles(self, body: Body) -> None:
        """A loop over tiles, whole or peeled, what is in it, and often the loop over what is left."""
        high, step = "n", "b"
        kind = self.chance.random()
        if "c" in self.arguments and self.chance.random() < 0.6:
            step = self.compute(body, "muli", "b", "c")
        if kind < 0.3:  # peeled
            if self.chance.random() < 0.5:
                high = self.compute(body, "subi", "n", self.compute(body, "remsi", "n", step))
            else:
                high = self.compute(body, "muli", self.compute(body, "floordivsi", "n", step), step)
        elif kind < 0.5:
            rest = self.compute(body, "remsi", "n", step)
            body.statements.append(Where(self.fresh("w"), ((rest, "=", "c0"),)))
        low = "m" if "m" in self.arguments and kind > 0.8 else "c0"
        loop = self.loop(body, low, high, step)
        self.inside(loop, low, high, step)
        if high != "n":
            self.plain(self.loop(body, high, "n", "c1"), "n")

    def loop(self, body: Body, low: str, high: str, step: str) -> Loop:
        variable = self.fresh("i")
        loop = Loop(variable, low, high, step, Body([*body.names, variable]))
        body.statements.append(loop)
        return loop

    def inside(self, loop: Loop, low: str, high: str, step: str) -> None:
        """What is computed of a tile, and one more loop."""
        body, here = loop.body, loop.variable
        end = self.compute(body, "addi", here, step)
        for _ in range(self.chance.randint(1, 2)):
            self.computed(body, here, low, step)
        stop = end if self.chance.random() < 0.4 else self.compute(body, "minsi", end, high)
        kind = self.chance.random()
        if step != "b":  # tiles of tiles
            inner = self.loop(body, here, stop, "b")
        elif kind < 0.3:  # triangles of tiles
            inner = self.loop(body, low, end, "b")
        elif kind < 0.5:
            inner = self.loop(body, here, high, "b")
        else:
            self.plain(self.loop(body, here, stop, "c1"), stop)
            return
        self.compute(inner.body, "addi", inner.variable, "b")
        self.computed(inner.body, inner.variable, here, "b")
        if self.chance.random() < 0.5:
            last = self.compute(inner.body, "addi", inner.variable, "b")
            self.plain(self.loop(inner.body, inner.variable, last, "c1"), last)

    def computed(self, body: Body, here: str, low: str, step: str) -> None:
        match self.chance.randrange(5):
            case 0:
                self.compute(body, "subi", here, low)
            case 1:
                offset = here if low == "c0" else self.compute(body, "subi", here, low)
                self.compute(body, self.chance.choice(("floordivsi", "remsi")), offset, step)
            case 2:
                self.compute(body, "minsi", self.compute(body, "subi", "n", here), step)
            case 3:
                first, second = self.compute(body, "muli", here, here), self.compute(body, "muli", "b", "b")
                self.compute(body, "addi", first, second)
                self.compute(body, "muli", self.compute(body, "muli", here, "c2"), "b")
            case _:
                self.compute(body, "muli", self.compute(body, "addi", here, step), "b")

    def plain(self, loop: Loop, high: str) -> None:
        """What is computed in a loop over points."""
        body, here = loop.body, loop.variable
        if self.chance.random() < 0.3:
            is_any = self.chance.random() < 0.5
            conditions = (
                ((here, "<", "n"), (here, ">=", "b")) if not is_any else ((here, ">", "b"), (here, "=", "b"))
            )
            inner = Body([*body.names])
            body.statements.append(Where(self.fresh("w"), conditions, is_any, inner))
            body = inner
        self.compute(body, "subi", high, here)
        self.compute(body, "muli", self.compute(body, "subi", here, loop.low), "b")


def drawn(chance: random.Random) -> tuple[Sequence[str], Body]:
    """The arguments of a function, and its body."""
    arguments = ["n", "b", *chance.choice(([], ["m"], ["c"]))]
    return arguments, _Writer(chance, arguments).program()


def text_of(arguments: Sequence[str], body: Body) -> str:
    lines = [f"func.func @f({', '.join(f'%{each}: index' for each in arguments)}) {{"]
    lines += [f"  %c{k} = arith.constant {k} : index" for k in (0, 1, 2)]
    return "\n".join([*lines, *body.lines(), "  return", "}"])


# -- claims ----------------------------------------------------------------------------------------------


def points(arguments: Sequence[str], body: Body, numbers: Sequence[int]) -> Iterator[Point]:
    for values in product(numbers, repeat=len(arguments)):
        yield from executions(body, dict(zip(arguments, values, strict=True)))


def claims(chance: random.Random, arguments: Sequence[str], body: Body) -> list[tuple[str, str, int]]:
    """(x, y, c) with x >= y + c wherever both are computed, for small arguments."""
    small = list(points(arguments, body, SMALL))
    larger = list(points(arguments, body, [*SMALL, *LARGER]))
    innermost = max(small, key=len)
    names = [name for name in innermost if name not in ("c1", "c2")]
    made = [name for name in names if name[0] in "vi"]
    found: dict[tuple[str, str, int], None] = {}
    for _ in range(60):
        x, y = chance.choice(made), chance.choice(names)
        if chance.random() < 0.5:
            x, y = y, x
        if x == y or not (set(made) & {x, y}):
            continue
        least = _least(small, x, y)
        if least is not None and abs(least) <= 2 and least == _least(larger, x, y):
            found[x, y, least] = None
        if len(found) == CLAIMS:
            break
    return list(found)


def _least(found: Sequence[Point], x: str, y: str) -> int | None:
    return min((point[x] - point[y] for point in found if x in point and y in point), default=None)


def campaign(programs: int, seed: int = 0) -> tuple[Counter[str], list[str], list[str]]:
    """How often each verdict was given of claims that enumeration finds true; what was wrong; what was unknown."""
    chance = random.Random(seed)
    verdicts: Counter[str] = Counter()
    wrong: list[str] = []
    unknown: list[str] = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "program.mlir"
        for _ in range(programs):
            arguments, body = drawn(chance)
            asked = {f"%{x} >= %{y} + {c}": (x, y, c) for x, y, c in claims(chance, arguments, body)}
            if not asked:
                continue
            text = text_of(arguments, body)
            file.write_text(text)
            options = [part for each in asked for part in ("--compare", each)]
            result = CliRunner().invoke(volcli, ["analyze", str(file), "--format", "json", *options])
            for fact in json.loads(result.stdout)["files"][0]["facts"]:
                verdicts[fact["verdict"]] += 1
                if fact["verdict"] == "unknown":
                    unknown.append(f"{text}\n{fact['claim']}")
                if fact["verdict"] == "refuted" and not _is_refuted(
                    arguments, body, asked[fact["claim"]], fact["witness"]
                ):
                    wrong.append(f"{text}\n{fact['claim']} is refuted by {fact['witness']}")
    return verdicts, wrong, unknown


def _is_refuted(
    arguments: Sequence[str], body: Body, claim: tuple[str, str, int], witness: Mapping[str, int] | None
) -> bool:
    """Whether in the execution that WITNESS names the claim is false."""
    known = {name.removeprefix("%"): number for name, number in (witness or {}).items()}
    x, y, least = claim
    free = [name for name in arguments if name not in known]
    return any(
        x in point and y in point and point[x] - point[y] < least
        for values in product((1, 0, 2), repeat=len(free))
        for point in executions(
            body, {**{k: known[k] for k in arguments if k in known}, **dict(zip(free, values, strict=True))}
        )
    )


if __name__ == "__main__":
    counted, errors, open_ = campaign(*map(int, sys.argv[1:]))
    print(*errors, *open_[:40], counted, f"{len(errors)} wrong", sep="\n\n")
