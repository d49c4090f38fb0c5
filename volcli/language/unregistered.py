"""Classes of what no dialect defines: one for each name, whatever program it occurs in.

xDSL makes one for each context. Then the same attribute of two programs has two classes and is not equal to
itself, and what is kept by class (cases, and Python's own caches of `isinstance`) grows with each program.
"""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import UnregisteredAttr, UnregisteredOp
from xdsl.ir import Operation


@cache
def operations_named(name: str) -> type[Operation]:
    """The class of operations NAME.

    >>> operations_named("other.op") is operations_named("other.op")
    True
    """
    return UnregisteredOp.with_name(name)


@cache
def attributes_named(name: str, is_type: bool) -> type[UnregisteredAttr]:
    """The class of attributes #NAME, or of types !NAME."""
    return UnregisteredAttr.with_name_and_type(name, is_type)
