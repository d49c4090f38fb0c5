"""Exact elimination of columns of tableaus: no integer point is gained, and none is lost.

* An equality in which a column has the coefficient 1 or -1 gives it as a form of the others (Gauss).
* Several locals in equalities are replaced by as many others, so that each equality has one of its own
  (Hermite): `2a + 3b = i` becomes `t = i`.
* A local in inequalities only is eliminated by Fourier and Motzkin, where all its lower or all its upper
  bounds have the coefficient 1; otherwise rational points would appear that are not integer.

What remains stays as a local: that is exact, too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from math import gcd, lcm

from volcli.limits import presburger as limits
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.tableaus.tableau import Column, Role, Row, Tableau


def without_redundant_locals(tableau: Tableau, keys: Container[str] | None = None) -> Tableau:
    """TABLEAU without the locals (those in KEYS) that an equality gives as integer forms of what is left."""
    while (found := _given(tableau, keys)) is not None:
        tableau = _substituted(tableau, *found)
    return tableau


def projected(tableau: Tableau, keys: Iterable[str]) -> Tableau:
    """The columns of KEYS as locals, as few of them left as can be, and no constraint that others imply.

    >>> x, y = (Column(name, name, Role.DOMAIN) for name in "xy")
    >>> both = Tableau((x, y), ((2, -1, -1),), ((1, 0, 0), (-1, 0, 3)))  # y = 2x - 1, 0 <= x <= 3
    >>> projected(both, ["y"]).inequalities
    ((1, 0), (-1, 3))
    >>> projected(both, ["x"]).equalities  # y is odd
    ((1, -2, 1),)
    """
    tableau = _reduced(tableau.as_locals(keys))
    while True:
        before = len(tableau.locals)
        tableau = _reduced(without_redundant_locals(tableau))
        tableau = _reduced(without_redundant_locals(_triangular(tableau)))
        tableau = _reduced(_without_one_local(tableau))
        if len(tableau.locals) == before:
            return _renamed(_without_redundant_rows(_centred(tableau)))


def _nothing(tableau: Tableau) -> Tableau:
    """The tableau without points, over the columns of TABLEAU that are no locals."""
    columns = tuple(column for column in tableau.columns if column.role is not Role.LOCAL)
    return Tableau(columns, (), ((*(0 for _ in columns), -1),))


# -- equalities ----------------------------------------------------------------------------------------


def _given(tableau: Tableau, keys: Container[str] | None) -> tuple[int, Row] | None:
    """A local and an equality in which it has the coefficient 1 or -1."""
    for at, column in enumerate(tableau.columns):
        if column.role is Role.LOCAL and (keys is None or column.key in keys):
            for row in tableau.equalities:
                if abs(row[at]) == 1:
                    return at, row
    return None


def _substituted(tableau: Tableau, at: int, pivot: Row) -> Tableau:
    """TABLEAU without column AT and the equality PIVOT, which gives it."""

    def without(rows: Iterable[Row]) -> tuple[Row, ...]:
        combined = (_combined(row, pivot, at) for row in rows if row is not pivot)
        return tuple(row[:at] + row[at + 1 :] for row in combined)

    columns = tableau.columns[:at] + tableau.columns[at + 1 :]
    inequalities = (row for row in without(tableau.inequalities) if any(row[:-1]) or row[-1] < 0)
    return Tableau(columns, tuple(filter(any, without(tableau.equalities))), tuple(inequalities))


def _combined(row: Row, pivot: Row, at: int) -> Row:
    """A positive multiple of ROW, and as much of PIVOT as makes coefficient AT vanish."""
    if not row[at]:
        return row
    multiple = lcm(row[at], pivot[at])
    own, other = multiple // abs(row[at]), multiple // pivot[at] * (1 if row[at] > 0 else -1)
    return tuple(own * a - other * b for a, b in zip(row, pivot, strict=True))


def _triangular(tableau: Tableau) -> Tableau:
    """Other locals in place of those in equalities: each equality has at most one that those before have not.

    The new ones are integer forms of the old ones, and the old ones of the new.
    """
    free = [at for at, column in enumerate(tableau.columns) if column.role is Role.LOCAL]
    count = len(tableau.equalities)
    rows = [list(row) for row in (*tableau.equalities, *tableau.inequalities)]
    for row in rows[:count]:
        while len(occurring := [at for at in free if row[at]]) > 1:
            least = min(occurring, key=lambda at: abs(row[at]))
            for at in occurring:
                if at != least:
                    _subtract_column(rows, at, least, row[at] // row[least])
        free = [at for at in free if at not in occurring]
    made = [tuple(row) for row in rows]
    return replace(tableau, equalities=tuple(made[:count]), inequalities=tuple(made[count:]))


def _centred(tableau: Tableau) -> Tableau:
    """TABLEAU with its locals shifted by integer forms of the rest, so that coefficients become small.

    `x + 17 * y + 6 * t = 6` becomes `x - y + 6 * t = 0`: t is one less, and 3 * y more.
    """
    rows = [list(row) for row in (*tableau.equalities, *tableau.inequalities)]
    is_local = [column.role is Role.LOCAL for column in tableau.columns] + [False]
    for row in rows[: len(tableau.equalities)]:
        occurring = [at for at, number in enumerate(row) if number and is_local[at]]
        if len(occurring) == 1:
            pivot = row[occurring[0]]
            for at, number in enumerate(list(row)):
                if not is_local[at]:
                    _subtract_column(rows, at, occurring[0], (2 * number + pivot) // (2 * pivot))
    made = [tuple(row) for row in rows]
    count = len(tableau.equalities)
    return _reduced(replace(tableau, equalities=tuple(made[:count]), inequalities=tuple(made[count:])))


def _subtract_column(rows: Sequence[list[int]], at: int, other: int, times: int) -> None:
    for row in rows:
        row[at] -= times * row[other]


# -- inequalities --------------------------------------------------------------------------------------


def _without_one_local(tableau: Tableau) -> Tableau:
    """TABLEAU without one local that only inequalities speak of, if one can be projected out exactly."""
    for at, column in enumerate(tableau.columns):
        if column.role is not Role.LOCAL or any(row[at] for row in tableau.equalities):
            continue
        lower = [row for row in tableau.inequalities if row[at] > 0]
        upper = [row for row in tableau.inequalities if row[at] < 0]
        is_exact = all(row[at] == 1 for row in lower) or all(row[at] == -1 for row in upper)
        if is_exact and len(lower) * len(upper) <= limits.PROJECTION_ROWS:
            rest = [row for row in tableau.inequalities if not row[at]]
            made = [tuple(-b[at] * x + a[at] * y for x, y in zip(a, b, strict=True))
                    for a in lower for b in upper]  # fmt: skip
            columns = tableau.columns[:at] + tableau.columns[at + 1 :]
            gone = [row[:at] + row[at + 1 :] for row in (*rest, *made)]
            equalities = tuple(row[:at] + row[at + 1 :] for row in tableau.equalities)
            return Tableau(columns, equalities, tuple(gone))
    return tableau


def _reduced(tableau: Tableau) -> Tableau:
    """Rows divided by what divides them; of parallel ones the tightest, of opposite ones an equality."""
    least: dict[Row, int] = {}
    equalities = dict.fromkeys(_signed(_divided(row)) for row in tableau.equalities if any(row))
    for row in tableau.inequalities:
        factor = gcd(*row[:-1])
        if factor:
            form = tuple(a // factor for a in row[:-1])
            least[form] = min(least.get(form, row[-1] // factor), row[-1] // factor)
        elif row[-1] < 0:
            least[row[:-1]] = -1
    for form, constant in list(least.items()):
        opposite = tuple(-a for a in form)
        if any(form) and least.get(opposite) == -constant:
            equalities[_signed((*form, constant))] = None
            del least[form], least[opposite]
    inequalities = tuple((*form, constant) for form, constant in least.items())
    return Tableau(tableau.columns, tuple(equalities), inequalities)


def _divided(row: Row) -> Row:
    """An equality divided by what divides all of it; one without integer points stays as it is."""
    factor = gcd(*row)
    return tuple(a // factor for a in row) if factor else row


def _signed(row: Row) -> Row:
    """An equality whose first coefficient is positive."""
    first = next((a for a in row if a), 0)
    return tuple(-a for a in row) if first < 0 else row


def _without_redundant_rows(tableau: Tableau) -> Tableau:
    """TABLEAU without the inequalities that the rest implies, as far as that is found out quickly."""
    try:
        with budget(limits.PROJECTION_OPERATIONS):
            if tableau.points_with_locals().is_empty():
                return _nothing(tableau)
            for row in reversed(tableau.inequalities):
                rest = tuple(other for other in tableau.inequalities if other is not row)
                fails = (*(-a for a in row[:-1]), -row[-1] - 1)
                violating = replace(tableau, inequalities=(*rest, fails))
                if any(row[:-1]) and violating.points_with_locals().is_empty():
                    tableau = replace(tableau, inequalities=rest)
    except BudgetExceeded:
        pass
    return tableau


def _renamed(tableau: Tableau) -> Tableau:
    """TABLEAU with new names for its locals, which are others than they were."""
    names = iter(f"t{k}" for k in range(len(tableau.locals)))
    columns = tuple(
        Column(name := next(names), name, Role.LOCAL, has_value=False) if c.role is Role.LOCAL else c
        for c in tableau.columns
    )
    return replace(tableau, columns=columns)
