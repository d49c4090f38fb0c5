"""Element maps: the elements of a volume, and those of other volumes that they depend on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue

from volcli.language.expressions import Dim
from volcli.language.reads import rank_of
from volcli.model.values.sizes.sizes import Sizes
from volcli.presburger.sets.names import parameters_of_space


@dataclass(frozen=True)
class VolumeUse:
    """A volume as one operation uses it.

    `user` is None for ordinary volumes. A scalar constant is one volume per use (section 5.4: otherwise the
    activation's use of %cst0 would hide the padding's).
    """

    volume: SSAValue
    user: Operation | None = None


@dataclass(frozen=True, eq=False)
class ElementMap:
    """The elements of `source` and the elements of each volume in `targets` that they depend on.

    All relations are anonymous; `text` names them. `inexact` is None if they are exact, else why they
    over-approximate. `assumes` are fastmath flags that operations lack, and that they rest on.
    """

    source: SSAValue
    targets: Mapping[VolumeUse, isl.Map]
    inexact: str | None = None
    assumes: frozenset[str] = frozenset()
    stated: tuple[str, ...] = ()
    """What else it rests on: which memory is different."""
    points: isl.Set | None = None
    """Of a scalar in a body: the loop points, which are its index domain."""
    unknown: str | None = None
    """Why nothing is known, of memory."""


def words(store: Sizes, points: isl.Set | isl.Map) -> tuple[list[str], list[str]]:
    """The parameters of POINTS that are sizes, and those that are other numbers of at most 64 bits."""
    sizes: list[str] = []
    numbers: list[str] = []
    for name in parameters_of_space(points):
        origin = store.origin(name)
        if isinstance(origin, Dim):
            sizes.append(name)
        elif not isinstance(kind := origin.value.type, IntegerType) or kind.bitwidth <= 64:
            numbers.append(name)
    return sizes, numbers


def default_names(value: SSAValue) -> tuple[str, ...]:
    """d0, d1, ...: the dimension names of a volume that nothing names."""
    return tuple(f"d{d}" for d in range(rank_of(value)))
