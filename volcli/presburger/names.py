"""Names for what is printed: isl identifiers made from SSA names, on tuples, dimensions and parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import islpy as isl

from volcli.presburger.build import DIM


@lru_cache(maxsize=4096)
def identifier(name: str) -> str:
    """The isl identifier of an SSA name: `%act0` is `act0`, `%0` is `_0`, `%r#1` is `r_1`.

    isl reads back only letters, digits and underscores that do not begin with a digit.
    """
    cleaned = re.sub(r"[^A-Za-z0-9_]", "_", name.removeprefix("%"))
    return cleaned if cleaned and not cleaned[0].isdigit() else f"_{cleaned}"


def named_set(points: isl.Set, volume: str, dimensions: Sequence[str]) -> isl.Set:
    """POINTS as elements of VOLUME, with the DIMENSIONS' names: `{ act0[n, f, h, w] : ... }`."""
    result = points.drop_unused_params().set_tuple_name(volume)
    for position, name in enumerate(dimensions):
        result = result.set_dim_name(DIM.set, position, name)
    return result


def named_map(
    relation: isl.Map,
    source: str,
    source_dimensions: Sequence[str],
    target: str,
    target_dimensions: Sequence[str],
) -> isl.Map:
    """RELATION between elements of two volumes, with all dimensions named.

    A dimension name of the target that the source has too gets a prime, as in isl's own printing.
    """
    result = relation.drop_unused_params().set_tuple_name(DIM.in_, source).set_tuple_name(DIM.out, target)
    for position, name in enumerate(source_dimensions):
        result = result.set_dim_name(DIM.in_, position, name)
    for position, name in enumerate(target_dimensions):
        primed = f"{name}'" if name in source_dimensions else name
        result = result.set_dim_name(DIM.out, position, primed)
    return result
