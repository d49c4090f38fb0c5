"""Loops that end by a condition: AFTER must end wherever BEFORE does; that BEFORE ends is assumed."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from functools import partial

import pytest

import volcli
from tests.shared.seeds import spread
from volcli.equivalence.undefined import ENDS
from volcli.facts.differences import FunctionComparison

pytestmark = pytest.mark.usefixtures("short_trials")
Compare = Callable[[int, int], bool]
OTHER = re.compile(r"(func\.func @f\(.*\{\n)")


def found(before: str, after: str) -> FunctionComparison:
    (only,) = volcli.loads(before).diff(volcli.loads(after), "f")
    return only


UNUSED = "%unused = arith.constant 5 : i8"
ASSERTED = '%true = arith.constant true cf.assert %true, "true"'
"""What makes another text of a function, and what makes it do something else, too."""


def compared(before: str, after: str, more: str = UNUSED) -> FunctionComparison:
    """The answer, if AFTER also has MORE."""
    return found(before, OTHER.sub(rf"\1 {more}\n", after))


def check(before: str, after: str, verdict: str) -> None:
    """Fails if the answer is another one than VERDICT, or does not say what it rests on."""
    answer = compared(before, after, ASSERTED if verdict == "equal" else UNUSED)
    assert answer.verdict == verdict, "\n".join(answer.lines())
    if verdict == "equal":
        assert ENDS in answer.assumptions
    elif verdict == "unknown":
        assert "after: 'scf.while' op may run for ever" in [each.reason for each in answer.outputs]
    else:
        (loops,) = [each for each in answer.outputs if each.output == "loops"]
        assert "never ends" in str(loops.reason)
        assert loops.runs


COUNTED = """func.func @f(%t: tensor<4xf32>, %n: i32, %m: i32, %u: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %last = scf.while (%k = %c0) : (i32) -> i32 {
    %goes = arith.cmpi PREDICATE, %k, %n : i32
    scf.condition(%goes) %k : i32
  } do {
  ^bb0(%k: i32):
    %next = arith.addi %k, STEP : i32
    scf.yield %next : i32
  }
  return %t : tensor<4xf32>
}"""


def counted(predicate: str = "slt", step: str = "%c2") -> str:
    return COUNTED.replace("PREDICATE", predicate).replace("STEP", step)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (counted(), "equal"),
        (counted().replace("%k, %c2 : i32", "%c2, %k : i32"), "equal"),
        (counted(step="%c0"), "different"),
        (counted(step="%u"), "unknown"),
        (counted("ne"), "unknown"),
        (counted("sge"), "unknown"),
        (counted().replace("%k, %n", "%k, %m"), "unknown"),
        (counted().replace("(%k = %c0)", "(%k = %m)"), "unknown"),
    ],
)
def test_a_loop_ends_as_the_loop_before(after: str, verdict: str) -> None:
    check(counted(), after, verdict)


BLOCKS = """func.func @f(%x: f32, %p: i1, %q: i1) -> f32 {
  cf.cond_br %p, ^again, ^end
^again:
  cf.cond_br %q, ^YES, ^NO
^end:
  return %x : f32
}"""


def test_loops_of_blocks() -> None:
    ends = BLOCKS.replace("YES", "again").replace("NO", "end")
    other = BLOCKS.replace("YES", "end").replace("NO", "again")
    check(ends, ends, "equal")
    check(ends, other, "different")
    check(other, ends, "different")
    check(ends, ends.replace("cond_br %q", "cond_br %p"), "different")


MEMORY = """func.func @f(%m: memref<2xi32>, %s: memref<2xi32>, %n: i32) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  scf.while : () -> () {
    %v = memref.load %m[%i0] : memref<2xi32>
    %goes = arith.cmpi ne, %v, %n : i32
    scf.condition(%goes)
  } do {
    %w = memref.load %m[%i0] : memref<2xi32>
    BODY
    memref.store %w, %s[%i1] : memref<2xi32>
    scf.yield
  }
  return
}"""
HALF = "%h = arith.shrui %w, %n : i32 memref.store %h, %m[%i0] : memref<2xi32>"


@pytest.mark.slow
def test_a_condition_on_memory() -> None:
    """The verdict of the memory is unknown or equal: what is asked here is that of the loop."""
    before = MEMORY.replace("BODY", HALF)
    for body, ends in ((HALF.replace("%h", "%g"), True), ("", False), (HALF.replace("%m[", "%s["), False)):
        answer = found(before, MEMORY.replace("BODY", body))
        may_run = "after: 'scf.while' op may run for ever" in [each.reason for each in answer.outputs]
        assert may_run is not ends, "\n".join(answer.lines())
        assert answer.verdict == "equal" or not ends


LOOP = """%r0 = scf.while (%j = %c0) : (i32) -> i32 {
    %goes_on = arith.cmpi slt, %j, %n : i32
    scf.condition(%goes_on) %j : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.addi %j, %c2 : i32
    scf.yield %k : i32
  }"""
NESTED = """func.func @f(%x: f32, %n: i32, %p: i1) -> f32 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %a = scf.while (%i = %c0) : (i32) -> i32 {
    %goes = arith.cmpi slt, %i, %n : i32
    scf.condition(%goes) %i : i32
  } do {
  ^bb0(%i: i32):
    GUARDED
    %next = arith.addi %i, %c2 : i32
    scf.yield %next : i32
  }
  return %x : f32
}"""
INNER = LOOP.replace("%r0", "%b").replace("%n", "%i")
BRANCH = "scf.if %p { INNER }".replace("INNER", INNER)


@pytest.mark.slow
def test_each_loop_of_a_nest_has_one_before() -> None:
    outer, both, some = (NESTED.replace("GUARDED", each) for each in ("", INNER, BRANCH))
    check(both, both, "equal")
    check(some, some, "equal")
    check(both, outer, "equal")
    check(both, some, "equal")  # where it runs, it ran before
    check(outer, both, "unknown")
    check(some, both, "unknown")
    check(both, both.replace("slt, %j, %i", "slt, %j, %n"), "unknown")
    check(both, both.replace("%j, %c2", "%j, %c0"), "different")


TWICE = """func.func @f(%x: f32, %n: i32) -> f32 {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  FIRST
  SECOND
  return %x : f32
}"""


@pytest.mark.slow
def test_two_loops_may_end_as_one_before() -> None:
    one = TWICE.replace("FIRST", LOOP).replace("SECOND", "")
    two = TWICE.replace("FIRST", LOOP).replace("SECOND", LOOP.replace("%r0", "%r1"))
    check(one, two, "equal")
    check(two, one, "equal")
    endless = LOOP.replace("%r0", "%r1").replace("%j, %c2", "%j, %c0")
    check(two, TWICE.replace("FIRST", LOOP).replace("SECOND", endless), "different")


CALLED = """func.func private @g(%n: i32) -> i32 {
  BODY
}
func.func @f(%x: f32, %n: i32) -> f32 {
  %r = func.call @g(%n) : (i32) -> i32
  return %x : f32
}"""
ONES = "%c0 = arith.constant 0 : i32 %c2 = arith.constant 2 : i32 "
OWN = CALLED.replace("BODY", ONES + LOOP + " return %r0 : i32")
RECURSIVE = CALLED.replace("BODY", "%r0 = func.call @g(%n) : (i32) -> i32 return %r0 : i32")


@pytest.mark.slow
def test_a_called_function_that_does_not_end() -> None:
    check(OWN, OWN, "equal")
    check(OWN, OWN.replace("%j, %c2", "%j, %c0"), "different")
    assert found(OWN, OWN.replace("%j, %c2", "%j, %c0")).verdict == "different"  # the text of @f is the same
    assert found(OWN, RECURSIVE).verdict == "unknown"


def test_loops_of_a_counted_kind_end() -> None:
    """No assumption is needed where AFTER has no loop with a condition."""
    loop = "scf.for %i = %c0 to %n step %c2 : i32 { }"
    after = TWICE.replace("FIRST", loop).replace("SECOND", "")
    answer = found(TWICE.replace("FIRST", LOOP).replace("SECOND", ""), after)
    assert (answer.verdict, answer.assumptions) == ("equal", ())


COUNTER = """func.func @f(%t: f32, %start: TYPE, %n: TYPE) -> f32 {
  %c = arith.constant STEP : TYPE
  %last = scf.while (%k = %start) : (TYPE) -> TYPE {
    %goes = arith.cmpi PREDICATE, OPERANDS : TYPE
    scf.condition(%goes) %k : TYPE
  } do {
  ^bb0(%k: TYPE):
    %next = arith.addi %k, %c FLAGS : TYPE
    scf.yield %next : TYPE
  }
  return %t : f32
}"""
NOTHING = "func.func @f(%t: f32, %start: TYPE, %n: TYPE) -> f32 { return %t : f32 }"
BITS = 3
SIGNED: dict[str, Compare] = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


def compares(predicate: str, k: int, n: int) -> bool:
    """Whether `arith.cmpi PREDICATE, k, n` holds of numbers without a sign."""
    if predicate in ("eq", "ne"):
        return (k == n) == (predicate == "eq")
    compare = SIGNED[predicate[1:]]
    return compare(_signed(k), _signed(n)) if predicate[0] == "s" else compare(k, n)


def counting(
    text: str, predicate: str = "slt", operands: str = "%k, %n", step: int = 1, kind: str = "i64"
) -> str:
    values = {"PREDICATE": predicate, "OPERANDS": operands, "STEP": str(step), "TYPE": kind, "FLAGS": ""}
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _signed(number: int) -> int:
    return number - 2**BITS if number >= 2 ** (BITS - 1) else number


PREDICATES = ["eq", "ne", *(sign + order for sign in "su" for order in SIGNED)]


def ends(compare: Compare, step: int) -> bool:
    """Whether `while (compare(k, n)) k += step` ends for each first k and each n of BITS bits."""
    numbers = range(2**BITS)
    reached = ([(k + step * j) % 2**BITS for j in numbers] for k in numbers)
    return all(any(not compare(k, n) for k in values) for values in reached for n in numbers)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("predicate", "step"), spread([(each, step) for each in PREDICATES for step in (1, -1, 2, 3, 0)], 21)
)
def test_a_counter_takes_all_values(predicate: str, step: int) -> None:
    """AFTER ends by itself only if each execution does, in a type that can be enumerated; "if" for odd steps."""
    compare = partial(compares, predicate)

    def swapped(k: int, n: int) -> bool:
        return compare(n, k)

    for operands, of, kind in (("%k, %n", compare, f"i{BITS}"), ("%n, %k", swapped, "index")):
        answer = found(*(counting(each, predicate, operands, step, kind) for each in (NOTHING, COUNTER)))
        is_equal = answer.verdict == "equal"
        is_right = is_equal == ends(of, step) or (is_equal and kind == "index" and answer.assumptions)
        assert is_right or (ends(of, step) and step % 2 == 0), "\n".join(answer.lines())
        assert answer.verdict != "different" or not ends(of, step)
        assert answer.assumptions in ((), ("index arithmetic does not overflow",))


@pytest.mark.parametrize(
    "changed",
    [("%next : TYPE", "%n : TYPE"), ("%k, %n", "%n, %n"), ("addi %k, %c", "addi %c, %c")],
)
def test_what_is_no_counter(changed: tuple[str, str]) -> None:
    after = counting(COUNTER.replace("OPERANDS", "%k, %n").replace(*changed))
    assert found(counting(NOTHING), after).verdict != "equal"


STORE = """func.func @f(%n: index, %m: memref<?xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<?xi64>
  REST
}"""
IN_BLOCKS = {
    "cf.br ^h ^h: cf.br ^h": "different",
    "cf.br ^h ^h: %c = arith.cmpi sgt, %n, %c0 : index cf.cond_br %c, ^h, ^e ^e: return": "different",
    "cf.br ^h(%c0 : index) ^h(%i: index): %c1 = arith.constant 1 : index %j = arith.addi %i, %c1 : index "
    "%c = arith.cmpi slt, %j, %n : index cf.cond_br %c, ^h(%j : index), ^e ^e: return": "equal",
}


@pytest.mark.parametrize("rest", list(IN_BLOCKS))
def test_blocks_that_branch_for_ever(rest: str) -> None:
    answer = found(STORE.replace("REST", "return"), STORE.replace("REST", rest))
    assert answer.verdict == IN_BLOCKS[rest], "\n".join(answer.lines())


@pytest.mark.parametrize(("predicate", "is_equal"), [("slt", True), ("ne", False), ("ult", False)])
def test_a_counter_that_may_not_wrap_around_is_defined_if_it_is_below_a_limit(
    predicate: str, is_equal: bool
) -> None:
    """`k < n` leaves room for `k + 1`; `k != n` does not."""
    after = counting(COUNTER.replace("FLAGS", "overflow<nsw>"), predicate)
    assert (found(counting(NOTHING), after).verdict == "equal") == is_equal
