"""From isl's sets back to index expressions over parameters: the least and the greatest of a dimension.

A set `{ [x] }` over parameters has a least element that is a piecewise quasi-affine function of them. What
people want to read is `max(a, b)` or `min(a, b + 4)`: the pieces of such a function under the extremum that
is equal to it, where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    FloorDiv,
    Mod,
    NotAffine,
    constant,
    loop,
    maximum,
    minimum,
    parameter,
    substitute,
)
from volcli.language.reads import Disjunction
from volcli.limits import presburger as limits
from volcli.presburger.expressions import at_points
from volcli.presburger.limits.budget import is_spent
from volcli.presburger.measures import extremes
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import pieces
from volcli.presburger.sets.names import parameters_of_space, without
from volcli.presburger.sets.unwieldy import is_unwieldy


@dataclass(frozen=True)
class Extremum:
    """A bound of a dimension for all parameter values; `exact` if it is the least (or greatest) element."""

    expression: Expression
    exact: bool


def expression_of(form: isl.Aff, named: Callable[[str], Expression] = parameter) -> Expression | None:
    """The quasi-affine FORM, dimension k as `d_k`; None if it has fractions outside of divisions.

    NAMED says what stands for the parameter of a name.
    """
    if not form.get_denominator_val().is_one():
        return None
    result = constant(form.get_constant_val().to_python())
    for position in range(form.dim(DIM.param)):
        factor = form.get_coefficient_val(DIM.param, position).to_python()
        if factor:
            name = form.get_dim_name(DIM.param, position)
            assert name is not None
            result = result + factor * named(name)
    for position in range(form.dim(DIM.in_)):
        result = result + form.get_coefficient_val(DIM.in_, position).to_python() * loop(position)
    for position in range(form.dim(DIM.div)):
        factor = form.get_coefficient_val(DIM.div, position).to_python()
        if factor:
            inner = form.get_div(position)
            divisor = inner.get_denominator_val()
            numerator = expression_of(inner.scale_val(divisor), named)
            if numerator is None:
                return None
            result = result + factor * (numerator // divisor.to_python())
    return result


def disjunction(points: isl.Set, named: Callable[[str], Expression]) -> Disjunction:
    """POINTS over parameters as conditions: of each basic set, all constraints. NAMED is for parameters.

    Raises NotAffine if a constraint has fractions.
    """
    parts = points.compute_divs().get_basic_sets()
    return tuple(tuple(_conditions(part, named)) for part in parts)


def _conditions(part: isl.BasicSet, named: Callable[[str], Expression]) -> Iterator[Expression]:
    for constraint in part.get_constraints():
        form = expression_of(constraint.get_aff(), named)
        if form is None:
            raise NotAffine("a constraint with fractions")
        yield form
        if constraint.is_equality():
            yield -form


def has_bound(points: isl.Set, *, lower: bool) -> bool:
    """Whether the only dimension of POINTS is bounded on one side, for all parameter values."""
    if lower:
        return all(part.dim_has_lower_bound(DIM.set, 0) for part in _sets(points))
    return all(part.dim_has_upper_bound(DIM.set, 0) for part in _sets(points))


def _sets(points: isl.Set) -> list[isl.Set]:
    return [isl.Set.from_basic_set(part) for part in points.get_basic_sets()]


def extremum(points: isl.Set, *, lower: bool, is_exact: bool = True) -> Extremum | None:
    """The least (or greatest) x of `{ [x] }` over parameters, as one expression; None without a bound.

    For each basic set the bound is a maximum of its lower constraints; for their union, the minimum of
    these. That is the least element where every basic set has points; it is tested against it. isl finds
    some sets unbounded only when it looks for the bound, and raises an error then: these have none, too.
    Without parameters it is a number, which costs less than a function of none: isl may not return from that
    for remainders by 2^64. If POINTS is not `is_exact`, but more than what there is, no formula is looked for
    that is the bound of all of many parts: the bounds of each are enough; and none at all with three
    divisions of large numbers, each operation on which may take a thousand times as long.
    """
    if not has_bound(points, lower=lower):
        return None
    try:
        if not points.involves_dims(DIM.param, 0, points.dim(DIM.param)):
            return _number(points, lower=lower)
        if is_unwieldy(points.get_basic_sets(), limits.LARGE_DIVISIONS if is_exact else 2):
            return None
        return _extremum(points, lower=lower, is_exact=is_exact)
    except NotAffine:  # it is too large to be written
        return None
    except isl.Error:
        if is_spent():
            raise
        return None


def _number(points: isl.Set, *, lower: bool) -> Extremum | None:
    """The least (or greatest) number of POINTS, which is exact if one of them is it."""
    found = extremes.least(points, 0) if lower else extremes.greatest(points, 0)
    if found is None:
        return None
    return Extremum(constant(found), not points.fix_val(DIM.set, 0, build.number(found)).is_empty())


def _extremum(points: isl.Set, *, lower: bool, is_exact: bool) -> Extremum | None:
    outer, inner = (minimum, maximum) if lower else (maximum, minimum)
    try:
        has_many = points.n_basic_set() > limits.CHEAP_PARTS
        if has_many and (not is_exact or _is_no_formula(points, lower=lower)):
            return _of_parts(points, None, set(), lower=lower, inner=inner, outer=outer)
        function = points.dim_min(0) if lower else points.dim_max(0)
    except isl.Error as error:  # isl takes some sets that have a bound for unbounded
        if "unbounded optimum" not in str(error):
            raise
        return None
    found = pieces(function)
    forms = [expression_of(form) for _, form in found]
    known = [form for form in dict.fromkeys(forms) if form is not None]
    if not forms:  # there is no point
        return None
    if None not in forms and len(known) == 1:
        return Extremum(known[0], True)
    tried: set[Expression] = set()
    if None not in forms and len(known) <= limits.FORM_PIECES:
        without_divisions = [form for form in known if not _divides(form)] or known
        for chosen in dict.fromkeys((tuple(without_divisions), tuple(known))):
            for candidate, is_largest in ((inner(*chosen), lower), (outer(*chosen), not lower)):
                if len(chosen) < len(known):
                    is_it = is_equal(candidate, function)
                else:
                    is_it = _is_one_extremum(found, is_largest=is_largest)
                if is_it:
                    return Extremum(candidate, True)
                tried.add(candidate)
    return _of_parts(points, function, tried, lower=lower, inner=inner, outer=outer)


def _is_no_formula(points: isl.Set, *, lower: bool) -> bool:
    """Whether a few points show that the extremum of POINTS is none of what `_extremum` tries."""
    parts = [part.dim_min(0) if lower else part.dim_max(0) for part in _sets(points)]
    parts = [part for part in parts if part.n_piece()]
    if not parts:
        return False
    inner, outer = (max, min) if lower else (min, max)
    return not at_points.may_be_formula(parts, inner, outer)


def _of_parts(
    points: isl.Set,
    function: isl.PwAff | None,
    tried: set[Expression],
    *,
    lower: bool,
    inner: Callable[..., Expression],
    outer: Callable[..., Expression],
) -> Extremum | None:
    """The extremum of the bounds of all basic sets: always a bound. What was TRIED is not the exact one.

    Without a FUNCTION, which is the exact one, none is.

    A basic set's bound is its least element wherever it has points, and the least of all these is at most the
    least element of the union: where a basic set has no points, its bound is only one more.
    """
    bounds: list[Expression] = []
    for part in _sets(points):
        found = pieces(part.dim_min(0) if lower else part.dim_max(0))
        of_part = _forms_of(found)
        if not of_part or len(of_part) > limits.FORM_PIECES or not _is_one_extremum(found, is_largest=lower):
            return None
        bounds.append(inner(*of_part))
    bounds = list(dict.fromkeys(bounds))
    if len(bounds) > limits.FORM_PIECES:
        return None
    candidate = outer(*bounds)
    if function is not None and candidate not in tried and is_equal(candidate, function):
        return Extremum(candidate, True)
    return Extremum(candidate, False)


def is_attained(candidate: Expression, points: isl.Set, *, lower: bool) -> bool:
    """Whether CANDIDATE, a bound of POINTS, is an element for some values of the parameters that it lacks.

    Of x = 1 where n < 2 and x = k elsewhere, min(k, 1) is a bound, which no formula over n and k need be; for
    each k it is an element, for n = 0 or for n = 2.
    """
    named = set(build.parameters_of((candidate,)))
    others = [name for name in parameters_of_space(points) if name not in named]
    for name in others:
        points = without(points, name)
    if points.is_empty() or not has_bound(points, lower=lower):
        return False
    return is_equal(candidate, points.dim_min(0) if lower else points.dim_max(0))


def _forms_of(found: Sequence[tuple[isl.Set, isl.Aff]]) -> Sequence[Expression]:
    """The forms of pieces that were FOUND, each once; none if one of them has no expression."""
    forms = [expression_of(form) for _, form in found]
    return [] if None in forms else [form for form in dict.fromkeys(forms) if form is not None]


def _is_one_extremum(found: Sequence[tuple[isl.Set, isl.Aff]], *, is_largest: bool) -> bool:
    """Whether the function of pieces that were FOUND is the maximum (else: the minimum) of all their forms.

    So it is if on each piece no other form is larger: no set is needed of where two functions are equal.
    """
    for where, what in found:
        for _, other in found:
            if other is not what:
                exceeded = what.lt_set(other) if is_largest else what.gt_set(other)
                if not where.is_disjoint(exceeded):
                    return False
    return True


def _divides(form: Expression) -> bool:
    return any(isinstance(atom, FloorDiv | Mod) for atom in form.atoms())


def _as_function(candidate: Expression) -> isl.PwAff:
    return build.affine(
        candidate, build.space(build.parameters_of((candidate,)), 0)
    ).project_domain_on_params()


def is_equal(candidate: Expression, function: isl.PwAff) -> bool:
    """Whether CANDIDATE is FUNCTION, wherever that is defined."""
    if _differs_somewhere(candidate, function):
        return False
    form = _as_function(candidate)
    return bool(function.domain().is_subset(form.eq_set(function)))


def _differs_somewhere(candidate: Expression, function: isl.PwAff) -> bool:
    """Whether CANDIDATE is not FUNCTION at some point of a piece, which costs little to see."""
    for where, what in pieces(function):
        form, point = expression_of(what), where.sample_point()
        if form is None or point.is_void():
            continue
        numbers = {
            parameter(name).single_atom: point.get_coordinate_val(DIM.param, position).to_python()
            for position in range(where.dim(DIM.param))
            if (name := where.get_dim_name(DIM.param, position)) is not None
        }

        def number(atom: Atom, numbers: Mapping[Atom | None, int] = numbers) -> Expression | None:
            return constant(numbers[atom]) if atom in numbers else None

        difference = substitute(candidate - form, number)
        if difference.is_constant and difference.constant != 0:
            return True
    return False
