"""All limits by name, and which of them a reason speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from volcli.limits.limit import OVER_APPROXIMATED, UNKNOWN, Limit

AREAS = (
    "values",
    "memory",
    "structure",
    "volumes",
    "mars",
    "symbolic",
    "presburger",
    "language",
    "dialects",
    "frontend",
    "equivalence",
    "rewriting",
    "passes",
    "execution",
    "gate",
    "printing",
)
_OF_CODES: Mapping[str, str] = {
    "V302": r"isl operations|coefficients|(constraints of all|conditions that a function)",
    "V303": r"(pairs of )?terms|symbols|divisions",
    "V304": r"blocks",
    "V305": r"seconds|bytes",
}
"""What is counted by the limits that a diagnostic of this code is about."""
_LOST = (OVER_APPROXIMATED, UNKNOWN)
_NUMBER = r"(\d+)"


@cache
def table() -> Mapping[str, Limit]:
    """Each limit by its name: `values.pieces` is PIECES in the file `values`; by area, in the order there."""
    found: dict[str, Limit] = {}
    for area in AREAS:
        for name, limit in vars(import_module(f"volcli.limits.{area}")).items():
            if isinstance(limit, Limit):
                found[f"{area}.{name.lower()}"] = limit
    return found


def matching(wanted: str) -> dict[str, Limit]:
    """The limit with the name WANTED; or those of that area; or of a code, V302 to V305; or all `limits`."""
    counts = _OF_CODES.get(wanted)
    if counts is not None:
        lost = {name: limit for name, limit in table().items() if limit.beyond in _LOST}
        return {name: limit for name, limit in lost.items() if re.match(counts, limit.unit)}
    return {
        name: each for name, each in table().items() if wanted in (name, name.partition(".")[0], "limits")
    }


def exceeded(reason: str) -> dict[str, int]:
    """The limits that REASON says were exceeded, and their numbers there.

    A limit that an option sets stands for every number that no other limit has. Limits of the same
    words and number are all given, those with an option first: REASON does not say which of them it was.

    "budget: more than 200 inequalities" -> {"symbolic.inequalities": 200}
    """
    spoken = sorted(_spoken_of(reason), key=lambda each: not each[1].option)
    found = {name: number for name, limit, number in spoken if number == limit}
    return found or {name: number for name, limit, number in spoken if limit.option}


def _spoken_of(reason: str) -> Iterator[tuple[str, Limit, int]]:
    """Each limit that REASON has the words of, and the number in them."""
    for name, limit in table().items():
        if limit.said:
            before, after = map(re.escape, limit.said.split("{}"))
            for match in re.finditer(rf"(?<!\w){before}{_NUMBER}{after}(?!\w)", reason):
                yield name, limit, int(match[1])
