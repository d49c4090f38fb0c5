"""Functions that are the same text but for names."""

from __future__ import annotations

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, Operation


def is_same(one: Operation, other: Operation) -> bool:
    """Whether two functions are the same operations on the same types, and name nothing outside of them.

    Then nothing has to be computed; xDSL's comparison looks at all but types.
    """
    return not any(map(_names_a_symbol, one.walk())) and is_unchanged(one, other)


def is_unchanged(one: Operation, other: Operation) -> bool:
    """Whether two functions are the same operations on the same types; what they call may differ."""
    around = {} if one.parent is None or other.parent is None else {one.parent: other.parent}
    if not one.is_structurally_equivalent(other, {**around}):
        return False
    pairs = zip(one.walk(), other.walk(), strict=True)
    return all(types_in(mine) == types_in(theirs) for mine, theirs in pairs)


def _names_a_symbol(op: Operation) -> bool:
    return any(isinstance(each, SymbolRefAttr) for each in (*op.properties.values(), *op.attributes.values()))


def types_in(op: Operation) -> list[Attribute]:
    """The types of what OP makes, and of the arguments of its blocks."""
    blocks = (block for region in op.regions for block in region.blocks)
    return [value.type for value in (*op.results, *(argument for block in blocks for argument in block.args))]
