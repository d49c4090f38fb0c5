"""partition: structured operations become several, which leave out what is structurally zero."""

from __future__ import annotations

from dataclasses import dataclass

from volcli.diagnostics import Diagnostic
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.passes.base import Pass, Unit, option
from volcli.presburger.profiles.partition import PART_COST
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.tensors.partition import Limits, Plan, planned, split


@dataclass(frozen=True)
class Partition(Pass):
    """Split each structured operation (convolution, contraction, ...) by what contributes to its result.

    A loop point that multiplies by a structural zero is left out: the result becomes a few parts, boxes that
    may be strided, each computed by the same operation, with reductions no longer than is needed, on slices
    of the operands, and inserted into the initial value. A transposed convolution of stride 2 becomes four
    convolutions of the input without zeros between its elements; a product with a triangular matrix becomes
    slabs; a padded convolution an interior and edges, which read the input without padding.

    The cost is the number of operations, 4 for each element of a part that is copied with its padding, and
    `part-cost` for each part; of the boxes along the loops, at most `max-parts`, the cheapest are taken.

    Of floats `x + 0 * y` is x only if y is finite and the sign of a zero does not matter. Operations say so
    by `fastmath<nnan,ninf,nsz>`; `assume-finite` says it of all. Without either, only padding is cut off, and
    a remark (V311) says how many loop points could be left out.

    A remark (V312) names the domains that are declared of arguments (volcli.domain), if it rests on them.

    An operation in a loop or a branch is split there, by the facts about its operands in all iterations.

    What is in another region, or in a function of several blocks, stays as it is, which a remark says (V310).
    """

    name = "partition"
    summary = "operations by parts that leave out structural zeros"
    rewrites = True
    wants = "operations on tensors that multiply by structural zeros"

    assume_finite: bool = option(
        False, help="numbers are finite and signs of zeros do not matter: as fastmath<nnan,ninf,nsz>"
    )
    max_parts: int = option(16, help="the most parts of one operation")
    part_cost: int = option(PART_COST, help="the operations that one more part must save")

    def apply(self, unit: Unit) -> None:
        """Plan all operations of a function, then change them from the last one on."""
        changes = Changes(unit, self.name)
        limits = Limits(max(self.max_parts, 1), max(self.part_cost, 0), self.assume_finite)
        for model in unit.models():
            plans: list[Plan] = []
            for op in list(model.function.walk()):
                plan = planned(changes, model, op, limits)
                if plan is not None:
                    plans.append(plan)
                    self._say(unit, plan)
            for plan in reversed(plans):
                if not plan.boxes:
                    continue
                try:
                    split(changes, plan)
                except NotAffine as error:
                    _left(unit, plan, str(error))
        changes.share()
        changes.finish(erase_dead=True, assume_finite=self.assume_finite)

    @staticmethod
    def _say(unit: Unit, plan: Plan) -> None:
        if plan.reason is not None and not plan.nest.moves:
            _left(unit, plan, plan.reason)
        if plan.open_ is not None and not plan.nest.moves:
            message = f"{plan.open_} of {operation_name(plan.op)} contribute a structural zero, and are kept"
            unit.diagnostics.append(Diagnostic("V311", message, unit.parsed.written_at(plan.op)))
        if plan.boxes and plan.declared:
            message = f"{operation_name(plan.op)} is split, as {' and '.join(plan.declared)}"
            unit.diagnostics.append(Diagnostic("V312", message, unit.parsed.written_at(plan.op)))


def _left(unit: Unit, plan: Plan, reason: str) -> None:
    message = f"{operation_name(plan.op)} is not split: {reason}"
    unit.diagnostics.append(Diagnostic("V310", message, unit.parsed.written_at(plan.op)))
