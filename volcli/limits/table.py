"""All limits by name, and which of them a reason speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from volcli.limits.limit import Limit

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
    "gate",
    "printing",
)
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
    """The limit with the name WANTED, or those of the area that is called so, or all of `limits`."""
    return {
        name: limit for name, limit in table().items() if wanted in (name, name.partition(".")[0], "limits")
    }


def exceeded(reason: str) -> dict[str, int]:
    """The limits that REASON says were exceeded, and their numbers there.

    A limit that an option sets stands for every number that no other limit has. Limits that are told in the
    same words with the same number are all given: REASON does not say which of them it was.

    "budget: more than 200 inequalities" -> {"symbolic.inequalities": 200}
    """
    found = dict[str, int]()
    for name, limit, number in _spoken_of(reason):
        if number == limit:
            found[name] = number
    others = {name: number for name, limit, number in _spoken_of(reason) if limit.option}
    return found or others


def _spoken_of(reason: str) -> Iterator[tuple[str, Limit, int]]:
    """Each limit that REASON has the words of, and the number in them."""
    for name, limit in table().items():
        if limit.said:
            before, after = map(re.escape, limit.said.split("{}"))
            for match in re.finditer(rf"(?<!\w){before}{_NUMBER}{after}(?!\w)", reason):
                yield name, limit, int(match[1])
