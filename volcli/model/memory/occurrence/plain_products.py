"""Points at which parameters that are products are products: sets know nothing of `%p = %n * %m`."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl
from xdsl.ir import OpResult

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    NotAffine,
    Value,
    constant,
    has_product,
    parameter,
    substitute,
)
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.terms.variables import Variable, variables_of
from volcli.presburger.sets import build
from volcli.presburger.sets.names import parameters_of_space

_FACTORS = (1, 2, 0, -1)
"""What factors are tried, the least surprising first."""


def with_products(memory: Memory, points: isl.Set) -> isl.Set:
    """Some of POINTS, over all parameters, at which each that is a product has its value; or all of them.

    One factor of each is fixed to a small number, so that the product is linear in the others.
    """
    for name in parameters_of_space(points):
        variable = memory.bounds.elimination.find(name)
        stated = None if variable is None else _product(memory, variable)
        if stated is None:
            continue
        linear = (points.intersect_params(each) for each in _linear(memory, name, stated))
        points = next((each for each in linear if not each.is_empty()), points)
    return points


def _product(memory: Memory, variable: Variable) -> Expression | None:
    """What VARIABLE is computed as over leaves, if something is multiplied there."""
    if not isinstance(variable, Value) or not isinstance(variable.value, OpResult):
        return None
    definitions = memory.bounds.definitions
    try:
        stated = definitions.outline.value(variable.value)
        found = None if stated is None else definitions.resolve(stated)
    except NotAffine:
        return None
    return found if found is not None and has_product(found) and variable not in variables_of(found) else None


def _linear(memory: Memory, name: str, stated: Expression) -> Iterator[isl.Set]:
    """The parameters at which the one called NAME is STATED, with one of its factors a small number."""
    naming = memory.bounds.elimination.name

    def named(atom: Atom) -> Expression | None:
        return parameter(naming(atom)) if isinstance(atom, Value | Dim) else None

    for factor in dict.fromkeys(variables_of(stated)):
        for chosen in _FACTORS:
            try:
                fixed = _with(stated, factor, chosen)
                if has_product(fixed):
                    break
                is_product = build.equal(parameter(name), substitute(fixed, named))
            except NotAffine:
                continue
            yield is_product.intersect(build.equal(parameter(naming(factor)), constant(chosen)))


def _with(stated: Expression, variable: Variable, chosen: int) -> Expression:
    """STATED where VARIABLE is the number CHOSEN."""
    return substitute(stated, lambda atom: constant(chosen) if atom == variable else None)
