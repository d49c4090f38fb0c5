"""Loops that never end: an execution says so where the state of an iteration is that of an earlier one."""

from __future__ import annotations

import itertools

import pytest

import volcli
from volcli.execution.runs.inputs import Inputs

ENDLESS = "never ends"


def stop(text: str, steps: int = 3000, **numbers: int) -> str:
    """Why the execution of @f stops; empty if it ends."""
    found = volcli.loads(text).function("f").run(Inputs(numbers=numbers), steps=steps).diagnostic
    return "" if found is None else found.message


LOOP = """func.func private @unknown()
func.func @f(%m: memref<2xi8>, %p: i1) -> i8 {
  %c0 = arith.constant 0 : i8
  %i = arith.constant 0 : index
  %r = scf.while (%k = %c0) : (i8) -> i8 {
    %v = memref.load %m[%i] : memref<2xi8>
    %goes = arith.cmpi eq, %v, %v : i8
    scf.condition(%goes) %k : i8
  } do {
  ^bb0(%k: i8):
    BODY
  }
  return %r : i8
}"""
ONE = "%one = arith.constant 1 : i8 "
BODIES = {
    "scf.yield %k : i8": True,
    f"{ONE} %n = arith.addi %k, %one : i8 scf.yield %n : i8": True,  # after 256 iterations
    "%x = memref.load %m[%i] : memref<2xi8> scf.yield %x : i8": True,
    "%x = scf.if %p -> i8 { scf.yield %k : i8 } else { scf.yield %c0 : i8 } scf.yield %x : i8": True,
    "memref.store %k, %m[%i] : memref<2xi8> scf.yield %k : i8": False,
    "%a = memref.alloca() : memref<2xi8> scf.yield %k : i8": False,
    "scf.if %p { memref.store %k, %m[%i] : memref<2xi8> } scf.yield %k : i8": False,
    'vector.print str "again" scf.yield %k : i8': False,
}


@pytest.mark.parametrize("body", list(BODIES))
def test_a_state_that_was_seen_before(body: str) -> None:
    """A loop that writes or prints may have another state, and is executed until there are too many steps."""
    found = stop(LOOP.replace("BODY", body))
    assert (ENDLESS in found) == BODIES[body], found
    assert found


BLOCKS = """func.func @f(%n: i8) -> i8 {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  cf.br ^outer(%c0 : i8)
^outer(%k: i8):
  cf.br ^inner(%c0 : i8)
^inner(%j: i8):
  %next = arith.addi %k, %c1 : i8
  %goes = arith.cmpi LEFT, %n : i8
  cf.cond_br %goes, ^outer(PASSED : i8), ^end
^end:
  return %c1 : i8
}"""


@pytest.mark.parametrize(
    ("left", "passed", "is_endless"),
    [("ult, %next", "%next", False), ("ult, %j", "%j", True), ("ult, %j", "%c0", True), ("ugt, %c1", "%c0", False)],
)  # fmt: skip
def test_a_block_that_is_passed_the_same_need_not_be_the_same(
    left: str, passed: str, is_endless: bool
) -> None:
    """^inner is passed 0 in each iteration; it uses %k, which is another one if ^outer is passed %next."""
    found = stop(BLOCKS.replace("LEFT", left).replace("PASSED", passed), n=100)
    assert (ENDLESS in found) == is_endless


AGAIN = """func.func @f(%m: memref<2xi8>, %n: i8) -> i8 {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %i = arith.constant 0 : index
  memref.store %c1, %m[%i] : memref<2xi8>
  cf.br ^outer(%c0 : i8)
^outer(%k: i8):
  %next = arith.addi %k, %c1 : i8
  memref.store %k, %m[%i] : memref<2xi8>
  ENTER
^inner(%j: i8):
  %v = memref.load %m[%i] : memref<2xi8>
  %more = arith.addi %j, %c1 : i8
  %x = arith.andi %more, %c1 : i8
  %stays = arith.cmpi STAYS, %c1 : i8
  cf.cond_br %stays, ^other(%x : i8), ^latch
^other(%l: i8):
  cf.br ^inner(%l : i8)
^latch:
  %on = arith.cmpi ult, %next, %n : i8
  cf.cond_br %on, ^outer(%next : i8), ^end
^end:
  return %c1 : i8
}"""
ENTERED = {
    "at its header": "cf.br ^inner(%c0 : i8)",
    "at two blocks": "%p = arith.cmpi eq, %k, %c0 : i8 cf.cond_br %p, ^inner(%c0 : i8), ^other(%c0 : i8)",
}


@pytest.mark.parametrize("enter", list(ENTERED))
@pytest.mark.parametrize(
    ("stays", "is_endless"),
    [("ult, %j", False), ("ule, %j", True), ("uge, %v", True), ("ult, %v", True), ("eq, %more", False)],
)
def test_a_cycle_that_writes_nothing_in_one_that_does(enter: str, stays: str, is_endless: bool) -> None:
    """What is outside of the inner cycle is the same as long as it runs, and another one in ^outer again.

    ^inner is passed 0 and 1 in turn; what it loads is 0, 1, 2, ... in turn of ^outer.
    """
    found = stop(AGAIN.replace("ENTER", ENTERED[enter]).replace("STAYS", stays), n=4)
    assert (ENDLESS in found) == is_endless, found


OWN = """func.func @f(%n: i3, %start: i3) -> i3 {
  %c0 = arith.constant 0 : i3
  %c1 = arith.constant 1 : i3
  cf.br ^again(%start, %c0 : i3, i3)
^again(%k: i3, %j: i3):
  %next = arith.muli %k, %n : i3
  %more = arith.addi %j, %k : i3
  %goes = arith.cmpi ne, %more, %n : i3
  cf.cond_br %goes, ^again(%next, %more : i3, i3), ^end(%k : i3)
^end(%l: i3):
  return %l : i3
}"""


def ends(n: int, k: int) -> bool:
    """The same loop, at most as often as there are states."""
    j = 0
    for _ in range(64):
        k, j = k * n % 8, (j + k) % 8
        if j == n:
            return True
    return False


@pytest.mark.slow
def test_blocks_that_are_passed_all_that_they_use() -> None:
    for n, start in itertools.product(range(8), repeat=2):
        assert (ENDLESS in stop(OWN, n=n, start=start)) != ends(n, start)
