"""What definitions of variables ask of each other: `Definitions` answers `cases` and `variable_ranges`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression
from volcli.language.reads import Disjunction
from volcli.model.values.outline.outline import Outline
from volcli.model.values.terms.argument_elements import Elements
from volcli.model.values.terms.executions import Executions
from volcli.model.values.terms.ranges import Interval
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.variables import Definition, LoopOf, Variable


class Recurrence(Protocol):
    """What a value that goes around a loop is (`recurrences.py`)."""

    def define(self, variable: Variable, part: LoopOf) -> Definition:
        """An argument or a result of a loop."""
        ...

    def inner_sources(self, state: Variable, op: Operation) -> list[Variable]:
        """What of an iteration of the scf.while OP, beside its states, decides how STATE goes on."""
        ...


class CallResults(Protocol):
    """What called functions return (`calls.py`)."""

    def returned(self, function: Operation, values: Sequence[SSAValue]) -> Interval:
        """Numbers that VALUES, which FUNCTION returns, lie between."""
        ...

    def value(
        self, call: Operation, called: questions.Callee, position: int, dimension: int | None
    ) -> Expression | None:
        """What CALL returns at POSITION (or its size), over what it passes; None if that is not known."""
        ...


class Resolver(Protocol):
    """The definitions of one function; see `Definitions`."""

    function: Operation
    outline: Outline
    executions: Executions

    @property
    def solver(self) -> Solver: ...
    @property
    def recurrence(self) -> Recurrence: ...
    @property
    def calls(self) -> CallResults: ...
    @property
    def elements(self) -> Elements: ...
    def name_of(self, value: SSAValue, /) -> str: ...
    def linear(self, variable: Variable) -> Expression: ...
    def resolve(self, expression: Expression) -> Expression: ...
    def definition(self, variable: Variable) -> Definition: ...
    def where(self, variable: Variable) -> Disjunction: ...
    def range(self, variable: Variable) -> Interval: ...


def is_positive(step: Expression) -> bool:
    """Whether STEP is a positive number: one that is not makes a loop undefined."""
    return step.is_constant and step.constant > 0
