"""Index expressions to isl sets and relations over anonymous spaces.

Within the engines sets carry no names: dimension k of a set is index k of the volume that it belongs to,
and parameters are matched by name. Names are put on at the end (`volcli.presburger.sets.names`).

Static boxes and affine relations are built through isl's API and not through text: parsing
`{ [a, b] : 0 <= a < 8 and ... }` costs ten times as much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from math import gcd

import islpy as isl

from volcli.language.expressions import (
    AnyIndex,
    Atom,
    Expression,
    FloorDiv,
    Index,
    LoopIndex,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    NotAffine,
    Parameter,
    Piecewise,
    loop,
)
from volcli.limits.widths import LARGE
from volcli.presburger.limits.budget import limit_what_is_in_no_query

DIM = isl.dim_type

limit_what_is_in_no_query()  # this is the first that engines import of isl


def parameters_of(expressions: Iterable[Index]) -> tuple[str, ...]:
    """The names of the parameters in EXPRESSIONS, sorted."""
    names = {
        atom.name
        for expression in expressions
        if isinstance(expression, Expression)
        for atom in expression.atoms()
        if isinstance(atom, Parameter)
    }
    return tuple(sorted(names))


@lru_cache(maxsize=1024)
def space(parameters: tuple[str, ...], dims: int) -> isl.Space:
    """The anonymous set space with DIMS dimensions over PARAMETERS."""
    result = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, len(parameters), dims)
    for position, name in enumerate(parameters):
        result = result.set_dim_name(DIM.param, position, name)
    return result


def universe(dims: int) -> isl.BasicSet:
    """All points of DIMS integer coordinates."""
    return isl.BasicSet.universe(space((), dims))


@lru_cache(maxsize=64)
def rational_universe(dims: int) -> isl.BasicSet:
    """All points of DIMS rational coordinates."""
    names = ", ".join(f"x{position}" for position in range(dims))
    return isl.BasicSet.read_from_str(isl.DEFAULT_CONTEXT, f"{{ rat: [{names}] : }}")


def affine(expression: Expression, over: isl.Space) -> isl.PwAff:
    """EXPRESSION as a piecewise quasi-affine function on the set space OVER.

    Raises NotAffine if it holds a product of two unknowns.
    """
    if _is_linear(expression):
        return isl.PwAff.from_aff(_linear(expression, over))
    result = isl.PwAff.from_aff(_linear(Expression((), expression.constant), over))
    for atom, coefficient in expression.terms:
        result = result.add(_atom(atom, over).scale_val(number(coefficient)))
    return result


def zero(expression: Expression, over: isl.Space) -> isl.Set:
    """The points of the set space OVER at which EXPRESSION is 0."""
    if not _is_linear(expression):
        return affine(expression, over).zero_set()
    divisor = gcd(*(coefficient for _, coefficient in expression.terms))
    if not divisor or expression.constant % divisor:
        return isl.Set.empty(over) if expression.constant else isl.Set.universe(over)
    return _constrained(_divided(expression, divisor), over, isl.Constraint.alloc_equality)


def at_least_zero(expression: Expression, over: isl.Space) -> isl.Set:
    """The points of the set space OVER at which EXPRESSION is not negative."""
    if not _is_linear(expression):
        return affine(expression, over).nonneg_set()
    divisor = gcd(*(coefficient for _, coefficient in expression.terms))
    if not divisor:
        return isl.Set.empty(over) if expression.constant < 0 else isl.Set.universe(over)
    return _constrained(_divided(expression, divisor), over, isl.Constraint.alloc_inequality)


def _divided(expression: Expression, divisor: int) -> Expression:
    """EXPRESSION divided by what divides its coefficients, rounded down: `2 * x - 3 >= 0` is `x - 2 >= 0`."""
    if divisor == 1:
        return expression
    terms = tuple((atom, coefficient // divisor) for atom, coefficient in expression.terms)
    return Expression(terms, expression.constant // divisor)


def _is_linear(expression: Expression) -> bool:
    return all(isinstance(atom, LoopIndex | Parameter) for atom, _ in expression.terms)


def _constrained(
    expression: Expression, over: isl.Space, made: Callable[[isl.LocalSpace], isl.Constraint]
) -> isl.Set:
    """The points at which a linear EXPRESSION, which is not constant, is what the constraint MADE says.

    One constraint costs a quarter of what a piecewise function does.
    """
    constraint = _with_coefficients(made(isl.LocalSpace.from_space(over)), expression, over, DIM.set)
    return isl.Set.from_basic_set(isl.BasicSet.from_constraint(constraint))


def _with_coefficients(
    constraint: isl.Constraint, expression: Expression, over: isl.Space, loops: isl.dim_type
) -> isl.Constraint:
    """CONSTRAINT with the constant and the coefficients of a linear EXPRESSION; d_k is one of the LOOPS."""
    if expression.constant:
        constraint = constraint.set_constant_val(number(expression.constant))
    for atom, coefficient in expression.terms:
        if isinstance(atom, LoopIndex):
            kind, position = loops, atom.position
        else:
            kind, position = DIM.param, over.find_dim_by_name(DIM.param, str(atom))
        constraint = constraint.set_coefficient_val(kind, position, number(coefficient))
    return constraint


def _linear(expression: Expression, over: isl.Space) -> isl.Aff:
    """A linear form over loops and parameters only."""
    result = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(over))
    if expression.constant:
        result = result.set_constant_val(number(expression.constant))
    for atom, coefficient in expression.terms:
        if isinstance(atom, LoopIndex):
            result = result.set_coefficient_val(DIM.in_, atom.position, number(coefficient))
        else:
            position = over.find_dim_by_name(DIM.param, str(atom))
            result = result.set_coefficient_val(DIM.param, position, number(coefficient))
    return result


def number(value: int) -> isl.Val:
    """VALUE as isl has it, however large it is."""
    if -LARGE <= value < LARGE:
        return isl.Val.int_from_si(isl.DEFAULT_CONTEXT, value)
    return isl.Val.read_from_str(isl.DEFAULT_CONTEXT, str(value))


def at_values(points: isl.Set, values: Mapping[str, int]) -> isl.Set:
    """POINTS where their parameters have these VALUES, by names; what has none of the names stays.

    >>> at_values(isl.Set("[n] -> { [i] : 0 <= i < n }"), {"n": 2, "m": 3})
    Set("[n] -> { [i] : n = 2 and 0 <= i <= 1 }")
    """
    for name, value in values.items():
        position = points.find_dim_by_name(DIM.param, name)
        if position >= 0:
            points = points.fix_val(DIM.param, position, number(value))
    return points


def _atom(atom: Atom, over: isl.Space) -> isl.PwAff:
    match atom:
        case FloorDiv(numerator, divisor):
            return affine(numerator, over).scale_down_val(number(divisor)).floor()
        case Mod(numerator, divisor):
            return affine(numerator, over).mod_val(number(divisor))
        case Minimum(operands):
            return _fold(isl.PwAff.min, operands, over)
        case Maximum(operands):
            return _fold(isl.PwAff.max, operands, over)
        case Piecewise(pieces):
            return _pieced(pieces, over)
        case LoopIndex() | Parameter():
            return isl.PwAff.from_aff(_linear(Expression(((atom, 1),), 0), over))
        case Monomial():  # its factors have names of sets, not of the program
            raise NotAffine("a product of two unknowns is not affine")
        case _:
            raise NotAffine(f"{atom} is not affine")


def _pieced(pieces: Sequence[tuple[tuple[Expression, ...], Expression]], over: isl.Space) -> isl.PwAff:
    """The piece that applies, at each point; where several do they are equal, and so is their maximum."""

    def part(where: tuple[Expression, ...], value: Expression) -> isl.PwAff:
        result = affine(value, over)
        for condition in where:
            result = result.intersect_domain(affine(condition, over).nonneg_set())
        return result

    return reduce(isl.PwAff.union_max, (part(*piece) for piece in pieces)).coalesce()


def _fold(
    combine: Callable[[isl.PwAff, isl.PwAff], isl.PwAff], operands: Sequence[Expression], over: isl.Space
) -> isl.PwAff:
    first, *others = (affine(operand, over) for operand in operands)
    for other in others:
        first = combine(first, other)
    return first


@lru_cache(maxsize=4096)
def box(sizes: tuple[Expression, ...]) -> isl.Set:
    """The index domain `{ [i_0, ...] : 0 <= i_k < sizes[k] }`."""
    return domain(len(sizes), tuple(enumerate(sizes)), ())


@lru_cache(maxsize=4096)
def relation(loops: int, index: tuple[Index, ...]) -> isl.Map:
    """The relation `{ [l] -> [index(l)] }` on LOOPS loops; an index that is ANY is left free."""
    names = parameters_of(index)
    over = space(names, loops)
    if not index:
        return isl.Map.from_domain(isl.Set.universe(over))
    if all(isinstance(e, AnyIndex) or _is_linear(e) for e in index):
        return _linear_relation(over, index)
    known = [Expression((), 0) if isinstance(e, AnyIndex) else e for e in index]
    pieces = isl.PwAffList.alloc(isl.DEFAULT_CONTEXT, len(index))
    for expression in known:
        pieces = pieces.add(affine(expression, over))
    target = over.from_domain().add_dims(DIM.out, len(index))
    result = isl.Map.from_multi_pw_aff(isl.MultiPwAff.from_pw_aff_list(target, pieces))
    for position, expression in enumerate(index):
        if isinstance(expression, AnyIndex):
            result = result.eliminate(DIM.out, position, 1)
    return result


def _linear_relation(over: isl.Space, index: Sequence[Index]) -> isl.Map:
    """The relation from OVER to an INDEX of linear expressions, as one equality for each."""
    space = over.from_domain().add_dims(DIM.out, len(index))
    local, found = isl.LocalSpace.from_space(space), isl.BasicMap.universe(space)
    for position, expression in enumerate(index):
        if isinstance(expression, Expression):
            equality = isl.Constraint.alloc_equality(local)
            equality = _with_coefficients(equality, expression, over, DIM.in_)
            equality = equality.set_coefficient_val(DIM.out, position, number(-1))
            found = found.add_constraint(equality)
    return isl.Map.from_basic_map(found)


@lru_cache(maxsize=4096)
def nonnegative(loops: int, conditions: tuple[Expression, ...]) -> isl.Set:
    """The loop points at which all CONDITIONS are >= 0."""
    over = space(parameters_of(conditions), loops)
    result = isl.Set.universe(over)
    for expression in conditions:
        result = result.intersect(at_least_zero(expression, over))
    return result


@lru_cache(maxsize=4096)
def equal(left: Expression, right: Expression) -> isl.Set:
    """The parameter values at which LEFT and RIGHT are equal, as a set without dimensions."""
    over = space(parameters_of((left, right)), 0)
    return affine(left, over).eq_set(affine(right, over)).params()


@lru_cache(maxsize=4096)
def domain(
    loops: int, extents: tuple[tuple[int, Expression], ...], conditions: tuple[Expression, ...]
) -> isl.Set:
    """The loop points with `0 <= d_k < extent` for all (k, extent), and all CONDITIONS >= 0."""
    names = parameters_of((*(extent for _, extent in extents), *conditions))
    over = space(names, loops)
    result = isl.Set.universe(over)
    for position, extent in extents:
        result = result.lower_bound_val(DIM.set, position, number(0))
        if extent.is_constant:
            result = result.upper_bound_val(DIM.set, position, number(extent.constant - 1))
        else:
            result = result.intersect(at_least_zero(extent - loop(position) - 1, over))
    for expression in conditions:
        result = result.intersect(at_least_zero(expression, over))
    return result


def forget() -> None:
    """Empty the caches: a budget must not depend on what was built for another program."""
    for cached in (space, domain, box, relation, nonnegative, equal):
        cached.cache_clear()


def parameter_space(name: str) -> isl.Space:
    """The space of sets over the parameter NAME alone."""
    return isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 1).set_dim_name(DIM.param, 0, name)
