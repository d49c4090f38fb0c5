"""The loops of files: how many are parallel, reductions, carried, unknown and why, and what that costs.

python benchmarks/loops.py FILE...
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import volcli
from volcli.model.memory.loops import LoopKind, Loops


def classify(path: Path) -> tuple[Counter[str], Counter[str], float, float]:
    """The kinds of loops in a file, why some are unknown, and the seconds to read and to analyse."""
    start = time.perf_counter()
    program = volcli.load(str(path))
    middle = time.perf_counter()
    answers = [a for unit in program.units for model in unit.models() for a in Loops(model.memory).all()]
    end = time.perf_counter()
    kinds = Counter(answer.kind.value for answer in answers)
    reasons = Counter(str(answer.because) for answer in answers if answer.kind is LoopKind.UNKNOWN)
    return kinds, reasons, middle - start, end - middle


def main(names: list[str]) -> None:
    """Print one line for each file, a total, and the reasons."""
    columns = [kind.value for kind in LoopKind]
    print(f"{'file':32}" + "".join(f"{column:>11}" for column in columns) + f"{'read':>9}{'analyse':>9}")
    total, why = Counter[str](), Counter[str]()
    for name in names:
        kinds, reasons, read, analyse = classify(Path(name))
        counts = "".join(f"{kinds[column]:11}" for column in columns)
        print(f"{Path(name).name:32}{counts}{read:8.2f}s{analyse:8.2f}s")
        total.update(kinds)
        why.update(reasons)
    print(f"{'':32}" + "".join(f"{total[column]:11}" for column in columns))
    for reason, count in why.most_common():
        print(f"{count:6}  {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
