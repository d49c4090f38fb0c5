"""Whether a term of AFTER refines one of BEFORE: it is the same number wherever BEFORE's is no poison."""

from __future__ import annotations

from collections.abc import Collection

from volcli.equivalence.terms.hazards import hazards
from volcli.equivalence.terms.normal import Normal
from volcli.equivalence.terms.solver import is_refined
from volcli.equivalence.terms.terms import ATOM, ScalarTerm, ScalarTerms


class Deciding:
    """Decisions about TERMS: by folding alone, or by ARITHMETIC, with a solver if there is one."""

    def __init__(self, terms: ScalarTerms, *, arithmetic: bool) -> None:
        self.normal = Normal(terms, arithmetic=arithmetic)
        self.is_arithmetic = arithmetic
        self.obstacle: str | None = None
        """Why the last term was not decided, where the solver had to be asked."""

    def refines(self, old: ScalarTerm, new: ScalarTerm, given: Collection[int]) -> bool:
        """Whether NEW refines OLD; the atoms that are GIVEN are no poison."""
        if self.normal.of(old) is self.normal.of(new):
            harmless = {(ATOM, number) for number in given}
            found = hazards(new, self.normal, always=False) - harmless
            if found <= hazards(old, self.normal, always=True):
                return True
        if not self.is_arithmetic:
            return False
        answer = is_refined(old, new, given)
        self.obstacle = None if isinstance(answer, bool) else answer
        return answer is True
