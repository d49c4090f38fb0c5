"""Nested lists as arrays, for references that share nothing with the cases that they judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from volcli.testing import computed_from

Index = tuple[int, ...]
Array = Any
"""Numbers, or lists of arrays of one shape."""


def array(sizes: Sequence[int], element: Callable[[Index], Any], index: Index = ()) -> Array:
    """The array of SIZES with `element(index)` at each index."""
    if len(index) == len(sizes):
        return element(index)
    return [array(sizes, element, (*index, k)) for k in range(sizes[len(index)])]


def at(values: Array, index: Index) -> Any:
    """`values[index]`."""
    for k in index:
        values = values[k]
    return values


def sizes_of(values: Array) -> list[int]:
    """The sizes of an array that is not empty."""
    return [len(values), *sizes_of(values[0])] if isinstance(values, list) else []


def kind(sizes: Sequence[int], element: str = "f32") -> str:
    """`tensor<2x3xf32>`."""
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{element}>"


def broadcast(sizes: Sequence[int], *operands: Array) -> Array:
    """An element-wise function of OPERANDS of the rank of SIZES, or of a lower one."""

    def element(index: Index) -> Any:
        found: list[Any] = []
        for operand in operands:
            own = sizes_of(operand)
            last = index[len(index) - len(own) :]
            found.append(at(operand, tuple(0 if n == 1 else k for n, k in zip(own, last, strict=True))))
        return computed_from(*found)

    return array(sizes, element)


def function(arguments: str, body: str, result: str) -> str:
    """A function whose last operation is the last line of BODY, which defines %r of type RESULT."""
    return f"func.func @f({arguments}) -> {result} {{\n{body}\n  return %r : {result}\n}}\n"
