"""Loops that count from where a tile begins, as loops over what they are about.

    for l = a to min(b, n - o) { S(o + l) }        for i = o + a to min(o + b, n) { S(i) }

That is so if l is used in sums with one value o only, which is there before the loop.
"""

from __future__ import annotations

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.frontend.parse.parser import ParsedModule
from volcli.language.interface import operation_name
from volcli.rewriting.code.loop_code import FOR
from volcli.rewriting.ground.bound_uses import is_simple, loops_in, variable_of
from volcli.rewriting.ground.builder import Builder

_SUM = "arith.addi"
_EXTREMA = ("arith.minsi", "arith.maxsi")


def shift_of(op: Operation) -> SSAValue | None:
    """The value with which each use of the variable of the loop OP is a sum; None if there is none."""
    if operation_name(op) != FOR or not is_simple(op):
        return None
    variable = variable_of(op)
    found: set[SSAValue] = set()
    for use in variable.uses:
        if operation_name(use.operation) != _SUM:
            return None
        found.add(use.operation.operands[1 - use.index])
    if len(found) != 1:
        return None
    (shift,) = found
    inside = shift.owner if isinstance(shift.owner, Operation) else shift.owner.parent_op()
    return None if inside is None or op.is_ancestor(inside) else shift


def shift(parsed: ParsedModule, function: Operation) -> None:
    """Let such loops of FUNCTION, a copy that is of the program PARSED, begin where their shift says."""
    for op in list(loops_in(function)):
        if (by := shift_of(op)) is None:
            continue
        builder = Builder.before(op, parsed.context)
        low, high, *others = op.operands
        op.operands = [_moved(builder, low, by), _moved(builder, high, by), *others]
        variable = variable_of(op)
        for use in list(variable.uses):
            use.operation.results[0].replace_all_uses_with(variable)
            use.operation.detach()
            use.operation.erase()


def _moved(builder: Builder, end: SSAValue, by: SSAValue) -> SSAValue:
    """END + BY; of an extremum, that of its operands."""
    if isinstance(end, OpResult) and (name := operation_name(end.owner)) in _EXTREMA:
        return builder.make(name, [_moved(builder, each, by) for each in end.owner.operands])
    return builder.make(_SUM, [end, by])
