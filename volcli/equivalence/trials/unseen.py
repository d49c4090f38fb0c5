"""Operations that may be undefined in elements that nothing asks for.

Only what an asked element is computed from is executed, so a division by zero anywhere else stays unseen, and
what a program that has one computes proves nothing. Which programs may have one is seen in their text: an
operation that is applied to the elements of tensors, or stands in a body that is, must be defined for all
operands. Slices, loops, and what is done to single numbers are executed as ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation

from volcli.execution.outcomes import Stopped
from volcli.execution.table import prepare, scalars
from volcli.execution.walking.total import is_total
from volcli.language.interface import operation_name

_CONTROL = frozenset(("affine", "builtin", "cf", "func", "scf"))
"""Dialects whose regions are executed where they stand."""
_PARTIAL = frozenset(("tosa.intdiv",))


def undefined_unseen(function: Operation) -> Operation | None:
    """The first operation of this kind that FUNCTION, or what it may call, has."""
    calls = any(operation_name(op) == "func.call" for op in function.walk())
    operations = list(function.get_toplevel_object().walk() if calls else function.walk())
    prepare(operations)
    return next(filter(_is_partial, operations), None)


def _is_partial(op: Operation) -> bool:
    in_body = any(operation_name(each).partition(".")[0] not in _CONTROL for each in _around(op))
    on_elements = any(isinstance(each.type, ShapedType) for each in op.operands)
    if not (in_body or on_elements):
        return False
    try:
        return not is_total(op) and (in_body or scalars(op) is not None or operation_name(op) in _PARTIAL)
    except Stopped:
        return True


def _around(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()
