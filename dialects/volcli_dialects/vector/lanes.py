"""Lanes that a mask sets, and elements that they go to, as runs of the last dimension.

%mask = constant dense<[1, 0, 1, 1]>             l = 0, and 2 <= l <= 3
    gather %m[%i] [dense<[4, 7, 8, 2]>]           m[i + 4]; m[i + l + 6] for 1 <= l <= 2; m[i + 2]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice

from xdsl.dialects import vector
from xdsl.ir import SSAValue

from volcli.language.expressions import Expression, NotAffine, constant, value_of
from volcli.language.reads import Conjunction
from volcli.limits import dialects as limits
from volcli_dialects.cases.elements.known import Place, known_elements, listed_sizes
from volcli_dialects.vector.reductions import ConstantMaskOp

Run = tuple[Conjunction, int]
"""When a lane is one of the run, and how far its element is from its last index."""


def set_lanes(mask: SSAValue, lanes: Sequence[Expression]) -> list[Conjunction] | None:
    """When MASK is set at LANES: in one of these cases, in their order; None if that is not known.

    A mask that is made of sizes is set at the first ones of each dimension.
    """
    match mask.owner:
        case vector.CreateMaskOp() as made:
            sizes = [value_of(size) for size in made.mask_dim_sizes]
        case ConstantMaskOp() as made:
            sizes = [constant(size) for size in made.mask_dim_sizes.get_values()]
        case _:
            places = set_places(mask)
            found = None if places is None else runs({at: at[-1] for at in places}, mask, lanes)
            return None if found is None else [where for where, _ in found]
    if len(sizes) != len(lanes):
        return None
    return [tuple(size - 1 - lane for size, lane in zip(sizes, lanes, strict=True))]


def set_places(mask: SSAValue) -> list[Place] | None:
    """The lanes that MASK, whose numbers are known, sets, in their order; None of others."""
    elements = known_elements(mask)
    return None if not elements or () in elements else sorted(at for at, is_set in elements.items() if is_set)


def runs(places: Mapping[Place, int], like: SSAValue, lanes: Sequence[Expression]) -> list[Run] | None:
    """The lanes of PLACES, of a vector LIKE this one, each with its number there; None if these are many."""
    try:
        sizes = listed_sizes(like)
    except NotAffine:
        return None
    if len(sizes) != len(lanes):
        return None
    found = list(islice(_runs(places, sizes, lanes), limits.LANE_RUNS + 1))
    return found if len(found) <= limits.LANE_RUNS else None


def _runs(places: Mapping[Place, int], sizes: Sequence[int], lanes: Sequence[Expression]) -> Iterator[Run]:
    """A run each; if there are no lanes, one that has none."""
    if not places:
        yield (constant(-1),), 0
    together = groupby(
        enumerate(sorted(places)),
        lambda each: (each[1][:-1], each[1][-1] - each[0], places[each[1]] - each[1][-1]),
    )
    for (row, _, shift), group in together:
        (_, first), *others = group
        last = others[-1][1] if others else first
        fixed = [side for n, lane in zip(row, lanes, strict=False) for side in (lane - n, constant(n) - lane)]
        if first[-1] > 0:
            fixed.append(lanes[-1] - first[-1])
        if last[-1] < sizes[-1] - 1:
            fixed.append(constant(last[-1]) - lanes[-1])
        yield tuple(fixed), shift
