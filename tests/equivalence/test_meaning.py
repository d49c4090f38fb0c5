"""What decides whether a program may be called equal, beside what its elements are computed from."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.differences import FunctionComparison

COPY = """func.func @f(%x: memref<10xf32>, %r: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %v = affine.load %x[%i] : memref<10xf32>
    affine.store %v, %r[%i] : memref<10xf32>
  }
  return
}"""
TILED = """func.func @f(%x: memref<10xf32>, %r: memref<10xf32>) {
  affine.for %j = 0 to 3 {
    affine.for %i = affine_map<(d0) -> (4 * d0)>(%j) to affine_map<(d0) -> (END)>(%j) {
      %v = affine.load %x[%i] : memref<10xf32>
      affine.store %v, %r[%i] : memref<10xf32>
    }
  }
  return
}"""
LAST = """func.func @f(%x: memref<4xf32>, %r: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xf32>
    affine.store %v, %r[0] : memref<4xf32>
  }
  return
}"""
ANYONE = LAST.replace("affine.for %i = 0 to 4", "affine.parallel (%i) = (0) to (4)")
PASSED = """func.func @f(%c: i1, %x: memref<4xf32>) {
  BODY
  return
}"""
PREFIX = """func.func @f(%x: memref<?xf32>, %r: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    BODY
  }
  return
}"""
ADDED = "%v = affine.load %x[%i] : memref<?xf32> affine.store %v, %r[%i] : memref<?xf32>"


def found(before: str, after: str) -> FunctionComparison:
    (only,) = volcli.loads(before).diff(volcli.loads(after))
    return only


def test_what_runs_past_the_end_is_different() -> None:
    past = found(COPY, TILED.replace("(d0) -> (END)", "(d0) -> (4 * d0 + 4)"))
    assert past.verdict == "different"
    assert str(past.outputs[-1]) == (
        "definedness: different: after: 'affine.load' op goes out of bounds: index 10 in dimension 0 of "
        "size 10, and BEFORE is defined"
    )
    inside = TILED.replace("to affine_map", "to min affine_map").replace("(END)", "(4 * d0 + 4, 10)")
    assert found(COPY, inside).verdict == "equal"
    assert found(COPY, inside).assumptions == ()  # without tiles it does the same in the same order


@pytest.mark.slow
def test_bounds_that_depend_on_arguments_are_those_of_the_program_before() -> None:
    same = PREFIX.replace("BODY", ADDED)
    again = PREFIX.replace("BODY", ADDED + " " + ADDED.replace("%v", "%w"))
    assert found(same, again).verdict == "equal"
    assert found(same, again.replace("%n", "%m")).verdict == "equal"
    other = again.replace("%x[%i]", "%x[%i + 1]", 1)
    assert found(same, other).verdict == "different"
    assert found(other, same).verdict == "equal"


def test_iterations_that_lose_their_order_must_not_race() -> None:
    races = found(LAST, ANYONE).outputs[-1]
    assert (races.output, races.verdict) == ("races", "different")
    assert "iteration (0) and iteration (1) of a parallel loop access one element" in (races.reason or "")
    assert found(ANYONE, LAST).verdict == "equal"


@pytest.mark.parametrize(
    ("body", "verdict", "assumed"),
    [
        ("memref.dealloc %x : memref<4xf32>", "different", ()),
        ('cf.assert %c, "so"', "different", ()),
        ("scf.while : () -> () { scf.condition(%c) } do { scf.yield }", "different", ()),
    ],
)
def test_what_else_a_program_may_do(body: str, verdict: str, assumed: tuple[str, ...]) -> None:
    nothing, something = PASSED.replace("BODY", ""), PASSED.replace("BODY", body)
    assert found(nothing, something).verdict == verdict
    assert found(nothing, something).assumptions == assumed
    assert found(something, nothing).verdict == "equal"
    assert found(something, something).verdict == "equal"


# -- constants and truths ------------------------------------------------------------------------------

ROW = """func.func @f() -> tensor<2xKIND> {
  %c = arith.constant dense<ROWS> : tensor<2x2xKIND>
  %r = tensor.extract_slice %c[ROW, 0] [1, 2] [1, 1] : tensor<2x2xKIND> to tensor<2xKIND>
  return %r : tensor<2xKIND>
}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("kind", "rows", "verdict"),
    [
        ("f32", "[[1.0, 2.0], [1.0, 2.0]]", "equal"),
        ("f32", "[[1.0, 2.0], [1.0, 3.0]]", "different"),
        ("i32", "[[1, 2], [1, 2]]", "equal"),
        ("i32", "[[1, 2], [2, 1]]", "different"),
        ("i1", "[[true, false], [true, true]]", "different"),
    ],
)
def test_copies_of_constants_differ_by_their_numbers(kind: str, rows: str, verdict: str) -> None:
    program = ROW.replace("KIND", kind).replace("ROWS", rows)
    assert found(program.replace("ROW", "0"), program.replace("ROW", "1")).verdict == verdict


SELECT = """func.func @f(%c: i1, %x: f32, %y: f32) -> f32 {
  %r = arith.select %c, %x, %y : f32
  return %r : f32
}"""
BRANCH = """func.func @f(%c: i1, %x: f32, %y: f32) -> f32 {
  %r = scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %y : f32 }
  return %r : f32
}"""
WIDENED = """func.func @f(%c: i1, %x: f32, %y: f32) -> f32 {
  %w = arith.extsi %c : i1 to i32
  %m = arith.constant -1 : i32
  %k = arith.cmpi eq, %w, %m : i32
  %r = arith.select %k, %x, %y : f32
  return %r : f32
}"""
CONSTANT = WIDENED.replace("arith.extsi %c : i1 to i32", "arith.constant -1 : i32")
FIRST = SELECT.replace("%r = arith.select %c, %x, %y : f32", "").replace("return %r", "return %x")


def test_a_truth_is_one_of_two() -> None:
    assert found(SELECT, BRANCH).verdict == "equal"
    assert found(BRANCH, SELECT).verdict == "equal"
    assert (
        found(SELECT, BRANCH.replace("%c", "%d").replace("%x : f32 }", "%y : f32 }", 1)).verdict
        == "different"
    )


def test_what_arguments_and_constants_choose_is_no_data() -> None:
    assert found(WIDENED, SELECT).verdict == "equal"
    assert found(CONSTANT, FIRST).verdict == "equal"


# -- what is undefined ---------------------------------------------------------------------------------

FILLED = """func.func @f(%x: memref<8xf32>, %s: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  affine.for %i = 1 to 8 {
    %v = affine.load %x[%i] : memref<8xf32>
    affine.store %v, %r[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %r[%i] : memref<8xf32>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %s[%i] : memref<8xf32>
  }
  return %r : memref<8xf32>
}"""


def test_what_is_undefined_before_is_left_out_and_said() -> None:
    all_of_it = FILLED.replace("1 to 8", "0 to 8")
    assert [str(each) for each in found(FILLED, all_of_it).outputs] == [
        "result 0: equal, except where it is undefined before, as element [0]",
        "argument %s: equal, except for elements computed from undefined ones before",
    ]
    assert found(all_of_it, FILLED).verdict == "different"


# -- signatures ----------------------------------------------------------------------------------------

STORE = """func.func @f(%m: memref<SIZExf32>, %v: f32) {
  %k = arith.constant INDEX : index
  memref.store %v, %m[%k] : memref<SIZExf32>
  return
}"""


@pytest.mark.parametrize(
    ("sizes", "indices", "verdict", "assumed"),
    [
        (("4", "5"), ("0", "1"), "unknown", ()),
        (("4", "4"), ("0", "1"), "different", ()),
        (("?", "5"), ("0", "0"), "equal", ("dim(%m, 0) = 5",)),
        (("5", "?"), ("0", "0"), "equal", ()),
    ],
)
def test_sizes_in_types_must_agree(
    sizes: tuple[str, str], indices: tuple[str, str], verdict: str, assumed: tuple[str, ...]
) -> None:
    before, after = (
        STORE.replace("SIZE", size).replace("INDEX", index)
        for size, index in zip(sizes, indices, strict=True)
    )
    assert found(before, after).verdict == verdict
    assert found(before, after).assumptions == assumed


GIVEN = """func.func @f(%m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  return %FIRST, %SECOND : memref<4xf32>, memref<4xf32>
}"""


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [("b", "a", "equal"), ("a", "a", "different"), ("m", "b", "different"), ("a", "m", "different")],
)
def test_results_share_the_same_memory(first: str, second: str, verdict: str) -> None:
    before = GIVEN.replace("FIRST", "a").replace("SECOND", "b")
    after = GIVEN.replace("FIRST", first).replace("SECOND", second)
    assert found(before, after).verdict == verdict


def test_functions_of_one_name_are_compared_one_by_one() -> None:
    program = """module @a { func.func @f(%x: f32, %y: f32) -> f32 { return %x : f32 } }
    module @b { func.func @f(%x: f32, %y: f32) -> f32 { return %RESULT : f32 } }"""
    before, after = (volcli.loads(program.replace("RESULT", name)) for name in "xy")
    assert [each.verdict for each in before.diff(after)] == ["equal", "different"]
    assert [each.verdict for each in before.diff(after, "f")] == ["equal", "different"]


# -- what operations require ---------------------------------------------------------------------------

IN_LOOP = """func.func @f(%t: tensor<?xf32>, %m: index, %n: index, %x: f32, %r: memref<?xindex>) {
  HOISTED
  affine.for %i = 0 to %n {
    INSIDE
    affine.store %i, %r[%i] : memref<?xindex>
  }
  return
}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("op", "verdict"),
    [
        ("%v = tensor.extract %t[%m] : tensor<?xf32>", "different"),
        ("%v = tensor.insert %x into %t[%m] : tensor<?xf32>", "different"),
        ("%v = tensor.splat %x[%m] : tensor<?xf32>", "different"),
        ("%v = tensor.dim %t, %m : tensor<?xf32>", "different"),
        ("%v = affine.apply affine_map<()[s0] -> (7 mod s0)>()[%m]", "different"),
        ("%v:2 = affine.delinearize_index %n into (4, %m) : index, index", "different"),
        ("%v = arith.addi %m, %m overflow<nuw> : index", "equal"),  # poison that nothing uses
    ],
)
def test_what_operations_require_holds_where_they_run(op: str, verdict: str) -> None:
    inside = IN_LOOP.replace("HOISTED", "").replace("INSIDE", op)
    hoisted = IN_LOOP.replace("HOISTED", op).replace("INSIDE", "")
    assert found(inside, hoisted).verdict == verdict
    assert found(inside, inside).verdict == "equal"
    assert found(hoisted, hoisted).verdict == "equal"


def test_the_element_that_was_extracted_exists() -> None:
    extracted = IN_LOOP.replace("HOISTED", "").replace("INSIDE", "%v = tensor.extract %t[%i] : tensor<?xf32>")
    loaded = extracted.replace("tensor.extract %t", "memref.load %b").replace("] : tensor", "] : memref")
    buffer = "%b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>\n  affine.for"
    assert found(extracted, loaded.replace("affine.for", buffer)).verdict == "equal"
