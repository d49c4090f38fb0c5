"""Claims about random systems that are at the border of what is true: equalities, strict ones, ones off by one.

What small arguments refute is false; a witness is executed.

    python -m tests.model.values.system_goals [PROGRAMS [SEED]]
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from tests.model.values.product_goals import RELATIONS
from tests.model.values.system_drawing import drawn, visible
from tests.model.values.systems import LARGER, SMALL, System, executed, executions
from volcli.cli.commands import volcli

CLAIMS = 12
LONG = 2000
"""From a number of this size on, a loop of a witness begins with the iteration that it names."""


@dataclass
class Side:
    """A name, or `(x + c) * y`."""

    text: str
    names: tuple[str, ...]
    value: Callable[[Mapping[str, int]], int]


@dataclass
class Claim:
    left: Side
    relation: str
    right: Side
    shift: int

    @property
    def text(self) -> str:
        return f"{self.left.text} {self.relation} {self.right.text} + {self.shift}".replace("+ -", "- ")

    def holds(self, point: Mapping[str, int | None]) -> bool | None:
        """Whether it is true at POINT; None if its names are not all there, or poison."""
        names = (*self.left.names, *self.right.names)
        known = {name: n for name in names if (n := point.get(name)) is not None}
        if len(known) < len(set(names)):
            return None
        return bool(RELATIONS[self.relation](self.left.value(known), self.right.value(known) + self.shift))


def _side(chance: random.Random, system: System, names: Sequence[str]) -> Side:
    first = chance.choice([*system.arguments, *names])
    if chance.random() < 0.75:
        return Side(f"%{first}", (first,), lambda point: point[first])
    other, c = chance.choice(system.arguments), chance.choice((0, 1, -1))
    return Side(
        f"(%{other} + {c}) * %{first}".replace("+ -", "- "),
        (other, first),
        lambda point: (point[other] + c) * point[first],
    )


def claims(chance: random.Random, system: System, points: Sequence[Mapping[str, int | None]]) -> list[Claim]:
    """Claims at the least and at the greatest difference of two sides at POINTS, and ones beside these."""
    found: dict[str, Claim] = {}
    blocks = list(visible(system.body, []))
    for _ in range(CLAIMS):
        names = max(blocks, key=len) if chance.random() < 0.6 else chance.choice([b for b in blocks if b])
        left, right = _side(chance, system, names), _side(chance, system, names)
        if not set(names) & {*left.names, *right.names}:
            continue
        same = Claim(left, "=", right, 0)
        known = [point for point in points if same.holds(point) is not None]
        if not known:
            continue
        differences = [left.value(point) - right.value(point) for point in known]  # pyright: ignore[reportArgumentType]
        low, high = min(differences), max(differences)
        relation, shift = chance.choice(
            ((">=", low), (">", low - 1), (">", low), (">=", low + 1), ("!=", low - 1),
             ("<=", high), ("<", high + 1), ("<", high), ("<=", high - 1), ("=", low))
        )  # fmt: skip
        if abs(shift) <= 50:
            claim = Claim(left, relation, right, shift)
            found[claim.text] = claim
    return list(found.values())


# -- judging ---------------------------------------------------------------------------------------------


def judged(
    system: System, asked: Sequence[Claim], folder: Path
) -> Iterator[tuple[Claim, Mapping[str, object]]]:
    """What volcli says of the claims that are ASKED, through the command line."""
    file = folder / "system.mlir"
    file.write_text(system.text())
    options = [part for each in asked for part in ("--compare", each.text)]
    options += [] if system.assumption is None else ["--assume", system.assumption]
    result = CliRunner().invoke(volcli, ["analyze", str(file), "--format", "json", *options])
    said = {fact["claim"]: fact for fact in json.loads(result.stdout)["files"][0]["facts"]}
    for each in asked:
        yield each, said[each.text]


def wrong(system: System, claim: Claim, fact: Mapping[str, object], is_false: bool) -> str | None:
    """What is wrong with FACT, if small arguments say whether the CLAIM IS FALSE somewhere."""
    if fact["verdict"] == "proved":
        return "small arguments refute it" if is_false else None
    witness = fact["witness"]
    if fact["verdict"] != "refuted" or not isinstance(witness, dict):
        return None
    numbers = {str(name).removeprefix("%"): int(n) for name, n in witness.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    free = [name for name in system.arguments if name not in numbers]
    jumps = {name: n for name, n in numbers.items() if abs(n) >= LONG}
    is_long = False
    for values in product((1, 0, 2, -1, 3, 4), repeat=len(free)):
        run = executed(
            system,
            {
                **{k: numbers[k] for k in system.arguments if k in numbers},
                **dict(zip(free, values, strict=True)),
            },
            jumps,
        )
        is_long |= run.is_long
        for point in run.points:
            if claim.holds(point) is False and all(point.get(k, n) == n for k, n in numbers.items()):
                return None
    return None if is_long else f"the witness {witness} is none"


def campaign(programs: int, seed: int = 0) -> tuple[Counter[str], list[str], list[str]]:
    """How often each verdict was given, with whether small arguments refute it; what was wrong; what was unknown."""
    chance = random.Random(seed)
    verdicts: Counter[str] = Counter()
    errors: list[str] = []
    unknown: list[str] = []
    with TemporaryDirectory() as folder:
        for _ in range(programs):
            system = drawn(chance)
            points = [*executions(system, SMALL), *executions(system, LARGER)]
            asked = claims(chance, system, points)
            for claim, fact in judged(system, asked, Path(folder)) if asked else ():
                is_false = any(claim.holds(point) is False for point in points)
                verdicts[f"{fact['verdict']}{', false' if is_false else ''}"] += 1
                text = f"{system.text()}\n{claim.text}  assuming {system.assumption}"
                if (why := wrong(system, claim, fact, is_false)) is not None:
                    errors.append(f"{text}: {fact['verdict']}, but {why}")
                if fact["verdict"] == "unknown":
                    unknown.append(f"{text}  {fact['reason']}")
    return verdicts, errors, unknown


if __name__ == "__main__":
    counted, mistakes, open_ = campaign(*map(int, sys.argv[1:]))
    print(*mistakes, *open_[:40], counted, f"{len(mistakes)} wrong", sep="\n\n")
