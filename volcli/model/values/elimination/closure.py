"""All states that a step leads to, after any number of steps: exactly where that can be said.

With a step R and first states S, these are `S + R(S) + R(R(S)) + ...`, found by

    returning states                  if S_{k+p} is S_k but for what counts (`returning.py`)
    the transitive closure of R       where isl finds it exactly: translations, saturation, choices among them
    that of R * R, or of R * R * R    what swaps two values, or counts 5 - a, is the same after two steps
    one step after the other          if nothing is new after a few

and if none does, a set that contains them: isl's approximate closure, as far as S and the image of R reach.

What R says of parameters alone, that a limit has 64 bits, holds for all steps or for none: where its numbers
are large, it is left out, and put back at the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import islpy as isl

from volcli.limits import values as limits
from volcli.limits.widths import HUGE, LARGE
from volcli.model.values.elimination.returning import returning
from volcli.model.values.elimination.wrapping import before_wrapping, is_least
from volcli.model.values.terms.constraint_set import Known, simple
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM

_POWERS = (2, 3)
_NO_CLOSED_FORM = "the values that its loop carries have no closed form"


def reachable(first: isl.Set, step: isl.Map, steps: int | None, attempts: int) -> Known:
    """What any number of STEPs makes of the FIRST states; they are at most so many STEPS, if that is known.

    ATTEMPTS is how many steps are taken one after the other, if nothing better is found.

    >>> first, step = isl.Set("{ [0] }"), isl.Map("{ [a] -> [a + 3] : a < 10 }")
    >>> str(reachable(first, step, None, 8).points)
    '{ [i0] : (i0) mod 3 = 0 and 0 <= i0 <= 12 }'
    """
    if steps == 0:
        return Known(first)
    largest = _largest(step)
    if largest > LARGE:
        within = step.params()
        inside = _gist(step, within)
        if inside is not None and _largest(inside) < largest:
            known = reachable(first, inside, steps, attempts)
            return Known(first.union(known.points.intersect_params(within)), known.exact, known.because)
    if largest >= HUGE:
        return _after_a_step(first, step)
    is_wide = largest > LARGE
    operations = limits.WIDE_CLOSURE_OPERATIONS if is_wide else limits.CLOSURE_OPERATIONS
    few = steps is not None and steps <= limits.UNROLLED_STEPS
    found = _iterated(first, step, steps, limits.UNROLLED_STEPS, operations) if few else None
    if is_wide:
        found = found or _before_wrapping(first, step, steps, attempts)
    closure = _Closure(step, limits.WIDE_CLOSURE_STEP if is_wide else limits.CLOSURE_STEP)
    found = found or _returning(first, step, operations) or _accelerated(first, closure)
    if found is None and not few and (steps is None or steps <= attempts):
        found = _iterated(first, step, steps, attempts, operations)
    return found or _contained(first, closure)


class ReachableStates:
    """What is reachable, found once for the same states and the same step, as isl has them.

    Until a loop's states are known, their equations are solved in rounds, and most rounds ask the same again.
    """

    def __init__(self) -> None:
        self._found: defaultdict[Hashable, list[tuple[isl.Set, isl.Map, Known]]] = defaultdict(list)

    def of(self, first: isl.Set, step: isl.Map, steps: int | None, attempts: int) -> Known:
        """`reachable`, as it was found before if it was."""
        alike = self._found[hash(first), hash(step), steps, attempts]
        known = self._before(first, step, alike)
        if known is None:
            known = reachable(first, step, steps, attempts)
            alike.append((first, step, known))
        return known

    @staticmethod
    def _before(
        first: isl.Set, step: isl.Map, alike: Sequence[tuple[isl.Set, isl.Map, Known]]
    ) -> Known | None:
        """What was found for FIRST and STEP, if they are among those that are ALIKE by their hashes."""
        return next(
            (
                known
                for states, relation, known in alike
                if states.plain_is_equal(first) and relation.plain_is_equal(step)
            ),
            None,
        )


def _gist(step: isl.Map, within: isl.Set) -> isl.Map | None:
    """What STEP says beside that its parameters are WITHIN; None if that costs too much.

    Of two parts with numbers of 64 bits 8,000 operations take 0.04 s, and all of them 13 s.
    """
    try:
        with budget(limits.WIDE_CLOSURE_STEP):
            return step.gist_params(within)
    except BudgetExceeded:
        return None


@dataclass
class _Closure:
    """The transitive closure of STEP, found at most once: isl's, and whether it calls that exact.

    It is given so many OPERATIONS, and so is what is done with it.
    """

    step: isl.Map
    operations: int
    _found: tuple[isl.Map, bool] | None = None
    _exceeds: BudgetExceeded | None = None

    def found(self) -> tuple[isl.Map, bool]:
        """Within a budget: raises BudgetExceeded if that is exceeded now, or was before."""
        if self._exceeds is not None:
            raise self._exceeds
        if self._found is None:
            try:
                with budget(self.operations):
                    self._found = self.step.transitive_closure()
            except BudgetExceeded as error:
                self._exceeds = error
                raise
        return self._found


def _largest(step: isl.Map) -> int:
    """The largest number in the constraints of STEP."""
    found = 1
    for part in step.get_basic_maps():
        for constraint in part.get_constraints():
            found = max(found, abs(constraint.get_constant_val().to_python()))
            for kind in (DIM.param, DIM.in_, DIM.out, DIM.div):
                for position in range(constraint.dim(kind)):
                    found = max(found, abs(constraint.get_coefficient_val(kind, position).to_python()))
    return found


def _iterated(
    first: isl.Set, step: isl.Map, steps: int | None, attempts: int, operations: int
) -> Known | None:
    """By one step after the other; None if something is new after so many ATTEMPTS."""
    try:
        with budget(operations):
            met, now = first, first
            for _ in range(attempts if steps is None else steps):
                now = now.apply(step).coalesce()
                if now.is_empty() or (steps is None and now.is_subset(met)):
                    return _if_few(met)
                met = met.union(now).coalesce()
                if met.n_basic_set() > limits.PIECES:
                    return None
            return _if_few(met) if steps is not None else None
    except BudgetExceeded:
        return None


def _returning(first: isl.Set, step: isl.Map, operations: int) -> Known | None:
    """By states that return."""
    try:
        with budget(operations):
            found = returning(first, step)
            return None if found is None else _if_few(found)
    except BudgetExceeded:
        return None


def _before_wrapping(first: isl.Set, step: isl.Map, steps: int | None, attempts: int) -> Known | None:
    """By states in front of the first sum that wraps around."""

    def plainly(states: isl.Set, part: isl.Map) -> Known:
        return reachable(states, part, steps, attempts)

    def generally(states: isl.Set, part: isl.Map) -> Known:
        return _contained(states, _Closure(part, limits.WIDE_CLOSURE_STEP))

    try:
        with budget(limits.WIDE_CLOSURE_OPERATIONS):
            found = before_wrapping(first, step, plainly, generally)
    except BudgetExceeded:
        return None
    return None if found is None else simple(found)


def _if_few(points: isl.Set) -> Known | None:
    known = simple(Known(points))
    return known if known.exact else None


def _accelerated(first: isl.Set, closure: _Closure) -> Known | None:
    """By the transitive closure of a power of the step: R+ is R, ..., R^(p-1), and (R^p)+ after each."""
    step = closure.step
    try:
        closure.found()
        with budget(closure.operations):
            starts, power = first, step
            for exponent in (1, *_POWERS):
                if exponent > 1:
                    starts = starts.union(starts.apply(step)).coalesce()
                    power = power.apply_range(step).coalesce()
                closed, exact = closure.found() if exponent == 1 else power.transitive_closure()
                if exact and _is_closure(closed, power):
                    return _if_few(starts.union(starts.apply(closed)).coalesce())
    except BudgetExceeded:
        pass
    return None


def _is_closure(closed: isl.Map, step: isl.Map) -> bool:
    """Whether CLOSED is STEP, and what STEP makes of it: isl calls an empty closure exact, of some maps."""
    return bool(closed.is_equal(step.union(step.apply_range(closed))))


def _contained(first: isl.Set, closure: _Closure) -> Known:
    """More than what can be reached."""
    because, step = _NO_CLOSED_FORM, closure.step
    try:
        closed, _ = closure.found()
        with budget(closure.operations):
            if not step.union(step.apply_range(closed)).is_subset(closed):
                return _after_a_step(first, step)
            beyond = first.apply(closed).intersect(step.range())
            found = simple(Known(first.union(beyond))).points
    except BudgetExceeded:
        return _after_a_step(first, step)
    try:
        with budget(closure.operations):
            if is_least(first, step, found := first.union(found.apply(step)).coalesce()):
                return simple(Known(found))
    except BudgetExceeded:
        pass
    return Known(found, False, because)


def _after_a_step(first: isl.Set, step: isl.Map) -> Known:
    """The FIRST states, and all that a STEP from any state may lead to."""
    return Known(first.union(step.range()), False, _NO_CLOSED_FORM)
