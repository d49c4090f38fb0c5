"""Room for deeply nested programs on Python's stack."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

# xDSL's parser needs about 15 frames for a nested region and 6 for a nested bracket. A frame of Python code
# costs no C stack since 3.11, but hashing and comparing nested attributes does: at this limit they stay
# within the 8 MB that a main thread has.
_LIMIT = 6_000


@contextmanager
def deep_recursion() -> Generator[None]:
    """Let programs nest a few hundred regions deep; deeper ones still end in a RecursionError, no crash."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
