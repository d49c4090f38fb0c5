"""The vector dialect, as far as it occurs beside the dialects that volcli analyses."""

from __future__ import annotations

from xdsl.dialects import vector
from xdsl.ir import Dialect

from volcli_dialects.cases.memory.memory import with_stated_effects
from volcli_dialects.vector import access_problems as vector_access_problems
from volcli_dialects.vector import bounds as vector_bounds
from volcli_dialects.vector import effects as vector_effects
from volcli_dialects.vector import problems as vector_problems
from volcli_dialects.vector import reduction_problems as vector_reduction_problems
from volcli_dialects.vector import requirements as vector_requirements
from volcli_dialects.vector.accesses import ACCESS_OPS, PunctuationAttr
from volcli_dialects.vector.masks import MASK_OPS
from volcli_dialects.vector.reductions import REDUCTION_OPS, IteratorKindAttr
from volcli_dialects.vector.shapes import SHAPE_OPS
from volcli_dialects.vector.transfers import TRANSFER_OPS

__all__ = [
    "dialect",
    "vector_access_problems",
    "vector_bounds",
    "vector_effects",
    "vector_problems",
    "vector_reduction_problems",
    "vector_requirements",
]


def dialect() -> Dialect:
    """xDSL's vector dialect with the operations and the syntax that it lacks."""
    ours = (*SHAPE_OPS, *ACCESS_OPS, *TRANSFER_OPS, *REDUCTION_OPS, *MASK_OPS)
    operations = {op.name: op for op in (*vector.Vector.operations, *ours)}
    attributes = [*vector.Vector.attributes, PunctuationAttr, IteratorKindAttr]
    return with_stated_effects(Dialect("vector", list(operations.values()), attributes))
