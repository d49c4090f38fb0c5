"""Which iterations store different numbers: two that store equal ones leave memory as it is in either order.

Let R and S be two accesses that store the numbers v and w, functions of their iterations. They race in

    { [i, j, e] : R(i) = S(j) = e }  less  { [i, j, e] : R(i) = S(j) = e and v(i) = w(j) }

Values of which no such function is known, as of what is loaded, are other numbers in some execution.

    affine.parallel (%i) = (0) to (4) { affine.store min(2, 4 - %i), %m[0] }                     0 and 3 race
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import IndexType, IntegerType

from volcli.language.expressions import value_of
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.presburger.relations.relation import Meeting, Relation, meeting
from volcli.presburger.sets.build import DIM


def of_different_numbers(
    instances: Instances, first: Site, second: Site, equal: int, position: int
) -> Meeting | None:
    """The iterations in which FIRST and SECOND store different numbers to one element, and the element.

    They are EQUAL in so many loops, and the second is later in the one at POSITION. None if the numbers are
    not known.
    """
    known = [_with_number(instances, site) for site in (first, second)]
    if None in known or len(first.place.index) != len(second.place.index):
        return None
    one, other = (each.elements() for each in known if each is not None)
    left, right = (instances.relation(site).elements() for site in (first, second))
    found, alike = meeting(left, right, equal, position), meeting(one, other, equal, position)
    last = alike.points.dim(DIM.set) - 1
    return replace(found, points=found.points.subtract(alike.points.project_out(DIM.set, last, 1)).coalesce())


def _with_number(instances: Instances, site: Site) -> Relation | None:
    """`{ [i] -> [element, number] }` that SITE stores; None if it is not known exactly."""
    stored = site.access.stored
    if (
        not site.is_write
        or stored is None
        or not isinstance(stored.type, IndexType | IntegerType)
        or site.parts
    ):
        return None
    if not isinstance(stored.type, IndexType | IntegerType):
        return None
    found = instances.of_place(site, replace(site.place, index=(*site.place.index, value_of(stored))))
    return found if found.exact and not found.unstable else None
