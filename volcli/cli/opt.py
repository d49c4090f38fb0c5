"""`volcli opt`: passes over one file, and the IR as text, as mlir-opt does it."""

from __future__ import annotations

import click

from volcli.cli.parts import messages, options
from volcli.cli.parts.console import Console, lines_of
from volcli.cli.parts.mlir_style import MlirStyleCommand
from volcli.cli.parts.output import STDOUT, write_output
from volcli.cli.parts.terminal import for_people
from volcli.diagnostics.selection import Selection

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli opt examples/conv_layer.mlir -p 'infer-shapes{refine-types},sparsity-regions{of=%act0}'
"""


def _list_passes(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        from volcli.report.passes import as_text

        write_output(STDOUT, for_people(STDOUT, as_text()))
        ctx.exit()


@click.command(epilog=_EPILOG, cls=MlirStyleCommand)
@click.argument("file", type=click.Path(allow_dash=True, readable=False), default="-")
@options.pipeline
@options.split
@click.option(
    "--annotate",
    type=click.Choice(["comments", "attributes", "none"]),
    default="comments",
    show_default=True,
    help="How to write the facts: as '// volcli:' lines above the operations, as discardable attributes on "
    "them, or not at all.",
)
@click.option(
    "--reprint", is_flag=True, help="Print the IR with volcli's printer even if no pass changed it."
)
@click.option("--mlir-print-op-generic", "generic", is_flag=True, help="Print the IR in generic form.")
@click.option(
    "--list-passes", is_flag=True, is_eager=True, expose_value=False, callback=_list_passes,
    help="List the passes as `volcli passes` does, and read nothing.",
)  # fmt: skip
@options.timing
@click.option(
    "--allow-unregistered-dialect", is_flag=True, expose_value=False,
    help="Accepted as mlir-opt's: volcli reads operations of unknown dialects in any case.",
)  # fmt: skip
@click.option(
    "--verify-diagnostics",
    "verify",
    is_flag=True,
    help="Compare the diagnostics with the comments in the file that expect them: "
    "'// expected-error@+1 {{text}}', as mlir-opt does.",
)
@options.assume
@options.effects
@options.given
@options.output
@options.via
@options.budget
@options.timeout
@options.traceback
@messages.options
def opt(
    file: str, pipeline: str, split: bool, annotate: str, reprint: bool, generic: bool, verify: bool,
    timing: bool, output: str, reading: options.Reading, traceback: bool, selection: Selection,
) -> int:  # fmt: skip
    """Run passes over FILE and print its IR.

    Where only analyses ran, the output is FILE's text without its comments, with '// volcli:' lines above
    the operations; where a pass rewrote the program, it is the new program. (`volcli annotate` keeps
    comments.) Without FILE, or with '-', stdin is read. Diagnostics go to stderr. As with mlir-opt, long
    options may have one dash, and each pass is an option, too: -test-memref-dependence-check.
    """
    console = Console(traceback=traceback, selection=selection)
    with console.guard(file, reading.lines(pipeline)):
        reading.check(pipeline)

        from volcli.frontend.text.source import read_source

        program = reading.program(read_source(file), split=split)
        program.run(pipeline)
        if timing:
            options.say_times(program.seconds)
        said = selection.of(program.diagnostics)
        if verify:
            from volcli.cli.parts.expectations import unmet

            said = unmet([unit.parsed.source for unit in program.units], said)
        console.say(said, lines_of(program.units))
        write_output(output, program.text(annotate=annotate, reprint=reprint, generic=generic))
    return console.exit_code
