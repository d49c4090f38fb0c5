"""Loops one after the other whose ranges are the parts of one, as one loop: what peeling made of it.

    for i = a to k { S(i) }  for i = k to n { S(i) }        for i = a to n { S(i) }

Both do the same in the same order if a <= k <= n; or if n <= k <= a, where neither has an iteration.
"""

from __future__ import annotations

import islpy as isl
from xdsl.ir import Operation

from volcli.equivalence.results.same import is_unchanged
from volcli.language.expressions import constant, value_of
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import only_computes
from volcli.model.values.terms.answers import Verdict
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import is_simple

_PARTS = isl.Set("[a, k, n] -> { : a <= k <= n or n <= k <= a }")


def join(model: FunctionModel) -> bool:
    """Join such loops of MODEL's function, which is a copy; whether there were any."""
    has_joined = False
    for first in list(model.function.walk()):
        second = _next(first)
        while second is not None and _is_rest(model, first, second):
            second.operands[0] = first.operands[0]
            first.detach()
            first.erase()
            has_joined, first = True, second
            second = _next(first)
    return has_joined


def _next(first: Operation) -> Operation | None:
    """The loop that runs right after the loop FIRST."""
    if not _is_loop(first):
        return None
    op = first.next_op
    while op is not None and not op.regions and only_computes(op):
        op = op.next_op
    return op if op is not None and _is_loop(op) else None


def _is_loop(op: Operation) -> bool:
    return operation_name(op) == FOR and is_simple(op)


def _is_rest(model: FunctionModel, first: Operation, second: Operation) -> bool:
    """Whether SECOND, in steps of 1, begins where FIRST ends, and has the same body."""
    bounds = model.bounds
    (low, middle, _), (begin, end, _) = (list(map(value_of, loop.operands)) for loop in (first, second))
    equal = [(middle, begin), *((value_of(loop.operands[2]), constant(1)) for loop in (first, second))]
    if any(bounds.compare(a, "==", b, at=first).verdict is not Verdict.PROVED for a, b in equal):
        return False
    if not _have_the_same_body(first, second):
        return False
    numbers = {"a": low, "k": middle, "n": end}
    found = bounds.claims.decide(numbers, _PARTS, _PARTS.complement(), (first,))
    return found.verdict is Verdict.PROVED


def _have_the_same_body(first: Operation, second: Operation) -> bool:
    """Whether FIRST and SECOND are alike but for their bounds."""
    own = list(first.operands)
    first.operands = second.operands
    is_alike = is_unchanged(first, second)
    first.operands = own
    return is_alike
