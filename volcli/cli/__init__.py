"""The command line: arguments in, exit codes out. One file a command, imported when it is called.

Over 300 lines: `analyze.py` (one command with its options), `check.py` (one command with its options),
`explain.py` (one command with its options).

Imports: `api`, `cli.completion`, `cli.parts`, `diagnostics`, `execution`, `facts`, `frontend`, `gate`,
`loading`, `lsp`, `model`, `pages`, `passes`, `report`, `runtime`, `validation`.
"""

from __future__ import annotations

import gc
import os
import sys

from volcli.limits import printing as limits
from volcli.runtime.methods import postpone_methods


def main() -> None:
    """The entry point of the `volcli` script.

    Modules, programs and facts stay until the process ends. The garbage collector would go through them at
    every few hundred new objects, a tenth of a short run, and once more at the end, another tenth: it waits
    for as many as a large file makes, and lets the end of the process free the rest. Methods of dataclasses,
    of which few are called, are made when they are (`runtime/methods.py`).
    """
    gc.set_threshold(limits.UNCOLLECTED_OBJECTS)
    postpone_methods()
    from volcli.cli.commands import volcli
    from volcli.cli.group import INTERRUPTED

    code = volcli.run(sys.argv[1:])
    if code == INTERRUPTED:
        sys.stderr.flush()
        _give_back_semaphores()
        os._exit(code)  # threads of pools that are ended would print tracebacks at the interpreter's own end
    gc.freeze()
    sys.exit(code)


def _give_back_semaphores() -> None:
    """Unlink what pools of processes have made, or multiprocessing's tracker warns of it afterwards."""
    if (util := sys.modules.get("multiprocessing.util")) is not None:
        util._run_finalizers(0)
