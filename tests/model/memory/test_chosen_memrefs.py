"""Accesses to memrefs that numbers choose (random programs: tests/oracles/blocks/structured.py)."""

from __future__ import annotations

from itertools import product

import pytest

import volcli
from tests.shared.enumeration import model_of
from tests.shared.numbers import value
from volcli.facts.flow import BufferFact
from volcli.language.expressions import loop
from volcli.model.memory.buffers.aliases import Alias, alias
from volcli.model.memory.buffers.chosen import exclusive

MEMREF = "memref<8xf32>"
HEAD = f"""func.func @f(%a: {MEMREF}, %b: {MEMREF}, %q: memref<8xi1>, %n: index, %x: f32, %p: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c = arith.cmpi slt, %n, %c3 : index
"""
STORE = f"memref.store %x, %m[%c1] : {MEMREF}"
IF = f"%m = scf.if {{}} -> {MEMREF} {{{{ scf.yield %a : {MEMREF} }}}} else {{{{ scf.yield %b : {MEMREF} }}}}"


def function(body: str) -> str:
    return f"{HEAD}{body}\nreturn\n}}"


def left(body: str) -> dict[str, str | None]:
    """What is new in each buffer that is written, at the end; None where that is not exact."""
    facts = volcli.loads(function(body)).function("f").flow()
    return {
        each.buffer: str(each.live_out) if each.exact else None
        for each in facts
        if isinstance(each, BufferFact) and each.live_out is not None
    }


@pytest.mark.parametrize(
    "body",
    [
        f"%m = arith.select %c, %a, %b : {MEMREF}\n{STORE}",
        f"{IF.format('%c')}\n{STORE}",
        f"""%s = arith.select %c, %a, %b : {MEMREF}
        %m = memref.subview %s[%c0] [4] [1] : {MEMREF} to memref<4xf32, strided<[1], offset: ?>>
        memref.store %x, %m[%c1] : memref<4xf32, strided<[1], offset: ?>>""",
    ],
)
def test_numbers_choose_where_is_written(body: str) -> None:
    assert left(body) == {"%a": "[n] -> { [d0 = 1] : n <= 2 }", "%b": "[n] -> { [d0 = 1] : n >= 3 }"}


def test_a_switch_chooses_by_all_its_cases() -> None:
    found = left(f"""%m = scf.index_switch %n -> {MEMREF}
    case 3 {{ scf.yield %b : {MEMREF} }} case 7 {{ scf.yield %b : {MEMREF} }} default {{ scf.yield %a : {MEMREF} }}
    {STORE}""")
    assert found == {
        "%a": "[n] -> { [d0 = 1] : n >= 8 or n <= 2 or (4 <= n <= 6) }",
        "%b": "[n] -> { [d0 = 1] : n = 7 or n = 3 }",
    }


@pytest.mark.parametrize("condition", ["%p", "%l"])
def test_truths_choose_as_in_a_branch_around_the_access(condition: str) -> None:
    load = "%l = memref.load %q[%c1] : memref<8xi1>\n"
    chosen = left(f"{load}%m = arith.select {condition}, %a, %b : {MEMREF}\n{STORE}")
    arms = [f"memref.store %x, %{name}[%c1] : {MEMREF}" for name in "ab"]
    assert chosen == left(f"{load}scf.if {condition} {{ {arms[0]} }} else {{ {arms[1]} }}")
    assert chosen["%a"] is not None


def test_buffers_that_take_turns_are_followed() -> None:
    body = f"""%c2 = arith.constant 2 : index
    scf.for %i = %c0 to %c8 step %c1 {{
      %r = arith.remui %i, %c2 : index
      %e = arith.cmpi eq, %r, %c0 : index
      %from = arith.select %e, %a, %b : {MEMREF}
      %to = arith.select %e, %b, %a : {MEMREF}
      %v = memref.load %from[%i] : {MEMREF}
      memref.store %v, %to[%i] : {MEMREF}
    }}"""
    facts = [volcli.loads(function(body)).function("f").element_map(name) for name in ("%a", "%b")]
    assert all(each.exact for each in facts)
    found = {str(piece) for each in facts for piece in each.pieces}
    assert found == {
        "{ a[d0] -> a[d0' = d0] : (d0) mod 2 = 0 }", "{ a[d0] -> b[d0' = d0] : (1 + d0) mod 2 = 0 }",
        "{ b[d0] -> a[d0' = d0] : (d0) mod 2 = 0 }", "{ b[d0] -> b[d0' = d0] : (1 + d0) mod 2 = 0 }",
    }  # fmt: skip


def test_each_output_of_a_body_is_what_is_yielded_for_it() -> None:
    """An output that is one of two buffers does not move the others."""
    body = f"""%m = arith.select %c, %a, %b : {MEMREF}
    linalg.generic {{indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x : f32) outs(%m, %q : {MEMREF}, memref<8xi1>) {{
    ^bb0(%y: f32, %z: f32, %w: i1):
      linalg.yield %y, %p : f32, i1
    }}"""
    fact = volcli.loads(function(body)).function("f").element_map("%q")
    assert fact.exact
    assert [str(piece) for piece in fact.pieces] == ["{ q[d0] -> p[] }"]


@pytest.mark.parametrize(
    "body",
    [
        f"%l = memref.load %q[%n] : memref<8xi1>\n%m = arith.select %l, %a, %a : {MEMREF}\n{STORE}",
        f"""%m = scf.for %i = %c0 to %n step %c1 iter_args(%k = %a) -> ({MEMREF}) {{
          memref.store %x, %k[%c3] : {MEMREF}
          scf.yield %k : {MEMREF}
        }}
        {STORE}""",
    ],
)
def test_what_can_be_one_memref_only_is_that_one(body: str) -> None:
    memory = model_of(function(body)).memory
    argument = memory.function.regions[0].block.args[0]
    written = [site.place.root for site in memory.sites if site.is_write]
    assert all(alias(root, memory.buffers.root(argument)) is Alias.SAME for root in written)


def test_a_new_memref_in_each_iteration_is_not_one() -> None:
    body = f"""%m = scf.for %i = %c0 to %n step %c1 iter_args(%k = %a) -> ({MEMREF}) {{
      %new = memref.alloc() : {MEMREF}
      scf.yield %new : {MEMREF}
    }}
    {STORE}"""
    memory = model_of(function(body)).memory
    argument = memory.function.regions[0].block.args[0]
    (written,) = (site.place.root for site in memory.sites if site.is_write)
    assert alias(written, memory.buffers.root(argument)) is Alias.UNKNOWN


def test_a_store_is_not_dead_if_one_of_its_memrefs_is_read() -> None:
    body = f"%o = memref.alloc() : {MEMREF}\n%m = arith.select %c, %a, %o : {MEMREF}\n{STORE}"
    assert not volcli.loads(function(body)).run("memory-flow").diagnostics


def test_an_access_is_checked_once() -> None:
    facts = (
        volcli.loads(function(f"%m = arith.select %c, %a, %b : {MEMREF}\n{STORE}")).function("f").accesses()
    )
    assert [each.verdict for each in facts] == ["in-bounds"]


def test_of_conjunctions_one_holds_at_most() -> None:
    when = ((loop(0), loop(1) - 1), (loop(1),), (-loop(0), loop(0)))
    for point in product(range(-2, 3), repeat=2):
        numbers = {atom: n for k, n in enumerate(point) for atom in loop(k).atoms()}
        held, parts = (
            sum(all(value(e, numbers) >= 0 for e in where) for where in among)
            for among in (when, exclusive(when))
        )
        assert parts == min(held, 1)


BUFFERS = "\n".join(f"%{b} = memref.alloc() : {MEMREF}" for b in "uv")
WAYS = {
    "a select": f"%m = arith.select %c, %u, %v : {MEMREF}",
    "a branch": IF.format("%p").replace("yield %a", "yield %u").replace("yield %b", "yield %v"),
    "a switch": f"%m = scf.index_switch %n -> {MEMREF} case 3 {{ scf.yield %u : {MEMREF} }} "
    f"default {{ scf.yield %v : {MEMREF} }}",
    "a buffer or an argument": f"%m = arith.select %c, %u, %a : {MEMREF}",
}
ACCESSES = {"V205": f"%y = memref.load %m[%c1] : {MEMREF}", "V206": STORE}


@pytest.mark.sample(6)
@pytest.mark.parametrize("code", ACCESSES)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("right", ["", "u", "v"])
def test_a_finding_holds_for_each_memref_that_may_be_chosen(code: str, way: str, right: str) -> None:
    """RIGHT is the buffer, if any, that is written before, or read after: then nothing is found."""
    other = (
        f"memref.store %x, %{right}[%c1] : {MEMREF}"
        if code == "V205"
        else f"%z = memref.load %{right}[%c1] : {MEMREF}"
    )
    before, after = (other, "") if code == "V205" else ("", other)
    lines = (BUFFERS, before if right else "", WAYS[way], ACCESSES[code], after if right else "")
    found = volcli.loads(function("\n".join(lines))).run("memory-flow").diagnostics
    is_found = not right if way != "a buffer or an argument" else False
    assert (code in {each.code for each in found if "%m" in each.message}) is is_found
