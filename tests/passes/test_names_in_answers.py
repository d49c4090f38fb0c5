"""What structuring adds to a function of blocks is in no set, number or name of an answer: reasons describe it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

import volcli
from tests.oracles.blocks.draw import drawn
from tests.oracles.contents import graphs

PASSES = (
    "element-maps",
    "sparsity-regions",
    "memory-flow",
    "value-bounds",
    "dependences",
    "check-accesses",
    "dead-code",
)
DATA = """func.func @f(%a: memref<4xf32>, %d: memref<8xi1>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %p = arith.cmpi slt, %i, %c7 : index
  cf.cond_br %p, ^b, ^r
^b:
  %e = memref.load %d[%i] : memref<8xi1>
  %n = arith.addi %i, %c1 : index
  cf.cond_br %e, ^s, ^h(%n : index)
^s:
  memref.store %x, %a[%i] : memref<4xf32>
  return
^r:
  return
}"""
PROGRAMS = {
    "a search in data": DATA,
    **{f"a graph, {seed}": graphs.drawn(seed) for seed in (0, 22)},
    "blocks": drawn("leak/43").text,
}


def said(found: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """The texts in FOUND, each with the name of its field; what maps names to numbers has fields, too."""
    inside: list[tuple[str, Any]] = []
    if isinstance(found, dict):
        inside += cast("dict[str, Any]", found).items()
        yield from (("a name", name) for name, _ in inside)
    elif isinstance(found, list | tuple):
        inside += ((key, each) for each in cast("list[Any]", found))
    elif isinstance(found, str):
        yield key, found
    for name, each in inside:
        yield from said(each, name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_reasons_speak_of_a_branch_that_has_no_name(name: str) -> None:
    program = volcli.loads(PROGRAMS[name])
    for each in PASSES:
        program.run(each)
    texts = [(key, text) for fact in program.facts for key, text in said(fact.to_json())]
    described = {key for key, text in texts if "branch in line" in text or "branch_in_line" in text}
    assert described <= {"reason"}


def test_a_reason_describes_the_branch() -> None:
    facts = volcli.loads(DATA).run("element-maps").facts
    (map_of_a,) = facts
    assert "the branch in line 8 is not a function of the arguments" in str(map_of_a.certainty.reason)
