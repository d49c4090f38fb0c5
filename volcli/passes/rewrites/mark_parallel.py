"""mark-parallel: affine.for becomes affine.parallel where the iterations are proved to need no order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic
from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.language.loops import Loop
from volcli.model.memory.dependences.assumed import DIFFERENT
from volcli.model.memory.loops.loops import ASSERTIONS, LoopAnswer, LoopKind, Loops, named_assumptions
from volcli.passes.base import Pass, Unit, option
from volcli.rewriting.changes.changes import Changes


@dataclass(frozen=True)
class MarkParallel(Pass):
    """Make each affine.for an affine.parallel that is proved to be one.

    That is what mlir-opt's `affine-parallelize` does, with exact dependences. With `parallel-reductions`, a
    loop that carries only sums (products, minima, ...) becomes an affine.parallel that reduces. A loop whose
    buffers are arguments is parallel if these are different memory, and a remark (V308) says so.
    """

    name = "mark-parallel"
    summary = "affine.for becomes affine.parallel where that is proved"
    rewrites = True
    wants = "affine.for whose iterations are proved independent"

    parallel_reductions: bool = option(False, help="also loops that only combine values")
    max_nested: int = option(0, help="the most nested parallel loops; 0: any number")
    assume_noalias_args: bool = option(
        False, help="assume that arguments are different memory, without stating it"
    )

    def apply(self, unit: Unit) -> None:
        """Rewrite the loops of each function, from the outside."""
        changes = Changes(unit, self.name)
        for model in unit.models():
            for answer in Loops(model.memory_as_written).all():
                if not self._is_wanted(answer) or not self._fits(answer.op):
                    continue
                if (made := changes.parallelize(answer.op)) is not None:
                    self._say(unit, answer, made)
        changes.finish()

    def _is_wanted(self, answer: LoopAnswer) -> bool:
        if answer.kind is LoopKind.REDUCTION:
            return self.parallel_reductions and not answer.carried
        return answer.kind is LoopKind.PARALLEL

    def _fits(self, op: Operation) -> bool:
        """Whether there are not too many parallel loops around OP: those of the program, and new ones."""
        around, parent = 0, op.parent_op()
        while parent is not None:
            around += _is_parallel(parent)
            parent = parent.parent_op()
        return not self.max_nested or around < self.max_nested

    def _say(self, unit: Unit, answer: LoopAnswer, made: Operation) -> None:
        assumptions = named_assumptions(answer.assumptions, noalias=self.assume_noalias_args)
        assumptions = (*assumptions, *dict.fromkeys(_zeros_without_signs(made)))
        if assumptions:
            message = f"parallel if {' and '.join(assumptions)}"
            place = unit.parsed.written_at(answer.op)
            unit.diagnostics.append(Diagnostic("V308", message, place, note=_next_step(assumptions)))


def _is_parallel(op: Operation) -> bool:
    """Whether OP is a loop whose iterations have no order."""
    found = questions.loop(op)
    return isinstance(found, Loop) and any(not each.sequential for each in found.inductions)


def _zeros_without_signs(made: Operation) -> Iterator[str]:
    """What is assumed of the sums that the loop MADE begins with 0.0, so that -0.0 becomes 0.0."""
    for result in made.results:
        for use in result.uses:
            flags = questions.fastmath(use.operation) or ()
            if questions.combines(use.operation) == "addf" and not {"nsz", "fast"}.intersection(flags):
                yield f"nsz of {operation_name(use.operation)}"


def _next_step(assumptions: tuple[str, ...]) -> str | None:
    """What to do about ASSUMPTIONS; None: what the table of codes says of buffers."""
    if all(text.endswith(DIFFERENT) for text in assumptions):
        return None
    if ASSERTIONS in assumptions:
        return "see that the assertions hold in each iteration"
    return "see that another order is wanted, and say so with fastmath flags: fastmath<reassoc,nsz>"
