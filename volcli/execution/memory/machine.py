"""The machine: the state of one execution, apart from the values of its functions."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from volcli.execution.memory.memory import AllocatedMemory, MemoryView
from volcli.execution.memory.races import AccessWatch
from volcli.execution.numbers.terms import Terms
from volcli.execution.numbers.values import Tensor, is_unset
from volcli.execution.outcomes import Defect, LimitReached
from volcli.limits import execution as limits

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """How a program is executed.

    `checks` are the kinds of undefined behaviour that stop it where it could go on: races, and what poison
    and elements never written reach; the others always stop it. `seed` decides the order of the iterations of
    parallel loops; None: as they are written. `symbolic`: floats may be terms.
    `traced` are the values that are noted whenever they are computed; None: all. `observed` are the
    operations of which it is noted that they ran. `demands`: elements of tensors are computed when they are
    asked for (see volcli.execution.demand). `walks`: memory is given as what it holds (see `last_writers`).
    """

    checks: frozenset[Defect] = frozenset(Defect)
    seed: int | None = None
    symbolic: bool = False
    demands: bool = False
    walks: bool = False
    traced: frozenset[SSAValue] | None = frozenset()
    observed: frozenset[Operation] = frozenset()
    most_steps: int = limits.STEPS
    most_bytes: int = limits.BYTES


class Machine:
    """Memory, globals, and the code of the functions that were called."""

    def __init__(
        self,
        module: ModuleOp,
        options: Options | None = None,
        terms: Terms | None = None,
        codes: dict[Operation, Any] | None = None,
    ) -> None:
        self.module = module
        self.options = options or Options()
        self.steps = 0
        self.terms = Terms() if terms is None else terms
        self.watch: AccessWatch | None = None
        self.trace: list[tuple[SSAValue, Any]] = []
        """The traced values, in the order of their computation; `untraced` more were not kept."""
        self.untraced = 0
        self.observed: dict[Operation, bool] = {}
        """The observed operations that ran to their end, each with whether a result was never written."""
        self.printed: list[str] = []
        """The lines that were printed; the last one is not ended where `_is_open`."""
        self._is_open = False
        self.globals: dict[Operation, Any] = {}
        self.stack: list[AllocatedMemory] = []
        """The memory of memref.alloca that is alive."""
        self.points: list[list[Any]] = []
        """The iteration of each structured operation that runs, innermost last: numbers or arrays."""
        self.insertions: list[list[Any]] = []
        """Of each scf.forall that runs, innermost last: what was inserted (`tensors.insertions`)."""
        self.transfers: list[Any] = []
        """The transfers that were started and not yet awaited, oldest first (`execution.memory.dma`)."""
        self.masks: list[Tensor] = []
        """The mask of each vector.mask that runs, innermost last."""
        self.deferred = 0
        """How many tensors are computed on demand; `demanding_bodies` of them by bodies that read others."""
        self.demanding_bodies = 0
        self._bytes = 0
        self.depth = 0
        self.given: list[AllocatedMemory] = []
        """The memory of the caller, who may have shown it to anyone."""
        self.codes: dict[Operation, Any] = {} if codes is None else codes
        self._order = random.Random(self.options.seed)

    # -- limits ----------------------------------------------------------------------------------------

    def takes_steps(self, op: Operation, count: int) -> None:
        """Note COUNT iterations, or jumps, of OP. Raises LimitReached where there are too many."""
        self.could_take_steps(op, count)
        self.steps += count

    def could_take_steps(self, op: Operation, count: int) -> None:
        """Raises LimitReached where COUNT iterations of OP would be too many."""
        if self.steps + count > self.options.most_steps:
            raise LimitReached(op, f"the execution takes more than {self.options.most_steps:,} steps")

    def takes(self, op: Operation | None, count: int, dtype: npt.DTypeLike) -> None:
        """Note that OP makes COUNT elements. Raises LimitReached if that is more than there is memory."""
        self._bytes += count * (np.dtype(dtype).itemsize + 1)
        if self._bytes > self.options.most_bytes:
            raise LimitReached(
                op, f"the program needs more than {self.options.most_bytes >> 20:,} MB of memory"
            )

    def fits(self, op: Operation, count: int, dtype: npt.DTypeLike) -> None:
        """Raises LimitReached if COUNT elements that OP makes at once need more than the memory."""
        if not self.options.demands:
            self.holds(op, count, dtype)

    def holds(self, op: Operation | None, count: int, dtype: npt.DTypeLike) -> None:
        """Raises LimitReached if COUNT elements need more than the memory."""
        if self._bytes + count * (np.dtype(dtype).itemsize + 1) > self.options.most_bytes:
            limit = self.options.most_bytes >> 20
            raise LimitReached(op, f"the program needs more than {limit:,} MB of memory")

    def gives_back(self, count: int, dtype: npt.DTypeLike) -> None:
        """Note that COUNT elements are freed."""
        self._bytes -= count * (np.dtype(dtype).itemsize + 1)

    def end_scope(self, op: Operation, depth: int) -> None:
        """What memref.alloca made in OP ends: all but the first DEPTH of the stack."""
        for allocation in self.stack[depth:]:
            allocation.freed = op
            self.gives_back(allocation.data.size, allocation.data.dtype)
        del self.stack[depth:]

    def reached(self, operands: Iterable[Any]) -> list[AllocatedMemory]:
        """The memory that what is given OPERANDS may access: theirs, the caller's, and that of globals."""
        views = [*operands, *self.globals.values()]
        shown = [view.allocation for view in views if isinstance(view, MemoryView)]
        return [each for each in dict.fromkeys([*shown, *self.given]) if each.freed is None]

    # -- what is shown ---------------------------------------------------------------------------------

    def note(self, values: Sequence[SSAValue], found: Sequence[Any]) -> None:
        """Keep what VALUES are."""
        if len(self.trace) + len(values) > limits.TRACED_VALUES:
            self.untraced += len(values)
        else:
            self.trace += zip(values, found, strict=True)

    def prints(self, op: Operation, text: str) -> None:
        """Add TEXT, which OP prints, to the lines that were printed."""
        self.takes(op, len(text), np.uint8)
        for piece in text.splitlines(keepends=True):
            if self._is_open:
                self.printed[-1] += piece.rstrip("\n")
            else:
                self.printed.append(piece.rstrip("\n"))
            self._is_open = not piece.endswith("\n")

    def observe(self, op: Operation, results: Sequence[Any]) -> None:
        """Keep that OP ran, with these RESULTS."""
        self.observed[op] = self.observed.get(op, False) or any(map(is_unset, results))

    # -- parallel loops --------------------------------------------------------------------------------

    def ordered(self, iterations: Iterable[T]) -> Sequence[T]:
        """ITERATIONS of a parallel loop in the order in which they run."""
        found = list(iterations)
        if self.options.seed is not None:
            self._order.shuffle(found)
        return found

    @contextmanager
    def watching(self, loop: Operation) -> Generator[AccessWatch | None]:
        """Watch the accesses of the iterations of LOOP; None if races are not looked for."""
        if Defect.RACE not in self.options.checks:
            yield None
            return
        self.watch = AccessWatch(loop, self.watch)
        try:
            yield self.watch
        finally:
            self.watch = self.watch.outer
