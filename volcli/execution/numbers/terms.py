"""Numbers as terms: what a float is computed from, for all inputs at once.

`mulf(a[0, 1], b[1, 2])` is the product of two elements of the inputs a and b. Terms are made once: equal
terms are one object, so that comparing two programs' results costs nothing, and a sum of a million numbers
shares its beginnings.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from typing import Any

import numpy as np

from volcli.execution.numbers.values import NotANumber
from volcli.execution.outcomes import LimitReached
from volcli.limits import execution as limits


class FloatTerm(NotANumber):
    """An operation of terms. `key` is its name, then its operands: terms, or what a leaf is about."""

    __slots__ = ("key",)

    def __init__(self, key: tuple[Any, ...]) -> None:
        self.key = key

    @property
    def name(self) -> str:
        """The operation: "mulf"; of a leaf "number" or "element"."""
        return self.key[0]

    @property
    def operands(self) -> tuple[FloatTerm, ...]:
        """What it is computed from."""
        return self.key[1:] if self.key[0] not in LEAVES else ()

    def __repr__(self) -> str:
        return written(self)


LEAVES = ("number", "element")
"""`("number", the number)` and `("element", input, index)`."""


class Terms:
    """The terms of one comparison or execution, not more than `most`.

    >>> terms = Terms()
    >>> a, two = terms.element("a", (0, 1)), np.float32(2)
    >>> terms.of("mulf", a, two)
    mulf(a[0, 1], 2.0)
    >>> terms.of("mulf", a, two) is terms.of("mulf", a, two)
    True
    """

    def __init__(self, most: int | None = None) -> None:
        self._made: dict[tuple[Any, ...], FloatTerm] = {}
        self._most = most

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._made)

    def _new(self, key: tuple[Any, ...], content: tuple[Any, ...]) -> FloatTerm:
        """The term of CONTENT, known by KEY from now on. Raises LimitReached if there are too many."""
        self.holds(1)
        term = self._made[key] = FloatTerm(content)
        return term

    def holds(self, count: int) -> None:
        """Raises LimitReached if COUNT more are too many."""
        if self._most is not None and len(self._made) + count > self._most:
            raise LimitReached(None, f"the execution makes more than {self._most:,} terms")

    def of(self, name: str, *operands: Any) -> FloatTerm:
        """The operation NAME of OPERANDS, numbers among them."""
        key = (name, *operands)
        for operand in operands:
            if type(operand) is not FloatTerm:
                key = (name, *[o if type(o) is FloatTerm else self.number(o) for o in operands])
                break
        if (term := self._made.get(key)) is None:
            term = self._new(key, key)
        return term

    def number(self, number: Any) -> FloatTerm:
        """A NUMBER as a term: 0.0 and -0.0 differ, and 1 of f32 from 1 of f64."""
        is_float = isinstance(number, np.generic)
        key = ("number", number.dtype.char, number.tobytes()) if is_float else ("number", "i", number)
        if (term := self._made.get(key)) is None:
            term = self._new(key, ("number", number))
        return term

    def element(self, name: str, index: tuple[int, ...]) -> FloatTerm:
        """The element INDEX of the input NAME."""
        key = ("element", name, index)
        if (term := self._made.get(key)) is None:
            term = self._new(key, key)
        return term


def written(term: FloatTerm, most: int = limits.TERM_TEXT) -> str:
    """The text of TERM: `addf(a[0], b[0])`, shortened to about MOST characters, without recursion."""
    pieces: list[str] = []
    length = 0
    waiting: list[FloatTerm | str] = [term]
    while waiting:
        each = waiting.pop()
        if isinstance(each, FloatTerm):
            if each.operands:
                waiting.append(")")
                for operand in reversed(each.operands):
                    waiting += [operand, ", "]
                waiting.pop()
                each = f"{each.name}("
            else:
                each = _leaf(each)
        pieces.append(each)
        length += len(each)
        if length > most:
            return "".join(pieces) + " ..."
    return "".join(pieces)


def _leaf(term: FloatTerm) -> str:
    if term.name == "number":
        return str(term.key[1])
    if term.name == "element":
        _, name, index = term.key
        return f"{name}[{', '.join(map(str, index))}]" if index else name
    return f"{term.name}()"
