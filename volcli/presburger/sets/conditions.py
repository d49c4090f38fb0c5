"""Conditions as people write them, `N >= 1 and dim(%t, 0) mod 16 = 0`, read by isl.

The text is in isl's language, with the names of a program: `%n` (or `n`), `dim(%t, 0)` for the size of a
dimension, and `@f:%n` for the %n of the function @f. `==` and `&&`, `||` are understood too; behind a number
or a name `%` is the remainder, as in isl. Unlike isl's, names and sums of them may be multiplied:
`%i * %b + %j < %n * %b`, `(%a - 1) * (%b - 1) >= 0`.

>>> condition = read("%n % 16 = 0 and 2 <= n <= @f:%m")
>>> [str(name) for name in condition.names]
['%n', '@f:%m']
>>> condition.points.is_equal(isl.Set("[n0, n1] -> { : n0 mod 16 = 0 and 2 <= n0 <= n1 }"))
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import islpy as isl

from volcli.language.expressions import Atom, Expression, Monomial, Parameter, constant, parameter
from volcli.presburger.limits.budget import is_spent
from volcli.presburger.sets.build import at_values
from volcli.presburger.sets.condition_words import ConditionError, ConditionName, Word, tokens_of
from volcli.presburger.sets.written_products import product_end, written_expression


@dataclass(frozen=True, eq=False)
class ParsedCondition:
    """A condition: its text, the names in it, and where it holds, over parameters n0, n1, ... for these.

    The parameters behind those of the names stand for `products`, each of names at these positions.
    """

    text: str
    names: tuple[ConditionName, ...]
    points: isl.Set
    products: tuple[tuple[int, ...], ...] = ()

    def numbers(self, values: Sequence[Expression]) -> list[Expression]:
        """What the parameters are, if the names are VALUES. Raises NotAffine if products are too large."""
        return [*values, *(prod((values[k] for k in each), start=constant(1)) for each in self.products)]

    def holds_at(self, values: Sequence[int]) -> bool:
        """Whether it holds where its names are VALUES: `%i * %j >= 6` at (2, 3)."""
        numbers = [*values, *(prod(values[k] for k in each) for each in self.products)]
        return not at_values(self.points, {f"n{k}": n for k, n in enumerate(numbers)}).is_empty()


def read(text: str, start: int = 0) -> ParsedCondition:
    """The condition TEXT; raises ConditionError, with offsets from START."""
    tokens = tokens_of(text, start)
    if not tokens:
        raise ConditionError("expected a condition", start)
    names = _numbered(tokens)
    spelled, products = _spelled(tokens, names)
    try:
        points = _parsed(spelled, len(names) + len(products))
    except isl.Error:
        if is_spent():
            raise
        raise ConditionError(
            "expected an affine condition such as '%a < %b'", _first_wrong(tokens, start + len(text))
        ) from None
    return ParsedCondition(text.strip(), tuple(names.values()), points, products)


def read_name(text: str) -> ConditionName:
    """The one name that TEXT is; raises ConditionError.

    >>> str(read_name("dim(t, 0)"))
    'dim(%t, 0)'
    """
    tokens = tokens_of(text, 0)
    if len(tokens) != 1 or tokens[0].name is None:
        raise ConditionError(f"expected a value or a size, not '{text}'", 0)
    return tokens[0].name


def conjuncts(text: str) -> list[ParsedCondition]:
    """The conditions that TEXT joins by `and`, each alone; raises ConditionError."""
    whole = read(text)
    tokens = tokens_of(text, 0)
    words = {token.text for token in tokens if token.name is None}
    if words & {"(", ")", "or", "||", "not", "!", "exists", "implies"}:
        return [whole]
    cuts = [token for token in tokens if token.name is None and token.text in ("and", "&&")]
    starts = [0, *(token.at + len(token.text) for token in cuts)]
    ends = [*(token.at for token in cuts), len(text)]
    return [read(text[a:b], a) for a, b in zip(starts, ends, strict=True)]


def _numbered(tokens: Sequence[Word]) -> dict[str, ConditionName]:
    """The names, by what they are (and not where)."""
    names: dict[str, ConditionName] = {}
    for token in tokens:
        if token.name is not None:
            names.setdefault(str(token.name), token.name)
    return names


def _spelled(
    tokens: Sequence[Word], names: dict[str, ConditionName]
) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """TOKENS with parameters for NAMES and for products of them; and these products."""
    number = {name: position for position, name in enumerate(names)}
    plain = [t.text if t.name is None else number[str(t.name)] for t in tokens]
    products: dict[tuple[int, ...], None] = {}
    words: list[str] = []

    def word(monomial: tuple[int, ...]) -> str:
        if len(monomial) < 2:
            return "".join(f" * n{k}" for k in monomial)
        products.setdefault(monomial)
        return f" * n{len(names) + list(products).index(monomial)}"

    at = 0
    while at < len(plain):
        end = product_end(plain, at)
        written = written_expression(plain[at:end], _numbered_name) if "*" in plain[at:end] else None
        if written is not None:
            terms = [f"{c}{word(_factors(atom))}" for atom, c in written.terms]
            words.append(f"({' + '.join([*terms, str(written.constant)])})")
            at = end
        else:
            words.append(str(plain[at]) if isinstance(plain[at], str) else f"n{plain[at]}")
            at += 1
    return " ".join(words), tuple(products)


def _numbered_name(number: int) -> Expression:
    return parameter(str(number))


def _factors(atom: Atom) -> tuple[int, ...]:
    """The numbers of the names in a product of them."""
    factors = atom.factors if isinstance(atom, Monomial) else (atom,)
    return tuple(sorted(int(each.name) for each in factors if isinstance(each, Parameter)))


def read_expression(text: str, named: Callable[[ConditionName], Expression]) -> Expression:
    """The expression TEXT of names, sums, products, `min(...)` and `max(...)`; raises ConditionError."""
    tokens = tokens_of(text, 0)
    names = _numbered(tokens)
    number = {name: position for position, name in enumerate(names)}
    words = [t.text if t.name is None else number[str(t.name)] for t in tokens]
    found = written_expression(words, lambda k: named(list(names.values())[k]))
    if found is None:
        raise ConditionError("expected an expression such as 'min(2 * n, m * b - 1)'", 0)
    return found


def _parsed(text: str, names: int) -> isl.Set:
    parameters = ", ".join(f"n{position}" for position in range(names))
    return isl.Set(f"[{parameters}] -> {{ : {text} }}")


_ENDS = (
    "",
    "0",
    ">= 0",
    "0 >= 0",
    ": 0 >= 0",
    "k : 0 >= 0",
    ", 1) >= 0",
    "1) >= 0",
    "0, 1) >= 0",
    "(0, 1) >= 0",
    "(0) >= 0",
)


def _first_wrong(tokens: Sequence[Word], end: int) -> int:
    """Where the first token is that no end makes right: behind the text, if all of it can be continued."""
    names = _numbered(tokens)
    for count in range(1, len(tokens) + 1):
        begin = tokens[:count]
        text, products = _spelled(begin, names)
        unclosed = sum((t.text == "(") - (t.text == ")") for t in begin if t.name is None)
        if not any(
            _is_condition(f"{text} {rest} {')' * closed}", len(names) + len(products))
            for rest in _ENDS
            for closed in {max(unclosed, 0), max(unclosed - 1, 0)}
        ):
            return tokens[count - 1].at
    return end


def _is_condition(text: str, names: int) -> bool:
    try:
        _parsed(text, names)
    except isl.Error:
        if is_spent():
            raise
        return False
    return True
