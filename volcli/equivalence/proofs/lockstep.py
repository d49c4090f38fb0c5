"""Whether two functions do the same operations on the same numbers, instance by instance.

An element x of a value of the first function is equal to an element y of the second one, if

    both are the same element of an input, or the same constant; or
    the same operation makes both, and its operands are equal, one by one.

Copies on the way are followed on each side alone, through loops and memory, so that an operand is what some
operation has made at other points, or an element of an input. A goal is a relation { x -> y } between two
operations' points, and what it needs are further goals. Each is assumed while it is shown:

    for t, i: a[i] = f(a[i - 1], a[i])      goal { [t, i] -> [t, j, k] : i = 4 j + k }: f, and the operands
                                            are the goal itself at (t - 1, i) and (t, i - 1), or inputs

This is an induction over time: operands are made before, in both programs, and copies go back, too (Barthou,
Feautrier and Redon 2002). A goal that grows is widened to its affine hull (Verdoolaege, Janssens and
Bruynooghe 2012), so that there are finitely many. What the hull adds must be shown as well: if that fails, no
difference is found, and nothing is known. The order of sums is compared, as all operations are. Points of
structured operations that contribute nothing are left out on both sides, where functions say which these are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import Operation

from volcli.equivalence.backward.function import Asked, FunctionSources
from volcli.equivalence.paths.ends import Ends
from volcli.equivalence.paths.leaves import UNDEFINED
from volcli.equivalence.proofs.goals import NotShown, Pair
from volcli.equivalence.proofs.likeness import Likeness
from volcli.equivalence.proofs.proof import Proof, ProofLimits
from volcli.equivalence.proofs.steps import Steps
from volcli.equivalence.proofs.sums import SumProofs
from volcli.equivalence.proofs.termwise import TermLevel
from volcli.language.expressions import NotAffine
from volcli.language.unchanged import operations_in
from volcli.limits import equivalence as limits
from volcli.limits.presburger import FUNCTION
from volcli.presburger.limits.budget import BudgetExceeded, budget

_ATTEMPTS = ((True, 1), (False, 1), (False, 3))
"""Whether whole tensors are compared, and how often a goal grows before it is widened."""


@dataclass(frozen=True, eq=False)
class ShownSources:
    """An output is equal, but for its UNDEFINED elements; more of them may be made from what is undefined."""

    undefined: isl.Set
    uses_undefined: bool
    is_exact: bool = True
    """Whether sums of floats stand in the same order."""


class Lockstep:
    """Comparison of the functions OLD and NEW, followed to their operations, for the sizes of CONTEXT.

    Each goal, and each step back from an operation, may cost at most OPERATIONS of isl: in a long program
    they are many, and small.
    """

    def __init__(self, old: FunctionSources, new: FunctionSources, context: isl.Set, operations: int) -> None:
        for each in (old, new):
            each.backward.prepare()
        self._old = old
        self._new = new
        self._length = sum(len(operations_in(each.function)) for each in (old, new))
        self._steps = Steps(old, operations), Steps(new, operations)
        self._like = Likeness(self._steps[0]), Likeness(self._steps[1])
        self._context = context
        self._operations = operations
        self._known: dict[Pair, isl.Map] = {}
        self.mismatch: tuple[Operation, Operation] | None = None
        """The operations of the last proof that failed: they, or their operands, are not the same."""

    @property
    def goals(self) -> Mapping[Pair, isl.Map]:
        """All that was shown to be equal on the way to outputs."""
        return self._known

    def shown(self, one: Asked, other: Asked, terms: TermLevel | None = None) -> ShownSources | None:
        """That the outputs are equal, if it is shown: tensors as a whole where that is enough.

        With TERMS, by what elements are several operations back.
        """
        old, new = self._old.output(one), self._new.output(other)
        if old.elements is None or new.elements is None:
            return None
        try:
            with budget(self._operations, answer=FUNCTION + self._length // limits.PROOF_OPERATIONS):
                elements = old.elements.intersect_params(self._context)
                if not elements.is_equal(new.elements.intersect_params(self._context)):
                    return None
                ways = [(*each, None) for each in _ATTEMPTS] if terms is None else [(False, 3, terms)]
                attempts = (self._shown_by(elements, old.ends, new.ends, *each) for each in ways)
                return next(filter(None, attempts), None)
        except (NotAffine, BudgetExceeded):
            return None

    def _shown_by(
        self, elements: isl.Set, old: Ends, new: Ends, whole: bool, exact: int, terms: TermLevel | None
    ) -> ShownSources | None:
        within = ProofLimits(whole, exact, self._operations, terms)
        functions = self._old, self._new
        wants = terms is not None and terms.sums
        sums = SumProofs(functions, self._steps, self._like, self._operations) if wants else None
        known = self._known if terms is None else {}
        proof = Proof(self._steps, self._like, self._context, known, within, sums)
        try:
            proof.show(elements.identity(), old, new)
        except NotShown:
            if terms is None:
                self.mismatch = proof.mismatch or self.mismatch
            return None
        if terms is None:
            self._known = proof.goals
        left = old[UNDEFINED].support.domain() if UNDEFINED in old else isl.Set.empty(elements.get_space())
        return ShownSources(left.intersect(elements), proof.uses_undefined, sums is None or sums.is_exact)
