"""MARS of published examples and of the programs of testdata/mars: sets, bursts, processor time.

The last column is the time without the theory of translations: what tiles have is then found by going through
their elements, or by moving an example. `?` marks programs of which that answers less.

    python benchmarks/mars.py

The published examples are those of the artifact for uniform dependences (Ferry, Derrien and Rajopadhye,
IMPACT 2023), with its user time, which includes the start of Python.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from time import process_time
from unittest.mock import patch

import volcli
from volcli.facts.mars import MarsFact
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.footprints.footprints import AffineDependence, Footprints
from volcli.model.mars.partition.answers import MarsAnswer
from volcli.model.mars.partition.refinement import produced_by_tiles
from volcli.model.mars.partition.uniform import Uniform
from volcli.model.mars.tilings.tiling import HyperplaneTiling
from volcli.model.mars.tilings.vectors import unit

_FOLDER = Path(__file__).parents[1] / "testdata" / "mars"
_TIMES = 3
"""The least time of so many runs is printed."""
_RUN = re.compile(r'-p "(?P<pipeline>.*)"')


def _processor_time() -> float:
    """The seconds that this process and those that it has waited for have computed."""
    return sum(os.times()[:4])


def _timed(path: Path, pipeline: str) -> tuple[float, volcli.Program]:
    """The least seconds of PIPELINE over the program at PATH, and that."""
    times: list[float] = []
    program = volcli.load(path)
    for _ in range(_TIMES):
        program = volcli.load(path)
        begin = _processor_time()
        program.run(pipeline)
        times.append(_processor_time() - begin)
    return min(times), program


def _no_theory(_: Uniform) -> MarsAnswer:
    raise NotFinite("the theory of translations is off")


_NINE = [(0, -1, -1), (0, -1, 0), (0, -1, 1), (0, 0, -1), (-1, 0, 0)]
_NINE += [(-1, 0, 1), (-1, 1, -1), (-1, 1, 0), (-1, 1, 1)]
_PUBLISHED = {
    "three dependences": ("k: 10, i: 10, j: 10", [(-1, 0, 0), (0, -1, 0), (0, 0, -1)], 0.16),
    "gemm": ("i: 10, j: 20, k: 20", [(0, 0, -1)], 0.13),
    "Jacobi 1D": ("t+i: 45000, t-i: 45000", [(-1, -1), (-1, 0), (-1, 1)], 0.16),
    "Smith-Waterman": ("i+j: 100, j: 100", [(-1, 0), (0, -1), (-1, -1)], 0.15),
    "Jacobi 2D": (
        "t: 4, t+i: 5, t+j: 7",
        [(-1, 0, 0), (-1, 1, 0), (-1, -1, 0), (-1, 0, 1), (-1, 0, -1)],
        1.2,
    ),
    "Seidel 2D": ("t: 4, t+i: 10, 4*t+2*i+j: 10", _NINE, 2.1),
}


def published() -> None:
    """Print the sets that a tile reads and produces in the published examples, and both times."""
    print("\nPublished examples: sets read, sets produced, their seconds and ours")
    for name, (text, offsets, theirs) in _PUBLISHED.items():
        tiling = HyperplaneTiling.parse(text)
        rank = len(tiling.iterators)
        dependences = [AffineDependence(unit(rank), offset) for offset in offsets]
        times: list[float] = []
        for _ in range(_TIMES):
            begin = process_time()
            sets = produced_by_tiles(Footprints(tiling, (0,) * rank), dependences).sets
            times.append(process_time() - begin)
        read = sum(len(each.consumers) for each in sets)
        print(f"  {name:20} {text:30} {read:3} {len(sets):3} {theirs:6.2f} {min(times):7.3f}")


def mars() -> None:
    """Print the tables."""
    published()
    print("\nWhat flows between tiles: sets, bursts of one tile in the array and in their order, time")
    print(f"  {'':24} {'':16} {'sets':>4} {'in':>4} {'row-major':>9} {'order':>6} {'ms':>8} {'without':>9}")
    for path in sorted(_FOLDER.glob("*.mlir")):
        text = path.read_text()
        match = _RUN.search(text)
        assert match is not None
        volcli.load(path).run(match["pipeline"])
        time, program = _timed(path, match["pipeline"])
        elapsed = f"{time * 1000:8.1f}"
        if "allocate" not in match["pipeline"]:
            with patch.object(Uniform, "answer", _no_theory):
                time, other = _timed(path, match["pipeline"])
            less = sum(fact.certainty.degree == "exact" for fact in other.facts) < sum(
                fact.certainty.degree == "exact" for fact in program.facts
            )
            elapsed += f" {time * 1000:8.1f}{'?' * less}"
        for fact in program.facts:
            if isinstance(fact, MarsFact):
                layout = fact.layout
                rows = "" if layout is None or layout.row_major is None else layout.row_major
                order = "" if layout is None else str(layout.bursts)
                read = "" if fact.flow_in is None else str(fact.flow_in)
                name = f"{path.stem:24} {fact.subject:16}"
                print(f"  {name} {len(fact.sets):4} {read:>4} {rows:>9} {order:>6} {elapsed}")
                elapsed = ""


if __name__ == "__main__":
    mars()
