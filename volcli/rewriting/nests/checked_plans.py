"""Whether planned loops run each statement at the points of its system: shown without how they were found.

A statement is run where all bounds of the loops around it and all conditions hold. With F for these and S for
its system

    S |- f for each f in F        it is run at all points of its system
    F |- s for each s in S        it is run nowhere else

over integers, for all values of the symbols. Each point is visited once, since each loop is one variable;
and the order of those that depend on each other is a matter of the dependences, which were looked at before.
Of a loop that several statements share, a point needs to be in one of its alternatives, and is known to be
in all that each of them implies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from volcli.language.expressions import Atom, Expression, expression_of_atom
from volcli.rewriting.changes.changes import BrokenRewrite, Changes
from volcli.rewriting.nests.loop_trees import TiledStatement, TreeLoop
from volcli.rewriting.nests.scanned_trees import JoinedBounds, Planned, TileSystem, facts_of, inside
from volcli.symbolic.context import Context

Alternatives = Sequence[Sequence[Expression]]
"""Of these, all of one hold."""


@dataclass(frozen=True)
class PlanFailure:
    """What does not follow, `goal` >= 0; `refuted` by a witness, or not known."""

    goal: Expression
    witness: Mapping[Atom, int] | None


def check_plan(changes: Changes, tree: TreeLoop, around: TileSystem, plan: Planned) -> None:
    """Raise BrokenRewrite if PLAN is known to run other points than TREE; what is not known, CHANGES say."""
    for failure in plan_failures(tree, around, plan):
        if failure.witness is not None:
            where = " and ".join(f"{atom} = {number}" for atom, number in failure.witness.items())
            raise BrokenRewrite(f"{failure.goal} >= 0 should hold where {where}")
        changes.unit.unchecked.append(f"it is not known whether {failure.goal} >= 0")


def plan_failures(tree: TreeLoop, around: TileSystem, plan: Planned) -> Iterator[PlanFailure]:
    """What cannot be shown of PLAN, which is made for TREE in the tiles AROUND."""
    systems: dict[TiledStatement, Context] = {}
    for statement, tiles in zip(tree.statements, around.inequalities, strict=True):
        own = (each for loop in statement.around for each in loop.inequalities)
        systems[statement] = around.context.assuming(*own, *tiles)
    found = dict.fromkeys(tree.statements, False)
    for statement, known, path in _runs(plan, around.context, ()):
        found[statement] = True
        system = systems[statement]
        given = set(around.context.facts)
        yield from (each for goal in system.facts if goal not in given for each in _failed(known, goal))
        for alternatives in reversed(path):  # what holds of a point helps with its tile
            shown = next((each for each in alternatives if all(map(system.proves, each))), None)
            if shown is None:
                yield from (each for goal in alternatives[0] for each in _failed(system, goal))
            else:
                system = system.assuming(*shown)
    for statement, is_run in found.items():
        if not is_run and not systems[statement].is_empty:
            yield PlanFailure(-expression_of_atom(statement.around[-1].variable), None)


def _failed(known: Context, goal: Expression) -> Iterator[PlanFailure]:
    entailed = known.decide(goal)
    if entailed.holds is not True:
        yield PlanFailure(goal, entailed.witness)


def _runs(
    plan: Planned, known: Context, path: tuple[Alternatives, ...]
) -> Iterator[tuple[TiledStatement, Context, tuple[Alternatives, ...]]]:
    """Each statement in PLAN, what is KNOWN where it is run, and all bounds and conditions around it."""
    if plan.conditions:
        known, path = known.assuming(*plan.conditions), (*path, (plan.conditions,))
    if isinstance(plan.run, TiledStatement):
        yield plan.run, known, path
    if plan.bounds is None:
        return
    within = inside(plan.bounds, known)
    around = (*path, *_sides(plan.bounds))
    for each in plan.body:
        yield from _runs(each, within, around)


def _sides(bounds: JoinedBounds) -> Iterator[Alternatives]:
    """That the variable of BOUNDS is in them: below, and above."""
    yield [facts_of(bounds.variable, side, lower=True) for side in bounds.lower]
    yield [facts_of(bounds.variable, side, lower=False) for side in bounds.upper]
