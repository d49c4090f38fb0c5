"""Answers that name the assumptions that they needed: without any one of these, the answer is another.

First the answer is sought without any assumption: most need none. If it differs, assumptions are left out one
after the other, as long as the answer stays the same; what remains is minimal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import NamedTuple, TypeVar

from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, Value
from volcli.language.reads import is_number
from volcli.language.unchanged import operations_in
from volcli.limits import values as limits
from volcli.limits.widths import GREATEST, HALF
from volcli.model.symbols import entry_of
from volcli.model.values.contexts.contexts import ProgramPoint
from volcli.model.values.contexts.factors import Factor
from volcli.model.values.store.first_iterations import FirstIterations
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Bounds, Comparison, Verdict
from volcli.model.values.terms.assumptions import Assumption
from volcli.model.values.terms.executions import FIRST_ITERATIONS, NORMAL, UNIT_STEPS, UNTRUSTED, machine
from volcli.model.values.terms.ranges import Interval, tightest
from volcli.model.values.terms.variables import Variable, is_wide, natural_range, own
from volcli.model.values.trust.arithmetic import PRODUCTS, Arithmetic
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS

R = TypeVar("R")


class _Asked(NamedTuple):
    """A question for bounds: of VALUE, or its size DIM, AT an operation or where it is defined."""

    value: SSAValue
    dim: int | None
    at: Operation | None
    place: ProgramPoint
    expression: Expression


class Assuming:
    """The bounds of a function under ASSUMPTIONS about its arguments; `store` takes all for true.

    With a KNOWN store, which takes all for true, too, there is no other one.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        assumptions: Sequence[Assumption],
        operations: int = DEFAULT_OPERATIONS,
        known: BoundsStore | None = None,
    ) -> None:
        self._operations = operations
        self._function = function
        self._new = partial(BoundsStore, function, name_of, operations=operations)
        self._assumptions = assumptions
        self._known: dict[object, Bounds] = {}
        self._alike: dict[Hashable, Bounds] = {}
        self._stores: dict[frozenset[str], BoundsStore] = {}
        self._numbering: BoundsStore | None = None
        self._fixed = known
        self.store = self._store(frozenset())
        self._ranks = {assumption.text: rank for rank, assumption in enumerate(assumptions)}
        self._ranges = frozenset(a.text for a in assumptions if a.facts())
        self._supposed: dict[Variable, list[str]] = {}
        for assumption in assumptions:
            for variable in assumption.facts():
                self._supposed.setdefault(variable, []).append(assumption.text)

    def _store(self, without: frozenset[str]) -> BoundsStore:
        """The store that knows all assumptions but those that have these texts."""
        known = self._stores.get(without) if self._fixed is None else self._fixed
        if known is None:
            known = self._new(UNTRUSTED if PRODUCTS in without else NORMAL, like=self._numbering)
            self._numbering = self._numbering or known
            supposed = [a for a in self._assumptions if a.text not in without]
            suppose(known, supposed)
            first = cache(lambda: self._of_first(known, supposed))
            known.first = FirstIterations(known, first, self._operations)
            if len(self._stores) == limits.ASSUMING_STORES:
                self._stores.pop(next(key for key in self._stores if key))
            self._stores[without] = known
        return known

    def _of_first(self, like: BoundsStore, assumptions: Sequence[Assumption]) -> BoundsStore:
        """The store of the executions in which loops whose steps are values are in their first iteration."""
        found = self._new(FIRST_ITERATIONS, like=like)
        suppose(found, assumptions)
        return found

    def ranges(self, without: frozenset[str]) -> Iterator[Assumption]:
        """The assumptions that say between which numbers arguments lie, but for those called WITHOUT."""
        return (a for a in self._assumptions if a.text in self._ranges and a.text not in without)

    def supposed_by(self, variable: Variable, fact: Expression) -> str | None:
        """The assumption that says that FACT, of the argument VARIABLE alone, is at least 0."""
        each = (a.text for a in self._assumptions if fact in a.facts().get(variable, ()))
        return next(each, None)

    def narrowed(self, numbers: Mapping[Variable, int]) -> BoundsStore:
        """The store of the executions in which arguments are NUMBERS, under all assumptions.

        Without any, those in which loops have unit steps.
        """
        found = self._new(NORMAL if numbers else UNIT_STEPS, like=self.store)
        for variable, number in numbers.items():
            found.definitions.fix(variable, number)
        suppose(found, self._assumptions)
        return found

    @cached_property
    def arithmetic(self) -> Arithmetic:
        """Which arithmetic of the function may overflow, under all assumptions."""
        texts = tuple(each.text for each in self._assumptions)

        def without(needless: frozenset[str]) -> Arithmetic:
            kept = [each for each in self._assumptions if each.text not in needless]
            return Assuming(self._function, self.store.name_of, kept, self._operations).arithmetic

        return Arithmetic(self._function, self._machine, texts, without)

    def _machine(self, unknown: frozenset[SSAValue], wrapping: frozenset[SSAValue]) -> BoundsStore:
        """The store, under all assumptions, in which UNKNOWN are any numbers, and WRAPPING have 64 bits."""
        if not unknown and not wrapping:
            return self.store
        found = self._new(machine(unknown, wrapping), like=self.store)
        suppose(found, self._assumptions)
        if wrapping:
            self._suppose_64_bits(found)
        return found

    def _suppose_64_bits(self, store: BoundsStore) -> None:
        """Let STORE know that numbers among the arguments have 64 bits, where nothing is supposed of them."""
        for value in entry_of(self._function).args:
            number = Value(value)
            if is_number(value) and is_wide(value.type) and number not in self._supposed:
                facts = own(number) + HALF, GREATEST - own(number)
                store.definitions.suppose(number, number, facts)

    # -- answers -------------------------------------------------------------------------------------------

    def bounds(self, value: SSAValue, dim: int | None = None, *, at: Operation | None = None) -> Bounds:
        """Both sides of VALUE, or of its size DIM, in terms of the leaves."""
        expression = self.store.value(value, dim)
        place: ProgramPoint = value if at is None else at
        if self.store.definitions.is_long and self.store.is_given_up(expression):
            found = self.store.bounds_of(expression, place, self.store.leaves(), is_size=dim is not None)
            if not found.never:
                return found  # an interval rests on no assumption
        asked = _Asked(value, dim, at, place, expression)
        if self.store.places.block(place) in self._function.regions[0].blocks:
            return self._found(asked)  # no loop is around it
        question = self.store.alike.question(expression, place)
        known = self._alike.get((question.key, dim is None))
        if known is None:
            known = self._found(asked)
            if self.store.alike.is_without(known, question):
                self._alike[question.key, dim is None] = known
        return known

    def _found(self, asked: _Asked) -> Bounds:
        expression, place = asked.expression, asked.place
        conflict = self.store.queries.reached((place,)).conflict
        if conflict and self.store.is_given_up(expression):
            if conflict not in self._known:  # where a place is never reached, the same is known of each
                self._known[conflict] = self._bounds(asked, conflict)
            return self._known[conflict]
        factors = conflict or tuple(self.store.places.relevant((expression,), (place,)))
        # What is not known exactly may relate to what nothing else does: then all that holds there counts.
        held = (
            self.store.places.context((place,)) if self.store.is_doubtful(expression, place, factors) else ()
        )
        key = expression, self.store.places.block(place), factors, held
        if key not in self._known:
            self._known[key] = self._bounds(asked, factors)
        return self._known[key]

    def _bounds(self, asked: _Asked, factors: Sequence[Factor]) -> Bounds:
        value, dim, at, place, expression = asked
        names = frozenset(self._names((expression,), factors))
        found = self.store.bounds(value, dim, at=at)
        if not names or _says_nothing(found, value, dim):
            return found
        is_reached = not self.store.queries.reached((place,)).never
        if (
            is_reached
            and not names & {*self._ranges, PRODUCTS}
            and self.store.is_as_without(names, expression, place)
        ):
            return found
        found, needed = self.ask(
            lambda store: store.bounds(value, dim, at=at), (expression,), (place,), _content_of_bounds
        )
        return replace(found, assumptions=needed) if needed else found

    def comparison(
        self,
        query: Callable[[BoundsStore], Comparison],
        expressions: Sequence[Expression],
        places: Sequence[ProgramPoint],
    ) -> Comparison:
        """The answer of QUERY, which is about EXPRESSIONS at PLACES."""
        found, needed = self.ask(query, expressions, places, _content_of_comparison)
        is_known = found.verdict is not Verdict.UNKNOWN
        return replace(found, assumptions=needed) if needed and is_known else found

    def ask(
        self,
        query: Callable[[BoundsStore], R],
        expressions: Sequence[Expression],
        places: Sequence[ProgramPoint],
        content: Callable[[R], object],
    ) -> tuple[R, tuple[str, ...]]:
        """The answer of QUERY, about EXPRESSIONS at PLACES; and the assumptions that its CONTENT needs."""
        found = query(self.store)
        relevant = self.store.places.relevant(expressions, places)
        names = self._names(expressions, [*relevant, *self.store.queries.reached(places).conflict])
        if not names:
            return found, ()
        wanted = content(found)
        needless = frozenset(names)
        if content(self._without(needless, query)) == wanted:
            return found, ()
        needless = frozenset[str]()
        for name in sorted(names, key=lambda each: each != PRODUCTS):  # what is a fact is the better reason
            if len(names) > 1 and content(self._without(needless | {name}, query)) == wanted:
                needless |= {name}
        return found, tuple(name for name in names if name not in needless)

    def _without(self, names: frozenset[str], query: Callable[[BoundsStore], R]) -> R:
        store = self.store_without(names)
        with store.places.ignoring(names):
            return query(store)

    def store_without(self, names: frozenset[str]) -> BoundsStore:
        """The store for what is known without NAMES; conditions with them are yet to be ignored in it."""
        supposed = {name for texts in self._supposed.values() for name in texts} | {PRODUCTS}
        return self._store(names & supposed)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all assumptions, and of all operations that assert or assume something."""
        asserting = (op for op in operations_in(self._function) if questions.assumptions.answers(type(op)))
        asserted = (self.store.factors.name(op) for op in asserting if op is not self._function)
        return frozenset((*(each.text for each in self._assumptions), *asserted))

    def _names(self, expressions: Sequence[Expression], factors: Sequence[Factor]) -> list[str]:
        """The assumptions that have to do with EXPRESSIONS where FACTORS hold."""
        names = dict.fromkeys(factor.name for factor in factors if factor.name is not None)
        if self._supposed:
            variables: Iterable[Variable] = self.store.elimination.all_variables(expressions)
            variables = [*variables, *(v for factor in factors for v in factor.variables)]
            for variable in self.store.definitions.slice_of(variables):
                names.update(dict.fromkeys(self._supposed.get(variable, ())))
        said = [*expressions, *(e for f in factors for c in f.condition for e in c)]
        if self.store_without(frozenset(names)).outgrows(said):
            names[PRODUCTS] = None
        return sorted(names, key=lambda name: self._ranks.get(name, len(self._ranks)))


def suppose(store: BoundsStore, assumptions: Sequence[Assumption]) -> None:
    """Let STORE, of which nothing was asked yet, know ASSUMPTIONS."""
    facts: dict[Variable, tuple[Expression, ...]] = {}
    for assumption in assumptions:
        for variable, known in assumption.facts().items():
            facts[variable] = (*facts.get(variable, ()), *known)
    open_facts = {v: f for v, f in facts.items() if _is_open(store, v, f)}
    for variable, known in open_facts.items():
        because = f"{store.name_of(variable.value)} is an argument of the function"
        store.definitions.suppose(variable, variable, known, because)
    for assumption in assumptions:
        if not assumption.facts().keys() or not assumption.facts().keys() <= open_facts.keys():
            store.places.assume(assumption.text, assumption.condition)


def _is_open(store: BoundsStore, variable: Variable, facts: Sequence[Expression]) -> bool:
    """Whether VARIABLE is not a number of the type, and FACTS, `x - c` and `c - x`, leave it some value."""
    least, greatest = natural_range(variable)
    low = max((-f.constant for f in facts if f.terms[0][1] == 1), default=None)
    high = min((f.constant for f in facts if f.terms[0][1] == -1), default=None)
    low, high = tightest(low, least, max), tightest(high, greatest, min)
    is_possible = low is None or high is None or low <= high
    return is_possible and store.definitions.linear(variable).single_atom == variable


def ends_of_type(value: SSAValue, dim: int | None) -> Interval:
    """What VALUE, or its size DIM, lies between because of its type."""
    if dim is None and is_wide(value.type):
        return -HALF, GREATEST
    return (0, None) if dim is not None else natural_range(Value(value))


def _says_nothing(found: Bounds, value: SSAValue, dim: int | None) -> bool:
    """Whether FOUND of VALUE says no more than its type does, which holds without any assumption."""
    natural = ends_of_type(value, dim)
    if found.never or found.equal is not None:
        return False
    return all(
        side.expression is None and not side.constant_exact and side.constant in (None, end)
        for side, end in zip((found.lower, found.upper), natural, strict=True)
    )


def _content_of_comparison(found: Comparison) -> object:
    return found.verdict, found.never, found.because if found.never else None


def _content_of_bounds(found: Bounds) -> object:
    if found.never:
        return found.lower.because
    sides = [(side.expression, side.constant, side.exact) for side in (found.lower, found.upper)]
    return found.never, found.equal, *sides
