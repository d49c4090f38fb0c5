"""The words of conditions: names of the program, numbers, signs; quotients as isl writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORDS = frozenset(
    ("and", "or", "not", "exists", "implies", "mod", "floordiv", "floor", "floord", "ceil", "ceild", "min",
     "max", "true", "false")
)  # fmt: skip
_NAME = r"(?:%[\w$.]+(?:#\d+)?|[A-Za-z_][\w$.]*(?:#\d+)?)"
_OWNER = r"(?:@[\w$.]+:)?"
_SIZE = rf"dim\s*\(\s*{_OWNER}{_NAME}\s*,\s*\d+\s*\)"
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<name>{_OWNER}(?:{_SIZE}|{_NAME}))"
    r"|(?P<number>\d+)|(?P<sign><=|>=|!=|==|&&|\|\||[-+*/%()=<>!,:])"
)
_PARTS = re.compile(r"(?:dim\s*\(\s*)?(?P<value>%?[\w$.#]+)(?:\s*,\s*(?P<dim>\d+)\s*\))?")
_SPELLED = {"==": "=", "&&": "and", "||": "or"}


class ConditionError(Exception):
    """A text that is no condition: why, and at which offset."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.at = at


@dataclass(frozen=True)
class ConditionName:
    """A name in a condition: a value (without %), the size of its dimension `dim`, of function `function`."""

    value: str
    dim: int | None = None
    function: str | None = None
    at: int = 0

    def __str__(self) -> str:
        value = f"%{self.value}" if self.dim is None else f"dim(%{self.value}, {self.dim})"
        return value if self.function is None else f"@{self.function}:{value}"


@dataclass(frozen=True)
class Word:
    """A word, its offset, and the name that it is."""

    text: str
    at: int
    name: ConditionName | None = None


def tokens_of(text: str, start: int) -> list[Word]:
    """The words of TEXT, with offsets from START; raises ConditionError."""
    found: list[Word] = []
    bound: set[str] = set()
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is not None and text[at] == "%" and found and _is_operand(found[-1]):
            found.append(Word("%", start + at))
            at += 1
            continue
        if match is None:
            raise ConditionError(f"unexpected '{text[at]}'", start + at)
        if match["space"] is None:
            token = _token(match, start + at, found, bound)
            if found and _ends_operand(found[-1]) and _ends_operand(token) and not _touches(found[-1], token):
                raise ConditionError(f"expected 'and' before '{token.text}'", token.at)
            found.append(token)
        at = match.end()
    return _with_floors(found)


def _with_floors(tokens: list[Word]) -> list[Word]:
    """TOKENS with `a floordiv 4`, where a is a name or in parentheses, as isl writes it."""
    while (at := next((k for k, token in enumerate(tokens) if token.text == "floordiv"), None)) is not None:
        begin = _operand_before(tokens, at)
        if begin is None or at + 1 == len(tokens) or not tokens[at + 1].text.isdigit():
            raise ConditionError("expected a value or parentheses, 'floordiv' and a number", tokens[at].at)
        if begin and (tokens[begin - 1].text == "*" or tokens[begin - 1].text.isdigit()):
            raise ConditionError("put the product, or what is divided, in parentheses", tokens[at].at)
        here = tokens[at].at
        opened, closed, divided = (Word(text, here) for text in "()/")
        quotient = [Word("floor", here), opened, opened, *tokens[begin:at], closed, divided, tokens[at + 1]]
        tokens = [*tokens[:begin], *quotient, closed, *tokens[at + 2 :]]
    return tokens


def _operand_before(tokens: Sequence[Word], end: int) -> int | None:
    """Where the name, the number or the parentheses begin that stand before END."""
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (tokens[at].text == ")") - (tokens[at].text == "(")
        if depth == 0 and (tokens[at].text == "(" or _is_operand(tokens[at])):
            is_call = at > 0 and tokens[at - 1].text in ("floor", "ceil", "floord", "ceild", "min", "max")
            return at - is_call
        if depth <= 0:
            return None
    return None


def _token(match: re.Match[str], at: int, before: Sequence[Word], bound: set[str]) -> Word:
    """One token; what stands between `exists` and its `:` is bound, and no name of the program."""
    text = match[0]
    if match["name"] is None or text in _WORDS:
        return Word(_SPELLED.get(text, text), at)
    last = next((t.text for t in reversed(before) if t.text in ("exists", ":")), None)
    if last == "exists" and text.isidentifier():
        bound.add(text)
    if text in bound:
        return Word(text, at)
    owner = re.search(r"@([\w$.]+):", text)
    parts = _PARTS.fullmatch(re.sub(_OWNER, "", text))
    assert parts is not None
    dim = None if parts["dim"] is None else int(parts["dim"])
    return Word(text, at, ConditionName(parts["value"].removeprefix("%"), dim, owner and owner[1], at))


def _is_operand(token: Word) -> bool:
    return (
        token.name is not None
        or token.text.isdigit()
        or token.text == ")"
        or (token.text.isidentifier() and token.text not in _WORDS)
    )


def _ends_operand(token: Word) -> bool:
    return token.text != ")" and _is_operand(token)


def _touches(number: Word, name: Word) -> bool:
    """`2n` is twice n; isl takes `1 n` for n, too, and nobody means that."""
    return number.text.isdigit() and number.at + len(number.text) == name.at
