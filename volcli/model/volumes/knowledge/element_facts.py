"""What is known of the elements of one volume."""

from __future__ import annotations

from dataclasses import dataclass, field

import islpy as isl

from volcli.model.volumes.domains.parts import Part, as_set, union
from volcli.model.volumes.knowledge import boundaries as edges
from volcli.model.volumes.knowledge.boundaries import GAPS, Boundaries, Halfspace
from volcli.model.volumes.knowledge.number_kinds import Needs
from volcli.model.volumes.knowledge.pieces import UNKNOWN, Pieces, nonzero
from volcli.presburger.measures import box
from volcli.presburger.sets.shared import once


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
    """The facts of the user, in words, that this may rest on."""

    @property
    def nonzero(self) -> Part:
        """The elements that may be another number than 0."""
        return nonzero(self.pieces)


DATA = ElementFacts(reaching=True)
CIRCULAR = ElementFacts(reaching=True, inexact="a value that depends on itself")


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
    for boundary, points in once("fresh", edges.fresh_boundaries, fresh.coalesce(), others).items():
        touched[boundary] = union(touched.get(boundary, False), points)
    own = once("strides", box.strides, others) if GAPS in touched else (1,) * domain.dim(isl.dim_type.set)
    return edges.merged_periods([own, *([periods] if periods else [])], len(own))
