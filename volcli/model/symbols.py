"""Functions as symbols: what they are called, where their bodies begin, who calls them, and with what."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, BlockArgument, Operation

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Value, dim_of, substitute, value_of
from volcli.language.interface import operation_name
from volcli.language.unchanged import operations_in


def symbol_of(op: Operation) -> str:
    """The symbol that OP defines, or its operation name as the text has it."""
    symbol = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return symbol.data if isinstance(symbol, StringAttr) else operation_name(op)


def is_private(function: Operation) -> bool:
    """Whether only what is in the module can refer to FUNCTION."""
    visibility = function.properties.get("sym_visibility") or function.attributes.get("sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.data == "private"


def entry_of(op: Operation) -> Block:
    """The first block of OP; a malformed operation may have empty regions before it.

    Raises ValueError if all of its regions are empty: then it is not a function (see `functions`).
    """
    for region in op.regions:
        if (block := region.first_block) is not None:
            return block
    raise ValueError(f"{op.name} has no block")


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
