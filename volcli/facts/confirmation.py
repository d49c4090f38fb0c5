"""What executions say of a fact."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Confirmation:
    """Nothing contradicts the fact in `executions`, in which it was looked at `observations` times."""

    executions: int
    observations: int

    def to_json(self) -> dict[str, int]:
        return {"executions": self.executions, "observations": self.observations}
