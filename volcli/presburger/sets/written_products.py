"""Products of names and of sums of them, as a condition writes them: `(a - 1) * (b - 1)` is a b - a - b + 1.

A word is the number of a name, or the text of any other token.

>>> words = ["(", 0, "-", "1", ")", "*", "(", 1, "-", "1", ")", ">=", "0"]
>>> end = product_end(words, 0)
>>> end, polynomial_of(words[:end])
(11, {(0, 1): 1, (0,): -1, (1,): -1, (): 1})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

Word = str | int
Polynomial = dict[tuple[int, ...], int]
"""The coefficient of each product of names."""

_OF_SUMS = frozenset("+-*()")
_BINDS = {"(": 0, "+": 1, "-": 1, "*": 2, "negated": 3}


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


def polynomial_of(words: Sequence[Word]) -> Polynomial | None:
    """The sum of products that WORDS are; None if they are no such thing."""
    values: list[Polynomial] = []
    operators: list[str] = []

    def apply(least: int) -> None:
        while operators and _BINDS[operators[-1]] >= least:
            values.append(_applied(operators.pop(), values))

    ends_operand = False
    try:
        for word in words:
            if ends_operand and (_is_operand(word) or word == "("):  # 2n is twice n
                apply(2)
                operators.append("*")
            if isinstance(word, int):
                values.append({(word,): 1})
            elif word.isdigit():
                values.append({(): int(word)})
            elif word == "(":
                operators.append(word)
            elif word == ")":
                apply(1)
                operators.pop()
            elif ends_operand:
                apply(_BINDS[word])
                operators.append(word)
            elif word == "-":
                operators.append("negated")
            ends_operand = _is_operand(word) or word == ")"
        apply(1)
    except IndexError:  # an operand is missing
        return None
    return values[0] if len(values) == 1 and not operators else None


def _applied(operator: str, values: list[Polynomial]) -> Polynomial:
    """What OPERATOR makes of the last of VALUES, which go."""
    right = values.pop()
    if operator == "negated":
        return {monomial: -c for monomial, c in right.items()}
    left = values.pop()
    found: Counter[tuple[int, ...]] = Counter()
    if operator == "*":
        for (a, c), (b, d) in product(left.items(), right.items()):
            found[tuple(sorted(a + b))] += c * d
    else:
        for monomial, c in left.items():
            found[monomial] += c
        for monomial, c in right.items():
            found[monomial] += c if operator == "+" else -c
    return {monomial: c for monomial, c in found.items() if c}
