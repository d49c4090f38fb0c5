"""What is known by place, as plain data: the one record that an editor and a page show beside the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from volcli.facts.fact import Fact


@dataclass(frozen=True)
class Note:
    """What is known of the operation at a place, or of its SUBJECT: lines of text, and in short a `hint`.

    `picture` are lines that show it, if it was drawn. `column` counts bytes from 1, as those of facts do.
    """

    line: int
    column: int
    question: str
    subject: str
    text: tuple[str, ...]
    hint: str = ""
    picture: tuple[str, ...] = ()
    degree: str = "exact"
    """How much is known, as facts say it."""


def notes_of(fact: Fact, file: str) -> Iterator[Note]:
    """What FACT says at its place in FILE, if it says anything there."""
    text, at = tuple(fact.annotation()), fact.place
    if text and at.file == file:
        degree = fact.certainty.degree
        yield Note(at.line, at.column, fact.question, fact.subject, text, _hint(fact), degree=degree)


def _hint(fact: Fact) -> str:
    """FACT in a few words, which fit beside what it is about; "" where nothing does."""
    from volcli.facts.access import AccessFact
    from volcli.facts.bounds import BoundsFact
    from volcli.facts.loops import LoopFact
    from volcli.facts.shapes import ShapeFact

    match fact:
        case ShapeFact():
            own = (f"{fact.value.removeprefix('%')}_d{at}" for at in range(len(fact.sizes)))
            is_news = any(
                str(size) != name and not size.is_constant for size, name in zip(fact.sizes, own, strict=True)
            )
            return fact.annotation()[0].removeprefix(f"shape {fact.value}: ") if is_news else ""
        case BoundsFact(dim=None):
            return fact.annotation()[0].removeprefix(f"{fact.subject} ")
        case LoopFact() | AccessFact():
            return fact.answer.replace("-", " ")
        case _:
            return ""
