"""Linear forms as options of passes write them: `2*t + i - 1`, over names of values.

    form = [sign] term { sign term }            sign = "+" | "-"
    term = number | name | number ["*"] name | name "*" number
    name = ["%"] letter { letter | digit }  |  "%" digit { digit }

A letter is also one of `_ $ .`; spaces may be anywhere between these. Terms of one name are added:
`2i + i*3` is 5*i. A form has at least one name whose factor is not 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAME = r"%?[A-Za-z_$.][\w$.]*|%\d+"
_TERM = re.compile(
    rf"\s*(?P<sign>[+-])?\s*(?:(?P<factor>\d+)\s*\*?\s*(?P<behind>{_NAME})"
    rf"|(?P<name>{_NAME})(?:\s*\*\s*(?P<times>\d+))?|(?P<number>\d+))\s*"
)


class NotLinear(ValueError):
    """A text that is not a linear form; the message says why."""


@dataclass(frozen=True)
class WrittenForm:
    """`constant + sum(factor * name)`: no factor is 0, and each name has its %."""

    terms: tuple[tuple[str, int], ...]
    constant: int = 0

    @classmethod
    def parse(cls, text: str) -> WrittenForm:
        """The form that TEXT is. Raises NotLinear.

        >>> WrittenForm.parse("2*t - %i + i*3 + 1")
        WrittenForm(terms=(('%t', 2), ('%i', 2)), constant=1)
        """
        terms: dict[str, int] = {}
        number = 0
        for name, factor in _terms(text):
            if name:
                terms[name] = terms.get(name, 0) + factor
            else:
                number += factor
        kept = tuple((name, factor) for name, factor in terms.items() if factor)
        if not kept:
            raise NotLinear(f"'{text.strip()}' is constant")
        return cls(kept, number)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it is over, in the order in which they are written."""
        return tuple(name for name, _ in self.terms)

    @property
    def factors(self) -> dict[str, int]:
        """The factor of each name."""
        return dict(self.terms)

    def __str__(self) -> str:
        text = ""
        for name, factor in (*self.terms, ("", self.constant)):
            if not factor:
                continue
            sign = ("-" if factor < 0 else "") if not text else (" - " if factor < 0 else " + ")
            times = f"{abs(factor)}*" if name and abs(factor) != 1 else ""
            plain = name if name[1:].isdecimal() else name[1:]
            text += f"{sign}{times}{plain or abs(factor)}"
        return text


def _terms(text: str) -> Iterator[tuple[str, int]]:
    """The name and the factor of each term of TEXT; the name of a constant is empty. Raises NotLinear."""
    rest = text.strip()
    if not rest:
        raise NotLinear("'' is not a linear form of names, such as i + 2*j")
    is_first = True
    while rest:
        found = _TERM.match(rest)
        if found is None or not (is_first or found["sign"]):
            raise NotLinear(f"'{text.strip()}' is not a linear form of names, such as i + 2*j")
        name = found["name"] or found["behind"] or ""
        factor = int(found["factor"] or found["times"] or found["number"] or 1)
        full = name if name.startswith("%") or not name else f"%{name}"
        yield full, -factor if found["sign"] == "-" else factor
        rest, is_first = rest[found.end() :], False
