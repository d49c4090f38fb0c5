"""Tableaus: integer polyhedra as matrices of constraints, with a column for each variable and the constant.

A row is `c_1 * x_1 + ... + c_n * x_n + c = 0` or `>= 0`. The variables are dimensions of the domain and of
the range of a relation, symbols (parameters), and locals, of which one only knows that they exist: that i is
even is `2 * q = i`. (MemRef dependence checks in MLIR, "Affine Relations and Constraints".)

    0 <= i <= 8 and m = i - 2              1 -1 -2  = 0
                                           1  0  0 >= 0
                                          -1  0  8 >= 0
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import islpy as isl

from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

Row = tuple[int, ...]
"""A coefficient for each column, and the constant."""


class Role(Enum):
    """What a column of a tableau stands for."""

    DOMAIN = "domain"
    RANGE = "range"
    SYMBOL = "symbol"
    LOCAL = "local"


@dataclass(frozen=True)
class Column:
    """A variable. `key` tells it from all others, `label` is its name for people.

    `has_value` says whether a value of the program stands behind it; memory's indices and locals have none.
    """

    key: str
    label: str
    role: Role
    has_value: bool = True


@dataclass(frozen=True)
class Tableau:
    """The points at which all `equalities` are 0 and all `inequalities` at least 0, for some locals.

    Columns come in the order domain, range, symbols, locals.
    """

    columns: tuple[Column, ...]
    equalities: tuple[Row, ...] = ()
    inequalities: tuple[Row, ...] = ()

    def of_role(self, *roles: Role) -> tuple[Column, ...]:
        """The columns of one of ROLES, in order."""
        return tuple(column for column in self.columns if column.role in roles)

    @property
    def domain(self) -> tuple[Column, ...]:
        return self.of_role(Role.DOMAIN)

    @property
    def range(self) -> tuple[Column, ...]:
        return self.of_role(Role.RANGE)

    @property
    def symbols(self) -> tuple[Column, ...]:
        return self.of_role(Role.SYMBOL)

    @property
    def locals(self) -> tuple[Column, ...]:
        return self.of_role(Role.LOCAL)

    def over(self, columns: Iterable[Column]) -> Tableau:
        """The same constraints over COLUMNS, by their keys: columns of zeros are inserted, roles may change.

        Raises ValueError if a column is gone that a constraint speaks of.
        """
        target = tuple(columns)
        position = {column.key: k for k, column in enumerate(self.columns)}
        gone = position.keys() - {column.key for column in target}
        if any(row[position[key]] for row in (*self.equalities, *self.inequalities) for key in gone):
            raise ValueError(f"constraints speak of {sorted(gone)}")
        source = [position.get(column.key) for column in target]

        def moved(row: Row) -> Row:
            return (*(0 if k is None else row[k] for k in source), row[-1])

        return Tableau(target, tuple(map(moved, self.equalities)), tuple(map(moved, self.inequalities)))

    def with_rows(self, equalities: Iterable[Row] = (), inequalities: Iterable[Row] = ()) -> Tableau:
        """This tableau with more constraints, behind the ones of their kind."""
        return replace(
            self,
            equalities=(*self.equalities, *equalities),
            inequalities=(*self.inequalities, *inequalities),
        )

    def append(self, other: Tableau) -> Tableau:
        """The points of both; OTHER has the same columns. Raises ValueError if it has not."""
        if [c.key for c in other.columns] != [c.key for c in self.columns]:
            raise ValueError("the columns differ")
        return self.with_rows(other.equalities, other.inequalities)

    def as_locals(self, keys: Iterable[str]) -> Tableau:
        """The columns of KEYS as locals, behind those that there are."""
        chosen = frozenset(keys)
        kept = [column for column in self.columns if column.key not in chosen]
        made = [
            replace(column, role=Role.LOCAL, has_value=False)
            for column in self.columns
            if column.key in chosen
        ]
        return self.over([*kept, *made])

    def row(self, coefficients: dict[str, int], constant: int = 0) -> Row:
        """A row of this tableau: the COEFFICIENTS of columns, by their keys, and the CONSTANT."""
        return (*(coefficients.get(column.key, 0) for column in self.columns), constant)

    # -- as sets ---------------------------------------------------------------------------------------

    def points(self) -> isl.Set:
        """The set over domain and range, in this order, whose parameters are the keys of the symbols."""
        dims = len(self.of_role(Role.DOMAIN, Role.RANGE))
        return self.points_with_locals().project_out(DIM.set, dims, len(self.locals))

    def points_with_locals(self) -> isl.Set:
        """The same with the locals as further dimensions."""
        over = self._space()
        return isl.Set.from_basic_set(_constrained(isl.BasicSet.universe(over), self._all_constraints(over)))

    def _space(self) -> isl.Space:
        names = tuple(column.key for column in self.symbols)
        return build.space(names, len(self.columns) - len(names))

    def _all_constraints(self, over: isl.Space) -> list[isl.Constraint]:
        local = isl.LocalSpace.from_space(over)
        made = [self._filled(isl.Constraint.alloc_equality(local), row) for row in self.equalities]
        return made + [self._filled(isl.Constraint.alloc_inequality(local), row) for row in self.inequalities]

    def _filled(self, constraint: isl.Constraint, row: Row) -> isl.Constraint:
        positions = {Role.SYMBOL: 0, Role.DOMAIN: 0}
        for column, number in zip(self.columns, row, strict=False):
            kind = Role.SYMBOL if column.role is Role.SYMBOL else Role.DOMAIN
            if number:
                of_isl = DIM.param if kind is Role.SYMBOL else DIM.set
                constraint = constraint.set_coefficient_val(of_isl, positions[kind], _number(number))
            positions[kind] += 1
        return constraint.set_constant_val(_number(row[-1]))


def _constrained(points: isl.BasicSet, constraints: Sequence[isl.Constraint]) -> isl.BasicSet:
    for constraint in constraints:
        points = points.add_constraint(constraint)
    return points


def _number(number: int) -> isl.Val:
    return isl.Val.read_from_str(isl.DEFAULT_CONTEXT, str(number))
