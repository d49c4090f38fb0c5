"""Trees of minima, maxima and choices of index values: the same number by fewer operations.

The *tree* of a value are the operations that it is computed by and that nothing else uses: sums, products,
quotients, extrema and choices. It is read as an expression over its leaves and simplified where it stands
(see `volcli.symbolic.extrema`):

    %r = minsi(minsi(%p, %q), %p - 2)       min(%p - 2, %q)
    affine.min(32, %n - %i) where %i is a multiple of 32 below %n, and so is %n      32

A choice is one of its values, where its condition is known; their extremum, where its condition says which is
larger: `select(a < b, a, b)` is min(a, b); else a choice between values that are simplified where the
condition holds, and where it does not. So conditions that repeat outer ones go.

All is decided of the program as it is. A tree is written anew only if that takes fewer cycles than what goes
(see `volcli.language.instructions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    NotAffine,
    Value,
    maximum,
    minimum,
    substitute,
    value_of,
)
from volcli.language.instructions import Instruction, Instructions, cycles
from volcli.language.interface import operation_name
from volcli.language.memory import Effects
from volcli.limits import rewriting as limits
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import effects_of
from volcli.rewriting.ground.index_arithmetic import (
    conditions_of,
    goes_with,
    instructions_of,
    is_choice,
    is_constant,
    needed,
)
from volcli.rewriting.ground.place_knowledge import PlaceKnowledge, knowledge_at
from volcli.symbolic.cost import instructions
from volcli.symbolic.extrema import simplified


@dataclass(frozen=True, eq=False)
class Chosen:
    """A choice that stays: OP with other values, each None where it stays, too."""

    op: Operation
    values: tuple[Plan | None, Plan | None]


Plan = Expression | Chosen
"""What takes the place of a value."""


@dataclass(frozen=True, eq=False)
class Rewriting:
    """`new` for the result of `op`, the root of a tree."""

    op: Operation
    new: Plan


class BoundTrees:
    """The trees of the function of MODEL."""

    def __init__(self, model: FunctionModel) -> None:
        self._model = model
        self._extrema: dict[OpResult, Expression | None] = {}

    def rewritings(self) -> Iterator[Rewriting]:
        """A better tree for each root that has one, in the order of the program."""
        for op in self._model.function.walk():
            if self._is_root(op) and (found := self._better(op)) is not None:
                yield found

    # -- what is a tree --------------------------------------------------------------------------------

    def _is_root(self, op: Operation) -> bool:
        """Whether OP is an extremum or a choice of index values, and not a part of a larger one."""
        if not self._is_node(op):
            return False
        users = {use.operation for use in op.results[0].uses}
        return bool(users) and not (len(users) == 1 and self._is_node(next(iter(users)), of_any=True))

    def _is_node(self, op: Operation, *, of_any: bool = False) -> bool:
        """Whether all that OP does is an extremum or a choice (OF_ANY: anything) of index values."""
        if len(op.results) != 1 or not isinstance(op.results[0].type, IndexType) or op.regions:
            return False
        if effects_of(op) != Effects() or questions.accesses(op) or not questions.instructions(op):
            return is_choice(op)
        value = self._value(op)
        return value is not None and (of_any or isinstance(value.single_atom, Minimum | Maximum))

    def _value(self, op: Operation) -> Expression | None:
        """What OP computes, if that takes no more to write than OP does."""
        result = op.results[0]
        assert isinstance(result, OpResult)
        if result not in self._extrema:
            self._extrema[result] = self._new_value(op, result)
        return self._extrema[result]

    def _new_value(self, op: Operation, result: OpResult) -> Expression | None:
        try:
            value = questions.value_of_result(result)
        except NotAffine:
            return None
        own = questions.instructions(op)
        if own is None:
            return None
        if is_choice(op):
            return self._as_extremum(op)
        if value is not None:
            return value if cycles(instructions(value)) <= cycles(own) else None
        if own == Instructions((Instruction.COMPARE,)) and len(op.operands) == 2:
            return self._as_signed(op, value_of(result))
        return None

    def _as_signed(self, op: Operation, result: Expression) -> Expression | None:
        """The minimum or maximum that an unsigned one is, where no operand is negative."""
        left, right = map(value_of, op.operands)
        for extremum in (minimum(left, right), maximum(left, right)):
            if self._knowledge(op).proves(result - extremum) and self._knowledge(op).proves(
                extremum - result
            ):
                return extremum
        return None

    def _as_extremum(self, op: Operation) -> Expression | None:
        """The extremum that a choice is, if its condition says which value is larger."""
        conditions = conditions_of(op)
        if conditions is None or any(len(each) != 1 for each in conditions):
            return None
        first, second = value_of(op.operands[1]), value_of(op.operands[2])
        known = self._knowledge(op)
        (where,), (elsewhere,) = conditions
        for sign, extremum in ((1, minimum), (-1, maximum)):
            less = sign * (second - first)
            if known.assuming(*where).proves(less) and known.assuming(*elsewhere).proves(-less):
                return extremum(first, second)
        return None

    def _knowledge(self, op: Operation) -> PlaceKnowledge:
        return knowledge_at(self._model, op)

    # -- rewriting -------------------------------------------------------------------------------------

    def _better(self, op: Operation) -> Rewriting | None:
        """OP's tree by fewer cycles, if that is possible."""
        known = self._knowledge(op)
        goes = goes_with(op)
        if is_choice(op):
            new = self._choice(op, known, goes)
            if new is not None:
                return None if _is_same(new, op) else Rewriting(op, new)
            if self._value(op) is None:
                return None
        family = operation_name(op).partition(".")[0]
        best: tuple[int, Expression] | None = None
        for everything in (False, True):

            def inside(other: Operation, everything: bool = everything) -> bool:
                is_alike = family != "affine" or operation_name(other).startswith("affine.")
                return is_alike and (everything or other in goes)

            found = self._simplified(op, known, goes, inside)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
        return None if best is None else Rewriting(op, best[1])

    def _simplified(
        self,
        op: Operation,
        known: PlaceKnowledge,
        goes: set[Operation],
        inside: Callable[[Operation], bool],
    ) -> tuple[int, Expression] | None:
        """The tree of OP where KNOWN holds, and by how many cycles it is more (below 0), if it is less.

        What the leaves of the new one need stays.
        """
        try:
            new = simplified(self._expanded(op.results[0], known, inside), known)
        except NotAffine:
            return None
        stays = needed(new) & goes
        more = cycles(instructions(new)) - cycles(instructions_of(goes - stays))
        return (more, new) if more < 0 else None

    def _expanded(
        self, value: SSAValue, known: PlaceKnowledge, inside: Callable[[Operation], bool], depth: int = 0
    ) -> Expression:
        """VALUE over the leaves of its tree: operations that are INSIDE of it are put in."""
        if not isinstance(value, OpResult) or depth == limits.BOUND_DEPTH:
            return value_of(value)
        op = value.op
        own = self._value(op) if depth == 0 or inside(op) or is_constant(op) else None
        if own is None:
            return value_of(value)

        def operand(atom: Atom) -> Expression | None:
            if isinstance(atom, Value) and isinstance(atom.value.type, IndexType):
                return self._expanded(atom.value, known, inside, depth + 1)
            return None

        found = substitute(own, operand)
        if len({atom for atom in found.atoms() if isinstance(atom, Value)}) > limits.BOUND_LEAVES:
            raise NotAffine("too many leaves")
        return found

    # -- choices ---------------------------------------------------------------------------------------

    def _choice(self, op: Operation, known: PlaceKnowledge, goes: set[Operation]) -> Plan | None:
        """What the choice OP is; None if it stays as it is."""
        conditions = conditions_of(op)
        if conditions is None:
            return None
        values = op.operands[1], op.operands[2]
        for number, condition in enumerate(conditions):
            if known.excludes(condition):
                return self._planned(values[1 - number], known, goes)
        inside = [known.assuming(*each[0]) if len(each) == 1 else known for each in conditions]
        same = self._always(values, inside)
        if same is not None:
            return same
        plans = [self._planned(value, where, goes) for value, where in zip(values, inside, strict=True)]
        changed = [
            None if plan == value_of(value) else plan for plan, value in zip(plans, values, strict=True)
        ]
        return Chosen(op, (changed[0], changed[1])) if any(each is not None for each in changed) else None

    def _always(self, values: tuple[SSAValue, SSAValue], inside: list[PlaceKnowledge]) -> Expression | None:
        """The one of VALUES that the choice always is, if one is the other wherever that is chosen."""
        first, second = map(value_of, values)
        difference = second - first
        if all(inside[0].proves(sign * difference) for sign in (1, -1)):
            return second
        if all(inside[1].proves(sign * difference) for sign in (1, -1)):
            return first
        return None

    def _planned(self, value: SSAValue, known: PlaceKnowledge, goes: set[Operation]) -> Plan:
        """What takes the place of VALUE, one of a choice, where KNOWN holds."""
        if not isinstance(value, OpResult) or value.op not in goes or not self._is_node(value.op):
            return value_of(value)
        if is_choice(value.op):
            return self._choice(value.op, known, goes) or value_of(value)
        own = goes_with(value.op)
        found = self._simplified(value.op, known, own, lambda other: other in own)
        return value_of(value) if found is None else found[1]


def _is_same(plan: Plan, op: Operation) -> bool:
    return isinstance(plan, Expression) and plan == value_of(op.results[0])
