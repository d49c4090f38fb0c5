"""Pairs of programs with allocations, frees and hoisted operations, against their executions (`lifetimes`)."""

from __future__ import annotations

import pytest

import volcli
from tests.equivalence.lifetimes import Pair, execute, pairs, refines, text

FIRST, SHORT, LONG = 0, 40, 1_000


def judged(pair: Pair) -> str:
    """The verdict of `diff`; fails if execution contradicts it."""
    before, after = (volcli.loads(text(*each)) for each in pair)
    (found,) = before.diff(after, "f")
    is_right = refines(*pair)
    told = "\n".join([*found.lines(), text(*pair[0]), text(*pair[1])])
    assert found.verdict != "equal" or is_right, told
    assert found.verdict != "different" or not is_right, told
    return found.verdict


@pytest.mark.slow
def test_no_wrong_answer() -> None:
    verdicts = [judged(pair) for pair in pairs(FIRST, SHORT)]
    assert {"equal", "different"} <= set(verdicts)


@pytest.mark.fuzz
def test_no_wrong_answer_in_many_pairs() -> None:
    verdicts = [judged(pair) for pair in pairs(FIRST + 1_000_000, LONG)]
    assert verdicts.count("equal") > LONG // 10
    assert verdicts.count("different") > LONG // 10


def test_executions_know_lifetimes() -> None:
    alloc, free = ("alloc", "%t"), ("dealloc", "%t")
    copy = ("copy", "%t", "%o")
    assert execute([alloc, copy, free], None, 0, 0, 1) is not None
    assert execute([alloc, free, copy], None, 0, 0, 1) is None
    assert execute([alloc, free, free], None, 0, 0, 1) is None
    assert execute([alloc], "%t", 0, 0, 1) is not None
    assert execute([("alloca", "%t")], "%t", 0, 0, 1) is None
    assert execute([("alloca", "%t"), free], None, 0, 0, 1) is None
    assert execute([alloc, ("for", "%i", "%n", [free])], None, 0, 0, 1) is not None
    assert execute([alloc, ("for", "%i", "%n", [free])], None, 0, 1, 1) is not None
    assert execute([alloc, ("for", "%i", "%n", [free])], None, 0, 2, 1) is None


# -- by hand -------------------------------------------------------------------------------------------------

HEAD = "func.func @f(%a: memref<8xf32>, %o: memref<8xf32>, %c: i1, %n: index, %x: i32, %y: i32) {"
ALLOC = "%t = memref.alloc() : memref<8xf32>"
INTO = "memref.copy %a, %t : memref<8xf32> to memref<8xf32>"
OUT = "memref.copy %t, %o : memref<8xf32> to memref<8xf32>"
FREE = "memref.dealloc %t : memref<8xf32>"
LOAD = "%v = affine.load %a[0] : memref<8xf32>"
STORE = "affine.store %v, %o[0] : memref<8xf32>"


def program(*lines: str) -> str:
    return "\n".join([HEAD, *lines, "return", "}"])


def verdict(before: str, after: str, compare: str = "operations") -> str:
    old, new = map(volcli.loads, (before, after))
    assert (old.exit_code, new.exit_code) == (0, 0)
    (found,) = old.diff(new, compare=compare)
    return found.verdict


RIGHT = program(ALLOC, INTO, OUT, FREE)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (program(ALLOC, INTO, FREE, OUT), "different"),
        (program(ALLOC, INTO, OUT, FREE, FREE), "different"),
        (program(ALLOC, INTO, OUT), "equal"),  # it keeps memory
        (program(ALLOC.replace("alloc", "alloca"), INTO, OUT), "equal"),
        (program(ALLOC.replace("alloc", "alloca"), INTO, OUT, FREE), "different"),
        (program(ALLOC, INTO, OUT, f"scf.if %c {{ {FREE} }}"), "equal"),
        (program(ALLOC, INTO, f"scf.if %c {{ {FREE} }}", OUT), "different"),
        (program(ALLOC, INTO, f"scf.if %c {{ {OUT} {FREE} }} else {{ {OUT} {FREE} }}"), "equal"),
        (program(ALLOC, INTO, OUT, f"affine.for %i = 0 to 2 {{ {FREE} }}"), "different"),
        (program(ALLOC, INTO, OUT, f"affine.for %i = 0 to 1 {{ {FREE} }}"), "equal"),
        (program(ALLOC, INTO, OUT, f"affine.for %i = 0 to %n {{ {FREE} }}"), "different"),
    ],
)
def test_lifetimes_by_hand(after: str, expected: str) -> None:
    assert verdict(RIGHT, after) == expected


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # the same load of memory with a dynamic size, in a loop and in front of it
        (
            "affine.for %i = 0 to %n { %q = arith.divui %x, %y : i32 }",
            "%q = arith.divui %x, %y : i32",
            "different",
        ),
        (
            "%q = arith.divui %x, %y : i32",
            "%q = arith.divui %x, %y : i32 %r = arith.divui %x, %y : i32",
            "equal",
        ),
        ("", "%s = memref.alloc(%n) : memref<?xf32>", "different"),
        ("", 'cf.assert %c, "c"', "different"),
        ('cf.assert %c, "c"', 'cf.assert %c, "c" cf.assert %c, "again"', "equal"),
        ("", "%w = affine.load %a[8] : memref<8xf32>", "different"),
    ],
)
def test_what_is_undefined_after_alone(before: str, after: str, expected: str) -> None:
    assert verdict(program(LOAD, STORE, before), program(LOAD, STORE, after)) == expected


def test_a_buffer_that_is_copied_to_itself_stays_as_it_is() -> None:
    again = "memref.copy %o, %o : memref<8xf32> to memref<8xf32>"
    assert verdict(program(LOAD, STORE, again), program(LOAD, STORE)) == "equal"


# -- arithmetic that gives one number for all --------------------------------------------------------------------

ONE_NUMBER = [
    ("%k = arith.constant -2147483648 : i32 %r = arith.minsi %x, %k : i32", "-2147483648"),
    ("%k = arith.constant 0 : i32 %b = arith.cmpi ult, %x, %k : i32 %r = arith.extui %b : i1 to i32", "0"),
    ("%k = arith.constant 1 : i32 %s = arith.constant 31 : i32 %q = arith.andi %x, %k : i32 "
     "%r = arith.shrui %q, %s : i32", "0"),
    ("%k = arith.constant 32 : i64 %w = arith.extui %x : i32 to i64 %s = arith.shli %w, %k : i64 "
     "%r = arith.trunci %s : i64 to i32", "0"),
]  # fmt: skip
INTEGERS = """func.func @f(%m: memref<2xi32>) {{
  %x = affine.load %m[1] : memref<2xi32>
  {body}
  affine.store %r, %m[0] : memref<2xi32>
  return
}}"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(("body", "number"), ONE_NUMBER)
def test_a_number_that_its_operand_does_not_change_is_a_constant(body: str, number: str) -> None:
    folded = INTEGERS.format(body=f"%r = arith.constant {number} : i32")
    assert verdict(INTEGERS.format(body=body), folded) == "equal"
    assert verdict(folded, INTEGERS.format(body=body)) == "equal"


@pytest.mark.sample(2)
@pytest.mark.parametrize(("body", "number"), ONE_NUMBER)
def test_another_constant_is_different(body: str, number: str) -> None:
    other = INTEGERS.format(body=f"%r = arith.constant {int(number) + 1} : i32")
    assert verdict(INTEGERS.format(body=body), other) == "different"


SUCCESSOR = """func.func @f(%m: memref<2xi64>, %n: i64) {
  %one = arith.constant 1 : i64
  %s = arith.addi %n, %one : i64
  %b = arith.cmpi sgt, %s, %n : i64
  VALUE
  affine.store %r, %m[0] : memref<2xi64>
  return
}"""


def test_a_sum_of_64_bits_that_overflows_is_no_constant() -> None:
    """n + 1 > n, but for n = 2^63 - 1."""
    before = SUCCESSOR.replace("VALUE", "%r = arith.extui %b : i1 to i64")
    after = SUCCESSOR.replace("VALUE", "%r = arith.constant 1 : i64")
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    assert found.verdict != "equal" or found.assumptions


def test_a_shift_by_the_width_is_no_constant() -> None:
    """It is poison: any number after it is right, and none is different."""
    shift = ("%k = arith.constant 32 : i32 %q = arith.andi %x, %k : i32 "
             "%s = arith.ori %q, %k : i32 %r = arith.shrui %x, %s : i32")  # fmt: skip
    assert (
        verdict(INTEGERS.format(body=shift), INTEGERS.format(body="%r = arith.constant 7 : i32"))
        != "different"
    )


def test_sizes_that_do_not_broadcast_are_undefined() -> None:
    sums = """func.func @f(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xf32> {
      %r = tosa.add FIRST, SECOND : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
      return %r : tensor<?x5xf32>
    }"""
    before, after = (sums.replace("FIRST", a).replace("SECOND", b) for a, b in (("%x", "%y"), ("%y", "%x")))
    assert verdict(before, after, "sources") == "equal"


def test_a_body_beside_the_function_is_no_error() -> None:
    pool = """func.func @f(%x: tensor<4x6xf32>) -> tensor<4x1xf32> {
      %r = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x1xf32>
      OTHER
      return %r : tensor<4x1xf32>
    }"""
    before = pool.replace("OTHER", "")
    after = pool.replace("OTHER", "%u = tensor.empty() : tensor<2xf32>")
    assert verdict(before, after) == "equal"


def test_a_loop_over_tiles_in_one_of_two_branches_is_no_error() -> None:
    inner = """affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 4)>(%i) {
      %v = affine.load %a[%j] : memref<8xf32> affine.store %v, %o[%j] : memref<8xf32> }"""
    tiled = program(
        f"affine.for %i = 0 to 8 step 4 {{ affine.if affine_set<() : (0 == 0)>() {{ {inner} }} "
        f"else {{ {inner.replace('%j', '%k').replace('%v', '%w')} }} }}"
    )
    plain = program(
        "affine.for %j = 0 to 8 { %v = affine.load %a[%j] : memref<8xf32> "
        "affine.store %v, %o[%j] : memref<8xf32> }"
    )
    assert verdict(plain, tiled) == "equal"
