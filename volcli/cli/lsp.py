"""`volcli lsp`: the language server."""

from __future__ import annotations

import os

import click

from volcli.diagnostics import Diagnostic, UsageError

_EPILOG = """\b
Example, in Neovim (docs/editors.md has others):
  vim.lsp.config("volcli", { cmd = { "volcli", "lsp" }, filetypes = { "mlir" } })
  vim.lsp.enable("volcli")
"""


@click.command(epilog=_EPILOG)
def lsp() -> int:
    """Run a language server for MLIR, which an editor talks to by standard input and output.

    It shows the findings of `volcli check` while you type, by the same policy; shapes, bounds and regions
    of what the cursor is on; whether loops are parallel and accesses in bounds.
    """
    try:
        from volcli.lsp.server import make_server
    except ModuleNotFoundError as error:
        message = f"volcli lsp: {error.name} is not installed"
        note = "install the language server's libraries: pip install 'volcli[lsp]'"
        raise UsageError(Diagnostic("V008", message, note=note)) from error
    # What a library prints is no message to the editor.
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    make_server().start_io(stdout=messages)
    return 0
