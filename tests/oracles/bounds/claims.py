"""Random programs with claims about values at several places, and what is true of them: every run, one by one.

A run has arguments; it logs each value that it computes, with the iterations of the loops around it. A claim about
two values is about all pairs of what they are in one run, of one iteration of each loop around both. A run ends at
an assertion that fails. Whoever refutes a claim shows a run in which it fails; a condition under which a claim
holds is necessary if it says so.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tests.oracles.interpreter.arithmetic import compared
from tests.shared.recorded import Recorded, Run, loops
from volcli.execution.outcomes import Undefined
from volcli.execution.runs.inputs import Inputs

DOMAIN = range(-3, 7)
PREDICATE_OF = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "=": "eq"}
OPERATIONS = ("addi", "subi", "minsi", "maxsi")

Iteration = tuple[tuple[int, int], ...]
Log = dict[str, list[tuple[Iteration, int]]]


@dataclass(frozen=True)
class Claim:
    """`LEFT RELATION RIGHT + OFFSET`, of two values, or of a value and a number."""

    left: str
    relation: str
    right: str | None
    offset: int

    @property
    def text(self) -> str:
        """As volcli reads it."""
        right = "" if self.right is None else f"%{self.right} + "
        return f"%{self.left} {self.relation} {right}{self.offset}"

    def outcomes(self, log: Log) -> Iterator[tuple[Iteration, bool]]:
        """Whether it holds, for each pair of one run and the iterations that both are of."""
        right = [((), 0)] if self.right is None else log.get(self.right, [])
        for (at, a), (other, b) in itertools.product(log.get(self.left, []), right):
            where = dict(at)
            if all(where.get(loop, count) == count for loop, count in other):
                truth = compared(PREDICATE_OF[self.relation], a, b + self.offset)
                yield tuple({**where, **dict(other)}.items()), bool(truth)


@dataclass(frozen=True)
class Program:
    """A function of index ARGUMENTS, assumptions about these, and claims about its values."""

    arguments: tuple[str, ...]
    text: str
    assumptions: tuple[str, ...]
    claims: tuple[Claim, ...]

    @cached_property
    def _recorded(self) -> Recorded:
        return Recorded(self.text, timed=True)

    @cached_property
    def _logs(self) -> dict[tuple[int, ...], Log]:
        return {}

    def run(self, values: Mapping[str, int]) -> Log:
        """What is logged for these VALUES of the arguments; nothing if they are not as assumed."""
        if not self.is_assumed(values):
            return {}
        key = tuple(values[name] for name in self.arguments)
        if key not in self._logs:
            run = self._recorded.run(Inputs(numbers=values))
            assert run.stopped is None or isinstance(run.stopped, Undefined)
            self._logs[key] = dict(self._log(run))
        return self._logs[key]

    def _log(self, run: Run) -> Iterator[tuple[str, list[tuple[Iteration, int]]]]:
        for value, numbers in run.seen.items():
            around = [id(loop) for loop in loops(value)]
            times = (tuple(zip(around, each, strict=True)) for each in run.times(value))
            yield (
                self._recorded.parsed.names.of(value).removeprefix("%"),
                list(zip(times, numbers, strict=True)),
            )

    def is_assumed(self, values: Mapping[str, int]) -> bool:
        """Whether the arguments may have these VALUES."""
        return all(holds(text, values) for text in self.assumptions)

    def runs(self) -> Iterator[tuple[dict[str, int], Log]]:
        """All runs with arguments in DOMAIN."""
        for numbers in itertools.product(DOMAIN, repeat=len(self.arguments)):
            values = dict(zip(self.arguments, numbers, strict=True))
            yield values, self.run(values)


def holds(condition: str, values: Mapping[str, int]) -> bool:
    """Whether a CONDITION on arguments, as volcli writes it, holds; raises SyntaxError if it has quantifiers."""
    if "exists" in condition or "floor" in condition:
        raise SyntaxError(condition)
    text = condition.replace("%", "").replace(" mod ", " % ").replace("true", "True")
    for relation in ("<", ">", "!"):
        text = text.replace(f"{relation}=", f"{relation}~")
    return bool(eval(text.replace("=", "==").replace("~", "="), {}, dict(values)))


class Drawing:
    """A random program that is being written."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.counter = itertools.count()
        self.values: list[str] = []

    def fresh(self, prefix: str) -> str:
        return f"{prefix}{next(self.counter)}"

    def program(self) -> Program:
        """A program whose arguments are bounded by assumptions, or else free."""
        chance = self.chance
        arguments = tuple(f"p{k}" for k in range(chance.choice([1, 2, 2])))
        assumptions: list[str] = []
        if chance.random() < 0.5:
            for name in arguments:
                assumptions += [f"{name} >= {DOMAIN.start}", f"{name} < {DOMAIN.stop}"]
        for _ in range(chance.choice([0, 0, 1, 2])):
            relation = chance.choice(["<=", ">="])
            some = chance.sample(arguments, chance.randint(1, len(arguments)))
            assumptions.append(f"{' + '.join(some)} {relation} {chance.randint(-2, 5)}")
        self.values += arguments
        body = "\n".join(self.block([*arguments], 0, chance.randint(3, 6)))
        claims = tuple(self.claim() for _ in range(6))
        given = ", ".join(f"%{name}: index" for name in arguments)
        text = f"func.func @f({given}) {{\n{body}\nreturn\n}}\n"
        return Program(arguments, text, tuple(assumptions), claims)

    def claim(self) -> Claim:
        chance = self.chance
        left, right = chance.choice(self.values), chance.choice(self.values)
        other = right if chance.random() < 0.5 and right != left else None
        return Claim(left, chance.choice(list(PREDICATE_OF)), other, chance.randint(-2, 6))

    def block(self, seen: list[str], depth: int, size: int) -> list[str]:
        """So many statements, which may use what is SEEN."""
        found: list[str] = []
        for _ in range(size):
            kinds = ["compute", "compute", "assert"]
            kinds += ["if", "if", "for", "for", "while"] if depth < 2 else []
            self.write(self.chance.choice(kinds), found, seen, depth)
        return found

    def write(self, kind: str, found: list[str], seen: list[str], depth: int) -> None:
        chance, inner = self.chance, [*seen]
        if kind == "compute":
            name, operation = self.fresh("v"), chance.choice(OPERATIONS)
            uses = chance.choice(seen), self.number(found, seen)
            found.append(f"%{name} = arith.{operation} %{uses[0]}, %{uses[1]} : index")
            self.values.append(name)
            seen.append(name)
        elif kind == "assert":
            found.append(f'cf.assert %{self.truth(found, seen)}, "no"')
        elif kind == "if":
            truth = self.truth(found, seen)
            yes, no = (self.block([*seen], depth + 1, chance.randint(0, 2)) for _ in range(2))
            found += [f"scf.if %{truth} {{", *yes, "} else {", *no, "}"]
        else:
            name = self.fresh("i" if kind == "for" else "l")
            own = [name] if kind == "for" else [f"{name}x"]
            lower, upper = self.number(found, seen), self.number(found, seen)
            body = self.block([*inner, *own], depth + 1, chance.randint(0, 3))
            found.append(f"%s{name} = arith.constant {chance.choice([1, 1, 2, 3])} : index")
            if kind == "for":
                found += [f"scf.for %{name} = %{lower} to %{upper} step %s{name} {{", *body, "}"]
                self.values += own
                return
            found += _while_lines(name, lower, upper, body)
            self.values += [*own, f"{name}r", f"{name}w"]
            seen.append(f"{name}r")

    def number(self, found: list[str], seen: Sequence[str]) -> str:
        if self.chance.random() < 0.5:
            return self.chance.choice(seen)
        name = self.fresh("c")
        found.append(f"%{name} = arith.constant {self.chance.randint(-2, 6)} : index")
        return name

    def truth(self, found: list[str], seen: Sequence[str]) -> str:
        uses = (self.chance.choice(seen), self.number(found, seen))
        name = self.fresh("b")
        predicate = PREDICATE_OF[self.chance.choice(list(PREDICATE_OF))]
        found.append(f"%{name} = arith.cmpi {predicate}, %{uses[0]}, %{uses[1]} : index")
        return name


def _while_lines(name: str, lower: str, upper: str, body: Sequence[str]) -> list[str]:
    return [
        f"%{name}r = scf.while (%{name}w = %{lower}) : (index) -> index {{",
        f"%{name}c = arith.cmpi slt, %{name}w, %{upper} : index",
        f"scf.condition(%{name}c) %{name}w : index",
        f"}} do {{\n^bb0(%{name}x: index):",
        *body,
        f"%{name}y = arith.addi %{name}x, %s{name} : index",
        f"scf.yield %{name}y : index",
        "}",
    ]
