"""affine.load and affine.store as memref.load and memref.store, whose indices may be any index values.

The memref dialect is imported where that is asked: most programs with affine accesses have no plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Operation, SSAValue

from volcli.language.questions import plain_access
from volcli_dialects.affine.memory import LoadOp, StoreOp


@plain_access.case(LoadOp)
def load_at_values(op: LoadOp) -> Callable[[Sequence[SSAValue]], Operation]:
    """`memref.load %m[%i, %j]`"""
    from xdsl.dialects.memref import LoadOp as PlainLoad

    return lambda indices: PlainLoad.get(op.memref, indices)


@plain_access.case(StoreOp)
def store_at_values(op: StoreOp) -> Callable[[Sequence[SSAValue]], Operation]:
    """`memref.store %x, %m[%i, %j]`"""
    from xdsl.dialects.memref import StoreOp as PlainStore

    return lambda indices: PlainStore.get(op.value, op.memref, indices)
