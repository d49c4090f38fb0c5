"""What tiles of twelve kernels move as these run: from arrays as they are, whole footprints, and MARS.

    python benchmarks/mars_transfers.py

Each kernel is executed with last writers, tile by tile (tests/oracles/mars/transfers.py). Elements that are
read and written are counted, of four bytes each; a burst is a run of neighbouring addresses. The time is that
of a memory which needs LATENCY cycles for a burst and moves BYTES in each: a model, and no measurement.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import volcli
from tests.oracles.mars.enumeration import execute
from tests.oracles.mars.kernels import Kernel, kernels
from tests.oracles.mars.texts import mlir
from tests.oracles.mars.tiles import broken
from tests.oracles.mars.transfers import Moved, Transfers
from volcli.facts.mars import MarsFact

LATENCY = 30
BYTES = 16
WIDTH = 4


def cycles(moved: Moved) -> int:
    """How long MOVED takes."""
    return moved.bursts * LATENCY + -(-moved.elements * WIDTH // BYTES)


def sets_of(kernel: Kernel) -> str:
    """How many sets of others a tile reads and produces, as volcli answers, beside what was published."""
    tiled, arrays = kernel.tiled()
    program = volcli.loads(mlir(tiled.program, arrays)[0])
    program.run(f"mars{{tile='{tiled.text}' assume-noalias-args}}")
    found = [each for each in program.facts if isinstance(each, MarsFact) and each.kind == "produced"]
    answered = [each for each in found if each.flow_in is not None and each.classes]
    said = ", ".join(f"{each.flow_in}/{len(each.classes[0].members)}" for each in answered)
    published = "" if kernel.published is None else f" ({kernel.published[0]}/{kernel.published[1]})"
    return f"{said or '-'}{published}"


def main() -> None:
    """Print the table."""
    print("\nElements, bursts, kilobytes and thousands of cycles of all tiles: as they are; footprints; MARS")
    print(f"  {'kernel':15} {'tiles':26} {'sets (published)':>17}", end="")
    print(f" {'elements':>24} {'bursts':>20} {'kB':>20} {'kcycles':>20}")
    for kernel in kernels():
        tiled, arrays = kernel.tiled()
        trace = execute(tiled.program)
        assert not broken(tiled, trace), kernel.name
        transfers = Transfers(tiled, trace, arrays)
        ways = [transfers.as_declared(), transfers.footprints(), transfers.by_sets()]
        print(f"  {kernel.name:15} {kernel.tile:26} {sets_of(kernel):>17}", end="")
        print(" " + "".join(f"{each.elements:8}" for each in ways), end=" ")
        print("".join(f"{each.bursts:7}" for each in ways), end="")
        print("".join(f"{each.elements * WIDTH / 1000:7.1f}" for each in ways), end="")
        print("".join(f"{cycles(each) / 1000:7.1f}" for each in ways))


if __name__ == "__main__":
    main()
