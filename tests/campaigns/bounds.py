"""The long campaign for bounds: random programs, volcli's constant bounds and comparisons against enumeration.

    python -m tests.campaigns.bounds --programs 400 --seed 0

Prints how many answers are exact, sound, wrong, or called exact without being it; why the inexact ones are; and
each failing program as small as it gets. Exits 1 if an answer was wrong, called exact wrongly, or a crash.
"""

from __future__ import annotations

import sys

from tests.oracles.bounds.ask import judged
from tests.oracles.bounds.draw import drawn
from tests.oracles.bounds.programs import Program
from tests.oracles.bounds.reduce import reduced
from tests.oracles.interpreter.campaign import Campaign
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS


def text(program: Program) -> str:
    """PROGRAM with its queries as comments."""
    return program.mlir(lambda query: iter([f"// here: {query.number}"]))


CAMPAIGN = Campaign(
    __doc__, drawn, judged, text, reduced,
    options={
        "unbounded": {"flag": "--while", "action": "store_true", "help": "with scf.while"},
        "with_bits": {"flag": "--bits", "action": "store_true", "help": "with unsigned and bitwise operations"},
    },
    judging={
        "operations": {
            "flag": "--budget", "type": int, "default": DEFAULT_OPERATIONS, "help": "operations a question"
        }
    },
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
