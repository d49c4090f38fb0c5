"""All steps: what a campaign goes through (DECK), and what stands where."""

from __future__ import annotations

import random

from tests.execution.programs import control, memory, scalars, structured, tensors
from tests.execution.programs.draft import Step

SCALARS: list[Step] = [*scalars.STEPS, *control.INDICES]
FLAT: list[Step] = [*SCALARS, *memory.STEPS, *tensors.VECTORS]
"""Those without regions of steps."""
STEPS: list[Step] = [
    *random.Random(0).sample(FLAT, 40), *control.STEPS, *control.STEPS, *memory.STEPS, *tensors.STEPS, *tensors.VECTORS,
    *random.Random(1).sample(structured.STEPS, 20),
]  # fmt: skip
DECK: list[Step] = [
    *SCALARS,
    *control.STEPS,
    *memory.STEPS,
    *tensors.STEPS,
    *tensors.VECTORS,
    *structured.STEPS,
]
random.Random(2).shuffle(DECK)
