"""check-lifetimes: memory that is used after it was freed, freed twice, or on the stack and returned."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.diagnostics import Diagnostic
from volcli.model.function import FunctionModel
from volcli.model.memory.dependences.naming import example_text
from volcli.model.memory.lifetimes.answers import Misuse, Wrong, misuse_text
from volcli.model.memory.occurrence.certainty import calls_of, first_point
from volcli.passes.analyses.reached import ReachedArguments
from volcli.passes.base import Pass, Unit

_CODES = {
    Wrong.USED: "V216",
    Wrong.FREED_TWICE: "V217",
    Wrong.NO_ALLOCATION: "V217",
    Wrong.LEAVES: "V218",
}


@dataclass(frozen=True)
class CheckLifetimes(Pass):
    """Find memory that is used after it was freed, is freed twice, or leaves its function on the stack.

    Each operation is visited in the order of execution, through branches, loops, views and the functions that
    are called. A branch frees what it frees in its own executions only; memory that is allocated again in an
    iteration is new. Of what is freed in some iterations of a loop, sets of iterations say which are later.

    Findings: memory is accessed or returned after it was freed (V216); it is freed twice, or was not
    allocated: memory on the stack, a global, the middle of a buffer (V217); memory on the stack is
    returned, or stored where it is found after the function, or after its memref.alloca_scope (V218). All
    are certain, in some iteration, for each execution that gets there, if no size is 0; of a private
    function, if a call in the file passes arguments with which it does. What may be so for some executions
    is not found; `volcli diff` does not call such a program equal to another one.
    """

    name = "check-lifetimes"
    summary = "memory that is used after it was freed, freed twice, or leaves its function on the stack"
    by_function = True

    def apply(self, unit: Unit) -> None:
        """A finding for each operation that is certainly wrong."""
        for model in unit.models():
            for each in model.misuses:
                example = _example(unit, model, each) if each.certain else None
                if example is not None:
                    unit.report(_diagnostic(unit, model, each, example))


def _example(unit: Unit, model: FunctionModel, misuse: Misuse) -> str | None:
    """In which iteration MISUSE happens, if not in all; None if it is in no execution."""
    reached, at = unit.shared(ReachedArguments), misuse.at
    if at is None:
        return "" if reached.may_run(model, misuse.op) else None
    given = reached.arguments(model, calls_of(model.memory, at.happens, at.runs))
    if given is None:
        return None
    points = model.memory.with_numbers(at.happens.points, given)
    return None if points.is_empty() else example_text(model.memory, at.levels, first_point(points))


def _diagnostic(unit: Unit, model: FunctionModel, misuse: Misuse, example: str) -> Diagnostic:
    related = ()
    if misuse.earlier is not None:
        verb = "allocated" if misuse.wrong is Wrong.LEAVES else "freed"
        related = ((unit.parsed.written_at(misuse.earlier), f"{verb} here"),)
    said = misuse_text(misuse, model.name_of(misuse.value), example)
    place = unit.parsed.written_at(misuse.op)
    return Diagnostic(_CODES[misuse.wrong], said, place, related=related)
