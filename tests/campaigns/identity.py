"""The long campaign for baselines: seeded defects, edits that change nothing, known findings made worse or moved.

    python -m tests.campaigns.identity

Prints how many there are of each, and each that is told, or not told, wrongly. Exits 1 if there are any.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.gate.identity import alarms, missed, silent


def main() -> int:
    started = time.process_time()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (number, wrong) in {
            "defects": missed(Path(folder)),
            "edits that change nothing": alarms(Path(folder), facts=False),
            "edits that change nothing, with facts": alarms(Path(folder)),
            "findings made worse or moved": silent(Path(folder)),
        }.items():
            print(f"{number} {name}, {len(wrong)} of them told wrongly", *wrong, sep="\n  ")
            count += len(wrong)
    print(f"{time.process_time() - started:.0f} s of processor time")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
