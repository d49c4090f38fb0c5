"""The long campaign for blocks that branch anywhere: volcli's answers about memory against executions.

    python -m tests.campaigns.blocks --programs 2000 --seed 0
    python -m tests.campaigns.blocks --programs 2000 --affine            what is decided by index arithmetic alone

Prints how many answers are exact, loose, unknown or wrong, and each failing program. Exits 1 if an answer was wrong.
"""

from __future__ import annotations

import sys

from tests.oracles.blocks.ask import judged
from tests.oracles.blocks.draw import drawn
from tests.oracles.interpreter.campaign import Campaign

OPTIONS = {"affine": {"action": "store_true", "help": "no loaded value decides, and no block gets a buffer"}}
CAMPAIGN = Campaign(__doc__, drawn, judged, lambda program: program.text, options=OPTIONS)

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
