"""What volcli says of functions of blocks that branch anywhere, against executions of random ones."""

from __future__ import annotations

import pytest

import volcli
from tests.campaigns.blocks import CAMPAIGN
from tests.oracles.blocks.draw import drawn
from tests.oracles.blocks.execute import runs
from volcli.facts.flow import BufferFact, ReadFact, WriteFact

TWO_RETURNS = """
func.func @f(%v: i64, %p: i1, %q: i1, %o: memref<i64>) {
  %m = memref.alloc() : memref<i64>
  memref.store %v, %m[] : memref<i64>
  cf.br ^head
^head:
  %x = memref.load %m[] : memref<i64>
  memref.store %x, %o[] : memref<i64>
  cf.cond_br %p, ^first, ^latch
^latch:
  %y = arith.addi %x, %v : i64
  memref.store %y, %m[] : memref<i64>
  cf.cond_br %q, ^second, ^head
^first:
  return
^second:
  return
}
"""


def test_a_write_in_a_later_block_reaches_the_next_visit_of_an_earlier_one() -> None:
    program = volcli.loads(TWO_RETURNS)
    facts = program.function("f").flow()
    (read,) = (each for each in facts if isinstance(each, ReadFact))
    assert [source.writer.place.line for source in read.sources] == [4, 12]
    assert not any(isinstance(each, WriteFact) and each.is_wholly_dead for each in facts)
    program.run("memory-flow{findings-only}")
    assert not program.diagnostics


THROUGH_A_BLOCK = """
func.func @f(%p: i1, %q: i1, %a: memref<4xi64>, %b: memref<4xi64>, %v: i64) {
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^read(%a : memref<4xi64>), ^other
^read(%m: memref<4xi64>):
  %x = memref.load %m[%c1] : memref<4xi64>
  cf.cond_br %q, ^other, ^read(%again : memref<4xi64>)
^other:
  memref.store %v, %a[%c1] : memref<4xi64>
  return
}
"""


def test_what_may_be_a_buffer_may_read_what_was_in_it_before() -> None:
    for again, is_one in (("%b", False), ("%a", True)):
        facts = volcli.loads(THROUGH_A_BLOCK.replace("%again", again)).function("f").flow()
        (known,) = (each for each in facts if isinstance(each, BufferFact) and each.buffer == "%a")
        assert known.live_in is not None
        assert known.exact is is_one


@pytest.mark.slow
def test_programs_have_what_they_are_drawn_for() -> None:
    """Of twenty some have two returns, some never end, and many read what another visit of a block wrote."""
    every = [drawn(f"18/{number}") for number in range(20)]
    returns = [sum(not block.targets for block in program.blocks) for program in every]
    assert sum(count > 1 for count in returns) > 3
    found = [run for program in every for run in runs(program, 4)]
    assert any(not run.is_finished and run.outside is None for run in found)
    assert any(writer > reader for run in found for writer, reader in run.flow)


@pytest.mark.slow
def test_no_answer_is_wrong() -> None:
    assert CAMPAIGN.complaints([f"19/{number}" for number in range(10)]) == ""


@pytest.mark.fuzz
def test_campaign() -> None:
    """As `python -m tests.campaigns.blocks`."""
    assert CAMPAIGN.complaints([f"20/{number}" for number in range(2000)]) == ""
