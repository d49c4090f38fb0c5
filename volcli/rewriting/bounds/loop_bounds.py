"""The bounds of affine loops without operands that do nothing where the loop stands.

The upper bound of an affine.for is the least result of its map, the lower one the largest. A result goes if
another one that stays is known to be never above it (never below):

    affine.for %i = 0 to min (d0)[s0] -> (s0, 8 * d0 + 8)(%t)[%n]      to 8 * %t + 8 where 8 * %t + 8 <= %n
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import AffineMapAttr, DenseArrayBase
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from volcli.language.affine_maps import evaluate
from volcli.language.expressions import Expression, NotAffine, value_of
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.rewriting.ground.place_knowledge import PlaceKnowledge, knowledge_at


@dataclass(frozen=True, eq=False)
class ShorterBound:
    """`new` for the map of `op` that is called `name`."""

    op: Operation
    name: str
    new: AffineMapAttr


def shorter_bounds(model: FunctionModel) -> Iterator[ShorterBound]:
    """The bounds of affine loops, in the function of MODEL, from which results go."""
    for op in model.function.walk():
        if operation_name(op) != "affine.for":
            continue
        known = knowledge_at(model, op)
        for name, operands, sign in _bounds(op):
            each = op.properties[name]
            assert isinstance(each, AffineMapAttr)
            found = _shorter(each.data, operands, known, sign)
            if found is not None:
                yield ShorterBound(op, name, AffineMapAttr(found))


def _bounds(op: Operation) -> Iterator[tuple[str, Sequence[SSAValue], int]]:
    """The maps of the loop OP: their names, operands, and 1 for a maximum, -1 for a minimum."""
    segments = op.properties["operandSegmentSizes"]
    assert isinstance(segments, DenseArrayBase)
    lower, upper, _ = segments.get_values()
    yield "lowerBoundMap", op.operands[: int(lower)], 1
    yield "upperBoundMap", op.operands[int(lower) : int(lower) + int(upper)], -1


def _shorter(
    bound: AffineMap, operands: Sequence[SSAValue], known: PlaceKnowledge, sign: int
) -> AffineMap | None:
    """BOUND without results that are not needed for its maximum (SIGN 1) or minimum; None if all are."""
    values = [value_of(each) for each in operands]
    try:
        forms = [evaluate(each, values[: bound.num_dims], values[bound.num_dims :]) for each in bound.results]
    except NotAffine:
        return None
    kept = list(range(len(forms)))
    for position in reversed(range(len(forms))):
        others = [forms[k] for k in kept if k != position]
        if any(_is_beyond(other, forms[position], known, sign) for other in others):
            kept.remove(position)
    if len(kept) == len(forms):
        return None
    return AffineMap(bound.num_dims, bound.num_symbols, tuple(bound.results[k] for k in kept))


def _is_beyond(other: Expression, form: Expression, known: PlaceKnowledge, sign: int) -> bool:
    return known.proves((other - form) * sign)
