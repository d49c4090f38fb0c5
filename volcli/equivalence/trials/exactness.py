"""Whether the floats that a function computes are determined to the last bit.

They are if each is made by operations that IEEE 754 determines, without flags that allow for other values,
and no sum goes around a loop, or through a reduction whose order is not stated.
"""

from __future__ import annotations

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation
from xdsl.utils.type import get_element_type_or_self

from volcli.language import questions
from volcli.language.interface import operation_name

_DIALECTS = frozenset(("arith", "func", "tensor", "memref", "affine", "bufferization", "linalg"))
_MOVES = frozenset(("linalg.generic", "linalg.map", "linalg.yield", "linalg.fill", "linalg.copy"))


_EITHER_ZERO = frozenset(("arith.maxnumf", "arith.minnumf"))
"""Operations of which either zero may be the result."""


def has_floats(function: Operation) -> bool:
    """Whether FUNCTION gets or makes floats."""
    arguments = (value.type for block in function.regions[0].blocks for value in block.args)
    made = (value.type for op in function.walk() for value in op.results)
    kinds = (get_element_type_or_self(kind) for kind in (*arguments, *made))
    return any(not isinstance(kind, IntegerType | IndexType) for kind in kinds)


def is_exact(function: Operation) -> bool:
    """Whether each float that FUNCTION computes is one number."""
    return all(map(_is_exact, function.walk()))


def _is_exact(op: Operation) -> bool:
    name = operation_name(op)
    dialect = name.partition(".")[0]
    if name in _EITHER_ZERO or dialect not in _DIALECTS or questions.loop(op) is not None:
        return False
    if dialect == "linalg" and name not in _MOVES:
        return False
    flags = (each for each in op.properties.values() if isinstance(each, FastMathFlagsAttr))
    if any(each.data for each in flags):
        return False
    return all(kind == "parallel" for kind in questions.iterator_names(op) or ())
