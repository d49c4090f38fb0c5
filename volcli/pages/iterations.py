"""Pictures of iterations and what depends on what: one of each nest in which something does."""

from __future__ import annotations

import hashlib
import re
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
        diagram = direct(diagram)
        if not diagram.arrows:
            continue
        place = unit.parsed.written_at(levels[-1].op)
        title = f"Iterations of {', '.join(diagram.axes)} and their dependences"
        drawn = svg(diagram, title, f"head-{_digest(file)}-{unit.parsed.source.first_line}-{number}-")
        yield Drawing(place.line, "iterations", title, svg=_inside_html(drawn))


def _digest(file: str) -> str:
    """Letters and digits that stand for FILE in a page where each name is used once."""
    return hashlib.sha256(file.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def direct(diagram: Diagram) -> Diagram:
    """DIAGRAM with the arrows that say in which order iterations are to run.

    Without those inside an iteration, and those that follow from two others of their kind: a -> c, where
    a -> b and b -> c. Of a sum, whose every iteration depends on all before it, those from each iteration to
    the next are left.
    """
    between = [each for each in diagram.arrows if any(each.distance)]
    sinks: dict[tuple[Kind, Iteration], set[Iteration]] = defaultdict(set)
    for each in between:
        sinks[each.kind, each.source].add(each.sink)
    kept = [
        each
        for each in between
        if not any(each.sink in sinks.get((each.kind, via), ()) for via in sinks[each.kind, each.source])
    ]
    notes = list(diagram.notes)
    if len(between) < len(diagram.arrows):
        notes.append("dependences inside an iteration are not drawn")
    if len(kept) < len(between):
        notes.append("dependences that follow from two others are not drawn")
    return replace(diagram, arrows=tuple(kept), notes=tuple(notes))


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
    """SVG_FILE as a part of a page: without what a page has no need of, which is most of its length.

    That is the namespace, spaces, tenths of a place, and the texts of points and arrows, which axes and the
    legend repeat.
    """
    text = re.sub(r">\s+<", "><", svg_file).replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
    text = re.sub(r"(<(circle|path)[^>]*)><title>[^<]*</title></\2>", r"\1/>", text)
    return re.sub(r"<[^>]*>", _shorter, text)


def _shorter(tag: re.Match[str]) -> str:
    """A TAG without the tenths of places, and spaces around the letters of paths."""
    text = re.sub(r"(?<=\d\d)\.\d(?=[ \"])", "", tag[0])
    return re.sub(r"(?<=[\d\"]) ?([MQ]) (?=[\d-])", r"\1", text).replace(" />", "/>")
