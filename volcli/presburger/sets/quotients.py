"""Conditions with quotients as people write them: `n <= 32 * (d floordiv 32)`.

isl writes floors in its own normal form, `32*floor((-1 - d)/32) <= -32 - n`. Here terms are collected, and

    floor((k q + r + c) / k) = q + c div k + floor((r + c mod k) / k),
    floor(-m / k) = -floor((m + k - 1) / k)

so that each quotient has a numerator that begins with a positive coefficient; then negative terms change
sides.

>>> with_quotients("n >= 5 and 32*floor((-1 - d)/32) <= -32 - n")
'n >= 5 and n <= 32 * (d floordiv 32)'
"""

from __future__ import annotations

import re
from collections import Counter

_JOINED = re.compile(r"( and | or )")
_COMPARISON = re.compile(r"(?P<left>[^<>=]+) (?P<op><=|>=|<|>|=) (?P<right>[^<>=]+)")
_SIGN = re.compile(r"\s*([+-]?)\s*")
_FACTOR = re.compile(r"(\d+)(\*|(?=[A-Za-z_(]))?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_FLIPPED = {"<=": ">=", "<": ">", "=": "="}
_ONE = ""

Linear = Counter[str]
"""Coefficients of names and written quotients; that of `_ONE` is the constant."""


class _OtherFormError(Exception):
    """A text that is no sum of names, numbers and floors."""


def with_quotients(condition: str) -> str:
    """CONDITION, which isl has written, with `floordiv` where it has floors of sums."""
    if "floor(" not in condition:
        return condition
    return "".join(_rewritten(piece) if "floor(" in piece else piece for piece in _JOINED.split(condition))


def _rewritten(piece: str) -> str:
    """A PIECE between `and` and `or`, with the parentheses around several of them."""
    begin, end = 0, len(piece)
    while piece[begin] == "(" and piece.count("(", begin, end) > piece.count(")", begin, end):
        begin += 1
    while piece[end - 1] == ")" and piece.count("(", begin, end) < piece.count(")", begin, end):
        end -= 1
    while piece[begin] == "(" and _closed(piece, begin) == end:
        begin, end = begin + 1, end - 1
    return f"{piece[:begin]}{_compared(piece[begin:end])}{piece[end:]}"


def _compared(comparison: str) -> str:
    """A COMPARISON of two sums, with its terms where they are positive; itself if it is another condition."""
    found = _COMPARISON.fullmatch(comparison)
    if found is None:
        return comparison
    try:
        terms = _sum(found["left"])
        terms.subtract(_sum(found["right"]))
    except _OtherFormError:
        return comparison
    operator = found["op"]
    if operator.startswith(">"):
        terms, operator = Counter({name: -n for name, n in terms.items()}), operator.replace(">", "<")
    constant = terms.pop(_ONE, 0)
    left = {name: n for name, n in terms.items() if n > 0}
    right = {name: -n for name, n in terms.items() if n < 0}
    if not left:
        return f"{_written(right, 0)} {_FLIPPED[operator]} {constant}"
    return f"{_written(left, 0)} {operator} {_written(right, -constant)}"


def _written(terms: dict[str, int], constant: int) -> str:
    words = [name if n == 1 else f"{n} * {name}" for name, n in terms.items()]
    if constant < 0 and words:
        return f"{' + '.join(words)} - {-constant}"
    return " + ".join([*words, *([str(constant)] if constant or not words else [])])


def _sum(text: str) -> Linear:
    """The terms of TEXT."""
    found: Linear = Counter()
    at = 0
    while at < len(text):
        sign = _SIGN.match(text, at)
        assert sign is not None
        at = sign.end()
        factor = _FACTOR.match(text, at)
        number = 1 if factor is None else int(factor[1])
        number = -number if sign[1] == "-" else number
        if factor is not None:
            at = factor.end()
            if factor[2] is None:
                found[_ONE] += number
                continue
        if text.startswith("floor(", at):
            end = _closed(text, at + 5)
            for name, each in _floor(text[at + 6 : end - 1]).items():
                found[name] += number * each
            at = end
        elif (name := _NAME.match(text, at)) is not None:
            found[name[0]] += number
            at = name.end()
        else:
            raise _OtherFormError
        if at < len(text) and not text[at].isspace():
            raise _OtherFormError
    return found


def _closed(text: str, at: int) -> int:
    """Where the parenthesis ends that opens AT."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return end + 1
    raise _OtherFormError


def _floor(quotient: str) -> Linear:
    """floor(QUOTIENT), of `(sum)/number`, as a sum."""
    numerator, slash, divisor = quotient.rpartition("/")
    if not slash or not divisor.isdigit() or not (numerator.startswith("(") and numerator.endswith(")")):
        raise _OtherFormError
    k, terms, sign = int(divisor), _sum(numerator[1:-1]), 1
    first = next((n for name, n in terms.items() if name != _ONE and n % k), 0)
    if first < 0:
        sign, terms = -1, Counter({name: -n for name, n in terms.items()})
        terms[_ONE] += k - 1
    whole: Linear = Counter()
    rest: dict[str, int] = {}
    for name, number in terms.items():
        if name != _ONE and number % k == 0:
            whole[name] += sign * (number // k)
        elif name != _ONE:
            rest[name] = number
    quotient_of_one, constant = divmod(terms[_ONE], k)
    whole[_ONE] += sign * quotient_of_one
    if rest:
        said = _difference(rest, constant)
        is_name = len(rest) == 1 and constant == 0 and next(iter(rest.values())) == 1
        whole[f"({said if is_name else f'({said})'} floordiv {k})"] += sign
    return whole


def _difference(terms: dict[str, int], constant: int) -> str:
    """A sum with signs, of which the first term is positive."""
    words = ""
    for name, number in terms.items():
        size = name if abs(number) == 1 else f"{abs(number)} * {name}"
        words += f" {'-' if number < 0 else '+'} {size}" if words else size
    return f"{words} + {constant}" if constant else words
