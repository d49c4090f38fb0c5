"""What the index arithmetic of a function costs, as it is written.

The slice of a number are the operations that it is computed by, backwards up to arguments, sizes, loaded
values and variables of loops, each counted once. It costs the sum of what its operations do:

    %a = arith.muli %n, %n        3
    %b = arith.addi %a, %a        1        %b: one product and one sum, 4 cycles

Asked for are the numbers that are used by something else than such arithmetic, the bounds of each loop, and
the subscripts that an operation computes by a map of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, Value
from volcli.language.instructions import Instruction, Instructions, cycles
from volcli.language.loops import Loop
from volcli.language.memory import Effects
from volcli.language.programs.known_loops import counted_loop
from volcli.language.unchanged import once
from volcli.model.stated_effects import effects_of


@dataclass(frozen=True, eq=False)
class Cost:
    """What it takes to compute a `value`, or the numbers that `op` needs to begin."""

    op: Operation
    value: SSAValue | None
    loop: Loop | None
    instructions: Instructions


class Costs:
    """The costs of one FUNCTION."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self._slices = _Slices()

    def all(self) -> Iterator[Cost]:
        """Whatever costs anything, in the order of the program."""
        self._slices = _Slices()
        for op in self.function.walk():
            if _is_arithmetic(op):
                self._slices.add(op)
            for cost in self._of(op):
                if cycles(cost.instructions):
                    yield cost

    def total(self) -> Instructions:
        """What all index arithmetic of the function takes, each operation once."""
        found = [questions.instructions(op) for op in self.function.walk() if self._is_counted(op)]
        return sum((each for each in found if each is not None), Instructions())

    def _of(self, op: Operation) -> Iterator[Cost]:
        if _is_arithmetic(op):
            for result in op.results:
                if self._is_asked_for(result):
                    yield Cost(op, result, None, self._slice([result]))
            return
        own = questions.instructions(op)
        loop = counted_loop(op)
        if loop is not None:
            bounds = [e for each in loop.inductions for e in (*each.lower, *each.upper, each.step)]
            yield Cost(op, None, loop, (own or Instructions()) + self._slice(_values(bounds)))
        elif own is not None:
            yield Cost(op, None, None, own + self._slice(op.operands))

    def _is_asked_for(self, value: SSAValue) -> bool:
        """Whether VALUE is a number, or a condition on numbers, that no arithmetic alone uses."""
        return self._is_of_indices(value) and any(not _is_arithmetic(use.operation) for use in value.uses)

    def _is_of_indices(self, value: SSAValue) -> bool:
        if isinstance(value.type, IndexType):
            return True
        return value.type == i1 and any(
            isinstance(operand.type, IndexType) for op in _computed_by([value]) for operand in op.operands
        )

    def _is_counted(self, op: Operation) -> bool:
        if not _is_arithmetic(op):
            return True
        return any(map(self._is_of_indices, op.results)) or any(
            isinstance(operand.type, IndexType) for operand in op.operands
        )

    def _slice(self, values: Iterable[SSAValue]) -> Instructions:
        """What it takes to compute VALUES."""
        return self._slices.instructions(values)


class _Slices:
    """What values are computed by, one bit for each operation: n slices of a chain cost no n * n steps."""

    def __init__(self) -> None:
        self._masks: dict[Operation, int] = {}
        self._bits = 0
        self._alike: dict[tuple[tuple[Instruction, int], ...], int] = {}

    def add(self, op: Operation) -> None:
        """OP is arithmetic; what it uses, as far as it is arithmetic, was added before."""
        own = 1 << self._bits
        self._bits += 1
        found = questions.instructions(op)
        if found:
            key = tuple(sorted(found.items(), key=lambda each: each[0].value))
            self._alike[key] = self._alike.get(key, 0) | own
        self._masks[op] = own | self._mask(op.operands)

    def instructions(self, values: Iterable[SSAValue]) -> Instructions:
        """What it takes to compute VALUES."""
        mask, found = self._mask(values), Instructions()
        for kind, members in self._alike.items():
            if count := (mask & members).bit_count():
                found += Instructions({each: number * count for each, number in kind})
        return found

    def _mask(self, values: Iterable[SSAValue]) -> int:
        mask = 0
        for value in values:
            if isinstance(value, OpResult):
                mask |= self._masks.get(value.op, 0)
        return mask


def _is_arithmetic(op: Operation) -> bool:
    """Whether OP computes numbers from numbers, and does nothing else: asked for each use of its operands."""
    return once("arithmetic", op, _find_arithmetic)


def _find_arithmetic(op: Operation) -> bool:
    return (
        questions.instructions.answers(type(op))
        and bool(op.results)
        and not op.regions
        and not questions.accesses(op)
        and effects_of(op) == Effects()
    )


def _computed_by(values: Iterable[SSAValue]) -> Iterator[Operation]:
    """The arithmetic that VALUES are computed by, each operation once."""
    found: set[Operation] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, OpResult) and value.op not in found and _is_arithmetic(value.op):
            found.add(value.op)
            yield value.op
            pending += value.op.operands


def _values(expressions: Iterable[Expression]) -> list[SSAValue]:
    """The values that EXPRESSIONS speak of."""
    atoms = (atom for expression in expressions for atom in expression.atoms())
    return list(dict.fromkeys(atom.value for atom in atoms if isinstance(atom, Value | Dim)))
