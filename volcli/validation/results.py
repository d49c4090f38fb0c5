"""What is known of a pipeline: of each function after each pass."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from volcli.facts.differences import DIFFERENT, EQUAL, UNKNOWN, FunctionComparison
from volcli.facts.fact import json_fields

VERDICTS = (EQUAL, DIFFERENT, UNKNOWN)


@dataclass(frozen=True)
class ComparedFunction:
    """What `volcli diff` says of one function: as text for people, and as docs/diff.schema.json has it."""

    function: str
    verdict: str
    lines: tuple[str, ...]
    data: Mapping[str, Any] = field(repr=False)

    @classmethod
    def of(cls, found: FunctionComparison) -> ComparedFunction:
        """What was FOUND."""
        return cls(found.function, found.verdict, tuple(found.lines()), found.to_json())

    @classmethod
    def unknown(cls, function: str, reason: str) -> ComparedFunction:
        """The FUNCTION, of which nothing is known for this REASON."""
        return cls.of(FunctionComparison(function, (), reason=reason))

    @property
    def is_executed(self) -> bool:
        """Whether executions show that it differs, by commands that name both programs."""
        return any(each["runs"] for each in self.data["outputs"])

    def renamed(self, files: Mapping[str, str]) -> ComparedFunction:
        """This, whose commands name programs by the FILES in which they are."""

        def named(command: str) -> str:
            for name, file in files.items():
                command = command.replace(
                    f"volcli run {shlex.quote(name)} ", f"volcli run {shlex.quote(file)} "
                )
            return command

        outputs = [
            {**each, "runs": each["runs"] and [*map(named, each["runs"])]} for each in self.data["outputs"]
        ]
        return replace(self, lines=tuple(map(named, self.lines)), data={**self.data, "outputs": outputs})


@dataclass(frozen=True)
class StepResult:
    """What is known of the functions that the pass TITLE has changed, after so many SECONDS.

    `reproducer` is the file with a small program that the pass changes, too, and `texts` are the programs
    before and after it, kept where not all functions are equal.
    """

    number: int
    title: str
    functions: tuple[ComparedFunction, ...]
    seconds: float = field(default=0.0, compare=False)
    reproducer: str | None = None
    texts: tuple[str, str] = field(default=("", ""), compare=False, repr=False)

    @property
    def verdict(self) -> str:
        """Different if some function is; equal if all are; else unknown."""
        return verdict_of(self.counts)

    @property
    def counts(self) -> Counter[str]:
        """How many functions are equal, different, unknown."""
        return Counter(each.verdict for each in self.functions)

    def to_json(self) -> dict[str, Any]:
        """As docs/validation.schema.json describes it."""
        functions = [dict(each.data) for each in self.functions]
        return {**json_fields(self, "number title verdict seconds reproducer"), "functions": functions}


@dataclass(frozen=True)
class Validation:
    """What is known of the pipeline that COMMAND ran on FILE.

    `ended` is why it could not be followed to its end, and `said` are the words of the tool at that. Such a
    pipeline is `broken`, unless it left the dialects that can be compared. `whole` compares the program
    before all passes with the one after them, if that was asked for.
    """

    file: str
    command: str
    steps: tuple[StepResult, ...]
    ended: str | None = None
    said: str = ""
    broken: bool = False
    whole: StepResult | None = None

    @property
    def verdict(self) -> str:
        """Different if some step is; equal if all are, up to the end; else unknown."""
        counts = sum((each.counts for each in self.compared), Counter[str]())
        found = verdict_of(counts)
        return UNKNOWN if found == EQUAL and self.ended is not None else found

    @property
    def compared(self) -> Sequence[StepResult]:
        """The steps, and the whole pipeline."""
        return self.steps if self.whole is None else (*self.steps, self.whole)

    def to_json(self) -> dict[str, Any]:
        """As docs/validation.schema.json describes it."""
        return {
            **json_fields(self, "file command verdict ended said broken"),
            "steps": [each.to_json() for each in self.steps],
            "whole": None if self.whole is None else self.whole.to_json(),
        }


def verdict_of(counts: Mapping[str, int]) -> str:
    """Different if one is; equal if all are; else unknown."""
    if counts.get(DIFFERENT):
        return DIFFERENT
    return UNKNOWN if counts.get(UNKNOWN) else EQUAL
