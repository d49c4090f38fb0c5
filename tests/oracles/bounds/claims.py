"""Random programs with claims about values at several places, and what is true of them: every run, one by one.

A run has arguments; it logs each value that it computes, with the iterations of the loops around it. A claim about
two values is about all pairs of what they are in one run, of one iteration of each loop around both. A run ends at
an assertion that fails. Whoever refutes a claim shows a run in which it fails; a condition under which a claim
holds is necessary if it says so. Nothing here knows volcli.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tests.oracles.interpreter.arithmetic import arith, compared

DOMAIN = range(-3, 7)
MOST_ITERATIONS = 40
PREDICATE_OF = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "=": "eq"}
OPERATIONS = ("addi", "subi", "minsi", "maxsi")

Iteration = tuple[tuple[int, int], ...]
Log = dict[str, list[tuple[Iteration, int]]]


class Ended(Exception):
    """An assertion failed, or a loop goes on for ever."""


@dataclass(frozen=True)
class Statement:
    """One operation: KIND says which; it computes NAME of USES and has BODIES; TEXT is its operation or number."""

    kind: str
    name: str = ""
    text: str = ""
    uses: tuple[str, ...] = ()
    bodies: tuple[tuple[Statement, ...], ...] = ()
    number: int = 0


@dataclass
class Run:
    """One execution, and what it has logged."""

    log: Log = field(default_factory=Log)
    iteration: Iteration = ()

    def of(self, body: Sequence[Statement], values: Mapping[str, int]) -> dict[str, int]:
        """The values after BODY."""
        now = dict(values)
        for statement in body:
            self.step(statement, now)
        return now

    def note(self, name: str, value: int, now: dict[str, int]) -> None:
        """NAME is VALUE from now on."""
        now[name] = value
        self.log.setdefault(name, []).append((self.iteration, value))

    def step(self, statement: Statement, now: dict[str, int]) -> None:
        """Run one STATEMENT."""
        used = [now[name] for name in statement.uses]
        match statement.kind:
            case "constant":
                now[statement.name] = statement.number
            case "compute":
                self.note(statement.name, arith(statement.text, *used), now)
            case "compare":
                now[statement.name] = compared(PREDICATE_OF[statement.text], *used)
            case "assert":
                if not used[0]:
                    raise Ended
            case "if":
                self.of(statement.bodies[0 if used[0] else 1], now)
            case "for":
                self.counted(statement, now, used)
            case _:
                self.unbounded(statement, now, used)

    def counted(self, statement: Statement, now: dict[str, int], used: Sequence[int]) -> None:
        """scf.for from the first to the second operand."""
        outer = self.iteration
        for count, value in enumerate(range(used[0], used[1], statement.number)):
            self.iteration = (*outer, (id(statement), count))
            inside = dict(now)
            self.note(statement.name, value, inside)
            self.of(statement.bodies[0], inside)
        self.iteration = outer

    def unbounded(self, statement: Statement, now: dict[str, int], used: Sequence[int]) -> None:
        """scf.while from the first operand, while the state is less than the second one."""
        outer, state = self.iteration, used[0]
        for count in range(MOST_ITERATIONS):
            self.iteration = (*outer, (id(statement), count))
            inside = dict(now)
            self.note(f"{statement.name}w", state, inside)
            if state >= used[1]:
                self.iteration = outer
                self.note(f"{statement.name}r", state, now)
                return
            self.note(f"{statement.name}x", state, inside)
            self.of(statement.bodies[0], inside)
            state += statement.number
        raise Ended


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
    body: tuple[Statement, ...]
    assumptions: tuple[str, ...]
    claims: tuple[Claim, ...]

    @property
    def text(self) -> str:
        """In MLIR."""
        arguments = ", ".join(f"%{name}: index" for name in self.arguments)
        lines = "\n".join(_lines(self.body, "  "))
        return f"func.func @f({arguments}) {{\n{lines}\n  return\n}}\n"

    def run(self, values: Mapping[str, int]) -> Log:
        """What is logged for these VALUES of the arguments; nothing if they are not as assumed."""
        run = Run()
        if self.is_assumed(values):
            now: dict[str, int] = {}
            for name in self.arguments:
                run.note(name, values[name], now)
            with suppress(Ended):
                run.of(self.body, now)
        return run.log

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


def _lines(body: Sequence[Statement], indent: str) -> Iterator[str]:
    for each in body:
        uses = [f"%{name}" for name in each.uses]
        match each.kind:
            case "constant":
                yield f"{indent}%{each.name} = arith.constant {each.number} : index"
            case "compute":
                yield f"{indent}%{each.name} = arith.{each.text} {', '.join(uses)} : index"
            case "compare":
                yield f"{indent}%{each.name} = arith.cmpi {PREDICATE_OF[each.text]}, {', '.join(uses)} : index"
            case "assert":
                yield f'{indent}cf.assert {uses[0]}, "no"'
            case "if":
                yield f"{indent}scf.if {uses[0]} {{"
                yield from _lines(each.bodies[0], indent + "  ")
                yield f"{indent}}} else {{"
                yield from _lines(each.bodies[1], indent + "  ")
                yield f"{indent}}}"
            case "for":
                yield f"{indent}%s{each.name} = arith.constant {each.number} : index"
                yield f"{indent}scf.for %{each.name} = {uses[0]} to {uses[1]} step %s{each.name} {{"
                yield from _lines(each.bodies[0], indent + "  ")
                yield f"{indent}}}"
            case _:
                yield from _while_lines(each, uses, indent)


def _while_lines(each: Statement, uses: Sequence[str], indent: str) -> Iterator[str]:
    name = each.name
    yield f"{indent}%s{name} = arith.constant {each.number} : index"
    yield f"{indent}%{name}r = scf.while (%{name}w = {uses[0]}) : (index) -> index {{"
    yield f"{indent}  %{name}c = arith.cmpi slt, %{name}w, {uses[1]} : index"
    yield f"{indent}  scf.condition(%{name}c) %{name}w : index"
    yield f"{indent}}} do {{"
    yield f"{indent}^bb0(%{name}x: index):"
    yield from _lines(each.bodies[0], indent + "  ")
    yield f"{indent}  %{name}y = arith.addi %{name}x, %s{name} : index"
    yield f"{indent}  scf.yield %{name}y : index"
    yield f"{indent}}}"


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
        body = self.block([*arguments], 0, chance.randint(3, 6))
        claims = tuple(self.claim() for _ in range(6))
        return Program(arguments, body, tuple(assumptions), claims)

    def claim(self) -> Claim:
        chance = self.chance
        left, right = chance.choice(self.values), chance.choice(self.values)
        other = right if chance.random() < 0.5 and right != left else None
        return Claim(left, chance.choice(list(PREDICATE_OF)), other, chance.randint(-2, 6))

    def block(self, seen: list[str], depth: int, size: int) -> tuple[Statement, ...]:
        """So many statements, which may use what is SEEN."""
        found: list[Statement] = []
        for _ in range(size):
            kinds = ["compute", "compute", "assert"]
            kinds += ["if", "if", "for", "for", "while"] if depth < 2 else []
            self.write(self.chance.choice(kinds), found, seen, depth)
        return tuple(found)

    def write(self, kind: str, found: list[Statement], seen: list[str], depth: int) -> None:
        chance, inner = self.chance, [*seen]
        if kind == "compute":
            name, operation = self.fresh("v"), chance.choice(OPERATIONS)
            found.append(Statement(kind, name, operation, (chance.choice(seen), self.number(found, seen))))
            self.values.append(name)
            seen.append(name)
        elif kind == "assert":
            found.append(Statement(kind, uses=(self.truth(found, seen),)))
        elif kind == "if":
            truth = self.truth(found, seen)
            bodies = tuple(self.block([*seen], depth + 1, chance.randint(0, 2)) for _ in range(2))
            found.append(Statement(kind, uses=(truth,), bodies=bodies))
        else:
            name = self.fresh("i" if kind == "for" else "l")
            own = [name] if kind == "for" else [f"{name}x"]
            uses = (self.number(found, seen), self.number(found, seen))
            body = self.block([*inner, *own], depth + 1, chance.randint(0, 3))
            found.append(Statement(kind, name, "", uses, (body,), chance.choice([1, 1, 2, 3])))
            results = [] if kind == "for" else [f"{name}r"]
            self.values += [*own, *results, *([] if kind == "for" else [f"{name}w"])]
            seen += results

    def number(self, found: list[Statement], seen: Sequence[str]) -> str:
        if self.chance.random() < 0.5:
            return self.chance.choice(seen)
        name = self.fresh("c")
        found.append(Statement("constant", name, number=self.chance.randint(-2, 6)))
        return name

    def truth(self, found: list[Statement], seen: Sequence[str]) -> str:
        uses = (self.chance.choice(seen), self.number(found, seen))
        name = self.fresh("b")
        found.append(Statement("compare", name, self.chance.choice(list(PREDICATE_OF)), uses))
        return name
