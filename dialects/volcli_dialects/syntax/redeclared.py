"""Classes of operations: with their name and text, or declared anew where xDSL has one.

@operation("tensor.rank", "$tensor attr-dict `:` type($tensor)")
class RankOp(IRDLOperation): ...                                     `%r = tensor.rank %t : tensor<*xf32>`
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition

OpT = TypeVar("OpT", bound=IRDLOperation)

# A class method of the base class, unbound, so that it can be bound to another class.
_NO_SYNTAX = Operation.parse.__func__


def operation(name: str, text: str | None = None) -> Callable[[type[OpT]], type[OpT]]:
    """The decorated class is the operation NAME, and TEXT its declarative format, if it has one."""

    def defined(kind: type[OpT]) -> type[OpT]:
        kind.name = name
        kind.assembly_format = text or kind.assembly_format
        return irdl_op_definition(kind)

    return defined


class Redeclared(IRDLOperation, ABC):
    """First among the bases, it hides the syntax and the verifier of the second.

    Subclasses stay what the base is for everyone who asks (`isinstance`, the cases of questions), and must
    declare all of its fields again: xDSL has turned those of the base into properties.
    """

    assembly_format = None
    parse = classmethod(_NO_SYNTAX)  # pyright: ignore[reportAssignmentType]
    print = Operation.print
    verify_ = Operation.verify_


def renamed(kind: type[Operation], name: str, class_name: str) -> type[Operation]:
    """Finish a class that a function has made: its names, and its definition."""
    kind.name = name
    kind.__name__ = kind.__qualname__ = class_name
    return irdl_op_definition(kind)  # pyright: ignore
