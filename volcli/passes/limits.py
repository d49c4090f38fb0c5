"""Limits of an answer: budgets, operations without a case, control flow; each is reported once per place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from volcli.diagnostics import Diagnostic, Place, internal
from volcli.language.interface import operation_name
from volcli.language.memory import is_memref
from volcli.limits.presburger import ANSWER
from volcli.passes.base import Unit
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, InternalFailure, budget
from volcli.presburger.limits.exceeded import NOT_REPRODUCIBLE

R = TypeVar("R")


def limited(
    unit: Unit, place: Place, query: Callable[[], R], answer: int = ANSWER
) -> tuple[R | None, str | None]:
    """QUERY's ANSWER within the unit's budget, or None and the reason; V302 (or V900) is said of PLACE."""
    operations = unit.budget or DEFAULT_OPERATIONS
    try:
        with internal.at(place), budget(operations, answer=answer):
            return query(), None
    except BudgetExceeded as error:
        if not isinstance(error, InternalFailure):
            note = "give it more time with --timeout" if NOT_REPRODUCIBLE in str(error) else None
            unit.report(Diagnostic("V302", f"unknown: {error}", place, note))
        return None, error.reason


def report_limits(unit: Unit) -> None:
    """Say which operations had no case (V301) or no exact map (V303), and where blocks branch (V304)."""
    for model in unit.models():
        without_case = {
            op: None
            for view in model.views
            for op in view.relations.without_case
            if op not in view.maps.followed and not any(map(is_memref, op.results))
        }
        for op in without_case:
            where = unit.parsed.written_at(op)
            unit.report(
                Diagnostic(
                    "V301",
                    f"'{operation_name(op)}' op has no element map: assumed to read all elements of its "
                    "operands",
                    where,
                ),
            )
        inexact = {
            op: reason
            for view in model.views
            for op, reason in view.relations.inexact.items()
            if op not in view.maps.followed
        }
        for op, reason in inexact.items():
            where = unit.parsed.written_at(op)
            unit.report(Diagnostic("V303", f"'{operation_name(op)}' op: {reason}", where))
        if model.followed.has_control_flow:
            where = unit.parsed.written_at(model.function)
            unit.report(
                Diagnostic("V304", f"the branches between blocks of {model.name} are not understood", where)
            )
