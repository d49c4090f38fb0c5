"""Small integer programs, run on numbers: with what is undefined at once, and with poison.

A number of one bit is 0 or 1, of more bits the signed one. A division by 0 is undefined (`Undefined`: the run
ends there, and proves nothing), and so are divsi, ceildivsi and floordivsi of the least number by -1. What shifts
by the width or more, or breaks the promise of a flag, is POISON, and so is what is computed from it, but for what
a select does not choose; a branch, a division or an address that depends on it is undefined. Nothing here knows
volcli.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.oracles.interpreter.arithmetic import (
    PREDICATES,
    RELATIONS,
    canonical,
    ceiling,
    signed,
    truncated,
    unsigned,
)

POISON = "poison"
Number = int | str
"""A number, or POISON."""


class Undefined(Exception):
    """The run has no meaning."""


@dataclass(frozen=True)
class Step:
    """`results = dialect.name operands`, from integers of SOURCE bits to some of TARGET bits (0: an index)."""

    results: tuple[str, ...]
    name: str
    operands: tuple[str, ...]
    source: int
    target: int
    flags: tuple[str, ...] = ()
    predicate: str = ""
    number: int = 0
    dialect: str = "arith"

    @property
    def widths(self) -> tuple[int, ...]:
        """The bits of its results."""
        carry = 1 if self.name == "addui_extended" else self.target
        return (self.target, carry)[: len(self.results)]


def bits(width: int) -> int:
    """The bits of an integer of WIDTH, of which 0 is an index."""
    return width or 64


def kind(width: int) -> str:
    """Its type."""
    return f"i{width}" if width else "index"


SIGNED: Mapping[str, Callable[[int, int], int]] = {
    "addi": operator.add, "subi": operator.sub, "muli": operator.mul,
    "divsi": truncated, "remsi": lambda a, b: a - b * truncated(a, b),
    "floordivsi": operator.floordiv, "ceildivsi": ceiling, "minsi": min, "maxsi": max,
}  # fmt: skip
UNSIGNED: Mapping[str, Callable[[int, int], int]] = {
    "andi": operator.and_, "ori": operator.or_, "xori": operator.xor, "divui": operator.floordiv,
    "remui": operator.mod, "ceildivui": ceiling, "minui": min, "maxui": max,
}  # fmt: skip
SHIFTS = ("shli", "shrsi", "shrui")
BINARY = (*SIGNED, *UNSIGNED, *SHIFTS)
EXTENDED = ("addui_extended", "mulsi_extended", "mului_extended")
CASTS = ("extsi", "extui", "trunci", "index_cast", "index_castui")
TOO_LARGE = ("divsi", "ceildivsi", "floordivsi")
WRAPPING: Mapping[str, Callable[[int, int], int]] = {
    "addi": operator.add, "subi": operator.sub, "muli": operator.mul, "shli": lambda a, k: a << k,
}  # fmt: skip
FLAGS: Mapping[str, Sequence[tuple[str, ...]]] = {
    **dict.fromkeys(("addi", "subi", "muli", "shli", "trunci"), ((), ("nsw",), ("nuw",), ("nsw", "nuw"))),
    **dict.fromkeys(("divsi", "divui", "shrsi", "shrui"), ((), ("exact",))),
}


def binary(name: str, a: int, b: int, width: int, flags: Sequence[str] = ()) -> Number:
    """The operation arith.NAME of two numbers.

    >>> binary("divsi", -7, 2, 8), binary("shli", 1, 8, 8), binary("addi", 100, 100, 8, ("nuw",))
    (-3, 'poison', -56)
    """
    sa, sb, ua, ub = signed(a, width), signed(b, width), unsigned(a, width), unsigned(b, width)
    least = -(2 ** (width - 1))
    if ("div" in name or "rem" in name) and (ub == 0 or (name in TOO_LARGE and (sa, sb) == (least, -1))):
        raise Undefined(f"{name} {a}, {b}")
    if name in SHIFTS and ub >= width:
        return POISON
    if _breaks(name, (sa, ub if name in SHIFTS else sb), (ua, ub), width, flags):
        return POISON
    if name in SHIFTS:
        return canonical({"shli": sa << ub, "shrsi": sa >> ub, "shrui": ua >> ub}[name], width)
    return canonical(SIGNED[name](sa, sb) if name in SIGNED else UNSIGNED[name](ua, ub), width)


def _breaks(
    name: str, with_sign: tuple[int, int], without: tuple[int, int], width: int, flags: Sequence[str]
) -> bool:
    """Whether a promise of FLAGS is broken by operands read with and without a sign."""
    for flag in flags:
        if flag == "nsw" and not -(2 ** (width - 1)) <= WRAPPING[name](*with_sign) < 2 ** (width - 1):
            return True
        if flag == "nuw" and not 0 <= WRAPPING[name](*without) < 2**width:
            return True
        if flag == "exact":
            a, b = with_sign if name in ("divsi", "shrsi") else without
            if a % (2**b if name in SHIFTS else b):
                return True
    return False


def cast(name: str, number: int, source: int, target: int, flags: Sequence[str] = ()) -> Number:
    """The cast arith.NAME between integers of so many bits.

    >>> (
    ...     cast("index_castui", -1, 8, 64),
    ...     cast("trunci", 200, 64, 8, ("nuw",)),
    ...     cast("trunci", 200, 64, 8, ("nsw",)),
    ... )
    (255, -56, 'poison')
    """
    sign, plain = signed(number, source), unsigned(number, source)
    if "nsw" in flags and signed(sign, target) != sign:
        return POISON
    if "nuw" in flags and unsigned(plain, target) != plain:
        return POISON
    return canonical(sign if name in ("extsi", "index_cast", "casts") else plain, target)


def perform(step: Step, operands: Sequence[Number]) -> tuple[Number, ...]:
    """The results of STEP."""
    name, width = step.name, bits(step.source)
    if name == "constant":
        return (canonical(step.number, bits(step.target)),)
    if name == "select":
        truth, one, other = operands
        return (POISON,) if truth is POISON else (one if truth else other,)
    numbers = [each for each in operands if isinstance(each, int)]
    if len(numbers) < len(operands):
        return _of_poison(step, operands)
    if name == "assert":
        if not numbers[0]:
            raise Undefined("it fails")
        return ()
    if name == "cmpi":
        read = unsigned if step.predicate[0] == "u" else signed
        holds = RELATIONS[PREDICATES[step.predicate]](*(read(each, width) for each in numbers))
        return (int(holds),)
    if name in EXTENDED:
        return _extended(name, numbers[0], numbers[1], width)
    if name in CASTS:
        return (cast(name, numbers[0], width, bits(step.target), step.flags),)
    return (binary(name, numbers[0], numbers[1], width, step.flags),)


def _of_poison(step: Step, operands: Sequence[Number]) -> tuple[Number, ...]:
    """POISON, unless the divisor may be 0 then, or -1, or an assertion is about it."""
    if step.name == "assert":
        raise Undefined("it is poison")
    if "div" in step.name or "rem" in step.name:
        divisor = operands[1]
        if (
            divisor is POISON
            or divisor == 0
            or (step.name in TOO_LARGE and signed(int(divisor), bits(step.source)) == -1)
        ):
            raise Undefined("it divides poison")
    return (POISON,) * len(step.results)


def _extended(name: str, a: int, b: int, width: int) -> tuple[Number, ...]:
    """The sum and its carry, or the two halves of a product."""
    if name == "addui_extended":
        total = unsigned(a, width) + unsigned(b, width)
        return canonical(total, width), int(total >= 2**width)
    read = signed if name == "mulsi_extended" else unsigned
    total = read(a, width) * read(b, width)
    return canonical(total, width), canonical(total >> width, width)


def all_numbers(width: int) -> range:
    """All numbers of WIDTH bits."""
    return range(2) if width == 1 else range(-(2 ** (width - 1)), 2 ** (width - 1))
