"""A class of xDSL's declared anew: same name, same cases, other fields and syntax."""

from __future__ import annotations

from abc import ABC

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition

# A class method of the base class, unbound, so that it can be bound to another class.
_NO_SYNTAX = Operation.parse.__func__


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
