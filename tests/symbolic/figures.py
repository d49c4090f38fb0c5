"""The thesis's systems, Program 1 in blocks and in two levels of tiles, communication, diamonds; its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from volcli.language.expressions import Expression, constant, maximum, minimum, parameter

i, j, x, b, U, V, t1, t2, B1, B2 = (
    parameter(s) for s in ("i", "j", "x", "b", "U", "V", "t1", "t2", "B1", "B2")
)
T, N, B, tr, ir, ts, si, pr, ps, a = (
    parameter(s) for s in ("T", "N", "B", "tr", "ir", "ts", "is", "pr", "ps", "a")
)
tk, t3, tp, ip, jp = (parameter(s) for s in ("tk", "t3", "tp", "ip", "jp"))

PROGRAM_1 = [i, U - i, j, 2 * i - j, V - j]
RECEIVER = [tr, T - tr, ir - 3, N - ir, ir - 6, ts - tr, tr - ts, si - ir + 3, ir - si - 3, ir - 3 - a, a - ir + 3,
            ir - B * pr, B * pr + B - 1 - ir, si - B * ps, B * ps + B - 1 - si]  # fmt: skip
DIAMOND = [tp, T - tp, ip - tp - 1, N - ip + tp, jp - tp - 1, N - jp + tp,
           ip - B * (tk - t2), B * (tk - t2) + B - 1 - ip, 2 * tp - ip - B * t2, B * t2 + B - 1 - 2 * tp + ip,
           jp - B * t3, B * t3 + B - 1 - jp]  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A system of the thesis: its points by their definition, for values of the SYMBOLS, and its guard."""

    variables: str
    inequalities: Sequence[Expression]
    context: Sequence[Expression]
    symbols: Mapping[str, range]
    points: Callable[..., Iterator[tuple[int, ...]]]
    guard: Sequence[Expression]


def _program_1(last: int, most: int) -> Iterator[tuple[int, int]]:
    return ((row, column) for row in range(last + 1) for column in range(min(2 * row, most) + 1))


def _blocks(U: int, V: int, b: int) -> Iterator[tuple[int, ...]]:  # noqa: N803  # the names of the figure
    return ((column // b, row, column) for row, column in _program_1(U, V) if b > 0)


def _two_levels(U: int, V: int, B1: int, B2: int) -> Iterator[tuple[int, ...]]:  # noqa: N803
    tiled = B1 > 0 and B2 > 0
    return ((row // B2 // B1, row // B2, row, column) for row, column in _program_1(U, V) if tiled)


def _received(T: int, N: int, B: int) -> Iterator[tuple[int, ...]]:  # noqa: N803
    for time, read in product(range(T + 1), range(6, N + 1)):
        if B > 0 and read // B > (read - 3) // B:
            yield read // B, time, read, (read - 3) // B, time, read - 3, read - 3


def _diamonds(T: int, N: int, B: int) -> Iterator[tuple[int, ...]]:  # noqa: N803
    for time, row, column in product(range(T + 1), range(1, N + 1), range(1, N + 1)):
        second = (time - row) // B
        yield (time + row) // B + second, second, (time + column) // B, time, time + row, time + column


FIGURES = {
    "2-3": Figure(
        "x i j",
        [*PROGRAM_1, j - b * x, b * x - j + b - 1],
        (),
        {"U": range(-1, 5), "V": range(-1, 6), "b": range(-1, 5)},
        _blocks,
        (U, V, b - 1),
    ),
    "4-3": Figure(
        "t1 t2 i j",
        [*PROGRAM_1, t2 - B1 * t1, B1 * t1 - t2 + B1 - 1, i - B2 * t2, B2 * t2 - i + B2 - 1],
        (),
        {"U": range(-1, 8), "V": range(-1, 3), "B1": range(-1, 4), "B2": range(-1, 4)},
        _two_levels,
        (U, V, B1 - 1, B2 - 1),
    ),
    "4-5": Figure(
        "pr tr ir ps ts is a",
        [*RECEIVER, pr - ps - 1],
        (),
        {"T": range(-1, 2), "N": range(4, 14), "B": range(-1, 6)},
        _received,
        (T, N - 6, B - 1),
    ),
    "4-8": Figure(
        "tk t2 t3 tp ip jp",
        DIAMOND,
        (B - 1,),
        {"T": range(-1, 4), "N": range(5), "B": range(1, 5)},
        _diamonds,
        (T, N - 1),
    ),
}

p, q, r, s, t, u, M = (parameter(name) for name in "pqrstuM")
ZERO = constant(0)

TABLE = {
    "5.1, row 1": (
        maximum(
            minimum(p + q * 16 + r + s + t * 16 - 15, p + r + u - 14),
            minimum((q + t) * 16 + s - 16, u - 15) + p + r + 1,
        ),
        minimum(p + q * 16 + r + s + t * 16 - 15, p + r + u - 14),
    ),
    "5.1, row 2": (
        maximum(minimum(maximum(maximum(a, constant(1)) - 1, ZERO) * 16 + q + 15, p), r),
        maximum(r, minimum(maximum(q + 15, q + a * 16 - 1), p)),
    ),
    "5.1, row 3": (
        minimum(minimum(p, minimum(q, minimum(p - 2, ZERO))), p - 1),
        minimum(q, minimum(p - 2, ZERO)),
    ),
    "5.1, row 4": (
        minimum(
            minimum(p, minimum(q, minimum(r, minimum(p - 1, minimum(p - 2, ZERO))))),
            minimum(q, minimum(r, s)),
        ),
        minimum(r, minimum(q, minimum(p - 2, minimum(s, ZERO)))),
    ),
    "5.1": (maximum(minimum(N, N + 1), N + 2), N + 2),
    "figure 5-3, lower": (
        maximum(minimum(maximum(M * a + b, ZERO), constant(19)), constant(10)),
        minimum(maximum(b + M * a, constant(10)), constant(19)),
    ),
    "figure 5-3, upper": (
        minimum(maximum(minimum((M + 1) * a + b, constant(19)), ZERO), constant(19)),
        maximum(minimum(b + a + M * a, constant(19)), ZERO),
    ),
}
"""What the thesis begins with and what it ends with."""
