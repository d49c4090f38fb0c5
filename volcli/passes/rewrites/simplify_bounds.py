"""simplify-bounds: minima, maxima and choices of index values by fewer operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from volcli.language.expressions import Atom, Expression, Value, substitute, value_of
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.passes.base import Pass, Unit
from volcli.rewriting.bounds.bound_trees import BoundTrees, Chosen, Plan, Rewriting
from volcli.rewriting.bounds.if_conditions import simpler_conditions, write_conditions
from volcli.rewriting.bounds.loop_bounds import shorter_bounds
from volcli.rewriting.bounds.nested_choices import nested_choices, write_nested
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.materialize import AsAskedFor, Materializer, Minus, fits
from volcli.rewriting.ground.discovery import visible
from volcli.rewriting.ground.index_arithmetic import goes_with


@dataclass(frozen=True)
class SimplifyBounds(Pass):
    """Replace minima, maxima and choices of index values by what they are where they stand, if that is less.

    An operand goes that another one, or several, are never above, in the loops, branches and assumptions
    around: `affine.min` of 32 and %n - %i is 32 where %i goes in steps of 32 to %n, a multiple of it.
    A choice whose condition is known is one value; a condition that an outer one decides goes; a chain that
    asks a condition twice becomes a choice in a choice. What is added
    to all operands is added once. Signed and unsigned operations of arith and index alike; products are
    compared as polynomials. What takes as many cycles as before stays as it is written.

    The bounds of affine.for lose results of their maps that other results are never below, or above; the
    conditions of affine.if lose constraints that hold anyhow, and where they are decided, one region stays.
    """

    name = "simplify-bounds"
    summary = "minima, maxima and choices of index values by fewer operations"
    rewrites = True
    wants = "minima, maxima and choices of index values that fewer operations can compute"

    def apply(self, unit: Unit) -> None:
        """Decide all of the program as it is, then rewrite it."""
        changes = Changes(unit, self.name)
        changes.is_claimed = True
        for model in unit.models():
            shorter = list(shorter_bounds(model))
            conditions = list(simpler_conditions(model))
            gone = [block for each in conditions for block in each.gone]
            trees = [each for each in BoundTrees(model).rewritings() if not _is_in(each.op, gone)]
            rewritten = {inner for each in trees for inner in goes_with(each.op)}
            chains = [c for c in nested_choices(model.bounds, rewritten) if not _is_in(c.op, gone)]
            _Writer(changes, model).rewrite(trees)
            for chain in chains:
                write_nested(changes, chain)
            changes.is_claimed &= not shorter and not conditions
            for each in shorter:
                changes.state(each.op, each.name, each.new)
            write_conditions(changes, conditions)
        changes.finish(erase_dead=True)


def _is_in(op: Operation, blocks: Sequence[Block]) -> bool:
    """Whether OP is in one of BLOCKS."""
    return any(block.is_ancestor(op) for block in blocks)


class _Writer:
    """Writes what was decided of one function."""

    def __init__(self, changes: Changes, model: FunctionModel) -> None:
        self._changes = changes
        self._model = model
        self._order = AsAskedFor()
        self._replaced: dict[SSAValue, SSAValue] = {}

    def rewrite(self, rewritings: list[Rewriting]) -> None:
        """Rewrite what can be written where it stands."""
        for each in rewritings:
            if self._can_be_written(each.new, each.op):
                self._rewrite(each)

    def _can_be_written(self, plan: Plan, at: Operation) -> bool:
        if isinstance(plan, Chosen):
            return all(each is None or self._can_be_written(each, at) for each in plan.values)
        variables = [atom for atom in plan.atoms() if isinstance(atom, Value)]
        return fits(plan) and all(visible(v.value, at, self._model.bounds.definitions) for v in variables)

    def _rewrite(self, each: Rewriting) -> None:
        made = self._made(each.new, each.op)
        if made is each.op.results[0]:
            return
        old = each.op.results[0]
        self._replaced[old] = made
        self._changes.claim(value_of(old), "==", value_of(made), at=each.op)
        self._changes.supersede(each.op, [made])

    def _made(self, plan: Plan, at: Operation) -> SSAValue:
        """PLAN as a value, computed in front of AT."""
        if isinstance(plan, Chosen):
            for position, value in enumerate(plan.values, start=1):
                if value is not None:
                    self._changes.is_claimed = False
                    self._changes.use(plan.op, position, self._made(value, plan.op))
            return plan.op.results[0]
        use_arith = not operation_name(at).startswith("affine.")
        materializer = Materializer(self._changes.before(at), self._order, use_arith, minus=Minus.SUBTRACTED)
        return materializer.value(self._current(plan))

    def _current(self, expression: Expression) -> Expression:
        """EXPRESSION with what was replaced meanwhile."""

        def current(atom: Atom) -> Expression | None:
            if not isinstance(atom, Value) or atom.value not in self._replaced:
                return None
            return self._current(value_of(self._replaced[atom.value]))

        return substitute(expression, current)
