"""Integers as arith, index and affine compute them, on numbers of any width.

A number of some width is its bit pattern read as `canonical` says: of one bit 0 or 1, of more bits the signed
number. What MLIR leaves undefined (or calls poison) raises `Undefined`. tests/oracles/interpreter/test_arithmetic.py
compares all of this with what mlir-opt folds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

Function = Callable[[int, int], int]
WIDTHS: Mapping[str, int] = {"index": 64, "i64": 64, "i32": 32, "i16": 16, "i8": 8, "i1": 1}


class Undefined(ValueError):
    """The operation has no result for these operands."""


def unsigned(number: int, width: int) -> int:
    """The bits of NUMBER as a number without a sign.

    >>> unsigned(-1, 8)
    255
    """
    return number % 2**width


def signed(number: int, width: int) -> int:
    """The bits of NUMBER as a number with a sign.

    >>> signed(200, 8), signed(1, 1)
    (-56, -1)
    """
    return (number + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)


def canonical(number: int, width: int) -> int:
    """The number that stands for the bits of NUMBER: a truth is 0 or 1, all others have a sign.

    >>> canonical(200, 8), canonical(-1, 1)
    (-56, 1)
    """
    return number % 2 if width == 1 else signed(number, width)


def truncated(left: int, right: int) -> int:
    """LEFT / RIGHT rounded toward zero.

    >>> truncated(-7, 2)
    -3
    """
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def ceiling(left: int, right: int) -> int:
    """LEFT / RIGHT rounded up.

    >>> ceiling(-7, 2)
    -3
    """
    return -(-left // right)


SIGNED: Mapping[str, Function] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "divsi": truncated,
    "remsi": lambda a, b: a - b * truncated(a, b),
    "floordivsi": operator.floordiv,
    "ceildivsi": ceiling,
    "minsi": min,
    "maxsi": max,
}
UNSIGNED: Mapping[str, Function] = {
    "andi": operator.and_,
    "ori": operator.or_,
    "xori": operator.xor,
    "divui": operator.floordiv,
    "remui": operator.mod,
    "ceildivui": ceiling,
    "minui": min,
    "maxui": max,
}
SHIFTS = ("shli", "shrsi", "shrui")
DIVISIONS = frozenset(("divui", "remui", "ceildivui", "divsi", "remsi", "floordivsi", "ceildivsi"))
OPERATIONS = (*SIGNED, *UNSIGNED, *SHIFTS)


def arith(name: str, left: int, right: int, width: int = 64) -> int:
    """The operation arith.NAME on two numbers of WIDTH bits.

    >>> arith("addi", 127, 1, 8), arith("divui", -1, 2, 8), arith("shrsi", -8, 1, 8)
    (-128, 127, -4)
    """
    if name in SHIFTS:
        return canonical(shifted(name, left, unsigned(right, width), width), width)
    read, function = (signed, SIGNED[name]) if name in SIGNED else (unsigned, UNSIGNED[name])
    if not is_defined(name, left, right, width):
        raise Undefined(f"arith.{name} {left}, {right} of {width} bits")
    return canonical(function(read(left, width), read(right, width)), width)


def is_defined(name: str, left: int, right: int, width: int = 64) -> bool:
    """Whether a division has a result: not by 0, nor that of the least number by -1, which is too large.

    >>> is_defined("divsi", -128, -1, 8), is_defined("divui", -128, -1, 8)
    (False, True)
    """
    if name not in DIVISIONS:
        return True
    is_too_large = (signed(left, width), signed(right, width)) == (-(2 ** (width - 1)), -1)
    return unsigned(right, width) != 0 and not (name in SIGNED and is_too_large)


def shifted(name: str, number: int, by: int, width: int) -> int:
    """NUMBER, of WIDTH bits, moved BY bits: to the left, or to the right with its sign or without."""
    if by >= width:
        raise Undefined(f"arith.{name} by {by} of {width} bits")
    if name == "shli":
        return number << by
    return (signed if name == "shrsi" else unsigned)(number, width) >> by


RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
PREDICATES: Mapping[str, str] = {
    "eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">=",
    "ult": "<", "ule": "<=", "ugt": ">", "uge": ">=",
}  # fmt: skip
"""The relation of each predicate of arith.cmpi; those with a u are of unsigned numbers."""
PREDICATE_OF = {relation: name for name, relation in PREDICATES.items() if name[0] != "u"}
"""The predicate of each relation of numbers with a sign."""


def compared(predicate: str, left: int, right: int, width: int = 64) -> int:
    """The truth arith.cmpi PREDICATE of two numbers of WIDTH bits.

    >>> compared("slt", -1, 1), compared("ult", -1, 1), compared("slt", 1, 0, width=1)
    (1, 0, 1)
    """
    read = unsigned if predicate[0] == "u" else signed
    return int(RELATIONS[PREDICATES[predicate]](read(left, width), read(right, width)))


EXTENDING: Mapping[str, Callable[[int, int], int]] = {
    "extsi": signed, "index_cast": signed, "extui": unsigned, "index_castui": unsigned, "trunci": unsigned,
}  # fmt: skip


def cast(name: str, number: int, source: int, target: int) -> int:
    """The cast arith.NAME of a number of SOURCE bits to TARGET bits.

    >>> cast("extsi", 1, 1, 8), cast("extui", -1, 8, 64), cast("trunci", 200, 64, 8)
    (-1, 255, -56)
    """
    return canonical(EXTENDING[name](number, source), target)
