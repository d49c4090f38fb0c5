"""What is kept of sets that were built: a budget must not depend on what was computed before."""

from __future__ import annotations

import sys

_KEEPING = ("volcli.presburger.sets.build", "volcli.presburger.sets.shared")


def forget() -> None:
    """Keep nothing; what has not been imported has kept nothing, and is not imported for that."""
    for name in _KEEPING:
        if (module := sys.modules.get(name)) is not None:
            module.forget()
