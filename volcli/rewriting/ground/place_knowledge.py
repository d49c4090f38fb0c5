"""What is known of numbers where an operation stands, as what simplifies extrema asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import islpy as isl
from xdsl.ir import Operation

from volcli.language.expressions import Expression, NotAffine, constant
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Verdict


@dataclass(frozen=True)
class PlaceKnowledge:
    """All that STORE knows whenever OP is reached and all of SUPPOSED, over values, are at least 0."""

    store: BoundsStore
    op: Operation
    supposed: tuple[Expression, ...] = ()
    _proved: dict[Expression, bool] = field(default_factory=dict[Expression, bool], compare=False, repr=False)

    def assuming(self, *facts: Expression) -> PlaceKnowledge:
        """The same where FACTS hold, too."""
        return PlaceKnowledge(self.store, self.op, (*self.supposed, *facts))

    def proves(self, goal: Expression) -> bool:
        """Whether it is known that GOAL >= 0."""
        if goal.is_constant and goal.constant >= 0:
            return True
        if goal not in self._proved:
            self._proved[goal] = self._decided(goal)
        return self._proved[goal]

    @property
    def is_empty(self) -> bool:
        """Whether no execution gets here."""
        return self.proves(constant(-1))

    def excludes(self, cases: Iterable[tuple[Expression, ...]]) -> bool:
        """Whether none of CASES, each a conjunction, is ever true."""
        return all(self.assuming(*case).is_empty for case in cases)

    def _decided(self, goal: Expression) -> bool:
        """By `{ goal >= 0 }` in `{ supposed >= 0 }`."""
        try:
            resolve = self.store.definitions.resolve
            numbers = {f"s{k}": resolve(fact) for k, fact in enumerate(self.supposed)}
            numbers["goal"] = resolve(goal)
            names = ", ".join(numbers)
            known = " and ".join(f"{name} >= 0" for name in numbers if name != "goal")
            given = isl.Set(f"[{names}] -> {{ : {known} }}") if known else None
            holds, fails = (isl.Set(f"[{names}] -> {{ : goal {sign} 0 }}") for sign in (">=", "<"))
            found = self.store.claims.decide(numbers, holds, fails, (self.op,), given)
        except NotAffine:
            return False
        return found.verdict is Verdict.PROVED
