"""`volcli lsp`: the language server."""

from __future__ import annotations

import os

import click

from volcli.diagnostics import Diagnostic, UsageError

SETTINGS = {
    "neovim": """\
vim.filetype.add({ extension = { mlir = "mlir" } })
vim.lsp.config("volcli", {
  cmd = { "volcli", "lsp" }, filetypes = { "mlir" }, root_markers = { "volcli.toml", ".git" },
})
vim.lsp.enable("volcli")
vim.lsp.inlay_hint.enable()
""",
    "emacs": """\
(add-to-list 'auto-mode-alist '("\\\\.mlir\\\\'" . prog-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(prog-mode . ("volcli" "lsp"))))
""",
    "helix": """\
[language-server.volcli]
command = "volcli"
args = ["lsp"]

[[language]]
name = "mlir"
language-servers = ["volcli"]
""",
}
"""What editors need to start the server; docs/editors.md and the pages beside it say in which file."""
_EPILOG = """\b
Example:
  $ volcli lsp --settings neovim
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--settings", type=click.Choice([*SETTINGS]), help="Print what this editor needs, and run no server."
)
def lsp(settings: str | None) -> int:
    """Run a language server for MLIR, which an editor talks to by standard input and output.

    It shows the findings of `volcli check` while you type, by the same policy; shapes, bounds and regions
    of what the cursor is on; whether loops are parallel and accesses in bounds.
    """
    if settings is not None:
        click.echo(SETTINGS[settings], nl=False)
        return 0
    try:
        from volcli.lsp.features import make_server
    except ModuleNotFoundError as error:
        message = f"volcli lsp: the library {error.name} is not installed"
        raise UsageError(Diagnostic("V008", message, note="pip install 'volcli[lsp]'")) from error
    # What a library prints is no message to the editor.
    messages = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    make_server().start_io(stdout=messages)
    return 0
