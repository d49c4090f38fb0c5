"""Which functions operations call, where their bodies are seen; and what calls pass for their arguments."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Value, dim_of, substitute, value_of
from volcli.language.unchanged import operations_in
from volcli.model.entry import entry_of


def called_by(op: Operation) -> Operation | None:
    """The function that OP calls, with as many arguments as it has; None if OP calls none that is seen."""
    callee = questions.callee(op)
    if callee is None or len(entry_of(callee.function).args) != len(op.operands):
        return None
    return callee.function


def functions_called_in(function: Operation) -> list[Operation]:
    """The functions that operations in FUNCTION call, each once."""
    called = map(called_by, operations_in(function))
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


def passed(expression: Expression, call: Operation) -> Expression:
    """EXPRESSION, over the arguments of the function that CALL calls, over what CALL passes for them."""

    def given(atom: Atom) -> Expression | None:
        match atom:
            case Value(BlockArgument(index=position)):
                return value_of(call.operands[position])
            case Dim(BlockArgument(index=position), dimension):
                return dim_of(call.operands[position], dimension)
            case _:
                return None

    return substitute(expression, given)
