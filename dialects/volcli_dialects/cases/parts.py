"""The parts of an operation as a case needs them; each raises NotAffine where an operation has others.

An operation in generic form may have anything in place of a tensor or a number: then nothing is known of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import Expression, Misfit, NotAffine, constant, dim_of
from volcli.language.reads import rank_of
from volcli.limits import dialects as limits


def tensor(value: SSAValue, rank: int | None = None) -> SSAValue:
    """VALUE, a tensor with a rank: of RANK, if that is given."""
    if not isinstance(value.type, TensorType):
        raise NotAffine("a tensor without a rank")
    if rank is not None and rank_of(value) != rank:
        raise Misfit("an operand or a result of another rank")
    return value


def tensors(op: Operation, *ranks: int | None) -> list[SSAValue]:
    """The first operands of OP, tensors of RANKS."""
    if len(op.operands) < len(ranks):
        raise Misfit("an operation with fewer operands")
    return [tensor(op.operands[k], rank) for k, rank in enumerate(ranks)]


def result(op: Operation, rank: int | None = None) -> OpResult:
    """The result of OP, a tensor of RANK."""
    tensor(op.results[0], rank)
    return op.results[0]


def sizes(value: SSAValue) -> list[Expression]:
    """The sizes of a tensor: numbers where its type says them."""
    kind = value.type
    if not isa(kind, TensorType[Attribute]):
        raise NotAffine("a tensor without a rank")
    return [
        dim_of(value, d) if size == DYNAMIC_INDEX else constant(size)
        for d, size in enumerate(kind.get_shape())
    ]


def static_sizes(value: SSAValue) -> Sequence[int]:
    """The sizes that the type of a tensor says; DYNAMIC_INDEX for the others."""
    kind = value.type
    if not isa(kind, TensorType[Attribute]):
        raise NotAffine("a tensor without a rank")
    return kind.get_shape()


def yielded(region: Region, count: int) -> Sequence[SSAValue]:
    """What the only block of REGION gives at its end: COUNT values."""
    last = only_block(region).last_op
    if last is None or len(last.operands) != count:
        raise Misfit("a region that does not yield the results")
    return last.operands


def only_block(region: Region) -> Block:
    """The block of REGION, which has one."""
    if len(region.blocks) != 1:
        raise Misfit("a region of several blocks, or none")
    return region.block


def attribute(op: Operation, name: str) -> Attribute | None:
    """The property or attribute NAME."""
    found = op.properties.get(name)
    return op.attributes.get(name) if found is None else found


def number(op: Operation, name: str, default: int | None = None) -> int:
    """The integer attribute NAME; DEFAULT where it is absent."""
    found = attribute(op, name)
    if isinstance(found, IntegerAttr):
        return found.value.data
    if found is None and default is not None:
        return default
    raise NotAffine(f"no number '{name}'")


def numbers(op: Operation, name: str, count: int | None = None) -> tuple[int, ...]:
    """The list of integers NAME: COUNT of them, if that is given."""
    found = integers_of(attribute(op, name))
    if found is None:
        raise NotAffine(f"no list of numbers '{name}'")
    if count is not None and len(found) != count:
        raise Misfit(f"'{name}' has {len(found)} numbers, not {count}")
    return found


def positives(op: Operation, name: str, count: int) -> tuple[int, ...]:
    """The list NAME of COUNT positive integers."""
    found = numbers(op, name, count)
    if min(found, default=1) < 1:
        raise Misfit(f"'{name}' has a number that is not positive")
    return found


def dimension(op: Operation, name: str, rank: int) -> int:
    """The attribute NAME, one of RANK dimensions."""
    found = number(op, name)
    if not 0 <= found < rank:
        raise Misfit(f"'{name}' is not a dimension")
    return found


def dimensions(op: Operation, name: str, rank: int, count: int | None = None) -> tuple[int, ...]:
    """The attribute NAME: different dimensions of RANK."""
    found = numbers(op, name, count)
    if len(set(found)) != len(found) or not all(0 <= each < rank for each in found):
        raise Misfit(f"'{name}' are not dimensions")
    return found


def integers_of(found: Attribute | None) -> tuple[int, ...] | None:
    """`array<i64: 1, 2>`, `dense<[1, 2]>` or `[1, 2]` as numbers, row-major; None for anything else."""
    values: Sequence[object]
    match found:
        case DenseArrayBase():
            values = cast("DenseArrayBase[IntegerType]", found).get_values()
        case DenseIntOrFPElementsAttr() if 0 not in found.get_shape() and len(found) <= limits.CONSTANT_PARTS:
            values = list(found.iter_values())
        case DenseIntOrFPElementsAttr() if 0 in found.get_shape():
            return ()
        case ArrayAttr():
            every = found.data
            values = [each.value.data if isinstance(each, IntegerAttr) else None for each in every]
        case _:
            return None
    whole = [each for each in values if isinstance(each, int)]
    return tuple(whole) if len(whole) == len(values) else None


def fill_of(found: Attribute | None) -> float | int | None:
    """The number that all elements of a constant are, if there is one."""
    match found:
        case IntegerAttr() | FloatAttr():
            return found.value.data
        case DenseIntOrFPElementsAttr() if 0 not in found.get_shape() and found.is_splat():
            value = next(iter(found.iter_values()))
            return None if isinstance(value, tuple) else value
        case _:
            return None


def is_zero(value: SSAValue) -> bool:
    """Whether VALUE is a constant of zeros."""
    made = value.op if isinstance(value, OpResult) else None
    return made is not None and questions.constant_fill(made) == 0
