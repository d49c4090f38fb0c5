"""What volcli says as a formula, as a function of numbers: an expression, or a set of isl."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import islpy as isl

from tests.oracles.arith.execute import POISON, Number
from tests.oracles.arith.runs import Rows
from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    Parameter,
    Piecewise,
)

Formula = Callable[..., int]


def column(expression: Expression, rows: Rows) -> list[int | None]:
    """EXPRESSION in each of ROWS; None where one of its values is poison."""
    names = names_in(expression)
    function = _compiled(expression)
    if not names:
        return [function()] * len(next(iter(rows.values())))
    numbers = zip(*(rows[name] for name in names), strict=True)
    return [None if POISON in each else function(*each) for each in numbers]


def names_in(expression: Expression) -> tuple[str, ...]:
    """The values that EXPRESSION speaks of."""
    return tuple(sorted({atom.name for atom in expression.atoms() if isinstance(atom, Parameter)}))


@lru_cache(maxsize=512)
def _compiled(expression: Expression) -> Formula:
    names = {name: f"n{position}" for position, name in enumerate(names_in(expression))}
    return _function(names.values(), _python(expression, names))


def _function(arguments: Iterable[str], text: str) -> Formula:
    found: Formula = eval(f"lambda {', '.join(arguments)}: {text}", {"floord": lambda a, b: a // b})
    return found


def _python(expression: Expression, names: dict[str, str]) -> str:
    terms = [f"{c} * {_of_atom(atom, names)}" for atom, c in expression.terms]
    return f"({' + '.join([*terms, str(expression.constant)])})"


def _of_atom(atom: Atom, names: dict[str, str]) -> str:
    match atom:
        case Parameter():
            return names[atom.name]
        case FloorDiv():
            return f"({_python(atom.numerator, names)} // {atom.divisor})"
        case Mod():
            return f"({_python(atom.numerator, names)} % {atom.divisor})"
        case Minimum() | Maximum():
            operands = ", ".join(_python(each, names) for each in atom.operands)
            return f"{'min' if isinstance(atom, Minimum) else 'max'}({operands})"
        case Monomial():
            return f"({' * '.join(_of_atom(each, names) for each in atom.factors)})"
        case Piecewise():
            return _of_pieces(atom, names)
        case _:
            raise ValueError(f"{atom}: not a value of the program")


def _of_pieces(atom: Piecewise, names: dict[str, str]) -> str:
    text = "None"
    for conditions, value in reversed(atom.pieces):
        holds = " and ".join(f"{_python(each, names)} >= 0" for each in conditions) or "True"
        text = f"({_python(value, names)} if {holds} else {text})"
    return text


@lru_cache(maxsize=512)
def membership(points: str) -> Callable[[Sequence[Number]], bool]:
    """Whether numbers, in the order of its dimensions or parameters, are in the set of isl POINTS.

    >>> membership("[a, b] -> { : a mod 2 = 0 or b < a }")((3, 4))
    False
    """
    found = isl.Set(points)
    if not found.is_params():
        found = found.move_dims(isl.dim_type.param, 0, isl.dim_type.set, 0, found.dim(isl.dim_type.set))
        found = found.params()
    count = found.dim(isl.dim_type.param)
    for position in range(count):
        found = found.set_dim_name(isl.dim_type.param, position, f"n{position}")
    universe = isl.Set.universe(found.get_space())
    text = isl.AstBuild.from_context(universe).expr_from_set(found).to_C_str()
    for old, new in (("&&", " and "), ("||", " or "), (" / ", " // ")):
        text = text.replace(old, new)
    function = _function([f"n{position}" for position in range(count)], text)
    return lambda numbers: bool(function(*numbers))
