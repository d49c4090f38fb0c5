"""Why a number lies between its bounds, as text: constraints as rows and formulas, what is left, bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from volcli.diagnostics.counted import counted
from volcli.facts.derivations import BoundReason, DerivationFact
from volcli.facts.fact import assuming
from volcli.model.values.terms.answers import NEVER
from volcli.presburger.tableaus.tableau import Row, Tableau
from volcli.report.formulas import signed
from volcli.report.lines import Line

_HEADING, _SAID = "bold cyan", "green"


def derivation_lines(fact: DerivationFact) -> Iterator[Line]:
    """FACT, in the order in which it is found: what is collected, projected out, left, and bounded."""
    yield Line(f"{fact.subject}{assuming(fact.assumptions)}", "bold")
    yield Line()
    yield Line(f"Constraints: {counted(len(fact.columns_of), 'variable')}", _HEADING)
    yield from _collected(fact)
    yield Line()
    yield Line(f"Projected out: {', '.join(fact.projected) or 'nothing'}", _HEADING)
    if fact.never:
        yield Line()
        yield Line(f"{fact.subject}: {fact.reason or NEVER}", _SAID)
        return
    yield Line()
    if fact.left is None:
        yield Line(f"Left: unknown: {fact.reason}", _HEADING)
    else:
        yield Line("Left", _HEADING)
        for tableau in fact.pieces:
            yield from _piece(tableau)
        yield Line(f"  {fact.left}", _SAID)
    yield Line()
    yield Line("Bounds", _HEADING)
    for bound in fact.bounds:
        yield Line(f"  {_bound(bound)}", _SAID)
    if not fact.bounds:
        yield Line(f"  none{f': {fact.reason}' if fact.reason else ''}", _SAID)


def _collected(fact: DerivationFact) -> Iterator[Line]:
    """Each constraint: its number, its rows, its formula, and who says it."""
    found = [signed(each.equalities, each.inequalities) for each in fact.constraints]
    head, *lines = _aligned([*fact.columns_of, "const"], [row for rows in found for row in rows])
    left = iter(lines)
    yield Line(f"     {head}")
    for number, (each, rows) in enumerate(zip(fact.constraints, found, strict=True), 1):
        by = each.by if each.where is None else f"{each.by}, line {each.where.place.line}"
        text = f"{each.text}  ({by})"
        if not rows:
            yield Line(f"{number:>3}. no row: {text}")
        for at, line in enumerate(islice(left, len(rows))):
            yield Line(f"{number:>3}. {line}  {text}" if at == 0 else f"     {line}")


def _aligned(names: Sequence[str], rows: Sequence[tuple[Row, str]]) -> list[str]:
    """The NAMES of columns, and ROWS below them with their signs."""
    cells = [list(map(str, row)) for row, _ in rows]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    lines = ["  ".join(map(str.rjust, line, widths)) for line in (names, *cells)]
    return [lines[0], *(f"{line} {sign:>4}" for line, (_, sign) in zip(lines[1:], rows, strict=True))]


def _piece(tableau: Tableau) -> Iterator[Line]:
    names = [*(column.label for column in tableau.columns), "const"]
    every = signed(tableau.equalities, tableau.inequalities)
    yield from (Line(f"     {line}") for line in _aligned(names, every))
    if not every:
        yield Line("     no constraint")


def _bound(bound: BoundReason) -> str:
    exact = "exact" if bound.exact else f"not exact: {bound.reason}" if bound.reason else "not exact"
    if bound.needs is None:
        return f"{bound.text}  ({exact}; needs {bound.because})"
    needs = ", ".join(map(str, bound.needs))
    return f"{bound.text}  ({exact}; needs {needs or 'no constraint'})"
