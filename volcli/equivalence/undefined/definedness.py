"""For which arguments AFTER is undefined, and BEFORE is not.

With D the arguments for which BEFORE is defined and F those for which AFTER is not, AFTER refines BEFORE only
if no argument is in both. Each is enclosed: BEFORE is undefined at least where its operations `surely` fail,
and AFTER at most where they may.

    before: affine.for %i = 0 to %n { arith.divsi %x, %y }       undefined for n >= 1, y = 0
    after:  the division in front of the loop                    undefined for y = 0: new for n = 0, y = 0

What data decides is undefined in both where both execute the same operations on the same operands
(`matching`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import islpy as isl
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from volcli.equivalence.backward.function import FunctionSources
from volcli.equivalence.backward.requirements import OperationNeed, OperationNeeds
from volcli.equivalence.comparing.matching import MatchedOperations
from volcli.equivalence.paths.points import parameters, sample
from volcli.equivalence.undefined.accesses import OutOfBounds, out_of_bounds
from volcli.language.interface import operation_name
from volcli.language.programs.known_loops import is_while
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import is_assertion
from volcli.model.symbols import entry_of
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True)
class NewlyUndefined:
    """The operation OP of AFTER is undefined where BEFORE is defined; for the arguments `at`, if it is shown.

    Without these it only may be.
    """

    op: Operation
    at: tuple[tuple[str, int], ...] | None
    reason: str


class Definedness:
    """For which arguments a function is defined, as far as its operations say."""

    def __init__(self, model: FunctionModel, operations: int) -> None:
        self.model = model
        self.function = model.followed.function
        self._operations = operations
        is_copy = self.function is not model.function
        self._as_inlined = (
            FunctionModel(self.function, model.name_of, operations=model.operations) if is_copy else model
        )

    @cached_property
    def sources(self) -> FunctionSources:
        return FunctionSources(self.function, self._operations)

    @cached_property
    def requirements(self) -> list[OperationNeed]:
        """What its operations need, where that does not hold for all arguments."""
        found = OperationNeeds(self.function, self.sources.backward, self._operations).all()
        return [each for each in found if (each.fails is not None and each.exact) or not self._is_met(each)]

    def _is_met(self, requirement: OperationNeed) -> bool:
        """Whether what an operation needs is proved of products where it runs."""
        claims = self._as_inlined.memory.bounds.claims
        return bool(requirement.needs) and all(
            any(
                all(claims.is_proved_of_products({"x": each}, _NOT_NEGATIVE, requirement.op) for each in part)
                for part in need
            )
            for need in requirement.needs
        )

    @cached_property
    def accesses(self) -> OutOfBounds:
        return out_of_bounds(self._as_inlined, self._operations)

    @cached_property
    def possible(self) -> isl.Set:
        """The arguments of calls: no size is negative, and integers have their bits."""
        found = self.sources.context
        for position, argument in enumerate(entry_of(self.function).args):
            kind = argument.type
            if isinstance(kind, IntegerType) and kind.bitwidth > 1:
                name, half = f"a{position}", 2 ** (kind.bitwidth - 1)
                found = found.intersect(isl.Set(f"[{name}] -> {{ : {-half} <= {name} < {half} }}"))
        return found

    def defined_at_most(self) -> isl.Set:
        """The arguments for which no operation surely fails."""
        found = self.possible.intersect(self.sources.needs.affine).subtract(self.accesses.surely)
        for each in self.requirements:
            if each.fails is not None and each.exact:
                found = found.subtract(each.fails)
        return found

    def defined_at_least(self) -> isl.Set | None:
        """The arguments for which it is defined whatever the data is; None if that is not known."""
        needs, ops = self.sources.needs, list(self.function.walk())
        stated_of = any("volcli.assume" in each for each in _attributes(self.function))
        is_assumed = bool(self.model.assumptions) or stated_of
        if self.accesses.unknown or needs.others or is_assumed or any(map(is_while, ops)):
            return None
        found = self.possible.intersect(needs.affine).subtract(self.accesses.may)
        for each in self.requirements:
            if each.fails is None:
                return None
            found = found.subtract(each.fails)
        return found


class NewUndefinedness:
    """What is undefined in AFTER and not in BEFORE."""

    def __init__(self, before: Definedness, after: Definedness, operations: int) -> None:
        self._before = before
        self._after = after
        self._operations = operations

    def found(self) -> Iterator[NewlyUndefined]:
        """The operations that may be, or are; those that are shown first."""
        yield from self._out_of_bounds()
        yield from self.needing()

    def _out_of_bounds(self) -> Iterator[NewlyUndefined]:
        bounds = self._after.accesses
        if not bounds.unknown and bounds.may.is_empty():
            return
        new = bounds.may.intersect(self._context)
        if bounds.example is not None and not new.is_empty():
            shown = self._shown(bounds.surely) if self._is_surely_reached() else None
            if shown is not None or not all(map(self.matching.is_executed, bounds.known)):
                yield NewlyUndefined(bounds.example.site.op, shown, "is out of bounds")
        for op in bounds.unknown:
            if not self.matching.is_executed(op):
                yield NewlyUndefined(op, None, "may be out of bounds")

    def needing(self) -> Iterator[NewlyUndefined]:
        """Those that need something of their operands, as divisors and steps; accesses apart."""
        for each in self._after.requirements:
            fails = None if each.fails is None else each.fails.intersect(self._context)
            if (fails is not None and fails.is_empty()) or self.matching.is_executed(each.op):
                continue
            reaches = self._is_surely_reached()
            shown = self._shown(each.fails) if reaches and each.exact and each.fails is not None else None
            verb = "fails" if is_assertion(each.op) else "is undefined"
            yield NewlyUndefined(each.op, shown, verb if shown is not None else f"may be so that it {verb}")

    @cached_property
    def matching(self) -> MatchedOperations:
        """What both execute, where BEFORE may be defined. Raises NotAffine and BudgetExceeded."""
        return MatchedOperations(self._before.function, self._after.function, self._context, self._operations)

    def reversed_matching(self) -> MatchedOperations:
        """What AFTER executes whenever BEFORE does. Raises NotAffine and BudgetExceeded."""
        return MatchedOperations(self._after.function, self._before.function, self._context, self._operations)

    @cached_property
    def _context(self) -> isl.Set:
        """The arguments for which BEFORE may be defined, and of which AFTER can be called."""
        found = self._before.defined_at_most().intersect(self._after.possible)
        return self._same_sizes(found)

    def _same_sizes(self, found: isl.Set) -> isl.Set:
        """FOUND where sizes are those of the types of both programs' arguments."""
        old, new = self._before.sources, self._after.sources
        for one, other in zip(old.arguments, new.arguments, strict=False):
            for left, right in zip(old.sizes(one), new.sizes(other), strict=False):
                found = found.intersect(build.equal(left, right))
        return found

    def _is_surely_reached(self) -> bool:
        """Whether nothing in AFTER may end it, or run for ever, before something fails; data apart."""
        ops = list(self._after.function.walk())
        return not any(is_while(op) for op in ops)

    def _shown(self, surely: isl.Set) -> tuple[tuple[str, int], ...] | None:
        """Arguments for which AFTER surely fails, and BEFORE is defined."""
        defined = self._before.defined_at_least()
        if defined is None:
            return None
        found = self._same_sizes(surely.intersect(defined).intersect(self._after.possible))
        return None if found.is_empty() else parameters(_plain(found))


def _attributes(function: Operation) -> Iterator[str]:
    """The names of the attributes of FUNCTION, and what its arguments have, as text."""
    yield from function.attributes
    yield from map(str, function.properties.values())


def _plain(points: isl.Set) -> isl.Point:
    """One of POINTS, near to 0."""
    for position in range(points.dim(DIM.param)):
        for least in (0, -16):
            small = points.lower_bound_val(DIM.param, position, build.number(least))
            small = small.upper_bound_val(DIM.param, position, build.number(16))
            if not small.is_empty():
                points = small
                break
    return sample(isl.Set.from_params(points))


_NOT_NEGATIVE = isl.Set("[x] -> { : x >= 0 }")


def quoted(op: Operation) -> str:
    """The name of OP, as messages have it."""
    return f"'{operation_name(op)}' op"
