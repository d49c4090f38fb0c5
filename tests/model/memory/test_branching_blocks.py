"""Memory between blocks that branch to each other: an allocation of one block is the buffer of the next ones.

The iterations of such blocks are the blocks that run. What the first one stores, all others may read:

    entry: store %l[0]; br ^again        ^again: load %l[0]; cond_br ^again, ^end       entry 0, ^again 1, 2, ...
"""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow

ARGUMENT = "func.func @f(%n: index, %v: f32, %m: memref<4xf32>) {"
ALLOCATED = "func.func @f(%n: index, %v: f32) {\n  %m = memref.alloc() : memref<4xf32>"
BODY = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  @FIRST
  cf.br ^again(%c0 : index)
^again(%i: index):
  %x = memref.load %m[%c0] : memref<4xf32>
  @LAST
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^again(%j : index), ^end
^end:
  return
}"""
STORE = "memref.store %v, %m[%c0] : memref<4xf32>"


def memory_of(head: str, first: str, last: str) -> Memory:
    text = head + BODY.replace("@FIRST", first).replace("@LAST", last)
    (unit,) = volcli.load(text).units
    (model,) = unit.models()
    return model.memory_as_written


@pytest.mark.parametrize("head", [ARGUMENT, ALLOCATED])
def test_what_a_block_allocates_the_next_blocks_have_too(head: str) -> None:
    """%x is loaded in iterations 1, 2, ... of the blocks: 0 -> 3 must be among the possible pairs."""
    memory = memory_of(head, STORE, "")
    reads = [read for buffer in MemoryFlow(memory).all() for read in buffer.reads]
    (writer,) = reads[0].writers
    assert not writer.exact
    for later in (1, 3):
        assert not writer.pairs.intersect(type(writer.pairs)(f"{{ [0] -> [{later}] }}")).is_empty()


@pytest.mark.parametrize("head", [ARGUMENT, ALLOCATED])
@pytest.mark.parametrize(("first", "last"), [(STORE, ""), ("", STORE)])
def test_and_depend_on_each_other(head: str, first: str, last: str) -> None:
    """A store and a load in different blocks, or around the loop of blocks: never independent at depth 1."""
    memory = memory_of(head, first, last)
    (load,) = (site for site in memory.sites if not site.is_write)
    (store,) = (site for site in memory.sites if site.is_write)
    assert memory.dependence(store, load, 1).verdict is DependenceVerdict.UNKNOWN


def test_a_loop_inside_of_a_block_has_buffers_of_its_own() -> None:
    """What an affine.for allocates in each iteration is new in each, whatever blocks are around it."""
    text = """
    func.func @f(%c: i1, %v: f32) {
      cf.cond_br %c, ^a, ^b
    ^a:
      affine.for %i = 0 to 4 {
        %m = memref.alloc() : memref<4xf32>
        affine.store %v, %m[0] : memref<4xf32>
        %x = affine.load %m[0] : memref<4xf32>
      }
      cf.br ^b
    ^b:
      return
    }"""
    (unit,) = volcli.load(text).units
    (model,) = unit.models()
    memory = model.memory_as_written
    store, load = memory.sites
    assert memory.dependence(store, load, 2).verdict is DependenceVerdict.INDEPENDENT
    assert memory.dependence(store, load, 3).verdict is not DependenceVerdict.INDEPENDENT
