"""What a function needs of its arguments as a fact: a condition, and the accesses that need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from volcli.diagnostics import Place
from volcli.diagnostics.counted import counted
from volcli.facts.comparisons import condition_set
from volcli.facts.fact import EXACT, Certainty, Fact, assumed, json_fields
from volcli.limits import printing as limits
from volcli.presburger.sets.conditions import ParsedCondition


@dataclass(frozen=True)
class Need:
    """An access, or a call of a function that needs something itself: as it is written, and where."""

    element: str
    place: Place
    condition: str | None = None

    def to_json(self) -> dict[str, Any]:
        line, column = self.place.line, self.place.column
        return json_fields(self, "element line column condition", line=line, column=column)


_NOWHERE = "false, if "


def precondition_set(text: str | None) -> ParsedCondition | None:
    """What a precondition says, `%n <= 8, if %n >= 1` say, as a set; None if it is none that can be read."""
    if text is None or ", if " not in text:
        return condition_set(text)
    needed, runs = text.split(", if ")
    return condition_set(f"not ({runs}) or ({needed})")


@dataclass(frozen=True, repr=False)
class PreconditionFact(Fact):
    """The condition on a function's arguments under which its accesses stay in bounds.

    It is `necessary` if one leaves its buffer without it, `sufficient` if none does with it, and the
    weakest if it is both. None has too many words, or no arguments fulfil it (`never`). It is `fulfilled`
    if all callers are known, and do. Where the `assumptions` do not hold, the function may need another one.
    """

    question = "preconditions"
    columns = ("function", "needs", "because of")
    answers = ("condition",)

    condition: str | None
    necessary: bool
    sufficient: bool
    never: bool
    fulfilled: bool
    needs: tuple[Need, ...]
    assumptions: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        return f"@{self.function}"

    @property
    def weakest(self) -> bool:
        """Whether it is necessary and sufficient."""
        return self.necessary and self.sufficient

    @property
    def precondition(self) -> ParsedCondition | None:
        """The condition as a set over its names; None if it is none that can be read."""
        return precondition_set(self.condition)

    @property
    def text(self) -> str:
        """`needs %n <= 9`, in a sentence about the function."""
        if self.never:
            stated = list(dict.fromkeys(need.condition for need in self.needs if need.condition))
            both = f": it needs {' and '.join(stated)}" if len(stated) <= limits.NEEDS_TEXT else ""
            return f"goes out of bounds whatever its arguments are{both}"
        if self.condition is None:
            return "stays in bounds for some arguments only"
        if self.necessary:
            return f"needs {self.condition}" + (
                "" if self.sufficient else " (necessary, perhaps not sufficient)"
            )
        known = "" if self.sufficient else ", as far as that is known,"
        condition = self.condition
        if condition.startswith(_NOWHERE):  # nothing keeps it in bounds but that it does not run
            condition = f"not ({condition.removeprefix(_NOWHERE)})"
        return f"stays in bounds{known} if {condition} (sufficient, perhaps not necessary)"

    @property
    def because(self) -> str:
        """`for 3 accesses, the first at 4:7`."""
        count, first = len(self.needs), self.needs[0].place
        where = f"{first.line}:{first.column}"
        if count == 1:
            return f"for the access at {where}"
        return f"for {counted(count, 'access', 'accesses')}, the first at {where}"

    def _fields(self) -> Mapping[str, Any]:
        names = "value condition weakest necessary sufficient never fulfilled accesses assumptions"
        return json_fields(self, names, value=self.subject, accesses=self.needs)

    @property
    def certainty(self) -> Certainty:
        if self.never or (self.weakest and self.condition is not None):
            return EXACT
        if self.condition is None:
            return Certainty("unknown", "the condition is too long")
        return Certainty("approximate", "it depends on unknown values")

    @property
    def answer(self) -> str:
        return "unknown" if self.certainty.degree == "unknown" else "condition"

    @property
    def needs_attention(self) -> bool:
        return True

    @property
    def headline(self) -> str:
        return self.annotation()[0]

    def content(self) -> Any:
        return self.text

    def annotation(self) -> list[str]:
        fulfilled = ", which its callers fulfil" if self.fulfilled else ""
        return [f"{self.subject} {self.text}{fulfilled}{assumed(self.assumptions)}"]

    def rows(self) -> list[tuple[str, ...]]:
        first, *others = [f"{need.element} at {need.place.line}:{need.place.column}" for need in self.needs]
        return [(self.subject, self.text, first), *(("", "", other) for other in others)]
