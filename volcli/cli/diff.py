"""`volcli diff`: whether a program computes its results from the same elements as another one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from volcli import __version__
from volcli.cli.completion import texts
from volcli.cli.parts import messages, options
from volcli.cli.parts.console import Console, lines_of
from volcli.cli.parts.output import write_output
from volcli.cli.parts.terminal import for_people
from volcli.diagnostics import Diagnostic, UsageError
from volcli.diagnostics.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from volcli.api.program import Program
    from volcli.facts.differences import FunctionComparison

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli diff examples/smoothed.mlir examples/smoothed_fused.mlir

\b
Exit code: 0 nothing differs (unknown answers are listed); 1 something does, or, with --strict, is not known
to be equal; 2 an input or the call could not be used.
"""


@click.command(epilog=_EPILOG)
@click.argument("before", type=click.Path(allow_dash=True, readable=False))
@click.argument("after", type=click.Path(allow_dash=True, readable=False))
@click.option(
    "--function",
    metavar="NAME",
    shell_complete=texts.complete_from(texts.functions()),
    help="Compare only the function of this name.",
)
@options.style("Text or a page for people, or JSON (`volcli schema diff`) for programs.", "html")
@options.equality
@click.option("--strict", is_flag=True, help="Exit with 1 also if something is not known to be equal.")
@options.output
@options.effects
@options.via
@options.budget
@options.traceback
@messages.options
def diff(
    before: str,
    after: str,
    function: str | None,
    style: str,
    compare: str,
    reassociate: bool,
    assume_finite: bool,
    strict: bool,
    output: str,
    reading: options.Reading,
    traceback: bool,
    selection: Selection,
) -> int:
    """Compare the functions of the programs BEFORE and AFTER some rewrite, by any tool ('-' is stdin).

    Each result, and each buffer that is written, is equal (proved), different (with an element, and a source
    that only one program has, or a run that shows it), or unknown, with the reason. It is equal if the same
    operations make its elements of equal operands, in loops of any form, through memory and calls; constants
    are taken for the numbers that they are, and sums of integers may be in another order. With
    `--compare arithmetic` other operations may make the same value, as x + x and x * 2 do; what is not
    decided by rules is left to the solver z3, if it is installed (`pip install volcli[smt]`). With
    `--compare sources` elements must be computed from the same elements of the inputs, in as many ways, which
    says nothing of arithmetic: x + y and x * y are, and x + y - x is computed from other ones than y.

    They are compared for the arguments for which BEFORE is defined, as far as its operations say: sizes fit,
    accesses are in bounds, no divisor is 0, assertions hold. AFTER is different where it is undefined for
    some of these: it goes out of bounds, divides by 0, uses memory that was freed, frees it twice, or returns
    what is on the stack. Where that may be so, it is unknown whether they are equal.

    AFTER must end where BEFORE does; where BEFORE never ends, AFTER may. An execution whose loop comes back
    to an earlier state never ends: that is a difference. A loop ends if one of BEFORE has an equal condition
    in each iteration (then "the loops of BEFORE terminate" is assumed), or if its condition compares a
    counter with an odd step. Memory of the caller that BEFORE frees may stay allocated: no caller of BEFORE
    may read or free it afterwards, so AFTER computes the same, but the memory leaks, and the answer names it.

    What is unknown is executed on small inputs. A difference is shown with both values and the commands that
    execute it; floats differ there if no order of sums explains it. Equal executions are not a proof:
    the answer stays unknown, and states how much was tried.

    Functions are matched by their names, inputs by their positions. A tensor may have become a buffer, and a
    result an argument at the end, as bufferization does it. Private functions that only one program has are
    compared where they are called.
    """
    if before == after == "-":
        raise UsageError(Diagnostic("V007", "only one of BEFORE and AFTER can be stdin"))
    from volcli.facts.differences import DIFFERENT, EQUAL

    console = Console(traceback=traceback, selection=selection)
    programs = _read((before, after), reading, console)
    if len(programs) < 2:
        return console.exit_code
    with console.guard(after):
        found = programs[0].diff(
            programs[1], function, compare=compare, reassociate=reassociate, assume_finite=assume_finite
        )
        for program in programs:
            console.say([each for each in program.diagnostics if each.code == "V900"])
        verdicts = {each.verdict for each in found}
        if style == "json":
            report = _report(found, before, after, compare, reassociate)
            text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
        elif style == "html":
            text = _as_page(found, (before, after), programs, _read_so(found, compare, reassociate))
        else:
            text = for_people(output, _as_text(found, compare, reassociate))
        write_output(output, text)
        is_wrong = DIFFERENT in verdicts or (strict and verdicts != {EQUAL})
        return max(console.exit_code, 1 if is_wrong else 0)
    return console.exit_code


def _read(files: Sequence[str], reading: options.Reading, console: Console) -> list[Program]:
    """The programs in FILES that can be read; CONSOLE is told what is wrong with the others."""
    from volcli.frontend.text.source import read_source

    programs: list[Program] = []
    for file in files:
        with console.guard(file):
            programs.append(reading.program(read_source(file), split=False))
            console.say(programs[-1].diagnostics, lines_of(programs[-1].units))
    return programs


def _report(
    found: Sequence[FunctionComparison], before: str, after: str, compare: str, reassociate: bool
) -> dict[str, Any]:
    """What was FOUND, as JSON."""
    return {
        "volcli": __version__, "schema": 1, "before": before, "after": after,
        "compare": compare, "reassociate": reassociate,
        "functions": [each.to_json() for each in found],
    }  # fmt: skip


def _as_text(found: Sequence[FunctionComparison], compare: str, reassociate: bool) -> str:
    """What was FOUND, how many of each answer, and how that is to be read."""
    from volcli.facts.differences import total

    lines = [line for each in found for line in each.lines()]
    return "\n".join([*lines, total(found), *_read_so(found, compare, reassociate)]) + "\n"


def _as_page(
    found: Sequence[FunctionComparison],
    files: tuple[str, str],
    programs: Sequence[Program],
    said: Sequence[str],
) -> str:
    """What was FOUND about PROGRAMS in FILES as a page, with what is SAID of how to read it."""
    from volcli.pages.comparisons import diff_page

    before, after = (each.source.text for each in programs)
    return diff_page(found, files, (before, after), said)


def _read_so(found: Sequence[FunctionComparison], compare: str, reassociate: bool) -> list[str]:
    """How that is to be read what was FOUND."""
    from volcli.facts.differences import OF_DIFFERENCES, what
    from volcli.facts.levels import Comparing

    witnesses = [each.witness for one in found for each in one.outputs]
    return [what(Comparing(compare, reassociate)), *([OF_DIFFERENCES] * any(witnesses))]
