"""Whether something that happens depends on values that no caller of the function chooses."""

from __future__ import annotations

import islpy as isl

from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.occurrence.certainty import certainty, why_uncertain


def doubt(memory: Memory, points: isl.Set) -> str | None:
    """Why there may be none of POINTS, whatever the arguments are; None if there are for some arguments.

    `[n] -> { [i] : i < n }` is there for an argument n = 1. If n was loaded, it may never be.
    """
    given = isl.Set.from_params(points.params())
    certain = certainty(memory, given, isl.Set.universe(given.get_space()))
    return why_uncertain(memory, given) if certain.points.is_empty() else None
