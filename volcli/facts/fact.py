"""What a fact is: a typed answer about a place of the program, with a key that lines do not move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self, cast

from volcli.diagnostics import Place
from volcli.facts.confirmation import Confirmation
from volcli.limits import printing as limits

_GIVEN = "given: "
"""How the name of a fact begins that the user has given about elements."""


@dataclass(frozen=True)
class Where:
    """What a fact is about: an operation of a function, and its place in the file.

    `operation` is the number under which the unit that was analysed knows the operation itself.
    """

    function: str
    op: str
    place: Place
    operation: int | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, Any]:
        """The operation, and its line and column."""
        return {"op": self.op, "line": self.place.line, "column": self.place.column}


class Certainty(NamedTuple):
    """How much is known of what a question asks: all of it, some of it (at most, or at least), or nothing.

    Of what is not known exactly there is the reason, where the analysis knows one.
    """

    degree: Literal["exact", "approximate", "unknown"]
    reason: str | None = None


EXACT = Certainty("exact")


class Key(NamedTuple):
    """What a fact is about, wherever it stands: facts of two versions of a program that have one key compare.

    `subject` is a value, an access or whatever else the question is about, as it is written; what is written
    alike several times in a function is counted by `number`.
    """

    function: str
    question: str
    subject: str
    number: int = 0

    def __str__(self) -> str:
        """`@f bounds %n`, and the second of that `@f bounds %n #1`."""
        return f"@{self.function} {self.question} {self.subject}" + f" #{self.number}" * bool(self.number)


@dataclass(frozen=True, repr=False)
class Fact(ABC):
    """One statement about one value or operation."""

    question: ClassVar[str]
    """The question that it answers, as `--ask` names it."""
    columns: ClassVar[tuple[str, ...]]
    """The headings of its rows in a table."""

    answers: ClassVar[tuple[str, ...]] = ()
    """The answers that it may have beside how much is known."""

    where: Where
    number: int = field(default=0, kw_only=True)
    """How many facts of the function before it have the same question and subject."""
    confirmed: Confirmation | None = field(default=None, kw_only=True)
    """What executions say of it, where that was asked."""

    @property
    def function(self) -> str:
        return self.where.function

    @property
    def op(self) -> str:
        return self.where.op

    @property
    def place(self) -> Place:
        return self.where.place

    @property
    @abstractmethod
    def subject(self) -> str:
        """The value, access or claim that it is about, as the program writes it."""

    @property
    def key(self) -> Key:
        """What it is about, without its line."""
        return Key(self.function, self.question, self.subject, self.number)

    def numbered(self, number: int) -> Self:
        """The same with so many facts before it."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), number=number)
        return made

    def to_json(self) -> dict[str, Any]:
        """The fact as docs/facts.schema.json describes it."""
        return {
            "question": self.question,
            "function": self.function,
            "op": self.op,
            "line": self.place.line,
            "column": self.place.column,
            **self._fields(),
            **({} if self.confirmed is None else {"confirmed": self.confirmed.to_json()}),
        }

    @abstractmethod
    def _fields(self) -> Mapping[str, Any]:
        """The fields that this question adds."""

    @property
    @abstractmethod
    def certainty(self) -> Certainty:
        """How much of the answer is known, and why not more."""

    @property
    def answer(self) -> str:
        """The answer in a word, by which answers are counted and chosen; here, how much is known."""
        return self.certainty.degree

    @property
    def needs_attention(self) -> bool:
        """Whether it comes before others: what is wrong, is lost, or is not known."""
        return self.certainty.degree != "exact"

    @property
    def headline(self) -> str:
        """What needs attention, in one line."""
        return f"{self.subject}: {self.answer}: {self.certainty.reason or 'no reason is stated'}"

    @abstractmethod
    def content(self) -> Any:
        """What an attribute of the operation says: the fact without its place, as a JSON value."""

    @abstractmethod
    def annotation(self) -> list[str]:
        """The lines that are written above the operation; none if they would say nothing new."""

    def statements(self) -> list[str]:
        """The same for who asks what there is to say: it may be nothing new."""
        return self.annotation()

    @abstractmethod
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of the table."""

    def __repr__(self) -> str:
        """`<bounds of %n: [0, 9], [0, %m - 1], yes>`: its first row, in short."""
        name, *cells = next(iter(self.rows()), (self.subject,))
        text = f"{self.question} of {name}: {', '.join(cell for cell in cells if cell)}"
        return f"<{text if len(text) <= limits.FACT_TEXT else text[: limits.FACT_TEXT] + '...'}>"

    def _repr_html_(self) -> str:
        """Its table, for notebooks."""
        return table([self])


def json_fields(answer: object, names: str, **others: Any) -> dict[str, Any]:
    """The fields of ANSWER that NAMES lists, in this order, as JSON; OTHERS are the values of some of them.

    >>> json_fields(Certainty("unknown", "budget"), "degree by reason", by=(1, 2))
    {'degree': 'unknown', 'by': [1, 2], 'reason': 'budget'}
    """
    return {
        name: as_json(others[name] if name in others else getattr(answer, name)) for name in names.split()
    }


def as_json(value: Any) -> Any:
    """VALUE as JSON: sets are their texts, tuples are lists, and answers have a JSON of their own."""
    match value:
        case tuple():
            return [as_json(each) for each in cast("tuple[Any, ...]", value)]
        case Mapping():
            return dict(cast("Mapping[str, Any]", value))
        case _:
            return value.to_json() if hasattr(value, "to_json") else getattr(value, "text", value)


def table(facts: list[Fact]) -> str:
    """Facts of one question as a table in HTML."""
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in ("place", "function", *facts[0].columns))
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in (_place(fact), fact.function, *row))}</tr>"
        for fact in facts
        for row in fact.rows()
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _place(fact: Fact) -> str:
    return f"{fact.place.line}:{fact.place.column}"


def assumed(assumptions: tuple[str, ...]) -> str:
    """`, if %a and %b are different memory`; "" if nothing is assumed."""
    return f", if {' and '.join(assumptions)}" if assumptions else ""


def assuming(assumptions: tuple[str, ...]) -> str:
    """` assuming cf.assert %k, given: %a[i] = 0`, after what a set is said to be; "" without assumptions."""
    given = [each.removeprefix(_GIVEN) for each in assumptions if each.startswith(_GIVEN)]
    others = [each for each in assumptions if not each.startswith(_GIVEN)]
    text = f" assuming {' and '.join(others)}" if others else ""
    return text + (f"{',' * bool(others)} {_GIVEN}{' and '.join(given)}" if given else "")
