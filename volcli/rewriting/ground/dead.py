"""Operations that do nothing for a program: nothing uses what they compute."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.loops import While
from volcli.model.stated_effects import only_computes


def is_dead(op: Operation) -> bool:
    """Whether nothing changes if OP is not there: its results are not used, and it does nothing else.

    What has no results is there for something else: it ends a block, or inserts in parallel.
    """
    is_used = not op.results or any(result.uses for result in op.results)
    return op.parent is not None and not is_used and all(map(_does_nothing, op.walk()))


def _does_nothing(op: Operation) -> bool:
    """Whether OP only computes: it touches no memory, states nothing, and ends."""
    return only_computes(op) and not isinstance(questions.loop(op), While)
