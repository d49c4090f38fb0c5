"""The long campaign for systems with symbolic coefficients: their projections by enumeration.

    python -m tests.fuzz_symbolic --programs 2000 --seed 0

Prints how many answers are exact, loose, unknown or wrong, and each failing system. Exits 1 if one fails.
"""

from __future__ import annotations

import sys

from tests.interpreter.campaign import Campaign
from tests.symbolic.systems import drawn, judged

CAMPAIGN = Campaign(__doc__, drawn, judged, lambda system: system.text)

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
