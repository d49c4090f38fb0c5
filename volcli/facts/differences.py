"""What is known of two programs: whether they compute their results from the same elements of inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volcli.diagnostics.counted import counted
from volcli.facts import levels
from volcli.facts.fact import json_fields
from volcli.facts.levels import Comparing

EQUAL, DIFFERENT, UNKNOWN = "equal", "different", "unknown"
"""The answers: proved, refuted with an element, and neither."""

_WHAT = {
    levels.SOURCES: "which elements of the inputs each element is computed from, and in how many ways; "
    "not arithmetic, its order, nor how often constants take part",
    levels.OPERATIONS: "the operations that make each element, and their operands",
    levels.ARITHMETIC: "the results for all arguments, whatever operations make them",
}

OF_DIFFERENCES = (
    "different: an element depends on other elements of the inputs; its value may be equal if they cancel"
)
"""What a difference says of the values: %x + %y - %x depends on %x, and is %y."""


def what(comparing: Comparing) -> str:
    """What is compared and what is not: each answer is to be read with it."""
    order = "; sums in any order" if comparing.reassociate else ""
    return f"compared: {_WHAT[comparing.level]}{order}"


@dataclass(frozen=True)
class DifferenceWitness:
    """`element` of an output depends on `source`, an element of an input or a constant, in one program only.

    `program` is "before" or "after"; `parameters` are the arguments and sizes for which it does.
    """

    element: tuple[int, ...]
    source: str
    program: str
    parameters: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """As docs/diff.schema.json describes it."""
        return json_fields(self, "element source program parameters")

    def __str__(self) -> str:
        at = ", ".join(f"{name} = {number}" for name, number in self.parameters.items())
        element = f"element [{', '.join(map(str, self.element))}]" if self.element else "it"
        return f"{element} {self._change()}{f', for {at}' if at else ''}"

    def _change(self) -> str:
        """What differs: `program` alone depends on `source`, or alone leaves the element as it was."""
        is_before = self.program == "before"
        if self.source == "nothing":
            return "is written only by the program after" if is_before else "is no longer written"
        return f"{'no longer' if is_before else 'newly'} depends on {self.source}"


@dataclass(frozen=True)
class OutputComparison:
    """What is known of one output, "result 0" or "argument %m": `verdict` is one of the three answers.

    `runs` are the commands that show a difference which was found by execution: before, and after. `level` is
    the highest at which it is shown to be equal, if at any: one that was not asked for leaves it unknown.
    """

    output: str
    verdict: str
    reason: str | None = None
    witness: DifferenceWitness | None = None
    runs: tuple[str, str] | None = None
    level: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As docs/diff.schema.json describes it."""
        return json_fields(self, "output verdict level reason witness runs")

    def __str__(self) -> str:
        why = self.reason if self.witness is None else str(self.witness)
        mark = "," if self.verdict == EQUAL else ":"
        return f"{self.output}: {self.verdict}{f'{mark} {why}' if why else ''}"


@dataclass(frozen=True)
class FunctionComparison:
    """What is known of one function, which both programs have, or of why it is not compared.

    `needed` are the assumptions of the program after alone: where it is defined. `tried` tells how much was
    executed of what is unknown.
    """

    function: str
    outputs: tuple[OutputComparison, ...]
    assumptions: tuple[str, ...] = ()
    reason: str | None = None
    needed: tuple[str, ...] = ()
    tried: str | None = None

    @property
    def verdict(self) -> str:
        """Different if some output is; equal if all are; else unknown."""
        verdicts = {each.verdict for each in self.outputs}
        if DIFFERENT in verdicts:
            return DIFFERENT
        return UNKNOWN if self.reason is not None or UNKNOWN in verdicts else EQUAL

    @property
    def level(self) -> str | None:
        """The highest level at which all outputs are shown to be equal; None if there is none."""
        shown = [each.level for each in self.outputs if each.level is not None]
        if self.verdict == DIFFERENT or self.reason is not None or len(shown) < len(self.outputs):
            return None
        return levels.weakest(shown) if shown else levels.OPERATIONS

    def to_json(self) -> dict[str, Any]:
        """As docs/diff.schema.json describes it."""
        return json_fields(self, "function verdict level reason outputs assumptions tried")

    def lines(self) -> list[str]:
        """For people: a line for the function, one for each output, and what was executed."""
        why = f": {self.reason}" if self.reason is not None else ""
        if self.verdict == EQUAL and self.level is not None:
            why = f": {levels.TEXTS[self.level]}"
        given = f", if {' and '.join(self.assumptions)}" if self.assumptions else ""
        found = [f"@{self.function}: {self.verdict}{why}{given}"]
        for each in self.outputs:
            found += [f"  {each}", *(f"    {run}" for run in each.runs or ())]
        return found if self.tried is None else [*found, f"  executed: {self.tried}"]


def total(found: Sequence[FunctionComparison]) -> str:
    """`2 functions: 1 equal, 1 unknown`."""
    counts = {v: sum(each.verdict == v for each in found) for v in (EQUAL, DIFFERENT, UNKNOWN)}
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return f"{counted(len(found), 'function')}{f': {said}' if said else ''}"
