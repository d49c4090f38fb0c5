"""A pipeline, validated: run, cut into steps, each of which is compared function by function."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.diagnostics.counted import counted
from volcli.facts.differences import DIFFERENT, EQUAL
from volcli.frontend.text.source import SKIPPED, Source, read_source
from volcli.gate.work.cache import StoredResults
from volcli.gate.work.executor import Executor, Here
from volcli.gate.work.pool import Workers
from volcli.limits import equivalence as limits
from volcli.validation.comparing import ComparisonOptions, PairResult, ProgramPair, compared, most_seconds
from volcli.validation.comparisons import PairComparisons
from volcli.validation.dumps import Dump, dumps_in, dumps_of_tree
from volcli.validation.reducing import Reproducing, new_file
from volcli.validation.results import StepResult, Validation
from volcli.validation.states import IncompleteDump, PassStep, steps_of
from volcli.validation.tools import PRINTING, Tool

ENDINGS = "-before", "-after"
"""Of the names of files with the programs around a pass."""


@dataclass(frozen=True)
class Validating:
    """How pipelines are validated: by JOBS processes at a time (0: in this one), with what is known in CACHE.

    WHOLE asks for a comparison of the program before all passes with the one after them, too. The smallest
    programs that show a difference are written into the folder REPRODUCERS. DONE is told how many comparisons
    are made, and how many there are, and WARN what makes it slower.
    """

    how: ComparisonOptions = field(default_factory=ComparisonOptions)
    jobs: int = 0
    cache: StoredResults[PairResult] | None = None
    whole: bool = False
    reproducers: Path | None = None
    done: Callable[[int, int], None] = lambda done, all: None
    warn: Callable[[str], None] = lambda message: None

    def executor(self) -> Executor[ProgramPair, PairResult]:
        """What makes the comparisons."""
        return Workers(self.jobs, compared, most_seconds, self.warn) if self.jobs else Here(compared)


@dataclass
class _Followed:
    """What became of a program: the STEPS of the tool that COMMAND names, and why there are no more."""

    command: str
    steps: list[PassStep] = field(default_factory=list[PassStep])
    ended: str | None = None
    said: str = ""
    broken: bool = True


def validate_pipeline(file: str, tool: Tool, running: Validating | None = None) -> Validation:
    """What the passes that TOOL runs on FILE do to its functions, pass by pass.

    Raises UsageError if FILE cannot be read (V100 to V102, V107), or TOOL cannot be run (V008).
    """
    running = running or Validating()
    source = _program_in(file)
    ran = tool.run(file, PRINTING, source.text if file == "-" else None)
    dumps, words = dumps_in(ran.errors)
    found = _followed(str(tool), source.text, dumps)
    if found.ended is None and ran.failure is not None:
        found.ended = f"{tool.name} {ran.failure}"
    if found.ended is None and ran.output.strip():
        _add_output(found, source.text, ran.output)
    found.said = _shortened(words) if found.ended is not None and found.broken else ""
    return _validated(file, found, running, tool)


def validate_dump(file: str, dump: str, running: Validating | None = None) -> Validation:
    """The same of passes that were run elsewhere on FILE, and what was printed then.

    DUMP is a log with what --mlir-print-ir-after-all prints, or the folder of --mlir-print-ir-tree-dir.
    Raises UsageError if one of them cannot be read.
    """
    running = running or Validating()
    text = _program_in(file).text
    is_tree = dump != "-" and Path(dump).is_dir()
    dumps = dumps_of_tree(Path(dump)) if is_tree else dumps_in(read_source(dump).text)[0]
    found = _followed(dump, text, dumps)
    if not dumps:
        found.ended = "there is no dump after a pass in it: --mlir-print-ir-after-all prints them"
    return _validated(file, found, running, None)


def _program_in(file: str) -> Source:
    """What FILE holds. Raises UsageError (V107) if that is no operation: nothing would be compared."""
    source = read_source(file)
    if not re.sub(SKIPPED, "", source.text).strip():
        raise UsageError(Diagnostic("V107", "there is no operation in this text", Place(file, 1, 1)))
    return source


def _followed(command: str, text: str, dumps: Sequence[Dump]) -> _Followed:
    """The steps from TEXT through DUMPS, up to where they cannot be followed."""
    found = _Followed(command)
    try:
        for step in steps_of(text, dumps):
            if (made := step.foreign()) is not None:
                found.ended = f"{step.title} makes {made}: from there on nothing is compared"
                found.broken = False
                return found
            found.steps.append(step)
    except IncompleteDump as error:
        found.ended = str(error)
    if (failed := next((each for each in dumps if each.failed), None)) is not None:
        found.ended = f"the pass {failed.title} failed"
    return found


def _add_output(found: _Followed, text: str, output: str) -> None:
    """Add the step to the OUTPUT of a tool, if no dump has it: a tool may do more than it prints."""
    last = found.steps[-1].after if found.steps else text
    if last.strip() != output.strip():
        step = PassStep(len(found.steps) + 1, "output", last, output)
        if step.foreign() is None:
            found.steps.append(step)


def _shortened(words: str) -> str:
    lines = words.split("\n")
    more = len(lines) - limits.SAID_LINES
    return (
        words if more <= 0 else "\n".join([*lines[: limits.SAID_LINES], f"... {counted(more, 'more line')}"])
    )


def _validated(file: str, found: _Followed, running: Validating, tool: Tool | None) -> Validation:
    """The comparisons of the steps FOUND of FILE."""
    steps = list(found.steps)
    if running.whole and found.steps:
        steps.append(PassStep(0, "all passes", steps[0].before, steps[-1].after))
    pairs = [_pairs(file, step, running.how) for step in steps]
    comparisons = PairComparisons(running.executor(), running.cache, running.done)
    known = comparisons.of(pair for each in pairs for pair in each)
    results = [_result(step, [known[pair] for pair in own]) for step, own in zip(steps, pairs, strict=True)]
    whole = results.pop() if len(steps) > len(found.steps) else None
    if running.reproducers is not None:
        results = [
            _with_programs(file, *each, running.reproducers)
            for each in zip(found.steps, results, strict=True)
        ]
    if tool is not None and running.reproducers is not None:
        results = _reproduced(file, results, found.steps, tool, running)
    return Validation(file, found.command, tuple(results), found.ended, found.said, found.broken, whole)


def _reproduced(
    file: str, results: list[StepResult], steps: Sequence[PassStep], tool: Tool, running: Validating
) -> list[StepResult]:
    """RESULTS, the first of which that is different has a file that shows it."""
    for at, (result, step) in enumerate(zip(results, steps, strict=True)):
        changed = next((each for each in result.functions if each.verdict == DIFFERENT), None)
        if changed is not None and running.reproducers is not None:
            written = Reproducing(file, step, changed, tool, running.how).written(running.reproducers)
            return [*results[:at], replace(result, reproducer=written), *results[at + 1 :]]
    return results


def _with_programs(file: str, step: PassStep, result: StepResult, folder: Path) -> StepResult:
    """RESULT, whose commands execute files: the programs around STEP are written into FOLDER if they do."""
    if not any(each.is_executed for each in result.functions):
        return result
    written: dict[str, str] = {}
    for name, text, ending in zip(_names(file, step), (step.before, step.after), ENDINGS, strict=True):
        if name != file:
            written[name] = new_file(folder, file, step, ending, lambda _, text=text: text)
    return replace(result, functions=tuple(each.renamed(written) for each in result.functions))


def _names(file: str, step: PassStep) -> tuple[str, str]:
    """What the programs before and after STEP are called in answers."""
    return file if step.number < 2 else f"{file} before {step.title}", f"{file} after {step.title}"


def _pairs(file: str, step: PassStep, how: ComparisonOptions) -> list[ProgramPair]:
    """The functions that STEP has changed, each before and after it."""
    changed = step.changed()
    return [
        ProgramPair(step.before, step.after, _names(file, step), function, how)
        for function in ([None] if changed is None else changed)
    ]


def _result(step: PassStep, found: Sequence[PairResult]) -> StepResult:
    functions = tuple(each for one in found for each in one.functions)
    texts = ("", "") if all(each.verdict == EQUAL for each in functions) else (step.before, step.after)
    return StepResult(step.number, step.title, functions, sum(each.seconds for each in found), texts=texts)
