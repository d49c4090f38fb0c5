"""Why a number lies between its bounds, as text: constraints as rows and formulas, what is left, bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from volcli.facts.derivations import BoundReason, CollectedConstraint, DerivationFact
from volcli.facts.fact import assuming
from volcli.model.values.terms.answers import NEVER
from volcli.presburger.tableaus.tableau import Row, Tableau
from volcli.report.lines import Line

_HEADING, _SAID = "bold cyan", "green"


def derivation_lines(fact: DerivationFact) -> Iterator[Line]:
    """FACT, in the order in which it is found: what is collected, projected out, left, and bounded."""
    yield Line(f"{fact.subject}{assuming(fact.assumptions)}", "bold")
    yield Line()
    yield Line(f"Constraints: {_count(len(fact.columns_of), 'variable')}", _HEADING)
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


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _collected(fact: DerivationFact) -> Iterator[Line]:
    """Each constraint: its number, its rows, its formula, and who says it."""
    found = [(number, each, _rows(each)) for number, each in enumerate(fact.constraints, 1)]
    cells = [[str(c) for c in row] for _, _, rows in found for row, _ in rows]
    names = [*fact.columns_of, "const"]
    widths = _widths(names, cells)
    yield Line("     " + _aligned(names, widths))
    for number, each, rows in found:
        by = each.by if each.where is None else f"{each.by}, line {each.where.place.line}"
        text = f"{each.text}  ({by})"
        if not rows:
            yield Line(f"{number:>3}. no row: {text}")
        for at, (row, sign) in enumerate(rows):
            line = f"{_aligned(list(map(str, row)), widths)}{sign}"
            yield Line(f"{number:>3}. {line}  {text}" if at == 0 else f"     {line}")


def _rows(each: CollectedConstraint) -> list[tuple[Row, str]]:
    return [(row, "  = 0") for row in each.equalities] + [(row, " >= 0") for row in each.inequalities]


def _widths(names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(name), *(len(line[at]) for line in cells), 0) for at, name in enumerate(names)]


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))


def _piece(tableau: Tableau) -> Iterator[Line]:
    names = [*(column.label for column in tableau.columns), "const"]
    every = [(row, "  = 0") for row in tableau.equalities] + [(row, " >= 0") for row in tableau.inequalities]
    widths = _widths(names, [[str(number) for number in row] for row, _ in every])
    yield Line("     " + _aligned(names, widths))
    for row, sign in every:
        yield Line(f"     {_aligned(list(map(str, row)), widths)}{sign}")
    if not every:
        yield Line("     no constraint")


def _bound(bound: BoundReason) -> str:
    exact = "exact" if bound.exact else f"not exact: {bound.reason}" if bound.reason else "not exact"
    if bound.needs is None:
        return f"{bound.text}  ({exact}; needs {bound.because})"
    needs = ", ".join(map(str, bound.needs))
    return f"{bound.text}  ({exact}; needs {needs or 'no constraint'})"
