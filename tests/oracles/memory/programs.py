"""Whole programs, their text, and what is true of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from tests.oracles.memory.execute import EndedInsideError, Run
from tests.oracles.memory.memrefs import Index, MeaninglessError, Memref, MemrefType
from tests.oracles.memory.nodes import Block, Site, sites
from tests.oracles.memory.printing import Printer
from tests.oracles.memory.truth import Truth

LIMIT = 4000  # access instances of all runs together
VALUES: dict[int, tuple[int, ...]] = {
    0: (),
    1: (-1, 0, 1, 2, 3, 4, 5),
    2: (-1, 0, 1, 2, 3, 5),
    3: (-1, 0, 1, 2, 3),
}


@dataclass(frozen=True)
class Question:
    """Does SINK depend on SOURCE at DEPTH? The sites by their numbers."""

    source: int
    sink: int
    depth: int


@dataclass(frozen=True)
class Program:
    """A function without results: PARAMETERS are index arguments, BUFFERS are arguments that are memrefs."""

    parameters: tuple[str, ...]
    buffers: tuple[tuple[str, MemrefType], ...]
    globals: tuple[tuple[str, MemrefType], ...]
    body: Block

    @property
    def text(self) -> str:
        """The module."""
        printer = Printer(self.parameters)
        body = list(printer.lines(self.body))
        arguments = [*(f"{name}: index" for name in self.parameters), *(f"{n}: {t}" for n, t in self.buffers)]
        private = [f'memref.global "private" {symbol} : {type}' for symbol, type in self.globals]
        constants = [f"  {name} = arith.constant {n} : index" for n, name in printer.constants.items()]
        zero = "  %cst = arith.constant 0.0 : f32"
        head = f"func.func @f({', '.join(arguments)}) {{"
        return "\n".join([*private, head, zero, *constants, *body, "  return", "}", ""])

    @cached_property
    def sites(self) -> list[Site]:
        """The accesses in the order of the text."""
        return sites(self.body)

    def run(self, vector: Index, limit: int = LIMIT) -> Truth:
        """What is true if the parameters are VECTOR. Raises MeaninglessError if nothing is."""
        truth, run = self._run(vector, limit)
        if not run.has_meaning:
            raise MeaninglessError
        return truth

    def shown(self, vector: Index, limit: int) -> Truth:
        """What the run with VECTOR shows, until it has no meaning: what goes wrong before that goes wrong.

        Raises EndedInsideError if it has none because of something in a loop.
        """
        known = self.truths.get(vector)
        if known is not None:
            return known
        truth, run = self._run(vector, limit)
        if not run.has_meaning and run.ends_inside:
            raise EndedInsideError
        return truth

    def _run(self, vector: Index, limit: int) -> tuple[Truth, Run]:
        memrefs: dict[str, Memref | int] = dict(zip(self.parameters, vector, strict=True))
        for name, type in self.buffers:
            sizes = tuple(dim or 0 for dim in type.dims)
            memrefs[name] = Memref(name, sizes, sizes, lambda index: index)
        run = Run(self.body, memrefs, limit)
        live_out = frozenset(name for name, _ in (*self.buffers, *self.globals))
        return Truth(self.sites, run.trace, live_out, run.entries), run

    def traced(self, limit: int = LIMIT) -> dict[Index, Truth]:
        """What is true, for each vector of parameters that has a meaning."""
        found: dict[Index, Truth] = {}
        for vector in product(VALUES[len(self.parameters)], repeat=len(self.parameters)):
            try:
                found[vector] = self.run(vector, limit)
            except MeaninglessError:
                continue
            limit -= len(found[vector].trace)
        return found

    @cached_property
    def truths(self) -> dict[Index, Truth]:
        """What is true, for each vector of parameters that has a meaning."""
        return self.traced()

    def questions(self) -> Iterator[Question]:
        """All pairs of accesses of which one writes, at all depths."""
        for source, sink in product(self.sites, repeat=2):
            if source.access.write or sink.access.write:
                for depth in range(1, source.common(sink) + 2):
                    yield Question(source.number, sink.number, depth)
