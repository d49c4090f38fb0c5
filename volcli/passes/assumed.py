"""Answers about elements that name the assumptions that they needed: without any one, they are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import SSAValue

from volcli.diagnostics import Place
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.passes.base import Unit
from volcli.passes.limits import limited
from volcli.presburger.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget

R = TypeVar("R")


def asked(
    unit: Unit,
    model: FunctionModel,
    value: SSAValue,
    place: Place,
    query: Callable[[VolumesView], R],
    content: Callable[[R], object],
) -> tuple[R | None, str | None, tuple[str, ...]]:
    """QUERY's answer about VALUE within the budget, or None and the reason; and the assumptions it needs.

    If CONTENT says that an answer without some assumptions is the same, it is that one.
    """
    found, reason = limited(unit, place, lambda: query(model.view(value)))
    names = () if found is None else model.view(value).assumptions()
    if found is None or not names:
        return found, reason, ()
    wanted, needless = content(found), frozenset[str]()
    for group in (names, *((name,) for name in names if len(names) > 1)):
        without = needless.union(group)
        try:
            with budget(unit.budget or DEFAULT_OPERATIONS):
                other = query(model.view(value, without))
        except BudgetExceeded:
            continue
        if content(other) == wanted:
            found, needless = other, without
    return found, None, tuple(name for name in names if name not in needless)
