"""`volcli opt`: passes over one file, and the IR as text."""

from __future__ import annotations

import click

from volcli.cli import options
from volcli.cli.console import Console, lines_of, lines_of_texts
from volcli.cli.output import write_output
from volcli.passes.table import PASSES

_EPILOG = """\b
Example:
  $ volcli opt testdata/linalg/conv_layer.mlir -p 'infer-shapes{refine-types},sparsity-regions{of=%act0}'
"""


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.Path(allow_dash=True, readable=False), default="-")
@click.option(
    "-p",
    "--pass-pipeline",
    "pipeline",
    metavar="PIPELINE",
    default="",
    shell_complete=options.complete_from(PASSES),
    help="Passes to run in order, with their options in braces; `volcli passes` lists them.",
)
@click.option(
    "--split-input-file",
    "split",
    is_flag=True,
    help="Read the chunks between '// -----' lines as programs of their own.",
)
@click.option(
    "--annotate",
    type=click.Choice(["comments", "attributes", "none"]),
    default="comments",
    show_default=True,
    help="How to say what was found: '// volcli:' lines in the text as it is, "
    "discardable attributes on the operations, or not at all.",
)
@click.option("--reprint", is_flag=True, help="Print the IR anew even if no pass changed it.")
@click.option(
    "--verify-diagnostics",
    "verify",
    is_flag=True,
    help="Compare the diagnostics with the comments in the file that expect them: "
    "'// expected-error@+1 {{text}}', as mlir-opt does.",
)
@options.assume
@options.output
@options.via
@options.budget
@options.traceback
def opt(
    file: str, pipeline: str, split: bool, annotate: str, reprint: bool, verify: bool,
    assume: tuple[str, ...], output: str, via: str, budget: int | None, traceback: bool,
) -> int:  # fmt: skip
    """Run passes over FILE and print its IR.

    Where only analyses ran, the output is FILE's own text with '// volcli:' lines above the operations; where
    a pass rewrote the program, it is the new program. Without FILE, or with '-', stdin is read.
    Diagnostics go to stderr.
    """
    from volcli.cli.expectations import unmet
    from volcli.passes.assume import ASSUMPTION, parse_assumptions
    from volcli.passes.pipeline import PIPELINE, parse_pipeline

    console = Console(traceback=traceback)
    texts = {PIPELINE: pipeline.splitlines() or [""], ASSUMPTION: assume}
    with console.guard(file, lines_of_texts(texts)):
        parse_pipeline(pipeline)  # a wrong pipeline is said before a large file is read
        parse_assumptions(assume)

        from volcli.driver import load_source
        from volcli.frontend.source import read_source

        program = load_source(read_source(file), split=split, budget=budget, via=via, assume=assume)
        program.run(pipeline)
        said = program.diagnostics
        if verify:
            said = unmet([unit.parsed.source for unit in program.units], said)
        console.say(said, lines_of(program.units))
        write_output(output, program.text(annotate=annotate, reprint=reprint))
    return console.exit_code
