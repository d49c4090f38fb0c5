"""`volcli run`: execute a function on numbers or terms, and stop at undefined behaviour."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import io
import json
import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from volcli import __version__
from volcli.cli.completion import texts
from volcli.cli.parts import options
from volcli.cli.parts.console import Console, lines_of
from volcli.cli.parts.output import write_bytes, write_output
from volcli.diagnostics import Diagnostic, UsageError
from volcli.limits import execution as limits

if TYPE_CHECKING:
    from volcli.api.function import Function
    from volcli.api.program import Program
    from volcli.execution.runs.inputs import Inputs
    from volcli.facts.executions import Execution

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli run examples/smoothed.mlir --function smoothed

\b
Exit code: 0 it ran; 1 it reached undefined behaviour; 2 the input or the call could not be used, or an
operation is not executed.
"""
_SIZE = re.compile(r"\s*dim\(\s*%?([\w$.-]+)\s*,\s*(\d+)\s*\)\s*=\s*(-?\d+)\s*")
_ARG = re.compile(r"\s*%?([\w$.-]+)\s*=\s*(\S+)\s*")


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(allow_dash=True, readable=False))
@click.option(
    "--function",
    "name",
    metavar="NAME",
    shell_complete=texts.complete_from(texts.functions()),
    help="The function; needed if there are several with a body.",
)
@click.option(
    "--size", "sizes", metavar="'dim(%a, 0) = 5'", multiple=True, help="The size of a dynamic dimension."
)
@click.option(
    "--arg",
    "numbers",
    metavar="%n=7",
    multiple=True,
    shell_complete=texts.complete_from(texts.values(end="=")),
    help="The value of a scalar argument.",
)
@click.option(
    "--input",
    "elements",
    metavar="%a=KIND",
    multiple=True,
    help="The elements of an argument: a file of numpy's (a.npy), random, iota, zeros, extreme, signs, "
    "infinities, or terms; without a name (--input terms), those of all others.",
)
@click.option(
    "--default",
    "size",
    metavar="N",
    type=click.IntRange(min=0),
    default=4,
    show_default=True,
    help="The value of sizes and index arguments that are not given.",
)
@click.option(
    "--sizes",
    "small",
    type=click.Choice(["small"]),
    help="Run a set of small sizes that covers 0, 1, even, odd and prime ones, in the written and in "
    "shuffled orders; the first that is undefined is shown. Sizes that contradict an assertion or an "
    "operation are left out, unless all do.",
)
@click.option(
    "--seed", metavar="N", type=int, default=0, show_default=True, help="The seed of random elements."
)
@click.option(
    "--shuffle",
    metavar="N",
    type=int,
    default=None,
    help="Run the iterations of parallel loops in the N-th random order; otherwise as they are written.",
)
@click.option(
    "--sanitize",
    metavar="all|KIND,...",
    shell_complete=texts.complete_from(dict.fromkeys(("all", "race", "uninitialized", "poison"), "")),
    default="all",
    show_default=True,
    help="Which defects stop the execution although it could continue: race, uninitialized, poison; all "
    "others always do.",
)
@click.option(
    "--print",
    "shown",
    metavar="results|%VALUE|%VALUE[0, 5]|trace",
    shell_complete=texts.complete_from(texts.values("results", "trace")),
    default="results",
    show_default=True,
    help="What to print in addition to the results: each number that a value takes, or that all values take. "
    "An element, as %r[0, 5], is printed alone, and of tensors only what it is computed from is executed.",
)
@click.option(
    "--steps",
    metavar="N",
    type=click.IntRange(min=1),
    default=None,
    help="Limit of iterations.",
)
@click.option(
    "--memory", metavar="MB", type=click.IntRange(min=1), default=None, help="Limit of memory (1024)."
)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@options.output
@options.effects
@options.via
@options.traceback
def run(
    file: str, name: str | None, sizes: tuple[str, ...], numbers: tuple[str, ...], elements: tuple[str, ...],
    size: int, small: str | None, seed: int, shuffle: int | None, sanitize: str, shown: str,
    steps: int | None, memory: int | None, style: str, output: str, reading: options.Reading, traceback: bool,
) -> int:  # fmt: skip
    """Execute a function of FILE ('-' is stdin), and print its results.

    Each operation is executed as MLIR defines it, at concrete sizes: integers wrap at their width and may be
    poison, floats round as in IEEE 754, memory knows what was written and freed. The execution stops at the
    first undefined behaviour, with its line and the loop iterations: an access out of bounds, memory used
    after it was freed, an element never written, a race, a division by zero, an assertion that fails.

    With --input terms, floats are terms over the inputs: addf(a[0], mulf(b[1], 2.0)). Inputs that are
    not given are chosen, and the first line states how. With -o FILE.npz the results are written for numpy.
    """
    from volcli.loading.driver import load

    console = Console(traceback=traceback)
    program = load(file, via=reading.via, effects=reading.effects)
    console.say(program.diagnostics, lines_of(program.units))
    if console.exit_code == 2:
        return 2
    function = _function(program, name)
    inputs = _inputs(sizes, numbers, elements, size, seed)
    limits = {"steps": steps, "memory": memory}
    given = {name: value for name, value in limits.items() if value is not None}
    if small is None:
        found = [function.run(inputs, shuffle=shuffle, sanitize=sanitize, show=shown, **given)]
        shown_command = None
    else:
        found, shown_command = _small(function, inputs, file, sanitize=sanitize, show=shown, **given)
    _write(found, output, style, small=small is not None)
    if (stop := found[-1].diagnostic) is not None:
        if shown_command is not None:
            stop = replace(stop, note=f"`{shown_command}` shows it")
        console.say([stop], lines_of(program.units))
    return console.exit_code


def _small(
    function: Function, inputs: Inputs, file: str, **options: Any
) -> tuple[list[Execution], str | None]:
    """Executions of small instances, up to the first one that stops, and the command of that.

    Sizes that do not fit each other are not a defect of the program, unless no sizes fit.
    """
    from volcli.api.execution import command

    found: list[Execution] = []
    unfit: list[tuple[Execution, str]] = []
    for instance in function.instances(inputs):
        for order in (None, 1, 2):
            execution = function.run(instance, shuffle=order, **options)
            shown_by = command(function.name, file, instance, order)
            if execution.defect == "contract":
                unfit.append((execution, shown_by))
                break
            found.append(execution)
            if execution.diagnostic is not None:
                return found, shown_by
        if sum(each.steps for each in found) > limits.INSTANCE_STEPS:
            break
    if not found:
        return [unfit[0][0]], unfit[0][1]
    return found, None


def _function(program: Program, name: str | None) -> Function:
    if name is not None:
        return program.function(name)
    found = [each for each in program.functions if each.has_body]
    if len(found) > 1 and any(each.name == "main" for each in found):
        return program.function("main")
    if len(found) != 1:
        names = ", ".join(f"@{each.name}" for each in found) or "none"
        raise UsageError(Diagnostic("V018", f"one function must be named with --function: there are {names}"))
    return found[0]


def _inputs(
    sizes: tuple[str, ...], numbers: tuple[str, ...], elements: tuple[str, ...], size: int, seed: int
) -> Inputs:
    from volcli.execution.runs.inputs import KINDS, Inputs

    found = Inputs(size=size, seed=seed)
    known_sizes: dict[tuple[str, int], int] = {}
    for text in sizes:
        if (match := _SIZE.fullmatch(text)) is None:
            raise UsageError(Diagnostic("V018", f"--size '{text}' is not of the form 'dim(%a, 0) = 5'"))
        known_sizes[match[1], int(match[2])] = int(match[3])
    known: dict[str, Any] = {}
    for text in elements:
        if text in KINDS:
            found = replace(found, kind=text)
            continue
        match = _ARG.fullmatch(text)
        if match is None:
            raise UsageError(Diagnostic("V018", f"--input '{text}' is not of the form '%a=KIND'"))
        known[match[1]] = match[2] if match[2] in KINDS else _array(match[2])
    values = {match[1]: _number(match[2], text) for text in numbers if (match := _argument(text))}
    return replace(found, sizes=known_sizes, numbers=values, elements=known)


def _argument(text: str) -> re.Match[str]:
    if (match := _ARG.fullmatch(text)) is None:
        raise UsageError(Diagnostic("V018", f"--arg '{text}' is not of the form '%n=7'"))
    return match


def _number(text: str, whole: str) -> int | float:
    try:
        return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text, 0)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise UsageError(Diagnostic("V018", f"--arg '{whole}': {text} is not a number")) from None


def _array(path: str) -> Any:
    import numpy as np

    from volcli.execution.runs.inputs import KINDS

    try:
        found = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        kinds = ", ".join(KINDS)
        raise UsageError(
            Diagnostic("V018", f"there is no file '{path}', and no kind of that name: {kinds}")
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(Diagnostic("V018", f"'{path}' is not an array of numpy's: {error}")) from None
    if not isinstance(found, np.ndarray):
        raise UsageError(Diagnostic("V018", f"'{path}' has several arrays: give one of them as a .npy file"))
    return found


def _write(executions: list[Execution], output: str, style: str, *, small: bool) -> None:
    from volcli.report import executions as report

    last = executions[-1]
    if output.endswith(".npz"):
        import numpy as np

        data = io.BytesIO()
        np.savez(data, allow_pickle=False, **report.arrays(last))
        write_bytes(output, data.getvalue())
        return
    if style == "json":
        shown = [report.as_json(each) for each in executions]
        text = json.dumps({"volcli": __version__, "schema": 1, "executions": shown}, indent=2) + "\n"
    else:
        width = shutil.get_terminal_size((100, 24)).columns
        every = [] if small and last.diagnostic is None else report.lines(last, width)
        text = "".join(f"{line}\n" for line in every)
        if small and last.diagnostic is None:
            text = report.summary(executions) + "\n"
    write_output(output, text)
