"""What is known of the elements of one volume, and what follows from the domain that an argument has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import islpy as isl
from xdsl.ir import BlockArgument

from volcli.language.kinds import INTEGERS, ZEROS
from volcli.model.values.sizes import Sizes
from volcli.model.volumes import boundaries as edges
from volcli.model.volumes.boundaries import GAPS, Boundaries, Halfspace
from volcli.model.volumes.declared import DeclaredDomain
from volcli.model.volumes.number_kinds import Needs, kinds_of_type
from volcli.model.volumes.parts import Part, as_set, intersection, normalised, union
from volcli.model.volumes.pieces import UNKNOWN, Pieces, merged, nonzero
from volcli.presburger import box


@dataclass(frozen=True, eq=False)
class ElementFacts:
    """What is known of the elements of one volume; `inexact` says why a part over-approximates."""

    reaching: Part
    pieces: Pieces = UNKNOWN
    signs: Part = False
    boundaries: Boundaries = field(default_factory=dict[Halfspace, isl.Set])
    periods: tuple[int, ...] = ()
    inexact: str | None = None
    needs: Needs = frozenset()
    declared: frozenset[str] = frozenset()
    """The domains of arguments that this may rest on."""

    @property
    def nonzero(self) -> Part:
        """The elements that may be another number than 0."""
        return nonzero(self.pieces)


DATA = ElementFacts(reaching=True)
CIRCULAR = ElementFacts(reaching=True, inexact="a value that depends on itself")


def argument_facts(value: BlockArgument, store: Sizes, domains: Sequence[DeclaredDomain]) -> ElementFacts:
    """An argument of the function: data where DOMAINS let it be, and zeros elsewhere."""
    declared = [each for each in domains if each.value is value]
    if not declared:
        return DATA
    everything = store.domain(value)
    part = reduce(intersection, (each.elements(store) for each in declared), True)
    inside = normalised(part, lambda: everything)
    kinds = kinds_of_type(value.type)
    others = normalised(everything.subtract(as_set(inside, everything)), lambda: everything)
    pieces = merged(((kinds, inside), (kinds & ZEROS, others)))
    touched: dict[Halfspace, Part] = {}
    periods = () if isinstance(inside, bool) else add_fresh(everything, inside, touched, ())
    return ElementFacts(
        inside, pieces, False if kinds == INTEGERS else others, touched, periods,
        declared=frozenset(each.text for each in declared),
    )  # fmt: skip


def add_fresh(
    domain: isl.Set, reaching: isl.Set, touched: dict[Halfspace, Part], periods: tuple[int, ...]
) -> tuple[int, ...]:
    """Boundaries of constants that no earlier boundary explains, and the period of the data in them."""
    fresh = domain.subtract(reaching)
    for points in touched.values():
        if points is True:
            return periods
        fresh = fresh.subtract(as_set(points, domain))
    if fresh.is_empty():
        return periods
    others = domain.subtract(fresh).coalesce()
    for boundary, points in edges.fresh_boundaries(fresh.coalesce(), others).items():
        touched[boundary] = union(touched.get(boundary, False), points)
    own = box.strides(others) if GAPS in touched else (1,) * domain.dim(isl.dim_type.set)
    return edges.merged_periods([own, *([periods] if periods else [])], len(own))
