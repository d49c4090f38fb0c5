r"""Tilings of an iteration space by hyperplanes, and how tiles are translates of each other.

A hyperplane h and a size s cut Z^d into the slabs { x : s·i <= h·x < s·(i + 1) }; a tiling with as many
linearly independent hyperplanes as iterators has the tiles

    T(t) = { x : s_j·t_j <= h_j·x < s_j·(t_j + 1) for each j }

(Ferry, Derrien and Rajopadhye, *An Irredundant Decomposition of Data Flow with Affine Dependences*, 3.1, with
erratum E001-1). With H the matrix of the hyperplanes, T(t) is T(0) moved by H^-1·diag(s)·t, where that is an
integer vector: the columns of H^-1·diag(s), the dual basis, and not the scaled normal vectors, lead from a
tile to its neighbours (E001-5). Where it is not an integer vector the tiles have different points (E001-2):
there are as many *kinds* of tiles as classes of o = diag(s)·t modulo the lattice H·Z^d.

A size is a number or a symbol. With the origin o of a tile as parameters everything is affine in (s, o, x).

>>> diamond = HyperplaneTiling.parse("i+j: s, j-i: s")
>>> diamond
HyperplaneTiling.parse('i + j: s, -i + j: s')
>>> diamond.kinds({"s": 4})
[(0, 0)]
>>> diamond.kinds({"s": 3})
[(0, 0), (0, 1)]
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import flint
import islpy as isl

from volcli.language.expressions import Expression, constant, loop, parameter
from volcli.language.written_forms import NotLinear, WrittenForm
from volcli.presburger.sets.build import DIM

Size = int | str
_NAME = re.compile(r"%?[A-Za-z_][\w]*\Z")


class NotATiling(ValueError):
    """What was given does not cut the iterations into bounded tiles; the text says why."""


@dataclass(frozen=True, repr=False)
class HyperplaneTiling:
    """Hyperplanes `normals` over `iterators`, and the `sizes` of the tiles along them.

    `lattice` is a basis of the vectors that lead from iterations that run to such (None: all do); with the
    columns M, tiles are translates of each other by diag(s)·t in the lattice H·M·Z^d."""

    iterators: tuple[str, ...]
    normals: tuple[tuple[int, ...], ...]
    sizes: tuple[Size, ...]
    lattice: tuple[tuple[int, ...], ...] | None = None

    @classmethod
    def parse(cls, text: str) -> HyperplaneTiling:
        """A tiling as it is written: `i+j: 8, 2*j-i: s`. Raises NotATiling.

        >>> HyperplaneTiling.parse("i: 16, i: 16")
        Traceback (most recent call last):
        ...
        volcli.model.mars.tilings.tiling.NotATiling: the hyperplanes i, i are linearly dependent
        """
        planes = [_plane(part) for part in text.split(",")]
        names = list(dict.fromkeys(name for plane, _ in planes for name in plane))
        normals = tuple(tuple(plane.get(name, 0) for name in names) for plane, _ in planes)
        result = cls(tuple(names), normals, tuple(size for _, size in planes))
        shown = ", ".join(map(result.plane_text, range(len(normals))))
        if flint.fmpz_mat([list(row) for row in normals]).rank() < len(normals):
            raise NotATiling(f"the hyperplanes {shown} are linearly dependent")
        if len(normals) < len(names):
            raise NotATiling(
                f"the hyperplanes {shown} leave tiles without end: {len(names)} iterators need as many"
            )
        return result

    @property
    def symbols(self) -> tuple[str, ...]:
        """The sizes that are symbols, once each."""
        return tuple(dict.fromkeys(size for size in self.sizes if isinstance(size, str)))

    def form(self, plane: int, first: int = 0) -> Expression:
        """h_j·x of a PLANE, over the loops x = (FIRST, FIRST + 1, ...)."""
        return linear(self.normals[plane], first)

    def size(self, plane: int) -> Expression:
        """s_j of a PLANE: a number, or a parameter."""
        size = self.sizes[plane]
        return constant(size) if isinstance(size, int) else parameter(size)

    @cached_property
    def matrix(self) -> flint.fmpz_mat:
        """H: one row for each hyperplane."""
        return flint.fmpz_mat([list(row) for row in self.normals])

    @cached_property
    def inverse(self) -> flint.fmpq_mat:
        """H^-1, whose columns times the sizes are the translations from a tile to its neighbours."""
        return flint.fmpq_mat(self.matrix).inv()

    @cached_property
    def steps(self) -> flint.fmpq_mat:
        """(H·M)^-1: by this, o is the origin of a translate of the tile at 0 if it becomes integers."""
        if self.lattice is None:
            return self.inverse
        return flint.fmpq_mat(self.lattice_columns).inv() * self.inverse

    @cached_property
    def lattice_columns(self) -> flint.fmpz_mat:
        """M: its columns are a basis of the lattice."""
        rank = len(self.normals)
        if self.lattice is None:
            return flint.fmpz_mat([[int(r == c) for c in range(rank)] for r in range(rank)])
        return flint.fmpz_mat([list(row) for row in self.lattice]).transpose()

    @cached_property
    def modulus(self) -> int:
        """The least m > 0 with m·Z^d in the lattice H·M·Z^d: 1 if every tile is a translate."""
        entries = [self.steps[i, j] for i in range(len(self.normals)) for j in range(len(self.normals))]
        return math.lcm(*(int(entry.q) for entry in entries))

    def kind_of(self, tile: Sequence[int], values: Mapping[str, int]) -> tuple[int, ...]:
        """A name of the class of diag(s)·TILE modulo H·M·Z^d: two tiles with one name are translates."""
        moved = self._times(self.steps, tile, values)
        return tuple(int((entry - math.floor(entry)) * self.modulus) for entry in moved)

    def translation(self, tile: Sequence[int], values: Mapping[str, int]) -> list[flint.fmpq]:
        """H^-1·diag(s)·TILE: what leads from the tile (0, ..., 0) to TILE."""
        return self._times(self.inverse, tile, values)

    def _times(
        self, matrix: flint.fmpq_mat, tile: Sequence[int], values: Mapping[str, int]
    ) -> list[flint.fmpq]:
        sizes = [values[size] if isinstance(size, str) else size for size in self.sizes]
        column = flint.fmpq_mat([[flint.fmpq(s * t)] for s, t in zip(sizes, tile, strict=True)])
        moved = matrix * column
        return [moved[i, 0] for i in range(len(sizes))]

    def kinds_count(self, values: Mapping[str, int]) -> int:
        """How many kinds of tiles there are: the order of the image of Z^d modulo H·M·Z^d.

        By the Smith normal form of m·(H·M)^-1·diag(s), with the modulus m: the product of m / gcd(m, d_k).
        """
        modulus, rank = self.modulus, len(self.sizes)
        units = ([int(k == own) for k in range(rank)] for own in range(rank))
        columns = [self._times(self.steps, tile, values) for tile in units]
        entries = [[int(entry * modulus) for entry in column] for column in columns]
        form = flint.fmpz_mat(entries).snf()
        return math.prod(modulus // math.gcd(modulus, int(form[k, k])) for k in range(rank))

    def kinds(self, values: Mapping[str, int]) -> list[tuple[int, ...]]:
        """One tile of each kind, the least of each that has no negative coordinate.

        No coordinate of it is larger than there are kinds.
        """
        seen: dict[tuple[int, ...], tuple[int, ...]] = {}
        count = self.kinds_count(values)
        for tile in itertools.product(range(count), repeat=len(self.sizes)):
            seen.setdefault(self.kind_of(tile, values), tile)
            if len(seen) == count:
                break
        return list(seen.values())

    def plane_text(self, plane: int) -> str:
        """`i + 2*j`."""
        factors = zip(self.iterators, self.normals[plane], strict=True)
        return str(WrittenForm(tuple((name, factor) for name, factor in factors if factor)))

    def __str__(self) -> str:
        return ", ".join(f"{self.plane_text(j)}: {size}" for j, size in enumerate(self.sizes))

    def __repr__(self) -> str:
        return f"HyperplaneTiling.parse({str(self)!r})"


def linear(row: Sequence[int], first: int = 0) -> Expression:
    """ROW·x over the loops x = (FIRST, FIRST + 1, ...).

    >>> linear((2, -1))
    2 * d0 - d1
    """
    return sum((factor * loop(first + k) for k, factor in enumerate(row)), start=constant(0))


CONSUMER = "c"
"""The letter for tiles of another nest than that of the tiles t0, t1, ... whose values they consume."""


def tiles_named(tiles: isl.Set, letter: str = "t") -> isl.Set:
    """TILES with the names t0, t1, ... of a LETTER for their coordinates."""
    for position in range(tiles.dim(DIM.set)):
        tiles = tiles.set_dim_name(DIM.set, position, f"{letter}{position}")
    return tiles


def _plane(text: str) -> tuple[dict[str, int], Size]:
    """`i + 2*j: s` as the factors of its iterators, and the size."""
    normal, colon, size = text.partition(":")
    if not colon:
        raise NotATiling(f"'{text.strip()}' has no size: write '{text.strip() or 'i'}: 16'")
    return _normal(normal), _size(size.strip(), text.strip())


def _size(text: str, where: str) -> Size:
    if text.isdigit():
        if int(text) == 0:
            raise NotATiling(f"the size in '{where}' is 0")
        return int(text)
    if not _NAME.match(text):
        raise NotATiling(f"the size in '{where}' is neither a positive number nor a name")
    return text.removeprefix("%")


def _normal(text: str) -> dict[str, int]:
    try:
        form = WrittenForm.parse(text)
    except NotLinear as error:
        raise NotATiling(str(error)) from error
    if form.constant:
        raise NotATiling(f"'{text.strip()}' has a constant: tiles are counted from the origin")
    return form.factors
