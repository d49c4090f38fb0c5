"""What `volcli explain` is asked: which accesses, values or tiles, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass

import click

from volcli.cli.completion import texts
from volcli.cli.parts.explained import Setting, Spot, Spots
from volcli.cli.parts.kept import kept_options, option_kept
from volcli.cli.parts.output import STDOUT


@dataclass(frozen=True)
class ExplainRequest:
    """What the options of one call say; see their help."""

    spots: tuple[Spot, ...] | None = None
    value: str | None = None
    tile: str | None = None
    element: str | None = None
    construction: bool = False
    layers: bool = False
    system: str | None = None
    boxes: bool = False
    picture: bool = False
    svg: str | None = None
    settings: tuple[tuple[str, int], ...] = ()
    output: str = STDOUT
    style: str = "text"

    @property
    def at(self) -> tuple[Spot, ...]:
        """The accesses that are named."""
        return self.spots or ()

    @property
    def numbers(self) -> dict[str, int]:
        """The settings by their names."""
        return dict(self.settings)

    @property
    def of_sets(self) -> bool:
        """Whether it is about regions, bounds or sets of elements, and not about accesses."""
        return self.value is not None or self.tile is not None or self.layers

    @property
    def is_place(self) -> bool:
        """Whether it is about all that is known of one place."""
        return len(self.at) == 1 and not self.is_drawn

    @property
    def is_drawn(self) -> bool:
        """Whether it is about a picture."""
        return self.picture or self.svg is not None or bool(self.settings)

    def check(self) -> None:
        """Raises UsageError of click for what does not go together."""
        if (self.spots is None) is not self.of_sets:
            raise click.UsageError("give one of FILE:LINE, --at, --value, --tile and --layers")
        if (self.element is not None or self.construction) and self.tile is None:
            raise click.UsageError("--element and --construction need --tile")
        if self.settings and not self.picture and self.svg is None and not self.of_sets:
            raise click.UsageError("--set is for --picture and --svg")


_option = option_kept(ExplainRequest)
_OPTIONS = (
    _option(
        "--at",
        "spots",
        type=Spots(),
        shell_complete=texts.complete_from(texts.lines),
        help="The source access, and the sink that may depend on it. Of one line, all that is known there.",
    ),
    _option(
        "--value",
        metavar="%VALUE",
        shell_complete=texts.complete_from(texts.values()),
        help="An index value, or dim(%t, 0): why it lies between its bounds. A tensor: its regions are "
        "drawn; with --tile, the sets of an array.",
    ),
    _option(
        "--tile",
        metavar="PLANE:SIZE,...",
        help="Draw the elements that one of these tiles reads, or produces for others, by the tiles that "
        "consume them.",
    ),
    _option(
        "--element",
        metavar="ARRAY[INDEX,...]",
        help="With --tile: which set contains this element of a read array, or this iteration of its writer, "
        "and which tiles consume it.",
    ),
    _option(
        "--construction",
        is_flag=True,
        help="With --tile: the steps by which the sets are constructed, from hyperplanes and dependences, of "
        "the tile (0, 0, ...) or of that which --set t0=1 names.",
    ),
    _option(
        "--layers",
        is_flag=True,
        help="Draw a network: a bar of multiplications for each layer of --ask layers, with what is "
        "structurally zero at its end.",
    ),
    _option(
        "--system",
        metavar="VARIABLES",
        help="Eliminate and scan a system, step by step: the conditions in FILE, one a line, over these "
        "variables ('t, i, j', the outermost first), or those of the loops over '%i, %j' in a program.",
    ),
    _option(
        "--boxes",
        is_flag=True,
        help="Hull and intersection of the boxes in FILE: lines 'A:', and 'x: [low, high]' for each "
        "dimension.",
    ),
    _option(
        "--picture",
        is_flag=True,
        help="Draw the iterations of one or two loops and their dependences, instead of the constraint "
        "matrices.",
    ),
    _option(
        "--svg", metavar="FILE", type=click.Path(allow_dash=True), help="Write that picture to FILE, as SVG."
    ),
    _option(
        "--set",
        "settings",
        type=Setting(),
        multiple=True,
        help="For a picture: the value of a parameter, or the iteration of a loop or coordinate of a "
        "dimension to draw.",
    ),
)
explain_request = kept_options(_OPTIONS)
