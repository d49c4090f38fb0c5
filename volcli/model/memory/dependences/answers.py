"""What is answered of a pair of accesses: dependent, independent, or unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import islpy as isl

from volcli.model.memory.accesses.site import Site
from volcli.presburger.measures.extremes import Interval
from volcli.presburger.relations.numbers import DistanceRanges, NumberedPair


class DependenceVerdict(Enum):
    """Three values."""

    DEPENDENT = "dependent"
    INDEPENDENT = "independent"
    UNKNOWN = "unknown"


class Kind(Enum):
    """Read after write is a flow of data; the other two are about the memory that is used again."""

    RAW = "RAW"
    WAR = "WAR"
    WAW = "WAW"


@dataclass(frozen=True)
class Witness:
    """One iteration of the source and a later one of the sink that go to one element of the buffer."""

    source: tuple[int, ...]
    sink: tuple[int, ...]
    element: tuple[int, ...]
    parameters: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Distances:
    """The distances of one pair at one depth, `{ [d_1, ..., d_n] }` over parameters, and their hull.

    d_k is the sink's induction variable of the k-th loop around both, minus the source's. Without `points`
    nothing is known of them. If they are not `exact`, that there is a dependence may be `shown` all the same.
    """

    verdict: DependenceVerdict
    made: isl.Set | DistanceRanges | None = None
    hull: tuple[Interval, ...] = ()
    exact: bool = True
    because: str | None = None
    shown: Shown | None = None
    numbers: NumberedPair | None = None
    """The accesses, where numbers say all."""

    @cached_property
    def points(self) -> isl.Set | None:
        """The distances; of a box isl has them when they are first asked for."""
        return self.made.points() if isinstance(self.made, DistanceRanges) else self.made


@dataclass(frozen=True, eq=False)
class Shown:
    """That there are `distances` in the executions of one of the `Trials`, with arguments as `given`."""

    trial: int
    distances: Distances
    given: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Dependence:
    """Whether SINK depends on SOURCE at DEPTH: in a later iteration of that loop, and the same of those
    around.

    At a depth beyond all common loops: in the same iteration of these, where the source runs first. The
    distances are over parameters that are named as people know them. `assumptions` is what the answer needs.
    """

    source: Site
    sink: Site
    depth: int
    kind: Kind
    distances: Distances
    assumptions: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[int, int, int]:
        """Which accesses depend on each other, by their numbers, and at which depth."""
        return self.source.number, self.sink.number, self.depth

    @property
    def verdict(self) -> DependenceVerdict:
        return self.distances.verdict

    @property
    def hull(self) -> tuple[Interval, ...]:
        return self.distances.hull

    @property
    def because(self) -> str | None:
        return self.distances.because
