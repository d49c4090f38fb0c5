"""Random programs whose subscripts depend on data, with calls that do what volcli cannot see; and runs of them.

All numbers are of index type, in buffers of SIZE elements: %A and %X are arguments, @g is a global, %L is allocated.
A run chooses the data of the arguments, whether two of them (or one and the global) are the same memory, and what
each external call reads and writes of the memory that it may reach: arguments, globals, and %L once that has
escaped. (volcli sees the call alone.)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.oracles.interpreter.storage import Memory

SIZE = 5
LONGEST = 3
MOST = 4
Ivs = tuple[int, ...]
Moment = tuple[int, Ivs]  # the line of an access, and the induction variables around it
Element = tuple[str, int]


@dataclass(frozen=True)
class Statement:
    """One statement: its KIND, the line that it is on, names and numbers of it, and what is inside."""

    kind: str
    line: int
    result: str = ""
    buffer: str = ""
    index: str = ""
    inside: tuple[Statement, ...] = ()


@dataclass
class Program:
    """The text, and the statements of the function's body."""

    lines: list[str] = field(default_factory=list)
    body: tuple[Statement, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


HEAD = f"""memref.global "private" @g : memref<{SIZE}xindex> = uninitialized
func.func private @other()
func.func private @take(memref<{SIZE}xindex>)
func.func private @point(index)
func.func @f(%A: memref<{SIZE}xindex>, %X: memref<{SIZE}xindex>, %P: memref<memref<{SIZE}xindex>>,
             %any: () -> (), %of: (memref<{SIZE}xindex>) -> ()) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %cN = arith.constant {SIZE} : index
  %G = memref.get_global @g : memref<{SIZE}xindex>
  %L = memref.alloc() : memref<{SIZE}xindex>"""
CONSTANTS = {"%c0": 0, "%c1": 1, "%c2": 2, "%cN": SIZE}
TYPE = f"memref<{SIZE}xindex>"

CARRIED = {
    "last": ["scf.yield %w{n} : index"],
    "count": [
        "%p{n} = arith.cmpi sgt, %w{n}, %c2 : index",
        "%k{n} = arith.addi %a{n}, %c1 : index",
        "%s{n} = arith.select %p{n}, %k{n}, %a{n} : index",
        "scf.yield %s{n} : index",
    ],
    "argument": [
        "%p{n} = arith.cmpi eq, %w{n}, %c1 : index",
        "%s{n} = scf.if %p{n} -> index {{",
        "  scf.yield %j{n} : index",
        "}} else {{",
        "  scf.yield %a{n} : index",
        "}}",
        "scf.yield %s{n} : index",
    ],
}
"""What a loop over %X carries: its last element, how many are greater than 2, where the last 1 is."""
COMPACT = [
    "%p{n} = arith.cmpi sgt, %w{n}, %c2 : index",
    "%s{n} = scf.if %p{n} -> index {{",
    "  memref.store %w{n}, %L[%a{n}] : " + TYPE,
    "  %k{n} = arith.addi %a{n}, %c1 : index",
    "  scf.yield %k{n} : index",
    "}} else {{",
    "  scf.yield %a{n} : index",
    "}}",
    "scf.yield %s{n} : index",
]
WHILE = [
    "%r{n} = scf.while (%a{n} = %c0) : (index) -> index {{",
    "  %p{n} = arith.cmpi slt, %a{n}, %c2 : index",
    "  scf.condition(%p{n}) %a{n} : index",
    "}} do {{",
    "^bb0(%b{n}: index):",
    "  %w{n} = memref.load %X[%b{n}] : " + TYPE,
    "  %m{n} = arith.maxsi %w{n}, %c1 : index",
    "  %k{n} = arith.addi %b{n}, %m{n} : index",
    "  scf.yield %k{n} : index",
    "}}",
]
"""Steps through %X by what is there, from 0 to 2 or beyond."""
ESCAPES = {
    "take": ["func.call @take(%L) : (" + TYPE + ") -> ()"],
    "indirect": ["func.call_indirect %of(%L) : (" + TYPE + ") -> ()"],
    "store": ["memref.store %L, %P[] : memref<" + TYPE + ">"],
    "pointer": ["%q{n} = memref.extract_aligned_pointer_as_index %L : " + TYPE + " -> index"],
    "keep": ['%q{n} = "other.keep"(%L) : (' + TYPE + ") -> i64"],
    "view": [
        "%q{n} = memref.subview %L[0] [2] [1] : " + TYPE + " to memref<2xindex, strided<[1]>>",
        '"other.keep"(%q{n}) : (memref<2xindex, strided<[1]>>) -> ()',
    ],
}
CALLS = [
    "func.call @other() : () -> ()",
    '"other.use"() : () -> ()',
    "func.call_indirect %any() : () -> ()",
    "func.call_indirect %of(%A) : (" + TYPE + ") -> ()",
]
ALIASES = ({}, {"%X": "%A"}, {"%A": "%G"}, {"%X": "%G"})
"""Which buffers are the same memory: none, or one of the arguments is another buffer."""


class Drawing:
    """Draws one program."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.program = Program(HEAD.split("\n"))
        self.fresh = 0

    def drawn(self) -> Program:
        self.program.body = tuple(self.block(0, ["%c0", "%c1", "%c2"], self.chance.randint(3, 7)))
        self.program.lines += ["  return", "}"]
        return self.program

    def write(self, depth: int, lines: list[str]) -> int:
        """Add LINES; the number of the first."""
        first = len(self.program.lines) + 1
        self.program.lines += ["  " * (depth + 1) + line.format(n=self.fresh) for line in lines]
        return first

    def block(self, depth: int, names: list[str], count: int) -> Iterator[Statement]:
        for _ in range(count):
            kinds = ["access"] * 6 + ["carry"] * 2 + ["escape", "call", "compact", "steps"]
            kinds += ["loop", "if"] * (depth < LONGEST - 1)
            yield from getattr(self, self.chance.choice(kinds))(depth, names)

    def access(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        buffer, index = self.chance.choice(["%A", "%L", "%L", "%G", "%L"]), self.chance.choice(names)
        if self.chance.random() < 0.6:
            value = self.chance.choice(names)
            line = self.write(depth, [f"memref.store {value}, {buffer}[{index}] : {TYPE}"])
            yield Statement("store", line, value, buffer, index)
        else:
            line = self.write(depth, [f"%v{self.fresh} = memref.load {buffer}[{index}] : {TYPE}"])
            yield Statement("load", line, f"%v{self.fresh}", buffer, index)
            if buffer == "%A":
                names.append(f"%v{self.fresh}")

    def carry(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        n, kind = self.fresh, self.chance.choice(sorted(CARRIED))
        head = f"%r{n} = scf.for %j{n} = %c0 to %cN step %c1 iter_args(%a{n} = %c0) -> (index) {{{{"
        load = f"  %w{n} = memref.load %X[%j{n}] : {TYPE}"
        line = self.write(depth, [head, load, *("  " + each for each in CARRIED[kind]), "}}"]) + 1
        yield Statement(kind, line, f"%r{n}")
        names.append(f"%r{n}")

    def compact(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        n = self.fresh
        head = f"%r{n} = scf.for %j{n} = %c0 to %cN step %c1 iter_args(%a{n} = %c0) -> (index) {{{{"
        load = f"  %w{n} = memref.load %X[%j{n}] : {TYPE}"
        line = self.write(depth, [head, load, *("  " + each for each in COMPACT), "}}"]) + 1
        yield Statement("compact", line, f"%r{n}")
        names.append(f"%r{n}")

    def steps(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        yield Statement("steps", self.write(depth, WHILE) + 5, f"%r{self.fresh}")
        names.append(f"%r{self.fresh}")

    def escape(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        kind = self.chance.choice(sorted(ESCAPES))
        yield Statement("escape", self.write(depth, ESCAPES[kind]))
        yield from self.call(depth, names)

    def call(self, depth: int, _: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        yield Statement("call", self.write(depth, [self.chance.choice(CALLS)]))

    def loop(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        iv = f"%i{self.fresh}"
        end = self.chance.choice(["%c2", "%c2", *names])
        line = self.write(depth, [f"scf.for {iv} = %c0 to {end} step %c1 {{{{"])
        inside = tuple(self.block(depth + 1, [*names, iv], self.chance.randint(1, 3)))
        self.write(depth, ["}}"])
        yield Statement("loop", line, iv, index=end, inside=inside)

    def if_(self, depth: int, names: list[str]) -> Iterator[Statement]:
        self.fresh += 1
        left = self.chance.choice(names)
        line = self.write(depth, [f"%p{self.fresh} = arith.cmpi sgt, {left}, %c1 : index", "scf.if %p{n} {{"])
        inside = tuple(self.block(depth + 1, [*names], self.chance.randint(1, 2)))
        self.write(depth, ["}}"])
        yield Statement("if", line, left, inside=inside)


setattr(Drawing, "if", Drawing.if_)


@dataclass
class Run:
    """What happens with data of SEED: which write each read sees, and which writes nothing may see."""

    writer: dict[Moment, Moment | None] = field(default_factory=dict)
    """None: nothing was written; a call has line 0"""
    outside: set[Moment] = field(default_factory=set)
    ran: set[Moment] = field(default_factory=set)
    dead: set[Moment] = field(default_factory=set)
    values: dict[str, int] = field(default_factory=dict)
    aliased: frozenset[str] = frozenset()
    """The buffers that are the same memory"""


class Machine:
    """Runs a program once."""

    def __init__(self, program: Program, seed: str, alias: Mapping[str, str]) -> None:
        self.chance = random.Random(seed)
        self.alias = alias
        self.numbers: dict[Element, int] = {}
        self.memory = Memory[Element, Moment]()
        self.escaped = {"%A", "%X", "%G"}
        self.run = Run(aliased=frozenset((*alias.keys(), *alias.values())))
        self.block(program.body, dict(CONSTANTS), ())
        self.memory.outlive(lambda element: element[0] in self.escaped)
        self.run.dead = self.memory.unread

    def block(self, body: tuple[Statement, ...], names: dict[str, int], ivs: Ivs) -> None:
        for each in body:
            self.statement(each, names, ivs)
            if not ivs:
                self.run.values.update(names)

    def statement(self, each: Statement, names: dict[str, int], ivs: Ivs) -> None:
        match each.kind:
            case "store":
                self.access((each.line, ivs), (each.buffer, names[each.index]), names[each.result])
            case "load":
                names[each.result] = self.access((each.line, ivs), (each.buffer, names[each.index]), None)
            case "escape":
                self.escaped.add("%L")
            case "call":
                self.call()
            case "loop":
                for i in range(names[each.index]):
                    self.block(each.inside, names | {each.result: i}, (*ivs, i))
            case "if":
                if names[each.result] > 1:
                    self.block(each.inside, dict(names), ivs)
            case "steps":
                names[each.result] = self.steps(each, ivs)
            case _:
                names[each.result] = self.carried(each, ivs)

    def steps(self, each: Statement, ivs: Ivs) -> int:
        found = number = 0
        while found < CONSTANTS["%c2"]:
            found += max(self.access((each.line, (*ivs, number)), ("%X", found), None), 1)
            number += 1
        return found

    def carried(self, each: Statement, ivs: Ivs) -> int:
        found = 0
        for j in range(SIZE):
            w = self.access((each.line, (*ivs, j)), ("%X", j), None)
            if each.kind == "compact":
                if w > CONSTANTS["%c2"]:
                    self.access((each.line + 3, (*ivs, j)), ("%L", found), w)
                    found += 1
                continue
            found = {"last": w, "count": found + (w > 2), "argument": j if w == 1 else found}[each.kind]
        return found

    def access(self, moment: Moment, element: Element, stored: int | None) -> int:
        """Note an access; one outside of its buffer goes nowhere."""
        element = self.alias.get(element[0], element[0]), element[1]
        if moment[0]:
            self.run.ran.add(moment)
        if not 0 <= element[1] < SIZE:
            self.run.outside.add(moment)
            return 0
        if stored is not None:
            self.numbers[element] = stored
            self.memory.write(element, moment)
            return 0
        self.run.writer[moment] = self.memory.read(element)
        if element not in self.numbers:
            self.numbers[element] = self.chance.randrange(SIZE)
        return self.numbers[element]

    def call(self) -> None:
        """Reads and writes of anything that has escaped, or none."""
        for _ in range(self.chance.choice([0, 1, 3, MOST])):
            element = self.chance.choice(sorted(self.escaped)), self.chance.randrange(SIZE)
            stored = self.chance.randrange(SIZE) if self.chance.random() < 0.5 else None
            self.access((0, ()), element, stored)


def runs(program: Program, count: int) -> list[Run]:
    """COUNT runs with different data, every other one with memory of its own for each argument."""
    aliases = [ALIASES[(number // 2) % len(ALIASES)] if number % 2 else {} for number in range(count)]
    return [Machine(program, f"run {number}", alias).run for number, alias in enumerate(aliases)]


def programs(seed: int, count: int) -> Iterator[Program]:
    """COUNT programs; SEED and the number of a program alone say what it is."""
    for number in range(count):
        yield Drawing(f"data {seed}/{number}").drawn()


__all__ = ["Program", "Run", "programs", "runs"]
