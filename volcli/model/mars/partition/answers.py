"""What is answered of MARS: the sets of each array, of which tiles, for which sizes, and how they lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import islpy as isl

from volcli.model.mars.footprints.consumers import Consumer
from volcli.model.mars.footprints.dataflow import Flow
from volcli.model.mars.partition.tiled_program import TiledProgram
from volcli.presburger.measures.counts import Polynomial


@dataclass(frozen=True, eq=False)
class MarsSet:
    """One set: its elements, the tiles that consume it, and how many elements it has (None: not a
    polynomial).

    The elements are those of the tile (0, ..., 0), or of the class's example; over sizes and the tile's
    origin if a size is a symbol. `consumers` are tiles relative to the tile, or `tiles`, where the sets
    depend on the position: those of the example, and `of_tile` those of each tile (t0, t1, ...) of the class,
    if all of these have the same sets, up to translation."""

    points: isl.Set
    consumers: tuple[Consumer, ...]
    count: int | Polynomial | None
    tiles: isl.Set | None = None
    of_tile: isl.Set | None = None


@dataclass(frozen=True, eq=False)
class TileClass:
    """Tiles that have sets of the same form: those of one kind, for sizes of one residue.

    `sizes` are the values of the symbols (None: there are none); `exceptions` are values for which some of
    the sets are empty: so many are left. `tiles` are the tiles of the class, of those that the answer covers
    (None: all of them)."""

    sizes: str | None
    tiles: isl.Set | None
    example: tuple[int, ...]
    sets: tuple[MarsSet, ...]
    exceptions: tuple[tuple[str, int], ...] = ()
    values: Mapping[str, int] = field(default_factory=dict[str, int])
    """Values of the symbols for which tiles have these sets."""
    where: isl.Set | None = None
    """`sizes` as a set."""


@dataclass(frozen=True, eq=False)
class MovedRows:
    """What one tile reads from the array as it is declared: so many `elements` in so many `bursts`.

    They are fewer if rows are as long as what is read of them, where it is not known how long they are
    (`are_most`). They move `size` bytes. `layout` is that of the array's type, None if it is row-major. What
    is not a polynomial of the sizes is None."""

    elements: int | Polynomial | None
    bursts: int | Polynomial | None
    size: int | Polynomial | None
    are_most: bool
    layout: str | None

    @property
    def numbers(self) -> tuple[int | Polynomial | None, ...]:
        """Elements, bursts and bytes."""
        return self.elements, self.bursts, self.size


@dataclass(frozen=True, eq=False)
class SetOrder:
    """An order of the sets, and what one tile reads from outside: elements, `size` bytes, and bursts.

    It is the `tile` that reads so (None: of symbolic sizes). The order has the fewest bursts if it `is_best`.
    `rows` is the same from the array as it is declared; None if it is not known where the elements are in
    memory. What is no polynomial of the sizes is None; without an order, there are no `bursts` in it."""

    order: tuple[int, ...]
    elements: int | Polynomial | None
    bursts: int | None
    size: int | Polynomial | None
    is_best: bool
    rows: MovedRows | None
    tile: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class MarsAnswer:
    """The MARS of one flow; nothing if `because` says why not.

    They are those of the tiles that the answer `covers` (None: of tiles of a symbolic size, with their
    consumers inside the flow's iterations). So many `others` hold something, too (None: it depends on
    symbols). If `only_whole`, consumers are whole tiles, and others may consume a part of a set. Tiles of one
    class have the same sets up to translation; if `by_sizes`, sets of the same sizes."""

    flow: Flow
    classes: tuple[TileClass, ...] = ()
    covers: isl.Set | None = None
    others: int | None = None
    only_whole: bool = False
    by_sizes: bool = False
    invariant: bool = False
    reason: str | None = None
    layout: SetOrder | None = None
    because: str | None = None
    program: TiledProgram | None = None
    """The tiles as the program has them, if their sizes are numbers."""

    @property
    def is_endless(self) -> bool:
        """Whether infinitely many tiles consume one element."""
        return any(each.along for one in self.classes for mars in one.sets for each in mars.consumers)

    @property
    def flow_in(self) -> int | None:
        """How many sets of other tiles a tile of the first class reads; None if it is not all tiles.

        Each consumer of a set is one for another tile.
        """
        if self.layout is None or not self.classes or self.classes[0].tiles is not None:
            return None
        return sum(len(one.consumers) for one in self.classes[0].sets)
