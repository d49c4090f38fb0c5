"""Answers about elements that name the assumptions that they needed: without any one, they are others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, Place
from volcli.language import questions
from volcli.language.programs.blocks import home
from volcli.language.programs.loop_numbers import LoopNumbers
from volcli.limits import values as limits
from volcli.model.function import FunctionModel
from volcli.model.machine import assumptions
from volcli.model.view import VolumesView
from volcli.model.volumes.maps.inner_values import definitions_before
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
    if found is None:
        return found, reason, ()
    wanted, needless = content(found), unused
    of_numbers: tuple[str, ...] = ()
    may_change = model.computes and model.assuming.arithmetic.may_change(value)
    if may_change:
        of_numbers = assumptions(model, lambda other: _says(other, value, query, content) == wanted)
    if may_change and not of_numbers and (in_bodies := _assumed_in_bodies(model, value)) is not None:
        of_numbers = (in_bodies,)
    names = tuple(name for name in model.view(value).assumptions() if name not in unused)
    if not names:
        return found, reason, of_numbers
    for group in (names, *((name,) for name in names if len(names) > 1)):
        without = needless.union(group)
        try:
            with budget(unit.budget or DEFAULT_OPERATIONS):
                other = query(model.view(value, without))
        except BudgetExceeded:
            continue
        if content(other) == wanted:
            found, needless = other, without
    needed = (name for name in names if name not in needless)
    return found, None, tuple(dict.fromkeys((*needed, *of_numbers)))


def _says(
    model: FunctionModel, value: SSAValue, query: Callable[[VolumesView], R], content: Callable[[R], object]
) -> object:
    """The CONTENT of QUERY's answer about VALUE in MODEL; None if it costs too much."""
    try:
        with budget(limits.OVERFLOW_OPERATIONS):
            return content(query(model.view(value)))
    except BudgetExceeded:
        return None


def _assumed_in_bodies(model: FunctionModel, value: SSAValue) -> str | None:
    """What is assumed of the numbers that bodies before VALUE compute, which are integers there."""

    def is_computed_in_a_body(result: SSAValue) -> bool:
        around = home(result)
        op = None if around is None else around.parent_op()
        if around is None or op is None or op not in before or questions.loop.answers(type(op)):
            return False
        is_body = questions.element_reads.answers(type(op))
        return is_body and LoopNumbers(around, {}).expression(result) is not None

    before = {result.op for result in definitions_before(value) if result.op.regions}
    return model.assuming.arithmetic.assumed_for(is_computed_in_a_body) if before else None


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
