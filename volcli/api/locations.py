"""What there is to say about a place of the text: `volcli explain FILE:LINE`, and an editor's explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from volcli.api.access_pictures import outside_pictures
from volcli.api.places import AccessesByPlace
from volcli.api.set_pictures import ElementPicture, regions_picture
from volcli.api.spots import BY_PLACE, Spot, spots_at
from volcli.diagnostics import Diagnostic, UsageError, caret
from volcli.facts.regions import RegionsFact
from volcli.report.lines import Line

if TYPE_CHECKING:
    from volcli.api.program import Program
    from volcli.facts.fact import Fact


def location_lines(
    program: Program, line: int, column: int | None = None, *, width: int | None = None
) -> Iterator[Line]:
    """What is known, and what is not, of the operation at a place, or of all that begin in LINE.

    Pictures are at most WIDTH columns wide. Raises UsageError (V010) if no operation begins there.
    """
    for number, spot in enumerate(_spots(program, line, column)):
        yield from [Line()] * (number > 0)
        yield from _said_of(program, spot, width)


def location_facts(
    program: Program, line: int, column: int | None = None
) -> tuple[list[Diagnostic], list[Fact]]:
    """The same as diagnostics and facts. Raises UsageError (V010)."""
    spots = _spots(program, line, column)
    said = (each for spot in spots for each in spot.diagnostics)
    return [*said], [fact for spot in spots for fact in _facts(spot)]


def _spots(program: Program, line: int, column: int | None) -> list[Spot]:
    return spots_at(program.run(BY_PLACE).units, program.source.name, line, column)


def _said_of(program: Program, spot: Spot, width: int | None) -> Iterator[Line]:
    yield from _head(program, spot)
    for said in spot.diagnostics:
        yield Line(f"{said.code}: {said.message}", "bold")
        yield Line(f"  next: {said.next_step}")
    yield from (Line(f"{each.name} : {each.type}") for each in spot.values if each.name.startswith("%"))
    facts = _facts(spot)
    yield from (Line(text) for fact in facts for text in fact.statements())
    yield from pictures(outside_pictures(spot), width)
    yield from pictures(region_pictures(facts), width)
    yield from _pairs(program, spot)


def _facts(spot: Spot) -> list[Fact]:
    return [*spot.facts, *_regions_of_results(spot)]


def _head(program: Program, spot: Spot) -> Iterator[Line]:
    """The place, the operation and its line of the program."""
    function = f", in @{spot.function.name}" if spot.function else ""
    yield Line(f"{spot.place}: {spot.op}{function}", "bold")
    source = program.source.text.split("\n")[spot.place.line - program.source.first_line]
    yield Line(source)
    yield Line(caret(source, spot.place.column), "dim")


def _regions_of_results(spot: Spot) -> Iterator[Fact]:
    """Those that passes did not ask for: of tensors that are not results of the function."""
    from xdsl.dialects.builtin import TensorType
    from xdsl.ir import OpResult

    known = {fact.subject for fact in spot.facts if fact.question == "regions"}
    for value in spot.values:
        is_tensor = isinstance(value.value, OpResult) and isinstance(value.value.type, TensorType)
        if is_tensor and value.name not in known and (found := value.regions()).domain is not None:
            yield found


def region_pictures(facts: Iterable[Fact]) -> Iterator[ElementPicture]:
    """The regions among FACTS as pictures, where a value has several."""
    for fact in facts:
        if isinstance(fact, RegionsFact) and len(fact.regions) > 1:
            with suppress(UsageError):
                yield regions_picture(fact, {})


def pictures(found: Iterable[ElementPicture], width: int | None) -> Iterator[Line]:
    """Those of the pictures FOUND that WIDTH columns can show, each after an empty line."""
    from volcli.report.drawing.pictures import TooWide
    from volcli.report.drawing.raster import NoRaster
    from volcli.report.drawing.set_pictures import set_picture

    for each in found:
        with suppress(NoRaster, TooWide):
            yield from (Line(), *set_picture(each.sets, width=width))


def _pairs(program: Program, spot: Spot) -> Iterator[Line]:
    """How the access to memory there, if it is one, depends on others, and these on it."""
    from volcli.report.explanation import listed

    places = AccessesByPlace(program.units, program.source.name)
    try:
        pairs = places.pairs([(spot.place.line, spot.place.column)])
    except UsageError:
        return
    yield from listed((pair, places.text(pair.source), places.text(pair.sink)) for pair in pairs)
