"""What facts of the user, and what memory contains, change of what is known of a volume's elements.

Let P be the elements of a fact and K the kinds of numbers that it lets them be. A number that was of one of
the kinds k at P is of one of `k & K`; if there is none of these, whatever the parameters are, the fact
contradicts what is known, and is not used. What is zero, constant, undefined or equal to a function of the
indices depends on no data; where that surrounds data, or stands between, it has boundaries as padding has.

An element that comes from memory depends on data if it is computed from an element of an argument, or of a
value that does; where its last writer copies a constant 0, or an element of a tensor that is 0, it is 0.
Memory has no boundaries: where some of the elements that are written are computed from a constant that is
stored in memory, as padding is, and others are not, it is not known which of them are dense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import islpy as isl
from xdsl.ir import BlockArgument, OpResult, SSAValue

from volcli.language import questions
from volcli.language.kinds import INTEGERS, NEGATIVE, POSITIVE, ZEROS, Kinds
from volcli.language.memory import is_memref
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.contents.buffer_contents import BufferContents
from volcli.model.volumes.domains.given import FactKind, GivenFact
from volcli.model.volumes.domains.parts import Part, as_set, intersection, normalised, union
from volcli.model.volumes.knowledge import boundaries as edges
from volcli.model.volumes.knowledge.boundaries import GAPS, Halfspace
from volcli.model.volumes.knowledge.element_facts import ElementFacts, add_fresh
from volcli.model.volumes.knowledge.number_kinds import constant_kinds, kinds_of_type
from volcli.model.volumes.knowledge.pieces import Pieces, either_zero, everywhere, merged
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


FactsOf = Callable[[SSAValue], ElementFacts]


def facts_of_memory(
    value: SSAValue,
    found: BufferContents | str,
    domain: isl.Set,
    facts: FactsOf,
    is_data: Callable[[SSAValue], bool],
) -> ElementFacts:
    """The facts of VALUE, over DOMAIN, by what is FOUND of its memory; FACTS of tensors, data IS_DATA."""
    if isinstance(found, str):
        return ElementFacts(True, inexact=found)
    reached, constant, inexact = domain.subtract(domain), list[isl.Set](), found.inexact
    for (source, user), relation in found.sources.items():
        known = _of_source(source, found, facts, is_data)
        blurred = "boundaries are not followed through memory" if known.boundaries else None
        inexact = inexact or known.inexact or blurred
        data = relation.range() if known.reaching is True else as_set(known.reaching, relation.range())
        reached = reached.union(relation.intersect_range(data).domain())
        if known.reaching is False and (source in found.fixed or (source, user) in found.copied):
            constant.append(relation.domain())
    reached = reached.intersect(domain).coalesce()
    written = reached.intersect(found.written)
    if any(not each.is_disjoint(written) and not written.is_subset(each) for each in constant):
        inexact = inexact or "some elements depend on a constant that others do not depend on"
    reaching, touched, periods = normalised(reached, lambda: domain), dict[Halfspace, Part](), ()
    if not isinstance(reaching, bool):
        periods = add_fresh(domain, reaching, touched, ())
    boundaries = {each: as_set(part, domain) for each, part in touched.items()}
    return ElementFacts(
        reaching,
        _pieces(value, found, domain, facts),
        boundaries=boundaries,
        periods=periods,
        inexact=inexact,
    )


def _of_source(
    source: SSAValue, found: BufferContents, facts: FactsOf, is_data: Callable[[SSAValue], bool]
) -> ElementFacts:
    """The facts of SOURCE, of what is FOUND: of memory, those of what it contained before the function."""
    if source in found.fixed:
        return ElementFacts(False)
    if not is_memref(source):
        return facts(source)
    inexact = None if isinstance(source, BlockArgument) else "a global may contain anything"
    return ElementFacts(is_data(source), inexact=inexact)


def _pieces(value: SSAValue, found: BufferContents, domain: isl.Set, facts: FactsOf) -> Pieces:
    """The kinds of numbers that VALUE has: where a constant or a tensor's element was copied, those of it."""
    known: list[tuple[Kinds, Part]] = []
    rest = domain
    for (source, _), relation in found.constants.items():
        for kinds, part in _kinds_of(source, facts):
            inside = relation.intersect_range(as_set(part, relation.range())).domain().intersect(domain)
            rest = rest.subtract(inside)
            known.append((kinds, normalised(inside, lambda: domain)))
    if known:
        return merged((*known, (kinds_of_type(value.type), normalised(rest, lambda: domain))))
    return everywhere(kinds_of_type(value.type))


def _kinds_of(source: SSAValue, facts: FactsOf) -> Pieces:
    """The kinds of the elements of SOURCE, a constant or a tensor; none where these rest on assumptions."""
    if not isinstance(source, OpResult):
        return ()
    if questions.constant_fill.answers(type(source.op)):
        return everywhere(constant_kinds(source.op))
    known = facts(source)
    return () if known.needs or known.declared else known.pieces
