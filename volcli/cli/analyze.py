"""`volcli analyze`: facts about files, as tables or as JSON."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from volcli.cli import options
from volcli.cli.console import Console, lines_of, use_colour
from volcli.cli.output import STDOUT, write_output
from volcli.diagnostics import Diagnostic, UsageError
from volcli.passes.table import QUESTIONS, find_question

if TYPE_CHECKING:
    from volcli.model.facts import Fact
    from volcli.report.files import FileReport

_EPILOG = """\b
Example:
  $ volcli analyze testdata/linalg/conv_layer.mlir --ask regions --of %act0
"""


@click.command(epilog=_EPILOG)
@click.argument("files", metavar="FILES...", type=click.Path(allow_dash=True), nargs=-1, required=True)
@click.option(
    "--ask",
    metavar="QUESTION[,QUESTION]",
    default=",".join(QUESTIONS),
    show_default=True,
    shell_complete=options.complete_from(QUESTIONS),
    help="What to ask of each file.",
)
@click.option("--of", metavar="%VALUE", help="Ask it of this value, and not of what each question is about.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Tables for people, or JSON (docs/facts.schema.json) for programs.",
)
@options.output
@options.via
@options.budget
@options.traceback
def analyze(
    files: tuple[str, ...],
    ask: str,
    of: str | None,
    style: str,
    output: str,
    via: str,
    budget: int | None,
    traceback: bool,
) -> int:
    """Print facts about FILES ('-' is stdin).

    A file that cannot be read is said on stderr and does not stop the others.
    """
    from volcli.report.files import FileReport

    questions = [word.strip() for word in ask.split(",")]
    pipelines = {question: _pipeline(question, of) for question in questions}
    console = Console(traceback=traceback)
    reports: list[FileReport] = []
    for file in files:
        report = FileReport(file)
        with console.guard(file, keep=report.diagnostics):
            _analyse(report, pipelines, of, budget, via, console)
        reports.append(report)
    write_output(output, _rendered(reports, style, output))
    return console.exit_code


def _pipeline(question: str, of: str | None) -> str:
    """The pipeline that answers QUESTION, asked of the value OF where its passes can be."""
    from volcli.passes.pipeline import with_option

    pipeline = find_question(question)
    return pipeline if of is None else with_option(pipeline, "of", of)


def _analyse(
    report: FileReport,
    pipelines: dict[str, str],
    of: str | None,
    budget: int | None,
    via: str,
    console: Console,
) -> None:
    """Run PIPELINES over REPORT's file, and fill REPORT with what they find."""
    from volcli.driver import load_source
    from volcli.frontend.source import read_source

    program = load_source(read_source(report.file), budget=budget, via=via)
    program.run(",".join(dict.fromkeys(pipelines.values())))
    console.say(program.diagnostics, lines_of(program.units))
    report.diagnostics += program.diagnostics
    report.facts += [fact for fact in program.facts if fact.question in pipelines and _is_of(fact, of)]
    if of is not None and not report.facts:
        raise UsageError(Diagnostic("V005", f"{report.file}: nothing to say of a value '{of}'"))


def _is_of(fact: Fact, of: str | None) -> bool:
    """Whether FACT is about the value OF (facts that name no value are about all of them)."""
    return of is None or fact.to_json().get("value", of) == of


def _rendered(reports: Sequence[FileReport], style: str, output: str) -> str:
    """REPORTS as text: JSON, or tables as wide as the terminal that will show them."""
    if style == "json":
        from volcli.report.json_report import as_json

        return as_json(reports)
    from volcli.report.terminal import as_tables

    to_terminal = output == STDOUT and sys.stdout is not None and sys.stdout.isatty()
    # A pipe has no width, unless somebody sets one: rows stay on one line, for grep.
    narrow = to_terminal or "COLUMNS" in os.environ
    width = shutil.get_terminal_size().columns if narrow else None
    return as_tables(reports, width=width, colour=to_terminal and use_colour(sys.stdout))
