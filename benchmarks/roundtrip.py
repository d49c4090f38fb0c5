"""`make roundtrip ARGS=FILES`: is what volcli prints the program that it read? mlir-opt answers.

Each unit of the files (they are cut at `// -----`) is read by volcli alone, printed anew, and given to
mlir-opt: its generic form of the original and of the print must be equal to the letter, and all places in the
original, of operations and block arguments, must be those that mlir-opt gives. An operation may be printed in
generic form only if mlir-opt prints it so. Counted by cause; the exit code is 1 if anything differs. Units
that mlir-opt refuses, and operations in unknown syntax that volcli carries as text, are counted, but they are
no differences. For example, from a checkout of LLVM:

    make roundtrip ARGS=mlir/test/Dialect/Affine
"""

from __future__ import annotations

import argparse
import difflib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.ir import Operation

from volcli.diagnostics import UsageError
from volcli.frontend.parse.context import make_context
from volcli.frontend.parse.mlir_opt import find_tool
from volcli.frontend.parse.parser import ParsedModule, parse
from volcli.frontend.print.printer import print_module
from volcli.frontend.text.locations import place_of, place_of_argument
from volcli.frontend.text.source import Source, read_source, split_chunks
from volcli.language.interface import operation_name
from volcli.loading.driver import dialect_factories

SEPARATOR = "// -----\n"
FLAGS = ("-allow-unregistered-dialect", "-split-input-file", "-mlir-print-local-scope")
GENERIC = "-mlir-print-op-generic"
AT_ONCE = 100
QUOTED_NAME = re.compile(r'"(\w+\.[\w.]+)"\(')


@dataclass
class Finding:
    """One difference: what kind, in which unit, and what it is."""

    cause: str
    unit: str
    detail: str


@dataclass
class Report:
    """What was counted, and all differences."""

    counts: Counter[str] = field(default_factory=Counter[str])
    findings: list[Finding] = field(default_factory=list[Finding])

    def differs(self, cause: str, unit: str, detail: str) -> None:
        """Note a difference."""
        self.counts[cause] += 1
        self.findings.append(Finding(cause, unit, detail))


@dataclass(frozen=True)
class Unit:
    """A piece of a file: where it stands, and its text."""

    name: str
    text: str


def units_of(paths: Sequence[Path], report: Report) -> Iterator[Unit]:
    """The units of the files, and of the .mlir files below the directories; what is no text is reported."""
    for path in paths:
        for file in sorted(path.rglob("*.mlir")) if path.is_dir() else [path]:
            try:
                source = read_source(str(file))
            except UsageError as error:
                report.differs("not read", str(file), str(error))
                continue
            for chunk in split_chunks(source):
                if chunk.text.strip():
                    yield Unit(f"{file}:{chunk.first_line}", chunk.text.rstrip("\n") + "\n")


def ask(tool: str, texts: Sequence[str], *flags: str) -> list[str | None]:
    """What mlir-opt prints of each text, or None if it refuses it.

    Many texts go to one process. If that fails, the texts are halved, so that an error, or a crash, is blamed
    on the text that causes it, and the others are answered.
    """
    if not texts:
        return []
    if len(texts) > AT_ONCE:
        return ask(tool, texts[:AT_ONCE], *flags) + ask(tool, texts[AT_ONCE:], *flags)
    done = subprocess.run(
        [tool, *FLAGS, *flags], input=SEPARATOR.join(texts).encode(), capture_output=True, check=False
    )
    answers = done.stdout.decode(errors="replace").split(SEPARATOR)
    if done.returncode == 0 and len(answers) == len(texts):
        return list(answers)
    if len(texts) == 1:
        return [None]
    half = len(texts) // 2
    return ask(tool, texts[:half], *flags) + ask(tool, texts[half:], *flags)


def read(text: str) -> ParsedModule:
    """A text as volcli reads it, without mlir-opt."""
    return parse(Source("<stdin>", text), make_context(dialect_factories()))


def places(module: Operation) -> Iterator[tuple[str, str]]:
    """Of every operation and block argument: what it is, and its place."""
    for op in module.walk():
        name = operation_name(op)
        yield name, str(place_of(op))
        for region in op.regions:
            for block in region.blocks:
                yield from ((f"argument of {name}", str(place_of_argument(a))) for a in block.args)


def compare_places(unit: Unit, ours: ParsedModule, theirs: str, report: Report) -> None:
    """Compare all places but the module's own; only where both have the same operations."""
    here, there = list(places(ours.module))[1:], list(places(read(theirs).module))[1:]
    if [name for name, _ in here] != [name for name, _ in there]:
        report.counts["places not compared: not all operations were read"] += 1
        return
    for (name, place), (_, other) in zip(here, there, strict=True):
        report.counts["places"] += 1
        if place != other:
            report.differs("another place", unit.name, f"{name}: {place}, not {other}")


def first_difference(theirs: str, ours: str) -> str:
    """The first lines that differ."""
    lines = difflib.unified_diff(theirs.splitlines(), ours.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))[:400]


def compare_prints(tool: str, read_units: Sequence[tuple[Unit, ParsedModule, str]], report: Report) -> None:
    """Print all units, and compare what mlir-opt reads in the print with what it reads in the unit."""
    prints = [print_module(parsed) for _, parsed, _ in read_units]
    in_custom = ask(tool, [unit.text for unit, _, _ in read_units])
    for (unit, _, generic), ours, answer, custom in zip(
        read_units, prints, ask(tool, prints, GENERIC), in_custom, strict=True
    ):
        if answer is None:
            report.differs("mlir-opt refuses the print", unit.name, ours[:400])
        elif answer != generic:
            report.differs("another program", unit.name, first_difference(generic, answer))
        else:
            report.counts["the same program"] += 1
        for name in sorted(set(QUOTED_NAME.findall(ours)) - set(QUOTED_NAME.findall(custom or ours))):
            report.differs("generic form where mlir-opt has syntax", unit.name, name)


def measure(tool: str, paths: Sequence[Path]) -> Report:
    """All comparisons, of all units in the files."""
    report = Report()
    units = list(units_of(paths, report))
    generic = ask(tool, [unit.text for unit in units], GENERIC)
    accepted = [(unit, text) for unit, text in zip(units, generic, strict=True) if text is not None]
    report.counts["units"] = len(units)
    report.counts["units that mlir-opt refuses"] = len(units) - len(accepted)
    read_units: list[tuple[Unit, ParsedModule, str]] = []
    for unit, text in accepted:
        parsed = read(unit.text)
        for diagnostic in parsed.diagnostics:
            if diagnostic.code == "V306":
                report.counts["operations carried as their text"] += 1
            else:
                report.differs(f"not read ({diagnostic.code})", unit.name, diagnostic.message)
        read_units.append((unit, parsed, text))
    compare_prints(tool, read_units, report)
    for unit, parsed, _ in read_units:
        located = ask(tool, [unit.text], GENERIC, "-mlir-print-debuginfo")[0]
        if located is not None:
            compare_places(unit, parsed, located, report)
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the files named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--show", type=int, default=20, help="how many differences to print (20)")
    options = parser.parse_args(arguments)
    tool = find_tool()
    if tool is None:
        print("needs mlir-opt-22 on PATH (Debian package mlir-22-tools)", file=sys.stderr)
        return 2
    report = measure(tool, options.paths)
    for cause, count in report.counts.items():
        print(f"{count:7}  {cause}")
    for finding in report.findings[: options.show]:
        print(f"\n{finding.unit}: {finding.cause}\n{finding.detail}")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
