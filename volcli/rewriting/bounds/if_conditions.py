"""The conditions of affine.if without constraints that hold anyhow where it stands, and decided ones.

    affine.for %i = 0 to %n { affine.if (d0, s0) : (d0 >= 0, s0 - d0 - 1 >= 0, d0 - 3 >= 0) ... }

is `(d0 - 3 >= 0)`: the loop says the rest. A constraint goes if the context and all that stay imply it; of an
equality both inequalities. If none stays, the first region always runs, and if the context contradicts all of
them together, the second one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineSetAttr
from xdsl.ir import Block, Operation
from xdsl.ir.affine import AffineConstraintExpr, AffineConstraintKind, AffineSet

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, NotAffine, value_of
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.ground.place_knowledge import PlaceKnowledge, knowledge_at

_CONDITION = "condition"
_Conjunction = tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class SimplerCondition:
    """`new` for the condition of `op`; or True or False, if it always is that."""

    op: Operation
    new: AffineSetAttr | bool

    @property
    def gone(self) -> tuple[Block, ...]:
        """What never runs."""
        if not isinstance(self.new, bool):
            return ()
        return tuple(self.op.regions[self.new].blocks)


def simpler_conditions(model: FunctionModel) -> Iterator[SimplerCondition]:
    """The conditions of affine.if, in the function of MODEL, that are less where they stand."""
    for op in model.function.walk():
        if operation_name(op) == "affine.if":
            condition = op.properties[_CONDITION]
            assert isinstance(condition, AffineSetAttr)
            found = _simpler(condition.data, op, knowledge_at(model, op))
            if found is not None:
                yield SimplerCondition(op, found)


def _simpler(points: AffineSet, op: Operation, known: PlaceKnowledge) -> AffineSetAttr | bool | None:
    """POINTS, the condition of OP, where it is KNOWN that OP runs; None if they stay."""
    try:
        facts = [_facts(each, points, op) for each in points.constraints]
    except NotAffine:
        return None
    if known.is_empty:
        return None
    if known.assuming(*(fact for each in facts for fact in each)).is_empty:
        return False
    kept = list(range(len(facts)))
    for position in reversed(range(len(facts))):
        others = known.assuming(*(fact for k in kept if k != position for fact in facts[k]))
        if all(map(others.proves, facts[position])):
            kept.remove(position)
    if not kept:
        return True
    if len(kept) == len(facts):
        return None
    left = tuple(points.constraints[k] for k in kept)
    return AffineSetAttr(AffineSet(points.num_dims, points.num_symbols, left))


def _facts(constraint: AffineConstraintExpr, points: AffineSet, op: Operation) -> _Conjunction:
    """The inequalities that CONSTRAINT of POINTS is for the operands of OP. Raises NotAffine."""
    values = [value_of(each) for each in op.operands]
    dims, symbols = values[: points.num_dims], values[points.num_dims :]
    difference = evaluate(constraint.lhs, dims, symbols) - evaluate(constraint.rhs, dims, symbols)
    match constraint.kind:
        case AffineConstraintKind.ge:
            return (difference,)
        case AffineConstraintKind.le:
            return (-difference,)
        case AffineConstraintKind.eq:
            return difference, -difference


def write_conditions(changes: Changes, found: Sequence[SimplerCondition]) -> None:
    """Put what was FOUND into the program, inner ones first."""
    for each in reversed(found):
        if isinstance(each.new, bool):
            _put_inside(changes, each.op, each.op.regions[not each.new].blocks)
        else:
            changes.state(each.op, _CONDITION, each.new)


def _put_inside(changes: Changes, op: Operation, blocks: Sequence[Block]) -> None:
    """The operations of the only one of BLOCKS, if there is one, in the place of OP."""
    operations = [inner for block in blocks for inner in block.ops]
    results = tuple(operations[-1].operands) if operations else ()
    target = changes.before(op)
    for inner in operations[:-1]:
        changes.move(inner, target)
    changes.replace(op, results)
