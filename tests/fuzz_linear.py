"""The long campaign for linear indices: random nests with products in subscripts, against enumeration.

    python -m tests.fuzz_linear --programs 400 --seed 0

Prints how many answers about dependences, flow, loops and races are exact, loose, unknown, wrong, or called exact
without being it, and each failing program as small as it gets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tests.interpreter.campaign import Campaign
from tests.interpreter.judgement import Judgement
from tests.memory_oracle import ask
from tests.memory_oracle.ask_flow import flow_judged
from tests.memory_oracle.ask_races import races_judged
from tests.memory_oracle.linear import drawn
from tests.memory_oracle.programs import Program
from tests.memory_oracle.reduce import reduced


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
