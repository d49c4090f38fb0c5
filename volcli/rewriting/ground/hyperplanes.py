"""Hyperplanes of tiles: linear functions of the loops' variables, each a family of parallel hyperplanes.

A point i is in the tile `t = floor(h(i) / B)`. `h` is written as `2*t + i`, over names of induction
variables; `2*t + i | 2*t + j + 1` says it for statements in a loop over %i, and for others in one over %j: a
statement has the first alternative whose variables are all around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.language.expressions import Expression, NotAffine, constant
from volcli.language.written_forms import NotLinear, WrittenForm


@dataclass(frozen=True)
class Hyperplane:
    """What is written of one hyperplane, and its alternatives."""

    text: str
    alternatives: tuple[WrittenForm, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All variables that it is over, with their %."""
        return tuple(dict.fromkeys(name for form in self.alternatives for name in form.names))


@dataclass(frozen=True, eq=False)
class OfVariables:
    """A linear function of values that are induction variables: `constant + sum(coefficient * value)`."""

    terms: tuple[tuple[SSAValue, int], ...]
    constant: int = 0

    @classmethod
    def of(cls, form: WrittenForm, found: Mapping[str, SSAValue]) -> OfVariables:
        """FORM over the values that are FOUND for its names."""
        return cls(tuple((found[name], factor) for name, factor in form.terms), form.constant)


@dataclass(frozen=True, eq=False)
class TileFamily:
    """One family of tiles: its hyperplane as `text`, and the function that it is of each statement.

    A statement has the first of `alternatives` that is over loops around it.
    """

    text: str
    alternatives: tuple[OfVariables, ...]

    @property
    def variables(self) -> tuple[SSAValue, ...]:
        """All induction variables that it is over."""
        return tuple(dict.fromkeys(value for form in self.alternatives for value, _ in form.terms))

    def at(self, values: Mapping[SSAValue, Expression]) -> Expression:
        """The function of a statement around which the induction variables are VALUES. Raises NotAffine."""
        for form in self.alternatives:
            if all(variable in values for variable, _ in form.terms):
                return sum((values[v] * c for v, c in form.terms), start=constant(form.constant))
        raise NotAffine(f"a statement is not in the loops that {self.text} is over")


def hyperplanes(texts: Iterable[str], owner: str) -> tuple[Hyperplane, ...]:
    """What the option `hyperplanes` of the pass OWNER says. Raises UsageError if that is not a linear
    function.

    >>> [str(form) for form in hyperplanes(["2t - %i + 1 | t"], "tile-symbolic")[0].alternatives]
    ['2*t - i + 1', 't']
    """
    return tuple(_hyperplane(text.strip(), owner) for text in texts)


def _hyperplane(text: str, owner: str) -> Hyperplane:
    return Hyperplane(text, tuple(_form(each, owner) for each in text.split("|")))


def _form(text: str, owner: str) -> WrittenForm:
    try:
        return WrittenForm.parse(text)
    except NotLinear as error:
        message = f"{owner}: '{text.strip()}' is not a linear function of induction variables"
        raise UsageError(Diagnostic("V002", message, note="write it as 'i + j' or '2*t - i'")) from error
