"""Functions that are the same text but for names."""

from __future__ import annotations

import re

from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation

from volcli.language.memory import is_memref
from volcli.language.reads import bytes_of_element

_REFERS = re.compile("[#!@]")


def is_same(one: Operation, other: Operation) -> bool:
    """Whether two functions are the same operations on the same types, and name nothing outside of them.

    Then nothing has to be computed; xDSL's comparison looks at all but types.
    """
    return not symbols_in(one) and is_unchanged(one, other)


def is_unchanged(one: Operation, other: Operation) -> bool:
    """Whether two functions are the same operations on the same types; what they call may differ."""
    if not all(map(says_all, one.walk())):
        return False
    around = {} if one.parent is None or other.parent is None else {one.parent: other.parent}
    if not one.is_structurally_equivalent(other, {**around}):
        return False
    pairs = zip(one.walk(), other.walk(), strict=True)
    return all(types_in(mine) == types_in(theirs) for mine, theirs in pairs)


def says_all(op: Operation) -> bool:
    """Whether OP is not a text that refers to an alias or a symbol, of which it does not say what it is."""
    text = op.attributes.get("text") if isinstance(op, UnregisteredOp) else None
    return text is None or not _REFERS.search(str(text))


def unchanged_symbols(before: ModuleOp, after: ModuleOp) -> set[str]:
    """What BEFORE and AFTER define alike, with all that it names: it computes the same, whatever it does."""
    old, new = _defined(before), _defined(after)
    same = {name for name in old.keys() & new.keys() if is_unchanged(old[name], new[name])}
    named = {name: symbols_in(old[name]) for name in same}
    while broken := {name for name in same if not named[name] <= same}:
        same -= broken
    return same


def _defined(module: ModuleOp) -> dict[str, Operation]:
    """The symbols at the outermost level of MODULE; of those in modules within, nothing is said."""
    found: dict[str, Operation] = {}
    for op in module.body.ops:
        name = op.properties.get("sym_name", op.attributes.get("sym_name"))
        if isinstance(name, StringAttr):
            found[name.data] = op
    return found


def symbols_in(op: Operation) -> set[str]:
    """What OP and the operations in it refer to, by the outermost name, which is defined in this module."""
    return {name for inner in op.walk() for name in symbols_of(inner)}


def symbols_of(op: Operation) -> list[str]:
    """What OP itself refers to."""
    attributes = (*op.properties.values(), *op.attributes.values())
    return [each.root_reference.data for each in attributes if isinstance(each, SymbolRefAttr)]


def types_in(op: Operation) -> list[Attribute]:
    """The types of what OP makes, and of the arguments of its blocks."""
    blocks = (block for region in op.regions for block in region.blocks)
    return [value.type for value in (*op.results, *(argument for block in blocks for argument in block.args))]


def needed_alignment(op: Operation) -> int:
    """The alignment in bytes that OP needs or makes beyond that of its elements; 0 if it is no more.

    `memref.load %m[%i] {alignment = 64 : i64}` is undefined where its element stands elsewhere.
    """
    stated = op.properties.get("alignment", op.attributes.get("alignment"))
    number = stated.value.data if isinstance(stated, IntegerAttr) else 0
    buffers = [value for value in (*op.operands, *op.results) if is_memref(value)]
    own = min((bytes_of_element(value.type) or 1 for value in buffers), default=1)
    return number if number > own else 0
