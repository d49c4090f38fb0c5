"""What is known of parameters, as rows of a tableau."""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl

from volcli.presburger.sets.build import DIM
from volcli.presburger.tableaus.tableau import Column, Role, Row, Tableau


def with_parameters(
    tableau: Tableau, known: isl.BasicSet, column_of: Callable[[str], Column], mark: str = ""
) -> Tableau:
    """TABLEAU where its parameters are in KNOWN, a set of parameters.

    Keys of symbols are their names; COLUMN_OF makes the columns of those that TABLEAU does not have. A MARK
    goes behind the names of new locals.

    >>> i, n = Column("i", "%i", Role.DOMAIN), Column("n", "%n", Role.SYMBOL)
    >>> even = isl.BasicSet("[n] -> { : n mod 2 = 0 and n >= 4 }")
    >>> found = with_parameters(Tableau((i,)), even, lambda name: n)
    >>> [column.label for column in found.columns], found.equalities, found.inequalities
    (['%i', '%n', 'g0'], ((0, -1, 2, 0),), ((0, 1, 0, -4),))
    """
    lifted = known.drop_unused_params().from_params().lift().flatten()
    count = lifted.dim(DIM.set)
    names = [lifted.get_dim_name(DIM.param, k) for k in range(lifted.dim(DIM.param))]
    own = {column.key for column in tableau.columns}
    symbols = [column_of(name) for name in names if name is not None and name not in own]
    locals_ = [
        Column(name, name, Role.LOCAL, has_value=False) for name in (f"g{k}{mark}" for k in range(count))
    ]
    before = tableau.of_role(Role.DOMAIN, Role.RANGE, Role.SYMBOL)
    wider = tableau.over((*before, *symbols, *tableau.locals, *locals_))
    keys = {(DIM.param, k): name for k, name in enumerate(names)}
    keys |= {(DIM.set, k): column.key for k, column in enumerate(locals_)}
    equalities: list[Row] = []
    inequalities: list[Row] = []
    for constraint in lifted.get_constraints():
        form = {key: constraint.get_coefficient_val(kind, k).to_python() for (kind, k), key in keys.items()}
        row = wider.row({key: c for key, c in form.items() if key}, constraint.get_constant_val().to_python())
        (equalities if constraint.is_equality() else inequalities).append(row)
    return wider.with_rows(equalities, inequalities)
