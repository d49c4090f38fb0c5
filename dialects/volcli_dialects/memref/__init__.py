"""The memref dialect of LLVM 22: buffers, views of them, and accesses to their elements."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Dialect

from volcli_dialects.cases.memory.memory import with_stated_effects
from volcli_dialects.memref import aliases as memref_aliases
from volcli_dialects.memref import effects as memref_effects
from volcli_dialects.memref import problems as memref_problems
from volcli_dialects.memref import sizes as memref_sizes
from volcli_dialects.memref import slices as memref_slices
from volcli_dialects.memref import view_problems as memref_view_problems
from volcli_dialects.memref.accesses import ACCESS_OPS
from volcli_dialects.memref.globals import GLOBAL_OPS
from volcli_dialects.memref.transfers import TRANSFER_OPS
from volcli_dialects.memref.views import VIEW_OPS

__all__ = [
    "dialect",
    "memref_aliases",
    "memref_effects",
    "memref_problems",
    "memref_sizes",
    "memref_slices",
    "memref_view_problems",
]


def dialect() -> Dialect:
    """xDSL's memref dialect with the operations and the syntax that it lacks."""
    ours = (*VIEW_OPS, *ACCESS_OPS, *TRANSFER_OPS, *GLOBAL_OPS)
    operations = {op.name: op for op in (*memref.MemRef.operations, *ours)}
    return with_stated_effects(Dialect("memref", list(operations.values()), [*memref.MemRef.attributes]))
