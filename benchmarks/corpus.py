"""`make corpus ARGS=PATHS`: what volcli knows of the programs in PATHS, why not more, and the time.

Each .mlir file is analysed by a process of its own, question by question on a program read anew, so that
none of them costs another anything; one that takes longer than the limit is ended, and counted. Three tables:
each question with its facts that are exact, approximate and unknown, and the time against reading; the most
frequent reasons; the diagnostics by code. docs/corpora.md tells how to read them.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

DEGREES = ("exact", "approximate", "unknown")
PERCENTILES = (50, 95, 99, 100)
MOST_REASONS = 20
_TICK = 0.001
"""What is less is counted as this: clocks of the processor tell no less time apart."""
SMALL = """
#map = affine_map<(d0) -> (d0)>
func.func @f(%m: memref<?xf32>, %t: tensor<?xf32>, %n: index, %s: index) -> tensor<?xf32> {
  affine.for %i = 0 to 9 {
    %x = affine.load %m[%i] : memref<?xf32>
    affine.store %x, %m[%i + 1] : memref<?xf32>
  }
  %c0 = arith.constant 0 : index
  %p = arith.muli %n, %s : index
  scf.for %i = %c0 to %p step %s {
    %x = memref.load %m[%i] : memref<?xf32>
    memref.store %x, %m[%i] : memref<?xf32>
  }
  %whole = tensor.dim %t, %c0 : tensor<?xf32>
  %fits = arith.cmpi sle, %n, %whole : index
  cf.assert %fits, "a slice of %t"
  %e = tensor.extract_slice %t[%c0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%e : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %squared = arith.mulf %a, %a : f32
    linalg.yield %squared : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @g(%n: index) {
  cf.br ^next
^next:
  return
}
"""
"""What imports what most programs need: imports are not timed."""
_NAMES = re.compile(r"[%@][\w.#$-]+|-?\b\d+\b")


@dataclass
class Answers:
    """What one question got: facts by how much is known, reasons, diagnostics by code, seconds of CPU."""

    degrees: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])
    codes: Counter[str] = field(default_factory=Counter[str])
    seconds: float = 0.0


@dataclass
class FileAnswers:
    """One file: its size, the least time of reading it, what each question got; or why nothing."""

    path: str
    operations: int = 0
    reading: float = 0.0
    megabytes: float = 0.0
    problem: str | None = None
    codes: Counter[str] = field(default_factory=Counter[str])
    questions: dict[str, Answers] = field(default_factory=dict[str, Answers])


def _seconds() -> float:
    """The processor time of this process, and of the copies of it that large queries were left to."""
    copies = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + copies.ru_utime + copies.ru_stime


def asked(path: str, questions: Sequence[str]) -> FileAnswers:
    """What the QUESTIONS get of the file at PATH."""
    import volcli
    from volcli.passes.table import find_question

    found = FileAnswers(path, reading=float("inf"))
    for question in questions:
        pipeline = find_question(question)
        volcli.loads(SMALL).run(pipeline)  # imports are not timed
        gc.collect()  # nor what questions before have left
        gc.freeze()
        begin = _seconds()
        program = volcli.load(path, via="xdsl", split=True)
        read = _seconds()
        said = len(program.diagnostics)
        program.run(pipeline)
        end = _seconds()
        found.reading = min(found.reading, read - begin)
        found.codes = Counter(each.code for each in program.diagnostics[:said])
        found.operations = sum(1 for unit in program.units for _ in unit.parsed.module.walk())
        answers = found.questions[question] = Answers(seconds=end - read)
        answers.codes = Counter(each.code for each in program.diagnostics[said:])
        for fact in program.facts:
            if fact.question == question:
                degree, reason = fact.certainty
                answers.degrees[degree] += 1
                if reason is not None:
                    answers.reasons[_NAMES.sub("_", reason)] += 1
        del program  # what is frozen is never freed
    found.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def measured(path: str, questions: Sequence[str], seconds: float) -> FileAnswers:
    """`asked` in a process of its own, which is ended after so many SECONDS."""
    command = [sys.executable, __file__, "--one", "--ask", ",".join(questions), path]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return FileAnswers(path, problem=f"over {seconds:g} s")
    if ran.returncode != 0:
        last = (ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"])[-1]
        return FileAnswers(path, problem=last)
    return _from_json(json.loads(ran.stdout))


def _from_json(data: Mapping[str, Any]) -> FileAnswers:
    questions = {
        name: Answers(*(Counter(each[key]) for key in ("degrees", "reasons", "codes")), each["seconds"])
        for name, each in data["questions"].items()
    }
    return FileAnswers(**{**data, "codes": Counter(data["codes"]), "questions": questions})


def files(paths: Iterable[str]) -> list[str]:
    """The files of PATHS, and the .mlir files below the folders among them, in order."""
    found = [
        sorted(map(str, Path(path).rglob("*.mlir"))) if Path(path).is_dir() else [path] for path in paths
    ]
    return [each for some in found for each in some]


def percentile(numbers: Sequence[float], percent: int) -> float:
    """The least of NUMBERS that PERCENT of them do not exceed."""
    ordered = sorted(numbers)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def question_table(found: Sequence[FileAnswers]) -> Table:
    """One row for each question: how much is known, and the time of its analysis against that of reading."""
    table = Table("question", title="Questions", box=None, title_justify="left")
    for heading in ("facts", *DEGREES, "s", "x reading: median", "95 %", "99 %", "most", "where"):
        table.add_column(heading, justify="left" if heading == "where" else "right")
    for question in dict.fromkeys(name for each in found for name in each.questions):
        rows = [(each, each.questions[question]) for each in found if question in each.questions]
        degrees = sum((answers.degrees for _, answers in rows), Counter[str]())
        total = degrees.total()
        shares = [f"{100 * degrees[degree] / total:.1f} %" if total else "" for degree in DEGREES]
        ratios = [
            (answers.seconds / max(each.reading, _TICK), Path(each.path).name) for each, answers in rows
        ]
        times = [f"{percentile([ratio for ratio, _ in ratios], p):.2f}" for p in PERCENTILES]
        seconds = sum(answers.seconds for _, answers in rows)
        table.add_row(question, str(total), *shares, f"{seconds:.1f}", *times, max(ratios)[1])
    return table


def counted(title: str, heading: str, counts: Counter[tuple[str, str]], most: int | None = None) -> Table:
    """COUNTS of a question and something else, the largest first."""
    table = Table("number", "question", heading, title=title, box=None, title_justify="left")
    table.columns[0].justify = "right"
    for (question, text), number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]:
        table.add_row(str(number), question, text)
    return table


def report(found: Sequence[FileAnswers], console: Console) -> None:
    """The tables of what was FOUND."""
    read = [each for each in found if each.problem is None]
    operations, seconds = sum(each.operations for each in read), sum(each.reading for each in read)
    median = statistics.median(each.operations for each in read) if read else 0
    console.print(
        f"{len(read)} files, {operations} operations (median {median:g}), read in {seconds:.1f} s;"
        f" at most {max((each.megabytes for each in read), default=0):.0f} MB",
        highlight=False,
    )
    console.print(question_table(read))
    reasons, codes = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for each in read:
        codes.update({("reading", code): number for code, number in each.codes.items()})
        for question, answers in each.questions.items():
            reasons.update({(question, reason): number for reason, number in answers.reasons.items()})
            codes.update({(question, code): number for code, number in answers.codes.items()})
    console.print(counted("Reasons", "reason", reasons, MOST_REASONS), counted("Diagnostics", "code", codes))
    for each in found:
        if each.problem is not None:
            console.print(f"not analysed: {each.path}: {each.problem}", highlight=False)


def derived(names: Sequence[str], folder: Path) -> int:
    """Make programs of those in NAMES into FOLDER, and print how long `volcli check` takes for all."""
    from check import checking, printed
    from lowered import lower_all

    lower_all(map(Path, names), folder)
    checking([*names, str(folder)], printed)
    return 0


def main() -> int:
    """Print the tables; 1 if some file was not analysed."""
    from volcli.passes.table import NEEDED, QUESTIONS

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+", help="files, and folders of .mlir files")
    parser.add_argument(
        "--ask",
        default=",".join(each for each in QUESTIONS if each not in NEEDED),
        help="questions, separated by commas",
    )
    parser.add_argument("--seconds", type=float, default=120, help="the limit for one file (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (all cores)")
    parser.add_argument("--json", type=Path, help="write what was measured of each file to this one")
    parser.add_argument(
        "--derive",
        type=Path,
        help="make some 70 programs of each file into this folder, and check them",
    )
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    questions = given.ask.split(",")
    if given.one:
        print(json.dumps(asked(given.paths[0], questions), default=vars))
        return 0
    names = files(given.paths)
    if given.derive is not None:
        return derived(names, given.derive)
    with ThreadPoolExecutor(given.jobs) as pool:
        running = pool.map(lambda name: measured(name, questions, given.seconds), names)
        progress = Console(stderr=True)
        shown = track(running, "analysing", len(names), console=progress, disable=not progress.is_terminal)
        found = list(shown)
    if given.json is not None:
        given.json.write_text(json.dumps(found, default=vars, indent=1))
    report(found, Console(width=None if sys.stdout.isatty() else 150))
    return any(each.problem is not None for each in found)


if __name__ == "__main__":
    sys.exit(main())
