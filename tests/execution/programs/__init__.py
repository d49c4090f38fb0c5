"""Random programs that print all they compute, for volcli's engine and mlir-runner alike.

`drawn(number, seed)` is one function @pN and its callees. Nothing in it is undefined: divisors are not zero,
indices are in bounds, memory is written before it is read and iterations of parallel loops write elements of
their own. Each text is a sequence of steps (`steps.STEPS`), and the number decides which come first: so a
campaign of a few hundred programs has each of them several times.
"""

from __future__ import annotations

from tests.execution.programs.draft import Draft, Module
from tests.execution.programs.steps import DECK

FORCED = 6


def drawn(number: int, seed: int) -> Module:
    """The program @pNUMBER: six steps that its number decides, and others between and in them."""
    draft = Draft(f"{seed}/{number}", f"p{number}")
    for position in range(FORCED):
        draft.perform(DECK[(number * FORCED + position) % len(DECK)])
        if draft.chance.random() < 0.5:
            draft.step()
    return draft.finished()
