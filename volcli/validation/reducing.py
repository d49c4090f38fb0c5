"""A small program that a pass changes: its own input, without all that the difference does not need.

As mlir-reduce and delta debugging do it (A. Zeller, R. Hildebrandt, Simplifying and isolating
failure-inducing input, TSE 28(2), 2002), one change after the other is kept if the answer for the pass alone
is still "different": other functions, operations (what they compute is replaced by something of its type),
results, arguments, and at last numbers, which become small wherever they stand.
"""

from __future__ import annotations

import re
import shlex
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from volcli.diagnostics import Diagnostic, UsageError
from volcli.facts.differences import DIFFERENT
from volcli.gate.work.executor import Executor, WorkerLostError
from volcli.gate.work.pool import Workers
from volcli.limits import equivalence as limits
from volcli.validation.comparing import ComparisonOptions, PairResult, ProgramPair, compared, most_seconds
from volcli.validation.dumps import passes_in
from volcli.validation.results import ComparedFunction
from volcli.validation.shrinking import KINDS
from volcli.validation.states import PassStep
from volcli.validation.tools import Tool

_UNREGISTERED = "allow-unregistered-dialect"
_SMALL = (1, 2, 3, 4, 8)
_NUMBER = r"(?<![\w.%@#^$-]){0}(?![\w.])|(?<=[<x]){0}(?=x)"
_OPTIONS = re.compile(r"\{.*\}")
_UNNAMED = re.compile(r"[^\w.-]+")


def new_file(folder: Path, file: str, step: PassStep, ending: str, text: Callable[[str], str]) -> str:
    """The new file in FOLDER, beside what is there, with the TEXT for its name, of a STEP of FILE.

    Raises UsageError (V006) if that is not possible.
    """
    stem = _UNNAMED.sub("-", f"{Path(file).stem}-{step.number}-{step.title}").strip("-") + ending
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / (f"{stem}.mlir" if number == 1 else f"{stem}-{number}.mlir")
            with suppress(FileExistsError), path.open("x", encoding="utf-8", errors="surrogateescape") as new:
                new.write(text(str(path)))
                return str(path)
    except OSError as error:
        raise UsageError(Diagnostic("V006", f"cannot write into '{folder}': {error.strerror}")) from None
    raise AssertionError("there is no last number")


@dataclass(frozen=True)
class Reproducing:
    """How the STEP of a tool on FILE, which CHANGED a function, is shown on its own."""

    file: str
    step: PassStep
    changed: ComparedFunction
    tool: Tool
    how: ComparisonOptions

    def written(self, folder: Path) -> str:
        """The file with the small program, which is written into FOLDER, beside what is there.

        Raises UsageError (V006) if that is not possible.
        """
        tool, found = self._reproduced()
        return new_file(folder, self.file, self.step, "", lambda path: self._text(tool, found, path))

    def _reproduced(self) -> tuple[Tool, tuple[str, ComparedFunction]]:
        """The tool with one pass only and a small program that it changes; or all of it, and all passes."""
        trial = ReductionTrial(self.changed, self.how)
        try:
            for tool in self._alone():
                if (found := trial.changes(self.step.before, tool)) is not None:
                    return tool, trial.reduced((self.step.before, found), tool)
        finally:
            trial.end()
        return self.tool, (self.step.before, self.changed)

    def _alone(self) -> Iterator[Tool]:
        """The tool with the pass alone, with each choice of its options that the pipeline has."""
        said = self.tool.run(self.file, ("--dump-pass-pipeline",)).errors if self.file != "-" else ""
        kept = tuple(each for each in self.tool.arguments if each.lstrip("-").startswith(_UNREGISTERED))
        pipelines = [said[at.end() :] for at in re.finditer(r"^Pass Manager with .*:$", said, re.MULTILINE)]
        for each in dict.fromkeys(each for text in pipelines for each in passes_in(text)):
            if _OPTIONS.sub("", each).rstrip(")").rpartition("(")[2] == self.step.title:
                yield replace(self.tool, arguments=(*kept, f"--pass-pipeline={each}"))

    def _text(self, tool: Tool, found: tuple[str, ComparedFunction], path: str) -> str:
        """The small program FOUND, behind what shows it."""
        text, changed = found
        shown = shlex.join(tool.command(path))
        said = [
            f"{self.step.title} changes what @{changed.function} computes:",
            f"  {shown} | volcli diff {shlex.quote(path)} -",
            *changed.lines,
        ]
        return "".join(f"// {line}\n" for line in said) + text


class ReductionTrial:
    """Whether a tool changes a function in the way in which it is CHANGED, tried again and again."""

    def __init__(self, changed: ComparedFunction, how: ComparisonOptions) -> None:
        by_execution = changed.is_executed
        self._function, self._how = changed.function, replace(how, executed=by_execution)
        self._kinds = _differing(changed)
        self._executor: Executor[ProgramPair, PairResult] = Workers(1, compared, most_seconds)
        self._end = time.monotonic() + limits.REDUCING_SECONDS
        self._runs = 0

    @cached_property
    def _folder(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="volcli-")

    def end(self) -> None:
        """Nothing is tried any more."""
        self._executor.end(at_once=True)
        self._folder.cleanup()

    @property
    def is_over(self) -> bool:
        """Whether enough was tried."""
        return self._runs >= limits.REDUCING_RUNS or time.monotonic() > self._end

    def changes(self, text: str, tool: Tool) -> ComparedFunction | None:
        """How TOOL changes the function in the program TEXT; None if it is not known to do so."""
        self._runs += 1
        path = Path(self._folder.name) / "program.mlir"
        path.write_text(text, "utf-8", "surrogateescape")
        try:
            ran = tool.run(str(path))
        except UsageError:
            return None
        if ran.failure is not None or not ran.output.strip():
            return None
        pair = ProgramPair(text, ran.output, ("before.mlir", "after.mlir"), self._function, self._how)
        try:
            found = self._executor.result(self._executor.submit(pair))
        except WorkerLostError:
            return None
        return next((each for each in found.functions if _differing(each) & self._kinds), None)

    def reduced(self, known: tuple[str, ComparedFunction], tool: Tool) -> tuple[str, ComparedFunction]:
        """A program that is smaller than the KNOWN one, and that TOOL changes, too."""
        for smaller in (with_smaller_number, *KINDS, with_smaller_number):
            kept = 0
            while not self.is_over and (text := smaller(known[0], self._function, kept)) is not None:
                found = None if text == known[0] else self.changes(text, tool)
                if found is None:
                    kept += 1
                else:
                    known = text, found
        return known


def _differing(found: ComparedFunction) -> set[str]:
    """The kinds of outputs that differ in what was FOUND: results, arguments, what it is defined for, ..."""
    outputs: list[Mapping[str, Any]] = found.data["outputs"]
    return {each["output"].partition(" ")[0] for each in outputs if each["verdict"] == DIFFERENT}


def with_smaller_number(text: str, function: str, kept: int) -> str | None:
    """TEXT, in which one number is smaller wherever it stands, sizes of shapes included; so many are KEPT.

    >>> with_smaller_number("memref<10x10xf32>, 0 to 10", "f", 0)
    'memref<1x1xf32>, 0 to 1'
    """
    numbers = {int(each) for each in re.findall(_NUMBER.format(r"\d+"), text)}
    smaller = [
        (number, small) for number in sorted(numbers, reverse=True) for small in _SMALL if small < number
    ]
    if kept >= len(smaller):
        return None
    number, small = smaller[kept]
    return re.sub(_NUMBER.format(number), str(small), text)
