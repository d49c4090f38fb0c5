"""Whether two versions of a function compute alike, be there tiles in them or not."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from volcli.equivalence.backward.function import NOALIAS
from volcli.equivalence.comparison import compared
from volcli.equivalence.congruence.functions import congruent_models
from volcli.equivalence.results.same import is_same
from volcli.facts.differences import UNKNOWN, FunctionComparison
from volcli.facts.levels import BY_SOURCES, Comparing
from volcli.frontend.parse.parser import ParsedModule
from volcli.limits import rewriting as limits
from volcli.model.function import FunctionModel
from volcli.model.memory.loops.loops import named_assumptions
from volcli.rewriting.changes.counted_steps import copy_of, counted_versions, has_steps, short
from volcli.rewriting.changes.implied_conditions import with_ends_of, without_implied_branches
from volcli.rewriting.changes.positive_steps import with_positive_steps
from volcli.rewriting.changes.tile_orders import is_alike_in_order
from volcli.rewriting.changes.untiling import untiled


def depth(model: FunctionModel) -> int:
    """How many loops of MODEL's function are in one another."""
    return max(len(model.memory_as_written.nests.levels(op.parent)) for op in model.function.walk())


WithoutTiles = tuple[tuple[FunctionModel, FunctionModel], tuple[str, ...]]
"""Two functions without tiles, and what that assumes."""


def compared_without_tiles(
    found: WithoutTiles | None,
    operations: int | None = None,
    *,
    assume_finite: bool = False,
    defined: isl.Set | None = None,
    comparing: Comparing = BY_SOURCES,
) -> FunctionComparison | None:
    """Whether functions compute alike, by what is FOUND of them without tiles; None if that says nothing.

    Sets of integers know nothing of tiles whose sizes are values, and take long for many loops over tiles.
    """
    if found is None:
        return None
    (one, other), needed = found
    in_order = congruent_models(one, other)
    result = compared(
        one,
        other,
        operations,
        assume_finite=assume_finite,
        defined=defined,
        comparing=comparing,
        congruent=in_order is not None,
    )
    if result.verdict == UNKNOWN:
        return None
    rests_on = named_assumptions(needed, noalias=NOALIAS in result.assumptions)
    assumptions = (*result.assumptions, *(in_order or ()), *rests_on)
    return replace(result, assumptions=tuple(dict.fromkeys(assumptions)))


def without_tiles(
    before: tuple[ParsedModule, FunctionModel], after: tuple[ParsedModule, FunctionModel]
) -> WithoutTiles | None:
    """Functions BEFORE and AFTER without tiles, and what that assumes; None if neither has any.

    They execute the same operations, in another order.
    """
    if is_same(before[1].function, after[1].function):
        return None
    every = [untiled(parsed, model) for parsed, model in (before, after)]
    without = [None if found is None or found.orders else found for found in every]
    if without == [None, None]:
        return None
    one, other = (
        model if found is None else FunctionModel(found.function, model.name_of, operations=model.operations)
        for found, (_, model) in zip(without, (before, after), strict=True)
    )
    if max(depth(one), depth(other)) > limits.COMPARED_DEPTH:
        return None
    return (one, other), tuple(text for each in without if each is not None for text in each.assumptions)


def is_alike_counted(
    before: tuple[ParsedModule, FunctionModel], after: tuple[ParsedModule, FunctionModel]
) -> bool:
    """Whether functions do the same, where loops in other steps than 1 count their iterations.

    Sets of integers know no products a + p * k, and cost much for numbers p beside sizes of tiles. AFTER
    without tiles does the same in the same order; and the order of its tiles keeps the dependences of BEFORE.
    """
    if not has_steps(before[1]):
        return False
    if _is_alike(before, after):
        return True
    asserting = with_positive_steps(before, after)
    return asserting is not None and _is_alike(*asserting)


def _is_alike(before: tuple[ParsedModule, FunctionModel], after: tuple[ParsedModule, FunctionModel]) -> bool:
    """The same of a function BEFORE with such loops, with what is known of its steps."""
    found = untiled(*after)
    if found is not None and found.steps:
        return False
    function = copy_of(*after).function if found is None else found.function
    orders = () if found is None else found.orders
    kept = frozenset(value for each in orders for value in each.values)
    model = after[1].anew(function)
    other = without_implied_branches(short(model, kept))
    for version in counted_versions(*before, other):
        other = without_implied_branches(with_ends_of(after[0], other, version.model, kept))
        if is_alike_in_order(before[1], version, other, orders):
            return True
    return False
