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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from math import gcd

from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    NotAffine,
    Piecewise,
    expression_of_atom,
    substitute,
)
from volcli.limits import symbolic as limits
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.symbolic.linearisation import Linearisation
from volcli.symbolic.polynomials import factors
from volcli.symbolic.rows import is_spent, spend

_COST = 4
"""What a fact costs in a case, in coefficients of a linear system, which take less time."""


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
            whole = _multiplied(self.facts)
            return all(Linearisation(each).is_empty_linearly() for each in _cases(self.facts, whole))
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
        sign = content
        for factor, _ in odd:
            if self.proves(factor):
                continue
            if not self.proves(-factor):
                return False
            sign = -sign
        return sign >= 0

    def _excludes(self, supposed: Sequence[Expression]) -> bool:
        """Whether it is known that at no point all of SUPPOSED are nonnegative."""
        facts = (*supposed, *self.facts)
        whole = _multiplied(facts)
        try:
            if whole and all(Linearisation(each).has_no_point() for each in _cases(facts, whole)):
                return True
            return all(Linearisation(each).has_no_point() for each in _cases(facts))
        except (BudgetExceeded, NotAffine):
            return False

    # -- counterexamples -------------------------------------------------------------------------------

    def point(self, *supposed: Expression) -> Mapping[Atom, int] | None:
        """A point of the context at which all of SUPPOSED are nonnegative, if one is found."""
        try:
            cases = (Linearisation(each) for each in _cases((*supposed, *self.facts)))
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


# -- cases -----------------------------------------------------------------------------------------------


def _cases(facts: Sequence[Expression], whole: frozenset[Atom] = frozenset()) -> list[tuple[Expression, ...]]:
    """FACTS without extrema (but those left WHOLE), pieces and remainders: in each of the cases of these.

    Raises NotAffine if they are too many, and BudgetExceeded if looking at their facts is more than is left.
    """
    if is_spent():  # before a look at facts that are not paid for
        raise BudgetExceeded(0)
    pending = [tuple(map(_without_remainders, facts))]
    done: list[tuple[Expression, ...]] = []
    while pending:
        split = [_without_conjunctions(fact, whole) for fact in pending.pop()]
        case = tuple(each for facts, _ in split for each in facts)
        spend(_COST * len(case))
        choice = next((found for _, found in split if found is not None), None)
        if choice is None:
            done.append(case)
        else:
            pending += list(_chosen(case, choice))
        if len(pending) + len(done) > limits.CONTEXT_CASES:
            raise NotAffine("too many cases")
    return done


# What is done to one fact is kept: most facts stand in the systems of many questions.


@lru_cache(maxsize=limits.REMEMBERED)
def _without_remainders(fact: Expression) -> Expression:
    """FACT with `a - b * (a floordiv b)` for each `a mod b`: that takes no case.

    Raises NotAffine if it is too long then: each remainder in another one doubles it.
    """
    while (found := next((a for a in _few_atoms(fact) if isinstance(a, Mod)), None)) is not None:
        rest = found.numerator - found.divisor * (found.numerator // found.divisor)
        fact = _replaced(fact, found, rest)
    return fact


def _few_atoms(fact: Expression) -> list[Atom]:
    found = list(islice(fact.atoms(), limits.CONTEXT_ATOMS + 1))
    if len(found) > limits.CONTEXT_ATOMS:
        raise NotAffine("too long")
    return found


@lru_cache(maxsize=limits.REMEMBERED)
def _without_conjunctions(
    fact: Expression, whole: frozenset[Atom]
) -> tuple[tuple[Expression, ...], Atom | None]:
    """FACT, where x >= max(a, b) is x >= a and x >= b: a fact for each operand, if it is not left WHOLE.

    And the first choice that is left in one of these, if any: that each is a case of.
    """
    pending = [fact]
    split: list[Expression] = []
    while pending:
        fact = pending.pop()
        terms = (term for term in fact.terms if term[0] not in whole)
        found = next((term for term in terms if _is_of_all_operands(*term)), None)
        if found is None:
            split.append(fact)
            continue
        atom, factor = found
        assert isinstance(atom, Minimum | Maximum)
        rest = fact - expression_of_atom(atom) * factor
        pending += [rest + operand * factor for operand in reversed(atom.operands)]
    choices = (atom for each in split for atom in each.atoms(whole) if isinstance(atom, _CHOICES))
    return tuple(split), next(choices, None)


def _multiplied(facts: Iterable[Expression]) -> frozenset[Atom]:
    """The extrema that FACTS multiply with others, if these are over sums of symbols."""
    return frozenset[Atom]().union(*map(_multiplied_in, facts))


@lru_cache(maxsize=limits.REMEMBERED)
def _multiplied_in(fact: Expression) -> frozenset[Atom]:
    monomials = (atom for atom in fact.atoms() if isinstance(atom, Monomial))
    found = {each for atom in monomials for each in atom.factors if isinstance(each, Minimum | Maximum)}
    return frozenset(each for each in found if not any(isinstance(a, Mod | Piecewise) for a in _inside(each)))


def _inside(extremum: Minimum | Maximum) -> Iterator[Atom]:
    return (atom for operand in extremum.operands for atom in operand.atoms())


def _is_of_all_operands(atom: Atom, factor: int) -> bool:
    """Whether `factor * atom + rest >= 0` if and only if that is so for each operand."""
    return isinstance(atom, Minimum if factor > 0 else Maximum)


_CHOICES = (Minimum, Maximum, Piecewise)


def _chosen(facts: tuple[Expression, ...], choice: Atom) -> Iterator[tuple[Expression, ...]]:
    """FACTS in each of the cases of CHOICE, with what holds in it."""

    def becomes(value: Expression, *where: Expression) -> tuple[Expression, ...]:
        return (*(_replaced(fact, choice, value) for fact in facts), *where)

    match choice:
        case Minimum(operands) | Maximum(operands):
            sign = 1 if isinstance(choice, Minimum) else -1
            for operand in operands:
                yield becomes(operand, *(sign * (each - operand) for each in operands if each != operand))
        case Piecewise(pieces):
            for where, value in pieces:
                yield becomes(value, *where)
        case _:
            raise AssertionError(choice)


@lru_cache(maxsize=limits.REMEMBERED)
def _replaced(fact: Expression, choice: Atom, value: Expression) -> Expression:
    """FACT with VALUE for CHOICE, if it speaks of that."""
    known: dict[Atom, Expression] = {choice: value}
    return substitute(fact, known.get) if choice in fact.atoms() else fact


__all__ = ["Context", "Entailment", "Signs", "tightened"]
