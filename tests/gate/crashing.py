"""Checks that end their process, for the tests of worker processes: each worker imports this module."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

from volcli.gate.work.work import FileResult, Work, checked, lost


def killed(work: Work) -> FileResult:
    """What is found; a file 'crash' or a function @crash kills its process each time, 'once' the first time."""
    mark = Path(work.path + ".mark")
    shown = work.data or b""
    if work.part is not None:
        shown = b"".join(b"\n".join(shown.split(b"\n")[first - 1 : last]) for first, last in work.part.shown)
    if work.name == "crash" or b"@crash" in shown or (work.name == "once" and not mark.exists()):
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return checked(work)


def hungry(work: Work) -> FileResult:
    """More memory than anybody has, as `checked` says it."""
    try:
        return FileResult(work.name, (), len(bytearray(1 << 45)))
    except MemoryError:
        return lost(work, "needs more memory than it may have")


def endless(work: Work) -> FileResult:
    """Nothing is found, and what is named 'endless' has no end."""
    while work.name == "endless":
        pass
    return FileResult(work.name, ())


def unlucky(work: Work) -> FileResult:
    """What is found, for which another run might have more time."""
    return replace(checked(work), lasting=False)
