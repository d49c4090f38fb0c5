"""What is known of numbers where an operation stands, as what simplifies extrema asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import Atom, Expression, NotAffine, constant, substitute
from volcli.model.function import FunctionModel
from volcli.model.occurrences import Occurrences
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Verdict
from volcli.model.values.terms.variables import Variable, like, own


@dataclass(frozen=True)
class PlaceKnowledge:
    """All that STORE knows whenever OP is reached and all of SUPPOSED, over values, are at least 0.

    If OP is a copy, `copies` are what stands there for the values that are spoken of.
    """

    store: BoundsStore
    op: Operation
    supposed: tuple[Expression, ...] = ()
    copies: Mapping[SSAValue, SSAValue] | None = None
    _proved: dict[Expression, bool] = field(default_factory=dict[Expression, bool], compare=False, repr=False)

    def assuming(self, *facts: Expression) -> PlaceKnowledge:
        """The same where FACTS hold, too."""
        return PlaceKnowledge(self.store, self.op, (*self.supposed, *facts), self.copies)

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
            numbers = {f"s{k}": resolve(self._here(fact)) for k, fact in enumerate(self.supposed)}
            numbers["goal"] = resolve(self._here(goal))
            names = ", ".join(numbers)
            known = " and ".join(f"{name} >= 0" for name in numbers if name != "goal")
            given = isl.Set(f"[{names}] -> {{ : {known} }}") if known else None
            holds, fails = (isl.Set(f"[{names}] -> {{ : goal {sign} 0 }}") for sign in (">=", "<"))
            found = self.store.claims.decide(numbers, holds, fails, (self.op,), given)
        except NotAffine:
            return False
        return found.verdict is Verdict.PROVED

    def _here(self, expression: Expression) -> Expression:
        """EXPRESSION over what stands where OP does. Raises NotAffine if that is not known."""
        return expression if self.copies is None else substitute(expression, self._copy)

    def _copy(self, atom: Atom) -> Expression | None:
        if not isinstance(atom, Variable):
            return None
        assert self.copies is not None
        if atom.value not in self.copies:
            raise NotAffine(f"{atom} is not one value of the copy")
        return own(like(atom, self.copies[atom.value]))


def knowledge_at(model: FunctionModel, op: Operation) -> PlaceKnowledge:
    """What is known where OP stands, in the form of the function of MODEL if that has OP once."""
    of = model.occurrences
    copies = () if of is None else of.operations(op)
    if of is None or len(copies) != 1:
        return PlaceKnowledge(model.bounds, op)
    return PlaceKnowledge(model.form.bounds, copies[0], copies=_copies_at(of, op, copies[0]))


def _copies_at(of: Occurrences, op: Operation, copy: Operation) -> dict[SSAValue, SSAValue]:
    """What COPY uses for what OP, and what it is computed from, uses.

    A value is the same one at all of these places: where one is defined anew, so are those computed from it.
    """
    found: dict[SSAValue, SSAValue] = {}
    pending = [(op, copy)]
    while pending:
        original, made = pending.pop()
        if len(original.operands) != len(made.operands):
            continue
        for value, other in zip(original.operands, made.operands, strict=True):
            if value not in found:
                found[value] = other
                copies = of.operations(value.op) if isinstance(value, OpResult) else ()
                if isinstance(value, OpResult) and len(copies) == 1 and not value.op.regions:
                    pending.append((value.op, copies[0]))
    return found
