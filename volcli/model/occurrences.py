"""Where the values of a function of blocks are in its form, a copy with loops and branches in regions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice, product

from xdsl.ir import Block, Operation, SSAValue

from volcli.language.expressions import Atom, Expression, substitute
from volcli.language.programs.blocks import home
from volcli.limits import structure as limits
from volcli.model.structured.copying import Occurrence, Structured
from volcli.model.values.terms.answers import Bound, Bounds, union_of_bounds
from volcli.model.values.terms.variables import Variable, like, own
from volcli.model.values.trust import in_terms
from volcli.model.values.trust.minimal_assumptions import Assuming

_LOST = Bound(exact=False, constant_exact=False, because="it counts the iterations of a loop in few bits")


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Values of a copy that was MADE, by what is ASSUMING of it; originals are what they occur as."""

    assuming: Assuming
    made: Structured

    @cached_property
    def _last(self) -> Mapping[SSAValue, SSAValue]:
        return self.made.copies()

    def last(self, value: SSAValue) -> SSAValue | None:
        """What VALUE is at last, after the loops that it is computed in; None if the copy has it not.

        The argument of a block that is branched to from one place, outside of loops, is what is passed there.
        """
        found = self._last.get(value)
        if found is not None or value not in self.made.occurrences:
            return found
        passed = [each.value for each in self.made.occurrences[value]]
        is_outside = len(passed) == 1 and home(passed[0]) in self.made.function.regions[0].blocks
        return passed[0] if is_outside and value not in self.made.incomplete else None

    def only(self, value: SSAValue) -> SSAValue | None:
        """What VALUE is wherever it is; None if it is not one value of the copy."""
        found = self.made.occurrences.get(value, ())
        if value in self.made.results or not self.made.occurrences:
            return self.last(value)
        return found[0].value if len(found) == 1 and value not in self.made.incomplete else None

    @cached_property
    def _operations(self) -> Mapping[Operation, Sequence[Operation]]:
        found: dict[Operation, list[Operation]] = {}
        for copy, op in self.made.operations.items():
            found.setdefault(op, []).append(copy)
        return found

    def operations(self, op: Operation) -> Sequence[Operation]:
        """The copies of OP."""
        return self._operations.get(op, ())

    def bounds(self, value: SSAValue, dim: int | None) -> Bounds:
        """What VALUE, or a size of it, lies between wherever the form has it."""
        if value in self.made.incomplete:
            return union_of_bounds([Bounds(_LOST, _LOST)])
        found = self.made.occurrences.get(value, ())
        bounds = [self.assuming.bounds(each.value, dim, at=each.at) for each in found]
        together = union_of_bounds(bounds)
        reached = [e for e, known in zip(found, bounds, strict=True) if not known.never]
        if len(reached) < 2:
            return together
        each = [(occurrence.value, occurrence.at or occurrence.value) for occurrence in reached]
        return self.assuming.store.bounds_of_one_of(together, each, dim)

    def bounds_in_terms(self, value: SSAValue, dim: int | None, chosen: Sequence[Variable]) -> Bounds | None:
        """What VALUE, or a size of it, lies between over CHOSEN variables, wherever all of them are there.

        None if the form does not say where they are.
        """
        readings = self.readings([value, *(each.value for each in chosen)])
        if readings is None:
            return None
        return union_of_bounds([self._in_terms(reading, dim, chosen) for reading in readings])

    def _in_terms(self, reading: Sequence[Occurrence], dim: int | None, chosen: Sequence[Variable]) -> Bounds:
        first, *others = reading
        copies = [like(each, other.value) for each, other in zip(chosen, others, strict=True)]
        found = in_terms.bounds_in_terms(self.assuming, first.value, dim, copies, [*places(reading)])
        originals: dict[Atom, Expression] = dict(zip(copies, map(own, chosen), strict=True))

        def named(form: Expression | None) -> Expression | None:
            return None if form is None else substitute(form, originals.get)

        lower, upper = (replace(e, expression=named(e.expression)) for e in (found.lower, found.upper))
        return replace(found, lower=lower, upper=upper, equal=named(found.equal))

    def readings(self, values: Sequence[SSAValue]) -> list[tuple[Occurrence, ...]] | None:
        """The occurrences of VALUES that are there together; None if there are none, or others."""
        if not values or not self.made.incomplete.isdisjoint(values):
            return None
        every = product(*(self.made.occurrences.get(value, ()) for value in values))
        found = list(islice(filter(_are_together, every), limits.READINGS + 1))
        return found if 0 < len(found) <= limits.READINGS else None


def _are_together(occurrences: Sequence[Occurrence]) -> bool:
    """Whether of each two OCCURRENCES one can be spoken of where the other is."""
    return all(_is_visible(a, b) or _is_visible(b, a) for a, b in combinations(occurrences, 2))


def _is_visible(first: Occurrence, second: Occurrence) -> bool:
    """Whether FIRST is there where SECOND is."""
    block, after = _beginning(first)
    other, last = _beginning(second)
    inner = last or other.first_op
    around = None if inner is None else block.find_ancestor_op_in_block(inner)
    if around is None:
        return False
    return after is None or (after is around and around is last) or after.is_before_in_block(around)


def _beginning(occurrence: Occurrence) -> tuple[Block, Operation | None]:
    """From which operation on, in which block, OCCURRENCE is there; no operation: from its first one on."""
    if occurrence.block is not None:
        return occurrence.block, occurrence.after
    owner = occurrence.value.owner
    if isinstance(owner, Block):
        return owner, None
    assert owner.parent is not None
    return owner.parent, owner


def places(reading: Sequence[Occurrence]) -> Iterator[SSAValue | Operation]:
    """Where the values of READING are what they are."""
    return (each.at or each.value for each in reading)
