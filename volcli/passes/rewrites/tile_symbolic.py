"""tile-symbolic: loop nests in tiles whose sizes are values of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from volcli.diagnostics import Diagnostic, UsageError
from volcli.language.expressions import NotAffine
from volcli.model.function import FunctionModel
from volcli.model.memory.legality import Band, Legality
from volcli.model.memory.loops import named_assumptions
from volcli.passes.base import Pass, Unit, option
from volcli.rewriting.changes import Changes
from volcli.rewriting.discovery import visible
from volcli.rewriting.symbolic_tiles import SymbolicTiles


@dataclass(frozen=True)
class TileSymbolic(Pass):
    """Tile loops by sizes that are values (Fourier-Motzkin with polynomial coefficients, section 4.1).

    Loops that are perfectly nested and may be interchanged (`nests` says which) become loops over tiles and
    loops over the points of one: scf.for with bounds that hold for all sizes, also such as do not divide.
    `sizes` are the values, one for each of the outermost loops of the band; twice or three times as many tile
    the tiles in turn, the sizes of the outermost tiles first, in numbers of inner tiles. A size below 1
    counts as 1, and one above 2^30 (2^20 of three levels, 2^15 of four) as that. Two arguments are taken
    to be different memory only if `assume-noalias-args` says so.
    """

    name = "tile-symbolic"
    summary = "loop nests in tiles whose sizes are values"
    rewrites = True

    sizes: tuple[str, ...] = option((), help="the values, with their %, level by level of tiles")
    levels: int = option(1, help="how many levels of tiles")
    assume_noalias_args: bool = option(False, help="arguments are different memory")

    def apply(self, unit: Unit) -> None:
        """Tile all bands that have as many loops as there are sizes for a level."""
        count, rest = divmod(len(self.sizes), max(self.levels, 1))
        if not count or rest:
            raise UsageError(
                Diagnostic("V002", f"{self.name}: option 'sizes' is one value for each loop and level")
            )
        changes = Changes(unit, self.name)
        for model in unit.models():
            found = {name: unit.parsed.names.find(model.function, name) for name in self.sizes}
            missing = [name for name, size in found.items() if size is None]
            sizes = [size for name in self.sizes if (size := found[name]) is not None]
            tiles = SymbolicTiles(changes, model.bounds)
            for band in list(Legality(model.loops).bands()):
                reason = (
                    f"there is no {' and no '.join(missing)} in @{model.name}"
                    if missing
                    else self._tiled(model, band, tiles, sizes, count)
                )
                if reason is not None:
                    at = unit.parsed.written_at(band.levels[0].op)
                    name = _name(model, band)
                    unit.diagnostics.append(Diagnostic("V310", f"{name} is not tiled: {reason}", at))
        changes.finish(erase_dead=True)

    def _tiled(
        self, model: FunctionModel, band: Band, tiles: SymbolicTiles, sizes: Sequence[SSAValue], count: int
    ) -> str | None:
        """Tile BAND; why that is not possible, if so."""
        if len(band.levels) < count:
            return f"{len(band.levels)} loops may be interchanged, and sizes are given for {count}"
        assumed = named_assumptions(band.assumptions, noalias=self.assume_noalias_args)
        if assumed:
            return f"it is only legal if {' and '.join(assumed)}"
        if not all(isinstance(size.type, IndexType) for size in sizes):
            return "a size is no index"
        if not all(model.owns(size) for size in sizes):
            return "a size is computed in a region"
        if not all(visible(size, band.levels[0].op, model.bounds.definitions) for size in sizes):
            return "a size is computed behind it"
        try:
            by_level = [sizes[start : start + count] for start in range(0, len(sizes), count)]
            tiles.tile(band.levels, by_level)
        except NotAffine as error:
            return str(error)
        return None


def _name(model: FunctionModel, band: Band) -> str:
    variable = band.levels[0].variable
    return "a loop" if variable is None else model.name_of(variable)
