"""Calls and unknown operations may read and write arguments, globals, and what has escaped before."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.flow.answers import ReadFlow, WriteFlow
from volcli.model.memory.flow.flows import MemoryFlow

M = "memref<6xi32>"
HEAD = f"""memref.global "private" @shared : {M} = uninitialized
func.func private @outside()
func.func private @given({M})
func.func private @address(index)
func.func private @harmless(%v: i32) -> i32 {{
  %w = arith.addi %v, %v : i32
  return %w : i32
}}
func.func private @writes_shared(%v: i32) {{
  %c0 = arith.constant 0 : index
  %g = memref.get_global @shared : {M}
  memref.store %v, %g[%c0] : {M}
  return
}}
func.func private @one_of(%a: {M}, %b: {M}, %go: i1) -> {M} {{
  %w = arith.select %go, %a, %b : {M}
  return %w : {M}
}}
func.func private @passes_on(%v: i32) {{
  func.call @writes_shared(%v) : (i32) -> ()
  return
}}
func.func @f(%a: {M}, %p: memref<{M}>, %v: i32, %n: index, %go: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %l = memref.alloc() : {M}
"""
CALLS = [
    "func.call @outside() : () -> ()",
    '"other.work"() : () -> ()',
    '"other.work"(%v) : (i32) -> i32',
    '"other.launch"() ({ "other.end"() : () -> () }) : () -> ()',
]
ESCAPES = {
    "a call": f"func.call @given(%l) : ({M}) -> ()",
    "an unknown operation": f'%h = "other.keep"(%l) : ({M}) -> i64',
    "a store": f"memref.store %l, %p[] : memref<{M}>",
    "its address": f"""%h = memref.extract_aligned_pointer_as_index %l : {M} -> index
        func.call @address(%h) : (index) -> ()""",
    "a view": f"""%w = memref.subview %l[1] [3] [1] : {M} to memref<3xi32, strided<[1], offset: 1>>
        "other.keep"(%w) : (memref<3xi32, strided<[1], offset: 1>>) -> ()""",
    "a choice": f"""%w = arith.select %go, %l, %a : {M}
        "other.keep"(%w) : ({M}) -> ()""",
    "a region": f""""other.launch"() ({{
          %w = memref.load %l[%c1] : {M}
          "other.end"() : () -> ()
        }}) : () -> ()""",
    "a cast": f"%h = builtin.unrealized_conversion_cast %l : {M} to i64",
}
each_call = pytest.mark.parametrize("call", CALLS)
each_escape = pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES.keys())


def answers(body: str) -> tuple[list[ReadFlow], list[WriteFlow]]:
    """Those of the accesses of @f that name an element, in the order of the text."""
    models = volcli.load(f"{HEAD}{body}\n  return\n}}\n").units[0].models()
    (model,) = (each for each in models if each.name == "f")
    found = MemoryFlow(model.memory).all()
    reads = [r for b in found for r in b.reads if r.site.access.partial is None]
    writes = [w for b in found for w in b.writes if w.site.access.partial is None]
    return sorted(reads, key=lambda r: r.site.number), sorted(writes, key=lambda w: w.site.number)


def is_dead(write: WriteFlow) -> bool:
    return write.dead is None or not write.dead.is_empty()


@pytest.mark.sample(4)
@each_call
@pytest.mark.parametrize("memref", ["%a", "%s"])
def test_a_store_to_what_others_know_is_not_dead_before_a_call(call: str, memref: str) -> None:
    _, (first, second) = answers(f"""
  %s = memref.get_global @shared : {M}
  memref.store %v, {memref}[%c1] : {M}
  {call}
  memref.store %v, {memref}[%c1] : {M}""")  # fmt: skip
    assert not is_dead(first)
    assert not is_dead(second)


@pytest.mark.sample(3)
@each_call
@pytest.mark.parametrize("memref", ["%a", "%s"])
def test_what_is_read_behind_a_call_may_come_from_it(call: str, memref: str) -> None:
    (read,), _ = answers(f"""
  %s = memref.get_global @shared : {M}
  memref.store %v, {memref}[%c1] : {M}
  {call}
  %q = memref.load {memref}[%c1] : {M}""")  # fmt: skip
    assert not any(each.exact for each in read.writers)
    assert read.because is not None
    assert "are unknown" in read.because


@pytest.mark.sample(2)
@each_call
@each_escape
def test_what_has_escaped_is_read_and_written_by_calls(call: str, escape: str) -> None:
    reads, writes = answers(f"""
  {escape}
  memref.store %v, %l[%c1] : {M}
  {call}
  %q = memref.load %l[%c1] : {M}
  memref.store %v, %l[%c1] : {M}""")  # fmt: skip
    assert not any(each.exact for each in reads[-1].writers)
    assert not is_dead(writes[-2])
    assert not is_dead(writes[-1]), "others may read it after the function"


@each_escape
def test_what_has_escaped_is_not_known_to_be_unwritten(escape: str) -> None:
    reads, _ = answers(f"""
  {escape}
  func.call @outside() : () -> ()
  %q = memref.load %l[%c1] : {M}""")  # fmt: skip
    assert reads[-1].never_written is not None
    assert reads[-1].never_written.is_empty()


@each_call
def test_before_it_escapes_nobody_else_writes_it(call: str) -> None:
    (read,), _ = answers(f"""
  memref.store %v, %l[%c1] : {M}
  {call}
  %q = memref.load %l[%c1] : {M}
  func.call @given(%l) : ({M}) -> ()""")  # fmt: skip
    assert [each.exact for each in read.writers] == [True]


@pytest.mark.sample(4)
@each_escape
def test_an_escape_in_a_loop_reaches_its_next_iteration(escape: str) -> None:
    reads, _ = answers(f"""
  scf.for %i = %c0 to %c4 step %c1 {{
    memref.store %v, %l[%c1] : {M}
    func.call @outside() : () -> ()
    %q = memref.load %l[%c1] : {M}
    {escape}
  }}""")  # fmt: skip
    assert not any(each.exact for each in reads[0].writers)


def test_a_buffer_of_each_iteration_has_not_escaped_in_the_one_before() -> None:
    (read,), _ = answers(f"""
  scf.for %i = %c0 to %c4 step %c1 {{
    %m = memref.alloc() : {M}
    memref.store %v, %m[%c1] : {M}
    func.call @outside() : () -> ()
    %q = memref.load %m[%c1] : {M}
    func.call @given(%m) : ({M}) -> ()
  }}""")  # fmt: skip
    assert [each.exact for each in read.writers] == [True]


def test_blocks_that_branch_back_are_a_loop() -> None:
    (read,), _ = answers(f"""
  cf.br ^again
^again:
  memref.store %v, %l[%c1] : {M}
  func.call @outside() : () -> ()
  %q = memref.load %l[%c1] : {M}
  cf.cond_br %go, ^keep, ^end
^keep:
  func.call @given(%l) : ({M}) -> ()
  cf.br ^again
^end:""")  # fmt: skip
    assert not any(each.exact for each in read.writers)


@pytest.mark.parametrize(
    "call", ["%w = func.call @harmless(%v) : (i32) -> i32", "vector.print %v : i32", 'cf.assert %go, ""']
)
def test_what_has_no_effect_on_memory_writes_nothing(call: str) -> None:
    (read,), _ = answers(f"""
  memref.store %v, %a[%c1] : {M}
  {call}
  %q = memref.load %a[%c1] : {M}""")  # fmt: skip
    assert [each.exact for each in read.writers] == [True]


@pytest.mark.parametrize("callee", ["@writes_shared", "@passes_on"])
def test_a_function_that_writes_a_global_hides_what_was_written_before(callee: str) -> None:
    (read,), _ = answers(f"""
  %s = memref.get_global @shared : {M}
  memref.store %v, %s[%c0] : {M}
  func.call {callee}(%v) : (i32) -> ()
  %q = memref.load %s[%c0] : {M}""")  # fmt: skip
    assert [(each.writer.op.name, each.exact) for each in read.writers] == [("func.call", True)]


def test_a_choice_that_a_function_returns_lets_escape_what_it_is_given() -> None:
    (read,), _ = answers(f"""
  %q = memref.alloc() : {M}
  memref.store %v, %l[%c1] : {M}
  %w = func.call @one_of(%l, %q, %go) : ({M}, {M}, i1) -> {M}
  func.call @given(%w) : ({M}) -> ()
  func.call @outside() : () -> ()
  %r = memref.load %l[%c1] : {M}""")  # fmt: skip
    assert not any(each.exact for each in read.writers)
