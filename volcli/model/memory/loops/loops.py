"""What a loop carries: whether its iterations may run in parallel, and what keeps them from it.

A loop is parallel if no access in one iteration depends on one in another: no dependence at its depth, no
two iterations that insert one element into a tensor that they share, and no value that goes around. Writes
of one value, which the loop does not change, may come in any order (`one_value.py`). If all that it carries
are updates of one kind, `x = x + e` and its like, its iterations may be combined in any order: a reduction.
(For floating point that assumes `reassoc`, unless the operations carry the flag.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.loops import While
from volcli.language.programs.known_loops import known_loop, only_counts
from volcli.language.unchanged import operations_in
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.effects import Inside
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import Dependence, DependenceVerdict
from volcli.model.memory.dependences.assumed import DIFFERENT
from volcli.model.memory.dependences.carried import AccessClasses, CarriedDependences
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.loops.inserts import Inserts
from volcli.model.memory.loops.updates import Update, carried_updates, updates

ASSERTIONS = "its assertions hold"
"""What is assumed of a loop with assertions in it, whatever is assumed of arguments."""


def named_assumptions(assumptions: tuple[str, ...], *, noalias: bool) -> tuple[str, ...]:
    """Those of ASSUMPTIONS to be said: with NOALIAS, that arguments are different memory is known."""
    return tuple(text for text in assumptions if not noalias or DIFFERENT not in text)


class LoopKind(Enum):
    """In which order the iterations of a loop may run."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"
    CARRIED = "carried"
    UNKNOWN = "unknown"


_CONDITION = "its condition"


@dataclass(frozen=True, eq=False)
class LoopAnswer:
    """What the loop of `levels` carries; `parallel` if nothing.

    `carried` are the dependences at its depth, a dependence of each pair, and `values` the texts of values
    that go around. What is a `reduction` is combined by one operation (affine.parallel's name of it) in
    `updates`.
    """

    op: Operation
    levels: tuple[Level, ...]
    kind: LoopKind
    carried: CarriedDependences = field(default_factory=CarriedDependences)
    values: tuple[str, ...] = ()
    updates: tuple[Update, ...] = ()
    because: str | None = None
    assumptions: tuple[str, ...] = ()

    @property
    def reductions(self) -> tuple[str, ...]:
        """The names of the operations that combine, each once."""
        return tuple(dict.fromkeys(update.combine for update in self.updates))


@dataclass(frozen=True, eq=False)
class _Carried:
    """What some loop carries between accesses, at each depth, and what is assumed of these."""

    all: CarriedDependences
    by_depth: Mapping[int, CarriedDependences]
    assumptions: tuple[str, ...]


class Loops:
    """The loops of one function, classified."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._inside: dict[Operation, list[Site]] = {}
        for site in memory.sites:
            for op in dict.fromkeys(level.op for level in site.levels):
                self._inside.setdefault(op, []).append(site)
        self._updates = updates(memory)
        self._inserts = Inserts(memory)
        self._alike = AccessClasses(memory, lambda site: (self._updates.get(site.number), _one_value(site)))
        self._known: dict[tuple[int, ...], _Carried] = {}
        self._all: list[LoopAnswer] | None = None

    def all(self) -> list[LoopAnswer]:
        """Every loop of the function, in the order of the text.

        What is not known to be a loop is left out if no access is inside: the body of a linalg operation.
        """
        if self._all is None:
            self._all = list(self._answers())
        return self._all

    def _answers(self) -> Iterator[LoopAnswer]:
        for op in operations_in(self.memory.function):
            if op is self.memory.function or not op.regions:
                continue
            if op not in self._inside and not questions.loop.answers(type(op)):
                continue
            levels = self.memory.nests.of_operation(op)
            if levels:
                yield self.of(op, levels)

    def inside(self, op: Operation) -> list[Site]:
        """The accesses inside of the loop OP."""
        return self._inside.get(op, [])

    def of(self, op: Operation, levels: tuple[Level, ...]) -> LoopAnswer:
        """What the loop OP carries."""
        if all(level.because is not None for level in levels):
            return LoopAnswer(op, levels, LoopKind.UNKNOWN, because=levels[0].because)
        inside = self.memory.insides.get(op, Inside())
        carried, assumptions = self._carried(op, levels)
        values, combined = carried_updates(op, self.memory.bounds.name_of)
        if levels[0].number is not None and not self._only_counts(op):
            values = (_CONDITION, *values)
        certain = carried.only(lambda each: each.verdict is DependenceVerdict.DEPENDENT)
        known = certain.only(self._is_reduction)
        kind, because = LoopKind.PARALLEL, None
        if values or len(known) < len(certain):
            kind = LoopKind.CARRIED
        elif len(certain) < len(carried):
            kind = LoopKind.UNKNOWN
            unknown = carried.only(lambda each: each.verdict is DependenceVerdict.UNKNOWN)
            because = unknown.first_ones()[0].because
        elif inside.ordered is not None:
            kind, because = LoopKind.UNKNOWN, inside.because
        elif known or combined:
            kind = LoopKind.REDUCTION
        if inside.asserts:
            assumptions = (*assumptions, ASSERTIONS)
        joined = (*combined, *dict.fromkeys(self._updates[d.source.number] for d in known.first_ones()))
        if kind is LoopKind.REDUCTION:
            reordered = dict.fromkeys(text for update in joined for text in update.assumptions)
            assumptions = (*assumptions, *reordered)
        return LoopAnswer(op, levels, kind, carried, values, joined, because, assumptions)

    def _only_counts(self, op: Operation) -> bool:
        """Whether OP, an scf.while, runs as often as its number says, and does nothing in its first half."""
        loop = known_loop(op)
        accesses = any(op.regions[0].is_ancestor(site.op) for site in self.inside(op))
        return isinstance(loop, While) and not accesses and only_counts(op, loop)

    def between(self, sites: Sequence[Site]) -> CarriedDependences:
        """What some loop around them carries, or may carry, between SITES."""
        return self._between(sites).all

    def _carried(self, op: Operation, levels: Sequence[Level]) -> tuple[CarriedDependences, tuple[str, ...]]:
        """The dependences that the loop carries, and what had to be assumed of those that it does not."""
        found = CarriedDependences()
        assumed: dict[str, None] = {}
        for sites in (self.inside(op), self._inserts.inside(op)):
            if not sites:
                continue
            between = self._between(sites)
            assumed.update(dict.fromkeys(between.assumptions))
            first = next(k for k, level in enumerate(sites[0].levels) if level is levels[0])
            for depth in range(first + 1, first + 1 + len(levels)):
                if depth in between.by_depth:
                    found = found.joined(between.by_depth[depth])
        return found, tuple(assumed)

    def _between(self, sites: Sequence[Site]) -> _Carried:
        """What some loop carries between SITES, and what is assumed of them: the same for all of a nest."""
        key = tuple(site.number for site in sites)
        known = self._known.get(key)
        if known is None:
            carried = self._alike.carried(sites).only(_is_of_several_values)
            known = _Carried(carried, carried.by_depth(), self.memory.assumed.of(sites))
            self._known[key] = known
        return known

    def _is_reduction(self, dependence: Dependence) -> bool:
        """Whether DEPENDENCE is one between updates of one kind of one buffer."""
        first = self._updates.get(dependence.source.number)
        second = self._updates.get(dependence.sink.number)
        return first is not None and second is not None and first.combine == second.combine


def _one_value(site: Site) -> SSAValue | None:
    """What SITE writes, if that is one value in iterations of some loop around it."""
    is_one = bool(site.levels) and site.writes_one_value_at(site, len(site.levels))
    return site.access.stored if is_one else None


def _is_of_several_values(dependence: Dependence) -> bool:
    """Whether the order of two accesses matters: not if both write one value."""
    return not dependence.source.writes_one_value_at(dependence.sink, dependence.depth)
