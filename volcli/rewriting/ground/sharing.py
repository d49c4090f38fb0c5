"""Numbers that were computed twice are computed once.

What a rewrite makes for one tile or part does not know what it made for others: constants, sizes, and index
arithmetic of both. An operation that was made and has the same name, operands and attributes as one before
it, in its block or around, is replaced by that one.

    %c0 = arith.constant 0 : index                %c0 = arith.constant 0 : index
    %n = tensor.dim %t, %c0                       %n = tensor.dim %t, %c0
    %c0_0 = arith.constant 0 : index
    %n_0 = tensor.dim %t, %c0_0                   (%n for %n_0)
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Container

from xdsl.dialects.builtin import IndexType, i1
from xdsl.ir import Block, Operation, OpResult
from xdsl.traits import IsolatedFromAbove

from volcli.model.stated_effects import only_computes

_Known = ChainMap[object, OpResult]


def share(root: Operation, made: Container[Operation]) -> None:
    """Let nothing use what operations that were MADE compute in ROOT, if that is computed before them."""
    _in_regions(root, _Known(), made)


def _in_regions(op: Operation, known: _Known, made: Container[Operation]) -> None:
    if op.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        known = _Known()
    for region in op.regions:
        for block in region.blocks:
            _in_block(block, known.new_child(), made)


def _in_block(block: Block, known: _Known, made: Container[Operation]) -> None:
    for op in block.ops:
        key = _key(op)
        earlier = None if key is None else known.get(key)
        if earlier is not None and op in made:
            op.results[0].replace_all_uses_with(earlier)
        elif key is not None and earlier is None:
            known[key] = op.results[0]
        if op.regions:
            _in_regions(op, known, made)


def _key(op: Operation) -> object | None:
    """What OP computes, if that is one number, an index or a truth, of its operands alone."""
    if len(op.results) != 1 or op.regions or op.results[0].type not in (IndexType(), i1):
        return None
    if not only_computes(op):
        return None
    lists = (sorted(each.items(), key=lambda item: item[0]) for each in (op.properties, op.attributes))
    return op.name, tuple(op.operands), tuple(map(tuple, lists)), op.results[0].type
