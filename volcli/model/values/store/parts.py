"""The parts of a store of bounds, each made when it is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from xdsl.ir import BlockArgument, Operation, SSAValue

from volcli.language.expressions import (
    Expression,
)
from volcli.language.programs.blocks import home
from volcli.limits import values as limits
from volcli.model.symbols import entry_of
from volcli.model.values.contexts.contexts import Contexts, ProgramPoint
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.contexts.renaming import Alike
from volcli.model.values.definitions.definitions import Definitions
from volcli.model.values.definitions.resolver import CallResults
from volcli.model.values.definitions.tightness import Tightness
from volcli.model.values.elimination.chains import Chains
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.elimination.recurrences import Recurrences
from volcli.model.values.elimination.texts import Texts
from volcli.model.values.queries.queries import Queries
from volcli.model.values.store.claims import Claims
from volcli.model.values.terms.answers import Bound, ConstantBounds
from volcli.model.values.terms.constraint_set import Kept, Known
from volcli.model.values.terms.executions import NORMAL, Executions
from volcli.model.values.terms.variables import Variable
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS

if TYPE_CHECKING:  # polynomials are imported where something has to do with products
    from volcli.model.values.products.polynomial_bounds import PolynomialBounds
    from volcli.model.values.products.polynomial_claims import PolynomialClaims


class Attained(Protocol):
    """What some executions attain of bounds that hold in all (see `first_iterations.py`)."""

    def numbers(self, expression: Expression, place: ProgramPoint, found: ConstantBounds) -> ConstantBounds:
        """FOUND, of which more is known to be attained."""
        ...

    def side(
        self, expression: Expression, place: ProgramPoint, kept: Kept, found: Bound, known: Known
    ) -> Bound:
        """FOUND, a bound of EXPRESSION of which this is KNOWN; exact if it is attained."""
        ...


class StoreParts(ABC):
    """What the answers of one store are made of; see `BoundsStore`."""

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        executions: Executions = NORMAL,
        *,
        operations: int = DEFAULT_OPERATIONS,
        like: StoreParts | None = None,
        callers: tuple[Operation, ...] = (),
    ) -> None:
        self.function = function
        self.name_of = name_of
        self._executions = executions
        self.operations = operations
        self._like = like
        self._callers = callers
        self.first: Attained | None = None
        """What knows which bounds are attained, where sets do not tell."""

    @cached_property
    def definitions(self) -> Definitions:
        """What each variable is."""
        return Definitions(
            self.function,
            self.name_of,
            self._executions,
            None if self._like is None else self._like.definitions,
            recurrence=lambda: Recurrences(self.elimination),
            calls=self._calls,
            ends=lambda variable: self.elimination.ends(variable),
        )

    @abstractmethod
    def _calls(self) -> CallResults:
        """What called functions return, by stores of theirs."""

    @cached_property
    def elimination(self) -> Elimination:
        """The definitions as sets over few variables."""
        named = self._like.elimination if self._like and self._executions.shares_names else None
        elimination = Elimination(self.definitions, named)
        elimination.begin = self._begin
        return elimination

    def _begin(self, variables: Iterable[Variable], kept: Kept) -> None:
        if self.has_long_chains:
            self.chains.variables(variables, kept)

    @cached_property
    def factors(self) -> Factors:
        """Conditions that hold at places."""
        return Factors(self.elimination)

    @cached_property
    def places(self) -> Contexts:
        """What holds at each place."""
        return Contexts(self.factors, self.operations)

    @cached_property
    def alike(self) -> Alike:
        """Questions that differ in the names of loops alone."""
        return Alike(self.factors, self.places)

    @cached_property
    def texts(self) -> Texts:
        """Expressions and sets as people write them."""
        return Texts(self.elimination, self.name_of)

    @cached_property
    def claims(self) -> Claims:
        """Claims about several numbers."""
        return Claims(self.queries, self.texts, self.leaves(), self.parameters(), lambda: self.polynomials)

    @cached_property
    def tightness(self) -> Tightness:
        """Which ranges are attained, and why others have no ends."""
        return Tightness(self.definitions)

    @cached_property
    def chains(self) -> Chains:
        """Long chains of definitions, evaluated bottom-up."""
        return Chains(self.elimination, self.tightness)

    @property
    def has_long_chains(self) -> bool:
        """Whether the function is so large that recursion along its definitions may be deep."""
        return len(self.definitions.numbering) >= limits.CHAIN_FUNCTION

    @cached_property
    def queries(self) -> Queries:
        """The sets of queries."""
        return Queries(
            self.elimination,
            self.places,
            self.factors,
            self.tightness,
            self.operations,
            lambda c: self.polynomials.satisfied(c),
        )

    @cached_property
    def polynomials(self) -> PolynomialClaims:
        """What is decided where products stop sets."""
        from volcli.model.values.products.polynomial_claims import PolynomialClaims
        from volcli.model.values.products.polynomials import Polynomials

        polynomials = Polynomials(self.elimination, self.factors)
        return PolynomialClaims(polynomials, self.places, self.queries, self.texts)

    @cached_property
    def polynomial_bounds(self) -> PolynomialBounds:
        """Bounds of products."""
        from volcli.model.values.products.polynomial_bounds import PolynomialBounds

        return PolynomialBounds(self.polynomials)

    # -- what may be spoken of -------------------------------------------------------------------------

    def leaves(self) -> Kept:
        """What nothing determines: arguments, loaded values, results of unknown operations."""
        return self.elimination.leaves

    def parameters(self) -> Kept:
        """The leaves that are one number in each run of the function: arguments, and what its body makes."""
        entry = entry_of(self.function)
        return Kept("parameters", lambda v: home(v.value) is entry and self.elimination.is_leaf(v))

    def arguments(self) -> Kept:
        """The function's arguments and their sizes."""
        entry = entry_of(self.function)
        return Kept(
            "arguments",
            lambda v: isinstance(v.value, BlockArgument) and v.value.block is entry,
        )

    @staticmethod
    def these(variables: Iterable[Variable]) -> Kept:
        """Just these VARIABLES."""
        chosen = frozenset(variables)
        return Kept(chosen, chosen.__contains__)

    # -- what is assumed -------------------------------------------------------------------------------

    def ignoring(self, names: frozenset[str]) -> AbstractContextManager[None]:
        """Within the block, what has one of NAMES is not known."""
        return self.places.ignoring(names) if names or self._states else nullcontext()

    def assumed(self) -> list[Factor]:
        """The conditions that hold at all places."""
        return self.places.assumed() if self._states else []

    def stated_in(self, segment: int) -> list[Factor]:
        """What is assumed, asserted in the first block before SEGMENT, or demanded of several variables."""
        return self.places.stated_in(segment) if self._states else []

    @property
    def _states(self) -> bool:
        """Whether something is assumed, or an operation asserts or demands something."""
        # what is assumed, `places` are told
        return "places" in self.__dict__ or any(True for _ in self.definitions.outline.demanding())
