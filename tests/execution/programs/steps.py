"""All steps: what a campaign goes through (DECK), and what stands where."""

from __future__ import annotations

import random
from functools import partial

from tests.execution.programs import control, memory, parallel, scalars, structured, tensors, vectors, views
from tests.execution.programs.draft import Step

SCALARS: list[Step] = [*scalars.STEPS, *control.INDICES]
MEMORY: list[Step] = [*memory.STEPS, *views.STEPS]
LOOPS: list[Step] = [*control.STEPS, *parallel.STEPS]
FLAT: list[Step] = [*SCALARS, *MEMORY, *vectors.STEPS]
"""Those without regions of steps."""
STEPS: list[Step] = [
    *random.Random(0).sample(FLAT, 40), *LOOPS, *LOOPS, *MEMORY, *tensors.STEPS, *vectors.STEPS,
    *random.Random(1).sample(structured.STEPS, 20),
]  # fmt: skip
DECK: list[Step] = [*SCALARS, *LOOPS, *MEMORY, *tensors.STEPS, *vectors.STEPS, *structured.STEPS]
DECK += [partial(structured.in_body, step) for step in SCALARS]
random.Random(2).shuffle(DECK)
