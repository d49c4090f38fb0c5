"""What definitions of variables ask of each other: `Definitions` answers `cases` and `variable_ranges`."""

from __future__ import annotations

from typing import Protocol

from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Expression
from volcli.language.reads import Disjunction
from volcli.model.values.outline.outline import Outline
from volcli.model.values.terms.argument_elements import Elements
from volcli.model.values.terms.ranges import Interval
from volcli.model.values.terms.solver import Solver
from volcli.model.values.terms.variables import Definition, Variable


class Resolver(Protocol):
    """The definitions of one function; see `Definitions`."""

    function: Operation
    outline: Outline
    elements: Elements
    solver: Solver
    dense: bool
    first: bool

    def name_of(self, value: SSAValue, /) -> str: ...
    def stops(self, variable: Variable, /) -> bool: ...
    def linear(self, variable: Variable) -> Expression: ...
    def resolve(self, expression: Expression) -> Expression: ...
    def definition(self, variable: Variable) -> Definition: ...
    def where(self, variable: Variable) -> Disjunction: ...
    def range(self, variable: Variable) -> Interval: ...


def is_positive(step: Expression) -> bool:
    """Whether STEP is a positive number: one that is not makes a loop undefined."""
    return step.is_constant and step.constant > 0
