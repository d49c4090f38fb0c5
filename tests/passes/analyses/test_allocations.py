"""How many bytes allocations take: of elements wider than 64 bits, too."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.allocations import AllocationFact


@pytest.mark.parametrize(
    ("element", "size"),
    [("i1", 4), ("i8", 4), ("i24", 16), ("i64", 32), ("i65", 64), ("i128", 64), ("f64", 32), ("index", 32)],
)
def test_bytes_of_four_elements(element: str, size: int | None) -> None:
    text = f"func.func @f() {{\n  %m = memref.alloc() : memref<4x{element}>\n  return\n}}"
    program = volcli.loads(text).run("allocations")
    (fact,) = program.facts
    assert isinstance(fact, AllocationFact)
    assert (fact.elements, fact.size, program.diagnostics) == (4, size, [])
