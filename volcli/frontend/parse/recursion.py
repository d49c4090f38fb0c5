"""What reading a program asks of the Python process: room on the stack, and no collector in the way."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

from volcli.limits import frontend as limits


@contextmanager
def deep_recursion() -> Generator[None]:
    """Let programs nest a few hundred regions deep; deeper ones still end in a RecursionError, no crash."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, limits.PYTHON_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def no_collector_pauses() -> Generator[None]:
    """Build what will stay without the garbage collector looking through it again and again.

    A parser makes hundreds of thousands of objects and drops next to nothing: the collector takes a quarter
    of the time and finds nothing. Afterwards it looks at what was built as at all that is new, so that in a
    process that reads one program after the other those without references are freed.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
