"""What a call passes for the arguments of the function that it calls, and for their sizes."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation

from volcli.language.expressions import Atom, Dim, Expression, Value, dim_of, substitute, value_of


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
