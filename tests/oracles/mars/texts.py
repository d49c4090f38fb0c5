"""Programs of affine loops as MLIR: the text, and the line of each access."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.oracles.mars.enumeration import Access, Affine, If, Loop, Node, Program, Statement


@dataclass(frozen=True)
class Array:
    """`memref<4x8xf32>`: sizes (None: `?`), element type, strides (none: row-major)."""

    sizes: tuple[int | None, ...]
    element: str = "f32"
    strides: tuple[int, ...] = ()

    @property
    def type(self) -> str:
        sizes = "".join(f"{'?' if size is None else size}x" for size in self.sizes)
        layout = f", strided<[{', '.join(map(str, self.strides))}]>" if self.strides else ""
        return f"memref<{sizes}{self.element}{layout}>"

    def address(self, index: Sequence[int]) -> int:
        """Where the element INDEX lies, counted in elements."""
        if self.strides:
            return sum(stride * each for stride, each in zip(self.strides, index, strict=True))
        address = 0
        for each, size in zip(index, self.sizes, strict=True):
            address = address * (size or 1) + each
        return address


@dataclass
class Text:
    """The lines of a program so far, and at which of them each access is."""

    arrays: Mapping[str, Array]
    lines: list[str] = field(default_factory=list[str])
    line_of: dict[int, int] = field(default_factory=dict[int, int])
    depth: int = 1

    def add(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    def node(self, node: Node) -> None:
        if isinstance(node, Statement):
            self._statement(node)
        elif isinstance(node, If):
            self._if(node)
        else:
            self._loop(node)

    def _block(self, nodes: tuple[Node, ...]) -> None:
        self.depth += 1
        for node in nodes:
            self.node(node)
        self.depth -= 1

    def _loop(self, loop: Loop) -> None:
        step = f" step {loop.step}" if loop.step != 1 else ""
        lower, upper = _bound(loop.lower, "max"), _bound(loop.upper, "min")
        self.add(f"affine.for %{loop.name} = {lower} to {upper}{step} {{")
        self._block(loop.body)
        self.add("}")

    def _if(self, node: If) -> None:
        names = sorted({name for form, _ in node.conditions for name, _ in form.factors})
        conditions = ", ".join(
            f"({form.text('')}) mod {modulus} == 0" if modulus else f"{form.text('')} >= 0"
            for form, modulus in node.conditions
        )
        operands = ", ".join(f"%{name}" for name in names)
        self.add(f"affine.if affine_set<({', '.join(names)}) : ({conditions})>({operands}) {{")
        self._block(node.body)
        if node.otherwise:
            self.add("} else {")
            self._block(node.otherwise)
        self.add("}")

    def _statement(self, node: Statement) -> None:
        values = [f"%v{read.number}" for read in node.reads]
        for value, read in zip(values, node.reads, strict=True):
            self.add(f"{value} = affine.load {self._place(read)}")
            self.line_of[read.number] = len(self.lines)
        if node.write is None:
            return
        kind = self.arrays[node.write.array].element
        same = [
            value
            for value, read in zip(values, node.reads, strict=True)
            if self.arrays[read.array].element == kind
        ]
        total = same[0] if same else f"%z_{kind}"
        for other in same[1:]:
            name = f"%s{len(self.lines)}"
            self.add(f"{name} = arith.{'addf' if kind.startswith('f') else 'addi'} {total}, {other} : {kind}")
            total = name
        self.add(f"affine.store {total}, {self._place(node.write)}")
        self.line_of[node.write.number] = len(self.lines)

    def _place(self, access: Access) -> str:
        array = self.arrays[access.array]
        index = ", ".join(form.text() for form in access.index)
        return f"%{access.array}[{index}] : {array.type}"


def _bound(forms: tuple[Affine, ...], of_several: str) -> str:
    if len(forms) == 1 and not forms[0].factors:
        return str(forms[0].constant)
    names = sorted({name for form in forms for name, _ in form.factors})
    results = ", ".join(form.text("") for form in forms)
    operands = ", ".join(f"%{name}" for name in names)
    word = f"{of_several} " if len(forms) > 1 else ""
    return f"{word}affine_map<({', '.join(names)}) -> ({results})>({operands})"


def mlir(program: Program, arrays: Mapping[str, Array]) -> tuple[str, dict[int, int]]:
    """PROGRAM as a function, and the line of each access by its number."""
    kinds = sorted({array.element for array in arrays.values()})
    arguments = [f"%{name}: {array.type}" for name, array in arrays.items()]
    arguments += [f"%z_{kind}: {kind}" for kind in kinds]
    arguments += [f"%{name}: index" for name in program.symbols]
    text = Text(arrays, [f"func.func @f({', '.join(arguments)}) {{"])
    for nest in program.nests:
        text.node(nest)
    return "\n".join([*text.lines, "  return", "}", ""]), text.line_of
