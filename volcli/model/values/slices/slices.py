"""Hyperrectangular slices: whether two of one tensor or buffer overlap, and whether they are the same.

A slice of rank r has offsets o, sizes n and strides s, each a number or an index value:

    slice = { o_d + s_d * k_d for all d : 0 <= k_d < n_d }        k is the index of the element in the slice

Two slices *overlap* if they share an element: strides are exact, so that [0, 2, 4] and [1, 3] do not. They
are *equivalent* if they have the same elements in the same order: each index the same element. (Then all
sizes are equal, and so are the strides along sizes greater than 1; or both are empty.)

>>> import volcli
>>> program = volcli.loads("func.func @f(%t: tensor<8xf32>, %i: index) { return }")
>>> (model,) = program.units[0].models()
>>> i = model.function.body.block.args[1]
>>> slices = Slices(model.bounds)
>>> even, odd = HyperrectangularSlice([0], [4], [2]), HyperrectangularSlice([1], [4], [2])
>>> slices.overlap(even, odd).verdict.value
'refuted'
>>> answer = slices.overlap(HyperrectangularSlice([i], [2], [1]), HyperrectangularSlice([4], [2], [1]))
>>> answer.verdict.value, answer.never, answer.precondition
('refuted', False, '3 <= %i <= 5')
>>> slices.equivalent(
...     HyperrectangularSlice([i], [1], [1]), HyperrectangularSlice([i], [1], [7])
... ).verdict.value
'proved'

The answer is `Overlap` or `Comparison`: proved (in all executions in which both slices exist), refuted (with
values for which it fails; `never` if it always does), or unknown with the reason. A stride that is not one
number, and a product of unknowns, may make it unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from volcli.model.values.slices.hyperrectangles import HyperrectangularSlice, Shared
from volcli.model.values.slices.pairs import SlicePair
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Comparison, Verdict
from volcli.presburger.limits.budget import BudgetExceeded


@dataclass(frozen=True)
class Overlap(Comparison):
    """Whether two slices overlap, and an element that they share in some execution.

    Where that is refuted, but not for all executions, the `precondition` says of the parameters for which
    both slices exist when they overlap in some iteration; None, if nothing is known, and "true", if always.
    """

    shared: Shared | None = None


class Slices:
    """Questions about two slices of the same tensor or buffer, in one function."""

    def __init__(self, store: BoundsStore) -> None:
        self._store = store

    def overlap(
        self, left: HyperrectangularSlice, right: HyperrectangularSlice, *, at: Sequence[Operation] = ()
    ) -> Overlap:
        """Whether LEFT and RIGHT share an element whenever all AT are reached (or their values)."""
        pair = SlicePair(self._store, left, right, at)
        try:
            inside, around = pair.shared(under=True), pair.shared(under=False)
            outside = around.params().complement()
            found = pair.decide(inside.params(), outside)
            shared = None if found.never else pair.example(inside)
            if found.verdict is Verdict.REFUTED and not found.never:
                found = pair.sometimes(found, inside.params(), outside)
        except BudgetExceeded as error:
            return Overlap(Verdict.UNKNOWN, because=error.reason)
        because = pair.because if found.verdict is Verdict.UNKNOWN and pair.because else found.because
        return Overlap(
            found.verdict,
            found.never,
            found.witness,
            found.precondition,
            found.weakest,
            because,
            found.assumptions,
            shared,
        )

    def equivalent(
        self, left: HyperrectangularSlice, right: HyperrectangularSlice, *, at: Sequence[Operation] = ()
    ) -> Comparison:
        """Whether LEFT and RIGHT have the same elements in the same order whenever all AT are reached."""
        pair = SlicePair(self._store, left, right, at)
        try:
            same = pair.equal()
            return pair.decide(same, same.complement())
        except BudgetExceeded as error:
            return Comparison(Verdict.UNKNOWN, because=error.reason)
