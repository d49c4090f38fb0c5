"""Which functions operations call, where their bodies are seen."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.language import questions
from volcli.model.entry import entry_of


def called_by(op: Operation) -> Operation | None:
    """The function that OP calls, with as many arguments as it has; None if OP calls none that is seen."""
    callee = questions.callee(op)
    if callee is None or len(entry_of(callee.function).args) != len(op.operands):
        return None
    return callee.function


def functions_called_in(function: Operation) -> list[Operation]:
    """The functions that operations in FUNCTION call, each once."""
    called = map(called_by, function.walk())
    return list(dict.fromkeys(each for each in called if each is not None))


def reached_from(function: Operation) -> list[Operation]:
    """FUNCTION and all that it may call, in turn, each once; they may call each other."""
    reached = {function: None}
    pending = [function]
    while pending:
        new = [each for each in functions_called_in(pending.pop()) if each not in reached]
        reached.update(dict.fromkeys(new))
        pending += new
    return list(reached)
