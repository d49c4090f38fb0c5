"""The elements of its memref arguments that a function writes, as what a later run can be compared with.

Sets of elements may depend on arguments and on sizes of these. As names are not compared, argument k is
called `ak` there, and its size in dimension d `ak_d`: `[a1] -> { [d0] : 0 <= d0 < a1 }` is what a loop over
%n, the second argument, writes. A set that depends on anything else, or is not exact, is not known.

>>> fewer({"elements": "{ [d0] : 0 <= d0 < 8 }"}, {"elements": "{ [d0] : 0 <= d0 < 7 }"}, ("%m",))
'was written at { [d0] : 0 <= d0 <= 7 }, and is at { [d0] : 0 <= d0 <= 6 }'
>>> fewer({"elements": "[a1] -> { [d0] : 0 <= d0 < a1 }"}, {}, ("%m", "%n"))
'was written at [n] -> { [d0] : 0 <= d0 < n }, and is not known to be'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from volcli.facts.flow import BufferFact
from volcli.gate.records.record import Answer
from volcli.limits import gate as limits
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import identifier, parameters_of_space


def written(fact: BufferFact, names: Sequence[str]) -> Answer:
    """What is known of the elements that a function, whose arguments have NAMES, leaves in a buffer."""
    if not fact.exact or fact.live_out is None or fact.digits is not None:
        return {}
    points = fact.live_out.set
    positions = {theirs: ours for ours, theirs in _parameters(names).items()}
    if not positions.keys() >= set(parameters_of_space(points)):
        return {}
    return {"elements": str(_renamed(points, positions))}


def is_elements(text: str) -> bool:
    """Whether TEXT, which was read from a file, is a set of elements."""
    try:
        return bool(isl.Set(text).dim(DIM.set) >= 0)
    except isl.Error:
        return False


def fewer(old: Answer, new: Answer, names: Sequence[str]) -> str | None:
    """What is said where not all that was written by OLD is by NEW, of arguments with NAMES."""
    before = isl.Set(old["elements"])
    if (text := new.get("elements")) is not None:
        after = isl.Set(text)
        if before.get_space().dim(DIM.set) != after.get_space().dim(DIM.set) or before.is_subset(after):
            return None
    there = _renamed(before, _parameters(names))
    then = "not known to be" if text is None else f"at {_renamed(isl.Set(text), _parameters(names))}"
    return f"was written at {there}, and is {then}"


def _parameters(names: Sequence[str]) -> dict[str, str]:
    """How arguments with NAMES and their sizes are called here, each with its name in answers."""
    found: dict[str, str] = {}
    for position, name in enumerate(names):
        found[f"a{position}"] = identifier(name.removeprefix("%"))
        for dimension in range(limits.BASELINE_DIMENSIONS):
            found[f"a{position}_{dimension}"] = identifier(f"dim({name}, {dimension})")
    return found


def _renamed(points: isl.Set, names: Mapping[str, str]) -> isl.Set:
    for position, name in enumerate(parameters_of_space(points)):
        points = points.set_dim_name(DIM.param, position, names.get(name, name))
    return points
