"""Which arithmetic on 64 bits may overflow, and what is known of a function without trusting it.

The result of `arith.addi %a, %b` on `index` or `i64` is the sum modulo 2^64, and is taken to be the sum
itself. Let A be such operations, and let R(p) be the set of numbers that p in A computes, as integers,
where it is executed:

    no p overflows   if   R(p) is within [-2^63, 2^63) for each p in A

by induction over time: whatever has run before the first one that overflows is what the program says. R(p)
is found with what holds at p itself, for arguments, loaded values and iterations of 64 bits, and for sizes
that fit in an address space. So `%i + 1` in a loop up to %n never overflows, and `%n + 1` of an argument
does, for %n = 2^63 - 1.

What may overflow is taken for any number, in a store that stops there, and R is found again for the others,
until no more of them are found. What that store knows rests on no such assumption. Nor does what one knows in
which sums that may overflow are remainders by 2^64, `(a + b + 2^63) mod 2^64 - 2^63`, which is more. A sum
that is computed from itself, `%b + 1` of an argument %b that a branch passes it to, stays any number there:
of repeated remainders no formula is known, and their sets exceed what a question may cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property

import islpy as isl
from xdsl.dialects.builtin import ShapedType, UnrankedMemRefType, UnrankedTensorType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Dim, Expression, Mod, NotAffine, Value, has_product
from volcli.language.programs.blocks import home
from volcli.language.programs.graphs import components
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits
from volcli.limits.widths import HALF
from volcli.model.values.definitions.overflows import has_64_bits
from volcli.model.values.outline.calls import operations_called, stated_number
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.ranges import Interval, tightest
from volcli.model.values.terms.variables import Variable, is_wide, own
from volcli.presburger.limits.budget import BudgetExceeded, at_most

Stores = Callable[[frozenset[SSAValue], frozenset[SSAValue]], BoundsStore]
Without = Callable[[frozenset[str]], "Arithmetic"]
OVERFLOW = "index arithmetic does not overflow"
PRODUCTS = "products do not overflow"
"""Of numbers that nothing bounds, of which arguments of 32 bits suffice to pass 64."""
MOST_ELEMENTS = 2**57
"""No address space has room for a dimension of more: those of processors have 57 bits."""
_SHAPED = (ShapedType, UnrankedMemRefType, UnrankedTensorType)
_NUMBER = "number"
_OUTSIDE = isl.Set(f"[{_NUMBER}] -> {{ : {_NUMBER} < -{HALF} or {_NUMBER} >= {HALF} }}")
_INSIDE = isl.Set(f"[{_NUMBER}] -> {{ : -{HALF} <= {_NUMBER} < {HALF} }}")


class Arithmetic:
    """The results in a FUNCTION that may overflow.

    STORES makes a store in which some are any number, and others the remainder that the machine computes. It
    takes what is GIVEN for true; WITHOUT makes the arithmetic if some is not.
    """

    def __init__(self, function: Operation, stores: Stores, given: tuple[str, ...], without: Without) -> None:
        self._given = given
        self._without = without
        self._function = function
        self._stores: Stores = cache(stores)
        self._asked = 0

    @cached_property
    def doubtful(self) -> frozenset[SSAValue]:
        """The results that overflow for some arguments, as far as is known; and those of calls with such."""
        pending = [r for op in operations_in(self._function) for r in op.results if self._may_overflow(r)]
        if not pending:
            return frozenset()
        found = frozenset[SSAValue](r for r in pending if questions.callee(r.op) is not None)
        for _ in range(limits.OVERFLOW_ROUNDS):
            store = self._stores(found, frozenset())
            new = {r for r in pending if r not in found and not self._fits(store, r)}
            if not new:
                return found
            found |= new
        return frozenset(pending)

    @cached_property
    def untrusting(self) -> BoundsStore | None:
        """The store in which what may overflow is any number; None if nothing may."""
        return self._stores(self.doubtful, frozenset()) if self.doubtful else None

    @cached_property
    def exact(self) -> BoundsStore:
        """The store in which what may overflow is what is left in 64 bits, as far as that is one sum."""
        return self._wrapping(self.doubtful)

    @cached_property
    def by_products(self) -> BoundsStore:
        """The store in which no product overflows, sums are what is left in 64 bits, others any number."""
        return self._wrapping(frozenset(v for v in self.doubtful if not _is_product(v)))

    def _wrapping(self, values: frozenset[SSAValue]) -> BoundsStore:
        """The store in which the sums among VALUES wrap around, each by itself; others are any number."""
        sums = {each for each in values if _is_sum(each)}
        sums.difference_update(*(c for c in components(sums, self._leads_to) if len(c) > 1))
        return self._stores(values - sums, frozenset(sums))

    def _leads_to(self, value: SSAValue) -> Iterator[SSAValue]:
        """What is computed from VALUE in one step, or may be: results, and arguments of blocks."""
        for use in value.uses:
            op, around = use.operation, use.operation.parent_op()
            ends = around is not self._function and op.next_op is None and not op.results
            for each in (op, *((around,) if ends and around is not None else ())):
                yield from each.results
                for block in (
                    *each.successors,
                    *(block for region in each.regions for block in region.blocks),
                ):
                    yield from block.args

    def may_change(self, value: SSAValue) -> bool:
        """Whether VALUE, or what is known where it is computed, may be another one if something overflows.

        What a body of numbers alone computes changes only what is computed from it.
        """
        return self._is_beyond_bodies or value in self._reached

    @cached_property
    def _is_beyond_bodies(self) -> bool:
        return not all(map(_is_in_a_body_of_numbers, self._may_matter))

    @property
    def _may_matter(self) -> frozenset[SSAValue]:
        """What overflows for some arguments, or would if nothing were given."""
        return self.doubtful | self._fits_as_given if self._given else self.doubtful

    @cached_property
    def _reached(self) -> frozenset[SSAValue]:
        """What may overflow, and what is computed from it."""
        found, pending = set(self._may_matter), list(self._may_matter)
        while pending:
            new = set(self._leads_to(pending.pop())) - found
            found |= new
            pending += new
        return frozenset(found)

    def assumption(self, holds_in: Callable[[BoundsStore], bool]) -> str | None:
        """What is assumed by an answer that is given in a store if it HOLDS_IN that; None if nothing is."""

        def holds(store: BoundsStore) -> bool:
            with at_most(limits.OVERFLOW_OPERATIONS):
                return holds_in(store)

        if self.untrusting is None or holds(self.untrusting) or holds(self.exact):
            return None
        if all(map(_is_product, self.doubtful)):
            return PRODUCTS
        return PRODUCTS if self.by_products is not self.exact and holds(self.by_products) else OVERFLOW

    def assumptions(self, holds_in: Callable[[BoundsStore], bool]) -> tuple[str, ...]:
        """What an answer that a store gives if it HOLDS_IN that assumes: of arithmetic, or what is given.

        That is so if arithmetic fits by what is given, and the answer is another one if it does not fit.
        """
        assumed = self.assumption(holds_in)
        if assumed is not None or not self._given:
            return () if assumed is None else (assumed,)
        return self._needed if self._fits_as_given and not holds_in(self._as_if_not_given) else ()

    @cached_property
    def _needed(self) -> tuple[str, ...]:
        """What is given and without which some of them overflow."""
        needless = frozenset[str]()
        for text in self._given:
            if not self._without(needless | {text}).doubtful - self.doubtful:
                needless |= {text}
        return tuple(text for text in self._given if text not in needless)

    @cached_property
    def _fits_as_given(self) -> frozenset[SSAValue]:
        """The results that do not overflow by what is given."""
        return self._without(frozenset(self._given)).doubtful - self.doubtful

    @cached_property
    def _as_if_not_given(self) -> BoundsStore:
        """The store in which those are any numbers."""
        return self._stores(self._fits_as_given, frozenset())

    def assumed_for(self, is_used: Callable[[SSAValue], bool]) -> str | None:
        """What is assumed by an answer for which results that it USES are integers; None if nothing is."""
        used = list(filter(is_used, self.doubtful))
        return None if not used else PRODUCTS if all(map(_is_product, used)) else OVERFLOW

    def _may_overflow(self, result: OpResult) -> bool:
        if result.op is self._function:
            return False
        if questions.callee(result.op) is not None:
            return any(map(_is_machine_arithmetic, operations_called(result.op)))
        return is_wide(result.type) and _is_machine_arithmetic(result.op)

    # -- numbers ---------------------------------------------------------------------------------------

    def _fits(self, store: BoundsStore, result: OpResult) -> bool:
        """Whether RESULT, and whatever its operation adds up for it, have 64 bits wherever it is executed."""
        try:
            stated = questions.value_of_result(result)
            if stated is None or self._wraps(store, result):
                return True  # nothing is said of it, or what is left in 64 bits
            computed = questions.may_overflow(result.op) or ()
            resolved = [store.definitions.resolve(each) for each in computed]
            return all(self._has_64_bits(store, each, result.op) for each in resolved)
        except (NotAffine, BudgetExceeded):
            return False

    @staticmethod
    def _wraps(store: BoundsStore, result: OpResult) -> bool:
        """Whether STORE knows RESULT as the remainder that the machine computes."""
        found = store.value(result)
        whole = [found, *(store.definitions.definition(v).expression for v in _variables(found))]
        atoms = (atom for each in whole if each is not None for atom in each.atoms())
        return any(isinstance(atom, Mod) and atom.divisor == 2 * HALF for atom in atoms)

    def _has_64_bits(self, store: BoundsStore, number: Expression, op: Operation) -> bool:
        def ends(variable: Variable) -> Interval:
            return _of_machine(variable, store.definitions.range(variable))

        if has_64_bits(number, ends):
            return True
        self._asked += 1
        if self._asked > limits.OVERFLOW_RESULTS:
            return False
        numbers = {_NUMBER: number}
        if has_product(number):
            if has_64_bits(number, lambda variable: _of_machine(variable, _bounded(store, variable))):
                return True
            return store.claims.is_proved_of_products(numbers, _INSIDE, op)
        elimination = store.elimination
        met = elimination.definitions.slice_of(elimination.all_variables([number]))
        sizes = [own(v) for v in met if isinstance(v, Dim)]
        small = elimination.conjunction((), [MOST_ELEMENTS - size for size in sizes]).points
        return store.claims.is_beyond(numbers, _OUTSIDE.intersect(small), (op,))


def _is_in_a_body_of_numbers(result: SSAValue) -> bool:
    """Whether RESULT is computed at each point of a structured operation, by operations on scalars alone."""
    block = home(result)
    around = None if block is None else block.parent_op()
    if block is None or around is None or not questions.element_reads.answers(type(around)):
        return False
    values = (value for op in block.ops for value in (*op.operands, *op.results))
    return not any(op.regions for op in block.ops) and not any(isinstance(v.type, _SHAPED) for v in values)


def _is_machine_arithmetic(op: Operation) -> bool:
    """Whether OP computes sums or products; if these are not known, its results are any numbers already."""
    try:
        return bool(questions.may_overflow(op))
    except NotAffine:
        return False


def _is_sum(value: SSAValue) -> bool:
    """Whether VALUE is stated to be a sum of values alone, with factors."""
    stated = stated_number(value)
    return stated is not None and all(isinstance(atom, Value | Dim) for atom, _ in stated.terms)


def _is_product(value: SSAValue) -> bool:
    """Whether VALUE is a product and no sum, or of a call that gets to products alone."""
    if isinstance(value, OpResult) and questions.callee(value.op) is not None:
        inside = (op for op in operations_called(value.op) if _is_machine_arithmetic(op))
        return all(_is_product(result) for op in inside for result in op.results)
    stated = stated_number(value)
    return stated is not None and has_product(stated) and len(stated.terms) == 1 and stated.constant == 0


def _variables(expression: Expression) -> list[Variable]:
    single = expression.single_atom
    return [single] if isinstance(single, Variable) else []


def _bounded(store: BoundsStore, variable: Variable) -> Interval:
    """What STORE proves VARIABLE to lie between."""
    dim = variable.dimension if isinstance(variable, Dim) else None
    found = store.constant_bounds(variable.value, dim)
    return found.lower, found.upper


def _of_machine(variable: Variable, known: Interval) -> Interval:
    """What VARIABLE of KNOWN bounds lies between in the machine."""
    low, high = known
    least, greatest = (0, MOST_ELEMENTS) if isinstance(variable, Dim) else (-HALF, HALF - 1)
    return tightest(low, least, max), tightest(high, greatest, min)
