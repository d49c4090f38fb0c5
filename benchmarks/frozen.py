"""Answers frozen before a change, and compared after it: facts, findings and rewritten programs.

    python benchmarks/frozen.py dump FILE... -o before.jsonl
    python benchmarks/frozen.py compare before.jsonl after.jsonl

`dump` writes a line for each file and question: its facts and diagnostics, or the text that a rewrite prints,
with the processor time. `compare` matches facts by what they are about, and their fields by meaning: two
texts of an integer set are the same answer if isl proves the sets equal. It prints both sides of what
differs, and a table by question: answers, those written otherwise, those that differ, seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import islpy as isl

import volcli
from volcli.diagnostics import UsageError
from volcli.passes.table import UNASKED, find_question
from volcli.report.files import FileReport
from volcli.report.json_report import envelope

REWRITES = (
    "partition",
    "tile{sizes=4,4,4}",
    "mark-parallel",
    "simplify-bounds",
    "reify-bounds",
    "parallelize{processors=4}",
    "tile-symbolic{sizes=4}",
)
_NAMES = (
    "question",
    "function",
    "op",
    "line",
    "column",
    "value",
    "dim",
    "index",
    "kind",
    "element",
    "subject",
)
"""The fields of a fact that say what it is about; `source` and `sink` of a dependence, too."""


def dump(paths: Sequence[Path], *, rewrites: bool) -> Iterator[dict[str, Any]]:
    """A row for each of the files at PATHS and each question, its findings and, if asked for, REWRITES."""
    for path in paths:
        for question in UNASKED:
            yield {"file": str(path), "what": question} | _timed(lambda q=question, p=path: _facts(p, q))
        if rewrites:
            for pipeline in REWRITES:
                yield {"file": str(path), "what": pipeline} | _timed(lambda q=pipeline, p=path: _text(p, q))


def _timed(work: Any) -> dict[str, Any]:
    """What WORK gives, with its processor time; an error is an answer, too."""
    start = time.process_time()
    try:
        found = work()
    except (UsageError, SyntaxError, ValueError) as error:
        found = {"error": str(error)}
    return {"answer": found, "seconds": time.process_time() - start}


def _facts(path: Path, question: str) -> Any:
    """The facts that answer QUESTION about the file at PATH, and what is said beside them."""
    program = volcli.load(str(path), split=True).run(find_question(question))
    (file,) = envelope([FileReport(path.name, program.diagnostics, program.facts)])["files"]  # pyright: ignore
    return file


def _text(path: Path, pipeline: str) -> Any:
    """The program that PIPELINE makes of the file at PATH."""
    program = volcli.load(str(path), split=True).run(pipeline)
    return {"text": program.text(), "codes": sorted(each.code for each in program.diagnostics)}


def compare(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> int:
    """Print what differs of two dumps; the number of answers that do."""
    totals: dict[str, Counter[str]] = {}
    seconds: dict[str, list[float]] = {}
    rows = {(row["file"], row["what"]): row for row in after}
    for row in before:
        other = rows.get((row["file"], row["what"]))
        if other is None:
            continue
        counts = totals.setdefault(row["what"], Counter())
        pair = seconds.setdefault(row["what"], [0.0, 0.0])
        pair[0] += row["seconds"]
        pair[1] += other["seconds"]
        for verdict, text in _differences(row["answer"], other["answer"]):
            counts[verdict] += 1
            if text:
                print(f"{row['file']} {row['what']}: {text}")
    print(f"\n{'':28}{'same':>8}{'written':>9}{'differ':>8}{'before s':>10}{'after s':>9}")
    for what, counts in totals.items():
        first, second = seconds[what]
        print(
            f"{what:28}{counts['same']:8}{counts['written']:9}{counts['differ']:8}{first:10.1f}{second:9.1f}"
        )
    return sum(counts["differ"] for counts in totals.values())


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """For each answer whether it is the same, and a text if not."""
    if "facts" not in before or "facts" not in after:
        same = before == after
        yield ("same", "") if same else ("differ", _shown(before, after))
        return
    others = _named(after["facts"])
    for name, fact in _named(before["facts"]).items():
        if (other := others.pop(name, None)) is None:
            yield "differ", f"lost: {json.dumps(fact)}"
        elif fact == other:
            yield "same", ""
        elif all(key in other and _same(fact[key], other[key]) for key in fact):
            yield "written", ""  # in other words, or with more fields
        else:
            yield "differ", _shown(fact, other)
    for fact in others.values():
        yield "differ", f"new: {json.dumps(fact)}"
    said = [
        Counter((each["code"], each["line"], each["message"]) for each in side["diagnostics"])
        for side in (before, after)
    ]
    for each in said[0] - said[1]:
        yield "differ", f"no longer said: {each}"
    for each in said[1] - said[0]:
        yield "differ", f"said now: {each}"


def _named(facts: Sequence[Mapping[str, Any]]) -> dict[tuple[str, int], dict[str, Any]]:
    """FACTS by what they are about; those about the same thing are counted."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for fact in facts:
        name = json.dumps([fact.get(key) for key in (*_NAMES, "source", "sink", "depth")])
        found[name, seen[name]] = dict(fact)
        seen[name] += 1
    return found


def _same(first: Any, second: Any) -> bool:
    """Whether two fields of a fact mean the same."""
    if first == second:
        return True
    if isinstance(first, str) and isinstance(second, str):
        return _equal_sets(first, second)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return all(_same(first.get(key), second.get(key)) for key in first | second)
    return False


def _equal_sets(first: str, second: str) -> bool:
    """Whether both are texts of isl's sets or maps, and these are equal."""
    if "{" not in first or "{" not in second:
        return False
    try:
        return bool(isl.UnionMap(first).is_equal(isl.UnionMap(second)))
    except isl.Error:
        pass
    try:
        return bool(isl.UnionSet(first).is_equal(isl.UnionSet(second)))
    except isl.Error:
        return False


def _shown(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Both sides of what differs."""
    keys = [key for key in before | after if not _same(before.get(key), after.get(key))]
    about = [str(before[key]) for key in _NAMES if before.get(key) is not None]
    lines = [f"  {key}: {json.dumps(side.get(key))}" for key in keys for side in (before, after)]
    return " ".join(about) + "\n" + "\n".join(lines)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Freeze volcli's answers, and compare two frozen sets.")
    commands = parser.add_subparsers(dest="command", required=True)
    dumping = commands.add_parser("dump")
    dumping.add_argument("files", nargs="+", type=Path)
    dumping.add_argument("-o", "--output", type=Path, required=True)
    dumping.add_argument("--rewrites", action="store_true", help="what the rewrites make of each file, too")
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        sys.exit(compare(_rows(options.before), _rows(options.after)) > 0)
    with options.output.open("w") as output:
        for row in dump(options.files, rewrites=options.rewrites):
            output.write(json.dumps(row) + "\n")
            output.flush()


if __name__ == "__main__":
    main()
