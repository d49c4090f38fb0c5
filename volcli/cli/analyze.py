"""`volcli analyze`: facts about files, as tables or as JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from volcli.cli.completion import texts
from volcli.cli.parts import messages, options
from volcli.cli.parts.chosen import Filters, LineRange
from volcli.cli.parts.console import Console, lines_of
from volcli.cli.parts.facts import for_programs
from volcli.cli.parts.output import width_of, write_output
from volcli.cli.parts.terminal import has_colour
from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.selection import Selection
from volcli.passes.table import NEEDED, QUESTIONS, UNASKED, find_question
from volcli.runtime import progress

if TYPE_CHECKING:
    from volcli.api.program import Program
    from volcli.facts.fact import Fact
    from volcli.report.files import FileReport

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli analyze examples/conv_layer.mlir --ask regions --of %act0
  $ volcli analyze examples/matmul_tile.mlir --compare '2 <= %width <= 9' --compare '%i < %j'
  $ volcli analyze examples/smoothed.mlir --ask flow,access --confirm
"""


@click.command(epilog=_EPILOG)
@click.argument(
    "files", metavar="FILES...", type=click.Path(allow_dash=True, readable=False), nargs=-1, required=True
)
@click.option(
    "--ask",
    metavar="QUESTION[,QUESTION]",
    multiple=True,
    shell_complete=texts.complete_from({**QUESTIONS, "all": "all of them"}),
    help="What to ask of each file; any number of times. Default: a summary of all questions; 'all': all "
    "their tables.",
)
@click.option(
    "--only",
    metavar="ANSWER,...",
    shell_complete=texts.complete_from(texts.answers),
    help="Show only these answers: 'carried' or 'parallel' loops, 'out-of-bounds' or 'conditional' accesses, "
    "'unknown'. The first line of each table counts them.",
)
@click.option(
    "--function",
    metavar="@NAME,...",
    shell_complete=texts.complete_from(texts.functions("@")),
    help="Show only what is in these functions.",
)
@click.option(
    "--line",
    type=LineRange(),
    shell_complete=texts.complete_from(texts.lines),
    help="Show only what is in this line, or these.",
)
@click.option(
    "--of",
    metavar="%VALUE,...",
    shell_complete=texts.complete_from(texts.values("all")),
    help="Ask about these values, or about 'all' of them, instead of each question's default. Loops are "
    "named by their induction variables, accesses by the values in them.",
)
@click.option(
    "--in-terms-of",
    metavar="%VALUE,...",
    shell_complete=texts.complete_from(texts.values()),
    help="Values for bounds to refer to, such as %a,'dim(%t, 0)'; default: the undetermined ones.",
)
@click.option(
    "--tile",
    metavar="PLANE:SIZE,...",
    help="The tiles of the question 'mars', between hyperplanes over induction variables: 'i+j:8, j-i:8'. A "
    "size is a number, or a name for any number. Without --ask, nothing else is asked.",
)
@click.option(
    "--compare",
    "claims",
    metavar="CLAIM",
    multiple=True,
    help="Decide a claim about values, such as '%a < %b + 1 and dim(%t, 0) mod 4 = 0': it is proved, "
    "refuted with "
    "a witness, or unknown with the reason. Without --ask, nothing else is asked.",
)
@options.style("Tables for people; JSON (`volcli schema facts`) for programs, or SARIF.", "sarif")
@click.option(
    "--confirm",
    is_flag=True,
    help="Compare facts with executions of small instances of each function: how many confirm a fact is in "
    "the JSON, their number is reported on stderr, and a contradiction is an internal error (V900).",
)
@options.timing
@options.always_split
@options.assume
@options.effects
@options.given
@options.output
@options.via
@options.budget
@options.timeout
@options.traceback
@messages.options
def analyze(
    files: tuple[str, ...],
    ask: tuple[str, ...],
    only: str | None,
    function: str | None,
    line: range | None,
    of: str | None,
    in_terms_of: str | None,
    tile: str | None,
    claims: tuple[str, ...],
    style: str,
    confirm: bool,
    timing: bool,
    output: str,
    reading: options.Reading,
    traceback: bool,
    selection: Selection,
) -> int:
    """Print facts about FILES ('-' is stdin).

    A file that cannot be read is reported on stderr and does not stop the others. Chunks between '// -----'
    lines are programs of their own.
    """
    from volcli.passes.pipeline import items
    from volcli.report.files import FileReport

    questions = _questions(ask, tile, claims)
    filters = Filters(_words(only), frozenset(each.removeprefix("@") for each in _words(function)), line)
    options_given = (("of", of), ("in-terms-of", in_terms_of), ("tile", tile))
    named = {name: value for name, value in options_given if value is not None}
    _refuse_idle(named, questions)
    pipelines = {question: _pipeline(question, named) for question in questions}
    console = Console(traceback=traceback, selection=selection)
    request = _Request(
        tuple(dict.fromkeys(pipelines.values())),
        tuple(questions),
        tuple(_named(each) for each in items(of)) if of is not None else (),
        frozenset(each for each in questions if of is not None and "of" in _options(find_question(each))),
        claims,
        reading,
        confirm,
        filters,
    )
    reports: list[FileReport] = []
    seconds: defaultdict[str, float] = defaultdict(float)
    for file in progress.each([*dict.fromkeys(files)], "files"):
        report = FileReport(file)
        with console.guard(file, reading.lines(claims=claims), keep=report.diagnostics):
            for name, each in _analyse(report, request, console).items():
                seconds[name] += each
        reports.append(report)
    filters.choose(reports)
    if timing:
        options.say_times(seconds)
    is_asked = bool(ask or claims or tile or of)
    style = "summary" if style == "text" and not is_asked else style
    write_output(output, _written(reports, style, output, console))
    return console.exit_code


def _questions(ask: Sequence[str], tile: str | None, claims: Sequence[str]) -> list[str]:
    """What is asked, each once. Raises UsageError if a question lacks what it needs."""
    if ask:
        words = (word.strip() for each in ask for word in each.split(","))
        questions = list(dict.fromkeys(q for word in words for q in (UNASKED if word == "all" else (word,))))
    elif tile is not None:
        questions = ["mars"]
    else:
        questions = [] if claims else [*UNASKED]
    for question in questions:
        if question in NEEDED and tile is None:
            message = f"the question '{question}' needs --{NEEDED[question]}"
            note = "for example --tile 'i:16, j:16', with the names of induction variables"
            raise UsageError(Diagnostic("V004", message, note=note))
    return questions


def _refuse_idle(given: Mapping[str, str], questions: Sequence[str]) -> None:
    """Raise UsageError (V007) for an option of those GIVEN that changes nothing of what QUESTIONS find."""
    for name in given:
        if not questions and name == "of":
            raise UsageError(Diagnostic("V007", "--of: only claims are decided; name a question with --ask"))
        if name != "of" and not any(name in _options(find_question(each)) for each in questions):
            asked = ", ".join(questions) or "a claim"
            others = [each for each in QUESTIONS if name in _options(find_question(each))]
            note = f"it is for --ask {' or '.join(others)}"
            raise UsageError(Diagnostic("V007", f"--{name} has no effect on {asked}", note=note))


def _pipeline(question: str, given: Mapping[str, str]) -> str:
    """The pipeline that answers QUESTION, with the options that are GIVEN where its passes have them."""
    from volcli.passes.pipeline import with_option

    pipeline = find_question(question)
    for name, value in given.items():
        pipeline = with_option(pipeline, name, value)
    return pipeline


def _named(name: str) -> str:
    """NAME, one of those of --of, with its %. Raises UsageError (V007) for none."""
    if not name.strip("%"):
        note = "write --of %a, or --of %a,%b"
        raise UsageError(Diagnostic("V007", "--of: a name is missing", note=note))
    return name if name == "all" or name.startswith("%") else f"%{name}"


def _options(pipeline: str) -> set[str]:
    """The names of the options that the passes of PIPELINE have."""
    from volcli.passes.declaration import options_of
    from volcli.passes.pipeline import parse_pipeline

    return {option.name for each in parse_pipeline(pipeline) for option in options_of(type(each))}


def _words(text: str | None) -> frozenset[str]:
    return frozenset(word.strip() for word in (text or "").split(",")) - {""}


@dataclass(frozen=True)
class _Request:
    """What is asked of each file."""

    pipelines: tuple[str, ...]
    questions: tuple[str, ...]
    of: tuple[str, ...]
    answering: frozenset[str]
    """The questions whose passes are asked of the values themselves."""
    claims: tuple[str, ...]
    reading: options.Reading
    confirm: bool
    filters: Filters

    def concerns(self, fact: Fact) -> bool:
        """Whether FACT is about one of the values that are asked of."""
        if not self.of or "all" in self.of or fact.question in self.answering:
            return True
        return not _names_in(fact).isdisjoint(self.of)


def _analyse(report: FileReport, request: _Request, console: Console) -> Mapping[str, float]:
    """Ask REQUEST of REPORT's file, and fill REPORT with what is found; how many seconds each pass took."""
    from volcli.frontend.text.source import read_source

    request.reading.check(claims=request.claims)
    source = read_source(report.file)
    report.text = source.text
    program = request.reading.program(source)
    program.check_names(request.of)
    program.run(",".join(request.pipelines))
    for number, claim in enumerate(request.claims, 1):
        program.compare(claim, number)
    executions = _confirm(program, request) if request.confirm else 0
    told = request.filters.told(program)
    console.say(told, lines_of(program.units))
    report.functions += [model.name for unit in program.units for model in unit.models()]
    report.diagnostics += console.selection.of(told)
    asked = {*request.questions, *(["comparisons"] if request.claims else [])}
    report.facts += [fact for fact in program.facts if fact.question in asked and request.concerns(fact)]
    if request.confirm and report.facts:
        from volcli.api.confirming.summary import summary

        progress.clear()
        click.echo(f"{report.file}: {summary(report.facts, executions)}", err=True)
    if request.of and not report.facts:
        note = "it exists; other questions may have facts about it"
        said = f"{report.file}: {', '.join(request.questions)}: no facts about {', '.join(request.of)}"
        raise UsageError(Diagnostic("V005", said, note=note))
    if "mars" in request.questions and not any(fact.question == "mars" for fact in report.facts):
        note = "its iterators are names of induction variables; inside all of these loops, memory is read"
        raise UsageError(
            Diagnostic("V005", f"{report.file}: no read is inside loops of this tile", note=note)
        )
    return program.seconds


def _confirm(program: Program, request: _Request) -> int:
    """Compare the facts of PROGRAM, which answer REQUEST, with executions: how many these are."""
    from volcli.api.confirming.facts import compared

    executions = 0
    for unit in program.units:
        found = compared(unit, unit.facts, request.questions)
        unit.facts[:] = found.facts
        unit.diagnostics += found.errors
        executions += found.executions
    return executions


def _names_in(fact: Fact) -> set[str]:
    """The values that the subject of FACT names: `%i` of a loop, `%m`, `%i` of an access to %m[%i]."""
    from volcli.api.program import VALUE_NAME

    said = fact.to_json()
    parts: list[Any] = [said.get(key) for key in ("value", "loop", "element")]
    parts += said.get("loops") or () if fact.question == "nests" else ()
    parts += [said[end]["element"] for end in ("source", "sink") if fact.question == "dependences"]
    found = {name for part in parts if isinstance(part, str) for name in VALUE_NAME.findall(part)}
    return found | {name.partition("#")[0] for name in found}


def _written(reports: Sequence[FileReport], style: str, output: str, console: Console) -> str:
    """REPORTS as text; a fact that cannot be written costs itself (V900), and none of the others."""
    try:
        return _rendered(reports, style, output)
    except Exception:
        for report in reports:
            report.facts = [fact for fact in report.facts if _can_be_written(fact, style, report, console)]
        return _rendered(reports, style, output)


def _can_be_written(fact: Fact, style: str, report: FileReport, console: Console) -> bool:
    """Whether FACT can be; if not, that is said."""
    with console.guard(report.file, keep=report.diagnostics):
        _ = list(fact.rows()) if style == "text" else (fact.to_json(), fact.statements())
        return True
    return False


def _rendered(reports: Sequence[FileReport], style: str, output: str) -> str:
    """REPORTS as text: JSON or SARIF, or tables as wide as the terminal that will show them."""
    if style in ("json", "sarif"):
        return for_programs(reports, style)
    from volcli.report.lines import as_text
    from volcli.report.summary import summary_lines
    from volcli.report.terminal import as_tables

    width, colour = width_of(output), has_colour(output)
    if style == "summary":
        lines = [line for report in reports for line in summary_lines(report)]
        return as_text(lines, width=width, colour=colour)
    return as_tables(reports, width=width, colour=colour)
