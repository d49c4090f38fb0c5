"""The func dialect: functions, declarations of functions, and calls, direct and indirect."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.ir import Dialect, Operation

from volcli.language.memory import Effects
from volcli.language.questions import Callee, accesses, callee, effects
from volcli_dialects.cases.dialects import dialect_of
from volcli_dialects.cases.memory.memory import called, touch_nothing
from volcli_dialects.cases.symbols import symbol
from volcli_dialects.func import problems
from volcli_dialects.func.ops import CallIndirectOp, CallOp, ConstantOp, FuncOp

touch_nothing(func.ReturnOp)


@callee.case(CallOp)
def called_function(op: CallOp) -> Callee | None:
    """The function of that name, unless it is only declared."""
    found = symbol(op, op.callee)
    if found is None or not isinstance(found.op, FuncOp) or not found.op.body.blocks:
        return None
    returns = [block.last_op for block in found.op.body.blocks if isinstance(block.last_op, func.ReturnOp)]
    return Callee(found.op, tuple(tuple(each.operands) for each in returns))


def dialect() -> Dialect:
    """xDSL's func dialect with the operations and the syntax that it lacks."""
    return dialect_of(func.Func, [FuncOp, CallOp, CallIndirectOp, ConstantOp])


accesses.case(CallOp)(lambda op: called(op, f"@{op.callee.string_value()}"))
accesses.case(CallIndirectOp)(lambda op: called(op, f"'{op.name}'"))
effects.case(CallOp)(lambda op: Effects(unknown=f"@{op.callee.string_value()}"))
# Those of whichever function the value is.
effects.case(CallIndirectOp)(lambda op: Effects(unknown=f"'{op.name}'"))
