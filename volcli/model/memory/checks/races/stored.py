"""Which iterations store different numbers: two that store equal ones leave memory as it is in either order.

Let R and S be two accesses that store the numbers v and w, functions of their iterations. They race in

    { [i, j, e] : R(i) = S(j) = e }  less  { [i, j, e] : R(i) = S(j) = e and v(i) = w(j) }

Values of which no such function is known, as of what is loaded, are other numbers in some execution.

    affine.parallel (%i) = (0) to (4) { affine.store min(2, 4 - %i), %m[0] }                     0 and 3 race
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.ir import SSAValue

from volcli.language.expressions import value_of
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.site import Site
from volcli.presburger.relations.relation import Meeting, Relation, meeting
from volcli.presburger.sets.build import DIM


def of_different_numbers(instances: Instances, first: Site, second: Site, depth: int) -> Meeting | None:
    """The iterations in which FIRST and SECOND store different numbers to one element, and the element.

    They differ first in the loop at DEPTH, where that of SECOND is later. None if the numbers are not known.
    """
    numbers = first.numbers_written_at(second, depth)
    if not numbers or len(first.place.index) != len(second.place.index):
        return None
    mine, theirs = zip(*numbers, strict=True)
    one, other = _with_numbers(instances, first, mine), _with_numbers(instances, second, theirs)
    if one is None or other is None:
        return None
    left, right = (instances.relation(site).elements() for site in (first, second))
    found, alike = (
        meeting(a, b, depth - 1, depth - 1) for a, b in ((left, right), (one.elements(), other.elements()))
    )
    equal = alike.points.project_out(DIM.set, found.points.dim(DIM.set), len(numbers))
    return replace(found, points=found.points.subtract(equal).coalesce())


def _with_numbers(instances: Instances, site: Site, numbers: Sequence[SSAValue]) -> Relation | None:
    """`{ [i] -> [element, numbers] }` of SITE; None if that is not known exactly."""
    index = (*site.place.index, *map(value_of, numbers))
    found = instances.of_place(site, replace(site.place, index=index))
    return found if found.exact and not found.unstable else None
