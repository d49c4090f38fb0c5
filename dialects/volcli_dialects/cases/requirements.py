"""What operations require beside what they demand of numbers: elements that exist, sizes of new tensors."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, ShapedType, TensorType
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.language.expressions import Expression, dim_of, value_of
from volcli.language.questions import constant_fill, requires
from volcli.language.reads import Disjunction


def is_inside(source: SSAValue, indices: Sequence[SSAValue]) -> list[Disjunction] | None:
    """`0 <= index < size` in each dimension; None for a tensor without a rank."""
    kind = source.type
    if not isinstance(kind, TensorType | MemRefType) or kind.get_num_dims() != len(indices):
        return None
    pairs = ((value_of(index), dim_of(source, d)) for d, index in enumerate(indices))
    return [((index, size - 1 - index),) for index, size in pairs]


def are_sizes(sizes: Iterable[Expression]) -> list[Disjunction]:
    """No size is negative."""
    return [((size,),) for size in sizes if not (size.is_constant and size.constant >= 0)]


def is_dimension(source: SSAValue, dimension: SSAValue) -> list[Disjunction] | None:
    """`0 <= dimension < rank`; None for what has no rank."""
    kind = source.type
    if not isinstance(kind, TensorType | MemRefType):
        return None
    index = value_of(dimension)
    return [((index, kind.get_num_dims() - 1 - index),)]


def register_divisions(kinds: Iterable[type[Operation]]) -> None:
    """KINDS divide each element by one: what single numbers need of that is what they demand."""
    for kind in kinds:
        requires.case(kind)(divides_by_constants)


def divides_by_constants(op: Operation) -> list[Disjunction] | None:
    """Of tensors and vectors of integers, data decides; not if all divisors are one number but 0 and -1."""
    if not isinstance(op.operands[0].type, ShapedType) or not _is_of_integers(op.operands[0].type):
        return []
    divisor = op.operands[1]
    number = constant_fill(divisor.op) if isinstance(divisor, OpResult) else None
    return [] if isinstance(number, int) and number not in (0, -1) else None


def _is_of_integers(kind: Attribute) -> bool:
    return isinstance(getattr(kind, "element_type", None), IntegerType | IndexType)


def register_requirements(
    kinds: Iterable[type[Operation]], total: Container[str], if_static: Container[str] = ()
) -> None:
    """Those of KINDS with names in TOTAL are total, apart from regions; those IF_STATIC if sizes are known.

    What others need is not known: data decides about it, or it was not looked up. So a new operation is not
    total before somebody says so.
    """
    for kind in kinds:
        if not requires.answers(kind):
            case = _total_if_static if kind.name in if_static else _not_known
            requires.case(kind)(_total if kind.name in total else case)


def _total(op: Operation) -> list[Disjunction] | None:
    return []


def _total_if_static(op: Operation) -> list[Disjunction] | None:
    """The verifier has compared all sizes."""
    shaped = (v.type for v in (*op.operands, *op.results) if isinstance(v.type, ShapedType))
    return [] if all(kind.has_static_shape() for kind in shaped) else None


def _not_known(op: Operation) -> list[Disjunction] | None:
    return None
