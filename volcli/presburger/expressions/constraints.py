"""A set of isl as conjunctions of inequalities, each an expression that is >= 0."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import islpy as isl

from volcli.language.expressions import Expression, NotAffine, parameter
from volcli.presburger.expressions.read_back import expression_of

Conjunction = tuple[Expression, ...]
"""Expressions over dimensions `d_k` and parameters; a point is in it if all are >= 0."""


def conjunctions(points: isl.Set, named: Callable[[str], Expression] = parameter) -> Iterator[Conjunction]:
    """The parts of POINTS; NAMED says what stands for a parameter. Raises NotAffine for a fraction.

    >>> list(conjunctions(isl.Set("[n] -> { [x] : 0 <= x and 2x <= n }")))
    [(d0, -2 * d0 + n)]
    """
    for part in points.compute_divs().get_basic_sets():
        yield tuple(_inequalities(part, named))


def _inequalities(part: isl.BasicSet, named: Callable[[str], Expression]) -> Iterator[Expression]:
    for constraint in part.get_constraints():
        if constraint.is_div_constraint():
            continue
        expression = expression_of(constraint.get_aff(), named)
        if expression is None:
            raise NotAffine("a fraction")
        yield expression
        if constraint.is_equality():
            yield -expression
