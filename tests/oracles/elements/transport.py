"""How boundary labels and periods travel from an operand to the result of an operation."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tests.oracles.elements.elements import GAP, Facts, Label, lcm
from tests.oracles.elements.layers import Access, Layer
from tests.oracles.interpreter.affine import Affine


def clean(expression: Affine | None, layer: Layer) -> tuple[int, int, int] | None:
    """(result dim, operand's coefficient, result's coefficient) of the one loop that EXPRESSION and R share.

    None if it shares none or several, or if the result dim mixes that loop with others.
    """
    if expression is None:
        return None
    dims = [set(dim.loops(layer.loops)) for dim in layer.result]
    shared = [number for number in expression.loops(layer.loops) if any(number in dim for dim in dims)]
    if len(shared) != 1:
        return None
    holders = [j for j, dim in enumerate(dims) if shared[0] in dim]
    if len(holders) != 1 or len(dims[holders[0]]) != 1:
        return None
    j = holders[0]
    return j, expression.coefficients[shared[0]], layer.result[j].coefficients[shared[0]]


def transport(label: Label, layer: Layer, access: Access) -> Label:
    """The label that a result element has because it reads an element with LABEL."""
    if label == GAP or label.source:
        return label
    found = clean(access.index[label.dim], layer)
    if found is None:
        return Label(access.value.name, label.dim, label.side)
    j, c, c_result = found
    flipped = {"low": "high", "high": "low"}[label.side]
    return Label("", j, label.side if c * c_result > 0 else flipped)


def transported_period(layer: Layer, seen: Mapping[str, Facts], rank: int) -> tuple[int, ...]:
    """The periods that the operands give to the result: p / gcd(p, |c|) * |c'|."""
    period = (1,) * rank
    for access in layer.accesses():
        for d, expression in enumerate(access.index):
            p = seen[access.value.name].period[d]
            if expression is not None and (found := clean(expression, layer)):
                j, c, c_result = found
                p = p // math.gcd(p, abs(c)) * abs(c_result)
                period = lcm(period, tuple(p if dim == j else 1 for dim in range(rank)))
    return period
