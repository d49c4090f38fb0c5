"""Sums, products and extrema of names, as people write them: `(a - 1) * (b - 1)` is a * b - a - b + 1.

A word is the number of a name, or the text of any other token.

>>> from volcli.language.expressions import parameter
>>> words = ["(", 0, "-", "1", ")", "*", "(", 1, "-", "1", ")", ">=", "0"]
>>> end = product_end(words, 0)
>>> end, written_expression(words[:end], lambda number: parameter("ab"[number]))
(11, -a - b + a * b + 1)
>>> written_expression(["2", 0, "+", "min", "(", 1, ",", "3", ")"], lambda number: parameter("ab"[number]))
2 * a + min(b, 3)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volcli.language.expressions import Expression, NotAffine, constant, maximum, minimum

Word = str | int

_OF_SUMS = frozenset("+-*()")
_BINDS = {"(": 0, ",": 1, "+": 2, "-": 2, "*": 3, "negated": 4}
_EXTREMA = {"min": minimum, "max": maximum}


def product_end(words: Sequence[Word], at: int) -> int:
    """Where the names, numbers and sums in brackets end that from AT on have `*` between them."""
    end = at
    while end < len(words) and (after := _factor_end(words, end)) is not None:
        if after >= len(words) or words[after] != "*" or _factor_end(words, after + 1) is None:
            return after
        end = after + 1
    return end


def _is_operand(word: Word) -> bool:
    return isinstance(word, int) or word.isdigit()


def _factor_end(words: Sequence[Word], at: int) -> int | None:
    """Where the name, the number or the sum in brackets ends that begins AT; None if none does."""
    if at < len(words) and _is_operand(words[at]):
        is_multiple = isinstance(words[at], str) and at + 1 < len(words) and isinstance(words[at + 1], int)
        return at + 1 + is_multiple  # 2n is twice n
    open_brackets = 0
    for position in range(at, len(words)):
        word = words[position]
        if not _is_operand(word) and word not in _OF_SUMS:
            return None
        open_brackets += (word == "(") - (word == ")")
        if open_brackets < 1:
            return position + 1 if word == ")" and position > at else None
    return None


def written_expression(words: Sequence[Word], named: Callable[[int], Expression]) -> Expression | None:
    """The expression that WORDS are, of names that are NAMED by their numbers; None if they are none."""
    reading = _Reading()
    ends_operand = False
    try:
        for word in words:
            begins = _is_operand(word) or word == "(" or word in _EXTREMA
            if ends_operand and begins:  # 2n is twice n
                reading.operator("*")
            if isinstance(word, int):
                reading.values.append(named(word))
            elif word.isdigit():
                reading.values.append(constant(int(word)))
            elif word == "(" or word in _EXTREMA:
                reading.operators.append(word)
            elif word == ")":
                reading.close()
            elif ends_operand and word in _BINDS:
                reading.operator(word)
            elif word == "-":
                reading.operators.append("negated")
            else:
                return None
            ends_operand = _is_operand(word) or word == ")"
        return reading.result()
    except (IndexError, NotAffine):  # an operand is missing, or a product is too large
        return None


class _Reading:
    """Operands and operators that wait for what follows."""

    def __init__(self) -> None:
        self.values: list[Expression] = []
        self.operators: list[str] = []

    def operator(self, word: str) -> None:
        """WORD, a binary operator: what binds as much is applied before."""
        self._apply(_BINDS[word])
        self.operators.append(word)

    def close(self) -> None:
        """A closing bracket: around a sum, or around the operands of an extremum."""
        self._apply(2)
        count = 1
        while self.operators[-1] == ",":
            self.operators.pop()
            count += 1
        self.operators.pop()
        function = self.operators[-1] if self.operators else ""
        if function in _EXTREMA:
            self.operators.pop()
            operands = [self.values.pop() for _ in range(count)]
            self.values.append(_EXTREMA[function](*reversed(operands)))
        elif count > 1:
            raise IndexError(count)

    def result(self) -> Expression | None:
        """What all is, if nothing waits any more."""
        self._apply(2)
        return self.values[0] if len(self.values) == 1 and not self.operators else None

    def _apply(self, least: int) -> None:
        while self.operators and _BINDS.get(self.operators[-1], 0) >= max(least, 2):
            operator, right = self.operators.pop(), self.values.pop()
            if operator == "negated":
                self.values.append(-right)
            else:
                left = self.values.pop()
                self.values.append(
                    left * right if operator == "*" else left + right if operator == "+" else left - right
                )
