"""What is made by templates is what the parser alone reads: modules, places, names, uses, and errors."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from xdsl.ir import Block, Operation, SSAValue

from tests.frontend.mutants import mutant, seeds
from tests.shared.seeds import spread
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.labels import LabelParser
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.parse.repetition import RepeatingParser
from volcli.frontend.text.source import Source
from volcli.loading.driver import dialect_factories

ROOT = Path(__file__).parents[2]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("testdata/**/*.mlir"))
MUTANTS = 60


class Described:
    """All that there is to know of a module that was read, without its objects."""

    def __init__(self, parsed: ParsedModule) -> None:
        self._parsed = parsed
        operations = list(parsed.module.walk())
        blocks = [block for op in operations for region in op.regions for block in region.blocks]
        self._numbers: dict[Any, int] = {each: number for number, each in enumerate([*operations, *blocks])}
        self.content = [
            [str(each) for each in (*parsed.diagnostics, *parsed.unread)],
            [*parsed.aliases, *parsed.metadata],
            [self._operation(op) for op in operations],
            [self._block(block) for block in blocks],
        ]

    def _number(self, of: object) -> int:
        return -1 if of is None else self._numbers.setdefault(of, len(self._numbers))

    def _operation(self, op: Operation) -> list[object]:
        around = (op.parent_op(), op.prev_op, op.next_op, op.parent)
        return [
            (type(op), op.name, str(op.location), op in self._parsed.malformed),
            self._parsed.explicit_places.get(op),
            [(key, str(value)) for key, value in (*op.properties.items(), *op.attributes.items())],
            [self._number(each) for each in (*op.operands, *op.successors, *around)],
            [self._value(result) for result in op.results],
            [[self._number(block) for block in region.blocks] for region in op.regions],
        ]

    def _block(self, block: Block) -> list[object]:
        arguments = [
            (argument.index, str(argument.location), self._value(argument)) for argument in block.args
        ]
        uses = [(self._number(use.operation), use.index) for use in block.uses]
        return [block.name_hint, arguments, uses]

    def _value(self, value: SSAValue) -> list[object]:
        uses = [(self._number(use.operation), use.index) for use in value.uses]
        return [self._number(value), str(value.type), self._parsed.names.get(value), value.name_hint, uses]


def read(text: str) -> list[Any]:
    """What TEXT is read as."""
    return Described(parse(Source("a.mlir", text), make_context(dialect_factories()))).content


def both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], list[Any]]:
    """What TEXT is read as with templates and without."""
    with_templates = read(text)
    with monkeypatch.context() as patch:
        patch.setattr(RepeatingParser, "_repeated", lambda parser, start: None)
        patch.setattr(RepeatingParser, "_parse_label", vars(LabelParser)["_parse_label"])
        return with_templates, read(text)


@pytest.mark.sample(12)
@pytest.mark.parametrize("file", spread(FILES, 50))
def test_a_file_is_read_as_without_templates(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / file).read_bytes().decode(errors="replace")
    made, parsed = both(f"{text}\n{text}", monkeypatch)
    assert made == parsed


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", spread(range(MUTANTS), 20))
def test_a_broken_text_after_a_correct_one_is_read_as_without_templates(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    correct = chance.choice(seeds(0))
    broken = mutant(seed, [correct])[:20_000]
    text = b"\n".join((correct, broken, correct)).decode(errors="replace")
    made, parsed = both(text, monkeypatch)
    assert made == parsed


BODIES = {
    "names that occur again": """
  %1 = affine.load %m[%i, %j] : memref<?x?xindex>
  %2 = affine.load %m[%i, %j] : memref<?x?xindex>
  %3 = affine.load %m[%i, %i] : memref<?x?xindex>
  %4 = affine.load %m[%j, %j] : memref<?x?xindex>
  %5 = affine.load %m[%j, %i] : memref<?x?xindex>
""",
    "several results": """
  %1, %2:2 = "t.a"(%i) : (index) -> (index, index, index)
  %3, %4:2 = "t.a"(%2#1) : (index) -> (index, index, index)
  %5, %6:2 = "t.a"(%4#1) : (index) -> (index, index, index)
  %7, %8:2 = "t.a"(%4#2) : (index) -> (index, index, index)
""",
    "a name that is defined again": """
  %a = arith.addi %i, %j : index
  %b = arith.addi %a, %j : index
  %c = arith.addi %b, %j : index
  %b = arith.addi %a, %j : index
""",
    "a name of another type": """
  %a = arith.index_cast %i : index to i64
  %b = arith.addi %i, %j : index
  %c = arith.addi %i, %j : index
  %d = arith.addi %a, %j : index
""",
    "a name in a string": """
  "t.a"(%i) {s = "%i"} : (index) -> ()
  "t.a"(%j) {s = "%i"} : (index) -> ()
  "t.a"(%i) {s = "%j"} : (index) -> ()
""",
    "slashes in strings": """
  "t.a"(%i) {s = "http://a"} : (index) -> ()
  "t.a"(%i) {s = "http://b"} : (index) -> ()
  "t.a"(%j) {s = "http://c"} : (index) -> ()
""",
    "slashes in attributes": """
  "t.a"(%i) {s = #t.a<//a>} : (index) -> ()
  "t.a"(%i) {s = #t.a<//b>} : (index) -> ()
  "t.a"(%j) {s = #t.a<//c>} : (index) -> ()
""",
    "comments": """
  %a = arith.addi %i, %j : index // %i
  %b = arith.addi %i, %j : index // %j
  %c = arith.addi %i, %j : index // loc(unknown)
  // %d
  %d = arith.addi %i, %j : index
""",
    "what goes on in the next line": """
  %a = "t.a"(%i) : (index) -> index
  %b = "t.a"(%i) : (index) -> index
  %c = "t.a"(%i) : (index) -> index
    loc("elsewhere":1:2)
  %d = arith.addi %i, %j : index
  %e = arith.addi %i, %j
    : index
""",
    "locations": """
  %a = arith.addi %i, %j : index loc("x":1:1)
  %b = arith.addi %i, %j : index loc("x":1:1)
  %c = arith.addi %i, %j : index loc("x":1:1)
""",
    "a use before the definition": """
  cf.br ^bb2
^bb1:
  %a = arith.addi %i, %z : index
  %b = arith.addi %i, %z : index
  cf.br ^bb3(%a : index)
^bb2:
  %z = arith.addi %i, %j : index
  cf.br ^bb1
^bb3(%c: index):
  cf.br ^bb4(%c : index)
^bb4(%d: index):
  cf.br ^bb4(%d : index)
""",
    "labels that are missing": """
  cf.br ^bb1(%i : index)
^bb1(%a: index):
  cf.br ^bb2(%i : index)
^bb2(%b: index):
  cf.br ^bb10(%i : index)
""",
    "labels that occur again": """
  cf.br ^bb1(%i : index)
^bb1(%a: index):
  cf.br ^bb2(%i : index)
^bb2(%b: index):
  cf.br ^bb2(%i : index)
^bb2(%c: index):
  cf.br ^bb2(%i : index)
""",
    "loops": """
  scf.for %a = %i to %j step %i {
    "t.a"(%a) : (index) -> ()
  }
  scf.for %a = %i to %j step %i {
    "t.a"(%a) : (index) -> ()
    scf.yield
  }
  scf.for %a = %i to %j step %i {
    "t.a"(%a) : (index) -> ()
    "t.b"() : () -> ()
  }
  scf.for %a = %i to %j step %i {
  }
  scf.for %a = %i to %j step %i {
  } {more}
  scf.for %i = %i to %j step %i {
  }
""",
    "alternatives": """
  %c = arith.cmpi slt, %i, %j : index
  scf.if %c {
    "t.a"() : () -> ()
  }
  scf.if %c {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
  }
  scf.if %c {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
    scf.if %c {
      "t.a"() : () -> ()
    } else {
    }
  }
""",
    "regions of which the rest of the line says more": """
  %a = "t.a"(%i) ({
  ^bb0(%x: index):
    "t.b"(%x) : (index) -> ()
  }) : (index) -> index
  %b = "t.a"(%a) ({
  ^bb0(%x: index):
    "t.b"(%x) : (index) -> ()
  }) : (index) -> i32
  %c = "t.a"(%a) ({
  ^bb0(%x: index):
    "t.b"(%x) : (index) -> ()
  }) : (index) -> index
  %d = "t.a"(%b) ({
  ^bb0(%x: i32):
    "t.b"(%x) : (i32) -> ()
  }) : (i32) -> index
""",
    "hidden bodies": """
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %a = linalg.transpose ins(%e : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  %b = linalg.transpose ins(%e : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  %c = linalg.transpose ins(%e : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0]
""",
    "symbols": """
  %a = memref.get_global @a : memref<4xf32>
  %b = memref.get_global @b : memref<4xf32>
  %c = memref.get_global @"c" : memref<4xf32>
  %d = memref.get_global @d-e : memref<4xf32>
  "t.a"() {s = @a, t = "a"} : () -> ()
  "t.a"() {s = @b, t = "a"} : () -> ()
  "t.a"() {s = [@b]} : () -> ()
  "t.a"() {s = [@c]} : () -> ()
  %f = arith.constant dense_resource<r1> : tensor<4xf32>
  %g = arith.constant dense_resource<r2> : tensor<4xf32>
  %h = arith.constant dense_resource<r3> : tensor<5xf32>
""",
    "unknown syntax": """
  %a = arith.addi %i, %j : index
  u.v %later, %a
  %b = arith.addi %i, %j : index
  %later = arith.addi %i, %j : index
  %g = u.w %a
  %h = arith.addi %g, %j : index
  %k = arith.addi %g, %j : index
""",
    "malformed operations": """
  %a = "arith.addi"(%i) : (index) -> index
  %b = "arith.addi"(%i) : (index) -> index
  %c = "arith.addi"(%j) : (index) -> index
""",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_premises(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "func.func @f(%i: index, %j: index, %m: memref<?x?xindex>) {"
    text = f"{head}{body}  return\n}}\n{head.replace('@f', '@g')}{body}  return\n}}\n"
    made, parsed = both(text, monkeypatch)
    assert made == parsed


def test_most_statements_of_a_long_function_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(f"  %v{number} = arith.addi %n, %n : index\n" for number in range(100))
    parsed: list[object] = []
    parse_operation = RepeatingParser.parse_operation
    monkeypatch.setattr(
        RepeatingParser, "parse_operation", lambda parser: parsed.append(0) or parse_operation(parser)
    )
    read(f"func.func @f(%n: index) {{\n{lines}  return\n}}\n")
    assert len(parsed) <= 6
