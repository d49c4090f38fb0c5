"""Pictures of iterations and what depends on what: one of each nest in which something does."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from volcli.api.places import AccessesByPlace
from volcli.diagnostics import Place, UsageError
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.limits import printing as limits
from volcli.model.memory.dependences.answers import Kind
from volcli.model.memory.steps.diagrams import Diagram, Iteration, NoDiagram, excerpt
from volcli.model.memory.steps.explanations import Pair
from volcli.pages.records import Drawing
from volcli.passes.base import Unit
from volcli.report.drawing.svg import svg


def iteration_drawings(unit: Unit, file: str) -> Iterator[Drawing]:
    """The pictures of the nests of UNIT, in the order of the text."""
    nests = _nests(unit.facts, AccessesByPlace([unit], file))
    for number, pairs in enumerate(nests):
        levels = pairs[0].source.levels[: pairs[0].common]
        try:
            diagram = excerpt(pairs, limits.PAGE_ITERATIONS, limits.PAGE_NUMBER)
        except NoDiagram:
            continue
        if not any(any(each.distance) for each in diagram.arrows):
            continue  # at most within iterations
        diagram = direct(diagram)
        place = unit.parsed.written_at(levels[-1].op)
        title = f"Iterations of {', '.join(diagram.axes)} and their dependences"
        drawn = svg(diagram, title, f"head-{_digest(file)}-{unit.parsed.source.first_line}-{number}-")
        yield Drawing(place.line, "iterations", title, svg=_inside_html(drawn))


def _digest(file: str) -> str:
    """Letters and digits that stand for FILE in a page where each name is used once."""
    return hashlib.sha256(file.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def direct(diagram: Diagram) -> Diagram:
    """DIAGRAM without arrows that follow from two others of their kind: a -> c, where a -> b and b -> c.

    Of a sum, whose every iteration depends on all before it, those from one iteration to the next are left.
    """
    sinks: dict[tuple[Kind, Iteration], set[Iteration]] = defaultdict(set)
    for each in diagram.arrows:
        sinks[each.kind, each.source].add(each.sink)
    kept = tuple(
        each
        for each in diagram.arrows
        if not any(
            each.sink in sinks.get((each.kind, between), ())
            for between in sinks[each.kind, each.source]
            if between not in (each.source, each.sink)
        )
    )
    if len(kept) == len(diagram.arrows):
        return diagram
    note = "dependences that follow from two others are not drawn"
    return replace(diagram, arrows=kept, notes=(*diagram.notes, note))


def _nests(facts: Sequence[Fact], places: AccessesByPlace) -> list[list[Pair]]:
    """The pairs of accesses that depend on each other in FACTS, by the loops around both."""
    ends: dict[tuple[Place, Place], None] = {}
    for fact in facts:
        if isinstance(fact, DependenceFact) and fact.verdict == "dependent":
            ends[fact.source.place, fact.sink.place] = None
    nests: dict[tuple[int, ...], dict[tuple[int, int], Pair]] = defaultdict(dict)
    for spots in ends:
        try:
            pairs = places.pairs([(each.line, each.column) for each in spots])
        except UsageError:  # what is inlined is at the place of its call
            continue
        for pair in pairs:
            if pair.common:
                levels = tuple(id(each) for each in pair.source.levels[: pair.common])
                nests[levels][id(pair.source), id(pair.sink)] = pair
    return [list(each.values()) for each in nests.values()]


def _inside_html(svg_file: str) -> str:
    """SVG_FILE as a part of a page: there it needs no namespace, and is as wide as there is room."""
    return svg_file.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1).replace("\n  ", "\n")
