"""What facts of the user change of what is known of a volume's elements.

Let P be the elements of a fact and K the kinds of numbers that it lets them be. A number that was of one of
the kinds k at P is of one of `k & K`; if there is none of these, whatever the parameters are, the fact
contradicts what is known, and is not used. What is zero, constant, undefined or equal to a function of the
indices depends on no data; where that surrounds data, or stands between, it has boundaries as padding has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import islpy as isl

from volcli.language.kinds import INTEGERS, NEGATIVE, POSITIVE, ZEROS, Kinds
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.domains.given import FactKind, GivenFact
from volcli.model.volumes.domains.parts import Part, as_set, intersection, normalised, union
from volcli.model.volumes.knowledge import boundaries as edges
from volcli.model.volumes.knowledge.boundaries import GAPS
from volcli.model.volumes.knowledge.element_facts import ElementFacts, add_fresh
from volcli.model.volumes.knowledge.number_kinds import kinds_of_type
from volcli.model.volumes.knowledge.pieces import Pieces, either_zero, merged
from volcli.presburger.measures import box

Complaint = Callable[[GivenFact, str], object]
"""Takes a fact that is not used, and why."""


def knowing(
    facts: ElementFacts, given: Iterable[GivenFact], store: Sizes, complain: Complaint
) -> ElementFacts:
    """FACTS of a volume, and all that is GIVEN of it but for what contradicts the rest."""
    for each in given:
        domain = store.domain(each.value)
        elements = each.elements(store)
        if elements.intersect_params(store.context()).is_empty():
            if each.is_about_some:
                complain(each, "there is no such element")
            continue
        if not elements.intersect(each.unrepresentable(store)).is_empty():
            complain(each, "its element type has no such number")
            continue
        pieces = facts.pieces
        for kinds, part in _kinds(each, elements, store):
            found = _narrowed(pieces, kinds, part, domain)
            if found is None:
                complain(each, "the number of an element is known to be another one")
                break
            pieces = found
        else:
            facts = _with(replace(facts, pieces=pieces), each, elements, domain)
    return facts


def _kinds(given: GivenFact, elements: isl.Set, store: Sizes) -> Iterator[tuple[Kinds, isl.Set]]:
    """The kinds of numbers that ELEMENTS may be by what is GIVEN."""
    match given.kind:
        case FactKind.ZERO:
            yield ZEROS, elements
        case FactKind.EQUAL:
            for kinds, points in zip((POSITIVE, ZEROS, NEGATIVE), given.signs(store), strict=True):
                part = elements.intersect(points)
                if not part.is_empty():
                    yield kinds, part
        case _:
            return


def _narrowed(pieces: Pieces, kinds: Kinds, elements: isl.Set, domain: isl.Set) -> Pieces | None:
    """PIECES if the numbers of ELEMENTS are of KINDS; None if that cannot be for any parameters."""
    possible: Part = False
    found: list[tuple[Kinds, Part]] = []
    for each, part in pieces:
        there = intersection(part, elements)
        found.append((each, as_set(part, domain).subtract(elements)))
        if each & kinds:
            possible = union(possible, there)
            found.append((each & kinds, there))
    impossible = elements.subtract(as_set(possible, domain))
    if not impossible.is_empty() and domain.params().subtract(impossible.params()).is_empty():
        return None
    found.append((kinds, impossible))
    return merged((k, normalised(part, lambda: domain)) for k, part in found)


def _with(facts: ElementFacts, given: GivenFact, elements: isl.Set, domain: isl.Set) -> ElementFacts:
    """FACTS, of which the pieces are right, with what is GIVEN of ELEMENTS."""

    def simple(part: Part) -> Part:
        return normalised(part, lambda: domain)

    declared = facts.declared | {given.text}
    touched = dict(facts.boundaries)
    if given.kind is FactKind.SPARSE:
        others = domain.subtract(elements)
        for boundary, points in edges.fresh_boundaries(elements, others).items():
            touched[boundary] = simple(union(touched.get(boundary, False), points))
        periods = facts.periods
        if GAPS in touched and not others.is_empty():
            own = box.strides(others)
            periods = edges.merged_periods([own, *([periods] if periods else [])], len(own))
        return replace(facts, boundaries=touched, periods=periods, declared=declared)
    allowed = kinds_of_type(given.value.type)
    reaching = simple(as_set(facts.reaching, domain).subtract(elements))
    signs, pieces = simple(as_set(facts.signs, domain).subtract(elements)), facts.pieces
    if given.kind in (FactKind.ZERO, FactKind.EQUAL) and allowed != INTEGERS:
        signs = simple(union(signs, intersection(either_zero(pieces), elements)))
    if given.kind is FactKind.UNDEFINED:
        defined = [(kinds, simple(as_set(part, domain).subtract(elements))) for kinds, part in pieces]
        pieces = merged([*defined, (allowed, simple(elements))])
    periods = facts.periods
    if not isinstance(reaching, bool):
        periods = add_fresh(domain, reaching, touched, periods)
    return replace(
        facts,
        reaching=reaching,
        signs=signs,
        pieces=pieces,
        boundaries=touched,
        periods=periods,
        declared=declared,
    )
