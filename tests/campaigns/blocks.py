"""The long campaign for blocks that branch anywhere: volcli's answers about memory against executions.

    python -m tests.campaigns.blocks --programs 2000 --seed 0
    python -m tests.campaigns.blocks --programs 2000 --affine            what is decided by index arithmetic alone
    python -m tests.campaigns.blocks --programs 2000 --structured        loops, regions and choices in each other

Prints how many answers are exact, loose, unknown or wrong, and each failing program. Exits 1 if an answer was wrong.
"""

from __future__ import annotations

import sys

from tests.oracles.blocks.ask import judged
from tests.oracles.blocks.draw import drawn
from tests.oracles.blocks.programs import Program
from tests.oracles.blocks.structured import Structured
from tests.oracles.blocks.structured import structured as _structured
from tests.oracles.interpreter.campaign import Campaign

OPTIONS = {
    "affine": {"action": "store_true", "help": "no loaded value decides, and no block gets a buffer"},
    "structured": {"action": "store_true", "help": "regions in each other instead of blocks"},
}


def _drawn(seed: str, *, affine: bool = False, structured: bool = False) -> Program | Structured:
    return _structured(seed, affine=affine) if structured else drawn(seed, affine=affine)


CAMPAIGN = Campaign(__doc__, _drawn, judged, lambda program: program.text, options=OPTIONS)

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
