"""`volcli explain`: why an access depends on another one, what a finding rests on, and pictures of sets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from volcli.cli.completion.explained import complete_explained
from volcli.cli.parts import options
from volcli.cli.parts.console import Console, lines_of
from volcli.cli.parts.explained import place_named
from volcli.cli.parts.explaining import ExplainRequest, explain_request
from volcli.cli.parts.facts import for_programs
from volcli.cli.parts.output import STDOUT, width_of, write_output
from volcli.cli.parts.request import CheckRequest
from volcli.cli.parts.terminal import for_people, has_colour
from volcli.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from volcli.loading.driver import Program
    from volcli.model.memory.steps.explanations import Pair
    from volcli.report.lines import Line

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli explain examples/shifted_rows.mlir:9
  $ volcli explain examples/shifted_rows.mlir --at 8,9
  $ volcli explain examples/shifted_rows.mlir --tile 'i:4, j:4' --element 'm[3, 1]'
  $ volcli explain examples/conv_layer.mlir --layers
  $ volcli explain examples/shifted_rows.mlir:9:V203
  $ volcli explain V203
"""


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(allow_dash=True, readable=False), shell_complete=complete_explained)
@explain_request
@options.style(
    "For a place, an index value or a size: json, one object, described by `volcli schema`; or sarif.",
    "sarif",
)
@options.always_split
@options.assume
@options.effects
@options.given
@options.output
@options.via
@options.timeout
@options.traceback
def explain(
    file: str, request: ExplainRequest, style: str, output: str, reading: options.Reading, traceback: bool
) -> int:
    """Explain a line of FILE ('-' is stdin), a dependence, a value, a finding, a code or a limit.

    FILE:LINE, or --at with one line, prints all that is known about the operation there: shapes, bounds,
    regions, whether accesses are in bounds and loops parallel, last writers, and all its pairs of accesses.

    --at with two lines prints how the access in the second one depends on that in the first one: the answer
    at each depth, and the constraint matrices that lead to it, each also as a formula: the relations of both
    accesses, their composition step by step, the order of execution, and the distances that are left. An
    access is named by the line in which its operation begins, and by its column if several begin there.

    Instead of that, --value draws the regions of a value, and --tile the sets of elements (MARS) that tiles
    read or produce: a letter for each set, in the two dimensions in which they differ. With --element it
    states instead which set has that element, and which tiles consume it; with --construction, how the sets
    come about: null spaces, footprints, consumers.

    --layers draws a network: a bar for each operation on tensors that multiplies.

    For an index value or a size, --value prints the collected constraints, a row and a formula each,
    which variables were projected out, which constraints were left, and which of them each bound needs.

    --system prints how a system of inequalities with products of symbols is eliminated and scanned: which of
    them bound a variable from below and above, what becomes of each pair, which go and why, and the loops;
    --boxes prints hull and intersection of intervals. Their symbols have the facts of --assume.

    In place of FILE, the name of a finding prints what `volcli check` states about it, and all that it rests
    on: operations, assumptions, example, execution, what was read, and how a baseline knows it. The name is
    the line of `check --format concise`, FILE:LINE:CODE, or FILE:KEY with the key of JSON or baselines.

    In place of FILE, a code prints what it means, a program that has it, and why.

    If a limit is the reason of an answer, its name is the last line. In place of FILE, that name alone
    prints the limit's row; so do the name of an area, and 'limits', which is all.
    """
    if request.system is not None or request.boxes:
        return _system_explained(file, request.system, output, reading, Console(traceback=traceback))
    is_name = request.spots is None and not request.of_sets
    if is_name and (_code_explained(file, output) or _limits_explained(file, output)):
        return 0
    if is_name and (finding := _finding_explained(file, reading, output)) is not None:
        return finding
    if is_name and (place := place_named(file)) is not None:
        file, spot = place
        request = replace(request, spots=(spot,))
    request.check()
    request = replace(request, output=output, style=style)
    return _explained(file, request, reading, Console(traceback=traceback))


def _explained(file: str, request: ExplainRequest, reading: options.Reading, console: Console) -> int:
    """Write what is asked of the program in FILE; the exit code."""
    from volcli.frontend.text.source import read_source

    with console.guard(file, reading.lines()):
        reading.check()
        program = reading.program(read_source(file))
        lines = lines_of(program.units)
        console.say(program.diagnostics, lines)
        said = len(program.diagnostics)
        with console.guard(file, lines):
            _answer(program, request)
        for unit in program.units:
            unit.report_internal_errors()
        found = program.diagnostics[said:]
        # What is found at the place is in the answer; what is found elsewhere was not asked for.
        console.say([each for each in found if each.code == "V900"] if request.is_place else found, lines)
    return console.exit_code


def _code_explained(name: str, output: str) -> bool:
    """Write what the code NAME means, with an example explained; whether it is one, and no file."""
    from volcli.diagnostics import CODES
    from volcli.limits.table import matching
    from volcli.report.codes import code_lines
    from volcli.report.limits import limit_rows
    from volcli.report.lines import Line

    if os.path.exists(name) or not re.fullmatch(r"[Vv]\d{3}", name):
        return False
    name = name.upper()
    if name not in CODES:
        raise UsageError(Diagnostic("V007", f"no code '{name}'", note="`volcli codes` lists the codes"))
    said = [*code_lines(name), *_where_found(name, output)]
    if found := matching(name):
        said += [Line(), *limit_rows(found)]
    _write(said, output)
    return True


def _where_found(code: str, output: str) -> Iterator[Line]:
    """What is known where `volcli check` finds CODE in the program that comes with volcli for it."""
    from volcli.api.locations import location_lines
    from volcli.frontend.text.source import Source
    from volcli.gate.named import found_in_example
    from volcli.loading.driver import load_source
    from volcli.report.lines import Line
    from volcli.runtime.shipped import finding_example

    text = finding_example(code)
    found = None if text is None else found_in_example(code, text)
    if text is not None and found is not None and found.line is not None:
        program = load_source(Source(found.file, text), split=True)
        yield Line()
        try:
            yield from location_lines(program, found.line, found.column, width=width_of(output))
        except UsageError:  # it is about a comment
            yield Line(f"{found.place}: {found.message}")


def _limits_explained(name: str, output: str) -> bool:
    """Write the rows of the limits that are called NAME; whether there are any, and no such file."""
    from volcli.limits.table import matching
    from volcli.report.limits import limit_rows

    if os.path.exists(name) or not (found := matching(name)):
        return False
    _write(limit_rows(found), output)
    return True


def _finding_explained(name: str, reading: options.Reading, output: str) -> int | None:
    """Write what the finding with this NAME rests on; the exit code, and None if NAME names a file."""
    from volcli.gate.named import findings_named, named
    from volcli.report.gate.explained import finding_lines

    if os.path.exists(name) or (wanted := named(name)) is None:
        return None
    console = Console()
    with console.guard(wanted.file):
        reading.check()
        policy = CheckRequest().policy(reading)
        found, given = findings_named(wanted, policy)
        text = "\n".join(line for each in found for line in finding_lines(each, given)) + "\n"
        write_output(output, for_people(output, text))
    return console.exit_code


def _system_explained(
    file: str, system: str | None, output: str, reading: options.Reading, console: Console
) -> int:
    """Write how a SYSTEM, or boxes if it is None, in FILE is solved; the exit code."""
    from volcli.api import systems
    from volcli.frontend.text.source import read_source
    from volcli.report.lines import Line
    from volcli.report.systems import box_lines, system_lines

    with console.guard(file, reading.lines()):
        source = read_source(file)
        said = [Line(source.name, "bold"), Line()]
        if system is None:
            said += box_lines(systems.boxes_of_text(source), systems.context_of(reading.assume))
        else:
            variables = [each.strip() for each in system.split(",")]
            if system.lstrip().startswith("%"):
                program = reading.program(source)
                found = systems.system_of_nest(program, variables, reading.assume)
            else:
                found = systems.system_of_text(source, variables, reading.assume)
            said += system_lines(found.variables, found.known, found.steps)
        _write(said, output)
    return console.exit_code


def _answer(program: Program, request: ExplainRequest) -> None:
    """Write what was asked for. Raises UsageError."""
    from volcli.api.asking import within

    if request.value is not None and request.tile is None and _derived(program, request, request.value):
        return
    if request.is_place:
        _write_location(program, request)
        return
    if request.style != "text":
        raise UsageError(
            Diagnostic("V011", "only one place, and the bounds of a number, are explained for programs")
        )
    said, svg = within(program.units, lambda: _found(program, request))
    if request.svg is not None and svg is not None:
        write_output(request.svg, svg)
    if request.svg != STDOUT:
        _write(_with_limits(said), request.output)


def _write_location(program: Program, request: ExplainRequest) -> None:
    """Write what there is to say about a place. Raises UsageError."""
    from volcli.api.asking import within
    from volcli.api.locations import location_facts, location_lines
    from volcli.report.files import FileReport

    (spot,) = request.at
    if request.style != "text":
        found = within(program.units, lambda: location_facts(program, *spot))
        report = FileReport(program.source.name, *found, text=program.source.text)
        write_output(request.output, for_programs([report], request.style))
        return
    width = width_of(request.output)
    said = within(program.units, lambda: list(location_lines(program, *spot, width=width)))
    _write(_with_limits(said), request.output)


def _derived(program: Program, request: ExplainRequest, value: str) -> bool:
    """Write why VALUE lies between its bounds, if it is a number. Raises UsageError."""
    from volcli.api.named import number_named
    from volcli.report.derivations import derivation_lines
    from volcli.report.files import FileReport
    from volcli.report.lines import Line

    if (found := number_named(program, value)) is None:
        return False
    if request.is_drawn:
        raise UsageError(Diagnostic("V011", f"there is no picture: {value} is a number"))
    number, dim = found
    fact = number.derivation(dim)
    if request.style != "text":
        said = list(program.diagnostics)
        report = FileReport(program.source.name, said, [fact], text=program.source.text)
        write_output(request.output, for_programs([report], request.style))
    else:
        said = [Line(program.source.name, "bold"), Line(), *derivation_lines(fact)]
        _write(_with_limits(said), request.output)
    return True


def _with_limits(said: list[Line]) -> list[Line]:
    """What is SAID, and the names of the limits that it gives as reasons."""
    from volcli.report.limits import limits_of

    return said + limits_of(said)


def _found(program: Program, request: ExplainRequest) -> tuple[list[Line], str | None]:
    """What was asked for, as lines and as a picture."""
    from volcli.api.places import AccessesByPlace
    from volcli.frontend.parse.recursion import deep_recursion
    from volcli.report.explanation import explained, pair_lines
    from volcli.report.lines import Line

    if not request.at:
        return _sets_drawn(program, request)
    with deep_recursion():
        places = AccessesByPlace(program.units, program.source.name)
        pairs = places.pairs(request.at)
        said = [Line(program.source.name, "bold")]
        if request.picture or request.svg is not None:
            lines, svg = _drawn(places.drawable(pairs, request.at), request)
            return said + lines, svg
        for pair in pairs:
            at = places.text(pair.source), places.text(pair.sink)
            said += [Line(), *pair_lines(pair, *at), *explained(pair)]
    return said, None


def _sets_drawn(program: Program, request: ExplainRequest) -> tuple[list[Line], str | None]:
    """Regions or MARS as lines and as a picture. Raises UsageError."""
    from volcli.api.mars_constructions import constructions
    from volcli.api.named import pictures_of_tiles, pictures_of_value
    from volcli.api.set_elements import SetElement, consumers_of_element
    from volcli.api.set_pictures import refused
    from volcli.report.drawing.pictures import TooWide
    from volcli.report.drawing.raster import NoRaster
    from volcli.report.drawing.set_pictures import set_picture
    from volcli.report.lines import Line

    if request.layers:
        return _layers_drawn(program)
    if request.tile is not None and request.element is not None:
        wanted = SetElement.parse(request.element)
        texts = consumers_of_element(program, request.tile, wanted, request.numbers)
        return [Line(program.source.name, "bold"), *map(Line, texts)], None
    if request.tile is not None and request.construction:
        texts = constructions(program, request.tile, request.value, request.numbers)
        return [Line(program.source.name, "bold"), *map(Line, texts)], None
    if request.tile is not None:
        found = pictures_of_tiles(program, request.tile, request.value, request.numbers)
    else:
        found = pictures_of_value(program, request.value or "", request.numbers)
    said = [Line(program.source.name, "bold")]
    try:
        for each in found:
            said += [Line(), *set_picture(each.sets, width=width_of(request.output))]
    except (NoRaster, TooWide) as why:
        raise refused(str(why)) from None
    return said, found[0].svg if request.svg is not None else None


def _layers_drawn(program: Program) -> tuple[list[Line], str]:
    """The layers of a network as lines and as a picture. Raises UsageError."""
    from volcli.api.set_pictures import refused
    from volcli.report.drawing.layers import layer_lines, layers_svg
    from volcli.report.lines import Line

    found = program.run("layers").facts
    lines = layer_lines(found)
    if not lines:
        raise refused("no tensor depends on an argument")
    return [Line(program.source.name, "bold"), Line(), *lines], layers_svg(found, program.source.name)


def _drawn(pairs: Sequence[Pair], request: ExplainRequest) -> tuple[list[Line], str | None]:
    """What to say of the picture of PAIRS, and it as SVG, if that is asked for."""
    from volcli.api.pictures import drawn
    from volcli.report.drawing.pictures import TooWide, picture, vectors
    from volcli.report.lines import Line

    found = drawn(pairs, request.numbers)
    said = [Line(), *(Line(title, "bold") for title in found.titles)]
    try:
        if request.picture:
            said += [Line(), *picture(found.diagram, width=width_of(request.output))]
        else:
            said += vectors(found.diagram)
    except TooWide as why:
        raise UsageError(Diagnostic("V011", f"there is no picture: {why}")) from None
    return said, found.svg if request.svg is not None else None


def _write(lines: Sequence[Line], output: str) -> None:
    from volcli.report.lines import as_text

    write_output(output, as_text(lines, width=width_of(output), colour=has_colour(output)))
