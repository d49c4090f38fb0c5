"""Answers about elements that name the assumptions that they needed: without any one, they are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, Place
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.passes.base import Unit
from volcli.passes.limits import limited
from volcli.passes.selection import defining_operation
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget

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
    unused = _report_contradictions(unit, model, value, place)
    every = () if found is None else model.view(value).assumptions()
    names = tuple(name for name in every if name not in unused)
    if found is None or not names:
        return found, reason, ()
    wanted, needless = content(found), unused
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


def _report_contradictions(unit: Unit, model: FunctionModel, value: SSAValue, place: Place) -> frozenset[str]:
    """Say which facts of the user are not used where VALUE is asked about, and why (V214); their names.

    Without another fact, such a one may contradict nothing: it is not a reason for an answer all the same.
    """
    view = model.view(value)
    if not view.declared:
        return frozenset()
    found, _ = limited(unit, place, lambda: view.contradictions)
    for fact, reason in (found or {}).items():
        where = unit.parsed.written_at(defining_operation(model, fact.value))
        unit.report(Diagnostic("V214", f"{fact.text}: {reason}", where))
    return frozenset(fact.text for fact in found or {})
