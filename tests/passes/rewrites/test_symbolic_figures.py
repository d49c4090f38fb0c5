"""The figures of P. Suriana (2016) as programs: what is printed, and which points its loops run, in which order.

The loops are executed by mlir-runner-22 with a body that prints its point, for all small values of the symbols:
sizes that do not divide, of 1, 0 and below, loops that do not run, and bounds below 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.shared.execution import executed, needs_runner
from tests.update import rewritten_files

FILES = rewritten_files()
Point = tuple[int, ...]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_printed(path: Path, volcli: Run) -> None:
    """`make update` rewrites it."""
    after, words = FILES[path]
    ran = volcli(*words)
    assert ran.returncode == 0
    assert set(re.findall(r"\bV\d+\b", ran.stderr)) <= {"V313"}  # what is not compared is said
    assert ran.stdout == after.read_text()


def _program_1(U: int, V: int) -> Iterator[Point]:  # noqa: N803  # the names of the figures
    return ((i, j) for i in range(U + 1) for j in range(min(2 * i, V) + 1))


def _blocks(U: int, V: int, b: int) -> list[Point]:  # noqa: N803
    return sorted(_program_1(U, V), key=lambda p: (p[1] // max(b, 1), *p))


def _two_levels(U: int, V: int, B1: int, B2: int) -> list[Point]:  # noqa: N803
    outer, inner = max(B1, 1), max(B2, 1)
    return sorted(_program_1(U, V), key=lambda p: (p[0] // inner // outer, p[0] // inner, *p))


def _diamonds(T: int, N: int, B: int) -> list[Point]:  # noqa: N803
    size = max(B, 1)

    def order(point: Point) -> Point:
        t, i, j = point
        return (t + i) // size + (t - i) // size, (t - i) // size, (t + j) // size, t, i, j

    points = sorted(product(range(T + 1), range(1, N + 1), range(1, N + 1)), key=order)
    return [(t + 1, i, j) for t, i, j in points]  # the element that is written


@dataclass(frozen=True)
class FigureProgram:
    """A file, its function, the points in their order, and the values of the symbols, in the order of arguments."""

    file: str
    function: str
    memref: str
    points: Callable[..., list[Point]]
    symbols: tuple[range, ...]


FIGURES = [
    FigureProgram("blocks", "program_1", "?x?xf64", _blocks, (range(-2, 5), range(-2, 6), range(-1, 5))),
    FigureProgram("two-levels", "program_1", "?x?xf64", _two_levels, (range(-2, 7), range(-2, 3), range(-1, 4), range(-1, 4))),
    FigureProgram("diamonds", "program_4", "?x?x?xf64", _diamonds, (range(-2, 4), range(-1, 4), range(-1, 5))),
]  # fmt: skip


def _printing(text: str) -> str:
    """TEXT, in which each store prints its indices and no memory is read."""
    text = re.sub(r"= (memref|affine)\.load %\w+\[.*", "= arith.constant 0.0 : f64", text)

    def prints(found: re.Match[str]) -> str:
        lines = [f"vector.print {index} : index" for index in found[1].split(", ")]
        return "\n".join([*lines, "vector.print %marker : index"])

    text = re.sub(r"memref\.store %\w+, %\w+\[(.*?)\] :.*", prints, text)
    return re.sub(r"(func\.func @\w+\(.*\) \{\n)", r"\1  %marker = arith.constant 1000 : index\n", text)


def _calls(figure: FigureProgram) -> str:
    """@main: the function for all values of the symbols; behind each call, 2000."""
    names = [f"%s{k}" for k in range(len(figure.symbols))]
    kinds = ", ".join(["index"] * len(names))
    size = "1x" * figure.memref.count("?") + "f64"
    lines = ["func.func @main() {", f"%a = memref.alloc() : memref<{size}>"]
    lines += [
        f"%m = memref.cast %a : memref<{size}> to memref<{figure.memref}>",
        "%one = arith.constant 1 : index",
    ]
    lines += ["%end = arith.constant 2000 : index"]
    for name, values in zip(names, figure.symbols, strict=True):
        lines += [
            f"{name}_first = arith.constant {values.start} : index",
            f"{name}_end = arith.constant {values.stop} : index",
        ]
    lines += [f"scf.for {name} = {name}_first to {name}_end step %one {{" for name in names]
    lines += [
        f"func.call @{figure.function}(%m, {', '.join(names)}) : (memref<{figure.memref}>, {kinds}) -> ()"
    ]
    lines += ["vector.print %end : index", *["}" for _ in names], "return", "}"]
    return "\n".join(lines)


@pytest.mark.sample(1)
@needs_runner
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.file)
def test_the_loops_run_each_point_once_and_in_order(figure: FigureProgram, root: Path, mlir_opt: str) -> None:
    text = (root / "testdata" / "symbolic" / f"{figure.file}.mlir.after").read_text()
    parts = executed(mlir_opt, _printing(text) + _calls(figure)).split("2000")
    assert not parts.pop().strip()
    for part, symbols in zip(parts, product(*figure.symbols), strict=True):
        numbers = [tuple(map(int, point.split())) for point in part.split("1000") if point.strip()]
        assert numbers == figure.points(*symbols), symbols
