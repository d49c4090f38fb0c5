"""dependences: which accesses depend on which, and what each loop carries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from volcli.diagnostics import Diagnostic
from volcli.facts.dependences import DependenceFact
from volcli.facts.loops import CarriedDependence, LoopFact
from volcli.language.interface import operation_name
from volcli.language.unchanged import cached_method
from volcli.limits import passes as limits
from volcli.model.function import FunctionModel
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.answers import Dependence, DependenceVerdict, Distances, Kind
from volcli.model.memory.dependences.carried import CarriedDependences
from volcli.model.memory.dependences.naming import set_named, site_text
from volcli.model.memory.loops.legality import least_distance
from volcli.model.memory.loops.loops import LoopAnswer, LoopKind, Loops, named_assumptions
from volcli.passes.base import Pass, Unit, option
from volcli.passes.ends import Ends
from volcli.passes.overflowing import Contents, assumed_of_memory
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS
from volcli.presburger.measures.extremes import Interval
from volcli.presburger.measures.points import few_points
from volcli.presburger.relations.numbers import DistanceRanges
from volcli.presburger.sets import build
from volcli.presburger.sets.named import NamedSet
from volcli.presburger.sets.names import identifier, named_set


@dataclass(frozen=True)
class Dependences(Pass):
    """Say which loops are parallel, which are reductions, and what the others carry.

    A dependence is proved, with its exact distances and one pair of iterations, or it is refuted, or it is
    unknown and the reason is given. Distances are those of the induction variables of the loops around both
    accesses, the sink's minus the source's. Memrefs are followed through views to their buffers.
    Two arguments are taken to be different memory, as in mlir-opt; what needs that says so. So does what is
    known for the arguments that the calls of a private function in the file pass.
    """

    name = "dependences"
    summary = "parallel loops, and the dependences that the others carry: exact distances, with a witness"
    by_function = True

    assume_noalias_args: bool = option(
        False, help="assume that arguments are different memory, without stating it"
    )

    loops_only: bool = option(False, help="report the loops only, not each pair of accesses")
    pairs_only: bool = option(False, help="report each pair of accesses only, not the loops")

    def apply(self, unit: Unit) -> None:
        """One fact for each dependence, and one for each loop."""
        for model in unit.models():
            called, plain = model.as_called, _Asked(unit, model)
            asked = plain if called is model else _Asked(unit, called)
            if self.loops_only or not self.pairs_only:
                self._loops(unit, plain, asked)
            if not self.loops_only:
                self._dependences(unit, plain, asked)

    def _loops(self, unit: Unit, plain: _Asked, asked: _Asked) -> None:
        """The loops that are ASKED of what all calls pass, those that are the same PLAIN as that."""
        if asked is plain:
            numbers = plain.loops_rest_on()
            unit.facts += [self._loop(plain, each, numbers(each)) for each in plain.model.loops.all()]
            return
        numbers = asked.loops_rest_on()
        for other, each in zip(plain.model.loops.all(), asked.model.loops.all(), strict=True):
            if plain.loop_content(other) == asked.loop_content(each):
                unit.facts.append(self._loop(plain, other, numbers(each)))
            else:
                unit.facts.append(self._loop(asked, each, (plain.model.calls_text, *numbers(each))))

    def _dependences(self, unit: Unit, plain: _Asked, asked: _Asked) -> None:
        """The dependences that are ASKED of what all calls pass, those that are the same PLAIN as that."""
        found = _as_many_as_the_budget_lists(unit, asked.model)
        listed = list(found)
        numbers = asked.dependences_rest_on(listed)
        if asked is plain:
            unit.facts += [self._dependence(plain, each, numbers(each)) for each in listed]
            return
        before = {each.key: each for each in plain.model.memory.dependences()}
        for each in listed:
            other = before.get(each.key)
            if other is not None and _content(other) == _content(each):
                unit.facts.append(self._dependence(plain, other, numbers(each)))
            else:
                unit.facts.append(self._dependence(asked, each, (plain.model.calls_text, *numbers(each))))

    def _assumed(self, assumptions: tuple[str, ...]) -> tuple[str, ...]:
        return named_assumptions(assumptions, noalias=self.assume_noalias_args)

    def _loop(self, asked: _Asked, answer: LoopAnswer, rests_on: tuple[str, ...] = ()) -> LoopFact:
        unit, model, texts = asked.unit, asked.model, asked.texts
        names = [model.name_of(v) for level in answer.levels if (v := level.variable) is not None]
        shown = answer.carried.only(lambda each: each.verdict is DependenceVerdict.DEPENDENT)
        is_carried = answer.kind in (LoopKind.CARRIED, LoopKind.UNKNOWN)
        carried, more = _first(model, texts, shown if is_carried else CarriedDependences())
        at_most = (each.because for each in shown.first_ones() if answer.kind is LoopKind.CARRIED)
        return LoopFact(
            unit.where(model, answer.op),
            ", ".join(names) or operation_name(answer.op),
            answer.kind.value,
            tuple(dict.fromkeys(f"{u.target} ({u.combine})" for u in answer.updates)),
            answer.values if is_carried else (),
            carried,
            more,
            least_distance(answer.carried.first_ones()),
            answer.because or next(filter(None, at_most), None),
            (*self._assumed(answer.assumptions), *rests_on),
        )

    def _dependence(self, asked: _Asked, found: Dependence, rests_on: tuple[str, ...] = ()) -> DependenceFact:
        model, texts, ends = asked.model, asked.texts, asked.ends
        source, sink = ends.of(found.source), ends.of(found.sink)
        return DependenceFact(
            ends.where(found.source),
            found.kind.value,
            source,
            sink,
            found.depth,
            found.verdict.value,
            texts.distances(found),
            found.hull,
            model.memory.witness(found),
            found.because,
            (*self._assumed(found.assumptions), *rests_on),
        )


def _as_many_as_the_budget_lists(unit: Unit, model: FunctionModel) -> Iterator[Dependence]:
    """The first dependences of a function; that there are more is said (V302)."""
    most = max((unit.budget or DEFAULT_OPERATIONS) // limits.A_DEPENDENCE, 1)
    for number, each in enumerate(model.memory.dependences()):
        if number == most:
            message = f"@{model.name}: the first {most} dependences are listed; the others are omitted"
            unit.report(Diagnostic("V302", message, unit.parsed.written_at(model.function)))
            return
        yield each


class _Asked:
    """The model of one function that is asked, and how its answers are written."""

    def __init__(self, unit: Unit, model: FunctionModel) -> None:
        self.unit = unit
        self.model = model
        self.texts = _Texts(model)

    @cached_property
    def ends(self) -> Ends:
        return Ends(self.unit, self.model)

    def loops_rest_on(self) -> Callable[[LoopAnswer], tuple[str, ...]]:
        """What loops that carry nothing, or what is combined, assume of arithmetic for that."""
        memory = self.model.memory

        def kinds(loops: Loops) -> Contents:
            free = (LoopKind.PARALLEL, LoopKind.REDUCTION)
            return {each.op: each.kind for each in loops.all() if each.kind in free}

        assumed = assumed_of_memory(memory, kinds(self.model.loops), lambda other: kinds(Loops(other)))
        return lambda answer: assumed.get(answer.op, ())

    def dependences_rest_on(self, found: Sequence[Dependence]) -> Callable[[Dependence], tuple[str, ...]]:
        """What the dependences FOUND, of which distances are known, assume of arithmetic."""

        def known(listed: Iterable[Dependence]) -> Contents:
            certain = DependenceVerdict.DEPENDENT
            return {each.key: each.hull for each in listed if each.verdict is certain}

        assumed = assumed_of_memory(self.model.memory, known(found), lambda other: known(other.dependences()))
        return lambda dependence: assumed.get(dependence.key, ())

    @staticmethod
    def loop_content(answer: LoopAnswer) -> object:
        """What an answer says of a loop, but for sets that may be the same in different forms."""
        carried = [(each.key, _content(each)) for each in answer.carried]
        return answer.kind, answer.values, len(answer.updates), answer.because, carried


def _content(dependence: Dependence) -> object:
    """What is known of a dependence, but for its set of distances."""
    return dependence.verdict, dependence.hull, dependence.because


class _Texts:
    """The distances of one function's dependences, with the names of the program: each once."""

    def __init__(self, model: FunctionModel) -> None:
        self._model = model
        self._named: dict[tuple[Distances, tuple[str, ...]], NamedSet] = {}
        self._names: dict[tuple[int, int], tuple[str, ...]] = {}

    def distances(self, dependence: Dependence) -> NamedSet | None:
        """The distances, a dimension for each loop around both: `[n] -> { [i] : i = n }`."""
        distances = dependence.distances
        if distances.made is None:
            return None
        names = self._names_of(dependence.source.levels, len(dependence.hull))
        known = self._named.get((distances, names))
        if known is None:
            known = self._named[distances, names] = self._text(distances.made, dependence.hull, names)
        return known

    def _text(
        self, made: isl.Set | DistanceRanges, hull: Sequence[Interval], names: tuple[str, ...]
    ) -> NamedSet:
        """The distances that are MADE, in this HULL."""
        if isinstance(made, DistanceRanges):
            return NamedSet.when_asked(lambda: named_set(made.points(), None, names))
        if not made.drop_unused_params().dim(isl.dim_type.param):
            made = _simplest(made, hull)
        return set_named(self._model.memory, made, names)

    def _names_of(self, levels: tuple[Level, ...], count: int) -> tuple[str, ...]:
        """What the first COUNT of LEVELS are called."""
        key = id(levels), count  # each of which the nests have once, and keep
        known = self._names.get(key)
        if known is None:
            variables = [level.variable for level in levels[:count]]
            names = ("iteration" if v is None else identifier(self._model.name_of(v)) for v in variables)
            known = self._names[key] = tuple(names)
        return known

    @cached_method
    def listed(self, distances: Distances) -> tuple[tuple[int, ...], ...] | None:
        """All distances, if there are few and they do not depend on parameters."""
        made = distances.made
        if isinstance(made, DistanceRanges):
            return made.listed(limits.DISTANCES_TEXT)
        return None if made is None else _listed(made)


def _first(
    model: FunctionModel, texts: _Texts, carried: CarriedDependences
) -> tuple[tuple[CarriedDependence, ...], tuple[tuple[str, int], ...]]:
    """The first of CARRIED, those of one text once, and how many more of each kind there are.

    RAW is first: a buffer for each iteration removes the other kinds, but not what passes on a value.
    """
    found: dict[str, CarriedDependence] = {}
    more: list[tuple[str, int]] = []
    for kind in (Kind.RAW, Kind.WAR, Kind.WAW):
        of_kind, left = carried.only(lambda each, kind=kind: each.kind is kind), 0
        for dependence in of_kind.first_ones():
            if len(found) == limits.CARRIED_TEXT:
                left = len(of_kind) - of_kind.position(dependence)
                break
            one = _carried(model, texts, dependence)
            found.setdefault(str(one), one)
        more += [(kind.value, left)] * bool(left)
    return tuple(found.values()), tuple(more)


def _carried(model: FunctionModel, texts: _Texts, dependence: Dependence) -> CarriedDependence:
    source, sink = (site_text(model.memory, site) for site in (dependence.source, dependence.sink))
    return CarriedDependence(
        dependence.kind.value,
        source,
        sink,
        texts.distances(dependence),
        texts.listed(dependence.distances),
        dependence.hull,
        model.memory.witness(dependence),
        dependence.because,
    )


def _simplest(points: isl.Set, hull: Sequence[Interval]) -> isl.Set:
    """POINTS, not empty; if their HULL is one point, as that, however many constraints led to it."""
    point = isl.Set.universe(points.get_space())
    for position, (low, high) in enumerate(hull):
        if low is None or low != high:
            return points
        point = point.fix_val(isl.dim_type.set, position, build.number(low))
    return point


def _listed(points: isl.Set) -> tuple[tuple[int, ...], ...] | None:
    """The points of a set, if there are few and they do not depend on parameters."""
    found = few_points(points, limits.DISTANCES_TEXT)
    return None if found is None else tuple(found)
