"""Expressions and sets over variables as people write them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Maximum,
    Minimum,
    Value,
    expression_of_atom,
    parameter,
    substitute,
)
from volcli.language.unchanged import cached_method
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.variables import Variable, text_of, variables_of
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import is_name
from volcli.presburger.sets.quotients import with_quotients

_FACTOR = re.compile(r"\b\d+(?=[A-Za-z])")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Texts:
    """The text of what is said over the variables of one function."""

    def __init__(self, elimination: Elimination, name_of: Callable[[SSAValue], str]) -> None:
        self.elimination = elimination
        self._name_of = name_of
        self.of_variable: Callable[[Variable], str] = partial(text_of, name_of=name_of)
        """A variable as people write it: `%n`, or `dim(%t, 0)`."""

    @cached_method
    def of(self, expression: Expression) -> str:
        """An expression over variables as people write it: `min(%n - 1, dim(%t, 0))`.

        What is the least or the greatest of several comes in the order in which the function computes it.
        """
        return str(self.named(expression))

    @cached_method
    def named(self, expression: Expression) -> Expression:
        """The same as an expression over parameters that are called as people write the variables."""
        return substitute(expression, self._named_atom)

    def _named_atom(self, atom: Atom) -> Expression | None:
        match atom:
            case Value() | Dim():
                return parameter(self.of_variable(atom))
            case Minimum(operands) | Maximum(operands):
                ordered = sorted(operands, key=lambda operand: (operand.is_constant, self._order(operand)))
                return expression_of_atom(type(atom)(tuple(map(self.named, ordered))))  # only to be read
            case _:
                return None

    @cached_method
    def _order(self, expression: Expression) -> list[tuple[int, int]]:
        """The orders of the variables in EXPRESSION, sorted."""
        order = self.elimination.definitions.order
        found: list[tuple[int, int]] = []
        for atom, _ in expression.terms:
            if isinstance(atom, Value | Dim):
                found.append(order(atom))
            elif isinstance(atom, Minimum | Maximum):
                for operand in atom.operands:
                    found += self._order(operand)
            else:
                found += map(order, variables_of(expression_of_atom(atom)))
        return sorted(found)

    def of_set(self, points: isl.Set) -> str:
        """A set over names of variables as the condition that it is, as `--assume` reads it: `%n >= 1`."""
        text = str(points.drop_unused_params())
        condition = text[text.index(":", text.index("{")) + 1 : text.rindex("}")].strip()
        condition = _FACTOR.sub(r"\g<0> * ", with_quotients(condition))
        return _WORD.sub(self._written, condition) if condition else "true"

    def _written(self, word: re.Match[str]) -> str:
        variable = self.elimination.find(word[0])
        return word[0] if variable is None else self.of_variable(variable)

    def of_point(self, point: isl.Point) -> dict[str, int]:
        """The values of variables at a POINT over their names, of those that the program names."""
        found = ((self.elimination.find(name), number) for name, number in coordinates(point).items())
        return {self.of_variable(v): number for v, number in found if v is not None and self.is_named(v)}

    def is_named(self, variable: Variable) -> bool:
        """Whether the program names VARIABLE."""
        return is_name(self._name_of(variable.value))


def coordinates(point: isl.Point) -> dict[str, int]:
    """The parameters of a POINT; none if it is void."""
    if point.is_void():
        return {}
    space = point.get_space()
    names = (space.get_dim_name(DIM.param, position) for position in range(space.dim(DIM.param)))
    return {
        name: point.get_coordinate_val(DIM.param, position).to_python()
        for position, name in enumerate(names)
        if name is not None
    }
