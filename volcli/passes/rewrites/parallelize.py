"""parallelize: the blocks of a parallel loop on as many processors as a value says."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import NotAffine
from volcli.model.function import FunctionModel
from volcli.model.memory.loops.loops import LoopAnswer, LoopKind, named_assumptions
from volcli.passes.base import Pass, Unit, option
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.loop_code import FOR, PARALLEL
from volcli.rewriting.ground.discovery import visible
from volcli.rewriting.nests.block_distribution import BlockDistribution
from volcli.rewriting.nests.operation_loops import put_loops


@dataclass(frozen=True)
class Parallelize(Pass):
    """Distribute parallel loops over processors, whose number is a value, in blocks of iterations.

    The outermost loops of each nest that are proved to be parallel, or those over the variables `loops`,
    become a loop over processors around a loop over the block of one: `ceildiv(n, processors)` of the n
    iterations. The outer one is an scf.parallel, or an scf.for if `kind` says so. A number of processors
    below 1 counts as 1. Two arguments are taken to be different memory only if `assume-noalias-args` says so.

    Operations of linalg on memrefs become loops first, if no `loops` are named.
    """

    name = "parallelize"
    summary = "blocks of a parallel loop on as many processors as a value"
    rewrites = True
    wants = "loops with the induction variables in `loops`, all of them parallel"

    processors: str = option("", help="the number of processors, a value with its %")
    loops: tuple[str, ...] = option((), help="the induction variables of the loops, with their %")
    kind: str = option(PARALLEL, help=f"the loop over processors: {PARALLEL} or {FOR}")
    assume_noalias_args: bool = option(False, help="arguments are different memory")

    def apply(self, unit: Unit) -> None:
        """Distribute the loops of each function that has the value."""
        if not self.processors:
            raise _wrong(f"{self.name}: option 'processors' is a value, as in processors=%p")
        if self.kind not in (PARALLEL, FOR):
            raise _wrong(f"{self.name}: option 'kind' is {PARALLEL} or {FOR}, not '{self.kind}'")
        changes = Changes(unit, self.name)
        if not self.loops:
            for model in list(unit.models()):
                put_loops(changes, model, partial(self._hindrance, unit, model), "distributed")
        is_found = False
        for model in unit.models():
            blocks = BlockDistribution(changes, model.memory_as_written.nests, model.bounds)
            done: set[Operation] = set()
            answers = list(model.loops_as_written.all())
            is_found |= any(self._is_wanted(model, answer) for answer in answers)
            around = {answer.op: set(answer.op.walk()) for answer in answers}
            refused: list[LoopAnswer] = []
            for answer in answers:
                if answer.op in done or not self._is_wanted(model, answer):
                    refused += [answer] if not self.loops and answer.op not in done else []
                    continue
                reason = self._distributed(model, answer, blocks)
                if reason is None:
                    done |= around[answer.op]
                else:
                    _say(unit, model, answer, reason)
                    done |= set() if self.loops else {answer.op}
            for answer in refused:
                if not done.isdisjoint(around[answer.op]):
                    continue
                done |= around[answer.op]
                _say(unit, model, answer, _not_parallel(model, answer))
        for model in unit.models() if self.loops and not is_found else ():
            message = f"@{model.name} is not distributed: it has no loop over {' or '.join(self.loops)}"
            unit.diagnostics.append(Diagnostic("V310", message, unit.parsed.written_at(model.function)))
        changes.finish(erase_dead=True)

    def _hindrance(
        self, unit: Unit, model: FunctionModel, op: Operation, body: TensorDefinition
    ) -> str | None:
        """Why the loops of OP are not distributed, if so: writes of one element have an order."""
        if not any(atom for output in body.outputs for each in output.element for atom, _ in each.terms):
            return "none of its loops is parallel"
        found = self._processors_before(unit, model, op)
        return found if isinstance(found, str) else None

    def _processors_before(self, unit: Unit, model: FunctionModel, op: Operation) -> SSAValue | str:
        """The number of processors, in the place of OP; or why it is none."""
        processors = unit.parsed.names.find(model.function, self.processors)
        if processors is None:
            return f"there is no {self.processors} in @{model.name}"
        if not isinstance(processors.type, IndexType):
            return f"{self.processors} is not an index"
        if not model.owns(processors) or not visible(processors, op, model.bounds.definitions):
            return f"{self.processors} is computed in a region or after it"
        return processors

    def _is_wanted(self, model: FunctionModel, answer: LoopAnswer) -> bool:
        if not self.loops:
            return answer.kind is LoopKind.PARALLEL
        variable = answer.levels[0].variable
        return variable is not None and model.name_of(variable) in self.loops

    def _distributed(self, model: FunctionModel, answer: LoopAnswer, blocks: BlockDistribution) -> str | None:
        """Distribute the loop of ANSWER; why that is not possible, if so."""
        if answer.kind is not LoopKind.PARALLEL:
            return _not_parallel(model, answer)
        processors = self._processors_before(blocks.changes.unit, model, answer.op)
        if isinstance(processors, str):
            return processors
        assumed = named_assumptions(answer.assumptions, noalias=self.assume_noalias_args)
        if assumed:
            return f"it is only legal if {' and '.join(assumed)}"
        try:
            blocks.distribute(answer.op, processors, self.kind)
        except NotAffine as error:
            return str(error)
        return None


def _say(unit: Unit, model: FunctionModel, answer: LoopAnswer, reason: str) -> None:
    """That the loop of ANSWER is not distributed, and the REASON."""
    variable = answer.levels[0].variable
    name = "a loop" if variable is None else model.name_of(variable)
    at = unit.parsed.written_at(answer.op)
    unit.diagnostics.append(Diagnostic("V310", f"{name} is not distributed: {reason}", at))


def _not_parallel(model: FunctionModel, answer: LoopAnswer) -> str:
    """Why the loop of ANSWER is not parallel."""
    if answer.because is not None:
        return f"it is not known whether it is parallel: {answer.because}"
    if answer.carried:
        first, names = answer.carried.first_ones()[0], model.memory_as_written.names
        return f"it carries a dependence of {names.access(first.sink)} on {names.access(first.source)}"
    updates = [update.target for update in answer.updates]
    return f"it carries {' and '.join((*answer.values, *updates)) or 'a value'}"


def _wrong(message: str) -> UsageError:
    return UsageError(Diagnostic("V002", message))
