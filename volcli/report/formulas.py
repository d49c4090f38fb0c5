"""Tableaus as text: as matrices, and as formulas with the names of the program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volcli.diagnostics.counted import counted
from volcli.presburger.tableaus.tableau import Column, Role, Row, Tableau


def matrix(tableau: Tableau) -> list[str]:
    """TABLEAU as MLIR dumps it: the space, the number of rows, what each column is, the rows.

    All dimensions are counted as `Range`, as MLIR does.

    >>> i, m = Column("i", "%i", Role.DOMAIN), Column("m", "m0", Role.RANGE, has_value=False)
    >>> print("\\n".join(matrix(Tableau((i, m), ((1, -1, -2),), ((1, 0, 0),)))))
    Domain: 0, Range: 2, Symbols: 0, Locals: 0
    2 constraints
    (Value None const)
    1 -1 -2 = 0
    1 0 0 >= 0
    """
    dims = len(tableau.of_role(Role.DOMAIN, Role.RANGE))
    space = f"Domain: 0, Range: {dims}, Symbols: {len(tableau.symbols)}, Locals: {len(tableau.locals)}"
    count = len(tableau.equalities) + len(tableau.inequalities)
    kinds = " ".join([*map(_kind, tableau.columns), "const"])
    return [space, counted(count, "constraint"), f"({kinds})", *rows(tableau)]


def rows(tableau: Tableau) -> list[str]:
    """The rows alone."""
    return [
        f"{' '.join(map(str, row))} {sign}" for row, sign in signed(tableau.equalities, tableau.inequalities)
    ]


def signed(equalities: Sequence[Row], inequalities: Sequence[Row]) -> list[tuple[Row, str]]:
    """Each row with what is said of it."""
    return [(row, "= 0") for row in equalities] + [(row, ">= 0") for row in inequalities]


def _kind(column: Column) -> str:
    if column.role is Role.LOCAL:
        return "Local"
    return "Value" if column.has_value else "None"


def formula(tableau: Tableau) -> str:
    """TABLEAU as a set or a relation: `{ [%i] -> [m0] : %i = m0 + 2 and 0 <= %i <= 8 }`."""
    domain, image = (", ".join(c.label for c in side) for side in (tableau.domain, tableau.range))
    head = f"[{domain}] -> [{image}]" if tableau.domain and tableau.range else f"[{domain or image}]"
    said = " and ".join(conditions(tableau))
    exists = ", ".join(column.label for column in tableau.locals)
    body = f"exists {exists} : {said}" if exists and said else said
    return f"{{ {head} : {body} }}" if body else f"{{ {head} }}"


def conditions(tableau: Tableau) -> list[str]:
    """The constraints of TABLEAU, those on both sides of one expression as one: `0 <= %i <= 8`."""
    labels = [column.label for column in tableau.columns]
    found = [_equation(row, labels) for row in tableau.equalities]
    return [*found, *_inequalities(tableau.inequalities, labels)]


def _equation(row: Row, labels: Sequence[str]) -> str:
    left, right = _sides(row, labels)
    return f"{left} = {right}"


def _inequalities(rows: Sequence[Row], labels: Sequence[str]) -> Iterator[str]:
    """Each row, with the opposite one of a constant bound, if there is one, in the place of the first."""
    taken: set[int] = set()
    for at, row in enumerate(rows):
        if at in taken:
            continue
        if not any(row[:-1]):
            yield "true" if row[-1] >= 0 else "false"
            continue
        opposite = tuple(-a for a in row[:-1])
        other = next(
            (k for k in range(at + 1, len(rows)) if rows[k][:-1] == opposite and k not in taken), None
        )
        if other is None:
            left, right = _sides(row, labels)
            yield f"{right} <= {left}" if left.lstrip("-").isdigit() else f"{left} >= {right}"
            continue
        taken.add(other)
        lower, upper = (row, rows[other]) if _leads(row) > 0 else (rows[other], row)
        yield f"{-lower[-1]} <= {_linear(lower[:-1], labels)} <= {upper[-1]}"


def _leads(row: Row) -> int:
    return next(a for a in row if a)


def _sides(row: Row, labels: Sequence[str]) -> tuple[str, str]:
    """The positive terms of ROW, and its negative ones without their signs."""
    positive = tuple(max(a, 0) for a in row[:-1])
    negative = tuple(max(-a, 0) for a in row[:-1])
    on_the_right = any(positive) and (row[-1] < 0 or not any(negative))
    left, right = (0, -row[-1]) if on_the_right else (row[-1], 0)
    return _linear(positive, labels, left), _linear(negative, labels, right)


def _linear(coefficients: Sequence[int], labels: Sequence[str], constant: int = 0) -> str:
    """`2 * %i - %j + 1`."""
    text = ""
    for number, label in zip(coefficients, labels, strict=False):
        if number:
            sign = (" - " if number < 0 else " + ") if text else ("-" if number < 0 else "")
            text += sign + (label if abs(number) == 1 else f"{abs(number)} * {label}")
    if not text:
        return str(constant)
    return text if not constant else f"{text} {'-' if constant < 0 else '+'} {abs(constant)}"
