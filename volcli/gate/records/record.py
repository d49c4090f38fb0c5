"""One thing that is known of a file, as plain data that a later run can be compared with.

A record is a fact without its words: the bounds of a number, whether an access is in bounds, in which order a
loop may run, how many elements of a result are zero, what a function needs of its arguments.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

Answer = Mapping[str, Any]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_end(value: object) -> bool:
    return value is None or _is_count(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_FORMS: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    "bounds": {"lower": _is_end, "upper": _is_end},
    "access": {"verdict": lambda value: value == "in bounds"},
    "loops": {"kind": lambda value: value in ("parallel", "reduction")},
    "regions": {"zero": _is_count, "static": _is_count},
    "zeros": {"zeros": _is_count},
    "preconditions": {"condition": _is_text},
    "written": {"elements": _is_text},
}
"""What answers to each question consist of, if anything is known."""


def is_answer(question: str, answer: object) -> bool:
    """Whether ANSWER, which was read from a file, may be one to QUESTION.

    >>> is_answer("bounds", {"lower": 0, "upper": None}), is_answer("bounds", {"lower": 0, "upper": "7"})
    (True, False)
    """
    form = _FORMS.get(question)
    if form is None or not isinstance(answer, Mapping):
        return False
    given = cast("Mapping[str, object]", answer)
    return not given or (given.keys() == form.keys() and all(form[name](given[name]) for name in form))


@dataclass(frozen=True)
class Record:
    """One answer to a question about `subject` in a function; `content` and `copy` are as those of a finding.

    Its place is not part of what is compared.
    """

    question: str
    function: str
    subject: str
    answer: Answer
    content: str
    number: int = 0
    copy: int = 0
    names: tuple[str, ...] = dataclasses.field(default=(), compare=False)
    """Those of the function's arguments, where the answer calls them %a0, %a1, ..."""
    ignored: tuple[str, ...] = dataclasses.field(default=(), compare=False)
    """The codes that a comment at its place wants to hear nothing of."""
    line: int = dataclasses.field(default=0, compare=False)
    column: int = dataclasses.field(default=0, compare=False)

    @property
    def key(self) -> str:
        """`bounds @f %n`, and `bounds @f %n #1` for the second."""
        return f"{self.question} @{self.function} {self.subject}" + f" #{self.number}" * bool(self.number)

    def to_json(self) -> dict[str, Any]:
        """It as a JSON object."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        """What `to_json` gave DATA of."""
        fields: dict[str, Any] = {**data}
        for name in ("names", "ignored"):
            fields[name] = tuple(data.get(name, ()))
        return cls(**fields)


def counted(found: Iterable[Record]) -> tuple[Record, ...]:
    """The records FOUND in one file in the order of the text, those with equal keys or content counted."""
    keys: Counter[str] = Counter()
    contents: Counter[tuple[str, str]] = Counter()
    result: list[Record] = []
    for each in sorted(found, key=lambda one: (one.line, one.column)):
        one = replace(each, number=0, copy=0)
        key, content = one.key, (one.question, one.content)
        result.append(replace(one, number=keys[key], copy=contents[content]))
        keys[key] += 1
        contents[content] += 1
    return tuple(result)
