"""What is known of symbolic constants, and which polynomial inequalities follow from it.

A context is a set of facts f >= 0, polynomials with integer coefficients over symbols that are integers. A
goal g >= 0 follows from it if g <= -1 contradicts the facts, which is shown by linear algebra over their
products (`volcli.symbolic.linearisation`). A goal that is a product is, before that, looked at factor by
factor. Of an extremum, each operand that it may be is a case. What does not follow is refuted by an integer
point of the context, or is not known.

Source: P. Suriana, Fourier-Motzkin with Non-Linear Symbolic Constant Coefficients (2016), section 2.2, where
only the linear part of the context is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
)
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.symbolic.cases import cases_of, multiplied_extrema
from volcli.symbolic.linearisation import Linearisation
from volcli.symbolic.polynomials import factors
from volcli.symbolic.rows import is_spent


@dataclass(frozen=True)
class Entailment:
    """Whether an inequality holds in a whole context: `holds` is None if that is not known.

    If it does not, `witness` is a point: values of the symbols.
    """

    holds: bool | None
    witness: Mapping[Atom, int] | None = None


@dataclass(frozen=True)
class Signs:
    """Which signs a polynomial may have in a context."""

    negative: bool
    zero: bool
    positive: bool


class Context:
    """The integer points at which all FACTS, polynomials over symbols, are at least 0.

    >>> from volcli.language.expressions import parameter
    >>> n, b = parameter("n"), parameter("b")
    >>> Context((n, b - 1)).proves(n * b - n)
    True
    """

    def __init__(self, facts: Iterable[Expression] = (), within: Context | None = None) -> None:
        """WITHIN: the context whose facts hold, too; these are looked at no more."""
        self._facts: dict[Expression, None] = {} if within is None else within._facts.copy()
        tight = (tightened(fact) for fact in facts)
        self._facts.update(dict.fromkeys(fact for fact in tight if not _is_true(fact)))
        self.facts = tuple(self._facts)
        self._proved: dict[Expression, bool] = {}

    def assuming(self, *facts: Expression) -> Context:
        """The part of the context in which FACTS are at least 0, too."""
        return Context(facts, within=self)

    @cached_property
    def is_empty(self) -> bool:
        """Whether it is known that the context has no point."""
        return self._excludes(())

    @cached_property
    def is_empty_linearly(self) -> bool:
        """Whether the facts contradict each other if each product in them may be any number.

        An extremum in a product, such as the size of a tile min(max(b, 1), 2^30), is then a number between
        its ends: that takes one case, and not one for each operand.
        """
        if is_spent():
            return False
        try:
            whole = multiplied_extrema(self.facts)
            return all(Linearisation(each).is_empty_linearly() for each in cases_of(self.facts, whole))
        except (BudgetExceeded, NotAffine):
            return False

    def proves(self, goal: Expression) -> bool:
        """Whether it is known that GOAL >= 0 at all points."""
        goal = tightened(goal)
        if goal.is_constant:
            return goal.constant >= 0 or self.is_empty
        if goal not in self._proved:
            self._proved[goal] = self._has_sign(goal) or self._excludes((-goal - 1,))
        return self._proved[goal]

    def implies(self, goal: Expression) -> bool:
        """The same without division by symbols.

        What goes because of that, b * k <= b * q - 1 beside k <= q - 1, a projection would miss: it is one of
        rational points.
        """
        return self._excludes((-goal - 1,), are_integers=False)

    def signs(self, expression: Expression) -> Signs:
        """The signs that EXPRESSION may have."""
        negative, positive = not self.proves(expression), not self.proves(-expression)
        zero = not (self.proves(expression - 1) or self.proves(-expression - 1))
        return Signs(negative, zero, positive)

    def decide(self, goal: Expression) -> Entailment:
        """Whether GOAL >= 0 at all points; if not, one at which it is not."""
        if self.proves(goal):
            return Entailment(True)
        witness = self.point(-goal - 1)
        return Entailment(None) if witness is None else Entailment(False, witness)

    # -- proofs ----------------------------------------------------------------------------------------

    def _has_sign(self, goal: Expression) -> bool:
        """Whether GOAL is a product of factors whose signs are known to make it nonnegative."""
        content, found = factors(goal)
        odd = [(factor, power) for factor, power in found if power % 2]
        if not odd:
            return content >= 0
        if len(odd) == 1 and abs(content) == 1 and len(found) == 1:
            return False
        sign, unknown = content, list[Expression]()
        for factor, _ in odd:
            if self.proves(factor):
                continue
            if self.proves(-factor):
                sign = -sign
            else:
                unknown.append(factor)
        if len(unknown) != 2:
            return not unknown and sign >= 0
        first, second = unknown  # of different signs if the product is negative, or of the same one
        return all(self._excludes((each * first - 1, -each * sign * second - 1)) for each in (1, -1))

    def _excludes(self, supposed: Sequence[Expression], *, are_integers: bool = True) -> bool:
        """Whether it is known that at no point all of SUPPOSED are nonnegative."""
        facts = (*supposed, *self.facts)

        def are_excluded(cases: Iterable[Sequence[Expression]]) -> bool:
            return all(Linearisation(each).has_no_point(are_integers=are_integers) for each in cases)

        whole = multiplied_extrema(facts)
        try:
            return bool(whole and are_excluded(cases_of(facts, whole))) or are_excluded(cases_of(facts))
        except (BudgetExceeded, NotAffine):
            return False

    # -- counterexamples -------------------------------------------------------------------------------

    def point(self, *supposed: Expression) -> Mapping[Atom, int] | None:
        """A point of the context at which all of SUPPOSED are nonnegative, if one is found."""
        try:
            cases = (Linearisation(each) for each in cases_of((*supposed, *self.facts)))
            return next((point for case in cases if (point := case.point()) is not None), None)
        except (BudgetExceeded, NotAffine):
            return None


def tightened(fact: Expression) -> Expression:
    """FACT >= 0 with the least integer coefficients: 2*n*x + 4*n*y + 9 becomes n*x + 2*n*y + 4 (E003-1).

    Each monomial is an integer, so that the constant may be rounded down; the erratum corrects section 3.2,
    which rounds it up.
    """
    divisor = gcd(*(coefficient for _, coefficient in fact.terms)) if fact.terms else 1
    if divisor == 1:
        return fact
    return Expression(tuple((a, c // divisor) for a, c in fact.terms), fact.constant // divisor)


def _is_true(fact: Expression) -> bool:
    return fact.is_constant and fact.constant >= 0
