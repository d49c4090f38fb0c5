"""Relations that count: from each point to the elements that it is computed from, and in how many ways.

`y = x[i] * x[i]` has two paths from y to x[i], `sum over k of x[i]` as many as there are k. A relation is a
sum of terms `{ [s] -> [x, h] }`: a pair (s, x) counts once for each h, times a number. Composed, they
multiply:

    A = { [s] -> [m] },  B = { [m] -> [x] }:    (s, x) counts once for each m between them

If there is at most one m for each pair, it is left out, else it is one of the hidden h. A term that is not
counted says only which pairs there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import islpy as isl

from volcli.limits import equivalence as limits
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.coalescing import coalesced


@dataclass(frozen=True, eq=False)
class Term:
    """`{ [s] -> [x, h] }` with so many `hidden` dimensions h, `times` a number; 0 times is not counted."""

    relation: isl.Map
    hidden: int = 0
    times: int = 1

    @property
    def support(self) -> isl.Map:
        """`{ [s] -> [x] }`"""
        if not self.hidden:
            return self.relation
        count = self.relation.dim(DIM.out)
        return self.relation.project_out(DIM.out, count - self.hidden, self.hidden)


@dataclass(frozen=True, eq=False)
class Paths:
    """A sum of terms; those without hidden dimensions have no pair in common."""

    terms: tuple[Term, ...] = ()

    @classmethod
    def of(cls, relation: isl.Map) -> Paths:
        """One path for each pair of RELATION."""
        return cls((Term(relation),))

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def support(self) -> isl.Map:
        """All pairs. There must be a term."""
        found = self.terms[0].support
        if len(self.terms) == 1 and not self.terms[0].hidden:
            return found
        for term in self.terms[1:]:
            found = found.union(term.support)
        return coalesced(found)

    @property
    def uncounted(self) -> Paths:
        """The pairs alone."""
        return Paths((Term(self.support, 0, 0),)) if self.terms else self

    def plus(self, other: Paths) -> Paths:
        """The paths of both."""
        found = list(self.terms)
        for term in other.terms:
            found = _with(found, term)
        paths = Paths(tuple(found))
        return paths if len(found) <= limits.PATH_TERMS else paths.uncounted

    def then(self, other: Paths) -> Paths:
        """These paths, each continued by all that OTHER has from its end."""
        found = Paths()
        for first in self.terms:
            for second in other.terms:
                term = _composed(first, second)
                if not term.relation.is_empty():
                    found = found.plus(Paths((term,)))
        return found

    def through(self, relation: isl.Map) -> Paths:
        """These paths, continued by one step."""
        return self.then(Paths.of(relation))

    def within(self, elements: isl.Set) -> Paths:
        """The paths that end in ELEMENTS."""
        return Paths(tuple(self._within(elements)))

    def _within(self, elements: isl.Set) -> Iterator[Term]:
        for term in self.terms:
            inside = elements.add_dims(DIM.set, term.hidden) if term.hidden else elements
            relation = term.relation.intersect_range(inside)
            if not relation.is_empty():
                yield Term(relation, term.hidden, term.times)

    def outside(self, elements: isl.Set) -> Paths:
        """The paths that end in no element of ELEMENTS."""
        kept = (
            Term(
                term.relation.subtract_range(elements.add_dims(DIM.set, term.hidden)), term.hidden, term.times
            )
            for term in self.terms
        )
        return Paths(tuple(term for term in kept if not term.relation.is_empty()))

    def beginning(self, points: isl.Set) -> Paths:
        """The paths that begin at POINTS."""
        kept = (Term(t.relation.intersect_domain(points), t.hidden, t.times) for t in self.terms)
        return Paths(tuple(term for term in kept if not term.relation.is_empty()))


def _with(terms: list[Term], term: Term) -> list[Term]:
    """TERMS and one more; pairs that are in two terms without hidden dimensions count as in their sum."""
    if term.relation.is_empty():
        return terms
    if term.hidden:
        return [*terms, term]
    relation, found = term.relation, list[Term]()
    for other in terms:
        if other.hidden or (other.times == 0) is not (term.times == 0):
            found.append(other)
            continue
        if term.times == 0:
            relation = coalesced(relation.union(other.relation))
            continue
        common = other.relation.intersect(relation)
        if common.is_empty():
            found.append(other)
            continue
        found += [Term(other.relation.subtract(common), 0, other.times),
                  Term(coalesced(common), 0, other.times + term.times)]  # fmt: skip
        relation = relation.subtract(common)
    found = [each for each in found if not each.relation.is_empty()]
    if relation.is_empty():
        return found
    for k, other in enumerate(found):
        if not other.hidden and other.times == term.times:
            found[k] = Term(coalesced(other.relation.union(relation)), 0, term.times)
            return found
    return [*found, Term(relation, 0, term.times)]


def _composed(first: Term, second: Term) -> Term:
    times = first.times * second.times
    if not times:
        first, second = Term(first.support, 0, 0), Term(second.support, 0, 0)
    if not second.hidden and _stays(second.relation):
        kept = second.relation.domain().add_dims(DIM.set, first.hidden)
        return Term(first.relation.intersect_range(kept), first.hidden, times)
    if not first.hidden and _stays(first.relation):
        return Term(second.relation.intersect_domain(first.relation.domain()), second.hidden, times)
    if not times:
        return Term(coalesced(first.relation.apply_range(second.relation)), 0, 0)
    between = first.relation.dim(DIM.out) - first.hidden
    if not first.hidden and not second.hidden and _has_one_way(first.relation, second.relation):
        return Term(coalesced(first.relation.apply_range(second.relation)), 0, times)
    reached = second.relation.dim(DIM.out) - second.hidden
    step = second.relation
    if first.hidden:  # [m, h] -> [x, h', h]
        step = step.flat_product(isl.Map.identity(_square(first.hidden)))
    middle = build.relation(between + first.hidden, build_loops(between))
    step = step.flat_range_product(middle)
    hidden = second.hidden + first.hidden + between
    return _tidied(Term(coalesced(first.relation.apply_range(step)), hidden, times), reached)


def _stays(step: isl.Map) -> bool:
    """Whether STEP, of one piece, leads from elements to themselves."""
    if step.n_basic_map() != 1 or step.dim(DIM.in_) != step.dim(DIM.out):
        return False
    return bool(step.is_subset(isl.Map.identity(step.get_space())))


def build_loops(count: int) -> tuple[build.Index, ...]:
    """The first COUNT loops."""
    return tuple(build.loop(k) for k in range(count))


def _square(rank: int) -> isl.Space:
    return isl.Space.alloc(isl.DEFAULT_CONTEXT, 0, rank, rank)


def _has_one_way(first: isl.Map, second: isl.Map) -> bool:
    """Whether no pair of FIRST, then SECOND has two elements between them."""
    if first.plain_is_single_valued() or second.is_injective() or first.is_single_valued():
        return True
    return bool(_ways(first, second).is_single_valued())


def _ways(first: isl.Map, second: isl.Map) -> isl.Map:
    """`{ [s, x] -> [m] }`: what is between s and x."""
    sources = first.dim(DIM.in_)
    together = first.flat_domain_product(second.reverse().intersect_range(first.range()))
    assert together.dim(DIM.in_) == sources + second.dim(DIM.out)
    return together


def _tidied(term: Term, reached: int) -> Term:
    """TERM without the hidden dimensions that the others determine."""
    relation, hidden = term.relation, term.hidden
    count = relation.dim(DIM.in_) + reached
    ways = relation.wrap().flatten()
    for k in reversed(range(hidden)):
        order = isl.Map.from_domain(ways).move_dims(DIM.out, 0, DIM.in_, count + k, 1)
        if order.is_single_valued():
            ways = ways.project_out(DIM.set, count + k, 1)
            hidden -= 1
    if hidden > limits.HIDDEN_DIMENSIONS:
        return Term(term.support, 0, 0)
    if hidden == term.hidden:
        return term
    sources = relation.dim(DIM.in_)
    found = isl.Map.from_domain(ways).move_dims(DIM.out, 0, DIM.in_, sources, reached + hidden)
    return Term(coalesced(found), hidden, term.times)
