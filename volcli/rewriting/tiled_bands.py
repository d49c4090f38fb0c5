"""Bands of loops as systems of inequalities, and the loops over their tiles.

A loop with the step 1 is the variable itself, `lower <= i < upper`; one with another constant step s is
`i = lower + s * k` with a variable k >= 0. A bound `e floordiv c` is linear, multiplied by c.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    NotAffine,
    Parameter,
    Value,
    constant,
    expression_of_atom,
    substitute,
)
from volcli.language.interface import operation_name
from volcli.model.memory.nests import Level
from volcli.symbolic.context import Context
from volcli.symbolic.scanning import ScanNest, scan


@dataclass(frozen=True)
class TiledBand:
    """A band as a system: its `loops`, each the variable of which it is `a * variable + b`."""

    variables: tuple[Parameter, ...]
    values: tuple[Expression, ...]
    inequalities: tuple[Expression, ...]


def band_as_system(levels: Sequence[Level], number: Callable[[Expression], Expression]) -> TiledBand:
    """The iterations of LEVELS; NUMBER says of an expression which constant it is, if it is one.

    Raises NotAffine if they are no system of linear inequalities.
    """
    variables: list[Parameter] = []
    values: list[Expression] = []
    known: dict[Atom, Expression] = {}
    inequalities: list[Expression] = []
    for position, level in enumerate(levels):
        induction = level.induction
        if induction is None:
            raise NotAffine(level.because or "the iterations of a loop are not counted")
        variable = Parameter(f"i{position}")
        lower = [substitute(number(each), known.get) for each in induction.lower]
        upper = [substitute(number(each), known.get) for each in induction.upper]
        step = number(induction.step)
        value = _value(step, variable, lower)
        if step == constant(1):
            inequalities += [_at_least(value, each) for each in lower]
        else:
            inequalities.append(expression_of_atom(variable))
        inequalities += [_below(value, each) for each in upper]
        known[Value(induction.variable)] = value
        variables.append(variable)
        values.append(value)
    return TiledBand(tuple(variables), tuple(values), tuple(inequalities))


def _value(step: Expression, variable: Parameter, lower: Sequence[Expression]) -> Expression:
    """The induction variable: VARIABLE itself, or the first value and so many times STEP."""
    if not step.is_constant:
        raise NotAffine("the step of a loop is not constant")
    if step.constant == 1:
        return expression_of_atom(variable)
    if len(lower) != 1:
        raise NotAffine("a loop with a step begins at a maximum")
    return lower[0] + step.constant * expression_of_atom(variable)


def _at_least(value: Expression, bound: Expression) -> Expression:
    """VALUE >= BOUND: c * value >= e - (c - 1) for a bound of e floordiv c."""
    numerator, divisor = _as_quotient(bound)
    return divisor * value - numerator + divisor - 1


def _below(value: Expression, bound: Expression) -> Expression:
    """VALUE < BOUND: c * value <= e - c for a bound of e floordiv c."""
    numerator, divisor = _as_quotient(bound)
    return numerator - divisor - divisor * value


def _as_quotient(bound: Expression) -> tuple[Expression, int]:
    """`(e, c)` with BOUND = e floordiv c: (i + 8, 2) for i floordiv 2 + 4; c = 1 if it has no division."""
    for atom, coefficient in bound.terms:
        if isinstance(atom, FloorDiv) and coefficient == 1:
            rest = bound - expression_of_atom(atom)
            return atom.numerator + atom.divisor * rest, atom.divisor
    return bound, 1


def tiled_nest(band: TiledBand, sizes: Sequence[Sequence[Expression]]) -> tuple[ScanNest | None, Context]:
    """The loops over tiles of SIZES, those of the outermost level first, and over the points of BAND.

    None if the band has no point for any values. The context is that no size is below 1. Raises NotAffine.
    """
    inequalities = list(band.inequalities)
    context = Context(size - 1 for level in sizes for size in level)
    inner: Sequence[Parameter] = band.variables
    order: list[Parameter] = list(inner)
    for depth, level in reversed(list(enumerate(sizes))):
        tiles = tuple(Parameter(f"t{depth}_{number}") for number in range(len(level)))
        for tile, variable, size in zip(tiles, inner, level, strict=False):
            offset = expression_of_atom(variable) - size * expression_of_atom(tile)
            inequalities += [offset, size - 1 - offset]
        order = [*tiles, *order]
        inner = tiles
    nests = scan(order, inequalities, context)
    if len(nests) > 1:
        raise NotAffine("the order of the loops depends on the sign of a value")
    return (nests[0] if nests else None), context


def check(levels: Sequence[Level]) -> None:
    """Raise NotAffine if LEVELS are not loops of one variable each, perfectly nested, without results."""
    for level in levels:
        if level.op.results or len(level.op.regions) != 1 or not level.sequential:
            raise NotAffine(f"'{operation_name(level.op)}' is no sequential loop without results")
    for outer, inner in pairwise(levels):
        if inner.op.parent_op() is not outer.op:
            raise NotAffine("two of the loops are one operation")
        block = outer.op.regions[0].block
        others = [op for op in block.ops if op is not inner.op and op is not block.last_op]
        if others:
            raise NotAffine(f"'{operation_name(others[0])}' stands between the loops")
    for op in levels[-1].op.regions[0].block.walk():
        if op.regions and operation_name(op).startswith("affine."):
            raise NotAffine(f"'{operation_name(op)}' inside takes the variables of affine loops only")
