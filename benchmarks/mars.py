"""MARS of the programs of testdata/mars: how many, their bursts, processor time behind reading.

The last column is the time without the theory of translations: what tiles have is then found by going through
their elements, or by moving an example. `?` marks programs of which that answers less.

    python benchmarks/mars.py

The published implementation, for uniform dependences and numeric sizes, takes 0.3 s for Jacobi 1D and 12 s
for Jacobi 2D (Ferry, Derrien and Rajopadhye, IMPACT 2023).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from unittest.mock import patch

import volcli
from volcli.facts.mars import MarsFact
from volcli.model.mars.footprints.consumers import NotFinite
from volcli.model.mars.partition.answers import MarsAnswer
from volcli.model.mars.partition.uniform import Uniform

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


def mars() -> None:
    """Print the table."""
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
