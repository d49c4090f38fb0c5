"""The operations of integers, on their numbers: what arith and index have in common.

A number of `width` bits is the signed one, of one bit 0 or 1 (see formats.py). Each operation below is
given as a function of two numbers that returns any integer with these bits: `wrap` makes it the number.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
from xdsl.ir import Operation

from volcli.execution.numbers.floats import RELATIONS
from volcli.execution.numbers.formats import Format, signed
from volcli.execution.numbers.values import POISON
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Scalar

Integers = Callable[[int, int], int]


def quotient(left: int, right: int) -> int:
    """LEFT / RIGHT, rounded toward zero.

    >>> quotient(-7, 2), quotient(7, -2)
    (-3, -3)
    """
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) == (right < 0) else -magnitude


def remainder(left: int, right: int) -> int:
    """What `quotient` leaves: of LEFT's sign.

    >>> remainder(-7, 2)
    -1
    """
    return left - right * quotient(left, right)


def rounded_up(left: int, right: int) -> int:
    """LEFT / RIGHT, rounded up.

    >>> rounded_up(7, 2), rounded_up(-7, 2)
    (4, -3)
    """
    return -(-left // right)


ALIKE: Mapping[str, Integers] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor,
}  # fmt: skip
"""Operations whose lower bits are the same for signed and unsigned numbers."""
SIGNED: Mapping[str, Integers] = {
    "min": min, "max": max, "div": quotient, "rem": remainder, "floordiv": operator.floordiv,
    "ceildiv": rounded_up,
}  # fmt: skip
UNSIGNED: Mapping[str, Integers] = {
    "min": min, "max": max, "div": operator.floordiv, "rem": operator.mod, "ceildiv": rounded_up,
}  # fmt: skip
BLOCKS: Mapping[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip
_DIVISIONS = ("div", "rem", "floordiv", "ceildiv")
_TOO_LARGE = ("div", "floordiv", "ceildiv")


def alike(op: Operation, name: str, format: Format, flags: Collection[str] = ()) -> Scalar:
    """OP, one of ALIKE, with the promises FLAGS: "nsw", "nuw".

    >>> from xdsl.dialects.test import TestOp
    >>> from volcli.execution.numbers.formats import format_of
    >>> from xdsl.dialects.builtin import i8
    >>> (
    ...     alike(TestOp(), "add", format_of(i8)).number(100, 100),
    ...     alike(TestOp(), "add", format_of(i8), ["nsw"]).number(100, 100),
    ... )
    (-56, poison)
    """
    function, wrap = ALIKE[name], format.wrap()
    if name in ("and", "or", "xor"):
        return Scalar(function, BLOCKS[name] if format.is_native or format.width == 1 else None)
    if flags:
        keeps = promise(function, format.width, flags)
        return Scalar(lambda a, b: wrap(function(a, b)) if keeps(a, b) else POISON)
    return Scalar(lambda a, b: wrap(function(a, b)), BLOCKS[name] if format.is_native else None)


def promise(function: Integers, width: int, flags: Collection[str]) -> Callable[[int, int], bool]:
    """Whether FUNCTION of two numbers of WIDTH bits is what it is of integers, as FLAGS promise."""
    mask, half = (1 << width) - 1, 1 << (width - 1)

    def kept(a: int, b: int) -> bool:
        if "nsw" in flags and not -half <= function(signed(a, width), signed(b, width)) < half:
            return False
        return "nuw" not in flags or 0 <= function(a & mask, b & mask) <= mask

    return kept


def with_sign(op: Operation, name: str, format: Format, *, exact: bool = False) -> Scalar:
    """OP, one of SIGNED, which reads signed numbers; EXACT promises that nothing is left over."""
    function, wrap, width = SIGNED[name], format.wrap(), format.width
    least = -(1 << (width - 1))
    if name not in _DIVISIONS:
        if width == 1:
            return Scalar(lambda a, b: function(-a, -b) & 1)
        return Scalar(function, {"min": np.minimum, "max": np.maximum}[name] if format.is_native else None)

    def number(a: int, b: int) -> Any:
        a, b = signed(a, width), signed(b, width)
        if b == 0:
            raise Undefined(op, Defect.ARITHMETIC, f"division of {a} by zero")
        if b == -1 and a == least and name in _TOO_LARGE:
            raise Undefined(
                op, Defect.ARITHMETIC, f"the quotient of {a} and -1 is too large for {width} bits"
            )
        if exact and a % b:
            return POISON
        return wrap(function(a, b))

    return Scalar(number, determined=(1,))


def without_sign(op: Operation, name: str, format: Format, *, exact: bool = False) -> Scalar:
    """OP, one of UNSIGNED, which reads unsigned numbers; EXACT promises that nothing is left over."""
    function, wrap, bits = UNSIGNED[name], format.wrap(), format.unsigned()
    divides = name in _DIVISIONS

    def number(a: int, b: int) -> Any:
        a, b = bits(a), bits(b)
        if divides and b == 0:
            raise Undefined(op, Defect.ARITHMETIC, f"division of {a} by zero")
        if exact and a % b:
            return POISON
        return wrap(function(a, b))

    return Scalar(number, determined=(1,) if divides else ())


def shift(name: str, format: Format, flags: Collection[str] = ()) -> Scalar:
    """A shift "left", "right" or "right with sign"; by the width or more is poison.

    FLAGS are "nsw" and "nuw" of shifts to the left, "exact" of those to the right: no bit that is 1 is lost.
    """
    wrap, bits, width = format.wrap(), format.unsigned(), format.width
    half = 1 << (width - 1)

    def number(a: int, b: int) -> Any:
        by, plain, with_sign_ = bits(b), bits(a), signed(a, width)
        if by >= width or ("exact" in flags and plain & ((1 << by) - 1)):
            return POISON
        if "nuw" in flags and plain << by >> width:
            return POISON
        if "nsw" in flags and not -half <= with_sign_ << by < half:
            return POISON
        return wrap(plain << by if name == "left" else (with_sign_ if "sign" in name else plain) >> by)

    return Scalar(number)


def comparison(predicate: str, format: Format) -> Scalar:
    """`eq`, `ne`, or one of lt, le, gt, ge after s (signed numbers) or u (unsigned ones)."""
    relation = RELATIONS[predicate if predicate in RELATIONS else predicate[1:]]
    if predicate in RELATIONS:
        return Scalar(
            lambda a, b: int(relation(a, b)), relation if format.is_native or format.width == 1 else None
        )
    width = format.width
    if predicate.startswith("u"):
        bits = format.unsigned()
        return Scalar(lambda a, b: int(relation(bits(a), bits(b))))
    if width == 1:
        return Scalar(lambda a, b: int(relation(-a, -b)))
    return Scalar(lambda a, b: int(relation(a, b)), relation if format.is_native else None)
