"""Each registered operation in generic form with each signature of a list: none costs more than itself.

python -m tests.frontend.sweep --signatures 40 --seed 0
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from volcli.frontend.print.printer import print_module
from volcli.frontend.text.source import Source
from volcli.loading.driver import dialect_factories, load_source

PASSES = (
    "infer-shapes,element-maps{of=all},sparsity-regions{of=all},value-bounds,compare-slices,dependences,nests,"
    "memory-flow,check-accesses,check-races,index-costs"
)
BUDGET = 2_000
_TYPES = {
    "n": "index", "m": "memref<4x?xf32>", "t": "tensor<?x4xf32>", "x": "f32", "i": "i32", "v": "vector<4xf32>",
    "b": "i1",
}  # fmt: skip
_OPERANDS = (
    "",
    "n",
    "m",
    "t",
    "x",
    "nn",
    "mn",
    "mnn",
    "tt",
    "xmnn",
    "nnn",
    "xx",
    "ii",
    "vv",
    "b",
    "ttt",
    "nnnnnn",
)
_RESULTS = ("", "n", "x", "t", "m", "nn", "v")
_REGIONS = (
    "",
    "({})",
    '({\n  ^bb0(%k: index):\n    "scf.yield"() : () -> ()\n  })',
    "({\n  ^bb0:\n  }, {\n  ^bb1:\n  })",
)
_PROPERTIES = (
    "",
    "<{operandSegmentSizes = array<i32: 1, 0, 0>, map = affine_map<(d0)[s0] -> (d0)>, static_sizes = array<i64>}>",
)
_ATTRIBUTES = (
    "",
    "{value = 1 : i32, map = affine_map<(d0) -> (d0)>, predicate = 99 : i64, static_offsets = array<i64: 1>}",
)
_FUNCTION = """\
func.func @f(%n: index, %m: memref<4x?xf32>, %t: tensor<?x4xf32>, %x: f32, %i: i32, %v: vector<4xf32>, %b: i1) {{
{}  return
}}
func.func @after(%size: index) -> index {{
  %three = arith.constant 3 : index
  %sum = arith.addi %size, %three : index
  return %sum : index
}}
"""


@dataclass(frozen=True)
class Signature:
    """The parts of an operation, whatever it is."""

    operands: str
    results: str
    regions: str
    properties: str
    attributes: str

    def text(self, name: str, number: int) -> str:
        """The operation NAME with these parts; NUMBER makes the names of its results unique."""
        results = ", ".join(f"%r{number}_{k}" for k in range(len(self.results)))
        operands = ", ".join(f"%{letter}" for letter in self.operands)
        types = [", ".join(_TYPES[letter] for letter in letters) for letters in (self.operands, self.results)]
        parts = f"{self.properties} {self.regions} {self.attributes}"
        return (
            f'  {results}{" = " * bool(results)}"{name}"({operands}) {parts} : ({types[0]}) -> ({types[1]})\n'
        )


@cache
def _combinations() -> list[Signature]:
    parts = itertools.product(_OPERANDS, _RESULTS, _REGIONS, _PROPERTIES, _ATTRIBUTES)
    return [Signature(*each) for each in parts]


def signatures(count: int, seed: int) -> list[Signature]:
    """COUNT of all combinations, with that of no parts at all."""
    return [Signature("", "", "", "", ""), *random.Random(seed).sample(_combinations(), count)]


@cache
def names() -> list[str]:
    """All operations of the dialects that volcli knows."""
    return [op.name for make in dialect_factories().values() for op in make().operations]


def failures(name: str, tried: Sequence[Signature]) -> Iterator[str]:
    """What is wrong with how the operation NAME is taken with the signatures TRIED, all in one function."""
    lines = [signature.text(name, number) for number, signature in enumerate(tried)]
    program = load_source(Source("sweep.mlir", _FUNCTION.format("".join(lines))), via="xdsl", budget=BUDGET)
    yield from (op.reason.message for unit in program.units for op in unit.parsed.unread)
    program.run(PASSES)
    yield from (each.message for each in program.diagnostics if each.code == "V900")
    if not any(fact.function == "after" and fact.question == "bounds" for fact in program.facts):
        yield "no bounds of the function behind it"
    print_module(program.units[0].parsed)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--signatures", type=int, default=200, help="how many for each operation")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried, wrong = signatures(options.signatures, options.seed), 0
    for name in names():
        for what in failures(name, tried):
            wrong += 1
            print(f"{name}: {what}")
    print(f"{len(names()) * len(tried)} operations, {wrong} failures")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
