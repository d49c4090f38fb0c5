"""The long campaign for nests: random loops, volcli's answers about them against runs in other orders.

    python -m tests.campaigns.nests --programs 400 --seed 0

Prints how many answers are exact, unknown, missed or wrong, and each failing program. Exits 1 if one fails.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.oracles.interpreter.campaign import Campaign
from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.nests.ask import judged
from tests.oracles.nests.draw import drawn
from tests.oracles.nests.inserts import Forall, drawn_forall, forall_judged
from tests.oracles.nests.programs import Program

Pair = tuple[Program, Forall]


def both_drawn(seed: str) -> Pair:
    """The loops of SEED, and its scf.forall that inserts slices."""
    return drawn(seed), drawn_forall(seed)


def both_judged(pair: Pair) -> Iterator[Judgement]:
    """What the answers about PAIR are worth."""
    yield from judged(pair[0])
    yield from forall_judged(pair[1])


CAMPAIGN = Campaign(
    __doc__, both_drawn, both_judged, lambda pair: "\n".join(each.text for each in pair)
)  # fmt: skip

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
