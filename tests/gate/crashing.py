"""Checks that end their process, for the tests of worker processes: each worker imports this module."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from volcli.gate.work import FileResult, Work


def killed(work: Work) -> FileResult:
    """Nothing is found, but what is named 'crash' kills its process each time, and 'once' the first time."""
    mark = Path(work.path)
    if work.name == "crash" or (work.name == "once" and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return FileResult(work.name, ())


def hungry(work: Work) -> FileResult:
    """More memory than anybody has."""
    return FileResult(work.name, (), len(bytearray(1 << 45)))
