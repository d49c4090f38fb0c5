"""Numbers that are computed from others in a way that is not known in full: no witness makes them up.

Quotients of numbers without a sign, where the divisor is no constant, are known by ranges and orders only.
Each function is run for all bytes: an access that is out of bounds in none of them is not said to be.
"""

from __future__ import annotations

from itertools import product

import pytest

import volcli

PROGRAM = """func.func @f(%b: i8, %d: i8, %m: memref<SIZExi32>, %x: i32) {
  %c5 = arith.constant 5 : i8
  %c = arith.constant NUMBER : i8
  %q = arith.divui %b, %c5 : i8
  %r = arith.divui %q, %d : i8
  %i = arith.index_cast %r : i8 to index
  %k = arith.cmpi PREDICATE, OPERAND, %c : i8
  scf.if %k { memref.store %x, %m[%i] : memref<SIZExi32> }
  return
}"""
HOLDS = {
    "slt": lambda a, b: signed(a) < signed(b),
    "eq": lambda a, b: a == b % 256,
    "ugt": lambda a, b: a > b % 256,
}


def signed(byte: int) -> int:
    return byte - 256 if byte >= 128 else byte


def outside(operand: str, predicate: str, number: int, size: int) -> list[tuple[int, int]]:
    """The bytes for which an access is out of bounds."""
    found: list[tuple[int, int]] = []
    for b, d in product(range(256), range(1, 256)):
        r = b // 5 // d
        if HOLDS[predicate](r if operand == "%r" else d, number) and not 0 <= signed(r) < size:
            found.append((b, d))
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("operand", ["%r", "%d"])
@pytest.mark.parametrize(
    ("predicate", "number"), [("slt", 0), ("eq", 2), ("eq", 45), ("ugt", 3), ("ugt", 60)]
)
@pytest.mark.parametrize("size", [256, 52, 30, 9])
def test_what_is_out_of_bounds_is_so_for_some_arguments(
    operand: str, predicate: str, number: int, size: int
) -> None:
    text = PROGRAM.replace("SIZE", str(size)).replace("NUMBER", str(number))
    program = volcli.loads(text.replace("PREDICATE", predicate).replace("OPERAND", operand))
    program.run("check-accesses")
    (fact,) = [each for each in program.facts if each.question == "access"]
    wrong = outside(operand, predicate, number, size)
    if fact.verdict == "out-of-bounds":
        assert wrong
    if fact.verdict == "in-bounds":
        assert not wrong
