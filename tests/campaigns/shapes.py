"""Random texts of few operations around integers: accesses, affine maps, loops, chains of one kind of operation."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.oracles.arith.execute import BINARY
from tests.oracles.arith.programs import INDEX_NAMES
from tests.oracles.interpreter.arithmetic import PREDICATES

KINDS = ("i8", "i8", "i16", "i32", "i32", "i64", "index", "index")
WRAPPING = ("addi", "subi", "muli", "shli", "xori", "andi", "remsi", "remui", "divui", "shrui")
EXTREMA = ("minsi", "maxsi", "minui", "maxui")


def bits(kind: str) -> int:
    """The bits of a number of KIND.

    >>> bits("index"), bits("i8")
    (64, 8)
    """
    return 64 if kind == "index" else int(kind[1:])


class Text:
    """Writes a function of at most so many operations, line by line."""

    def __init__(self, chance: random.Random, most: int) -> None:
        self.chance, self.left = chance, most
        self.arguments = {name: chance.choice(KINDS) for name in ("%a", "%b", "%c")}
        self.kinds = dict(self.arguments)
        self.memory = {"%m": "memref<16xi8>", "%d": "memref<?xi32>", "%t": "memref<?x8xi32>"}
        self.lines: list[str] = []
        self._made = 0

    def fresh(self) -> str:
        """A name."""
        self._made += 1
        return f"%v{self._made}"

    def add(self, text: str, kind: str) -> str:
        """The operation TEXT, which is written; its result, of KIND."""
        name = self.fresh()
        self.write(f"{name} = {text}")
        self.kinds[name] = kind
        return name

    def write(self, text: str) -> None:
        """An operation without results that are used."""
        self.left -= 1
        self.lines.append(text)

    def constant(self, kind: str) -> str:
        """A number that is worth to be tried."""
        half: int = 2 ** (bits(kind) - 1)
        numbers = (-half, -1, 0, 1, 2, 3, 5, 7, 16, 100, half - 1)
        number = self.chance.choice([each for each in numbers if -half <= each < half])
        return self.add(f"arith.constant {'true' if kind == 'i1' else f'{number} : {kind}'}", kind)

    def some(self, kind: str) -> str:
        """A value of KIND: one of the last ones, a constant, or a cast of a value."""
        values = [name for name, each in self.kinds.items() if each == kind]
        if values and self.chance.random() < 0.8:
            return self.chance.choice(values[-4:])
        others = [name for name, each in self.kinds.items() if each not in (kind, "i1")]
        if self.chance.random() < 0.3 or not others or kind == "i1":
            return self.constant(kind)
        return self.cast(self.chance.choice(others[-3:]), kind)

    def cast(self, value: str, kind: str) -> str:
        """VALUE as a number of KIND."""
        source = self.kinds[value]
        if source == kind:
            return value
        if "index" in (source, kind):
            names: Sequence[str] = ("index_cast", "index_castui")
        elif bits(source) == bits(kind):
            return value
        else:
            names = ("extsi", "extui") if bits(kind) > bits(source) else ("trunci",)
        return self.add(f"arith.{self.chance.choice(names)} {value} : {source} to {kind}", kind)

    def binary(self, kind: str, names: Sequence[str]) -> str:
        """One of the operations NAMES of two values of KIND."""
        name, left, right = self.chance.choice(names), self.some(kind), self.some(kind)
        if kind == "index" and name in INDEX_NAMES and self.chance.random() < 0.5:
            return self.add(f"index.{INDEX_NAMES[name]} {left}, {right}", kind)
        return self.add(f"arith.{name} {left}, {right} : {kind}", kind)

    def compared(self) -> str:
        """A comparison of two values, or two of them joined."""
        truths = [name for name, each in self.kinds.items() if each == "i1"]
        if len(truths) > 1 and self.chance.random() < 0.3:
            joined = self.chance.choice(("andi", "ori", "xori"))
            return self.add(f"arith.{joined} {truths[-1]}, {truths[-2]} : i1", "i1")
        kind = self.chance.choice([each for each in self.kinds.values() if each != "i1"])
        predicate = self.chance.choice(list(PREDICATES))
        return self.add(f"arith.cmpi {predicate}, {self.some(kind)}, {self.some(kind)} : {kind}", "i1")

    def inside(self, write: Callable[[], object]) -> None:
        """What WRITE writes, whose values end with it."""
        around = dict(self.kinds)
        write()
        self.kinds = around

    def program(self) -> str:
        """The text of what was written."""
        arguments = ", ".join(f"{name}: {kind}" for name, kind in (self.arguments | self.memory).items())
        return "\n".join([f"func.func @f({arguments}) {{", *self.lines, "return", "}", ""])


# -- what a function is made of -----------------------------------------------------------------------------


def arithmetic(text: Text) -> None:
    """Operations that wrap around, on one kind of number."""
    kind = text.chance.choice(KINDS)
    for _ in range(text.chance.randint(1, 4)):
        text.binary(kind, text.chance.choice((WRAPPING, tuple(BINARY))))


def ladder(text: Text) -> None:
    """Minima and maxima of each other."""
    kind = text.chance.choice(KINDS)
    for _ in range(text.chance.randint(2, 7)):
        text.binary(kind, (*EXTREMA, text.chance.choice(WRAPPING)))


def selects(text: Text) -> None:
    """Selections between values, each by a comparison."""
    kind = text.chance.choice(KINDS)
    for _ in range(text.chance.randint(1, 4)):
        condition = text.compared()
        text.add(f"arith.select {condition}, {text.some(kind)}, {text.some(kind)} : {kind}", kind)


def casts(text: Text) -> None:
    """Casts between kinds, with an operation after each."""
    for _ in range(text.chance.randint(1, 4)):
        kind = text.chance.choice(KINDS)
        text.cast(text.chance.choice([name for name, each in text.kinds.items() if each != "i1"][-3:]), kind)
        text.binary(kind, WRAPPING)


def affine(text: Text) -> None:
    """Affine maps with quotients and remainders, of each other."""
    for _ in range(text.chance.randint(1, 5)):
        operation = text.chance.choice(("apply", "apply", "min", "max"))
        results = ", ".join(_quotient(text.chance) for _ in range(1 if operation == "apply" else 2))
        operands = f"({text.some('index')}, {text.some('index')})"
        text.add(f"affine.{operation} affine_map<(d0, d1) -> ({results})>{operands}", "index")


def _quotient(chance: random.Random) -> str:
    divisor, factor = chance.choice((2, 3, 4, 7, 16, 100)), chance.choice((1, 1, 2, -1, 5))
    inner = f"(d0 + d1 * {factor} + {chance.randint(-3, 9)})"
    return f"{inner} {chance.choice(('mod', 'floordiv', 'ceildiv'))} {divisor} + d{chance.randint(0, 1)}"


def access(text: Text) -> None:
    """A load or a store at numbers of the function."""
    memory, kind = text.chance.choice([*text.memory.items()])
    subscripts = ", ".join(text.some("index") for _ in range(kind.count("x")))
    element = "i8" if kind.endswith("i8>") else "i32"
    if text.chance.random() < 0.5:
        text.add(f"memref.load {memory}[{subscripts}] : {kind}", element)
    else:
        text.write(f"memref.store {text.some(element)}, {memory}[{subscripts}] : {kind}")


def branch(text: Text) -> None:
    """scf.if of a comparison, with a result."""
    kind = text.chance.choice(KINDS)
    header = f"scf.if {text.compared()} -> ({kind}) {{"
    name = text.fresh()
    text.write(f"{name} = {header}")
    text.inside(lambda: _region(text, kind, "scf.yield"))
    text.lines.append("} else {")
    text.inside(lambda: _region(text, kind, "scf.yield"))
    text.lines.append("}")
    text.kinds[name] = kind


def loop(text: Text) -> None:
    """scf.for that carries a value."""
    kind, counted = text.chance.choice(KINDS), text.chance.choice(("index", "index", "i32", "i8"))
    low, high = text.some(counted), text.some(counted)
    step = text.add(f"arith.constant {text.chance.choice((1, 1, 2, 3))} : {counted}", counted)
    counter, carried, initial, name = text.fresh(), text.fresh(), text.some(kind), text.fresh()
    suffix = "" if counted == "index" else f" : {counted}"
    text.write(
        f"{name} = scf.for {counter} = {low} to {high} step {step} iter_args({carried} = {initial}) "
        f"-> ({kind}){suffix} {{"
    )
    around = dict(text.kinds)
    text.kinds |= {counter: counted, carried: kind}
    _region(text, kind, "scf.yield")
    text.kinds = {**around, name: kind}
    text.lines.append("}")


def condition_loop(text: Text) -> None:
    """scf.while that goes on by a comparison."""
    kind = text.chance.choice(KINDS)
    before, after, initial, name = text.fresh(), text.fresh(), text.some(kind), text.fresh()
    text.write(f"{name} = scf.while ({before} = {initial}) : ({kind}) -> {kind} {{")
    around = dict(text.kinds)
    text.kinds[before] = kind
    end = text.some(kind)
    again = text.add(f"arith.cmpi {text.chance.choice(list(PREDICATES))}, {before}, {end} : {kind}", "i1")
    text.lines += [f"scf.condition({again}) {before} : {kind}", "} do {", f"^bb0({after}: {kind}):"]
    text.kinds = {**around, after: kind}
    _region(text, kind, "scf.yield")
    text.kinds = {**around, name: kind}
    text.lines.append("}")


def _region(text: Text, kind: str, end: str) -> None:
    for _ in range(text.chance.randint(0, 2)):
        if text.left > 4:
            text.chance.choice((arithmetic, access, access, affine, selects, loop))(text)
    text.lines.append(f"{end} {text.some(kind)} : {kind}")


PARTS = (
    arithmetic, ladder, selects, casts, affine, access, access, branch, loop, loop, condition_loop
)  # fmt: skip


def shapes(seed: str, most: int = 20) -> str:
    """The text of a function of at most MOST operations."""
    chance = random.Random(f"shape {seed}")
    while True:
        text = Text(chance, most)
        while text.left > 5 and (text.left == most or chance.random() < 0.9):
            chance.choice(PARTS)(text)
        access(text)
        if text.left >= 0:
            return text.program()
