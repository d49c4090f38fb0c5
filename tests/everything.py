"""Every question of some files, as JSON on stdout: what two processes must print alike.

    python -m tests.everything SEED FILES...

SEED moves the addresses of all objects, so that what depends on an order by address shows it; PYTHONHASHSEED,
which the caller sets, does the same for the order of sets of texts.
"""

from __future__ import annotations

import random
import sys

from volcli.driver import load
from volcli.passes.table import UNASKED, find_question
from volcli.report.files import FileReport
from volcli.report.json_report import as_json


def main(seed: str, *files: str) -> None:
    shuffled = random.Random(seed)
    keep: list[object] = []
    reports: list[FileReport] = []
    for file in files:
        # Objects of many sizes, some of which go at once: what the program allocates lands elsewhere.
        several = [bytearray(shuffled.randrange(16, 512)) for _ in range(shuffled.randrange(20_000))]
        keep += several[:: shuffled.randrange(2, 5)]
        del several
        program = load(file, split=True)
        program.run(",".join(dict.fromkeys(find_question(question) for question in UNASKED)))
        reports.append(FileReport(file, program.diagnostics, program.facts))
    print(as_json(reports))


if __name__ == "__main__":
    main(*sys.argv[1:])
