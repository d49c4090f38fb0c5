"""Random expressions: subscripts, bounds, conditions."""

from __future__ import annotations

from functools import reduce

from tests.oracles.memory.expressions import Binary, Expression, plus, times
from tests.oracles.memory.nodes import Condition
from tests.oracles.memory.scope import Scope


def subscript(scope: Scope, affine: bool, extent: int | None) -> Expression:
    """A subscript of a dimension of this EXTENT: often an induction variable and a constant, and often inside."""
    chance = scope.chance
    values = scope.usable(affine)
    if not values or scope.flip(0.12):
        return chance.randint(0, max(0, (extent or 3) - 1))
    if scope.flip(0.4):
        return plus(chance.choice(values), chance.choice([0, 0, 0, 1, 1, -1, 2]))
    expression = linear(scope, values)
    drawn = chance.random()
    if drawn < 0.14:
        by = extent if extent is not None and extent > 1 and scope.flip(0.5) else chance.randint(2, 4)
        expression = Binary("mod" if affine or scope.flip(0.5) else "rem", expression, by)
    elif drawn < 0.28:
        expression = Binary(
            "floordiv" if affine or scope.flip(0.5) else "div", expression, chance.randint(2, 3)
        )
    elif drawn < 0.32:
        expression = plus(Binary("floordiv", expression, 2), Binary("mod", chance.choice(values), 3))
    return expression


def stored_value(scope: Scope) -> Expression:
    """What is stored: a number, an index value, or the sum of all, which each iteration has another one of."""
    values = (*scope.dims, *scope.indices)
    drawn = scope.chance.random()
    if not values or drawn < 0.45:
        return scope.chance.choice([0, 0, 1])
    return scope.chance.choice(values) if drawn < 0.65 else reduce(plus, values)


def linear(scope: Scope, values: tuple[str, ...]) -> Expression:
    """A combination of one or two values, and a constant."""
    chance = scope.chance
    expression = times(chance.choice(values), chance.choice([1, 1, 1, 1, 1, 2, 2, 3, -1]))
    if scope.flip(0.3):
        expression = plus(expression, times(chance.choice(values), chance.choice([1, 1, 2, -1, 3, 5])))
    return plus(expression, chance.choice([0, 0, 0, 1, 1, 2, 3, -1, -2])) if expression != 0 else 0


def lower_bound(scope: Scope, affine: bool) -> tuple[Expression, ...]:
    """The pieces of a lower bound, of which the greatest counts."""
    chance = scope.chance
    values = scope.usable(affine)
    first: Expression = chance.choice([0, 0, 0, 1, 2, -1])
    if values and scope.flip(0.25):
        first = plus(chance.choice(values), chance.choice([0, 0, 1, -2]))
    return (first, chance.randint(0, 2)) if scope.flip(0.12) else (first,)


def upper_bound(scope: Scope, affine: bool, longest: int) -> tuple[Expression, ...]:
    """The pieces of an upper bound, of which the least counts; at most LONGEST."""
    chance = scope.chance
    values = scope.usable(affine)
    if scope.parameters and scope.flip(0.35):
        first: Expression = plus(chance.choice(scope.parameters), chance.choice([0, 0, 0, 1, -1]))
    elif values and scope.flip(0.35):
        first = plus(times(chance.choice(values), chance.choice([1, 1, 1, 2, -1])), chance.choice([1, 2, 3]))
    else:
        return (chance.randint(2, longest),)
    return (first, longest) if scope.flip(0.25) else (first,)


def step(scope: Scope, affine: bool) -> Expression:
    """A step: a number, or a value that may be none that has a meaning."""
    if not affine and scope.parameters and scope.flip(0.4):
        return times(scope.chance.choice(scope.parameters), scope.chance.choice([1, 1, 1, 2]))
    return scope.chance.choice([1, 1, 1, 1, 2, 3])


def tile(scope: Scope) -> tuple[tuple[tuple[Expression, ...]], tuple[tuple[Expression, ...]]]:
    """The bounds of a loop through a tile: from the variable of a loop around, a step of that, or to its end."""
    variable, by, ends = scope.chance.choice(scope.tiles)
    more = scope.chance.choice([0, 0, 0, 0, 1, -1])
    end = plus(Binary("+", variable, by), more)
    return ((variable,),), ((end, *ends) if scope.flip(0.8) else (end,),)


def condition(scope: Scope, affine: bool) -> Condition:
    """A comparison of values."""
    chance = scope.chance
    values = (*scope.usable(affine), *scope.parameters)
    left = linear(scope, values)
    if affine:
        if scope.flip(0.2):
            left = Binary("mod", left, 2)
        return Condition(plus(left, -chance.randint(0, 3)), chance.choice(["==", ">=", ">=", ">="]))
    right: Expression = chance.choice(values) if scope.flip(0.4) else chance.randint(0, 4)
    return Condition(left, chance.choice(["==", "!=", "<", "<=", ">", ">="]), right)
