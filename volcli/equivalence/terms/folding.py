"""Operations on constants: integers modulo 2^w, and floats as IEEE 754 rounds them.

A sum, difference, product or quotient of floats of 16 or 32 bits is that of doubles, rounded once more: a
double has more than twice their bits, so the second rounding changes nothing (Figueroa 1995).
"""

# pyright: reportUnknownMemberType=false
# Operators are functions of any numbers.

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Mapping
from typing import Any

from volcli.equivalence.terms.terms import Kind, signed

_FORMATS = {"f16": "e", "f32": "f", "f64": "d"}
_BITS = {16: "H", 32: "I", 64: "Q"}
Folded = int | float | None


def rounded(number: float, kind: Kind) -> float | None:
    """NUMBER in a format of floats; None if the format is not known here."""
    layout = _FORMATS.get(str(kind))
    if layout is None:
        return None
    try:
        (found,) = struct.unpack(layout, struct.pack(layout, number))
    except OverflowError:
        return math.copysign(math.inf, number)
    return float(found)


def _divided(a: float, b: float) -> float:
    if b:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _maximum(a: float, b: float) -> float:
    if math.isnan(a) or math.isnan(b):
        return math.nan
    return a if (a, math.copysign(1, a)) > (b, math.copysign(1, b)) else b


def _minimum(a: float, b: float) -> float:
    return -_maximum(-a, -b)


def _same(a: float) -> float:
    return a


_FLOATS: Mapping[str, Any] = {
    "addf": operator.add,
    "subf": operator.sub,
    "mulf": operator.mul,
    "divf": _divided,
    "negf": operator.neg,
    "absf": abs,
    "maximumf": _maximum,
    "minimumf": _minimum,
    "extf": _same,
    "truncf": _same,
}


def _rounded_up(a: int, b: int) -> int:
    return -(-a // b)


def _quotient(a: int, b: int) -> int:
    return (abs(a) // abs(b)) * (1 if (a < 0) is (b < 0) else -1)


def _remainder(a: int, b: int) -> int:
    return a - b * _quotient(a, b)


_UNSIGNED: Mapping[str, Any] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "andi": operator.and_,
    "ori": operator.or_,
    "xori": operator.xor,
    "maxui": max,
    "minui": min,
    "divui": operator.floordiv,
    "remui": operator.mod,
    "ceildivui": _rounded_up,
}
_SIGNED: Mapping[str, Any] = {
    "maxsi": max,
    "minsi": min,
    "divsi": _quotient,
    "remsi": _remainder,
    "floordivsi": operator.floordiv,
    "ceildivsi": _rounded_up,
}
_SHIFTS = ("shli", "shrui", "shrsi")
RELATIONS: tuple[tuple[Callable[[int, int], bool], bool], ...] = (
    (operator.eq, False), (operator.ne, False),
    (operator.lt, True), (operator.le, True), (operator.gt, True), (operator.ge, True),
    (operator.lt, False), (operator.le, False), (operator.gt, False), (operator.ge, False),
)  # fmt: skip
"""Of the predicates of cmpi: the relation, and whether it is of signed numbers."""


_PREDICATES: tuple[Callable[[float, float], bool], ...] = (
    operator.eq, operator.gt, operator.ge, operator.lt, operator.le, operator.ne,
)  # fmt: skip


def related_floats(predicate: int, one: float, other: float) -> bool:
    """Whether two constants are related as cmpf's PREDICATE says: 1 to 7 hold of numbers only.

    >>> [related_floats(k, 1.0, math.nan) for k in (4, 7, 11, 14)], related_floats(4, 1.0, 2.0)
    ([False, False, True, True], True)
    """
    if predicate in (0, 15):
        return predicate == 15
    is_unordered = math.isnan(one) or math.isnan(other)
    if predicate in (7, 14):
        return is_unordered is (predicate == 14)
    if is_unordered:
        return predicate > 7
    return _PREDICATES[(predicate - 1) % 7](one, other)


def _reinterpreted(kind: Kind, source: Kind, number: float) -> Folded:
    """The bits of NUMBER, of the kind SOURCE, as a number of KIND; None of NaN, whose bits are not kept."""
    layouts = [
        _FORMATS.get(str(each)) if isinstance(each, str) else _BITS.get(each) for each in (source, kind)
    ]
    if None in layouts or (isinstance(number, float) and math.isnan(number)):
        return None
    (found,) = struct.unpack(str(layouts[1]), struct.pack(str(layouts[0]), number))
    return found


def folded(name: str, kind: Kind, kinds: list[Kind], numbers: list[int | float]) -> Folded:
    """NAME of NUMBERS, which are of KINDS; None if that is not known, or not defined."""
    if name == "bitcast":
        return _reinterpreted(kind, kinds[0], numbers[0])
    if isinstance(kind, str):
        return _folded_float(name, kind, kinds, numbers)
    widths = [each for each in kinds if isinstance(each, int)]
    if len(widths) < len(kinds):
        return None
    return _folded_integer(name, kind, widths, [int(each) for each in numbers])


def _folded_float(name: str, kind: str, kinds: list[Kind], numbers: list[int | float]) -> Folded:
    if name in ("sitofp", "uitofp") and isinstance(kinds[0], int):
        whole = signed(int(numbers[0]), kinds[0]) if name == "sitofp" else int(numbers[0])
        return rounded(float(whole), kind) if abs(whole) < 2**53 else None
    function = _FLOATS.get(name)
    if function is None or any(isinstance(each, int) for each in kinds):
        return None
    try:
        return rounded(function(*numbers), kind)
    except OverflowError:
        return None


def _folded_integer(name: str, width: int, widths: list[int], numbers: list[int]) -> Folded:
    if name in ("extui", "trunci", "index_castui"):
        return numbers[0] % 2**width
    if name in ("extsi", "index_cast"):
        return signed(numbers[0], widths[0]) % 2**width
    if name in _SHIFTS:
        return _shifted(name, width, *numbers)
    if name in _UNSIGNED:
        is_defined = numbers[1] != 0 or not name.endswith(("divui", "remui"))
        return _UNSIGNED[name](*numbers) % 2**width if is_defined else None
    if name in _SIGNED:
        a, b = (signed(each, width) for each in numbers)
        is_extremum = name in ("maxsi", "minsi")
        if not is_extremum and (b == 0 or (b == -1 and a == -(2 ** (width - 1)))):
            return None
        return _SIGNED[name](a, b) % 2**width
    return None


def _shifted(name: str, width: int, number: int, by: int) -> int | None:
    if by >= width:
        return None
    if name == "shli":
        return (number << by) % 2**width
    return (signed(number, width) if name == "shrsi" else number) >> by


def related(predicate: int, width: int, one: int, other: int) -> bool:
    """Whether two constants are related as cmpi's PREDICATE says."""
    relation, is_signed = RELATIONS[predicate]
    return relation(signed(one, width), signed(other, width)) if is_signed else relation(one, other)
