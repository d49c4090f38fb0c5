"""The operands of operations that mix numbers with index values, and affine maps as functions of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
)

from volcli.execution.elements.elementwise import number
from volcli.execution.outcomes import Defect, Undefined


class Split:
    """The operands of OP, which come one after the other, by group.

    `Split(op, op.lower_bounds, op.upper_bounds)(operands)` is the list of the two groups.
    """

    def __init__(self, *groups: Sequence[SSAValue]) -> None:
        self._ends: list[int] = []
        for group in groups:
            self._ends.append((self._ends[-1] if self._ends else 0) + len(group))

    def __call__(self, operands: Sequence[Any]) -> list[Sequence[Any]]:
        starts = [0, *self._ends[:-1]]
        return [operands[start:end] for start, end in zip(starts, self._ends, strict=True)]


def numbers(op: Operation, values: Iterable[Any], what: str) -> list[int]:
    """VALUES, which decide what OP does, as numbers: see `volcli.execution.elements.elementwise.number`."""
    return [number(op, value, what) for value in values]


def mixed(op: Operation, static: Any, what: str) -> Callable[[Sequence[Any]], list[int]]:
    """The numbers of a list such as `[4, %n]`: STATIC, with operands in the place of markers."""
    known = [int(each) for each in cast("DenseArrayBase[Any]", static).get_values()]

    def values(dynamic: Sequence[Any]) -> list[int]:
        rest: Iterator[Any] = iter(dynamic)
        return [number(op, next(rest), what) if each == DYNAMIC_INDEX else each for each in known]

    return values


Function = Callable[[Sequence[int]], list[int]]


def function_of(op: Operation, affine_map: AffineMap) -> Function:
    """AFFINE_MAP as a function of its dimensions and symbols; each operation wraps around at 64 bits.

    Raises Undefined, from the function, for a division by a number that is not positive.

    >>> from xdsl.dialects.test import TestOp
    >>> function_of(TestOp(), AffineMap.identity(2))([3, 4])
    [3, 4]
    >>> function_of(TestOp(), AffineMap.from_callable(lambda i: ((i * 2) % 5,)))([1 << 62])
    [2]
    """
    parts = [_written(result, affine_map.num_dims) for result in affine_map.results]
    names = {"divisor": _divisor(op), "wrapped": _wrapped}
    code = f"lambda v: [{', '.join(parts)}]"
    return eval(code, names)


def _wrapped(value: int) -> int:
    return value if -(1 << 63) <= value < 1 << 63 else (value + (1 << 63)) % (1 << 64) - (1 << 63)


def _divisor(op: Operation) -> Callable[[int], int]:
    def checked(value: int) -> int:
        if value <= 0:
            raise Undefined(op, Defect.ARITHMETIC, f"affine division by {value}, which is not positive")
        return value

    return checked


_LINEAR = (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
_SIGNS = {
    AffineBinaryOpKind.Add: "({} + {})", AffineBinaryOpKind.Mul: "({} * {})",
    AffineBinaryOpKind.Mod: "({} % divisor({}))", AffineBinaryOpKind.FloorDiv: "({} // divisor({}))",
    AffineBinaryOpKind.CeilDiv: "(-(-{} // divisor({})))",
}  # fmt: skip


def _written(expression: AffineExpr, dims: int) -> str:
    """EXPRESSION as Python, operands first, without recursion."""
    done: list[str] = []
    waiting: list[AffineExpr | AffineBinaryOpKind] = [expression]
    while waiting:
        each = waiting.pop()
        if isinstance(each, AffineBinaryOpKind):
            right, left = done.pop(), done.pop()
            if each not in _LINEAR:
                left, right = _as_number(left), _as_number(right)
            done.append(_SIGNS[each].format(left, right))
        elif isinstance(each, AffineBinaryOpExpr):
            waiting += [each.kind, each.rhs, each.lhs]
        elif isinstance(each, AffineConstantExpr):
            done.append(f"({each.value})")
        else:
            position = cast(Any, each).position
            done.append(f"v[{position if isinstance(each, AffineDimExpr) else dims + position}]")
    (text,) = done
    return _as_number(text)


def _as_number(text: str) -> str:
    """TEXT wrapped; sums and products wait with that until a division, or the end, looks at their bits."""
    return text if text.startswith("v[") or text[1:-1].isdigit() else f"wrapped({text})"
