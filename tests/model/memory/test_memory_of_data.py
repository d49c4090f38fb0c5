"""Subscripts and bounds that loops carry out of loaded data: one unknown number, not every one of its range."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer, AccessVerdict
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import BufferFlow, ReadFlow, WriteFlow
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS

HEAD = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
"""
ARGUMENTS = "%d: memref<4xindex>, %o: memref<5xf32>, %x: f32, %y: f32, %n: index"
LAST = """
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {
    %v = memref.load %d[%i] : memref<4xindex>
    scf.yield %v : index
  }
"""
WHERE = """
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {
    %v = memref.load %d[%i] : memref<4xindex>
    %p = arith.cmpi eq, %v, %n : index
    %s = arith.select %p, %i, %a : index
    scf.yield %s : index
  }
"""
COUNT = """
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {
    %v = memref.load %d[%i] : memref<4xindex>
    %p = arith.cmpi sgt, %v, %n : index
    %s = scf.if %p -> index {
      %k = arith.addi %a, %c1 : index
      scf.yield %k : index
    } else {
      scf.yield %a : index
    }
    scf.yield %s : index
  }
"""
SEARCH = """
  %r = scf.while (%a = %c0) : (index) -> index {
    %p = arith.cmpi slt, %a, %c1 : index
    scf.condition(%p) %a : index
  } do {
  ^bb0(%b: index):
    %v = memref.load %d[%b] : memref<4xindex>
    scf.yield %v : index
  }
"""
NESTED = """
  %r = scf.if %go -> index {
    %q = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c1) -> (index) {
      %v = memref.load %d[%i] : memref<4xindex>
      scf.yield %v : index
    }
    scf.yield %q : index
  } else {
    scf.yield %c1 : index
  }
"""
VALUES = [LAST, WHERE, COUNT, SEARCH, NESTED]
NAMES = ["last", "where", "count", "search", "nested"]
each_value = pytest.mark.parametrize("value", VALUES, ids=NAMES)


def memory(body: str, operations: int = DEFAULT_OPERATIONS) -> Memory:
    text = f"func.func @f({ARGUMENTS}, %go: i1) {{{HEAD}{body}  return\n}}\n"
    return volcli.load(text, budget=operations).units[0].models()[0].memory


def flow(body: str) -> list[BufferFlow]:
    return MemoryFlow(memory(body)).all()


def last_write(found: list[BufferFlow], number: int) -> WriteFlow:
    """The write with this number from the end."""
    return sorted((w for b in found for w in b.writes), key=lambda w: w.site.number)[-number]


def last_read(found: list[BufferFlow]) -> ReadFlow:
    return max((r for b in found for r in b.reads), key=lambda r: r.site.number)


def bounds(body: str) -> list[AccessAnswer]:
    return AccessChecks(memory(body)).all()


@each_value
def test_a_store_before_one_that_data_places_is_not_dead(value: str) -> None:
    found = flow(value + """
  memref.store %x, %o[%c1] : memref<5xf32>
  memref.store %y, %o[%r] : memref<5xf32>
""")  # fmt: skip
    write = last_write(found, 2)
    assert write.dead is None or write.dead.is_empty()


@pytest.mark.sample(4)
@each_value
def test_a_load_behind_it_may_see_either_store(value: str) -> None:
    read = last_read(flow(value + """
  memref.store %x, %o[%c1] : memref<5xf32>
  memref.store %y, %o[%r] : memref<5xf32>
  %z = memref.load %o[%c1] : memref<5xf32>
"""))  # fmt: skip
    assert len(read.writers) == 2
    assert not any(each.exact for each in read.writers)
    assert read.because is not None


@pytest.mark.sample(4)
@each_value
def test_what_it_places_may_leave_memory_uninitialised(value: str) -> None:
    read = last_read(flow(value + """
  %l = memref.alloc() : memref<5xf32>
  memref.store %y, %l[%r] : memref<5xf32>
  %z = memref.load %l[%c1] : memref<5xf32>
"""))  # fmt: skip
    assert read.unwritten is not None
    assert not read.unwritten.is_empty()


@each_value
def test_no_dependence_is_proved_of_the_element(value: str) -> None:
    model = memory(value + """
  memref.store %x, %o[%c1] : memref<5xf32>
  memref.store %y, %o[%r] : memref<5xf32>
""")  # fmt: skip
    first, second = model.sites[-2:]
    assert model.dependence(first, second, 1).verdict is DependenceVerdict.UNKNOWN


def test_it_is_in_bounds_if_all_of_its_values_are() -> None:
    assert (
        bounds(WHERE + "  memref.store %y, %o[%r] : memref<5xf32>\n")[-1].verdict is AccessVerdict.IN_BOUNDS
    )
    assert (
        bounds(COUNT + "  memref.store %y, %o[%r] : memref<5xf32>\n")[-1].verdict is AccessVerdict.IN_BOUNDS
    )


def test_it_is_out_of_bounds_only_if_all_of_its_values_are() -> None:
    beyond = "  %k = arith.addi %r, {0} : index\n  memref.store %y, %o[%k] : memref<5xf32>\n"
    assert bounds(COUNT + beyond.format("%c1"))[-1].verdict is AccessVerdict.UNKNOWN
    outside = "  %c5 = arith.constant 5 : index\n" + beyond.format("%c5")
    assert bounds(COUNT + outside)[-1].verdict is AccessVerdict.OUT_OF_BOUNDS


def test_a_loop_as_long_as_data_say_kills_nothing() -> None:
    found = flow(COUNT + """
  memref.store %x, %o[%c1] : memref<5xf32>
  scf.for %j = %c0 to %r step %c1 {
    memref.store %y, %o[%j] : memref<5xf32>
  }
""")  # fmt: skip
    write = last_write(found, 2)
    assert write.dead is None or write.dead.is_empty()


def test_a_branch_that_data_choose_kills_nothing() -> None:
    found = flow(COUNT + """
  memref.store %x, %o[%c1] : memref<5xf32>
  %q = arith.cmpi sgt, %r, %c1 : index
  scf.if %q {
    memref.store %y, %o[%c1] : memref<5xf32>
  }
""")  # fmt: skip
    write = last_write(found, 2)
    assert write.dead is None or write.dead.is_empty()


def test_in_each_iteration_around_it_is_another_one() -> None:
    model = memory(f"""
  scf.for %u = %c0 to %c4 step %c1 {{{COUNT}
    memref.store %y, %o[%r] : memref<5xf32>
  }}
""")  # fmt: skip
    write = model.sites[-1]
    assert model.dependence(write, write, 1).verdict is DependenceVerdict.UNKNOWN


def test_what_counts_without_data_is_as_exact_as_before() -> None:
    found = flow("""
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {
    %k = arith.addi %a, %c1 : index
    %s = arith.minsi %k, %c1 : index
    scf.yield %s : index
  }
  memref.store %x, %o[%c1] : memref<5xf32>
  memref.store %y, %o[%r] : memref<5xf32>
""")  # fmt: skip
    write = last_write(found, 2)
    assert write.is_exact
    assert write.dead is not None
    assert not write.dead.is_empty()


@pytest.mark.sample(5)
@pytest.mark.parametrize("operations", [1, 100, 400, 800, 5000])
@each_value
def test_a_small_budget_is_no_internal_error(value: str, operations: int) -> None:
    model = memory(value + "  memref.store %y, %o[%r] : memref<5xf32>\n", operations)
    for found in model.dependences():
        if found.verdict is DependenceVerdict.DEPENDENT:
            assert model.witness(found) is not None
    assert MemoryFlow(model, operations=operations).all()
    assert AccessChecks(model, operations=operations).all()
