"""The long campaign for linear indices: random nests with products in subscripts, against enumeration.

    python -m tests.campaigns.linear --programs 400 --seed 0

Prints how many answers about dependences, flow, loops and races are exact, loose, unknown, wrong, or called exact
without being it, and each failing program as small as it gets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.oracles.interpreter.campaign import Campaign
from tests.oracles.interpreter.judgement import Judgement
from tests.oracles.memory import ask
from tests.oracles.memory.ask_flow import flow_judged
from tests.oracles.memory.ask_races import races_judged
from tests.oracles.memory.linear import drawn
from tests.oracles.memory.programs import Program
from tests.oracles.memory.reduce import reduced


def judged(program: Program) -> Iterator[Judgement]:
    """What volcli's answers about PROGRAM are worth."""
    yield from ask.judged(program)
    for kind, judge in {"flow": flow_judged, "race": races_judged}.items():
        try:
            yield from judge(program)
        except Exception as error:  # whatever it is, it belongs in the campaign's report
            yield ask.crash(kind, "all", error)


CAMPAIGN = Campaign(__doc__, drawn, judged, lambda program: program.text, reduced)

if __name__ == "__main__":
    sys.exit(CAMPAIGN.main())
