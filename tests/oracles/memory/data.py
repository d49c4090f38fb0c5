"""Random programs whose subscripts depend on data, with calls that do what volcli cannot see; and runs of them.

All numbers are of index type, in buffers of SIZE elements: %A and %X are arguments, @g is a global, %L is allocated.
A run chooses the data of the arguments, whether two of them (or one and the global) are the same memory, and what
each external call reads and writes of the memory that it may reach: arguments, globals, and %L once that has
escaped. (volcli sees the call alone.)
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tests.oracles.interpreter.storage import Memory
from tests.shared import recorded
from tests.shared.recorded import Access, Recorded, loops
from tests.shared.running import memory
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.values import is_unset

SIZE = 5
LONGEST = 3
MOST = 4
Ivs = tuple[int, ...]
Moment = tuple[int, Ivs]  # the line of an access, and the induction variables around it
Element = tuple[object, int]


@dataclass
class Program:
    """A function @f, as text."""

    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @cached_property
    def executable(self) -> Recorded:
        """The program with other calls: @take says that %L escapes, and @other accesses what has escaped.

        Each line stands where it stood; the global is an argument.
        """
        lines = [_executable(line) for line in self.lines]
        return Recorded("\n".join(lines).replace(TAIL, f"%G: {TYPE}) {{"))


def _executable(line: str) -> str:
    if line.startswith("func.func private"):
        return (
            line.replace(f"@take({TYPE})", f"@take(%m: {TYPE})").replace("(index)", "(%i: index)")
            + " { return }"
        )
    if re.search(r"%of\(%L|%L, %P|pointer_as_index|other\.keep", line):
        return f"func.call @take(%L) : ({TYPE}) -> ()"
    if re.search(r"indirect|other\.use", line):
        return "func.call @other() : () -> ()"
    return "" if "get_global" in line else line


TYPE = f"memref<{SIZE}xindex>"
TAIL = f"%P: memref<{TYPE}>, %any: () -> (), %of: ({TYPE}) -> ()) {{"
HEAD = f"""memref.global "private" @g : memref<{SIZE}xindex> = uninitialized
func.func private @other()
func.func private @take(memref<{SIZE}xindex>)
func.func private @point(index)
func.func @f(%A: {TYPE}, %X: {TYPE},
             {TAIL}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %cN = arith.constant {SIZE} : index
  %G = memref.get_global @g : memref<{SIZE}xindex>
  %L = memref.alloc() : memref<{SIZE}xindex>"""

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
        self.block(0, ["%c0", "%c1", "%c2"], self.chance.randint(3, 7))
        self.program.lines += ["  return", "}"]
        return self.program

    def write(self, depth: int, lines: list[str]) -> None:
        """Add LINES."""
        self.program.lines += ["  " * (depth + 1) + line.format(n=self.fresh) for line in lines]

    def block(self, depth: int, names: list[str], count: int) -> None:
        for _ in range(count):
            kinds = ["access"] * 6 + ["carry"] * 2 + ["escape", "call", "compact", "steps"]
            kinds += ["loop", "if"] * (depth < LONGEST - 1)
            getattr(self, self.chance.choice(kinds))(depth, names)

    def access(self, depth: int, names: list[str]) -> None:
        self.fresh += 1
        buffer, index = self.chance.choice(["%A", "%L", "%L", "%G", "%L"]), self.chance.choice(names)
        if self.chance.random() < 0.6:
            value = self.chance.choice(names)
            self.write(depth, [f"memref.store {value}, {buffer}[{index}] : {TYPE}"])
        else:
            self.write(depth, [f"%v{self.fresh} = memref.load {buffer}[{index}] : {TYPE}"])
            if buffer == "%A":
                names.append(f"%v{self.fresh}")

    def carry(self, depth: int, names: list[str], kind: str = "") -> None:
        self.fresh += 1
        n = self.fresh
        body = COMPACT if kind else CARRIED[self.chance.choice(sorted(CARRIED))]
        head = f"%r{n} = scf.for %j{n} = %c0 to %cN step %c1 iter_args(%a{n} = %c0) -> (index) {{{{"
        load = f"  %w{n} = memref.load %X[%j{n}] : {TYPE}"
        self.write(depth, [head, load, *("  " + each for each in body), "}}"])
        names.append(f"%r{n}")

    def compact(self, depth: int, names: list[str]) -> None:
        self.carry(depth, names, "compact")

    def steps(self, depth: int, names: list[str]) -> None:
        self.fresh += 1
        self.write(depth, WHILE)
        names.append(f"%r{self.fresh}")

    def escape(self, depth: int, names: list[str]) -> None:
        self.fresh += 1
        self.write(depth, ESCAPES[self.chance.choice(sorted(ESCAPES))])
        self.call(depth, names)

    def call(self, depth: int, _: list[str]) -> None:
        self.fresh += 1
        self.write(depth, [self.chance.choice(CALLS)])

    def loop(self, depth: int, names: list[str]) -> None:
        self.fresh += 1
        iv = f"%i{self.fresh}"
        end = self.chance.choice(["%c2", "%c2", *names])
        self.write(depth, [f"scf.for {iv} = %c0 to {end} step %c1 {{{{"])
        self.block(depth + 1, [*names, iv], self.chance.randint(1, 3))
        self.write(depth, ["}}"])

    def if_(self, depth: int, names: list[str]) -> None:
        self.fresh += 1
        left = self.chance.choice(names)
        self.write(depth, [f"%p{self.fresh} = arith.cmpi sgt, {left}, %c1 : index", "scf.if %p{n} {{"])
        self.block(depth + 1, [*names], self.chance.randint(1, 2))
        self.write(depth, ["}}"])


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


class Execution:
    """One execution of a program; what is called reads and writes anything that has escaped, or none."""

    def __init__(self, program: Program, seed: str, alias: Mapping[str, str]) -> None:
        self.chance = random.Random(seed)
        own = {name: memory(*self._data(), dtype=np.int64) for name in ("%A", "%X", "%G")}
        given = {name: own[alias.get(name, name)] for name in own}
        self.escaped = list(given.values())
        self.of = program.executable
        codes = {"other": self.other, "take": self.take}
        self.of.codes.update({self.of.functions[name]: code for name, code in codes.items()})
        ran = self.of.run({name[1:]: view for name, view in given.items()}, beyond=True)
        assert ran.stopped is None
        self.run = Run(aliased=frozenset((*alias.keys(), *alias.values())))
        self.run.values = dict(self.values(ran))
        self.cells = Memory[Element, Moment]()
        for each in ran.accesses:
            self.access(each)
        seen = {view.allocation for view in self.escaped}
        self.cells.outlive(lambda element: element[0] in seen)
        self.run.dead = self.cells.unread

    def _data(self) -> list[int]:
        return [self.chance.randrange(SIZE) for _ in range(SIZE)]

    def other(self, machine: Machine) -> tuple[()]:
        op = self.of.functions["other"]
        for _ in range(self.chance.choice([0, 1, 3, MOST])):
            view, index = self.chance.choice(self.escaped), [self.chance.randrange(SIZE)]
            if self.chance.random() < 0.5:
                view.store(op, self.chance.randrange(SIZE), index, machine.watch)
            else:
                view.load(op, index, machine.watch)
        return ()

    def take(self, _: Machine, view: MemoryView) -> tuple[()]:
        if view not in self.escaped:
            self.escaped.append(view)
        return ()

    def values(self, ran: recorded.Run) -> Iterator[tuple[str, int]]:
        """The numbers that are computed once, outside of loops; what nothing wrote may be any."""
        for value, (number, *_) in ran.seen.items():
            if not loops(value) and not isinstance(number, MemoryView):
                yield self.of.parsed.names.of(value), 0 if is_unset(number) else number

    def access(self, each: Access) -> None:
        """Note an access; one outside of its buffer goes nowhere."""
        is_call = each.op in self.of.calls
        moment = (0, ()) if is_call else (self.of.parsed.written_at(each.op).line, each.iteration)
        if "scf.while" in (op.name for op in [each.op.parent_op()] if op is not None):
            count = sum(line == moment[0] and ivs[:-1] == moment[1] for line, ivs in self.run.ran)
            moment = moment[0], (*moment[1], count)
        if not is_call:
            self.run.ran.add(moment)
        element = each.memory, each.at
        if not each.in_bounds:
            self.run.outside.add(moment)
        elif each.is_write:
            self.cells.write(element, moment)
        else:
            self.run.writer[moment] = self.cells.read(element)


def runs(program: Program, count: int) -> list[Run]:
    """COUNT runs with different data, every other one with memory of its own for each argument."""
    aliases = [ALIASES[(number // 2) % len(ALIASES)] if number % 2 else {} for number in range(count)]
    return [Execution(program, f"run {number}", alias).run for number, alias in enumerate(aliases)]


def programs(seed: int, count: int) -> Iterator[Program]:
    """COUNT programs; SEED and the number of a program alone say what it is."""
    for number in range(count):
        yield Drawing(f"data {seed}/{number}").drawn()


__all__ = ["Program", "Run", "programs", "runs"]
