"""`volcli` itself: what it says of itself, and its commands."""

from __future__ import annotations

import click

from volcli import __version__
from volcli.cli.group import Commands

_HELP = """Static analyser for MLIR: shapes, bounds, dependences and more, each with a proof.

volcli reads MLIR text (linalg, tensor, affine, scf, memref, arith) and answers questions that the types leave
open: how large is this `?`, which input elements does this value depend on, which part of it is only padding,
why is this loop not parallel?
Every answer is proved, or unknown with a stated reason.

Some programs to try it on:

\b
  $ volcli examples --into examples

The main job is to annotate a program, leaving its text as it is:

\b
  $ volcli annotate examples/conv_layer.mlir -p infer-shapes,sparsity-regions
  $ volcli annotate examples/*.mlir -p value-bounds --in-place

Run passes in a pipeline or a test, as with mlir-opt:

\b
  $ volcli opt examples/conv_layer.mlir -p infer-shapes{refine-types}

The same facts as a table, or as JSON for a program:

\b
  $ volcli analyze examples/conv_layer.mlir --ask regions
  $ volcli analyze examples/tiles.mlir --ask slices
  $ volcli analyze examples/*.mlir --ask shapes,maps --format json -o facts.json

Whether a rewrite, by any tool, computes the same from the same elements:

\b
  $ volcli opt examples/conv_layer.mlir -p 'tile{sizes=0,0,16,16}' -o tiled.mlir
  $ volcli diff examples/conv_layer.mlir tiled.mlir

Whether each pass of a pipeline does so, and the smallest program that a wrong one changes:

\b
  $ volcli validate examples/smoothed.mlir --dump examples/smoothed_passes.log

All of it as one page, with pictures, for a browser:

\b
  $ volcli report examples -o report.html

What a function computes, on numbers or terms, and where it is undefined:

\b
  $ volcli run examples/smoothed.mlir --input terms

`volcli COMMAND --help` describes each command, `volcli passes` lists the options of an analysis.
"""

_EPILOG = """\b
Exit code: 0 nothing is wrong; 1 findings: the program provably contradicts itself; 2 the input or the call
could not be used; 130 interrupted. Remarks (what volcli does not know) never change it.

\b
Completion in bash: eval "$(_VOLCLI_COMPLETE=bash_source volcli)"; zsh and fish likewise.
"""

volcli = Commands(
    name="volcli",
    help=_HELP,
    epilog=_EPILOG,
    commands_in={
        "opt": "volcli.cli.opt:opt",
        "annotate": "volcli.cli.annotate:annotate",
        "analyze": "volcli.cli.analyze:analyze",
        "check": "volcli.cli.check:check",
        "report": "volcli.cli.report:report",
        "init": "volcli.cli.init:init",
        "merge": "volcli.cli.merge:merge",
        "diff": "volcli.cli.diff:diff",
        "validate": "volcli.cli.validate:validate",
        "run": "volcli.cli.run:run",
        "lsp": "volcli.cli.lsp:lsp",
        "explain": "volcli.cli.explain:explain",
        "coverage": "volcli.cli.coverage:coverage",
        "passes": "volcli.cli.lists.passes:passes",
        "dialects": "volcli.cli.lists.dialects:dialects",
        "codes": "volcli.cli.lists.codes:codes",
        "examples": "volcli.cli.lists.examples:examples",
        "schema": "volcli.cli.lists.schema:schema",
        "help": "volcli.cli.help:show",
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
volcli = click.version_option(__version__, message="volcli %(version)s")(volcli)
