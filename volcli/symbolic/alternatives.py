"""Polynomial conditions with alternatives: facts that hold, and of each choice one of several conjunctions.

    f >= 0 for all facts f,  and  some conjunction of C_1 holds,  some conjunction of C_2 holds, ...

What holds in all cases of the choices follows. Conjunctions that linear arithmetic excludes are left out as
they are met, so that few cases are left: a quotient has two, by the sign of its divisor, of which a fact
`b >= 1` leaves one.

>>> from volcli.language.expressions import parameter
>>> n, b, q = parameter("n"), parameter("b"), parameter("q")
>>> positive, negative = (b - 1, n - q * b), (-b - 1, q * b - n)
>>> Alternatives((n, b - 3), [(positive, negative)]).proves(n - q * b)
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from volcli.language.expressions import Atom, Expression, constant
from volcli.language.reads import Conjunction, Disjunction
from volcli.limits import symbolic as limits
from volcli.symbolic.context import Context, Entailment
from volcli.symbolic.rows import effort


class Alternatives:
    """The integer points at which all FACTS are at least 0, and some conjunction of each of CHOICES holds."""

    def __init__(self, facts: Sequence[Expression], choices: Sequence[Disjunction] = ()) -> None:
        self._facts = tuple(facts)
        self._choices = tuple(choices)

    def assuming(self, *facts: Expression) -> Alternatives:
        """The points at which FACTS are at least 0, too."""
        known, choices, _ = self._narrow
        return Alternatives((*known, *facts), choices)

    @cached_property
    def cases(self) -> tuple[Context, ...] | None:
        """A context for each case that linear arithmetic does not exclude; None if there are too many."""
        pending: list[tuple[Conjunction, tuple[Disjunction, ...]]] = []
        found: list[Context] = []
        facts, choices, is_possible = self._narrow
        while True:
            if is_possible and not choices:
                found.append(Context(facts))
            elif is_possible:
                first, *others = sorted(choices, key=len)
                pending += [((*facts, *each), tuple(others)) for each in reversed(first)]
            if len(found) + len(pending) > limits.ALTERNATIVES:
                return None
            if not pending:
                return tuple(found)
            facts, choices, is_possible = _narrowed(*pending.pop(), is_possible=True)

    @property
    def is_empty(self) -> bool:
        """Whether it is known that there is no point."""
        return self.certain is None or (self.cases is not None and all(each.is_empty for each in self.cases))

    def proves(self, goal: Expression) -> bool:
        """Whether it is known that GOAL >= 0 at all points."""
        if self.certain is None or self.certain.proves(goal):
            return True
        return bool(self._choices) and self.assuming(-goal - 1).is_empty

    def point(self, *supposed: Expression) -> Mapping[Atom, int] | None:
        """A point at which all of SUPPOSED are nonnegative, if one is found."""
        if not self._choices:
            return Context((*self._facts, *supposed)).point()
        cases = self.assuming(*supposed).cases if supposed else self.cases
        return next((point for each in cases or () if (point := each.point()) is not None), None)

    @cached_property
    def is_open(self) -> bool:
        """Whether some choice has several conjunctions that linear arithmetic does not exclude."""
        return bool(self._narrow[1])

    def decide(self, goal: Expression) -> Entailment:
        """Whether GOAL >= 0 at all points; if not, one at which it is not."""
        if self.proves(goal):
            return Entailment(True)
        witness = self.point(-goal - 1)
        return Entailment(None) if witness is None else Entailment(False, witness)

    @cached_property
    def certain(self) -> Context | None:
        """What holds in all cases; None if that is impossible."""
        facts, _, is_possible = self._narrow
        return Context(facts) if is_possible else None

    @cached_property
    def _narrow(self) -> tuple[Conjunction, tuple[Disjunction, ...], bool]:
        """What linear arithmetic leaves of it: found once, by an effort of its own, whoever asks first."""
        with effort(limits.ALTERNATIVE_EFFORT):
            return _narrowed(self._facts, self._choices)


def _narrowed(
    facts: Conjunction, choices: Sequence[Disjunction], *, is_possible: bool = False
) -> tuple[Conjunction, tuple[Disjunction, ...], bool]:
    """FACTS and CHOICES, in which what is left of a choice is a fact; and whether that may be possible.

    It is not asked whether FACTS alone are, if they are known to be (`is_possible`): what is left of a choice
    has been asked.
    """
    left, known = tuple(choices), Context(facts)
    while True:
        if not is_possible and known.is_empty_linearly:
            return (*facts, constant(-1)), (), False
        is_possible = False
        possible = [
            tuple(each for each in choice if not known.assuming(*each).is_empty_linearly) for choice in left
        ]
        if not all(possible):
            return (*facts, constant(-1)), (), False
        certain = [choice[0] for choice in possible if len(choice) == 1]
        left = tuple(choice for choice in possible if len(choice) > 1)
        found = tuple(fact for each in certain for fact in each)
        facts, known = (*facts, *found), known.assuming(*found)
        if not certain or not left:
            return facts, left, True
