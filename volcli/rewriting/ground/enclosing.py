"""What is around an operation that is to be rewritten where it stands."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.language import questions


def is_in_loops_and_branches(op: Operation, function: Operation) -> bool:
    """Whether all regions around OP in FUNCTION are those of loops and branches.

    These may have any operations; the body of a linalg.generic, or of an unknown operation, may not.
    """
    while op is not function:
        parent = op.parent_op()
        if parent is None:
            return False
        if parent is not function and not (questions.loop(parent) or questions.choices(parent)):
            return False
        op = parent
    return True
