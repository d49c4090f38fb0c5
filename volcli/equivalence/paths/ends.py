"""Where paths lead: to values, to buffers, and at last to leaves."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from volcli.equivalence.paths.leaves import Leaf
from volcli.equivalence.paths.paths import Paths
from volcli.model.memory.buffers.roots import Root

Key = SSAValue | Root | Leaf
"""What paths lead to."""


@dataclass(frozen=True)
class Left:
    """What `op` leaves in `key`, one of its results or a buffer: at the points of `op`, and of elements."""

    op: Operation
    key: Key


Ends = dict[Key, Paths]
"""The paths to each of several keys, all from the same points."""


def add(ends: Ends, key: Key, paths: Paths) -> None:
    """Let PATHS lead to KEY, too."""
    if not paths:
        return
    if isinstance(key, Leaf) and not key.is_counted:
        paths = paths.uncounted
    known = ends.get(key)
    ends[key] = paths if known is None else known.plus(paths)


def merge(ends: Ends, others: Ends) -> None:
    """Let all paths of OTHERS lead there, too."""
    for key, paths in others.items():
        add(ends, key, paths)
