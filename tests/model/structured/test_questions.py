"""What each question says of functions of blocks, and of regions of blocks in operations."""

from __future__ import annotations

import volcli
from volcli.facts.dead import DeadFact
from volcli.facts.flow import ReadFact
from volcli.facts.slices import SlicesFact

LOOP = """
func.func @f(%x: tensor<?xf32>, %y: tensor<8xf32>, %out: memref<64xi64>, %v: i64) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %z = arith.constant 0.0 : f32
  cf.br ^h(%c0, %x : index, tensor<?xf32>)
^h(%i: index, %t: tensor<?xf32>):
  %u = tensor.insert %z into %t[%i] : tensor<?xf32>
  %n = arith.muli %i, %c7 : index
  %m = memref.alloc(%n) : memref<?xi64>
  memref.dealloc %m : memref<?xi64>
  %j = arith.addi %i, %c1 : index
  %a = tensor.extract_slice %y[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %b = tensor.extract_slice %y[%j] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %w = arith.cmpi slt, %i, %c0 : index
  cf.cond_br %w, ^never, ^on
^never:
  memref.store %v, %out[%c0] : memref<64xi64>
  cf.br ^on
^on:
  %p = arith.cmpi slt, %j, %c7 : index
  cf.cond_br %p, ^h(%j, %u : index, tensor<?xf32>), ^e
^e:
  return %u : tensor<?xf32>
}
"""


def test_elements_that_go_around_a_loop_of_blocks() -> None:
    f = volcli.loads(LOOP).function("f")
    found = f.element_map("%u")
    assert found.exact
    assert any("d0 >= 7" in row[1] for row in found.rows())
    assert [row.kind for row in f.regions("%u").regions] == ["dense", "static"]


def test_sizes_and_memory_in_a_loop_of_blocks() -> None:
    f = volcli.loads(LOOP).function("f")
    assert [str(size) for size in f.shape("%t").sizes] == ["x_d0"]
    (made,) = f.allocations()
    assert (made.size, made.exact, made.loops, str(made.lifetime)) == (336, True, ("%i",), "freed in line 12")
    (slices,) = f.slices()
    assert isinstance(slices, SlicesFact)
    assert slices.relation == "disjoint"


def test_a_block_in_a_loop_that_nothing_gets_to() -> None:
    program = volcli.loads(LOOP).run("dead-code")
    (dead,) = (fact for fact in program.facts if isinstance(fact, DeadFact))
    assert (dead.place.line, dead.kind, dead.region) == (17, "block", 0)


REGION = """
func.func @f(%p: i1, %a: memref<8xi64>, %v: i64) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.execute_region -> index {
    cf.cond_br %p, ^h(%c0 : index), ^e(%c5 : index)
  ^h(%i: index):
    memref.store %v, %a[%i] : memref<8xi64>
    %j = arith.addi %i, %c1 : index
    %t = arith.cmpi slt, %j, %c5 : index
    cf.cond_br %t, ^h(%j : index), ^e(%c1 : index)
  ^e(%x: index):
    scf.yield %x : index
  }
  return %r : index
}
"""


def test_blocks_in_a_region() -> None:
    f = volcli.loads(REGION).function("f")
    bounds = f.bounds("%r")
    assert (bounds.lower.constant, bounds.upper.constant, bounds.lower.exact) == (1, 5, True)
    (loop,) = f.loops()
    assert (loop.loop, loop.kind, loop.place.line) == ("%i", "parallel", 12)


HALVES = """
func.func @f(%v: i64, %m: memref<5xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %l = memref.load %m[%c0] : memref<5xi64>
    %t = arith.cmpi slt, %i, %c4 : index
    scf.condition(%t) %i : index
  } do {
  ^bb0(%k: index):
    memref.store %v, %m[%k] : memref<5xi64>
    %j = arith.addi %k, %c1 : index
    scf.yield %j : index
  }
  return
}
"""


def test_the_second_half_of_an_iteration_comes_after_the_first() -> None:
    found = [(d.kind, d.source.place.line, d.depth) for d in volcli.loads(HALVES).function("f").dependences()]
    assert found == [("WAR", 7, 2), ("RAW", 12, 1)]


def test_a_loop_that_counts_is_parallel_however_it_is_written() -> None:
    accesses = "    %l = memref.load %m[%c0] : memref<5xi64>\n"
    loops = [volcli.loads(text).function("f").loops() for text in (HALVES.replace(accesses, ""), HALVES)]
    assert [loop.kind for (loop,) in loops] == ["parallel", "carried"]


IN_TERMS = """
func.func @f(%n: index, %k: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^b, ^e
^b:
  %j = arith.addi %i, %c1 : index
  %s = arith.subi %n, %i : index
  cf.br ^h(%j : index)
^e:
  cf.cond_br %p, ^x(%n : index), ^x(%i : index)
^x(%z: index):
  return
}
"""


def test_bounds_in_terms_of_chosen_values_follow_blocks() -> None:
    """Where %s is, %i < %n; %z is %n or %i, which is at least %n behind the loop."""
    f = volcli.loads(IN_TERMS).function("f")
    found = [(name, f.bounds(name, in_terms_of=of)) for name, of in (("%s", ["%n"]), ("%z", ["%n"]))]
    assert [(name, fact.lower.text, fact.upper.text) for name, fact in found] == [
        ("%s", "1", "%n"),
        ("%z", "%n", "max(%n, 0)"),
    ]
    over_the_loop = f.bounds("%z", in_terms_of=["%i"])
    assert (over_the_loop.lower.text, over_the_loop.upper.text) == (None, "%i")
    assert str(f.bounds("%j", in_terms_of=["%i"]).equal) == "%i + 1"


WHILES = """
func.func @counts(%n: i32, %m: memref<64xi64>, %v: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.while (%i = %c0) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %x = arith.index_cast %i : i32 to index
    memref.store %v, %m[%x] : memref<64xi64>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  return
}
func.func @down(%n: i64, %m: memref<64xi64>, %v: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.while (%i = %n) : (i64) -> i64 {
    %c = arith.cmpi sgt, %i, %c0 : i64
    scf.condition(%c) %i : i64
  } do {
  ^bb0(%i: i64):
    %x = arith.index_cast %i : i64 to index
    memref.store %v, %m[%x] : memref<64xi64>
    %j = arith.subi %i, %c1 : i64
    scf.yield %j : i64
  }
  return
}
"""


def test_a_loop_that_counts_no_index_numbers_its_iterations() -> None:
    """In 32 bits, up to a limit, it is a loop that counts; otherwise its number tells iterations apart."""
    program = volcli.loads(WHILES)
    (up,), (down,) = (program.function(name).loops() for name in ("counts", "down"))
    assert (up.place.line, up.kind) == (5, "parallel")
    assert down.place.line == 20
    needed = [program.function(name).accesses()[0].because for name in ("counts", "down")]
    assert [each.split("; ")[1] for each in needed] == ["in bounds if %n <= 64", "in bounds if %n <= 63"]
    assert not program.function("down").dependences()


TWO_ENTRIES = """
func.func @f(%p: i1, %n: index, %m: memref<64xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %p, ^a(%c0 : index), ^b(%c1 : index)
^a(%i: index):
  memref.store %v, %m[%i] : memref<64xi64>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %j, %n : index
  cf.cond_br %c, ^b(%j : index), ^e
^b(%k: index):
  cf.br ^a(%k : index)
^e:
  return
}
"""


def test_numbers_that_enter_a_cycle_at_different_blocks_go_around_it_as_one() -> None:
    (unit,) = volcli.loads(TWO_ENTRIES).units
    (model,) = unit.models()
    (loop,) = (op for op in model.form.function.walk() if op.name == "scf.while")
    assert [str(each.type) for each in loop.regions[0].block.args] == ["index", "i1", "index"]
    f = volcli.loads(TWO_ENTRIES).function("f")
    assert f.accesses()[0].because.endswith("in bounds if %n <= 64")
    assert not f.dependences()


DISPATCHED = """
func.func @f(%v: i64, %n: index, %k: index, %p: i1, %m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<8xi64>
  cf.cond_br %p, ^a(%n : index), ^b(%k : index)
^a(%x: index):
  memref.store %v, %m[%x] : memref<8xi64>
  cf.br ^b(%x : index)
^b(%y: index):
  memref.store %v, %o[%y] : memref<8xi64>
  %t = arith.cmpi slt, %y, %c0 : index
  cf.cond_br %t, ^a(%c0 : index), ^e
^e:
  return
}
"""


def test_a_value_that_several_blocks_are_passed_is_called_as_all_of_them() -> None:
    accesses = volcli.loads(DISPATCHED).function("f").accesses()
    assert [each.subject for each in accesses] == ["write of %m[%x or %y]", "write of %o[%x or %y]"]


UNDER_A_BIT = """
func.func @f(%v: i64, %p: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<5xi64>
  scf.if %p {
    memref.store %v, %m[%c0] : memref<5xi64>
  }
  %x = memref.load %m[%c0] : memref<5xi64>
  return %x : i64
}
"""


def test_a_number_of_one_bit_is_0_or_1_in_what_is_printed() -> None:
    (read,) = (each for each in volcli.loads(UNDER_A_BIT).function("f").flow() if isinstance(each, ReadFact))
    assert str(read.unwritten) == "[p] -> { [] : p = 0 }"


NUMBERED_IN_COUNTED = """
func.func @f(%n: index, %e: i32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %j = %c0 to %c2 step %c1 iter_args(%s = %c1) -> (index) {
    %q:2 = scf.while (%w = %zero, %x = %c2) : (i32, index) -> (i32, index) {
      %t = arith.cmpi slt, %w, %e : i32
      scf.condition(%t) %w, %x : i32, index
    } do {
    ^bb0(%v: i32, %y: index):
      %i = arith.subi %n, %c1 : index
      %u = arith.addi %v, %one : i32
      scf.yield %u, %i : i32, index
    }
    scf.yield %q#1 : index
  }
  return %r : index
}
"""


def test_a_loop_around_one_that_is_numbered_carries_what_that_gives() -> None:
    """What the loop yields is asked before the inner one gets a number, and afterwards."""
    fact = volcli.loads(NUMBERED_IN_COUNTED).function("f").bounds("%r")
    assert (fact.lower.text, fact.upper.text) == ("min(%n - 1, 2)", "max(%n - 1, 2)")
    assert fact.certainty.degree == "exact"


PAST_A_LOOP = """
func.func @f(%n: index, %k: index, %p: i1, %q: i1, %a: memref<50xi64>) {
  %c2 = arith.constant 2 : index
  %i = arith.addi %k, %c2 : index
  cf.br ^outer(%i : index)
^outer(%x: index):
  cf.cond_br %p, ^read, ^inner(%x : index)
^read:
  %l = memref.load %a[%x] : memref<50xi64>
  cf.cond_br %q, ^inner(%k : index), ^end
^inner(%y: index):
  %t = arith.cmpi slt, %y, %c2 : index
  cf.cond_br %t, ^outer(%x : index), ^inner(%n : index)
^end:
  return
}
"""


def test_what_a_loop_only_passes_on_is_what_it_was_before_the_loop() -> None:
    function = volcli.loads(PAST_A_LOOP).function("f")
    assert str(function.bounds("%x").equal) == "%k + 2"
    (read,) = [each for each in function.flow() if each.to_json()["kind"] == "read"]
    assert read.certainty.degree == "exact"
