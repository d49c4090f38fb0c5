"""Whether two functions with the same arguments compute alike: from which inputs, and in how many ways.

Two outputs are alike if each of their elements has paths to the same elements of inputs, as many to each, and
to the same constants. That is not a statement about arithmetic: `x + y` and `x * y` are alike. Where elements
of inputs differ, the outputs do, and one such element is the witness. Where only constants or numbers of
paths differ, arithmetic may make up for it (`x + x` and `2 * x`): that is unknown, but for copies.

A program may leave out what is multiplied by a structural zero, and the other one not: then the first needs
no more than the second one reads, and reads no less than that one needs (`alive`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

import islpy as isl
from xdsl.dialects.builtin import ShapedType

from volcli.equivalence.backward.function import Asked, FunctionSources, Output
from volcli.equivalence.backward.requirements import OperationNeeds
from volcli.equivalence.comparing.given import begun_alike, of_other_nan, of_other_sizes
from volcli.equivalence.comparing.outputs import Compared, Outputs, left_out
from volcli.equivalence.comparing.signatures import fits, takes_the_same
from volcli.equivalence.comparing.written import Names, written
from volcli.equivalence.places.defined import Equation, equal
from volcli.equivalence.proofs.goals import Pair
from volcli.equivalence.proofs.lockstep import Lockstep, ShownSources
from volcli.equivalence.proofs.termwise import TermLevel
from volcli.equivalence.results.bodies import Live, all_points
from volcli.equivalence.results.same import is_same
from volcli.facts.levels import (
    ARITHMETIC,
    BY_SOURCES,
    EXACT_SUMS,
    OPERATIONS,
    SOURCES,
    SUMS,
    TEXTS,
    Comparing,
)
from volcli.language.expressions import NotAffine
from volcli.language.memory import is_memref
from volcli.model.values.terms.answers import Verdict
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget
from volcli.presburger.sets import build


@dataclass(frozen=True)
class AskedLevel:
    """The level at which outputs are to be equal; `names` are those of values before and after, for texts.

    Functions that are `congruent` do the same things in the same order.
    """

    comparing: Comparing = BY_SOURCES
    names: Names | None = None
    congruent: bool = False


class OutputPairs:
    """The outputs of a function BEFORE and AFTER some change, one by one.

    They are compared for the parameters in DEFINED, those for which operations of BEFORE do not fail.
    """

    def __init__(
        self,
        before: FunctionSources,
        after: FunctionSources,
        operations: int = DEFAULT_OPERATIONS,
        live: tuple[Live, Live] | None = None,
        defined: isl.Set | None = None,
        asked: AskedLevel | None = None,
    ) -> None:
        self._asked = asked or AskedLevel()
        self._defined = defined
        self._before = before
        self._after = after
        self._operations = operations
        self._live = live
        self._alive = cache(lambda: self._sides(alive=True))
        self._lockstep = cache(self._to_operations)
        self._context = cache(self._find_context)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answers rest on."""
        return tuple(dict.fromkeys((*self._before.assumptions(), *self._after.assumptions())))

    def all(self) -> list[Compared]:
        """The results, and the buffers among the arguments that either of them writes."""
        try:
            paired = list(self._pairs())
        except NotAffine as error:
            return [Compared("signature", Verdict.UNKNOWN, str(error))]
        if self._asked.congruent or is_same(self._before.function, self._after.function):
            return [Compared(name, Verdict.PROVED, level=OPERATIONS) for name, _, _ in paired]
        found = [self._compared(*each) for each in paired]
        if (because := of_other_nan(self._before, self._after)) is not None:
            doubted = {"verdict": Verdict.UNKNOWN, "reason": because}
            found = [replace(c, **doubted) if c.verdict is Verdict.PROVED else c for c in found]
        return [*found, *self._effects()]

    def _effects(self) -> Iterator[Compared]:
        """What else the functions do is not compared."""
        sides = (("before", self._before.effects), ("after", self._after.effects))
        because = next((f"{side}: {effects}" for side, effects in sides if effects is not None), None)
        if because is not None:
            yield Compared("effects", Verdict.UNKNOWN, because)

    def _pairs(self) -> Iterator[tuple[str, Asked, Asked]]:
        """The outputs of both programs that are to be alike. Raises NotAffine if it is not clear which."""
        old, new = self._before, self._after
        extra = len(new.arguments) - len(old.arguments)
        if extra < 0 or not all(map(takes_the_same, old.arguments, new.arguments)):
            raise NotAffine("the arguments are of other types")
        into = [k for k, value in enumerate(old.results) if isinstance(value.type, ShapedType)]
        if extra and (extra != len(into) or len(new.results) != len(old.results) - extra):
            raise NotAffine("there are other arguments")
        if not extra and len(new.results) != len(old.results):
            raise NotAffine("there are other results")
        returned = [k for k in range(len(old.results)) if not extra or k not in into]
        same = [(k, Asked(True, position)) for position, k in enumerate(returned)]
        if extra:
            same += [(k, Asked(False, len(old.arguments) + position)) for position, k in enumerate(into)]
        for k, asked in sorted(same, key=lambda pair: pair[0]):
            if not fits(old.results[k], new.value(asked)):
                raise NotAffine("the results are of other types")
            yield f"result {k}", Asked(True, k), asked
        for k, (one, other) in enumerate(zip(old.arguments, new.arguments, strict=False)):
            if is_memref(one) and is_memref(other) and (old.writes(k) or new.writes(k)):
                yield f"argument {k}", Asked(False, k), Asked(False, k)

    def _sides(self, *, alive: bool, to_operations: bool = False) -> tuple[FunctionSources, FunctionSources]:
        """Both functions, perhaps of what contributes alone."""
        live = self._live if alive and self._live is not None else (all_points, all_points)
        old, new = (
            FunctionSources(each.function, self._operations, points, to_operations=to_operations)
            for each, points in zip((self._before, self._after), live, strict=True)
        )
        return old, new

    def _to_operations(self, *, alive: bool) -> Lockstep:
        sides = self._sides(alive=alive, to_operations=True)
        return Lockstep(*sides, self._context(), self._operations)

    def _has_dead_points(self) -> bool:
        """Whether a structured operation of one of the functions has points that do not contribute.

        All are asked, the first one first: what is known of one is made from what is known of those before.
        """
        sides = zip((self._before, self._after), self._live or (), strict=False)
        found = [live(op) is not None for side, live in sides for op in side.function.walk()]
        return any(found)

    def goals(self) -> Mapping[Pair, isl.Map]:
        """Which points of operations of both functions make equal elements, as far as outputs need them."""
        lockstep = self._lockstep(alive=False)
        for _, old, new in self._pairs():
            lockstep.shown(old, new)
        return lockstep.goals

    def _shown(self, old: Asked, new: Asked) -> ShownSources | None:
        """That the outputs are equal, operation by operation, perhaps without what contributes nothing."""
        found = self._lockstep(alive=False).shown(old, new)
        if found is None and self._has_dead_points():
            found = self._lockstep(alive=True).shown(old, new)
        return found

    def _compared(self, name: str, old: Asked, new: Asked) -> Compared:
        try:
            with budget(self._operations):
                found = of_other_sizes(name, (self._before, self._after), (old, new), self._context())
        except (NotAffine, BudgetExceeded):
            found = None  # nothing is known of the elements either
        if found is not None:
            return found
        if (shown := self._shown(old, new)) is not None:
            because = left_out(shown.undefined, or_uses=shown.uses_undefined)
            return Compared(name, Verdict.PROVED, because, level=OPERATIONS)
        if not self._asked.comparing.accepts(ARITHMETIC) and self._asked.comparing.accepts(SOURCES):
            return self._as_asked(self._by_sources(name, old, new))
        level, shown = self._shown_by_terms(old, new)
        if shown is None:
            return self._as_asked(self._by_sources(name, old, new))
        because = left_out(shown.undefined, or_uses=shown.uses_undefined)
        if self._asked.comparing.accepts(level):
            return Compared(name, Verdict.PROVED, because, level=level)
        because = f"{TEXTS[level]}, which is equal with --reassociate"
        return Compared(name, Verdict.UNKNOWN, because, level=level)

    def _shown_by_terms(self, old: Asked, new: Asked) -> tuple[str, ShownSources | None]:
        """The highest level below the same operations at which the outputs are shown to be equal."""
        lockstep = self._lockstep(alive=False)
        if (found := lockstep.shown(old, new, TermLevel())) is not None:
            return OPERATIONS, found
        if (found := lockstep.shown(old, new, TermLevel(sums=True))) is not None:
            return EXACT_SUMS if found.is_exact else SUMS, found
        if self._asked.comparing.level == ARITHMETIC:
            found = lockstep.shown(old, new, TermLevel(arithmetic=True, sums=True))
            return ARITHMETIC if found is None or found.is_exact else SUMS, found
        return SOURCES, None

    def _as_asked(self, found: Compared) -> Compared:
        """FOUND, of sources, as an answer at the level that is asked for."""
        if found.verdict is not Verdict.PROVED:
            return found
        if self._asked.comparing.accepts(SOURCES):
            return replace(found, level=SOURCES)
        return replace(found, verdict=Verdict.UNKNOWN, level=SOURCES, reason=self._other_operations())

    def _other_operations(self) -> str:
        """The first operations that are not the same."""
        mismatch = self._lockstep(alive=False).mismatch
        if mismatch is None:
            return "the same sources; it is not shown that the same operations make it"
        old, new = written(mismatch, self._asked.names)
        return f"the same sources; operations differ: {old} before, {new} after"

    def _by_sources(self, name: str, old: Asked, new: Asked) -> Compared:
        """Whether the elements of the outputs are computed from the same elements."""
        before, after = self._before.output(old), self._after.output(new)
        freed = not new.is_result and self._after.frees(new.position)
        found = self._of(name, before, after, None, freed=freed)
        if found.difference is not None and self._live is not None:
            sides = self._alive()
            found = self._of(name, before, after, (sides[0].output(old), sides[1].output(new)), freed=freed)
        if found.verdict is Verdict.REFUTED and not old.is_result and self._before.may_free(old.position):
            return Compared(name, Verdict.UNKNOWN, "before: it may be freed where that is not known")
        return found

    def _of(
        self,
        name: str,
        before: Output,
        after: Output,
        alive: tuple[Output, Output] | None,
        *,
        freed: bool,
    ) -> Compared:
        live = (before, after) if alive is None else alive
        for which, output in (("before", before), ("after", after), ("before", live[0]), ("after", live[1])):
            if output.elements is None:
                return Compared(name, Verdict.UNKNOWN, f"{which}: {output.because}")
        try:
            with budget(self._operations):
                found = Outputs(name, before, after, self._context(), live, freed=freed).compared()
        except NotAffine as error:
            return Compared(name, Verdict.UNKNOWN, str(error))
        except BudgetExceeded as error:
            return Compared(name, Verdict.UNKNOWN, error.reason)
        if found.verdict is Verdict.REFUTED and not self._before.needs.are_met(found.where):
            return Compared(name, Verdict.UNKNOWN, "it differs where sizes may not be what operations need")
        return found if found.difference is None else begun_alike(found, self._before, self._after)

    @property
    def context(self) -> isl.Set:
        """The parameters for which the answers are given. Raises NotAffine and BudgetExceeded."""
        return self._context()

    def _find_context(self) -> isl.Set:
        """The parameters for which the first function is defined, and `needed` is true. Raises NotAffine."""
        return self._defined_before.intersect(equal(self.needed))

    @cached_property
    def _defined_before(self) -> isl.Set:
        """The parameters that the arguments of both may be, and for which the first one is defined."""
        before = self._before
        found = before.context.intersect(self._after.context).intersect(before.needs.affine)
        for each in OperationNeeds(before.function, before.backward, self._operations).all():
            if each.fails is not None and each.exact:
                found = found.subtract(each.fails)
        found = found if self._defined is None else found.intersect(self._defined)
        for one, other in zip(before.arguments, self._after.arguments, strict=False):
            for old, new in zip(before.sizes(one), self._after.sizes(other), strict=True):
                found = found.intersect(build.equal(old, new))
        return found

    @cached_property
    def needed(self) -> tuple[Equation, ...]:
        """What the operations of the second function need of sizes, and those of the first one do not."""
        new = [each for each in self._after.fitting if each not in self._before.fitting]
        if not new:
            return ()
        try:
            before = self._defined_before
            return tuple(each for each in new if not before.is_subset(equal([each])))
        except NotAffine:
            return tuple(new)
