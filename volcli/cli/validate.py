"""`volcli validate`: whether each pass of a pipeline, by any tool, leaves what functions compute as it is."""

from __future__ import annotations

import shlex
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from volcli.cli.completion import texts
from volcli.cli.parts import options, reports
from volcli.cli.parts import running as work
from volcli.cli.parts.console import Console
from volcli.diagnostics import Diagnostic, UsageError
from volcli.runtime import CACHE_FOLDER

if TYPE_CHECKING:
    from volcli.gate.work.cache import StoredResults
    from volcli.validation.comparing import PairResult
    from volcli.validation.results import Validation
    from volcli.validation.tools import Tool

_EPILOG = """\b
Example, of what mlir-opt printed after two passes:
  $ volcli examples --into examples
  $ volcli validate examples/smoothed.mlir --dump examples/smoothed_passes.log

\b
With mlir-opt on PATH, or any tool with its options for printing, which are added:
  volcli validate layer.mlir --pipeline '-canonicalize -lower-affine'
  volcli validate *.mlir --pass-pipeline 'builtin.module(canonicalize,cse)' --strict
  volcli validate layer.mlir -- iree-opt --iree-flow-transformation-pipeline

\b
Exit code: 0 nothing differs (unknown answers are listed); 1 something does, or, with --strict, is not known
to be equal; 2 a file or the call could not be used, or a tool failed.
"""


_TOOL = "volcli.validate.tool"


class _WithTool(click.Command):
    """A command whose words after `--` are those of another one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what stands after `--` for the command."""
        if "--" in args:
            at = args.index("--")
            ctx.meta[_TOOL], args = args[at + 1 :], args[:at]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """The pieces of the usage line, of which `--` is one."""
        return [*super().collect_usage_pieces(ctx), "[-- TOOL ARGUMENTS...]"]


@click.command(cls=_WithTool, epilog=_EPILOG)
@click.argument(
    "files", metavar="FILES...", type=click.Path(allow_dash=True, readable=False), nargs=-1, required=True
)
@click.option(
    "--pipeline", metavar="OPTIONS", default=None,
    help="The passes, as options of the tool: '-affine-loop-fusion -canonicalize'.",
)  # fmt: skip
@click.option(
    "--pass-pipeline", "textual", metavar="TEXT", default=None,
    help="The passes, as the text of a pass manager: 'builtin.module(canonicalize,cse)'.",
)  # fmt: skip
@click.option("--tool", metavar="PROGRAM", default=None, help="The tool.  [default: mlir-opt]")
@click.option(
    "--dump", metavar="LOG", shell_complete=texts.files, default=None,
    help="Run nothing: compare what was printed elsewhere, by --mlir-print-ir-after-all (a log, or '-' for "
    "stdin) or --mlir-print-ir-tree-dir (its folder).",
)  # fmt: skip
@click.option(
    "--every-pair",
    "whole",
    is_flag=True,
    help="Compare also the program before all passes with the one after them.",
)
@click.option(
    "--reproducers", metavar="FOLDER", default="volcli-reproducers", show_default=True,
    shell_complete=texts.folders,
    help="Where the smallest program is written that the first wrong pass changes; '' writes none.",
)  # fmt: skip
@options.equality
@click.option("--strict", is_flag=True, help="Exit with 1 also if something is not known to be equal.")
@reports.formats
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), default=None,
    help="How many functions to compare at the same time.  [default: one for each processor]",
)  # fmt: skip
@click.option(
    "--cache-dir", metavar="FOLDER", default=CACHE_FOLDER, show_default=True, envvar="VOLCLI_CACHE_DIR",
    shell_complete=texts.folders,
    help="Where answers are kept for the next run.",
)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Compare all again, and keep nothing.")
@options.effects
@options.via
@options.budget
@options.timeout
@options.traceback
def validate(
    files: tuple[str, ...],
    pipeline: str | None,
    textual: str | None,
    tool: str | None,
    dump: str | None,
    whole: bool,
    reproducers: str,
    compare: str,
    reassociate: bool,
    assume_finite: bool,
    strict: bool,
    styles: tuple[str, ...],
    jobs: int | None,
    cache_dir: str,
    no_cache: bool,
    reading: options.Reading,
    traceback: bool,
) -> int:
    """Compare the program before and after each pass that a tool runs on FILES, function by function.

    The tool runs once, and prints the program after each pass that changes it. `volcli diff`
    compares the programs before and after each step: equal (proved), different, or unknown, with the reason.
    The first pass that is wrong is run again on smaller and smaller programs; the smallest that it changes
    is written into a file, with the command that shows it.

    A function whose text stays as it is, with all that it refers to, is not compared. The pipeline is
    followed until it makes operations of llvm, spirv or emitc; what comes after that is not compared.
    """
    from volcli.facts.levels import Comparing
    from volcli.gate.work.pool import usable_processors
    from volcli.validation.comparing import ComparisonOptions
    from volcli.validation.validating import Validating, validate_dump, validate_pipeline

    outputs = reports.outputs_of(styles)
    reading.check()
    foreign: Sequence[str] = click.get_current_context().meta.get(_TOOL, ())
    ran_by = _tool(tool, pipeline, textual, foreign) if dump is None else None
    if dump is not None and (len(files) > 1 or pipeline or textual or foreign):
        raise UsageError(Diagnostic("V007", "--dump LOG is of one FILE, and no passes are run"))
    console = Console(traceback=traceback)
    level = Comparing(compare, reassociate)
    read = reading.effects, reading.budget, reading.timeout, reading.via
    how = ComparisonOptions(level, assume_finite, *read)
    folder = Path(reproducers) if reproducers else None
    found: list[Validation] = []
    with _cache(None if no_cache else Path(cache_dir)) as cache, reports.counted("comparisons") as done:
        running = Validating(how, jobs or usable_processors(), cache, whole, folder, done, work.warn)
        for file in files:
            with console.guard(file):
                found.append(
                    validate_dump(file, dump or "", running)
                    if ran_by is None
                    else validate_pipeline(file, ran_by, running)
                )
    exit_code = max(console.exit_code, _exit_code(found, strict=strict))
    console.say(reports.write(outputs, lambda style: _rendered(found, style, exit_code)))
    return max(exit_code, console.exit_code)


def _tool(program: str | None, pipeline: str | None, textual: str | None, foreign: Sequence[str]) -> Tool:
    """The tool with its passes. Raises UsageError: V007 without passes, V008 without the tool."""
    from volcli.validation.tools import tool_of

    if foreign:
        if program or pipeline or textual:
            raise UsageError(Diagnostic("V007", "the tool after -- is given its passes there, too"))
        return tool_of(foreign[0], foreign[1:])
    if not pipeline and not textual:
        note = "--pipeline '-canonicalize -cse', --pass-pipeline TEXT, --dump LOG, or -- TOOL ARGUMENTS"
        raise UsageError(Diagnostic("V007", "there are no passes to validate", note=note))
    try:
        words = shlex.split(pipeline or "")
    except ValueError as error:
        raise UsageError(Diagnostic("V007", f"--pipeline: {str(error).lower()}")) from None
    if words and not words[0].startswith("-"):
        message = f"--pipeline: '{words[0]}' is not an option of the tool"
        note = "--pipeline '-canonicalize -cse', or --pass-pipeline 'builtin.module(canonicalize,cse)'"
        raise UsageError(Diagnostic("V007", message, note=note))
    return tool_of(program, [*words, *([f"--pass-pipeline={textual}"] if textual else [])])


@contextmanager
def _cache(folder: Path | None) -> Generator[StoredResults[PairResult] | None, None, None]:
    """The answers in FOLDER, if one is wanted."""
    from volcli.gate.work.cache import StoredResults
    from volcli.validation.comparing import PairResult

    if folder is None:
        yield None
        return
    cache = StoredResults(folder, work.warn, PairResult.to_json, PairResult.from_json)
    try:
        yield cache
    finally:
        cache.close()


def _exit_code(found: Sequence[Validation], *, strict: bool) -> int:
    """2 if a tool failed, else 1 if something is different, or, if that is STRICT, unknown."""
    from volcli.facts.differences import DIFFERENT, UNKNOWN

    if any(each.ended is not None and each.broken for each in found):
        return 2
    verdicts = {each.verdict for each in found}
    return 1 if DIFFERENT in verdicts or (strict and UNKNOWN in verdicts) else 0


def _rendered(found: Sequence[Validation], style: str, exit_code: int) -> str:
    """FOUND in the format STYLE."""
    from volcli.report.gate import rendered
    from volcli.report.validation import as_json, as_report, as_text

    if style == "text":
        return as_text(found)
    if style == "html":
        from volcli.pages.comparisons import validation_page

        return validation_page(found)
    return as_json(found) if style == "json" else rendered(as_report(found, exit_code), style)
