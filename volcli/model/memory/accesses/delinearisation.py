"""Linear indices as the multi-dimensional ones that they stand for: `%m[%i * %b + %j]` as [%i, %j].

An index that is a product of unknowns is not an affine function of the loops. Accesses to one buffer are
compared by the *digits* of their indices in a mixed radix that all of them have in common
(`symbolic/mixed_radix.py`): with 0 <= j < b wherever both run, they go to one element if and only if i and j
are the same. Sizes are numbers that the iterations to be compared have in common, such as arguments. What
both indices have in common is left out: of m[i * b + j] and m[i * b + j + 1] in one iteration of i, j and j
+ 1 are compared, whatever the range of j is.

That a digit is in its range is proved of all iterations in which its access runs, or there is no such digit:

    for j = 0 to n     m[i * n + j + 1]         digits i, j + 1: j + 1 = n is none
                       m[i * n + n - 1 - j]     digits i + 1, -1 - j; one less of the first: i, n - 1 - j
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from volcli.language.expressions import (
    Atom,
    Expression,
    LoopIndex,
    Monomial,
    constant,
    expression_of_atom,
    has_product,
    substitute,
)
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.comparable_indices import ComparableIndices, IndexColumn, texts_of
from volcli.model.memory.accesses.instances import Instances
from volcli.model.memory.accesses.linear_indices import LinearIndex, divisors, linear_index
from volcli.model.memory.accesses.site import Site
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.constraint_set import Kept
from volcli.model.values.terms.variables import Variable, variables_of
from volcli.symbolic.mixed_radix import MixedRadix, mixed_radices

_WITHIN = isl.Set("[least, most, size] -> { : 0 <= least and most < size }")
_CARRIES = (0, 1, -1)


class Delinearisation:
    """The digits of the linear indices of one function's accesses."""

    def __init__(self, bounds: BoundsStore, instances: Instances) -> None:
        self._bounds = bounds
        self._instances = instances
        definitions = bounds.definitions
        self._symbols = Kept("symbols", lambda v: definitions.definition(v).expression is None)

    def of_buffer(self, sites: Sequence[Site], fixed: int = 0) -> ComparableIndices | None:
        """The same of all SITES of one buffer; None, too, where their elements are known as they are."""
        relations = (self._instances.relation(site) for site in sites)
        if all(each.exact and not each.unstable for each in relations):
            return None
        return self.indices(sites, fixed)

    def indices(self, sites: Sequence[Site], fixed: int) -> ComparableIndices | None:
        """Indices by which SITES can be compared where iterations share the FIXED outermost loops.

        In iterations that are the same in these, two of SITES go to one element if and only if these indices
        are equal. None if no index of theirs is linear, or no mixed radix is known to be one for all.
        """
        rank = len(sites[0].place.index)
        if any(len(site.place.index) != rank for site in sites):
            return None
        columns: list[IndexColumn] = []
        dimension = 0
        while dimension < rank:
            columns.append(
                self._joined(sites, dimension, fixed)
                or self._digits(sites, dimension, fixed)
                or IndexColumn(tuple((site.place.index[dimension],) for site in sites))
            )
            dimension += columns[-1].joined
        return ComparableIndices(tuple(columns)) if any(each.is_other for each in columns) else None

    def _joined(self, sites: Sequence[Site], first: int, fixed: int) -> IndexColumn | None:
        """The numbers of which indices of SITES are digits, in as many dimensions from FIRST as possible."""
        for end in range(len(sites[0].place.index), first + 1, -1):
            found = [self._linear(site, first, end) for site in sites]
            known = [each for each in found if each is not None]
            sizes = {each.sizes for each in known}
            if len(known) == len(sites) and len(sizes) == 1 and self._are_digits(sites, known, fixed):
                return IndexColumn(tuple((each.number,) for each in known), sizes=known[0].sizes)
        return None

    @cached_method
    def _linear(self, site: Site, first: int, end: int) -> LinearIndex | None:
        """The number of which the dimensions from FIRST to END of the index of SITE are digits."""
        return linear_index(site.place.index[first:end], site.op, self._bounds)

    def _are_digits(self, sites: Sequence[Site], found: Sequence[LinearIndex], fixed: int) -> bool:
        """Whether all digits FOUND but the first are in range, for sizes that are fixed."""
        sizes = found[0].sizes
        if not all(self._is_fixed(atom, fixed) for size in sizes for atom in size.atoms()):
            return False
        return all(
            self._is_in_range(site, digit, size)
            for site, each in zip(sites, found, strict=True)
            for digit, size in zip(each.digits[1:], sizes, strict=True)
        )

    @cached_method
    def form(self, site: Site, dimension: int) -> Expression | None:
        """The index of SITE as a polynomial over what no formula defines; None if it is none."""
        index = self._instances.resolved(site.place.index[dimension])
        is_known = isinstance(index, Expression)
        return self._bounds.closed.of(index, self._symbols) if is_known else None

    @cached_method
    def _is_product(self, site: Site, dimension: int) -> bool:
        """Whether the index of SITE is a polynomial with a product."""
        form = self.form(site, dimension)
        return form is not None and has_product(form)

    def sizes(self, site: Site) -> list[Variable]:
        """What the indices of SITE are multiplied with, or divided by, as far as loops do not change it."""
        forms = (self.form(site, dimension) for dimension in range(len(site.place.index)))
        products = (a for form in forms if form is not None for a in form.atoms() if isinstance(a, Monomial))
        factors = dict.fromkeys(factor for each in products for factor in each.factors)
        factors.update(
            dict.fromkeys(a for size in divisors(site.place.index, self._bounds) for a in size.atoms())
        )
        fixed = (expression_of_atom(factor) for factor in factors if self._is_fixed(factor, 0))
        return [variable for each in fixed for variable in variables_of(each)]

    def _digits(self, sites: Sequence[Site], dimension: int, fixed: int) -> IndexColumn | None:
        """The digits of the indices of SITES in one DIMENSION."""
        if not any(self._is_product(site, dimension) for site in sites):
            return None
        forms = [form for site in sites if (form := self.form(site, dimension)) is not None]
        if len(forms) < len(sites):
            return None

        def is_size(atom: Atom) -> bool:
            return self._is_fixed(atom, fixed)

        for common in self._common_parts(forms, fixed):
            left = [form - common for form in forms]
            for radix in mixed_radices(left, is_size):
                for first in self._first_digits(sites, left, radix):
                    pairs = ((site, form - first) for site, form in zip(sites, left, strict=True))
                    found = [digits for s, form in pairs if (digits := self._in_range(s, form, radix))]
                    if len(found) == len(sites):
                        return IndexColumn(tuple(found), radix, common + first)
        return None

    def _first_digits(
        self, sites: Sequence[Site], forms: Sequence[Expression], radix: MixedRadix
    ) -> Iterator[int]:
        """Numbers from which the last digits of FORMS may count: 0, and the least of them, such as 1."""
        yield 0
        last = [radix.digits(form)[-1] for form in forms]
        if not radix.sizes or any(isinstance(a, LoopIndex) for digit in last for a in digit.atoms()):
            return
        ends = zip(sites, last, strict=True)
        known = [self._bounds.numeric.of(digit, site.op).lower for site, digit in ends]
        least = min((each for each in known if each is not None), default=0)
        if least != 0 and None not in known:
            yield least

    def _is_fixed(self, atom: Atom, fixed: int) -> bool:
        """Whether ATOM is one number where iterations share the FIXED outermost loops."""
        if any(isinstance(each, LoopIndex) for each in expression_of_atom(atom).atoms()):
            return False
        levels = self._instances.determined.levels
        return all(len(levels(v)) <= fixed for v in variables_of(expression_of_atom(atom)))

    def _common_parts(self, forms: Sequence[Expression], fixed: int) -> Iterator[Expression]:
        """What may be left out of all FORMS: nothing, or what one of them is computed from fixed numbers."""
        parts = [constant(0)]
        for form in forms:
            terms = tuple(term for term in form.terms if self._is_fixed(term[0], fixed))
            parts.append(Expression(terms, form.constant))
        yield from dict.fromkeys(parts)

    # -- ranges ----------------------------------------------------------------------------------------

    def _in_range(self, site: Site, form: Expression, radix: MixedRadix) -> tuple[Expression, ...] | None:
        """The digits of FORM in RADIX, of which all but the first are known to be in range at SITE."""
        digits = list(radix.digits(form))
        if any(map(has_product, digits)):
            return None
        for position in reversed(range(1, len(digits))):
            size = radix.sizes[position - 1]
            for carry in _CARRIES:
                digit = digits[position] + size * carry
                if not has_product(digit) and self._is_in_range(site, digit, size):
                    digits[position] = digit
                    digits[position - 1] -= carry
                    break
            else:
                return None
        return tuple(digits)

    @cached_method
    def _is_in_range(self, site: Site, digit: Expression, size: Expression) -> bool:
        """Whether 0 <= DIGIT < SIZE is known wherever SITE runs, in all iterations of its own loops."""
        ends = self._ends(site, digit)
        return ends is not None and self._bounds.claims.is_proved(
            {"least": ends[0], "most": ends[1], "size": size}, _WITHIN, site.op
        )

    def _ends(self, site: Site, digit: Expression) -> tuple[Expression, Expression] | None:
        """The least and the greatest of DIGIT over the own loops of SITE; None if it is not linear in them.

        A loop without iterations has no access, of which anything is true.
        """
        least, most = dict[Atom, Expression](), dict[Atom, Expression]()
        for atom, factor in digit.terms:
            if isinstance(atom, LoopIndex):
                extent = self._instances.resolved(site.place.extents[atom.position])
                if not isinstance(extent, Expression):
                    return None
                first, last = constant(0), extent - 1
                least[atom], most[atom] = (first, last) if factor > 0 else (last, first)
            elif any(isinstance(each, LoopIndex) for each in expression_of_atom(atom).atoms()):
                return None
        return substitute(digit, least.get), substitute(digit, most.get)


__all__ = ["ComparableIndices", "Delinearisation", "texts_of"]
