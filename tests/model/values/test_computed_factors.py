"""A factor that is computed may have more than the 32 bits of an argument: what is said of its square rests on that."""

from __future__ import annotations

import pytest

import volcli

PROGRAM = """func.func @f(%n: index, %q: index, %c: i1) -> index {
  %one = arith.constant 1 : index
  %half = arith.shrui %q, %one : index
  FACTOR
  %r = arith.muli %x, %x : index
  return %r : index
}"""
LARGE = [
    "%x = arith.select %c, %half, %n : index",
    "%x = scf.if %c -> index { scf.yield %half : index } else { scf.yield %n : index }",
    "%d = arith.maxsi %half, %one : index %h = arith.subi %half, %n : index %x = arith.remsi %h, %d : index",
    "%x = arith.maxsi %half, %n : index",
]
SMALL = [
    "%x = arith.select %c, %q, %n : index",
    "%x = scf.if %c -> index { scf.yield %q : index } else { scf.yield %n : index }",
    "%x = arith.remsi %n, %q : index",
    "%x = arith.maxsi %q, %n : index",
]


OF_32_BITS = tuple(f"-2147483648 <= {each} <= 2147483647" for each in "nq")


def needed(factor: str, *assume: str) -> tuple[tuple[str, ...], int | None]:
    """What the bounds of the square of %x rest on, and its least number."""
    program = volcli.load(PROGRAM.replace("FACTOR", factor), assume=assume)
    assert program.exit_code == 0
    found = program.function("f").bounds("%r")
    return found.assumptions, found.lower.constant


@pytest.mark.sample(2)
@pytest.mark.parametrize("factor", LARGE)
def test_the_square_of_a_large_number_may_overflow(factor: str) -> None:
    """For q = -8, half of it is 2^63 - 4, whose square is 16 in the machine."""
    assumptions, least = needed(factor)
    assert least is None or least < 0 or assumptions == ("products do not overflow",)


@pytest.mark.parametrize("factor", SMALL)
def test_the_square_of_32_bits_does_not(factor: str) -> None:
    assert needed(factor) == (("products do not overflow",), 0)
    assumptions, least = needed(factor, *OF_32_BITS)
    of_divisor = OF_32_BITS[1:] if "remsi" in factor else OF_32_BITS  # a remainder is less than its divisor
    assert (sorted(assumptions), least) == (sorted(of_divisor), 0)
