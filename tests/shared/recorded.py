"""Programs executed by `volcli.execution`, with all that happens recorded: accesses, values, how it ends.

Whoever judges an answer about a program executes its text with this: `Recorded(text).run(Inputs(numbers={"n": 3}))`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import volcli
from tests.shared.running import Code
from tests.shared.touches import Touch, Watch, by_subscripts
from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine, Options
from volcli.execution.memory.memory import AllocatedMemory, MemoryView
from volcli.execution.numbers.terms import Terms
from volcli.execution.outcomes import Defect, Stopped
from volcli.execution.runs.inputs import Inputs, made
from volcli.language.interface import operation_name

STEPS = 10_000
ZEROS = Inputs(kind="zeros")
Iterators = Callable[[Operation], Sequence[SSAValue]]
_COUNTED = {"scf.for": 1, "affine.for": 1, "scf.parallel": None, "affine.parallel": None}
"""Loops whose first block arguments are induction variables; None: all of them."""


class Access(NamedTuple):
    """OP reads or writes the element AT of MEMORY: in the iteration that its induction variables say.

    Its `subscripts`, which are AT where OP accesses a buffer as a whole, are in the bounds of their view or not.
    `entries` says of each of the loops how often it was entered.
    """

    op: Operation
    is_write: bool
    memory: AllocatedMemory
    at: int
    subscripts: tuple[int, ...]
    in_bounds: bool
    iteration: tuple[int, ...]
    entries: tuple[int, ...]


def iterators(op: Operation) -> list[SSAValue]:
    """The induction variables of the loops around OP, outermost first."""
    found: list[SSAValue] = []
    inner: Operation | None = op
    while (inner := inner.parent_op()) is not None:
        if (name := operation_name(inner)) in _COUNTED:
            found[:0] = inner.regions[0].blocks[0].args[: _COUNTED[name]]
    return found


def loops(value: SSAValue) -> list[Operation]:
    """The loops with block arguments in which VALUE is defined, outermost first."""
    found: list[Operation] = []
    around = value.owner.parent_op()
    while around is not None:
        if operation_name(around) in (*_COUNTED, "scf.while"):
            found[:0] = [around]
        around = around.parent_op()
    return found


class _Values:
    """What a value was (`seen`), and, if it COUNTS, how often it began anew (`entries`).

    `times` says of each time which iteration it was of the loops AROUND.
    """

    __slots__ = ("around", "counts", "entries", "seen", "times")

    def __init__(self, counts: bool, around: list[_Values]) -> None:
        self.counts = counts
        self.around = around
        self.entries = 0
        self.seen: list[Any] = []
        self.times: list[tuple[int, ...]] = []


class Run(Machine):
    """One execution: its accesses in time, and what each value is (`seen`).

    `arguments` are the function's by name; `results` are None if it `stopped`. Of what a function that is
    called accesses, the operation is the call in the function that is run.
    """

    def __init__(self, of: Recorded, options: Options, beyond: bool) -> None:
        super().__init__(of.module, options, of.terms)
        self.codes = of.codes
        self.watch = Watch(of.module, self.access, beyond)
        self.accesses: list[Access] = []
        self.arguments: dict[str, Any] = {}
        self.results: Sequence[Any] | None = None
        self.stopped: Stopped | None = None
        self.of = of
        self._values: dict[SSAValue, _Values] = {}
        self._at_once: dict[int, list[_Values]] = {}
        self._around: dict[Operation, list[_Values]] = {}
        self._called: list[Touch] = []
        self._names: dict[AllocatedMemory, str] = {}

    def start(self, function: FuncOp, inputs: Inputs | Mapping[str, Any]) -> list[Any]:
        """The arguments of FUNCTION."""
        block = function.body.blocks[0]
        names = [each.name_hint or "" for each in block.args]
        if isinstance(inputs, Inputs):
            values = made(self, names, [each.type for each in block.args], inputs).values
        else:
            values = [inputs[name] for name in names]
        self.arguments = dict(zip(names, values, strict=True))
        self._names = {v.allocation: n for n, v in self.arguments.items() if isinstance(v, MemoryView)}
        return values

    @property
    def seen(self) -> dict[SSAValue, list[Any]]:
        """What each value was, each time that it was computed."""
        return {value: found for value, each in self._values.items() if (found := each.seen)}

    def times(self, value: SSAValue) -> list[tuple[int, ...]]:
        """Of each time that VALUE was computed, the numbers of the iterations of the loops around it."""
        return self._values[value].times if value in self._values else []

    def _of(self, values: Sequence[SSAValue]) -> list[_Values]:
        return [self._values.get(each) or self._new(each) for each in values]

    def _new(self, value: SSAValue) -> _Values:
        found = self._values[value] = _Values(value in self.of.loops, [])
        if self.of.timed:
            first = [loop.regions[0].blocks[0].args[0] for loop in loops(value)]
            found.around = self._of(first)
        return found

    def note(self, values: Sequence[SSAValue], found: Sequence[Any]) -> None:
        if (kept := self._at_once.get(id(values))) is None:
            kept = self._at_once[id(values)] = self._of(values)
        for each, value in zip(kept, found, strict=True):
            if each.counts and not (each.seen and value > each.seen[-1]):
                each.entries += 1
            each.seen.append(value)
            if self.of.timed:
                each.times.append(tuple([len(loop.seen) for loop in each.around]))

    def observe(self, op: Operation, results: Sequence[Any]) -> None:
        if self.depth == 1:
            called, self._called = self._called, []
            for touch in called:
                self._keep(op, touch)

    def access(self, op: Operation, touch: Touch) -> None:
        """OP reads or writes an element."""
        if self.depth > 1:
            self._called.append(touch)
        else:
            self._keep(op, touch)

    def _keep(self, op: Operation, touch: Touch) -> None:
        if (around := self._around.get(op)) is None:
            around = self._around[op] = self._of(self.of.around(op))
        iteration = tuple([each.seen[-1] for each in around])
        self.accesses.append(Access(op, *touch, iteration, tuple([each.entries for each in around])))

    def name(self, memory: AllocatedMemory) -> str | None:
        """The argument that MEMORY is; None if the program allocates it."""
        return self._names.get(memory)

    def end(self, stopped: Stopped) -> None:
        """The execution stopped: what was accessed in a call that did not return, its caller accessed."""
        self.stopped = stopped
        if (op := next((op for op, _ in reversed(stopped.trail) if op in self.of.calls), None)) is not None:
            self.depth = 1
            self.observe(op, ())


class Recorded(Code):
    """A program to be executed; AROUND says which values are the iteration of an operation.

    TIMED: of each value it is kept in which iterations it was computed (`Run.times`).
    """

    def __init__(
        self, program: str | volcli.Program, around: Iterators = iterators, *, timed: bool = False
    ) -> None:
        super().__init__(program)
        self.timed = timed
        self.codes: dict[Operation, Any] = {}
        self.terms = Terms()
        self.calls = frozenset(op for op in self.module.walk() if operation_name(op) == "func.call")
        self.loops = {
            value
            for op in self.module.walk()
            if operation_name(op) in _COUNTED
            for value in op.regions[0].blocks[0].args[: _COUNTED[operation_name(op)]]
        }
        self.around = cache(around)

    def run(
        self,
        inputs: Inputs | Mapping[str, Any] = ZEROS,
        function: str = "f",
        *,
        checks: frozenset[Defect] = frozenset(),
        most_steps: int = STEPS,
        beyond: bool = False,
    ) -> Run:
        """Execute FUNCTION with INPUTS, of which those without a value are 0, or with its arguments by name.

        BEYOND: loads and stores out of bounds, which go nowhere, do not end it.
        """
        symbolic = isinstance(inputs, Inputs) and inputs.has_terms
        options = Options(
            checks=checks, symbolic=symbolic, traced=None, observed=self.calls, most_steps=most_steps
        )
        found, op = Run(self, options, beyond), self.functions[function]
        values = found.start(op, inputs)
        try:
            with np.errstate(all="ignore"), by_subscripts():
                found.results = call(found, op, values)
        except Stopped as stopped:
            found.end(stopped)
        return found
