"""On which numbers the floats that a function computes are determined to the last bit.

all of them       by operations that IEEE 754 determines, without flags that allow for other values, if no
                  sum goes around a loop, or through a reduction whose order is not stated
+-0, +-1, NaN,    also if sums, products and extrema are in any order: finite ones are small integers, and
infinities        the signs of zeros, infinities and NaN do not depend on the order
the same, not 0   also if either zero may be the result, as of `maxnumf`, where there is no -0
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Operation
from xdsl.utils.type import get_element_type_or_self

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name

_DIALECTS = frozenset(("arith", "func", "tensor", "memref", "affine", "bufferization", "linalg", "scf"))
_MOVES = frozenset(
    ("linalg.generic", "linalg.map", "linalg.yield", "linalg.fill", "linalg.copy", "linalg.reduce",
     "linalg.broadcast", "linalg.transpose", "linalg.index")
)  # fmt: skip
_EITHER_ZERO = frozenset(("arith.maxnumf", "arith.minnumf"))
"""Operations of which either zero may be the result."""
_PROMISES = frozenset(("nnan", "ninf"))
"""Flags that make poison, and no other number."""
_WITHOUT_NEGATIVE_ZEROS = frozenset(
    (
        "arith.addf",
        "arith.maximumf",
        "arith.minimumf",
        "arith.cmpf",
        "arith.select",
        "arith.constant",
        *_EITHER_ZERO,
    )
)
"""What makes no -0 of numbers without zeros."""
_IN_ANY_ORDER = _WITHOUT_NEGATIVE_ZEROS - _EITHER_ZERO | {
    "arith.subf", "arith.mulf", "arith.negf", "math.absf"
}  # fmt: skip


def has_floats(function: Operation) -> bool:
    """Whether FUNCTION gets or makes floats."""
    arguments = (value.type for block in function.regions[0].blocks for value in block.args)
    made = (value.type for op in function.walk() for value in op.results)
    kinds = (get_element_type_or_self(kind) for kind in (*arguments, *made))
    return any(not isinstance(kind, IntegerType | IndexType) for kind in kinds)


def numbers_of_floats(*functions: Operation) -> str | None:
    """The kind of inputs on which each float that FUNCTIONS compute is one number; None if there is none."""
    ops = [op for function in functions for op in function.walk()]
    if any(map(_adds_bias, ops)):
        return None
    try:
        scalars = [each for op in ops for each in _scalars(op)]
        if any(_flags(each) - _PROMISES for each in scalars):
            return None
        names = {operation_name(each) for each in scalars if _is_of_floats(each)}
        if not any(map(_is_ordered, ops)) and all(_is_determined(name) for name in names):
            return "extreme"
    except NotAffine:
        return None
    if names <= _IN_ANY_ORDER:
        return "signs"
    return "infinities" if names <= _WITHOUT_NEGATIVE_ZEROS else None


def has_promises(function: Operation) -> bool:
    """Whether FUNCTION promises that floats are no NaN, or no infinities."""
    return any(_flags(op) & _PROMISES for op in function.walk())


def _adds_bias(op: Operation) -> bool:
    """Whether OP adds a bias to a sum, at a time that is not stated: it is -0, or not, if all others are."""
    stated = questions.definition(op) if questions.definition.answers(type(op)) else None
    return stated is not None and any(output.left is not None for output in stated.outputs)


def _scalars(op: Operation) -> Iterator[Operation]:
    """What OP does to scalars: itself, or the body of its definition. Raises NotAffine if it is unknown."""
    name = operation_name(op)
    stated = questions.definition(op) if questions.definition.answers(type(op)) else None
    if stated is not None:
        yield from stated.block.ops
    elif name in _MOVES or name.partition(".")[0] != "linalg":
        yield op
    else:
        raise NotAffine(f"{name} is not known")


def _is_of_floats(op: Operation) -> bool:
    """Whether OP computes with floats, or is of a dialect that may."""
    values = (*op.operands, *op.results)
    computes = any(isinstance(get_element_type_or_self(value.type), AnyFloat) for value in values)
    name = operation_name(op)
    moves = name in _MOVES or name.partition(".")[0] in _DIALECTS - {"arith", "linalg"}
    return computes and not moves and not questions.constant_fill.answers(type(op))


def _is_determined(name: str) -> bool:
    return name == "math.absf" or (name.startswith("arith.") and name not in _EITHER_ZERO)


def _flags(op: Operation) -> set[str]:
    stated = (each for each in op.properties.values() if isinstance(each, FastMathFlagsAttr))
    return {str(flag.value) for each in stated for flag in each.data}


def _is_ordered(op: Operation) -> bool:
    """Whether OP does something again and again, perhaps in an order that is not stated."""
    if questions.loop(op) is not None:
        return True
    if any(kind != "parallel" for kind in questions.iterator_names(op) or ()):
        return True
    stated = questions.definition(op) if questions.definition.answers(type(op)) else None
    return stated is not None and any(output.state is not None for output in stated.outputs)
