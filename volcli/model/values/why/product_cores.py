"""Which constraints exclude an inequality where products are among them: arithmetic over monomials.

    1. x = a * b    2. a >= 2    3. b >= 3        x <= 5 is excluded by all three: (a - 2) * (b - 3) >= 0,
                                                  so that x >= 3 * a + 2 * b - 6 >= 6

Equalities that say what a variable is are put into the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from volcli.language.expressions import Atom, Expression, NotAffine, substitute
from volcli.language.reads import Disjunction
from volcli.limits import values as limits
from volcli.model.values.terms.variables import Variable
from volcli.model.values.why.collecting import Collection, Constraint
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.symbolic.alternatives import Alternatives
from volcli.symbolic.rows import effort


def core_of_products(failing: Expression, collection: Collection) -> Sequence[int] | None:
    """Constraints of COLLECTION that exclude FAILING >= 0, none of which can be left out; the last go first.

    None if there are no products, or if it is not known that they exclude it.
    """
    every = collection.constraints
    if len(every) > limits.PRODUCT_REASONS or not any(each.has_products for each in every):
        return None
    needed = [number for number, each in enumerate(every) if each.known is None]
    try:
        with effort(limits.PRODUCT_REASON_EFFORT):
            if not _excludes([every[n] for n in needed], failing):
                return None
            for number in reversed(needed):
                fewer = [each for each in needed if each != number]
                if _excludes([every[n] for n in fewer], failing):
                    needed = fewer
    except (BudgetExceeded, NotAffine):
        return None
    return needed


def _excludes(constraints: Sequence[Constraint], failing: Expression) -> bool:
    """Whether it is known that FAILING >= 0 contradicts CONSTRAINTS."""
    stated: dict[Variable, Constraint] = {}
    for each in constraints:
        if each.variable is not None and each.equality is not None:
            stated.setdefault(each.variable, each)
    forms = _forms(stated)
    used = set(map(id, stated.values()))
    said = [_cases(each, forms) for each in constraints if id(each) not in used]
    facts = [fact for cases in said if len(cases) == 1 for fact in cases[0]]
    choices = [cases for cases in said if len(cases) != 1]
    return Alternatives((substitute(failing, forms.get), *facts), choices).is_empty


def _forms(stated: Mapping[Variable, Constraint]) -> Mapping[Atom, Expression]:
    """What variables are that are STATED to be something, over the others: none is computed from itself."""
    found: dict[Atom, Expression] = {v: e for v, c in stated.items() if (e := c.equality) is not None}
    for _ in stated:
        further: dict[Atom, Expression] = {v: substitute(e, found.get) for v, e in found.items()}
        if further == found:
            break
        found = further
    return found


def _cases(constraint: Constraint, forms: Mapping[Atom, Expression]) -> Disjunction:
    """CONSTRAINT as conjunctions of expressions that are at least 0, in terms of what FORMS leave."""
    return tuple(
        tuple(substitute(e, forms.get) for e in (*case.zero, *(-z for z in case.zero), *case.nonnegative))
        for case in constraint.alternatives
    )
