"""test-memref-dependence-check: what mlir-opt's pass of this name says, with exact distances."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import sub

from xdsl.ir import Operation

from volcli.diagnostics import Diagnostic, Place
from volcli.language.interface import operation_name
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.answers import DependenceVerdict, Distances
from volcli.model.memory.dependences.model import Memory
from volcli.model.symbols import beside_functions
from volcli.passes.base import Pass, Unit
from volcli.presburger.measures.extremes import Interval

_CHECKED = frozenset(("affine.load", "affine.store"))
_LOOPS = frozenset(("affine.for", "affine.parallel"))


@dataclass(frozen=True)
class MemrefDependenceCheck(Pass):
    """Remark on each pair of affine.load and affine.store, at each depth, whether the second depends on the
    first.

    The remarks are those of mlir-opt's pass of this name (V404, printed as mlir-opt prints them): accesses
    are numbered over the module; an answer is `false`, `true` (in the same iteration of all common loops),
    or the smallest and the largest distance for each common loop, in units of its induction variable. The
    distances are exact, so that they may be less than mlir-opt's (docs/deviations.md). Where nothing is
    known, the check fails (V405), also as in mlir-opt. `dependences` tells more.
    """

    name = "test-memref-dependence-check"
    summary = "each pair of affine accesses: independent, or the distances; as in mlir-opt"

    def apply(self, unit: Unit) -> None:
        """Each access against each, itself included, over all functions of the unit."""
        sites = _checked(unit)
        answers: dict[Memory, _Answers] = {}
        for number, first in enumerate(sites):
            place = unit.parsed.written_at(first.op)
            for other, second in enumerate(sites):
                pair = f"dependence from {number} to {other} at depth "
                memory = first.memory
                if memory is None or first.site is None or second.memory is None or second.site is None:
                    unit.diagnostics.append(_failed(place))
                elif second.memory is memory:
                    if memory not in answers:
                        answers[memory] = _Answers(memory)
                    texts = answers[memory].of(first.site, second.site)
                    unit.diagnostics += [
                        _failed(place) if text is None else Diagnostic("V404", pair + text, place)
                        for text in texts
                    ]
                elif _is_function(memory) and _is_function(second.memory):
                    unit.diagnostics.append(Diagnostic("V404", f"{pair}1 = false", place))  # of two calls
                else:
                    unit.diagnostics.append(_failed(place))


@dataclass(frozen=True, eq=False)
class _Checked:
    """An access that is asked about; one that stands beside functions has no memory that is analysed."""

    op: Operation
    memory: Memory | None = None
    site: Site | None = None


def _checked(unit: Unit) -> list[_Checked]:
    """The accesses of UNIT in the order of the text."""
    found: list[_Checked] = []
    for model in unit.models():
        memory = model.memory_as_written
        own = (site for site in memory.sites if operation_name(site.op) in _CHECKED)
        for op, group in groupby(own, key=lambda site: site.op):
            site, *others = group  # of one of several memrefs nothing is said
            found.append(_Checked(op) if others else _Checked(op, memory, site))
    loose = [op for each in beside_functions(unit.parsed.module) for op in each.walk()]
    found += [_Checked(op) for op in loose if operation_name(op) in _CHECKED]
    if not loose:
        return found
    position = {op: k for k, op in enumerate(unit.parsed.module.walk())}
    return sorted(found, key=lambda each: position[each.op])


def _is_function(memory: Memory) -> bool:
    """Whether it is the memory of a function, which shares no value with what stands beside it."""
    function = memory.function
    return "sym_name" in function.properties or "sym_name" in function.attributes


def _failed(place: Place | None) -> Diagnostic:
    return Diagnostic("V405", "dependence check failed", place)


class _Answers:
    """What is said of the pairs of one function: the same of pairs that differ by the same offset."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._classes: dict[Hashable, int] = {}
        self._texts: dict[Hashable, tuple[str | None, ...]] = {}

    def of(self, source: Site, sink: Site) -> tuple[str | None, ...]:
        """`1 = false`, ..., for each affine loop around both, and for one iteration of all; None: unknown."""
        (first, offset), (second, other) = self._class(source), self._class(sink)
        is_first = source.number < sink.number  # decides in one block
        order = is_first if source.op.parent is sink.op.parent else self._memory.order(source.op, sink.op)
        key = first, second, tuple(map(sub, offset, other)), order, source.op is sink.op
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = tuple(self._said(source, sink))
        return known

    @cached_method
    def _class(self, site: Site) -> tuple[int, tuple[int, ...]]:
        """The number of all accesses that have its loops, its buffer and its relation; and its offset."""
        relation = self._memory.instances.relation(site)
        key = site.levels, site.place.root, relation.key, site.is_write
        return self._classes.setdefault(key, len(self._classes)), relation.offset

    def _said(self, source: Site, sink: Site) -> Iterator[str | None]:
        common = self._memory.common(source, sink)
        loops = [k for k in range(common) if operation_name(source.levels[k].op) in _LOOPS]
        for depth, level in enumerate((*loops, common), start=1):
            text: str | None = "false"
            if source.is_write or sink.is_write:
                distances = self._memory.dependence(source, sink, level + 1).distances
                text = _text(distances, loops, is_last=level == common)
            yield None if text is None else f"{depth} = {text}"


def _text(distances: Distances, loops: Sequence[int], *, is_last: bool) -> str | None:
    """How mlir-opt writes the DISTANCES of LOOPS; None if nothing is known of them."""
    if distances.verdict is DependenceVerdict.INDEPENDENT:
        return "false"
    if distances.points is None:
        return None
    return "true" if is_last else hull_text([distances.hull[k] for k in loops])


def hull_text(hull: Sequence[Interval]) -> str:
    """`[1, 7][-1, 3]`; the ends of what has none are -inf and +inf."""
    return "".join(
        f"[{'-inf' if low is None else low}, {'+inf' if high is None else high}]" for low, high in hull
    )
