"""A function without branches between blocks and without calls, that does the same.

    func.func @f(%x) { %y = call @square(%x) ... }        func.func @f(%x) { %y = arith.mulf %x, %x ... }

What is returned is a copy beside the original, which stays as it is. Calls of functions that are only
declared, or that have several blocks and no structure, stay calls. So do calls of functions that call
themselves, but where numbers decide how often: the conditions around the inner call are known then.

    call @f(2, m)    of  @f(n, m): if n > 0 { m[n] = x; call @f(n - 1, m) }          m[2] = x; m[1] = x
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, Region, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, NotAffine, Value, substitute
from volcli.language.programs.loop_numbers import known_scalar
from volcli.language.reads import Disjunction
from volcli.limits import structure as limits
from volcli.model.structured.copying import Structured
from volcli.model.symbols import called_by

Structure = Callable[[Operation], Structured | None]
"""A copy of a function without branches between blocks; None if it has none, or no structure."""


def inlined(function: Operation, structure: Structure) -> Structured | None:
    """FUNCTION without branches between blocks and calls, as far as possible; None if it has neither."""
    if all(called_by(op) is None for op in function.walk()):
        return structure(function)
    inliner = _Inliner(structure)
    made = inliner.copied(function, ())
    if inliner.unrolls(made):
        return made
    made.discard()
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
            self._put(made, op, self.copied(callee, (function, *callers)), given)
        made.replace(given)
        return made

    def _put(
        self, made: Structured, call: Operation, body: Structured, given: dict[SSAValue, SSAValue]
    ) -> None:
        """Put BODY in the place of CALL, which is in what is MADE; what stands for its results is GIVEN."""
        results = _replace(call, body.function)
        if results is not None:
            made.operations.update(body.operations)
            made.values.update(body.values)
            _stand_for(made, call.results, results, body)
            given.update(zip(call.results, results, strict=True))

    def unrolls(self, made: Structured) -> bool:
        """Put functions that call themselves in the places of those calls that numbers decide on.

        Each time there are fewer such calls, or one of so many is put in place. Whether these are enough.
        """
        given: dict[SSAValue, SSAValue] = {}
        pending = [op for op in made.function.walk() if called_by(op) is not None]
        left = int(limits.UNROLLED_CALLS)
        while pending:
            call = pending.pop()
            callee = called_by(call)
            if callee is None or not _settle(call, made, given):
                continue
            left -= 1
            if left < 0 or self._size > limits.INLINED_OPERATIONS:
                return False
            body = self.copied(callee, (callee,))
            pending += [op for op in body.function.walk() if called_by(op) is not None]
            self._put(made, call, body, given)
        made.replace(given)
        return True


def _settle(call: Operation, made: Structured, given: dict[SSAValue, SSAValue]) -> bool:
    """Have the branches around CALL decided, up to a loop or the function; whether CALL surely runs there.

    What stands for the results of a branch is GIVEN. The outer ones come first: what they compute decides on
    the inner ones.
    """
    branches: list[Operation] = []
    around = call.parent_op()
    while around is not None and around is not made.function and questions.guards.answers(type(around)):
        branches.append(around)
        around = around.parent_op()
    for branch in reversed(branches):
        region = _taken(branch)
        if region is None:
            return False
        runs = region.is_ancestor(call)
        _replace_by(branch, region, made, given)
        if not runs:
            return False
    return True


def _taken(branch: Operation) -> Region | None:
    """The region of BRANCH that runs, one without blocks if none does; None if that is not known."""
    guards = {each.region: each.condition for each in questions.guards(branch) or ()}
    empty = [region for region in branch.regions if not region.blocks]
    if questions.loop.answers(type(branch)) or len(guards) + len(empty) != len(branch.regions):
        return None
    held = {region: _is_known_true(condition) for region, condition in guards.items()}
    left = [region for region, holds in held.items() if holds is not False]
    if left:
        return left[0] if len(left) == 1 and held[left[0]] else None
    return empty[0] if empty else None


def _is_known_true(condition: Disjunction) -> bool | None:
    """Whether CONDITION holds, by the numbers that its values are known to be; None if they are not."""

    def known(atom: Atom) -> Expression | None:
        return known_scalar(atom.value) if isinstance(atom, Value) else None

    try:
        sides = [[substitute(each, known) for each in one] for one in condition]
    except NotAffine:
        return None
    if not all(each.is_constant for one in sides for each in one):
        return None
    return any(all(each.constant >= 0 for each in one) for one in sides)


def _replace_by(branch: Operation, region: Region, made: Structured, given: dict[SSAValue, SSAValue]) -> None:
    """Put what REGION of BRANCH does in its place: what that computes has the names of the results."""
    block, around = region.first_block, branch.parent
    last = None if block is None else block.last_op
    assert around is not None
    for old, new in zip(branch.results, () if last is None else last.operands, strict=False):
        given[old] = new
        if old in made.values and region.is_ancestor(new.owner):
            made.values[new] = made.values[old]
        old.replace_all_uses_with(new)
    for op in [op for op in block.ops if op is not last] if block is not None else ():
        op.detach()
        around.insert_op_before(op, branch)
    branch.detach()
    branch.drop_all_references()


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
