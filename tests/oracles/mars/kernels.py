"""Twelve kernels as trees of loops, each with tiles: small sizes, so that all of it can be enumerated."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.mars.arrays import drawn_arrays
from tests.oracles.mars.enumeration import Access, Affine, If, Loop, Node, Program, Statement
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, Tiling

_TERM = re.compile(r"([+-]?)(?:(\d+)\*)?(\w+)")
_PLACE = re.compile(r"(\w+)\[(.*)\]")


def affine(text: str | int) -> Affine:
    """`2*t+i-1`.

    >>> affine("2*t-i+3")
    Affine(factors=(('t', 2), ('i', -1)), constant=3)
    """
    factors, constant = list[tuple[str, int]](), 0
    for sign, times, name in _TERM.findall(str(text).replace(" ", "")):
        factor = (-1 if sign == "-" else 1) * int(times or 1)
        if name.isdigit():
            constant += factor * int(name)
        else:
            factors.append((name, factor))
    return Affine(tuple(factors), constant)


@dataclass
class Writer:
    """Numbers the accesses of a program as they are written."""

    numbers: itertools.count[int]

    @staticmethod
    def at_one() -> Writer:
        return Writer(itertools.count(1))

    def access(self, text: str) -> Access:
        match = _PLACE.fullmatch(text)
        assert match is not None, text
        array, index = match.groups()
        return Access(next(self.numbers), array, tuple(map(affine, index.split(","))))

    def sets(self, written: str, *read: str) -> Statement:
        """`sets("c[i,j]", "c[i,j]", "a[i,k]", "b[k,j]")`."""
        reads = tuple(map(self.access, read))
        return Statement(reads, self.access(written))


Bounds = tuple[str, str | int, str | int]


def nest(loops: Sequence[Bounds], *body: Node) -> Loop:
    """BODY in LOOPS, each a name, its first value and its end."""
    (name, lower, upper), *inner = loops
    inside = (nest(inner, *body),) if inner else body
    return Loop(name, (affine(lower),), (affine(upper),), 1, inside)


def tilings(text: str) -> tuple[Tiling, ...]:
    """`t+i:8, t-i:8; p:4`."""
    found: list[Tiling] = []
    for part in text.split(";"):
        planes = [plane.split(":") for plane in part.split(",")]
        found.append(Tiling(tuple((affine(plane), int(size)) for plane, size in planes)))
    return tuple(found)


@dataclass(frozen=True)
class Kernel:
    """Its nests, its tiles, and how many sets of other tiles a tile reads and produces in what was published."""

    name: str
    nests: tuple[Loop, ...]
    tile: str
    published: tuple[int, int] | None = None

    def tiled(self) -> tuple[Tiled, dict[str, Array]]:
        """The program in tiles, and arrays of f32 that are as large as what is accessed."""
        program, arrays = drawn_arrays(None, Program(self.nests))
        return Tiled(program, tilings(self.tile)), arrays


def kernels() -> list[Kernel]:
    return [*_stencils(), *_linear_algebra(), *_sweeps()]


def _stencils() -> list[Kernel]:
    w = Writer.at_one()
    time = ("t", 1, 17)
    return [
        Kernel(
            "Jacobi 1D",
            (nest([("t", 1, 25), ("i", 1, 49)], w.sets("a[t,i]", "a[t-1,i-1]", "a[t-1,i]", "a[t-1,i+1]")),),
            "t+i:8, t-i:8",
            (7, 4),
        ),
        Kernel(
            "Jacobi 2D",
            (
                nest(
                    [time, ("i", 1, 17), ("j", 1, 17)],
                    w.sets(
                        "a[t,i,j]",
                        "a[t-1,i,j]",
                        "a[t-1,i-1,j]",
                        "a[t-1,i+1,j]",
                        "a[t-1,i,j-1]",
                        "a[t-1,i,j+1]",
                    ),
                ),
            ),
            "t:4, t+i:4, t+j:4",
            (28, 13),
        ),
        Kernel(
            "Seidel 2D",
            (
                nest(
                    [("t", 0, 16), ("i", 1, 17), ("j", 1, 17)],
                    w.sets("a[i,j]", *(f"a[i+{p}-1,j+{q}-1]" for p in range(3) for q in range(3))),
                ),
            ),
            "t:4, 2*t+i:4, 3*t+2*i+j:4",
            (33, 13),
        ),
        Kernel(
            "heat 3D",
            (
                nest(
                    [("t", 1, 9), ("i", 1, 9), ("j", 1, 9), ("k", 1, 9)],
                    w.sets(
                        "a[t,i,j,k]",
                        "a[t-1,i,j,k]",
                        *(f"a[t-1,i{s},j,k]" for s in ("-1", "+1")),
                        *(f"a[t-1,i,j{s},k]" for s in ("-1", "+1")),
                        *(f"a[t-1,i,j,k{s}]" for s in ("-1", "+1")),
                    ),
                ),
            ),
            "t:3, t+i:3, t+j:3, t+k:3",
        ),
        Kernel(
            "FDTD 2D",
            (
                nest(
                    [("t", 0, 12), ("i", 1, 15), ("j", 1, 15)],
                    w.sets("y[i,j]", "y[i,j]", "h[i,j]", "h[i-1,j]"),
                    w.sets("x[i,j]", "x[i,j]", "h[i,j]", "h[i,j-1]"),
                    w.sets("h[i-1,j-1]", "h[i-1,j-1]", "x[i-1,j]", "x[i-1,j-1]", "y[i,j-1]", "y[i-1,j-1]"),
                ),
            ),
            "t:4, t+i:4, t+j:4",
        ),
    ]


def _linear_algebra() -> list[Kernel]:
    w = Writer.at_one()
    cube = [("i", 0, 16), ("j", 0, 16), ("k", 0, 16)]
    pivot = w.sets("a[i,k]", "a[i,k]", "a[k,k]")
    update = w.sets("a[i,j]", "a[i,j]", "a[i,k]", "a[k,j]")
    return [
        Kernel(
            "gemm", (nest(cube, w.sets("c[i,j]", "c[i,j]", "a[i,k]", "b[k,j]")),), "i:4, j:4, k:4", (1, 1)
        ),
        Kernel(
            "LU",
            (
                nest(
                    [("k", 0, 15), ("i", "k+1", 16), ("j", "k", 16)],
                    If(((affine("k-j"), 0),), (pivot,), (update,)),
                ),
            ),
            "k:4, i:4, j:4",
        ),
        Kernel(
            "Floyd-Warshall",
            (
                nest(
                    [("k", 0, 12), ("i", 0, 12), ("j", 0, 12)],
                    w.sets("d[i,j]", "d[i,j]", "d[i,k]", "d[k,j]"),
                ),
            ),
            "k:1, i:4, j:4",
        ),
        Kernel(
            "convolution",
            (
                nest(
                    [("i", 0, 16), ("j", 0, 16), ("p", 0, 3), ("q", 0, 3)],
                    w.sets("y[i,j]", "y[i,j]", "x[i+p,j+q]", "w[p,q]"),
                ),
            ),
            "i:4, j:4",
        ),
        Kernel(
            "mvt",
            (
                nest(
                    [("i", 0, 24), ("j", 0, 24)],
                    w.sets("x[i]", "x[i]", "a[i,j]", "u[j]"),
                    w.sets("y[i]", "y[i]", "a[j,i]", "v[j]"),
                ),
            ),
            "i:4, j:4",
        ),
    ]


def _sweeps() -> list[Kernel]:
    w = Writer.at_one()
    square = [("i", 1, 17), ("j", 1, 17)]
    other = [("p", 1, 17), ("q", 1, 17)]
    return [
        Kernel(
            "Smith-Waterman",
            (nest(square, w.sets("h[i,j]", "h[i-1,j-1]", "h[i-1,j]", "h[i,j-1]", "x[i]", "y[j]")),),
            "i+j:4, j:4",
            (6, 4),
        ),
        Kernel(
            "ADI",
            (
                nest(square, w.sets("u[i,j]", "u[i,j]", "u[i,j-1]", "c[i,j]")),
                nest(other, w.sets("u[p,q]", "u[p,q]", "u[p-1,q]", "c[p,q]")),
            ),
            "i:4, j:4; p:4, q:4",
        ),
    ]
