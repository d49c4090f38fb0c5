"""Bounds of all index values and sizes of some files: what is known, why the rest is not, and the time.

    python benchmarks/bounds.py FILE...

prints for each file how many variables (index values and dynamic sizes) have constant bounds on both sides,
how many symbolic ones, and how many lack a side; then these by reason. Times are the best of several runs in
one process, in which all modules were imported before: of reading the file, and of all its bounds.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import volcli
from volcli.driver import Program
from volcli.facts.bounds import BoundsFact

RUNS = 5


@dataclass
class Row:
    """What is known of the variables of one file."""

    name: str
    constant: int = 0
    symbolic: int = 0
    reasons: Counter[str] = field(default_factory=Counter[str])
    inexact: Counter[str] = field(default_factory=Counter[str])
    reading: float = float("inf")
    bounding: float = float("inf")

    @property
    def variables(self) -> int:
        return self.constant + self.symbolic + self.reasons.total()

    def add(self, fact: BoundsFact) -> None:
        """Count FACT as constant or symbolic, or by the reason why a side is missing."""
        sides = (fact.lower, fact.upper)
        if not all(side.exact for side in sides):
            self.inexact[str(fact.reason)] += 1
        if fact.never or all(side.constant is not None for side in sides):
            self.constant += 1
        elif all(side.text is not None or side.constant is not None for side in sides):
            self.symbolic += 1
        else:
            self.reasons[str(fact.reason)] += 1


def measured(path: str) -> Row:
    """The row of the file at PATH."""
    row = Row(Path(path).name)
    program: Program | None = None
    for _ in range(RUNS):
        begin = time.process_time()
        program = volcli.load(path, via="xdsl")
        read = time.process_time()
        program.run("value-bounds")
        row.reading = min(row.reading, read - begin)
        row.bounding = min(row.bounding, time.process_time() - read)
    assert program is not None
    for fact in program.facts:
        if isinstance(fact, BoundsFact):
            row.add(fact)
    return row


def show(rows: list[Row]) -> None:
    """Print ROWS as a table, and the reasons of all files."""
    print("\nBounds of all index values and sizes: how many are known, and the time against reading the file")
    heads = ("variables", "constant", "symbolic", "unknown", "read ms", "bounds ms", "ratio")
    print(f"  {'':28}" + "".join(f"{head:>11}" for head in heads))
    for row in rows:
        counts = (row.variables, row.constant, row.symbolic, row.reasons.total())
        times = f"{row.reading * 1000:11.1f}{row.bounding * 1000:11.1f}{row.bounding / row.reading:11.2f}"
        print(f"  {row.name:28}" + "".join(f"{count:11}" for count in counts) + times)
    for title, reasons in (
        ("unknown", sum((row.reasons for row in rows), Counter[str]())),
        ("not exact", sum((row.inexact for row in rows), Counter[str]())),
    ):
        print(f"\n  {title}, by reason: {reasons.total()}")
        for reason, count in reasons.most_common():
            print(f"    {count:6}  {reason}")


def main() -> None:
    """The command line."""
    paths = sys.argv[1:]
    if paths:
        measured(paths[0])  # imports what all need
    show([measured(path) for path in paths])


if __name__ == "__main__":
    main()
