"""What a picture of dependences shows: the iterations of one or two loops, and which depends on which.

affine.for %i = 0 to 4 { store %m[%i]; load %m[%i - 2] }       0 -> 2 and 1 -> 3 at depth 1
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from volcli.limits import memory as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import Dependence, DependenceVerdict, Kind
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.steps.explanations import Pair
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.measures.points import few_points
from volcli.presburger.relations.relation import at_depth
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space

Iteration = tuple[int, ...]


class NoDiagram(Exception):
    """There is no picture; the text says why."""


class UnknownName(Exception):
    """A setting of something that is neither a parameter nor a loop."""


@dataclass(frozen=True)
class Arrow:
    """SINK depends on SOURCE."""

    source: Iteration
    sink: Iteration
    depth: int
    kind: Kind

    @property
    def distance(self) -> Iteration:
        return tuple(b - a for a, b in zip(self.source, self.sink, strict=True))


@dataclass(frozen=True)
class Diagram:
    """The `iterations` of the loops `axes`, and what depends on what; `notes` say what is not drawn."""

    axes: tuple[str, ...]
    iterations: tuple[Iteration, ...]
    arrows: tuple[Arrow, ...]
    fixed: Mapping[str, int]
    notes: tuple[str, ...] = ()


def diagram(pairs: Sequence[Pair], settings: Mapping[str, int]) -> Diagram:
    """The picture of PAIRS of one function that have the same loops around both accesses.

    SETTINGS are the numbers of parameters, and of loops of which one iteration is drawn. Raises NoDiagram and
    UnknownName.
    """
    try:
        with budget(DEFAULT_OPERATIONS):
            return _Drawing(pairs, settings).diagram()
    except BudgetExceeded as error:
        raise NoDiagram(f"it is too large ({error})") from None


def excerpt(pairs: Sequence[Pair], most: int, number: int) -> Diagram:
    """The picture of PAIRS in at most MOST iterations of their two inner loops, from the first one on.

    Loops around these are in their first iteration, and parameters are NUMBER. Raises NoDiagram.
    """
    try:
        with budget(DEFAULT_OPERATIONS):
            every = _Drawing(pairs, {})
            numbers = dict.fromkeys(every.parameters(), number)
            outer = _Drawing(pairs, numbers).first_outer(2)
            return _Drawing(pairs, {**numbers, **outer}, most).diagram()
    except BudgetExceeded as error:
        raise NoDiagram(f"it is too large ({error})") from None


class _Drawing:
    """One picture that is being made, of at most MOST iterations of each loop."""

    def __init__(self, pairs: Sequence[Pair], settings: Mapping[str, int], most: int | None = None) -> None:
        self._pairs = pairs
        self._most = most
        self._memory: Memory = pairs[0].memory
        self._levels: tuple[Level, ...] = pairs[0].source.levels[: pairs[0].common]
        self._settings = settings
        names = [self._name(level) for level in self._levels]
        self._fixed = {
            k: settings[n] for k, name in enumerate(names) if (n := name.removeprefix("%")) in settings
        }
        self._drawn = [k for k in range(len(names)) if k not in self._fixed]
        self._axes = tuple(names[k] for k in self._drawn)

    def parameters(self) -> list[str]:
        """The names of what needs a number before all is drawn."""
        sites = {id(site): site for pair in self._pairs for site in (pair.source, pair.sink)}
        points = (self._memory.instances.relation(site).points for site in sites.values())
        names = (self._text(name) for each in points for name in parameters_of_space(each))
        return [name.removeprefix("%") for name in dict.fromkeys(names)]

    def first_outer(self, inner: int) -> dict[str, int]:
        """The first iteration of the loops around so many INNER ones, by their names."""
        source = self._pairs[0].source
        points = self._with_numbers(self._points(source), 1)
        names = [self._name(level).removeprefix("%") for level in self._levels]
        found: dict[str, int] = {}
        for k in range(len(names) - inner):
            first = points.dim_min_val(k)
            if not first.is_int():
                raise NoDiagram("a loop has no first iteration")
            found[names[k]] = first.to_python()
            points = points.fix_val(DIM.set, k, first)
        return found

    def _name(self, level: Level) -> str:
        return "?" if level.variable is None else self._memory.bounds.name_of(level.variable)

    def diagram(self) -> Diagram:
        fixed = self._names()
        if not 1 <= len(self._drawn) <= 2:
            names = ", ".join(map(self._name, self._levels))
            has = f"the loops {names} are" if self._levels else "no loop is"
            raise NoDiagram(f"{has} around both accesses: one or two loops can be drawn")
        sites = {id(site): site for pair in self._pairs for site in (pair.source, pair.sink)}
        iterations = dict.fromkeys(i for site in sites.values() for i in self._iterations(site))
        notes = [
            f"some of these iterations may not run: {relation.because or 'not all conditions are affine'}"
            for relation in map(self._memory.instances.relation, sites.values())
            if not relation.exact
        ]
        arrows: dict[Arrow, None] = {}
        for pair in self._pairs:
            for dependence in pair.dependences:
                if dependence.verdict is DependenceVerdict.UNKNOWN:
                    notes.append(f"depth {dependence.depth} is unknown: {dependence.because}")
                elif dependence.verdict is DependenceVerdict.DEPENDENT:
                    arrows.update(dict.fromkeys(self._arrows(pair, dependence)))
        if self._most is not None:
            notes.append(f"at most {self._most} iterations of each loop are drawn")
        said = tuple(dict.fromkeys(notes))
        return Diagram(self._axes, tuple(sorted(iterations)), tuple(arrows), fixed, said)

    def _names(self) -> dict[str, int]:
        """The settings by the names as the program prints them; raises UnknownName."""
        known = [self._name(level) for level in self._levels]
        for pair in self._pairs:
            for site in (pair.source, pair.sink):
                names = parameters_of_space(self._memory.instances.relation(site).points)
                known += map(self._text, names)
        printed = {name.removeprefix("%"): name for name in known}
        for name in self._settings:
            if name not in printed:
                raise UnknownName(name)
        return {printed[name]: number for name, number in self._settings.items()}

    def _text(self, name: str) -> str:
        bounds = self._memory.bounds
        return bounds.texts.of_variable(bounds.elimination.variable(name))

    # -- sets ------------------------------------------------------------------------------------------

    def _points(self, site: Site) -> isl.Set:
        """The iterations of the common loops in which SITE runs."""
        points = self._memory.instances.relation(site).points.domain()
        common = len(self._levels)
        return points.project_out(DIM.set, common, points.dim(DIM.set) - common)

    def _iterations(self, site: Site) -> list[Iteration]:
        """The iterations of the drawn loops in which SITE runs."""
        points = self._clipped(self._with_numbers(self._points(site), 1), 1)
        found = _all_points(points, limits.DIAGRAM_POINTS)
        return [tuple(point[k] for k in self._drawn) for point in found]

    def _arrows(self, pair: Pair, dependence: Dependence) -> Iterable[Arrow]:
        common, depth = pair.common, dependence.depth
        source, sink = (self._memory.instances.relation(site) for site in (pair.source, pair.sink))
        pairs = source.pairs(sink)
        pairs = pairs.project_out(DIM.in_, common, pairs.dim(DIM.in_) - common)
        pairs = pairs.project_out(DIM.out, common, pairs.dim(DIM.out) - common)
        pairs = at_depth(pairs, common, depth)
        ends = self._clipped(self._with_numbers(pairs.wrap().flatten(), 2), 2)
        for point in _all_points(ends, limits.DIAGRAM_ARROWS):
            first, second = (tuple(point[begin + k] for k in self._drawn) for begin in (0, common))
            yield Arrow(first, second, depth, dependence.kind)

    @cached_property
    def _last(self) -> dict[int, int]:
        """The last iteration that is drawn of each drawn loop, if not all are."""
        last: dict[int, int] = {}
        if self._most is not None:
            sites = {id(site): site for pair in self._pairs for site in (pair.source, pair.sink)}
            every = [self._with_numbers(self._points(site), 1) for site in sites.values()]
            for k in self._drawn:
                ends = [points.dim_min_val(k) for points in every if not points.is_empty()]
                if not ends or not all(end.is_int() for end in ends):
                    raise NoDiagram("a loop has no first iteration")
                last[k] = min(end.to_python() for end in ends) + self._most - 1
        return last

    def _clipped(self, points: isl.Set, copies: int) -> isl.Set:
        """Those of POINTS, COPIES of the common loops' iterations, that are drawn."""
        for k, last in self._last.items():
            for copy in range(copies):
                points = points.upper_bound_val(DIM.set, copy * len(self._levels) + k, isl.Val(last))
        return points

    def _with_numbers(self, points: isl.Set, copies: int) -> isl.Set:
        """POINTS, COPIES of the common loops' iterations, for the numbers that are set."""
        for k, number in self._fixed.items():
            for copy in range(copies):
                points = points.fix_val(DIM.set, copy * len(self._levels) + k, isl.Val(number))
        for position, name in enumerate(parameters_of_space(points)):
            text = self._text(name)
            if text.removeprefix("%") in self._settings:
                number = self._settings[text.removeprefix("%")]
                points = points.fix_val(DIM.param, position, isl.Val(number))
            elif points.involves_dims(DIM.param, position, 1):
                raise NoDiagram(f"{text} has no number: --set {text.removeprefix('%')}=8, for example")
        return points.project_out_all_params()


def _all_points(points: isl.Set, most: int) -> list[Iteration]:
    """The points of a set without parameters; raises NoDiagram if they are more than MOST."""
    if not points.is_bounded():
        raise NoDiagram("a loop has no end")
    found = few_points(points, most)
    if found is None:
        raise NoDiagram(f"it has more than {most} points")
    return found
