"""Claims about numbers that have to do with products: decided by polynomial conditions.

A claim is proved if what is known contradicts each case in which it does not hold. It is refuted by a point:
values of leaves and iterations with which all that is known is true, and the claim is not, which is computed.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl

from volcli.language.expressions import Atom, Expression, NotAffine
from volcli.language.reads import Conjunction, Disjunction
from volcli.limits import values as limits
from volcli.limits.widths import in_64_bits
from volcli.model.values.contexts.contexts import Contexts, ProgramPoint
from volcli.model.values.contexts.factors import Factor
from volcli.model.values.elimination.texts import Texts
from volcli.model.values.products.anonymous import anonymous
from volcli.model.values.products.polynomials import Polynomials, PolynomialSystem, value_at
from volcli.model.values.queries.claim import NumberClaim
from volcli.model.values.queries.queries import Queries
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.model.values.terms.variables import Variable, own
from volcli.presburger.expressions.read_back import disjunction
from volcli.presburger.limits.budget import BudgetExceeded, budget


@dataclass(frozen=True)
class PolynomialClaims:
    """Claims about numbers of one function, where products stop integer sets."""

    polynomials: Polynomials
    places: Contexts
    queries: Queries
    texts: Texts
    _satisfied: dict[Hashable, Verdict] = field(default_factory=dict[Hashable, Verdict])
    """By systems without names, whether they have a point."""

    def system(
        self, expressions: Sequence[Expression], places: Sequence[ProgramPoint]
    ) -> PolynomialSystem | None:
        """What is known of EXPRESSIONS at PLACES, if that has to do with products, and is not too much."""
        factors = self.places.relevant(expressions, places)
        if not self.polynomials.concern(expressions, factors):
            return None
        return self._system(expressions, factors, places)

    def _system(
        self, expressions: Sequence[Expression], factors: Sequence[Factor], places: Sequence[ProgramPoint]
    ) -> PolynomialSystem | None:
        blocks = [block for place in places if (block := self.places.block(place)) is not None]
        return self.polynomials.system(expressions, factors, blocks)

    def satisfied(self, component: Sequence[Factor]) -> Verdict:
        """Whether some execution gets to where all of COMPONENT holds, if that has to do with products."""
        if not self.polynomials.concern((), component):
            return Verdict.UNKNOWN
        known = self._system((), component, ())
        if known is None:
            return Verdict.UNKNOWN
        asked = anonymous(known)
        if asked.key not in self._satisfied:
            with self.polynomials.effort(known, limits.REACHED_EFFORT):
                self._satisfied[asked.key] = _satisfied(asked.system)
        return self._satisfied[asked.key]

    def decide(self, claim: NumberClaim, *, are_values: bool = False) -> Comparison | None:
        """Whether CLAIM holds; as `Claims.decide`. None if it is not known."""
        try:
            known = self.system(tuple(claim.numbers.values()), claim.places)
            if known is None:
                return None
            forms = {name: known.form(number) for name, number in claim.numbers.items()}
            with budget(limits.CLAIM_OPERATIONS):
                wrong, false = _cases(claim.holds.complement(), forms), _cases(claim.fails, forms)
                right = _cases(claim.fails.complement(), forms)
            if max(map(len, (wrong, false, right))) > limits.CLAIM_CASES:
                return None
            with self.polynomials.effort(known, limits.CLAIM_EFFORT):
                if _are_excluded(known, wrong):
                    return Comparison(Verdict.PROVED)
                values = tuple(forms.values()) if are_values else ()
                witness = self.example(known, tuple(claim.numbers.values()), false, claim.places, values)
                if witness is None:
                    return None
                return Comparison(Verdict.REFUTED, _are_excluded(known, right), witness)
        except (BudgetExceeded, NotAffine):
            return None

    def is_proved(self, numbers: Mapping[str, Expression], holds: isl.Set, place: ProgramPoint) -> bool:
        """Whether it is known that NUMBERS are in HOLDS in all executions that reach PLACE."""
        try:
            known = self.system(tuple(numbers.values()), (place,))
            if known is None:
                return False
            forms = {name: known.form(number) for name, number in numbers.items()}
            with budget(limits.CLAIM_OPERATIONS):
                wrong = _cases(holds.complement(), forms)
            with self.polynomials.effort(known, limits.CLAIM_EFFORT):
                return len(wrong) <= limits.CLAIM_CASES and _are_excluded(known, wrong)
        except (BudgetExceeded, NotAffine):
            return False

    def completed(
        self, variables: Sequence[Variable], given: Mapping[Variable, int], place: ProgramPoint
    ) -> Mapping[Variable, int] | None:
        """Numbers of VARIABLES in an execution that gets to PLACE, in which others are as GIVEN."""
        expressions = tuple(map(own, dict.fromkeys((*variables, *given))))
        try:
            known = self._system(expressions, self.places.relevant(expressions, (place,)), (place,))
            if known is None or known.because is not None:
                return None
            facts = [known.form(own(variable)) - number for variable, number in given.items()]
            with self.polynomials.effort(known, limits.CLAIM_EFFORT):
                point = point_of(known, tuple(each for fact in facts for each in (fact, -fact)))
            if point is None:
                return None
            return {variable: value_at(known.form(own(variable)), point) for variable in variables}
        except NotAffine:
            return None

    def example(
        self,
        known: PolynomialSystem,
        expressions: Sequence[Expression],
        cases: Disjunction,
        places: Sequence[ProgramPoint],
        values: Sequence[Expression] = (),
    ) -> dict[str, int] | None:
        """An execution that gets to PLACES, and in which one of CASES, over symbols, holds.

        VALUES, over symbols, have 64 bits in it.
        """
        if known.because is not None:
            return None
        point = next((found for case in cases if (found := point_of(known, case)) is not None), None)
        if point is None or not all(in_64_bits(value_at(each, point)) for each in values):
            return None
        witness = self._of_point(known, point)
        for component in self.places.unrelated(expressions, places):
            other = self._other(component, places)
            if other is None:
                return None
            witness |= other
        return witness

    def are_reached(
        self, known: PolynomialSystem, expressions: Sequence[Expression], places: Sequence[ProgramPoint]
    ) -> bool:
        """Whether each point of KNOWN, which says all of EXPRESSIONS, is an execution that gets to PLACES."""
        unrelated = self.places.unrelated(expressions, places)
        return known.because is None and all(self._other(each, places) is not None for each in unrelated)

    def _other(self, component: Sequence[Factor], places: Sequence[ProgramPoint]) -> dict[str, int] | None:
        """Numbers with which all of COMPONENT holds; none, if it is known that there are some."""
        if self.queries.is_satisfiable(tuple(component)).verdict is Verdict.PROVED:
            return {}
        known = self._system((), component, places)
        if known is None or known.because is not None:
            return None
        point = point_of(known, ())
        return None if point is None else self._of_point(known, point)

    def obstacle(
        self, known: PolynomialSystem, expressions: Sequence[Expression], places: Sequence[ProgramPoint]
    ) -> str | None:
        """Why points of KNOWN may be no executions that get to PLACES; None if they are."""
        if known.because is not None:
            return known.because
        for component in self.places.unrelated(expressions, places):
            if self._other(component, places) is None:
                other = self._system((), component, places)
                because = None if other is None else other.because
                return because or self.queries.is_satisfiable(tuple(component)).because
        return None

    def _of_point(self, known: PolynomialSystem, point: Mapping[Atom, int]) -> dict[str, int]:
        return {self.texts.of_variable(symbol): point[symbol] for symbol in known.named}


def _satisfied(known: PolynomialSystem) -> Verdict:
    """Whether some point of KNOWN is an execution."""
    if known.because is None and point_of(known, ()) is not None:
        return Verdict.PROVED
    return Verdict.REFUTED if known.alternatives.is_empty else Verdict.UNKNOWN


def _are_excluded(known: PolynomialSystem, cases: Disjunction) -> bool:
    return all(known.alternatives.assuming(*case).is_empty for case in cases)


def point_of(known: PolynomialSystem, case: Conjunction) -> Mapping[Atom, int] | None:
    """A point of KNOWN at which CASE holds, which is checked; None if none is found."""
    found = known.alternatives.point(*case)
    if found is None:
        return None
    point: dict[Atom, int] = {**dict.fromkeys(known.unknowns, 0), **found}
    try:
        return point if known.is_point(point) and known.is_in(case, point) else None
    except NotAffine:
        return None


def _cases(points: isl.Set, forms: Mapping[str, Expression]) -> Disjunction:
    """POINTS over names as conditions on their FORMS; raises NotAffine for another name."""

    def named(name: str) -> Expression:
        if name not in forms:
            raise NotAffine(f"{name} is not a number of the claim")
        return forms[name]

    return disjunction(points, named)
