"""What is wrong with operations of arith, in the words of mlir-opt 22.

Operands have one type, which the custom syntax says once; a cast goes between two element types of the same
shape, from a narrow one to a wide one or back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.arith import AddUIExtendedOp
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseResourceAttr,
    IndexType,
    IntegerType,
    MemRefType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, TypedAttribute

from volcli_dialects.arith.ops import (
    BINARY_CLASSES,
    CAST_CLASSES,
    SCALING_CLASSES,
    CmpfOp,
    CmpiOp,
    ConstantOp,
    SelectOp,
)
from volcli_dialects.syntax.op_types import truth_of
from volcli_dialects.verification.problems import (
    are_compatible,
    cast_problem,
    container_of,
    element_of,
    elementwise_problem,
    messages,
    same_type_problem,
    sizes_of,
    types,
    width_of,
)

for _class in BINARY_CLASSES.values():
    messages(_class)(
        lambda op: [
            same_type_problem(
                types([*op.results, *op.operands]), "requires the same type for all operands and results"
            )
        ]
    )


def _is_integer(kind: Attribute) -> bool:
    element = element_of(kind)
    return isinstance(element, IndexType | IntegerType) and _is_signless(element_of(kind))


def _is_signless(kind: Attribute) -> bool:
    """Whether an integer type has no sign: `i8`, not `si8` or `ui8`."""
    return str(kind).startswith("i")


def _is_float(kind: Attribute) -> bool:
    """Whether the elements are floats; true as well for a type that is not known."""
    return not isinstance(element_of(kind), IntegerType | IndexType | MemRefType)


@messages(CmpiOp, CmpfOp)
def comparison_problems(op: CmpiOp | CmpfOp) -> Iterator[str | None]:
    """One type of operands, and a truth value for each of their elements."""
    is_integer = isinstance(op, CmpiOp)
    kind = op.lhs.type
    if not (_is_integer(kind) if is_integer else _is_float(kind)):
        wanted = "signless-integer-like" if is_integer else "floating-point-like"
        yield f"'lhs' must be {wanted}, but got '{kind}'"
    if kind != op.rhs.type:
        yield "requires all operands to have the same type"
    result = op.result.type
    if element_of(result) != IntegerType(1):
        yield f"result #0 must be bool-like, but got '{result}'"
    if truth_of(kind) != result:
        yield "failed to verify that result type has i1 element type and same shape as operands"


@messages(SelectOp)
def select_problems(op: SelectOp) -> Iterator[str | None]:
    """One type of values; one condition for all, or one for each element."""
    kind, condition = op.result.type, op.cond.type
    if op.lhs.type != kind or op.rhs.type != kind:
        yield "failed to verify that all of {true_value, false_value, result} have same type"
    if element_of(condition) != IntegerType(1):
        yield f"operand #0 must be bool-like, but got '{condition}'"
    if condition not in (IntegerType(1), truth_of(kind)):
        yield "failed to verify that condition is signless i1 or has matching shape"


@messages(ConstantOp)
def constant_problems(op: ConstantOp) -> Iterator[str | None]:
    """The number's type is the result's, and no integer has a sign."""
    value, kind = op.value, op.result.type
    if isinstance(kind, IntegerType) and not _is_signless(op.result.type):
        yield "integer return type must be signless"
    if not isinstance(value, TypedAttribute) or isinstance(value, DenseResourceAttr):
        return
    if value.get_type() != kind:
        yield "failed to verify that all of {value, result} have same type"


_WIDER: Callable[[int, int], bool] = int.__lt__
_NARROWER: Callable[[int, int], bool] = int.__gt__
_SAME_WIDTH: Callable[[int, int], bool] = int.__eq__

_WIDTHS: Mapping[str, Callable[[int, int], bool]] = {
    "arith.extsi": _WIDER,
    "arith.extui": _WIDER,
    "arith.extf": _WIDER,
    "arith.trunci": _NARROWER,
    "arith.truncf": _NARROWER,
    "arith.bitcast": _SAME_WIDTH,
}
"""How the operand's bits relate to the result's."""

_FROM_INTEGER = frozenset(
    ("arith.extsi", "arith.extui", "arith.trunci", "arith.sitofp", "arith.uitofp", "arith.index_cast",
     "arith.index_castui")
)  # fmt: skip
_FROM_FLOAT = frozenset(("arith.extf", "arith.truncf", "arith.fptosi", "arith.fptoui"))


def cast_problems(op: Operation) -> Iterator[str | None]:
    """The shapes are equal, and the element types are of the right kinds and widths."""
    before, after = op.operands[0].type, op.results[0].type
    if (op.name in _FROM_INTEGER and _is_surely_float(before)) or (
        op.name in _FROM_FLOAT and not _is_float(before)
    ):
        wanted = "floating-point-like" if op.name in _FROM_FLOAT else _INTEGER_WORDS.get(op.name, _FIXED)
        yield f"operand #0 must be {wanted}, but got '{before}'"
    left, right = sizes_of(before), sizes_of(after)
    if (left is None) != (right is None) and not _has_unranked(before, after):
        yield "requires the same shape for all operands and results"
    if container_of(before) and container_of(after) and container_of(before) != container_of(after):
        yield "failed to verify that input and output have the same tensor dimensions"
    if left is not None and right is not None and not are_compatible(left, right):
        if op.name.startswith("arith.index_cast"):
            yield "failed to verify that input and output have the same tensor dimensions"
        yield "requires the same shape for all operands and results"
    one, other = element_of(before), element_of(after)
    if op.name.startswith("arith.index_cast"):
        if isinstance(one, IndexType) == isinstance(other, IndexType):
            yield cast_problem(op)
        return
    fits = _WIDTHS.get(op.name)
    widths = width_of(one), width_of(other)
    if not (fits is None or widths[0] is None or widths[1] is None or fits(widths[0], widths[1])):
        yield cast_problem(op)


_FIXED = "signless-fixed-width-integer-like"
_INTEGER_WORDS: Mapping[str, str] = dict.fromkeys(
    ("arith.index_cast", "arith.index_castui"), "signless-integer-like or memref of signless-integer"
)


def _is_surely_float(kind: Attribute) -> bool:
    return isinstance(element_of(kind), AnyFloat)


def _has_unranked(*kinds: Attribute) -> bool:
    return any(isinstance(kind, UnrankedTensorType) for kind in kinds)


for _class in CAST_CLASSES.values():
    messages(_class)(cast_problems)


@messages(AddUIExtendedOp)
def overflow_problems(op: AddUIExtendedOp) -> Iterator[str | None]:
    """A truth value for each sum: whether it has overflowed."""
    if element_of(op.overflow.type) != IntegerType(1):
        yield f"result #1 must be bool-like, but got '{op.overflow.type}'"
    yield elementwise_problem(op)


messages(*SCALING_CLASSES.values())(lambda op: [elementwise_problem(op)])
