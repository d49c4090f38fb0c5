"""Well-formed texts of operations that are not as defined: other counts, types, attributes, regions, places.

A program is a tree of generic operations, made from what xDSL reads of a correct one, and printed by nothing
but this file. A mutation changes the tree, so that the text is syntax that each reader of MLIR accepts; what
the operations mean by it is another question.

>>> text = "func.func @f(%n: index) -> index { return %n : index }"
>>> print(tree_of(text).operations[0].text())
"func.func"() <{sym_name = "f", function_type = (index) -> index}> ({
^bb0(%v0 : index):
  "func.return"(%v0) : (index) -> ()
}) : () -> ()
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from xdsl.ir import Block, Operation, SSAValue

from tests.frontend.mutants import seeds
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.parser import parse
from volcli.frontend.text.source import Source
from volcli.language.interface import operation_name
from volcli.loading.driver import dialect_factories

TYPES = (
    "i1", "i32", "i64", "index", "f32", "bf16", "none", "tensor<4xf32>", "tensor<?x?xf32>", "tensor<f32>",
    "tensor<*xf32>", "tensor<?xindex>", "tensor<0x4xi8>", "memref<4xf32>", "memref<?x?xf32>", "memref<*xf32>",
    "memref<f32>", "memref<4x?xi32, strided<[?, 1], offset: ?>>", "vector<4xf32>", "vector<f32>", "vector<[4]xi1>",
    "vector<2x3xindex>", "complex<f32>", "tuple<>", "() -> ()", "!t.t", "memref<2xmemref<?xf32>>",
)  # fmt: skip
ATTRIBUTES = (
    "unit", "true", "1 : i32", "-1 : i64", "7 : index", "1.5 : f32", '"text"', "@f", "@f::@g", "[]", "[1, 2]",
    "[[0], [1, 2]]", '["parallel"]', "{}", "{a = 1 : i32}", "i32", "() -> ()", "(index) -> f32", "array<i64>",
    "array<i64: 0>", "array<i64: -1, 4>", "array<i64: -9223372036854775808>", "array<i32>", "array<i32: 1, 1>",
    "array<i32: 1, 0, 0, 0>", "array<i32: -1, 2>", "array<i1: true>", "dense<1> : tensor<2xi64>",
    "dense<0.0> : tensor<4xf32>", "dense<[1, 2]> : vector<2xi32>", "affine_map<() -> ()>", "affine_map<(d0) -> (d0)>",
    "affine_map<(d0, d1)[s0] -> (d1 + s0, d0 floordiv 2)>", "affine_map<(d0)[s0] -> (d0 mod s0)>",
    "[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]", "affine_set<(d0) : (d0 - 1 >= 0)>", "#t.a",
    "9223372036854775807 : i64", "strided<[1], offset: ?>", "#arith.fastmath<fast>", "loc(unknown)",
)  # fmt: skip


@dataclass
class Value:
    """A result or an argument; those of one number are one value."""

    number: int
    type: str


@dataclass
class BlockTree:
    """A block: its label, its arguments, its operations."""

    label: str
    arguments: list[Value]
    operations: list[Node] = field(default_factory=list["Node"])


@dataclass
class Node:
    """An operation in generic form."""

    name: str
    operands: list[Value]
    results: list[Value]
    successors: list[str]
    properties: dict[str, str]
    attributes: dict[str, str]
    regions: list[list[BlockTree]]

    def text(self, indent: str = "") -> str:
        """The operation as MLIR."""
        names = ", ".join(f"%v{value.number}" for value in self.results)
        parts = [f'{indent}{names}{" = " * bool(names)}"{self.name}"']
        parts.append(f"({', '.join(f'%v{value.number}' for value in self.operands)})")
        if self.successors:
            parts.append(f" [{', '.join(self.successors)}]")
        if self.properties:
            parts.append(f" <{{{_dictionary(self.properties)}}}>")
        if self.regions:
            parts.append(f" ({', '.join(_region(region, indent) for region in self.regions)})")
        if self.attributes:
            parts.append(f" {{{_dictionary(self.attributes)}}}")
        types = [", ".join(value.type for value in values) for values in (self.operands, self.results)]
        return "".join(parts) + f" : ({types[0]}) -> ({types[1]})"


def _dictionary(entries: dict[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in entries.items())


def _region(blocks: list[BlockTree], indent: str) -> str:
    lines = ["{"]
    for index, block in enumerate(blocks):
        if index or block.arguments or not block.operations:
            arguments = ", ".join(f"%v{value.number} : {value.type}" for value in block.arguments)
            lines.append(f"{indent}^{block.label}({arguments}):" if arguments else f"{indent}^{block.label}:")
        lines += [op.text(indent + "  ") for op in block.operations]
    return "\n".join([*lines, indent + "}"])


@dataclass
class Tree:
    """A program: its operations outside all others."""

    operations: list[Node]

    def text(self) -> str:
        """The program as MLIR, with its functions in a module so that symbols may be what they like."""
        return "".join(f"{op.text()}\n" for op in self.operations)

    def blocks(self) -> Iterator[list[Node]]:
        """The lists of operations: outside, then of each block."""
        yield self.operations
        for op in self.all():
            for region in op.regions:
                yield from (block.operations for block in region)

    def all(self) -> Iterator[Node]:
        """All operations."""
        work = list(self.operations)
        while work:
            op = work.pop()
            yield op
            work += [inner for region in op.regions for block in region for inner in block.operations]


@cache
def tree_of(text: str) -> Tree:
    """The tree of a correct program."""
    module = parse(Source("seed.mlir", text), make_context(dialect_factories())).module
    values: dict[SSAValue, Value] = {}
    labels: dict[Block, str] = {}

    def value(of: SSAValue) -> Value:
        return values.setdefault(of, Value(len(values), str(of.type)))

    def label(of: Block) -> str:
        return labels.setdefault(of, f"bb{len(labels)}")

    def node(op: Operation) -> Node:
        hidden = ("op_name__",)
        regions = [
            [
                BlockTree(label(block), [value(a) for a in block.args], [node(each) for each in block.ops])
                for block in region.blocks
            ]
            for region in op.regions
        ]
        return Node(
            operation_name(op),
            [value(operand) for operand in op.operands],
            [value(result) for result in op.results],
            [f"^{label(block)}" for block in op.successors],
            {name: str(each) for name, each in op.properties.items()},
            {name: str(each) for name, each in op.attributes.items() if name not in hidden},
            regions,
        )

    return Tree([node(op) for op in module.body.ops])


# What goes wrong


def _operands(chance: random.Random, op: Node, tree: Tree) -> None:
    """An operand less, twice, elsewhere, or another one."""
    values = op.operands
    some = [value for block in tree.blocks() for other in block for value in other.operands] or [
        Value(0, "i32")
    ]
    match chance.randrange(4):
        case 0 if values:
            del values[chance.randrange(len(values))]
        case 1 if values:
            values[chance.randrange(len(values))] = chance.choice(values)
        case 2:
            chance.shuffle(values)
        case _:
            values.insert(chance.randint(0, len(values)), chance.choice(values or some))


def _results(chance: random.Random, op: Node, tree: Tree) -> None:
    """A result more, or less: where it is used, another operation gives it."""
    if op.results and chance.random() < 0.5:
        gone = op.results.pop(chance.randrange(len(op.results)))
        for block in tree.blocks():
            if any(each is op for each in block):
                at = next(index for index, each in enumerate(block) if each is op)
                block.insert(at, Node("t.value", [], [gone], [], {}, {}, []))
                return
    else:
        op.results.append(Value(1_000_000 + chance.randrange(1_000_000), chance.choice(TYPES)))


def _types(chance: random.Random, op: Node, tree: Tree) -> None:
    """A value of another type, wherever it is used."""
    values = [*op.operands, *op.results, *(a for region in op.regions for b in region for a in b.arguments)]
    if values:
        others = [value.type for value in values]
        chance.choice(values).type = chance.choice((*TYPES, *others))


def _attributes(chance: random.Random, op: Node, tree: Tree) -> None:
    """An attribute less, another value, another name, or in the other dictionary."""
    own, other = (op.properties, op.attributes) if chance.random() < 0.8 else (op.attributes, op.properties)
    name = chance.choice(list(own)) if own else "value"
    match chance.randrange(5):
        case 0:
            own.pop(name, None)
        case 1 if name in own:
            other[name] = own.pop(name)
        case 2 if len(own) > 1:
            second = chance.choice(list(own))
            own[name], own[second] = own[second], own[name]
        case _:
            own[name] = chance.choice(ATTRIBUTES)


def _regions(chance: random.Random, op: Node, tree: Tree) -> None:
    """A region less, an empty one, another order, an argument less or more, a terminator less."""
    blocks = [block for region in op.regions for block in region]
    match chance.randrange(7):
        case 0 if op.regions:
            del op.regions[chance.randrange(len(op.regions))]
        case 1:
            op.regions.insert(chance.randint(0, len(op.regions)), [])
        case 2:
            chance.shuffle(op.regions)
        case 3 if blocks:
            chance.choice(blocks).operations.clear()
        case 4 if blocks:
            chance.choice(blocks).operations[-1:] = []
        case 5 if blocks:
            arguments = chance.choice(blocks).arguments
            arguments.append(Value(2_000_000 + chance.randrange(1_000_000), chance.choice(TYPES)))
        case _ if blocks:
            chance.choice(blocks).arguments[-1:] = []
        case _:
            op.regions.append([])


def _names(chance: random.Random, op: Node, tree: Tree) -> None:
    """The parts of one operation under the name of another."""
    op.name = chance.choice([each.name for each in tree.all()] + _all_names())


def _places(chance: random.Random, op: Node, tree: Tree) -> None:
    """An operation somewhere else, or once more under new results."""
    blocks = list(tree.blocks())
    at = chance.choice(blocks)
    again = copy.deepcopy(op)
    for each in Tree([again]).all():
        for value in each.results:
            value.number += 3_000_000 + chance.randrange(1_000_000)
    at.insert(chance.randint(0, len(at)), again)


@cache
def _all_names() -> list[str]:
    return [op.name for factory in dialect_factories().values() for op in factory().operations]


Change = Callable[[random.Random, Node, Tree], None]
CHANGES: tuple[tuple[Change, int], ...] = (
    (_operands, 4), (_results, 2), (_types, 4), (_attributes, 6), (_regions, 3), (_names, 2), (_places, 1),
)  # fmt: skip


def malformed(index: int, pool: list[bytes]) -> bytes:
    """The INDEXth well-formed text of malformed operations, made of a program of POOL."""
    chance = random.Random(index)
    tree = copy.deepcopy(tree_of(chance.choice(pool).decode()))
    changes, weights = zip(*CHANGES, strict=True)
    for change in chance.choices(changes, weights, k=chance.choice((1, 1, 1, 2, 3, 6))):
        ops = list(tree.all())
        if ops:
            change(chance, chance.choice(ops), tree)
    return tree.text().encode()


def correct_programs(seed: int) -> list[bytes]:
    """The programs of `tests.frontend.mutants.seeds` that are read without a word, and so can be made a tree of."""
    found: list[bytes] = []
    for data in seeds(seed):
        if not data.isascii():
            continue
        parsed = parse(Source("seed.mlir", data.decode()), make_context(dialect_factories()))
        if not any(each.code.startswith("V1") or each.code == "V306" for each in parsed.diagnostics):
            found.append(data)
    return found
