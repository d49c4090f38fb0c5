"""The bufferization dialect: between tensors, whose values never change, and buffers, whose elements do."""

from __future__ import annotations

from xdsl.dialects import bufferization
from xdsl.ir import Dialect

from volcli_dialects.bufferization import memory, ops, problems
from volcli_dialects.cases.dialects import dialect_of, operations_of


def dialect() -> Dialect:
    """xDSL's bufferization dialect with the operations and the syntax that it lacks."""
    return dialect_of(bufferization.Bufferization, operations_of(ops))
