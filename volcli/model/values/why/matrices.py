"""From index expressions to the rows of a tableau: a column for each variable, and one for each quotient."""

from __future__ import annotations

from collections.abc import Callable

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    LoopIndex,
    Mod,
    NotAffine,
    Parameter,
    Value,
)
from volcli.model.values.terms.variables import Disjunct, Variable
from volcli.presburger.tableaus.tableau import Column, Role, Row, Tableau

_ORDER = (Role.DOMAIN, Role.RANGE, Role.SYMBOL, Role.LOCAL)


class Matrix:
    """A tableau that is being written. `column_of` says what a variable's column is.

    `LoopIndex(k)` and `Parameter(name)` are locals; the names of locals have a MARK.
    """

    def __init__(self, column_of: Callable[[Variable], Column], mark: str) -> None:
        self._column_of = column_of
        self._mark = mark
        self._columns: dict[str, Column] = {}
        self._keys: dict[Atom, str] = {}
        self._quotients = 0
        self._equalities: list[tuple[dict[str, int], int]] = []
        self._inequalities: list[tuple[dict[str, int], int]] = []

    def add(self, atom: Atom, column: Column) -> str:
        """The key of COLUMN, which is that of ATOM."""
        self._columns[column.key] = column
        self._keys[atom] = column.key
        return column.key

    def zero(self, expression: Expression) -> None:
        """EXPRESSION is 0."""
        self._equalities.append(self._linear(expression))

    def nonnegative(self, expression: Expression) -> None:
        """EXPRESSION is at least 0."""
        row = self._linear(expression)
        if row not in self._inequalities:
            self._inequalities.append(row)

    def system(self, system: Disjunct) -> None:
        """SYSTEM holds."""
        for expression in system.zero:
            self.zero(expression)
        for expression in system.nonnegative:
            self.nonnegative(expression)

    @property
    def counts(self) -> tuple[int, int]:
        """How many equalities and inequalities are written."""
        return len(self._equalities), len(self._inequalities)

    def tableau(self) -> Tableau:
        """All that was written."""
        columns = tuple(sorted(self._columns.values(), key=lambda column: _ORDER.index(column.role)))
        empty = Tableau(columns)

        def rows(written: list[tuple[dict[str, int], int]]) -> list[Row]:
            return [empty.row(form, number) for form, number in written]

        return empty.with_rows(rows(self._equalities), rows(self._inequalities))

    def column(self, atom: Atom) -> str:
        """The key of the column that ATOM has, or gets."""
        known = self._keys.get(atom)
        return self.add(atom, self._made(atom)) if known is None else known

    def _made(self, atom: Atom) -> Column:
        match atom:
            case Value() | Dim():
                return self._column_of(atom)
            case LoopIndex(position):
                return self._local(f"e{position}")
            case Parameter(name):
                return self._local(name)
            case FloorDiv():
                self._quotients += 1
                return self._local(f"q{self._quotients - 1}")
            case _:
                raise NotAffine(f"{atom} is not affine")

    def _local(self, name: str) -> Column:
        return Column(name + self._mark, name + self._mark, Role.LOCAL, has_value=False)

    def _linear(self, expression: Expression) -> tuple[dict[str, int], int]:
        """EXPRESSION as coefficients and a constant; `e mod c` is `e - c * (e floordiv c)`."""
        form: dict[str, int] = {}
        number = expression.constant

        def add(key: str, coefficient: int) -> None:
            form[key] = form.get(key, 0) + coefficient

        for atom, factor in expression.terms:
            match atom:
                case Mod(numerator, divisor):
                    inner, inner_number = self._linear(numerator)
                    for key, coefficient in inner.items():
                        add(key, factor * coefficient)
                    number += factor * inner_number
                    add(self._quotient(numerator, divisor), -factor * divisor)
                case FloorDiv(numerator, divisor):
                    add(self._quotient(numerator, divisor), factor)
                case _:
                    add(self.column(atom), factor)
        return {key: coefficient for key, coefficient in form.items() if coefficient}, number

    def _quotient(self, numerator: Expression, divisor: int) -> str:
        """The column of `NUMERATOR floordiv DIVISOR`."""
        atom = FloorDiv(numerator, divisor)
        is_new = atom not in self._keys
        key = self.column(atom)
        if is_new:
            form, number = self._linear(numerator)
            rest = {**form, key: form.get(key, 0) - divisor}
            self._inequalities.append((rest, number))
            self._inequalities.append(({k: -c for k, c in rest.items()}, divisor - 1 - number))
        return key
