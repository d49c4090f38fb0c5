"""Executions in which values that make products are small numbers: what happens in one of them does happen.

With a step that is a value, relations hold more than there is, so that a dependence, or an access out of
bounds, is no more than possible. With an argument as a number there is nothing to be approximated. What is
true of *some* execution is true if it is in one of those in which the arguments that steps depend on are the
least numbers for which the loops may run:

    scf.for %k = %c0 to %n step %s { m[0] = m[0] + ... }        carried: by k = 0 and k = 1, for %s = 1

The same is done with the sizes of linear indices: m[i * b + j] for 0 <= j <= b is m[i + j] for %b = 1. (What
holds in all of these need not hold in others.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Generic, TypeVar

from volcli.limits import memory as limits
from volcli.limits.widths import LARGE
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import DependenceVerdict, Distances, Shown
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.variables import Variable, own

M = TypeVar("M")
"""The memory of some executions of one function."""

_OF_SIZES = ((0, 1), (1, 0), (-1,))
"""How much more arguments are in turn, where they are sizes: of these, 0 has a meaning, too."""


class Trials(Generic[M]):
    """The memory of some executions of one function, whose loops have LEVELS; made when first asked for.

    SIZES are what the indices of an access are multiplied with, and SITES all accesses.
    NARROWED is the memory of the executions in which arguments are these numbers; with none, of dense loops.
    """

    def __init__(
        self,
        bounds: BoundsStore,
        levels: Callable[[], Iterator[Level]],
        sites: Callable[[], Sequence[Site]],
        sizes: Callable[[Site], Sequence[Variable]],
        narrowed: Callable[[Mapping[Variable, int]], M],
    ) -> None:
        self._bounds = bounds
        self._levels = levels
        self._sites = sites
        self._sizes = sizes
        self._narrowed = narrowed
        self._made: list[tuple[M, Mapping[str, int]]] = []

    def settled(
        self, found: Distances, source: Site, sink: Site, distances: Callable[[M], Distances]
    ) -> Distances:
        """What is FOUND of two accesses, or that some executions have DISTANCES, if it is unknown."""
        is_open = found.verdict is DependenceVerdict.UNKNOWN and found.points is not None
        if is_open and (self.concern((*source.levels, *sink.levels)) or self._has_sizes((source, sink))):
            for trial, (memory, given) in enumerate(self.all()):
                tried = distances(memory)
                if tried.verdict is DependenceVerdict.DEPENDENT:
                    shown = Shown(trial, tried, given)
                    return replace(found, verdict=DependenceVerdict.DEPENDENT, shown=shown)
        return found

    def memory(self, shown: Shown) -> M:
        """The memory of the executions in which something is SHOWN."""
        return self._made[shown.trial][0]

    def concern(self, levels: Sequence[Level]) -> bool:
        """Whether one of LEVELS has a step that is a value, and arguments decide what it is."""
        return any(self._arguments(level) for level in levels)

    def _has_sizes(self, sites: Sequence[Site]) -> bool:
        """Whether arguments decide what indices of SITES are multiplied with."""
        return any(self._deciding(self._sizes(site)) for site in sites)

    @cached_property
    def dense(self) -> M:
        """The memory as if loops with steps that are values went through all numbers between their bounds."""
        return self._narrowed({})

    def all(self) -> Iterator[tuple[M, Mapping[str, int]]]:
        """The memory of some executions, and the arguments in these, by their texts."""
        for number, chosen in enumerate(self._choices):
            if number == len(self._made):
                given = {
                    self._bounds.texts.of_variable(variable): value for variable, value in chosen.items()
                }
                self._made.append((self._narrowed(chosen), given))
            yield self._made[number]

    @cached_property
    def _choices(self) -> list[Mapping[Variable, int]]:
        """The least numbers for which all loops may run that depend on them, and others after these."""
        least: dict[Variable, int] = {}
        most: dict[Variable, int] = {}
        positive: set[Variable] = set()
        steps = [(level.variable, self._arguments(level)) for level in self._levels()]
        sizes = [(site.op, self._deciding(self._sizes(site))) for site in self._sites()]
        for place, arguments in (*steps, *sizes):
            for variable in arguments:
                known = self._bounds.numeric.of(own(variable), place)
                least[variable] = max(least.get(variable, 1), known.lower or 1)
                most[variable] = min(most.get(variable, LARGE), LARGE if known.upper is None else known.upper)
                if known.lower is not None and known.lower > 0:
                    positive.add(variable)
        positive.update(v for _, arguments in steps for v in arguments)
        added: list[tuple[int, ...]] = [(more,) for more in range(limits.TRIED_NUMBERS)]
        added += _OF_SIZES if any(arguments for _, arguments in sizes) else ()
        choices = [
            {
                v: min(least[v] + max(more[k % len(more)], 0 if v in positive else -1), most[v])
                for k, v in enumerate(least)
            }
            for more in added
        ]
        return [choice for k, choice in enumerate(choices) if choice and choice not in choices[:k]]

    def _arguments(self, level: Level) -> list[Variable]:
        """The arguments that the step of LEVEL is computed from, if it is not a constant."""
        definitions = self._bounds.definitions
        step = None if level.induction is None else definitions.resolve(level.induction.step)
        if step is None or step.is_constant:
            return []
        return self._deciding(self._bounds.elimination.all_variables((step,)))

    def _deciding(self, variables: Sequence[Variable]) -> list[Variable]:
        """The arguments that VARIABLES are computed from."""
        definitions = self._bounds.definitions
        return [
            v
            for v in definitions.slice_of(variables)
            if definitions.is_argument(v.value) and definitions.definition(v).is_free
        ]
