"""Moves between blocks, local arrays and arrays as loops: what is computed of them before code is made.

The points of a `Move` are over (t, x) with the coordinates t of a tile. Its loops are over x, in
lexicographic order; t are numbers that are known where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    LoopIndex,
    NotAffine,
    Parameter,
    Value,
    constant,
    expression_of_atom,
    substitute,
)
from volcli.model.mars.allocation.accesses import Rows
from volcli.model.mars.allocation.transfers import Move
from volcli.model.values.store.store import BoundsStore
from volcli.presburger.expressions.constraints import conjunctions
from volcli.rewriting.communication.communication import inequalities
from volcli.rewriting.ground.widths import fits
from volcli.symbolic.context import Context
from volcli.symbolic.scanning import ScanNest, scan


@dataclass(frozen=True, eq=False)
class ScannedMove:
    """The `nests` of a move, and the `element` that belongs to a point; `block` and `start` are its place."""

    nests: tuple[ScanNest, ...]
    element: tuple[Expression, ...]
    block: tuple[Expression, ...]
    start: int


def scanned(move: Move, tile: Sequence[Atom], coordinates: Rows, bounds: BoundsStore) -> ScannedMove:
    """MOVE for the TILE of these coordinates, whose block has COORDINATES·(t + block). Raises NotAffine."""
    points = tuple(Parameter(f"x{k}") for k in range(move.rank(len(tile))))
    variables = (*tile, *points)

    def here(form: Expression) -> Expression:
        return substitute(
            form, lambda a: expression_of_atom(variables[a.position]) if isinstance(a, LoopIndex) else None
        )

    def named(name: str) -> Expression:
        return expression_of_atom(bounds.elimination.variable(name))

    nests: list[ScanNest] = []
    for part in move.parts:
        found = list(conjunctions(part.remove_redundancies(), named))
        if len(found) != 1:
            raise NotAffine("a part of a set is not a conjunction of inequalities")
        divisions: dict[Atom, Parameter] = {}
        system = list(inequalities(found[0], variables, divisions))
        made = scan([*points, *divisions.values()], system, Context())
        if len(made) > 1 or not all(fits(form) for nest in made for form in nest.forms):
            raise NotAffine("the loops of a set have numbers of more than 64 bits, or several orders")
        nests += made
    block = tuple(map(expression_of_atom, tile))
    if move.block:
        there = [t + by for t, by in zip(block, move.block, strict=True)]
        block = tuple(combined(row, there) for row in coordinates)
    return ScannedMove(tuple(nests), tuple(map(here, move.element(len(tile)))), block, move.start)


def combined(row: Sequence[int], forms: Sequence[Expression]) -> Expression:
    """ROW·FORMS"""
    return sum((c * form for c, form in zip(row, forms, strict=True)), start=constant(0))


def values_in(moves: Sequence[ScannedMove]) -> list[Value | Dim]:
    """The values of the program that the loops of MOVES depend on."""
    forms = (form for move in moves for nest in move.nests for form in nest.forms)
    return [atom for form in forms for atom in form.atoms() if isinstance(atom, Value | Dim)]
