"""The memref dialect of LLVM 22: buffers, views of them, and accesses to their elements."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Dialect

from volcli_dialects.cases.dialects import dialect_of, operations_of
from volcli_dialects.memref import accesses, aliases, effects, problems, updates, view_problems, views
from volcli_dialects.memref import globals as memref_globals


def dialect() -> Dialect:
    """xDSL's memref dialect with the operations and the syntax that it lacks."""
    return dialect_of(memref.MemRef, operations_of(views, accesses, memref_globals))
