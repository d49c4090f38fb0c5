"""What a view of memory is a view of, as its operation states it."""

from __future__ import annotations

from xdsl.ir import OpResult, SSAValue

from volcli.language import questions


def base_of(memref: SSAValue) -> SSAValue:
    """The memref of no view that MEMREF is in the end: `%m` of `subview (subview %m)`."""
    while isinstance(memref, OpResult) and (view := questions.view(memref.op)) is not None:
        memref = view.base
    return memref
