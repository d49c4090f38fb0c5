"""Volumes, arrays, views and slices (IMPACT 2023, section 4.1).

A volume is an indexable aggregate of elements with a polyhedral index domain; its dimensions have names. An
array is a volume whose domain is a hyperrectangle at offset 0: what a tensor type describes. A view is an
affine map from the indices of a subvolume to those of its supervolume; a slice is a view given by an offset
and a stride per dimension.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from volcli.presburger.measures import box
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import named_set


@dataclass(frozen=True, eq=False)
class Volume:
    """A named index domain (definition 4.1), `dom V` a subset of Z^N for a volume of rank N.

    >>> upper = Volume("U", ("i", "j"), isl.Set("[N] -> { [i, j] : 0 <= i <= j < N }"))
    >>> (upper.rank, upper.is_hyperrectangle, upper.is_array)
    (2, False, False)
    >>> str(upper)
    '[N] -> { U[i, j] : i >= 0 and i <= j < N }'
    """

    name: str
    dimensions: tuple[str, ...]
    domain: isl.Set

    @property
    def rank(self) -> int:
        """The number of dimensions; 0 for a scalar (definition 4.4), whose only index is ()."""
        return self.domain.dim(DIM.set)

    @property
    def is_hyperrectangle(self) -> bool:
        """Whether the domain equals its box hull (definition 4.5, corrected by erratum E000-4)."""
        return box.is_hyperrectangle(self.domain)

    @property
    def is_array(self) -> bool:
        """Whether it is a hyperrectangle at offset 0 (definition 4.7)."""
        bounds = box.ranges(self.domain)
        return self.is_hyperrectangle and bounds is not None and all(_is_zero(b.low) for b in bounds)

    def named(self, elements: isl.Set) -> isl.Set:
        """A set of this volume's elements, with the volume's and dimensions' names."""
        return named_set(elements, self.name, self.dimensions)

    def text(self, elements: isl.Set) -> str:
        """The same in isl notation."""
        return str(self.named(elements))

    def __str__(self) -> str:
        return self.text(self.domain)


def _is_zero(bound: isl.PwAff) -> bool:
    return bool(bound.domain().is_subset(bound.zero_set()))
