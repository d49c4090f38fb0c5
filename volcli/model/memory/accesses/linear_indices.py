"""Indices that are the digits of one number, as that number: `%m[%k floordiv %n, %k mod %n]` as [%k].

It is the other way round than `delinearisation`. With sizes s_1, ..., s_m and 0 <= d_k < s_k for k >= 1,
digits (d_0, ..., d_m) are equal if and only if the numbers d_0 * s_1 * ... * s_m + ... + d_m are
(each size is positive, as a digit is below it), so that accesses whose digits are in range can be compared by
these. Quotients and remainders by values are not affine, but the number that they were made from often is.

    for k = 0 to r * n     m[k floordiv n, k mod n]        number k: each iteration has an element of its own
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation, OpResult

from volcli.language import questions
from volcli.language.expressions import Expression, Index, NotAffine, Value, expression_of_atom
from volcli.model.values.store.store import BoundsStore

_SAME = isl.Set("[difference] -> { : difference = 0 }")


@dataclass(frozen=True)
class LinearIndex:
    """NUMBER has these DIGITS, of which all but the first are below SIZES; or they may be out of range."""

    digits: tuple[Expression, ...]
    sizes: tuple[Expression, ...]
    number: Expression


def linear_index(index: Sequence[Index], op: Operation, bounds: BoundsStore) -> LinearIndex | None:
    """INDEX, where OP runs, as the digits of what it was made from; None if that is not known."""
    try:
        resolve = bounds.definitions.resolve_beside_loops
        digits = tuple(resolve(each) for each in index if isinstance(each, Expression))
        floors = [_floors(each) for each in digits]
        if not len(digits) == len(index) > 1 or not all(floors[1:]):
            return None
        number = resolve(floors[-1][0][0])
        # the last quotient is that of the digit itself; a signed remainder has others after the first one
        chosen = dict.fromkeys(tuple(resolve(each[k][1]) for each in floors[1:]) for k in (-1, 0))
    except NotAffine:
        return None
    found = (LinearIndex(digits, sizes, number) for sizes in chosen)
    return next((each for each in found if _is_known(each, op, bounds)), None)


def _is_known(found: LinearIndex, op: Operation, bounds: BoundsStore) -> bool:
    """Whether the digits are those of the number wherever OP runs."""
    total = found.digits[0]
    for digit, size in zip(found.digits[1:], found.sizes, strict=True):
        total = total * size + digit
    return bounds.claims.is_proved({"difference": total - found.number}, _SAME, op)


def _floors(digit: Expression) -> list[tuple[Expression, Expression]]:
    """The quotients that DIGIT is computed by, the first one first: numerators and divisors.

    Raises NotAffine if it is not a result.
    """
    atom = digit.single_atom
    if not isinstance(atom, Value) or not isinstance(atom.value, OpResult):
        raise NotAffine("a digit that is not a result")
    found = questions.determined(atom.value.op)
    known = None if found is None else found[atom.value.index]
    return [] if known is None else list(known.floors.values())


def divisors(index: Sequence[Index], bounds: BoundsStore) -> Iterator[Expression]:
    """What numbers are divided by that INDEX is computed from."""
    for each in index:
        if not isinstance(each, Expression):
            continue
        with suppress(NotAffine):
            resolved = bounds.definitions.resolve_beside_loops(each)
            for atom in resolved.atoms():
                with suppress(NotAffine):
                    for _, divisor in _floors(expression_of_atom(atom)):
                        yield bounds.definitions.resolve(divisor)


def digit_texts(number: str, sizes: Sequence[str]) -> list[str]:
    """The digits of a NUMBER, of which all but the first are below SIZES.

    >>> digit_texts("k", ["n", "m + 1"])
    ['k floordiv (m + 1) floordiv n', 'k floordiv (m + 1) mod n', 'k mod (m + 1)']
    """
    found: list[str] = []
    for size in reversed(sizes):
        size = f"({size})" if re.search(r" [-+*] ", size) else size
        found.append(f"{number} mod {size}")
        number = f"{number} floordiv {size}"
    return [number, *reversed(found)]
