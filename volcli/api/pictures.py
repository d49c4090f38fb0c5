"""Pictures of dependences, as notebooks show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volcli.api.places import AccessesByPlace, Spot
from volcli.diagnostics import Diagnostic, UsageError
from volcli.frontend.parse.recursion import deep_recursion
from volcli.model.memory.steps.diagrams import Diagram, NoDiagram, UnknownName, diagram
from volcli.model.memory.steps.explanations import Pair
from volcli.passes.base import Unit
from volcli.report.drawing.svg import svg
from volcli.report.explanation import access_text


@dataclass(frozen=True, repr=False)
class Picture:
    """The iterations of one or two loops as points, and their dependences as arrows.

    `diagram` has the numbers: its `axes`, `iterations` and `arrows`. `titles` name the pairs of accesses.
    """

    diagram: Diagram
    titles: tuple[str, ...]

    @property
    def title(self) -> str:
        """The first pair, and how many more there are."""
        first, *others = self.titles
        return f"{first} and {len(others)} more" if others else first

    @property
    def svg(self) -> str:
        """The picture as the text of an SVG file."""
        return svg(self.diagram, self.title)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        """The picture as text."""
        from volcli.report.drawing.pictures import picture
        from volcli.report.lines import as_text

        return as_text(picture(self.diagram))

    def __repr__(self) -> str:
        return f"<Picture {self.title}>"


def drawn(pairs: Sequence[Pair], numbers: Mapping[str, int]) -> Picture:
    """The picture of PAIRS. Raises UsageError: V011 if there is none, V005 for a number of nothing."""
    titles = [f"{access_text(p.memory, p.source)} -> {access_text(p.memory, p.sink)}" for p in pairs]
    try:
        return Picture(diagram(pairs, numbers), tuple(titles))
    except NoDiagram as why:
        raise UsageError(Diagnostic("V011", f"there is no picture: {why}")) from None
    except UnknownName as name:
        message = f"no loop around both accesses and no parameter of theirs is called '{name}'"
        raise UsageError(Diagnostic("V005", message)) from None


def picture_of(
    units: Sequence[Unit], file: str, spots: Sequence[Spot], numbers: Mapping[str, int]
) -> Picture:
    """The picture of the accesses at SPOTS in a FILE. Raises UsageError (V005, V010, V011)."""
    with deep_recursion():
        places = AccessesByPlace(units, file)
        return drawn(places.drawable(places.pairs(spots), spots), numbers)
