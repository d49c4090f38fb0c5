"""Whether two results of executions differ, and in which element.

Integers are compared bit by bit, floats up to the order of sums, and terms as functions of real numbers (see
`valuation`). What was undefined before may be anything after.
"""

# pyright: reportUnknownArgumentType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from volcli.equivalence.trials.valuation import FAR, Valuation
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.terms import FloatTerm, written
from volcli.execution.numbers.values import NotANumber, Tensor
from volcli.execution.runs.engine import Result
from volcli.limits import execution as limits

_DRAWS = 6


def difference(before: Result, after: Result, *, exact: bool = False) -> str | None:
    """The first element that differs, with its values; None if none does.

    If floats are EXACT, signs of zeros count, and NaN; its bits do not.
    """
    one, other = _elements(before.value), _elements(after.value)
    if one.shape != other.shape:
        return f"it has the sizes {list(one.shape)} before, and {list(other.shape)} after"
    draws = [Valuation(number) for number in range(_DRAWS)]
    scale = max((abs(float(v)) for v in one.flat if _is_float(v) and np.isfinite(v)), default=0.0)
    for index in np.ndindex(*one.shape):
        is_other = _differs_exactly if exact else partial(_differs, draws=draws, scale=scale)
        if is_other(one[index], other[index]):
            return _said(index, one[index], other[index])
    return None


class Unvalued(Exception):
    """Terms are not told apart, as nothing is known of an operation in them: numbers have to be computed."""


class Drawn:
    """Elements of one result, compared one by one; `steps` are the terms that were valued for it."""

    def __init__(self) -> None:
        self._draws = [Valuation(number) for number in range(_DRAWS)]
        self._scale = 0.0

    @property
    def steps(self) -> int:
        """What it has cost."""
        return sum(each.count for each in self._draws)

    def difference(self, index: tuple[int, ...], before: Any, after: Any) -> str | None:
        """What differs if the element INDEX was BEFORE and is AFTER; None if nothing does."""
        if _is_float(before) and np.isfinite(before):
            self._scale = max(self._scale, abs(float(before)))
        return _said(index, before, after) if _differs(before, after, self._draws, self._scale) else None


def _said(index: tuple[int, ...], before: Any, after: Any) -> str:
    what = f"element {list(index)}" if index else "it"
    one, other = _text(before), _text(after)
    if len(one) + len(other) > limits.TRIAL_TEXT and (inner := _apart(before, after)) is not None:
        old, new = map(_text, inner)
        return f"{what} is {one} before, and the same with {new} in the place of {old} after"
    return f"{what} is {one} before, and {other} after"


def _apart(before: Any, after: Any) -> tuple[Any, Any] | None:
    """The innermost terms of BEFORE and AFTER of which all else is the same; None if these are all."""
    found = None
    while isinstance(before, FloatTerm) and isinstance(after, FloatTerm):
        if before.name != after.name or len(before.operands) != len(after.operands):
            break
        pairs = [pair for pair in zip(before.operands, after.operands, strict=True) if pair[0] is not pair[1]]
        if len(pairs) != 1:
            break
        found = before, after = pairs[0]
    return found


def _elements(value: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """The elements of VALUE as an array of objects; a scalar is one of rank 0."""
    if isinstance(value, MemoryView):
        states = value.array(value.allocation.states_array)
        value = Tensor(value.array(value.allocation.data), states)
    shape = value.shape if isinstance(value, Tensor) else ()
    found = np.empty(shape, object)
    for index in np.ndindex(*shape):
        found[index] = value.element(index) if isinstance(value, Tensor) else value
    return found


def _is_float(value: Any) -> bool:
    return isinstance(value, np.inexact) and not np.iscomplexobj(value)


def _differs(before: Any, after: Any, draws: Sequence[Valuation], scale: float) -> bool:
    """Whether an element was BEFORE and is AFTER are different; SCALE is that of all elements."""
    if before is after:
        return False
    if isinstance(before, NotANumber) and not isinstance(before, FloatTerm):
        return False  # undefined before
    if isinstance(after, NotANumber) and not isinstance(after, FloatTerm):
        return True
    if isinstance(before, FloatTerm) or isinstance(after, FloatTerm):
        if any(draw.tells_apart(before, after) for draw in draws):
            return True
        if any(draw.is_blind for draw in draws):
            raise Unvalued
        return False
    if isinstance(before, int) and isinstance(after, int):
        return before != after
    return _is_far(before, after, scale)


def _differs_exactly(before: Any, after: Any) -> bool:
    if isinstance(before, FloatTerm) or isinstance(after, FloatTerm) or not _is_float(before):
        return _differs(before, after, (), 0.0)
    if isinstance(after, NotANumber):
        return True
    if np.isnan(before) or np.isnan(after):
        return bool(np.isnan(before)) is not bool(np.isnan(after))
    return bool(before != after or np.signbit(before) != np.signbit(after))


def _is_far(before: Any, after: Any, scale: float) -> bool:
    """Whether numbers differ by more than sums in another order do, in formats of at least 32 bits."""
    kind = np.asarray(before).dtype
    if kind.itemsize < np.dtype(np.float32).itemsize or not (np.isfinite(before) and np.isfinite(after)):
        return False
    return bool(abs(before - after) > FAR * max(abs(before), abs(after), scale))


def _text(value: Any) -> str:
    return written(value, limits.TRIAL_TEXT) if isinstance(value, FloatTerm) else str(value)
