"""What one execution of a function gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from volcli.diagnostics import Diagnostic


@dataclass(frozen=True, eq=False)
class Execution:
    """One execution of a function.

    `results` are those of the function, then the memory of its memref arguments when it ended, by `names` (of
    a result None). A tensor is a numpy array (of objects if it holds terms, poison or what was never
    written), a scalar a number. `undefined` is the undefined behaviour that stopped it, of the kind `defect`,
    `stopped` what else did. `defaults` are the inputs that were not given, as "dim(%a, 0) = 4".
    """

    function: str
    names: tuple[str | None, ...]
    results: tuple[Any, ...]
    undefined: Diagnostic | None
    defect: str | None
    stopped: Diagnostic | None
    defaults: tuple[str, ...]
    printed: tuple[str, ...]
    trace: tuple[tuple[str, Any], ...]
    untraced: int
    steps: int

    @property
    def diagnostic(self) -> Diagnostic | None:
        """What stopped it, if anything did."""
        return self.undefined or self.stopped
