"""Tilings of the nests of a function: one for all of them, or for nests with other loops another one."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass

from volcli.model.mars.tilings.tiling import HyperplaneTiling, NotATiling

_OF_OPERATIONS = re.compile(r"%?d\d+\Z")


@dataclass(frozen=True)
class TileScheme:
    """A nest is cut by the first of `tilings` whose iterators are all among its loops.

    >>> scheme = TileScheme.parse("d0: 8, d1: 8, d2: 4; d0: 16, d1: 16")
    >>> str(scheme.of(["%d0", "%d1"]))
    'd0: 16, d1: 16'
    """

    tilings: tuple[HyperplaneTiling, ...]

    @classmethod
    def parse(cls, text: str) -> TileScheme:
        """Tilings as they are written, with `;` between them. Raises NotATiling."""
        found = cls(tuple(map(HyperplaneTiling.parse, text.split(";"))))
        loops = {name.removeprefix("%") for each in found.tilings for name in each.iterators}
        if twice := sorted(loops.intersection(found.symbols)):
            raise NotATiling(f"'{twice[0]}' is a loop and a size: give the size another name")
        return found

    @property
    def symbols(self) -> tuple[str, ...]:
        """The sizes that are symbols, once each."""
        return tuple(dict.fromkeys(name for each in self.tilings for name in each.symbols))

    def of(self, names: Container[str | None]) -> HyperplaneTiling | None:
        """The tiling of a nest whose loops have these NAMES; None if it is not tiled."""
        return next((each for each in self.tilings if all(n in names for n in each.iterators)), None)

    @property
    def cuts_operations(self) -> bool:
        """Whether some tiling is of the loops d0, d1, ... that operations are."""
        return any(all(map(_OF_OPERATIONS.match, each.iterators)) for each in self.tilings)

    def __str__(self) -> str:
        return "; ".join(map(str, self.tilings))
