"""The long campaign for dependences: random programs, volcli's answers about memory against enumeration.

    python -m tests.campaigns.memory --programs 400 --seed 0

Prints how many answers are exact, loose, unknown, wrong, or called exact without being it; why the inexact ones
are; and each failing program as small as it gets. Exits 1 if an answer was wrong, called exact wrongly, or a crash.
"""

from __future__ import annotations

import sys

from tests.oracles.interpreter.campaign import Campaign
from tests.oracles.memory.ask_all import judged
from tests.oracles.memory.draw import drawn
from tests.oracles.memory.reduce import reduced

CAMPAIGN = Campaign(__doc__, drawn, judged, lambda program: program.text, reduced)

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
