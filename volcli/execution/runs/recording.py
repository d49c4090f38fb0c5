"""An execution of which is kept what its values were, and which elements of memory were accessed when."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from volcli.execution.memory.machine import Machine, Options
from volcli.execution.memory.races import AccessWatch, Memory, stored_by
from volcli.execution.numbers.terms import Terms
from volcli.execution.tensors.structured import shape_of

LOOPS = ("affine.for", "scf.for")
"""Loops whose first block argument is the induction variable, and whose iterations have an order."""
PARALLEL_LOOPS = ("affine.parallel", "scf.parallel")
"""Loops whose block arguments are induction variables."""


Term = tuple[SSAValue, int | None]
"""A number, or the size of a dimension of a value."""


class RecordedAccess(NamedTuple):
    """`op` reads or writes the element `at` of `memory`, in an iteration of the loops around it.

    It writes the numbers `stored`, if it states which.
    """

    op: Operation
    is_write: bool
    memory: Memory
    at: int
    iteration: tuple[int, ...]
    stored: tuple[Any, ...] = ()


class Recorder(Machine):
    """A machine that keeps all: `seen` is what each value was, in time, `accesses` are those to memory.

    `times` says of each value when it was that: values that are computed later have later times.
    An access is a step.
    """

    def __init__(
        self,
        module: ModuleOp,
        options: Options | None = None,
        terms: Terms | None = None,
        codes: dict[Operation, Any] | None = None,
    ) -> None:
        super().__init__(module, options, terms, codes)
        self.seen: dict[SSAValue, list[Any]] = {}
        self.times: dict[SSAValue, list[int]] = {}
        self.accesses: list[RecordedAccess] = []
        self.watch = _Watch(module, self)
        self._iterators: dict[Operation, list[SSAValue]] = {}
        self._stored: dict[Operation, Sequence[SSAValue]] = {}
        self._time = 0

    def note(self, values: Sequence[SSAValue], found: Sequence[Any]) -> None:
        """Keep what VALUES are."""
        self._time += 1
        for value, each in zip(values, found, strict=True):
            self.seen.setdefault(value, []).append(each)
            self.times.setdefault(value, []).append(self._time)

    def access(self, op: Operation, memory: Memory, at: int, *, is_write: bool) -> None:
        """Keep that OP accesses an element."""
        self.takes_steps(op, 1)
        if (around := self._iterators.get(op)) is None:
            around = self._iterators[op] = iterators_around(op)
        iteration = tuple(self.seen[each][-1] for each in around)
        if (values := self._stored.get(op)) is None:
            values = self._stored[op] = stored_by(op)
        stored = tuple(self.seen[v][-1] for v in values if v in self.seen) if is_write else ()
        self.accesses.append(RecordedAccess(op, is_write, memory, at, iteration, stored))

    def at(self, value: SSAValue, time: int) -> Any:
        """What VALUE was last computed to be, not after TIME; None before it was computed."""
        position = bisect_right(self.times.get(value, []), time)
        return self.seen[value][position - 1] if position else None

    def together(self, terms: Sequence[Term], last: SSAValue) -> Iterator[list[int]]:
        """What TERMS were each time that LAST was computed, the value of them that is computed last.

        Times at which one of them was not a number, or was not there, are left out.
        """
        for time in self.times.get(last, ()):
            found = [_number(self.at(value, time), dimension) for value, dimension in terms]
            numbers = [each for each in found if each is not None]
            if len(numbers) == len(found):
                yield numbers


def _number(value: object, dimension: int | None) -> int | None:
    """VALUE, or the size of its DIMENSION; None if that is no number."""
    if dimension is not None:
        sizes = shape_of(value)
        return sizes[dimension] if dimension < len(sizes) else None
    return value if type(value) is int else None


class _Watch(AccessWatch):
    """Tells a recorder of each access; nothing is a race."""

    def __init__(self, op: Operation, recorder: Recorder) -> None:
        super().__init__(op, None)
        self._recorder = recorder

    def reads(self, op: Operation, memory: Memory, at: int) -> None:
        self._recorder.access(op, memory, at, is_write=False)

    def writes(self, op: Operation, memory: Memory, at: int) -> None:
        self._recorder.access(op, memory, at, is_write=True)

    def updates(self, op: Operation, memory: Memory, at: int) -> None:
        self.reads(op, memory, at)
        self.writes(op, memory, at)


def loops_around(op: Operation) -> list[Operation]:
    """The LOOPS and PARALLEL_LOOPS around OP, outermost first."""
    found: list[Operation] = []
    inner: Operation | None = op
    while (inner := inner.parent_op()) is not None:
        if inner.name in LOOPS + PARALLEL_LOOPS:
            found.insert(0, inner)
    return found


def iterators_of(loop: Operation) -> Sequence[SSAValue]:
    """The induction variables of LOOP."""
    return loop.regions[0].blocks[0].args[: 1 if loop.name in LOOPS else None]


def iterators_around(op: Operation) -> list[SSAValue]:
    """The induction variables of the loops around OP, outermost first."""
    return [value for loop in loops_around(op) for value in iterators_of(loop)]
