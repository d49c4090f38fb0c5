"""Every question of some files, as JSON on stdout: what any two processes must print alike.

    python -m tests.shared.everything SEED FILES...

SEED moves the addresses of all objects, so that what depends on an order by address shows it; PYTHONHASHSEED,
which the caller sets, does the same for the order of sets of texts.
"""

from __future__ import annotations

import random
import sys

from volcli.loading.driver import Program, load
from volcli.passes.table import UNASKED, find_question
from volcli.report.files import FileReport
from volcli.report.json_report import as_json

EVERYTHING = ",".join(dict.fromkeys(find_question(question) for question in UNASKED))


def answered(file: str) -> Program:
    """The program in FILE, of which every question was asked."""
    return load(file, split=True).run(EVERYTHING)


def main(seed: str, *files: str) -> None:
    shuffled = random.Random(seed)
    keep: list[object] = []
    reports: list[FileReport] = []
    for file in files:
        # Objects of many sizes, some of which go at once: what the program allocates lands elsewhere.
        several = [bytearray(shuffled.randrange(16, 512)) for _ in range(shuffled.randrange(20_000))]
        keep += several[:: shuffled.randrange(2, 5)]
        del several
        program = answered(file)
        reports.append(FileReport(file, program.diagnostics, program.facts))
    print(as_json(reports))


if __name__ == "__main__":
    main(*sys.argv[1:])
