"""Numbers with several digits: a linear index `(i * n + j) * k + l` as what it stands for, [i, j, l].

Let w_m = 1 and w_(k-1) = s_k * w_k: the *weights* of digits of which all but the first have *sizes* s_1, ...,
s_m. If 0 <= d_k < s_k and 0 <= d'_k < s_k for k = 1, ..., m, then

    d_0 w_0 + ... + d_m w_m = d'_0 w_0 + ... + d'_m w_m    if and only if    d = d'.

For s_m divides d_m - d'_m, as it divides all other terms, and |d_m - d'_m| < s_m: so the last digits are
equal; what is left, divided by s_m, has one digit less. The first digit may be any integer. Sizes are
numbers, whatever they are: that they are positive follows from 0 <= d_k < s_k.

    i * b + j and i' * b + j', 0 <= j, j' < b      equal only for i = i' and j = j'
    i * b + j and i' * b + j', 0 <= j, j' <= b     equal for i' = i + 1, j = b, j' = 0, too

Which digits a polynomial has is read off its monomials: products of sizes that divide each other are weights.

Source: T. Grosser, J. Ramanujam, L.-N. Pouchet, P. Sadayappan, S. Pop, Optimistic Delinearization of
Parametrically Sized Arrays, ICS 2015, where the ranges are conditions that are tested when the program runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import gcd, prod

from volcli.language.expressions import Atom, Expression, Monomial, constant, expression_of_atom

_Factors = tuple[Atom, ...]
"""The factors of a monomial, in their order, each as often as it occurs."""


@dataclass(frozen=True)
class _Weight:
    """`number * product of factors`."""

    number: int
    factors: _Factors

    def over(self, other: _Weight) -> Expression | None:
        """This weight divided by the OTHER one; None if that is not a polynomial."""
        rest = Counter(self.factors)
        rest.subtract(other.factors)
        if self.number % other.number or any(times < 0 for times in rest.values()):
            return None
        atoms = [a for a in dict.fromkeys(self.factors) for _ in range(rest[a])]
        return _Weight(self.number // other.number, tuple(atoms)).expression

    @property
    def expression(self) -> Expression:
        return prod(map(expression_of_atom, self.factors), start=constant(self.number))


@dataclass(frozen=True)
class MixedRadix:
    """Numbers with a digit for each of some weights, each of which divides the one before it.

    >>> from volcli.language.expressions import parameter
    >>> i, j, h, n, k = (parameter(name) for name in "ijhnk")
    >>> (radix,) = mixed_radices([(i * n + j) * k + h], lambda atom: str(atom) in "nk")
    >>> (radix.sizes, radix.digits((i * n + j - 1) * k + 2 * h))
    ((n, k), (i, j - 1, 2 * h))
    """

    weights: tuple[_Weight, ...]

    @property
    def sizes(self) -> tuple[Expression, ...]:
        """How many values each digit has but the first."""
        found = [larger.over(smaller) for larger, smaller in pairwise(self.weights)]
        return tuple(size for size in found if size is not None)

    def number(self, digits: Sequence[Expression]) -> Expression:
        """The number with these DIGITS."""
        pairs = zip(digits, self.weights, strict=True)
        return sum((weight.expression * digit for digit, weight in pairs), start=constant(0))

    def digits(self, form: Expression) -> tuple[Expression, ...]:
        """Polynomials d with FORM = sum of d_k * w_k: a monomial is in the first digit that it can be in.

        Whether they are in the ranges of digits is another question.
        """
        found = [constant(0)] * len(self.weights)
        for atoms, number in _monomials(form):
            quotients = (_Weight(number, atoms).over(weight) for weight in self.weights)
            position, digit = next((k, each) for k, each in enumerate(quotients) if each is not None)
            found[position] += digit
        return tuple(found)


def mixed_radices(forms: Sequence[Expression], is_size: Callable[[Atom], bool]) -> Iterator[MixedRadix]:
    """Those in which all FORMS may be numbers: weights are products of atoms that may occur in sizes.

    Of 2 * i * n + j, the first digit is i, and its weight 2 * n; or it is 2 * i. None, if weights do not
    divide each other.
    """
    contents: dict[_Factors, int] = {(): 1}
    for atoms, number in (each for form in forms for each in _monomials(form)):
        weight = tuple(filter(is_size, atoms))
        if weight and len(weight) < len(atoms):
            contents[weight] = gcd(contents.get(weight, 0), number)
    order = sorted(contents, key=len, reverse=True)
    for numbers in dict.fromkeys((tuple(contents[each] for each in order), (1,) * len(order))):
        weights = tuple(map(_Weight, numbers, order))
        if all(larger.over(smaller) is not None for larger, smaller in pairwise(weights)):
            yield MixedRadix(weights)


def _monomials(form: Expression) -> Iterator[tuple[_Factors, int]]:
    """The monomials of FORM with their coefficients; that of the constant is ()."""
    for atom, number in form.terms:
        yield (atom.factors if isinstance(atom, Monomial) else (atom,)), number
    if form.constant:
        yield (), form.constant
