"""Assumptions about a function's arguments: `volcli.assume` attributes, and conditions from the command line.

%n: index {volcli.assume = affine_set<(d0) : (d0 - 1 >= 0)>}               d0 is %n
%t: tensor<?x?xf32> {volcli.assume = affine_set<(d0, d1) : (d0 - d1 == 0)>}  the sizes of %t
attributes {volcli.assume = affine_set<(d0, d1) : (d1 - d0 >= 0)>}         on the function: d0, d1, ... are
                                                                           its index and integer arguments
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineSetAttr, ShapedType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind

from volcli.diagnostics.counted import counted
from volcli.language.affine_maps import evaluate
from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    Value,
    dim_of,
    parameter,
    substitute,
    value_of,
)
from volcli.language.reads import Conjunction, Disjunction, is_number, rank_of
from volcli.model.symbols import rows_of_arguments, symbol_of
from volcli.model.values.terms.variables import Variable
from volcli.presburger.expressions.read_back import disjunction
from volcli.presburger.sets.condition_words import ConditionName
from volcli.presburger.sets.conditions import ParsedCondition

ATTRIBUTE = "volcli.assume"


@dataclass(frozen=True, eq=False)
class Assumption:
    """A condition on the arguments of a function, and what an answer calls it."""

    text: str
    condition: Disjunction

    def facts(self) -> Mapping[Variable, Conjunction]:
        """If it is `x >= c` or `x <= c`, or several of these: what it says of each variable."""
        if len(self.condition) != 1:
            return {}
        found: dict[Variable, Conjunction] = {}
        for fact in self.condition[0]:
            (atom, factor), *others = fact.terms or ((None, 0),)
            if others or not isinstance(atom, Value | Dim) or abs(factor) != 1:
                return {}
            found[atom] = (*found.get(atom, ()), fact)
        return found


# -- conditions --------------------------------------------------------------------------------------------


def argument(
    function: Operation, name_of: Callable[[SSAValue], str], name: ConditionName
) -> Expression | None:
    """The number of a function's argument that NAME is, or the size of its dimension; None if it has none."""
    for value in arguments(function):
        if name_of(value) != f"%{name.value}":
            continue
        if name.dim is None:
            return value_of(value) if is_number(value) else None
        return dim_of(value, name.dim) if name.dim < rank_of(value) else None
    return None


def given(
    function: Operation, name_of: Callable[[SSAValue], str], conditions: Sequence[ParsedCondition]
) -> list[Assumption]:
    """Those of CONDITIONS that are about arguments of FUNCTION, as assumptions."""
    found: list[Assumption] = []
    for condition in conditions:
        if any(name.function not in (None, symbol_of(function)) for name in condition.names):
            continue
        numbers = [argument(function, name_of, name) for name in condition.names]
        known = [number for number in numbers if number is not None]
        if len(known) == len(numbers):
            found.append(assumed(condition, known))
    return found


def numbers_of_arguments(function: Operation) -> list[Expression]:
    """The arguments of FUNCTION that are numbers, and the sizes of the others."""
    return [number for value in arguments(function) for number in _numbers_of(value)]


def arguments(function: Operation) -> Sequence[BlockArgument]:
    """The arguments of FUNCTION; none if it has no body."""
    blocks = function.regions[0].blocks if function.regions else ()
    return blocks[0].args if blocks else ()


def assumed(condition: ParsedCondition, numbers: Sequence[Expression]) -> Assumption:
    """CONDITION as an assumption, its names standing for NUMBERS."""
    known = condition.numbers(numbers)
    return Assumption(condition.text, disjunction(condition.points, lambda name: known[int(name[1:])]))


# -- attributes --------------------------------------------------------------------------------------------


def stated(function: Operation, name_of: Callable[[SSAValue], str]) -> list[Assumption]:
    """What the attributes of FUNCTION and of its arguments state; what has a problem states nothing."""
    found: list[Assumption] = []
    for attribute, numbers in _attributes(function):
        if problem(attribute, numbers) is None:
            found += _of_set(attribute, numbers, name_of)
    return found


def problems_of(function: Operation) -> Iterator[str]:
    """What is wrong with the attributes of FUNCTION and of its arguments."""
    for attribute, numbers in _attributes(function):
        if (message := problem(attribute, numbers)) is not None:
            yield message


def problem(attribute: Attribute, numbers: Sequence[Expression]) -> str | None:
    """Why ATTRIBUTE does not state something of NUMBERS."""
    if not isinstance(attribute, AffineSetAttr):
        return f"'{ATTRIBUTE}' is not an affine_set such as affine_set<(d0) : (d0 - 1 >= 0)>"
    dims, symbols = attribute.data.num_dims, attribute.data.num_symbols
    if symbols or dims != len(numbers):
        found = f"{counted(dims, 'dimension')} and {counted(symbols, 'symbol')}"
        return f"'{ATTRIBUTE}' has {found}, not {len(numbers)} and 0"
    try:
        for constraint in attribute.data.constraints:
            _form(constraint, numbers)
    except NotAffine as error:
        return f"'{ATTRIBUTE}' holds {error}"
    return None


def _attributes(function: Operation) -> Iterator[tuple[Attribute, Sequence[Expression]]]:
    """The attributes, and the numbers that each is about."""
    if (own := function.attributes.get(ATTRIBUTE)) is not None:
        yield own, [value_of(value) for value in arguments(function) if is_number(value)]
    for value, attribute in attributes_of_arguments(function, ATTRIBUTE):
        yield attribute, _numbers_of(value)


def attributes_of_arguments(function: Operation, name: str) -> Iterator[tuple[BlockArgument, Attribute]]:
    """The arguments of FUNCTION that have an attribute called NAME, with that."""
    for value, row in zip(arguments(function), rows_of_arguments(function), strict=False):
        if (attribute := row.data.get(name)) is not None:
            yield value, attribute


def _numbers_of(value: SSAValue) -> list[Expression]:
    if isinstance(value.type, ShapedType):
        return [dim_of(value, d) for d in range(rank_of(value))]
    return [value_of(value)] if is_number(value) else []


def _of_set(
    attribute: Attribute, numbers: Sequence[Expression], name_of: Callable[[SSAValue], str]
) -> Iterator[Assumption]:
    """Each constraint of a set is an assumption."""
    assert isinstance(attribute, AffineSetAttr)

    def written(atom: Atom) -> Expression | None:
        match atom:
            case Value(value):
                return parameter(name_of(value))
            case Dim(value, dimension):
                return parameter(f"dim({name_of(value)}, {dimension})")
            case _:
                return None

    for constraint in attribute.data.constraints:
        form = _form(constraint, numbers)
        is_equal = constraint.kind is AffineConstraintKind.eq
        text = f"{substitute(form, written)} {'=' if is_equal else '>='} 0"
        yield Assumption(text, ((form, -form),) if is_equal else ((form,),))


def _form(constraint: AffineConstraintExpr, numbers: Sequence[Expression]) -> Expression:
    """What CONSTRAINT says to be 0, or not to be negative; raises NotAffine."""
    form = evaluate(constraint.lhs, numbers) - evaluate(constraint.rhs, numbers)
    return -form if constraint.kind is AffineConstraintKind.le else form
