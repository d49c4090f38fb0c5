"""Where poison decides what runs: an operation that branches on it is undefined.

    %s = arith.addi %a, %b overflow<nsw> : i8
    %c = arith.cmpi slt, %s, %n : i8
    scf.if %c { ... }                          after it: -128 <= %a + %b <= 127

So is one that accesses memory there. A result is poison where its operation says so (`poison_free`), or where
it is computed from poison: also if its value does not depend on that, as of `cmpi sle %s, %s`. Whether what a
select or a branch chooses is poison, or what loops carry, is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.traits import IsTerminator

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, Value
from volcli.language.loops import While
from volcli.language.programs.known_loops import counted_loop, is_while, known_loop
from volcli.language.reads import Conjunction, Disjunction, is_number
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits


class Poison:
    """The values of FUNCTION that may be poison, as far as operations say."""

    def __init__(self, function: Operation) -> None:
        self._function = function

    def is_possible(self, value: SSAValue) -> bool:
        """Whether VALUE may be poison, that of arguments and of what is read apart."""
        return value in self._values

    def decides(self, op: Operation) -> bool:
        """Whether OP is undefined for poison, and may have some."""
        return op in self._deciding

    def excluded_by(self, op: Operation) -> list[Disjunction]:
        """What holds if no poison decides what OP does. Raises NotAffine if that is unknown."""
        return self.excluded_from(self._deciding.get(op, ()))

    def excluded_from(self, values: Iterable[SSAValue]) -> list[Disjunction]:
        """What holds where VALUES are not poison. Raises NotAffine if that is unknown."""
        found: dict[Disjunction, None] = {}
        pending = [value for value in values if value in self._values]
        met = {*pending}
        while pending:
            value = pending.pop()
            op = value.owner
            if not isinstance(op, Operation) or op.regions:
                raise NotAffine("whether it is poison is unknown")
            found.update(dict.fromkeys(questions.poison_free(op) or ()))
            operands = [each for each in op.operands if each in self._values]
            if questions.choices.answers(type(op)) and any(each is not op.operands[0] for each in operands):
                raise NotAffine("whether the chosen value is poison is unknown")
            if len(found) > limits.POISON_CONDITIONS:
                raise NotAffine("it is poison in many cases")
            pending += [each for each in dict.fromkeys(operands) if each not in met]
            met.update(operands)
        return list(found)

    def addresses(self, op: Operation) -> bool:
        """Whether OP accesses memory, and some poison would decide where."""
        return self.decides(op) and _accesses(op)

    @cached_property
    def _deciding(self) -> dict[Operation, list[SSAValue]]:
        found: dict[Operation, list[SSAValue]] = {}
        for value in self._values:
            for use in value.uses:
                if _decides(use):
                    found.setdefault(use.operation, []).append(value)
        return found

    @cached_property
    def _values(self) -> dict[SSAValue, None]:
        operations = operations_in(self._function)
        pending: list[SSAValue] = [op.results[0] for op in operations if _makes_poison(op)]
        found = dict.fromkeys(pending)
        while pending:
            uses = [use for use in pending.pop().uses if not _decides(use)]
            new = dict.fromkeys(v for use in uses for v in handed_on(use.operation) if _carries(v))
            pending += [value for value in new if value not in found]
            found.update(new)
        return found


def handed_on(user: Operation) -> Iterator[SSAValue]:
    """What USER hands its operands on to: its results, the arguments of its regions, of its successors."""
    yield from user.results
    for region in user.regions:
        for block in region.blocks:
            yield from block.args
    for successor in user.successors:
        yield from successor.args
    parent = user.parent_op()
    if user.has_trait(IsTerminator) and parent is not None:
        yield from handed_on(parent)


def _carries(value: SSAValue) -> bool:
    """Whether VALUE may be what was handed on: a number, but no variable that counts iterations."""
    parent = value.block.parent_op() if isinstance(value, BlockArgument) else None
    loop = None if parent is None else counted_loop(parent)
    return is_number(value) and (loop is None or all(each.variable is not value for each in loop.inductions))


def _makes_poison(op: Operation) -> bool:
    """Whether OP may give poison for operands that are none."""
    if not questions.poison_free.answers(type(op)) or not op.results or not is_number(op.results[0]):
        return False
    try:
        stated: Sequence[Disjunction] = questions.poison_free(op) or ()
    except NotAffine:
        return True
    return not all(any(map(_is_always, condition)) for condition in stated)


def _is_always(conjunction: Conjunction) -> bool:
    return all(each.is_constant and each.constant >= 0 for each in conjunction)


def _decides(use: Use) -> bool:
    """Whether USE decides what runs, or where: a condition, a bound of a loop, an assertion, an address."""
    op, kind = use.operation, type(use.operation)
    if op.regions:
        loop = known_loop(op)
        if loop is None:
            return questions.choices.answers(kind) or questions.guards.answers(kind)
        initial = loop.initial if isinstance(loop, While) else [each.initial for each in loop.carried]
        return all(op.operands[use.index] is not each for each in initial)
    if len(op.successors) > 1 or questions.assumptions.answers(kind):
        return use.index == 0
    if _accesses(op):
        return op.operands[use.index] in _subscripts(op)
    parent = op.parent_op()
    return use.index == 0 and op.has_trait(IsTerminator) and parent is not None and is_while(parent)


def _accesses(op: Operation) -> bool:
    return not op.regions and questions.accesses.answers(type(op))


def _subscripts(op: Operation) -> set[SSAValue]:
    """What the indices of the one element that OP accesses are computed from."""
    try:
        accesses = questions.accesses(op) or ()
    except NotAffine:
        return set()
    certain = [each for each in accesses if each.partial is None and not each.extents]
    numbers = [n for each in certain for n in each.index if isinstance(n, Expression)]
    return {atom.value for number in numbers for atom in number.atoms() if isinstance(atom, Value)}
