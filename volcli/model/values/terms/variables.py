"""Variables, and what a definition says of one.

A *variable* is the value of an SSA value of index or integer type, or the size of one dimension of a shaped
value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, ShapedType
from xdsl.ir import Attribute, Operation, SSAValue

from volcli.language.expressions import Dim, Expression, Value, dim_of, value_of
from volcli.language.loops import Carried, Induction, While
from volcli.language.reads import Conjunction, Disjunction, is_number
from volcli.model.values.terms.argument_elements import Token
from volcli.model.values.terms.ranges import Interval, bits_range

Variable = Value | Dim


@dataclass(frozen=True)
class Disjunct:
    """All `zero` expressions are 0, and all `nonnegative` ones at least 0."""

    zero: tuple[Expression, ...] = ()
    nonnegative: Conjunction = ()

    def expressions(self) -> Iterator[Expression]:
        yield from self.zero
        yield from self.nonnegative


@dataclass(frozen=True, eq=False)
class Definition:
    """What is known of a variable: one of the alternatives holds.

    `expression` is what it equals, where that is one expression. `is_leaf` says that nothing in the function
    determines it; `because` why it is not known better, for people. `exact` says that the alternatives are
    all there is to know: each of their points occurs in some execution.

    So a leaf that is exact is *free*: every value of its range, whatever the other leaves are, occurs. An
    argument of the function is, or an element that is loaded from one; the result of an operation that is
    not modelled is not: what is known of it is an over-approximation, from which a claim may be proved and
    never refuted. Two elements of one argument may be the same one: `tokens` tell which ones a variable is
    computed from, and what is computed from two that may be one is not exact.
    """

    alternatives: tuple[Disjunct, ...]
    references: tuple[Variable, ...] = ()
    expression: Expression | None = None
    is_leaf: bool = False
    exact: bool = True
    because: str | None = None
    choices: tuple[tuple[Disjunction, Expression], ...] = ()
    induction: Induction | None = None
    points: PointSet | None = None
    """The alternatives as a set, where no list of alternatives says them."""
    tokens: frozenset[Token] = frozenset()
    unit: UnitEquality | None = None
    may_be_poison: bool = False
    """Whether its operation gives it no number for some of its operands."""
    is_partial: bool = False
    """Whether it is anything where no alternative holds: poison that is not used, or not computed at all."""

    @property
    def is_free(self) -> bool:
        """Whether every value of its range occurs in some execution, whatever the other leaves are."""
        return self.is_leaf and self.exact

    @property
    def is_lone(self) -> bool:
        """Whether it is free, and nothing else has to do with it."""
        return self.is_free and not self.references and not self.tokens


@dataclass(frozen=True)
class UnitEquality:
    """The variable is FIRST where SECOND is NUMBER: `a and b` is a for b = -1."""

    first: Expression
    second: Expression
    number: int


@dataclass(frozen=True, eq=False)
class PointSet:
    """A set of parameters, which are `names` of variables."""

    points: isl.Set
    names: Mapping[Variable, str]


@dataclass
class LoopOf:
    """A carried value or a loop's result, and the loop operation that it belongs to."""

    op: Operation
    carried: Carried | None = None
    state: While | None = None


def defined_by(variable: Variable, expression: Expression) -> Definition:
    """The definition `variable = expression`."""
    alternative = Disjunct((own(variable) - expression,))
    return Definition((alternative,), references_of((alternative,), variable), expression)


def unknown(
    variable: Variable,
    facts: Disjunction,
    because: str,
    *,
    free: bool = False,
    tokens: frozenset[Token] = frozenset(),
) -> Definition:
    """A variable of which nothing but FACTS and its type is known; FREE if each such value occurs."""
    low, high = natural_range(variable)
    natural = [own(variable) - low] if low is not None else []
    natural += [high - own(variable)] if high is not None else []
    alternatives = tuple(Disjunct((), (*natural, *each)) for each in facts)
    return Definition(
        alternatives,
        references_of(alternatives, variable),
        is_leaf=True,
        exact=free,
        because=because,
        tokens=tokens,
    )


def natural_range(variable: Variable) -> Interval:
    """Sizes are not negative, and integers of N bits in [-2^(N-1), 2^(N-1)); of one bit 0 or 1."""
    if isinstance(variable, Dim):
        return 0, None
    kind = variable.value.type
    return bits_range(width_of(kind)) if isinstance(kind, IntegerType) else (None, None)


def width_of(kind: Any) -> int:
    """The number of bits of an integer type."""
    return int(kind.width.data)


def own(variable: Variable) -> Expression:
    """The expression that is just VARIABLE."""
    return Expression(((variable, 1),), 0)


def text_of(variable: Variable, name_of: Callable[[SSAValue], str]) -> str:
    """VARIABLE as people write it: `%n`, or `dim(%t, 0)`."""
    name = name_of(variable.value)
    return f"dim({name}, {variable.dimension})" if isinstance(variable, Dim) else name


def references_of(alternatives: Sequence[Disjunct], variable: Variable) -> tuple[Variable, ...]:
    """The variables in ALTERNATIVES beside VARIABLE."""
    found: dict[Variable, None] = {}
    for alternative in alternatives:
        for expression in alternative.expressions():
            found.update(dict.fromkeys(variables_of(expression)))
    found.pop(variable, None)
    return tuple(found)


def variables_of(expression: Expression) -> Iterator[Variable]:
    """The variables in EXPRESSION."""
    for atom in expression.atoms():
        if isinstance(atom, Value | Dim):
            yield atom


def integers_of(value: SSAValue) -> Iterator[Expression]:
    """VALUE as a number, if it is one; or all of its sizes that the type does not tell."""
    kind = value.type
    if is_number(value):
        yield value_of(value)
    elif isinstance(kind, ShapedType):
        for dimension, size in enumerate(kind.get_shape()):
            if size == DYNAMIC_INDEX:
                yield dim_of(value, dimension)


def variable_of(value: SSAValue, dim: int | None) -> Variable:
    """VALUE as a number, or the size of its dimension DIM."""
    return Value(value) if dim is None else Dim(value, dim)


def like(variable: Variable, value: SSAValue) -> Variable:
    """VALUE as a number, or the same one of its sizes as VARIABLE is."""
    return Dim(value, variable.dimension) if isinstance(variable, Dim) else Value(value)


def has_more_than_64_bits(variable: Variable) -> bool:
    """Whether VARIABLE is an integer that may be too large for 64 bits."""
    kind = variable.value.type
    return isinstance(variable, Value) and isinstance(kind, IntegerType) and width_of(kind) > 64


def is_wide(kind: Attribute) -> bool:
    """Whether numbers of this KIND have 64 bits."""
    return isinstance(kind, IndexType) or (isinstance(kind, IntegerType) and width_of(kind) == 64)
