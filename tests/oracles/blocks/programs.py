"""Functions of blocks with accesses to memory: as text, of which each operation has a line of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

SIZE = 5
"""The number of elements of each buffer."""
MEMREF = f"memref<{SIZE}xi64>"
BITS = "memref<8xi1>"
HEAD = f"func.func @f(%v: i64, %n: index, %k: index, %p: i1, %a: {MEMREF}, %b: {MEMREF}, %q: {BITS}) {{"

Edge = tuple[int, tuple[str, ...]]


@dataclass(eq=False)
class Block:
    """A block with arguments and `targets`: none returns, one is a branch, more are decided by `condition`."""

    arguments: list[tuple[str, str]]
    lines: list[str] = field(default_factory=list[str])
    targets: list[Edge] = field(default_factory=list[Edge])
    condition: str = ""


@dataclass(eq=False)
class Program:
    """A function; `blocks[0]` is its entry."""

    blocks: list[Block]

    @property
    def text(self) -> str:
        """The function."""
        lines = [HEAD]
        lines += [f"%c{c} = arith.constant {c} : index" for c in range(SIZE + 1)]
        for number, block in enumerate(self.blocks):
            if number:
                arguments = ", ".join(f"{name}: {kind}" for name, kind in block.arguments)
                lines.append(f"^b{number}({arguments}):" if arguments else f"^b{number}:")
            lines += [*block.lines, self._end(block)]
        return "\n".join([*lines, "}", ""])

    def _end(self, block: Block) -> str:
        targets = [self._target(edge) for edge in block.targets]
        match targets:
            case []:
                return "return"
            case [one]:
                return f"cf.br {one}"
            case [_, _]:
                return f"cf.cond_br {block.condition}, {', '.join(targets)}"
            case _:
                cases = "".join(f", {number}: {to}" for number, to in enumerate(targets[1:]))
                return f"cf.switch {block.condition} : i32, [default: {targets[0]}{cases}]"

    def _target(self, edge: Edge) -> str:
        to, passed = edge
        kinds = ", ".join(kind for _, kind in self.blocks[to].arguments)
        return f"^b{to}({', '.join(passed)} : {kinds})" if passed else f"^b{to}"
