"""Names for what is printed: isl identifiers made from SSA names, on tuples, dimensions and parameters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

import islpy as isl

from volcli.presburger.sets.build import DIM

MapOrSet = TypeVar("MapOrSet", isl.Map, isl.Set)

_WORDS = frozenset(
    (
        "and", "or", "not", "exists", "min", "max", "mod", "floor", "floord", "ceil", "ceild",
        "implies", "true", "false", "infty", "infinity", "nan", "rat", "sym", "int",
    )
)  # fmt: skip
"""Words of isl's own language, which reads capitals as small letters."""


@lru_cache(maxsize=4096)
def identifier(name: str) -> str:
    """The isl identifier of an SSA name: `%act0` is `act0`, `%0` is `_0`, `%r#1` is `r_1`, `%max` is `max_`.

    isl reads back only letters, digits and underscores that do not begin with a digit, and are no word of
    its own language, in capitals or not: `%OR` is `OR_`.
    """
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", name.removeprefix("%"))
    if cleaned.lower() in _WORDS:
        return f"{cleaned}_"
    return cleaned if cleaned and not cleaned[0].isdigit() else f"_{cleaned}"


def is_name(text: str) -> bool:
    """Whether TEXT is an SSA name, and not a description of a value that has none."""
    return text.startswith("%")


def named_set(points: isl.Set, volume: str | None, dimensions: Sequence[str]) -> isl.Set:
    """POINTS as elements of VOLUME, with the DIMENSIONS' names: `{ act0[n, f, h, w] : ... }`."""
    result = points.drop_unused_params()
    if volume is not None:
        result = result.set_tuple_name(volume)
    for position, name in enumerate(_distinct(dimensions, parameters_of_space(result))):
        result = result.set_dim_name(DIM.set, position, name)
    return result


def named_map(
    relation: isl.Map,
    source: str | None,
    source_dimensions: Sequence[str],
    target: str | None,
    target_dimensions: Sequence[str],
    parameters: Iterable[str] = (),
) -> isl.Map:
    """RELATION between elements of two volumes, with all dimensions named.

    A dimension name of the target that the source has too gets a prime, as in isl's own printing; so does a
    name that a parameter has (of RELATION, or of those PARAMETERS that it will be printed together with).
    """
    result = relation.drop_unused_params()
    for kind, name in ((DIM.in_, source), (DIM.out, target)):
        if name is not None:
            result = result.set_tuple_name(kind, name)
    taken = [*parameters_of_space(result), *parameters]
    names = _distinct([*source_dimensions, *target_dimensions], taken)
    for position, name in enumerate(names[: len(source_dimensions)]):
        result = result.set_dim_name(DIM.in_, position, name)
    for position, name in enumerate(names[len(source_dimensions) :]):
        result = result.set_dim_name(DIM.out, position, name)
    return result


def parameters_of_space(points: isl.Set | isl.Map) -> list[str]:
    """The names of the parameters of a set or relation."""
    names = (points.get_dim_name(DIM.param, position) for position in range(points.dim(DIM.param)))
    return [name for name in names if name is not None]


def parameters_in(points: isl.Set | isl.Map) -> list[str]:
    """The names of the parameters that POINTS depend on, as far as their constraints show it.

    >>> parameters_in(isl.Set("[n, m] -> { [i] : 0 <= i < n }"))
    ['n']
    """
    names = enumerate(parameters_of_space(points))
    return [name for position, name in names if points.involves_dims(DIM.param, position, 1)]


def without(points: MapOrSet, *names: str) -> MapOrSet:
    """POINTS for any values of the parameters that have one of NAMES.

    >>> without(isl.Set("[n] -> { [i] : 0 <= i < n }"), "n", "m")
    Set("{ [i] : i >= 0 }")
    """
    for name in names:
        position = points.find_dim_by_name(DIM.param, name)
        if position >= 0:
            points = points.project_out(DIM.param, position, 1)
    return points


def _distinct(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """NAMES with as many primes as keep them apart from each other and from those that are TAKEN."""
    found = dict.fromkeys(taken)
    start = len(found)
    for name in names:
        while name in found:
            name += "'"
        found[name] = None
    return list(found)[start:]


def is_function(points: isl.Set, name: str) -> bool:
    """Whether the parameter NAME is one number at most for all others, where POINTS hold.

    >>> is_function(isl.Set("[n, r] -> { : r = 2 * n }"), "r")
    True
    >>> is_function(isl.Set("[n, r] -> { : 0 <= r <= n }"), "r")
    False
    """
    position = points.find_dim_by_name(DIM.param, name)
    if position < 0:
        return bool(points.is_empty())
    relation = isl.Map.from_range(isl.Set.from_params(points))
    return bool(relation.move_dims(DIM.out, 0, DIM.param, position, 1).is_single_valued())
