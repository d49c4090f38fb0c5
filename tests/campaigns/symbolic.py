"""The long campaign for systems with symbolic coefficients, by enumeration; for printed loops, and for trees of
minima, executed.

    python -m tests.campaigns.symbolic --programs 1000 --seed 0

Prints how many projections and printed loops are exact, loose, unknown or wrong, each failing system, and each tree that
simplify-bounds breaks (a tenth as many; needs mlir-22-tools). Exits 1 if something fails.
"""

from __future__ import annotations

import shutil
import sys

from tests.oracles.interpreter.campaign import Campaign
from tests.passes.rewrites.bound_trees import broken
from tests.shared.execution import RUNNER
from tests.symbolic.printed_systems import drawn_text, judged_text
from tests.symbolic.systems import drawn, judged

CAMPAIGN = Campaign(__doc__, drawn, judged, lambda system: system.text)
PRINTED = Campaign(__doc__, drawn_text, judged_text, lambda system: system.text)
TOGETHER = 25
"""So many trees are lowered and executed by one process."""


def trees(count: int, seed: int) -> list[str]:
    """The trees that are broken, of COUNT."""
    mlir_opt = shutil.which("mlir-opt-22")
    if mlir_opt is None or RUNNER is None:
        return []
    seeds = [f"{seed}/{number}" for number in range(count)]
    groups = (seeds[start : start + TOGETHER] for start in range(0, count, TOGETHER))
    return [text for group in groups for text in broken(mlir_opt, group)]


def main() -> int:
    """All campaigns; 1 if one of them finds something."""
    failed = [each.main() for each in (CAMPAIGN, PRINTED)]
    asked = CAMPAIGN.arguments()
    found = trees(asked.programs // 10, asked.seed)
    print("\n".join([*found, f"trees that are broken: {len(found)} of {asked.programs // 10}"]))
    return 1 if any(failed) or found else 0


if __name__ == "__main__":
    sys.exit(main())
