"""The vector dialect, as far as it occurs beside the dialects that volcli analyses."""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.ir import Dialect

from volcli_dialects.cases.dialects import dialect_of, operations_of
from volcli_dialects.vector import (
    access_problems,
    accesses,
    bounds,
    effects,
    elements,
    problems,
    reductions,
    shapes,
)
from volcli_dialects.vector.accesses import PunctuationAttr
from volcli_dialects.vector.reductions import IteratorKindAttr


def dialect() -> Dialect:
    """xDSL's vector dialect with the operations and the syntax that it lacks."""
    return dialect_of(
        vector.Vector,
        operations_of(shapes, accesses, reductions),
        [PunctuationAttr, IteratorKindAttr],
    )
