"""Functions of blocks with accesses to memory: as text, of which each operation has a line of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SIZE = 5
"""The number of elements of each buffer."""
MEMREF = f"memref<{SIZE}xi64>"
BITS = "memref<8xi1>"


@dataclass(eq=False)
class Statement:
    """One operation: `kind` is alloc, load, store, add, less, bit or for; `line` is where it stands in the text."""

    kind: str
    name: str = ""
    operands: tuple[str, ...] = ()
    number: int = 0
    body: list[Statement] = field(default_factory=list["Statement"])
    line: int = 0

    def head(self) -> str:
        """Its text, without a region."""
        x, *more = (*self.operands, "")
        match self.kind:
            case "alloc":
                return f"{self.name} = memref.alloc() : {MEMREF}"
            case "load":
                return f"{self.name} = memref.load {x}[{more[0]}] : {MEMREF}"
            case "store":
                return f"memref.store %v, {x}[{more[0]}] : {MEMREF}"
            case "add":
                return f"{self.name} = arith.addi {x}, %c{self.number} : index"
            case "less":
                return f"{self.name} = arith.cmpi slt, {x}, {more[0]} : index"
            case "bit":
                return f"{self.name} = memref.load %q[{x}] : {BITS}"
            case _:
                return f"scf.for {self.name} = %c0 to {x} step %c1 {{"


Edge = tuple[int, tuple[str, ...]]


@dataclass(eq=False)
class Block:
    """A block with arguments and `targets`: none returns, one is a branch, two are decided by `condition`."""

    arguments: list[tuple[str, str]]
    statements: list[Statement] = field(default_factory=list[Statement])
    targets: list[Edge] = field(default_factory=list[Edge])
    condition: str = ""


@dataclass(eq=False)
class Program:
    """A function; `blocks[0]` is its entry."""

    blocks: list[Block]
    text: str = ""

    def printed(self) -> Program:
        """The same one with its text, and the lines of its statements."""
        lines = [
            f"func.func @f(%v: i64, %n: index, %k: index, %p: i1, %a: {MEMREF}, %b: {MEMREF}, %q: {BITS}) {{"
        ]
        lines += [f"  %c{c} = arith.constant {c} : index" for c in range(SIZE + 1)]
        for number, block in enumerate(self.blocks):
            if number:
                arguments = ", ".join(f"{name}: {kind}" for name, kind in block.arguments)
                lines.append(f"^b{number}({arguments}):" if arguments else f"^b{number}:")
            _print(block.statements, lines, "  ")
            lines.append(f"  {self._end(block)}")
        lines.append("}")
        self.text = "\n".join(lines) + "\n"
        return self

    def _end(self, block: Block) -> str:
        targets = [self._target(edge) for edge in block.targets]
        match targets:
            case []:
                return "return"
            case [one]:
                return f"cf.br {one}"
            case _:
                return f"cf.cond_br {block.condition}, {', '.join(targets)}"

    def _target(self, edge: Edge) -> str:
        to, passed = edge
        kinds = ", ".join(kind for _, kind in self.blocks[to].arguments)
        return f"^b{to}({', '.join(passed)} : {kinds})" if passed else f"^b{to}"

    def walk(self) -> Iterator[Statement]:
        """All statements."""
        for block in self.blocks:
            yield from walk(block.statements)


def walk(statements: Sequence[Statement]) -> Iterator[Statement]:
    """STATEMENTS and what is in their bodies."""
    for each in statements:
        yield each
        yield from walk(each.body)


def _print(statements: Sequence[Statement], lines: list[str], indent: str) -> None:
    for each in statements:
        lines.append(indent + each.head())
        each.line = len(lines)
        if each.kind == "for":
            _print(each.body, lines, indent + "  ")
            lines.append(indent + "}")
