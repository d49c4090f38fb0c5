"""Parts of a domain: everything, nothing, or an integer set; the first two cost no isl call.

Most volumes of a real program are wholly data or wholly constant. A part is therefore `True` (every
element), `False` (no element), or a set of elements, and the operations on parts touch isl only where a
proper subset is involved.

A volume (IMPACT 2023, section 4.1) is an indexable aggregate of elements with a polyhedral index domain; its
dimensions have names. An array is a volume whose domain is a hyperrectangle at offset 0: what a tensor type
describes. A view is an affine map from the indices of a subvolume to those of its supervolume; a slice is a
view given by an offset and a stride per dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce

import islpy as isl

from volcli.presburger.measures import box
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import named_set
from volcli.presburger.sets.shared import once, shared

Part = bool | isl.Set


def union(left: Part, right: Part) -> Part:
    """The elements of LEFT or RIGHT."""
    if left is True or right is True:
        return True
    if left is right:
        return left
    if left is False:
        return right
    return left if right is False else once("union", _union, left, right)


def _union(left: isl.Set, right: isl.Set) -> isl.Set:
    return left.union(right).coalesce()


def union_of(parts: Iterable[Part]) -> Part:
    """The elements of some of PARTS."""
    return reduce(union, parts, False)


def intersection(left: Part, right: Part) -> Part:
    """The elements of both LEFT and RIGHT."""
    if left is False or right is False:
        return False
    if left is True or left is right:
        return right
    return left if right is True else once("intersection", isl.Set.intersect, left, right)


def difference(left: Part, right: Part, everything: Callable[[], isl.Set]) -> Part:
    """The elements of LEFT that are not in RIGHT."""
    if left is False or right is False:
        return left
    return False if right is True else once("difference", isl.Set.subtract, as_set(left, everything()), right)


def is_empty(part: Part) -> bool:
    """Whether no element is in PART."""
    return not part if isinstance(part, bool) else once("empty", isl.Set.is_empty, part)


def as_set(part: Part, everything: isl.Set) -> isl.Set:
    """PART as a set within EVERYTHING."""
    if part is True:
        return everything
    return everything.subtract(everything) if part is False else part


def whatever(part: Part, parameters: Iterable[str]) -> Part:
    """The elements that are in PART for some values of PARAMETERS."""
    if isinstance(part, bool):
        return part
    for name in parameters:
        position = part.find_dim_by_name(isl.dim_type.param, name)
        part = part if position < 0 else part.project_out(isl.dim_type.param, position, 1)
    return part


def normalised(part: Part, everything: Callable[[], isl.Set]) -> Part:
    """`True` and `False` where PART is the whole domain or empty, so that later steps are cheap."""
    if isinstance(part, bool):
        return part
    if is_empty(part):
        return False
    return True if once("everything", _has_all, everything(), part) else shared(part)


def _has_all(domain: isl.Set, part: isl.Set) -> bool:
    """Whether DOMAIN is in PART; one of its first and last elements mostly says that it is not.

    No more than one of them is beside a boundary.
    """
    ends = () if domain.dim(isl.dim_type.param) else (isl.Set.lexmin, isl.Set.lexmax)
    return all(once(end, end, domain).is_subset(part) for end in ends) and domain.is_subset(part)


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
