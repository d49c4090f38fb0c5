"""Whether two functions are equal where loops over positions are nests: see `nested_loops`.

    for k = 0 to n * m { b[k] = 0 }        for i = 0 to n { for j = 0 to m { b[i * m + j] = 0 } }

What sets of integers do not know of the copies, as b[i * m + j], has to be done in the same order. Then each
factor of the end may be the inner size.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import IndexType
from xdsl.ir import OpResult

from volcli.equivalence.congruence.functions import congruent_models
from volcli.equivalence.congruence.numbering import has_flags
from volcli.facts.differences import EQUAL, FunctionComparison
from volcli.frontend.parse.parser import ParsedModule
from volcli.language.expressions import NotAffine
from volcli.limits.rewriting import INNER_SIZES, NESTED_LOOPS
from volcli.model.function import FunctionModel
from volcli.model.inlining import copied
from volcli.model.values.trust.arithmetic import OVERFLOW
from volcli.presburger.limits.budget import BudgetExceeded
from volcli.rewriting.changes.collapsed_views import has_collapsed, through_views
from volcli.rewriting.changes.defined_operations import without_dead
from volcli.rewriting.changes.nested_loops import PositionNests, is_choice, is_quotient, results_in

Version = tuple[ParsedModule, FunctionModel]
"""A function of a program."""


def nested(parsed: ParsedModule, model: FunctionModel, factor: int | None = None) -> FunctionModel | None:
    """MODEL of a copy of its function, of the program PARSED, with such nests; None if there is none.

    The copy computes what the function does if index arithmetic does not overflow. In the end of a loop whose
    positions are not divided, the inner size is the FACTOR of that number, if one is chosen.
    """
    followed = model.followed.function
    results = list(results_in(followed))
    may_differ = has_collapsed(followed) or any(is_quotient(each) or is_choice(each) for each in results)
    if not (may_differ or factor is not None) or any(map(_has_other_flags, results)):
        return None
    with suppress(NotAffine, BudgetExceeded):
        return _nested(parsed, model, factor)
    return None


def _nested(parsed: ParsedModule, model: FunctionModel, factor: int | None) -> FunctionModel | None:
    """The same of any function. Raises NotAffine and BudgetExceeded."""
    made = copied(model.followed.function)
    parsed.stand_for(made.operations, made.values)
    is_other = through_views(parsed, model.anew(made.function))
    for _ in range(int(NESTED_LOOPS)):
        nests = PositionNests(parsed, model.anew(made.function))
        if not (nests.simplifies() or (factor is not None and nests.splits(factor))):
            nests.cancels()
            return without_dead(model.anew(made.function)) if is_other else None
        is_other = True
    return None


def equal_as_nests(
    old: Version, new: Version, proved: Callable[[Version, Version], FunctionComparison]
) -> FunctionComparison | None:
    """That OLD and NEW are equal, if that is PROVED of copies with such nests; else None."""
    for factor in (None, *range(int(INNER_SIZES))):
        made = [nested(*each, factor) for each in (old, new)]
        one, other = (
            each if model is None else (each[0], model) for each, model in zip((old, new), made, strict=True)
        )
        if made == [None, None] or (factor is not None and congruent_models(one[1], other[1]) is None):
            continue
        found = proved(one, other)
        if found.verdict == EQUAL:
            return replace(found, assumptions=tuple(dict.fromkeys((*found.assumptions, OVERFLOW))))
    return None


def _has_other_flags(result: OpResult) -> bool:
    """Whether RESULT, an index, is poison for more than what overflows as a signed number."""
    if not isinstance(result.type, IndexType) or not has_flags(result.op):
        return False
    flags = result.op.properties.get("overflowFlags")
    return not isinstance(flags, IntegerOverflowAttr) or set(flags.data) != {IntegerOverflowFlag.NSW}
