"""Random texts of all kinds of operations together: unknown ones with regions, assertions, blocks, calls, tensors.

Beside the parts of `shapes`, a function has memory that is made and freed, views, operations of no known dialect
with regions that hold any of these, assertions, blocks that branch to each other, calls, and tensors with masks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.campaigns.shapes import KINDS, PARTS, WRAPPING, Text, access

CALLEES = """
func.func private @unknown(memref<16xi8>, index) -> index
func.func private @known(%m: memref<16xi8>, %i: index) -> index {
  %k = arith.constant 15 : index
  %j = arith.minui %i, %k : index
  %x = memref.load %m[%j] : memref<16xi8>
  memref.store %x, %m[%i] : memref<16xi8>
  return %j : index
}
"""


class Mixture(Text):
    """Writes a function that has tensors, too."""

    def __init__(self, chance: random.Random, most: int) -> None:
        super().__init__(chance, most)
        self.tensors = {"%x": "tensor<16xf32>", "%y": "tensor<?xf32>"}

    def some_memory(self, kind: str) -> str:
        """A memref of KIND that can be named here."""
        return self.chance.choice([name for name, each in self.memory.items() if each == kind])

    def inside(self, write: Callable[[], object]) -> None:
        around = dict(self.memory), dict(self.tensors)
        super().inside(write)
        self.memory, self.tensors = around

    def program(self) -> str:
        self.arguments |= {"%x": "tensor<16xf32>", "%y": "tensor<?xf32>"}
        self.memory = {"%m": "memref<16xi8>", "%d": "memref<?xi32>", "%t": "memref<?x8xi32>"}
        return super().program() + CALLEES


def unknown(text: Mixture) -> None:
    """An operation of no known dialect, mostly with a region of its own."""
    memory, kind = text.chance.choice([*text.memory.items()])
    result, operand = text.chance.choice(KINDS), text.some(text.chance.choice(KINDS))
    types = f"({kind}, {text.kinds[operand]}) -> {result}"
    name = text.fresh()
    text.write(f'{name} = "u.do"({memory}, {operand}) ({{')
    text.inside(lambda: _body(text, '"u.end"'))
    text.lines.append(f"}}) : {types}")
    text.kinds[name] = result


def nested(text: Mixture) -> None:
    """Unknown operations in each other, that make memory and hand it on."""
    depth = text.chance.randint(1, 3)
    for _ in range(depth):
        text.write('"u.in"() ({')
    text.inside(lambda: _made_by_unknown(text))
    text.lines += ["}) : () -> ()"] * depth


def _made_by_unknown(text: Mixture) -> None:
    memory = text.fresh()
    inner = text.fresh()
    text.write(f'{memory} = "u.make"() ({{')
    text.write(f"{inner} = memref.alloc() : memref<16xi8>")
    text.write(f'"u.end"({inner}) : (memref<16xi8>) -> ()')
    text.lines.append("}) : () -> memref<16xi8>")
    text.memory[memory] = "memref<16xi8>"
    if text.chance.random() < 0.5:
        text.write(f'"u.use"({memory}) : (memref<16xi8>) -> ()')
    access(text)
    if text.chance.random() < 0.5:
        text.write(f"memref.dealloc {memory} : memref<16xi8>")


def _body(text: Mixture, end: str) -> None:
    for _ in range(text.chance.randint(0, 2)):
        if text.left > 6:
            text.chance.choice((access, allocation, unknown, assertion, *PARTS))(text)
    value = text.some(text.chance.choice(KINDS))
    text.write(f"{end}({value}) : ({text.kinds[value]}) -> ()")


def allocation(text: Mixture) -> None:
    """New memory, which is written and perhaps read, or freed."""
    memory, kind = text.fresh(), text.chance.choice(("memref<16xi8>", "memref<?xi32>"))
    size = text.some("index") if "?" in kind else ""
    text.write(f"{memory} = memref.alloc({size}) : {kind}")
    text.memory[memory] = kind
    for _ in range(text.chance.randint(1, 3)):
        access(text)


def view(text: Mixture) -> None:
    """A part of memory, or a copy of one part to another."""
    source, part = text.some_memory("memref<?xi32>"), text.fresh()
    offset, size = text.some("index"), text.some("index")
    stride = text.chance.choice((1, 2, 3))
    kind = f"memref<?xi32, strided<[{stride}], offset: ?>>"
    text.write(f"{part} = memref.subview {source}[{offset}] [{size}] [{stride}] : memref<?xi32> to {kind}")
    if text.chance.random() < 0.5:
        text.write(f"memref.copy {part}, {part} : {kind} to {kind}")
    else:
        text.add(f"memref.load {part}[{text.some('index')}] : {kind}", "i32")


def assertion(text: Mixture) -> None:
    """Something that holds from here on."""
    text.write(f'cf.assert {text.compared()}, "m"')


def call(text: Mixture) -> None:
    """A call of a known function, or of one that is only declared."""
    name, memory = text.chance.choice(("known", "known", "unknown")), text.some_memory("memref<16xi8>")
    text.add(f"func.call @{name}({memory}, {text.some('index')}) : (memref<16xi8>, index) -> index", "index")


def masked(text: Mixture) -> None:
    """linalg.generic of which an affine mask says where its input is read."""
    source, kind = text.chance.choice([*text.tensors.items()])
    if kind == "tensor<16xf32>":
        empty = text.fresh()
        text.write(f"{empty} = tensor.empty() : {kind}")
    else:
        size, empty = text.some("index"), text.fresh()
        text.write(f"{empty} = tensor.empty({size}) : {kind}")
    same, result = "affine_map<(d0) -> (d0)>", text.fresh()
    limit, predicate = text.some("index"), text.chance.choice(("slt", "sge", "eq", "ult"))
    text.write(
        f'{result} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = ["parallel"]}} '
        f"ins({source} : {kind}) outs({empty} : {kind}) {{"
    )
    text.lines += [
        "^bb0(%e: f32, %o: f32):",
        "%at = linalg.index 0 : index",
        f"%in = arith.cmpi {predicate}, %at, {limit} : index",
        "%zero = arith.constant 0.0 : f32",
        "%r = arith.select %in, %e, %zero : f32",
        "linalg.yield %r : f32",
        f"}} -> {kind}",
    ]
    text.left -= 5
    text.tensors[result] = kind


def padded(text: Mixture) -> None:
    """A part of a tensor, padded with zeros."""
    source, kind = text.chance.choice([*text.tensors.items()])
    offset, size, low, part, zero, result = (
        text.some("index"), text.some("index"), text.some("index"), text.fresh(), text.fresh(), text.fresh()
    )  # fmt: skip
    text.write(
        f"{part} = tensor.extract_slice {source}[{offset}] [{size}] [{text.chance.choice((1, 2))}] : {kind} "
        "to tensor<?xf32>"
    )
    text.write(f"{zero} = arith.constant 0.0 : f32")
    text.write(f"{result} = tensor.pad {part} low[{low}] high[{text.chance.choice((0, 3))}] {{")
    text.lines += [f"^bb0({text.fresh()}: index):", f"tensor.yield {zero} : f32"]
    text.lines.append("} : tensor<?xf32> to tensor<?xf32>")
    text.tensors[result] = "tensor<?xf32>"


def graph(text: Mixture) -> None:
    """Blocks that branch to each other, each with an argument, and one after them, where the text goes on."""
    kind, count, tag = text.chance.choice(KINDS), text.chance.randint(1, 3), text.fresh()[1:]
    names = [f"^{tag}_{k}" for k in range(count + 1)]
    _branch(text, names, kind)
    for name in names[:-1]:
        text.inside(lambda name=name: _block(text, name, names, kind))
    argument = text.fresh()
    text.lines.append(f"{names[-1]}({argument}: {kind}):")
    text.kinds[argument] = kind


def _block(text: Mixture, name: str, names: list[str], kind: str) -> None:
    argument = text.fresh()
    text.lines.append(f"{name}({argument}: {kind}):")
    text.kinds[argument] = kind
    for _ in range(text.chance.randint(0, 2)):
        text.binary(kind, WRAPPING) if text.chance.random() < 0.5 else access(text)
    _branch(text, names, kind)


def _branch(text: Mixture, names: list[str], kind: str) -> None:
    """To one of NAMES, or to one that a condition or a number decides; each gets a value of KIND."""
    way = text.chance.choice(("br", "cond_br", "cond_br", "switch"))
    decides = {"br": lambda: "", "cond_br": text.compared, "switch": lambda: text.some("i32")}[way]()
    first, second = (f"{text.chance.choice(names)}({text.some(kind)} : {kind})" for _ in range(2))
    to = {
        "br": f"cf.br {first}",
        "cond_br": f"cf.cond_br {decides}, {first}, {second}",
        "switch": f"cf.switch {decides} : i32, [default: {first}, 3: {second}]",
    }
    text.write(to[way])


ALL = (*(unknown, nested, allocation, view, assertion, assertion, call, masked, padded) * 2, graph, *PARTS)


def mixtures(seed: str, most: int = 30) -> str:
    """The text of a function of at most MOST lines."""
    return written(random.Random(f"mixture {seed}"), most, ALL)


def written(chance: random.Random, most: int, parts: Sequence[Callable[[Mixture], None]]) -> str:
    """The text of a function of at most MOST lines, which has some of PARTS."""
    while True:
        text = Mixture(chance, most)
        while text.left > 8 and (text.left > most - 6 or chance.random() < 0.95):
            chance.choice(parts)(text)
        if len(text.lines) <= most:
            return text.program()
