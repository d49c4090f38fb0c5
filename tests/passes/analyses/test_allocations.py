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


T = "memref<4xf32>"
THROUGH = {
    "a region": f"%r = scf.execute_region -> {T} {{ scf.yield %a : {T} }}",
    "an iteration": f"%r = scf.for %i = %z to %n step %n iter_args(%k = %a) -> {T} {{ scf.yield %k : {T} }}",
    "a branch": f"%r = scf.if %c -> {T} {{ scf.yield %a : {T} }} else {{ scf.yield %b : {T} }}",
    "a choice": f"%r = arith.select %c, %a, %b : {T}",
    "a block": f"cf.br ^next(%a : {T})\n^next(%r: {T}):",
    "a loop": f"""%r = scf.while (%k = %a) : ({T}) -> {T} {{ scf.condition(%c) %k : {T} }} do {{
        ^bb0(%y: {T}): scf.yield %y : {T} }}""",
    "memory": f"""%p = memref.alloc() : memref<{T}>
        memref.store %a, %p[] : memref<{T}>
        %r = memref.load %p[] : memref<{T}>""",
    "a call": f"%r = func.call @either(%c, %a, %b) : (i1, {T}, {T}) -> {T}",
}


def lifetime_of(body: str) -> str:
    """How long the memory %a lives that BODY frees."""
    text = f"""func.func @f(%c: i1, %n: index, %b: {T}) {{
      %z = arith.constant 0 : index
      %a = memref.alloc() : {T}
      {body}
      return
    }}
    func.func private @either(%c: i1, %a: {T}, %b: {T}) -> {T} {{
      %r = arith.select %c, %a, %b : {T}
      return %r : {T}
    }}
    func.func private @again(%c: i1, %a: {T}) {{
      scf.if %c {{ func.call @again(%c, %a) : (i1, {T}) -> () }} else {{ memref.dealloc %a : {T} }}
      return
    }}"""
    facts = volcli.loads(text).run("allocations").facts
    (fact,) = [each for each in facts if isinstance(each, AllocationFact) and each.value == "%a"]
    assert fact.lifetime is not None
    return fact.lifetime.kind


@pytest.mark.parametrize("through", THROUGH)
def test_memory_that_is_freed_through_another_value_is_not_called_never_freed(through: str) -> None:
    assert lifetime_of(f"{THROUGH[through]}\nmemref.dealloc %r : {T}") in ("freed", "may be freed")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("", "never freed"),
        (f"memref.dealloc %a : {T}", "freed"),
        (f"scf.if %c {{ memref.dealloc %a : {T} }}", "may be freed"),
        (f"scf.if %c {{ memref.dealloc %a : {T} }} else {{ memref.dealloc %a : {T} }}", "freed"),
        (f"bufferization.dealloc (%a : {T}) if (%c)", "may be freed"),
        (f"func.call @again(%c, %a) : (i1, {T}) -> ()", "may be freed"),
        (f"memref.dealloc %b : {T}", "never freed"),
    ],
)
def test_memory_is_freed_in_each_execution_or_perhaps(body: str, kind: str) -> None:
    assert lifetime_of(body) == kind
