"""`volcli annotate`: what analyses find, written into the user's own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from volcli.cli.parts import messages, options
from volcli.cli.parts.console import Console, lines_of
from volcli.cli.parts.output import STDOUT, difference, write_output
from volcli.diagnostics import Diagnostic, Place, UsageError
from volcli.diagnostics.selection import Selection

if TYPE_CHECKING:
    from volcli.frontend.text.source import Source

_EPILOG = """\b
Example:
  $ volcli examples --into examples
  $ volcli annotate examples/conv_layer.mlir -p infer-shapes,sparsity-regions
  $ volcli annotate examples/*.mlir -p infer-shapes,value-bounds --in-place
  $ volcli annotate examples/*.mlir -p infer-shapes,value-bounds --check
"""


@click.command(epilog=_EPILOG)
@click.argument(
    "files", metavar="FILES...", type=click.Path(allow_dash=True, readable=False), nargs=-1, required=True
)
@options.pipeline
@click.option("--in-place", is_flag=True, help="Rewrite each file whose annotations have changed.")
@click.option("--diff", is_flag=True, help="Print what would change, as a unified diff.")
@click.option(
    "--check", is_flag=True, help="Change nothing; exit with 1 if some file is not up to date (V291)."
)
@click.option("--remove", is_flag=True, help="Remove all annotations; no pass is run.")
@options.split
@options.assume
@options.effects
@options.given
@options.output
@options.via
@options.budget
@options.timeout
@options.traceback
@messages.options
def annotate(
    files: tuple[str, ...], pipeline: str, in_place: bool, diff: bool, check: bool, remove: bool, split: bool,
    output: str, reading: options.Reading, traceback: bool, selection: Selection,
) -> int:  # fmt: skip
    """Annotate FILES ('-' is stdin) with the facts of PIPELINE, as '// volcli:' lines.

    Each line stands above the operation that it is about. Older annotations are replaced; nothing else of
    the text changes, so that the program stays the same. Without --in-place, --diff or --check, the annotated
    text of the one file is printed. Diagnostics go to stderr.
    """
    files = tuple(dict.fromkeys(files))
    _refuse_unclear(files, output, writes=in_place, reports=diff or check)
    if not pipeline.strip() and not remove:
        note = "name passes: -p value-bounds; --remove takes annotations out"
        raise UsageError(Diagnostic("V007", "nothing is annotated without --pass-pipeline", note=note))
    console = Console(traceback=traceback, selection=selection)
    texts = reading.lines(pipeline)
    printed: list[str] = []
    with console.guard("annotate", texts):
        reading.check(pipeline)
        for file in files:
            with console.guard(file, texts):
                from volcli.frontend.text.annotate import strip_annotations
                from volcli.frontend.text.source import read_source

                source = read_source(file)
                if remove:
                    text = strip_annotations(source.text)
                else:
                    program = reading.program(source, split=split)
                    program.run(pipeline)
                    console.say(program.diagnostics, lines_of(program.units))
                    text = program.annotated()
                if check and text != source.text:
                    console.fail(_stale(source, text))
                if diff:
                    printed.append(difference(source.text, text, source.name, f"{source.name} (annotated)"))
                elif in_place and text != source.text:
                    write_output(file, text)
                elif not check and not in_place:
                    printed.append(text)
        if printed:
            write_output(output, "".join(printed))
    return console.exit_code


def _refuse_unclear(files: tuple[str, ...], output: str, *, writes: bool, reports: bool) -> None:
    """Raise UsageError (V007) for a call that does not say where each file's text goes."""
    if writes and reports:
        raise UsageError(Diagnostic("V007", "--in-place changes files; --diff and --check do not"))
    if writes and (STDOUT in files or output != STDOUT):
        raise UsageError(Diagnostic("V007", "--in-place writes the files themselves, not stdin nor --output"))
    if len(files) > 1 and not writes and not reports:
        note = "add --in-place, --diff or --check"
        raise UsageError(
            Diagnostic("V007", "the text of one file is printed, and there are several", note=note)
        )


def _stale(source: Source, text: str) -> Diagnostic:
    """That the annotations of SOURCE are not those of TEXT, at the first line that differs."""
    pairs = zip(source.text.split("\n"), text.split("\n"), strict=False)
    line = next((number for number, (old, new) in enumerate(pairs, 1) if old != new), 1)
    return Diagnostic("V291", "the annotations are not up to date", Place(source.name, line, 1))
