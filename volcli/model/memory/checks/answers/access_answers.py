"""What is answered of an access: in bounds, out of bounds with an example, or unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import islpy as isl

from volcli.model.memory.accesses.site import Site
from volcli.model.memory.occurrence.certainty import CallArguments


class AccessVerdict(Enum):
    """Three values."""

    IN_BOUNDS = "in-bounds"
    OUT_OF_BOUNDS = "out-of-bounds"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Outside:
    """One iteration in which an index is outside: `index[dimension]` is not in [0, size)."""

    iteration: tuple[int, ...]
    index: tuple[int, ...]
    dimension: int
    size: int
    parameters: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class AccessAnswer:
    """Whether one access (or slice) of one value stays inside.

    What is out of bounds has a `witness`; if that is so for all arguments of the function for which it runs
    at all, it is so `always`; `failing` of the `total` accesses are, if these are numbers. It is in bounds if
    the `condition` holds; `calls` are the arguments for which it is not. If it is in bounds, it is so under
    `assumptions` about arithmetic. `find_outside` makes the set `outside`, which is rarely asked for.
    """

    site: Site
    slice: bool
    verdict: AccessVerdict
    find_outside: Callable[[], isl.Set] | None = None
    witness: Outside | None = None
    always: bool = False
    condition: str | None = None
    failing: int | None = None
    total: int | None = None
    because: str | None = None
    calls: CallArguments | None = None
    exact: bool = True
    assumptions: tuple[str, ...] = ()

    @cached_property
    def outside(self) -> isl.Set | None:
        """The iterations in which it is out of bounds, at most if not `exact`; None if there are none."""
        return None if self.find_outside is None else self.find_outside()
