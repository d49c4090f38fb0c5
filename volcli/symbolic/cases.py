"""The cases of extrema, pieces and remainders: in each of them, facts are polynomials.

    x >= max(a, b)      x >= a and x >= b                                  no case
    x <= max(a, b)      x <= a where a >= b;  x <= b where b >= a          two cases
    x mod 4             x - 4 * (x floordiv 4)                             no case

The functions of one fact are cached: most facts stand in the systems of many questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

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
from volcli.symbolic.rows import is_spent, spend

_COST = 4
"""What an atom of a fact costs in a case, in coefficients of a linear system, which take less time."""


def cases_of(
    facts: Sequence[Expression], whole: frozenset[Atom] = frozenset()
) -> list[tuple[Expression, ...]]:
    """FACTS without extrema (but those left WHOLE), pieces and remainders: in each of the cases of these.

    A fact costs what it has atoms, in each case. Raises NotAffine if the cases are too many, and
    BudgetExceeded if looking at their facts is more than is left.
    """
    if is_spent():  # before a look at facts that are not paid for
        raise BudgetExceeded(0)
    pending = [tuple(map(_without_remainders, facts))]
    done: list[tuple[Expression, ...]] = []
    while pending:
        split = [_without_conjunctions(fact, whole) for fact in pending.pop()]
        case = tuple(each for facts, _ in split for each in facts)
        spend(_COST * sum(max(1, fact.size) for fact in case))
        choice = next((found for _, found in split if found is not None), None)
        if choice is None:
            done.append(case)
        else:
            pending += list(_chosen(case, choice))
        if len(pending) + len(done) > limits.CONTEXT_CASES:
            raise NotAffine("too many cases")
    return done


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


def multiplied_extrema(facts: Iterable[Expression]) -> frozenset[Atom]:
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
