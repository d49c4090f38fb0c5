"""What is known of elements that come from memory, by what memory contains (`contents`).

An element depends on data if it is computed from an element of an argument, or of a value that does; where
its last writer copies a constant 0, or an element of a tensor that is 0, it is 0. Memory has no boundaries:
where some of the elements that are written are computed from a constant that is stored in memory, as padding
is, and others are not, it is not known which of them are dense.
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl
from xdsl.ir import BlockArgument, OpResult, SSAValue

from volcli.language import questions
from volcli.language.kinds import Kinds
from volcli.language.memory import is_memref
from volcli.model.volumes.contents.buffer_contents import BufferContents
from volcli.model.volumes.domains.parts import Part, as_set, normalised
from volcli.model.volumes.knowledge.boundaries import Halfspace
from volcli.model.volumes.knowledge.element_facts import ElementFacts, add_fresh
from volcli.model.volumes.knowledge.number_kinds import constant_kinds, kinds_of_type
from volcli.model.volumes.knowledge.pieces import Pieces, everywhere, merged

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
