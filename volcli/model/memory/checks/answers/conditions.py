"""Conditions on a function's arguments in words.

An unsigned division of %n is of `%n mod 2^64`, which is %n unless that is negative. Nobody reads a number of
twenty digits: where one would be in a condition, it is narrowed to arguments that are not negative,

    (%n mod 2^64) floordiv 4 < dim(%m, 0)         is said as        %n < 4 * dim(%m, 0) and %n >= 0

which is sufficient, and not necessary.
"""

from __future__ import annotations

import re

import islpy as isl

from volcli.limits.widths import GREATEST
from volcli.model.memory.dependences.model import Memory
from volcli.model.values.terms.variables import has_more_than_64_bits
from volcli.presburger.sets.build import DIM, number, parameter_space
from volcli.presburger.sets.names import parameters_of_space

_HUGE = re.compile(r"\d{12}")


def said(memory: Memory, points: isl.Set) -> tuple[str, bool]:
    """POINTS, over parameters, in words; and whether the words say all of them.

    The constraints of a conjunction come in the order in which the program has what they are about.
    """
    text = _text(memory, points)
    if _HUGE.search(text) is None:
        return text, True
    narrow, below = points, isl.Set.universe(points.get_space())
    for position in range(points.dim(DIM.param)):
        variable = memory.bounds.elimination.find(points.get_dim_name(DIM.param, position) or "")
        is_wider = variable is not None and has_more_than_64_bits(variable)
        if points.involves_dims(DIM.param, position, 1) and not is_wider:
            narrow = narrow.lower_bound_val(DIM.param, position, number(0))
            below = below.upper_bound_val(DIM.param, position, number(GREATEST))
    plain = narrow.intersect(below).coalesce().gist(below)
    text = _text(memory, plain)
    is_part = not plain.is_empty() and plain.intersect(below).is_subset(points)
    return (text, False) if is_part and _HUGE.search(text) is None else (_text(memory, points), True)


def _text(memory: Memory, points: isl.Set) -> str:
    elimination, order = memory.bounds.elimination, memory.bounds.definitions.order
    variables = [v for name in parameters_of_space(points) if (v := elimination.find(name)) is not None]
    for variable in sorted(variables, key=order, reverse=True):
        points = points.align_params(parameter_space(elimination.name(variable)))
    return memory.bounds.texts.of_set(points.remove_redundancies())
