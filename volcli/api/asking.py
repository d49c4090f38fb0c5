"""How one question is asked: of one function, beside the passes that the program was run through."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.fact import Fact
from volcli.frontend.parse.recursion import deep_recursion
from volcli.limits import printing as limits
from volcli.passes.base import Pass, Unit
from volcli.presburger.limits.budget import unqueried
from volcli.presburger.limits.worker import bounded

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from volcli.model.function import FunctionModel

F = TypeVar("F", bound=Fact)
R = TypeVar("R")


class _Question(Pass):
    """One fact, as a pass: what stops a pass, an internal error say, stops it in the same way."""

    name = "question"
    summary = "one question about one value"
    by_function = True

    def __init__(self, ask: Callable[[Unit, FunctionModel], Fact]) -> None:
        self._ask = ask

    def apply(self, unit: Unit) -> None:
        unit.facts.extend(self._ask(unit, model) for model in unit.models())


def answer(unit: Unit, function: Operation, kind: type[F], ask: Callable[[Unit, FunctionModel], F]) -> F:
    """The answer to ASK about FUNCTION. Raises UsageError (V900) if an internal error prevents one."""
    (found,) = answers(unit, function, kind, _Question(ask))
    return found


def answers(unit: Unit, function: Operation, kind: type[F], each: Pass) -> tuple[F, ...]:
    """The facts of KIND about FUNCTION from a pass.

    Raises UsageError if there are none for an internal error (V900), or for what is nested too deeply (V302).
    """
    with deep_recursion(), unit.aside(function):
        unit.run(each)
        failures = [said for said in unit.diagnostics if said.code in ("V302", "V900")]
        if failures and not unit.facts:
            raise UsageError(failures[0])
        return tuple(fact for fact in unit.facts if isinstance(fact, kind))


def within(units: Sequence[Unit], work: Callable[[], R]) -> R:
    """The result of WORK, which is not a pass, on UNITS; in processes that can be ended if its sets are
    large.

    Raises UsageError (V305) if there is no answer in the time of the first one.
    """
    before = [len(unit.diagnostics) for unit in units]

    def reported() -> tuple[R, list[list[Diagnostic]]]:
        with unqueried():
            result = work()
        said: list[list[Diagnostic]] = []
        for unit, count in zip(units, before, strict=True):
            unit.report_internal_errors()
            said.append(unit.diagnostics[count:])
            del unit.diagnostics[count:]
        return result, said

    def afresh() -> None:
        for unit, count in zip(units, before, strict=True):
            del unit.diagnostics[count:]
            unit.forget()

    done = bounded(reported, afresh, units[0].timeout if units else None)
    if isinstance(done, str):
        raise UsageError(Diagnostic("V305", f"unknown: {done}"))
    result, said = done.result
    for unit, new in zip(units, said, strict=True):
        unit.diagnostics += new
    lost = (Diagnostic("V305", f"not all is known: {reason}") for reason in dict.fromkeys(done.lost))
    if units:
        units[0].diagnostics.extend(lost)
    return result


def unknown_name(what: str, name: str, names: Iterable[str], inside: str | None = None) -> UsageError:
    """That there is no WHAT called NAME (V005), and which of NAMES may be meant.

    It is said on the command line and in Python, and so speaks of the program alone.
    """
    known = [each for each in dict.fromkeys(names) if each.startswith(("%", "@"))]
    place = "" if inside is None else f" in {inside}"
    near = difflib.get_close_matches(name, known, n=1) or [each for each in known if each.startswith(name)]
    more = len(known) - limits.KNOWN_NAMES
    if near:
        note = f"did you mean '{near[0]}'?"
    elif known:
        note = f"there are {', '.join(known[: limits.KNOWN_NAMES])}" + f" and {more} more" * (more > 0)
    else:
        note = f"there is no {what}"
    return UsageError(Diagnostic("V005", f"no {what} {name}{place}", note=note))
