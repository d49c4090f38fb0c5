"""A function without branches between blocks and without calls, that does the same.

    func.func @f(%x) { %y = call @square(%x) ... }        func.func @f(%x) { %y = arith.mulf %x, %x ... }

What is returned is a copy beside the original, which stays as it is. Calls of functions that are only
declared, that call themselves, or that have several blocks and no structure stay calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from volcli.language import questions
from volcli.limits import structure as limits
from volcli.model.structured.copying import Structured
from volcli.model.symbols import called_by

Structure = Callable[[Operation], Structured | None]
"""A copy of a function without branches between blocks; None if it has none, or no structure."""


def inlined(function: Operation, structure: Structure) -> Structured | None:
    """FUNCTION without branches between blocks and calls, as far as possible; None if it has neither."""
    if all(called_by(op) is None for op in function.walk()):
        return structure(function)
    return _Inliner(structure).copied(function, ())


class _Inliner:
    def __init__(self, structure: Structure) -> None:
        self._structure = structure
        self._size = 0

    def copied(self, function: Operation, callers: tuple[Operation, ...]) -> Structured:
        """A copy of FUNCTION, which CALLERS call one another to reach."""
        made = self._structure(function) or copied(function)
        given: dict[SSAValue, SSAValue] = {}
        ops = list(made.function.walk())
        self._size += len(ops)
        for op in ops:
            callee = called_by(op)
            if callee is None or callee in (function, *callers) or self._size > limits.INLINED_OPERATIONS:
                continue
            body = self.copied(callee, (function, *callers))
            results = _replace(op, body.function)
            if results is not None:
                made.operations.update(body.operations)
                made.values.update(body.values)
                _stand_for(made, op.results, results, body)
                given.update(zip(op.results, results, strict=True))
        made.replace(given)
        return made


def copied(function: Operation) -> Structured:
    """A copy of FUNCTION."""
    values: dict[SSAValue, SSAValue] = {}
    copy = function.clone(values)
    copy.parent = function.parent  # for symbols: what is around it does not know of the copy
    pairs = zip(copy.walk(), function.walk(), strict=True)
    return Structured(copy, dict(pairs), {new: old for old, new in values.items()})


def _stand_for(
    made: Structured, results: Sequence[SSAValue], values: Sequence[SSAValue], body: Structured
) -> None:
    """VALUES stand for the RESULTS of a call; those that BODY computes have their names."""
    for result, value in zip(results, values, strict=True):
        original = made.values[result]
        made.results[original] = value
        if value in body.values:
            made.values[value] = original


def _replace(call: Operation, function: Operation) -> Sequence[SSAValue] | None:
    """Put what FUNCTION, a copy, does in the place of CALL, if it ends in one place; what it returns."""
    block = _only_block(function)
    returned = None if block is None else block.last_op
    if block is None or returned is None or len(returned.operands) != len(call.results):
        return None
    around = call.parent
    assert around is not None
    for argument, passed in zip(block.args, call.operands, strict=True):
        argument.replace_all_uses_with(passed)
    results = list(returned.operands)
    for op in [op for op in block.ops if op is not returned]:
        op.detach()
        around.insert_op_before(op, call)
    for old, new in zip(call.results, results, strict=True):
        old.replace_all_uses_with(new)
    returned.drop_all_references()
    call.detach()
    call.drop_all_references()
    return results


def _only_block(function: Operation) -> Block | None:
    """The block of FUNCTION, if it has one that returns."""
    callee_blocks = [block for region in function.regions for block in region.blocks]
    if len(callee_blocks) != 1 or callee_blocks[0].last_op is None:
        return None
    return None if questions.branches.answers(type(callee_blocks[0].last_op)) else callee_blocks[0]
