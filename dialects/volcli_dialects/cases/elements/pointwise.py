"""Operations without an initial value as loop nests: a loop for each dimension of the result.

Each element of `arith.addf %a, %b : tensor<8x4xf32>` is computed from the elements of %a and %b at its own
index, by the same scalar operation: a part of the result is the operation of parts of its operands.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.expressions import loops
from volcli.language.reads import Access
from volcli.language.structured_ops import Sizes, Start, StructuredNest

AnyTensor = TensorType[Attribute]


def pointwise_nest(op: Operation) -> StructuredNest | None:
    """The loops of an element-wise OP of tensors; its scalar operands are the same at all points."""
    if not op.results or op.regions:
        return None
    first = op.results[0].type
    if not isa(first, AnyTensor):
        return None
    rank = len(first.get_shape())
    accesses: list[Access] = []
    for value in (*op.results, *op.operands):
        kind = value.type
        if isa(kind, AnyTensor) and len(kind.get_shape()) == rank:
            accesses.append(Access(value, loops(rank)))
        elif value in op.operands and not isinstance(kind, TensorType):
            accesses.append(Access(value, ()))
        else:
            return None

    def remade(
        operands: Sequence[SSAValue], _: object, __: Sequence[Start], sizes: Sequence[Sizes]
    ) -> Operation:
        kinds = [resized(r.type, each) for r, each in zip(op.results, sizes, strict=True)]
        properties, attributes = dict(op.properties), dict(op.attributes)
        return type(op).create(
            operands=operands, result_types=kinds, properties=properties, attributes=attributes
        )

    count = len(op.results)
    return StructuredNest(
        tuple(accesses[count:]),
        len(op.operands),
        (True,) * rank,
        moves=False,
        weight=1,
        remade=remade,
        results=tuple(accesses[:count]),
    )


def resized(kind: Attribute, sizes: Sizes) -> TensorType[Attribute]:
    """The tensor type KIND with other SIZES."""
    assert isa(kind, AnyTensor)
    shape = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
    return TensorType(kind.element_type, shape, kind.encoding)


def begin_at(block: Block, before: Operation, index: SSAValue, start: Start) -> None:
    """Let the loop INDEX that BLOCK uses be `start + step * index`, computed in front of BEFORE."""
    from xdsl.dialects.arith import AddiOp, MuliOp  # who only reads affine or tensor operations needs none

    first, step = start
    made: list[Operation] = []
    value = index
    if step != 1:
        made.append(_constant(step))
        made.append(MuliOp(value, made[-1].results[0]))
        value = made[-1].results[0]
    if first != 0:
        made += [_constant(first)] if isinstance(first, int) else []
        made.append(AddiOp(value, made[-1].results[0] if isinstance(first, int) else first))
        value = made[-1].results[0]
    if not made:
        return
    others = [use for use in index.uses if use.operation not in made]
    block.insert_ops_before(made, before)
    for use in others:
        use.operation.operands[use.index] = value


def _constant(value: int) -> Operation:
    from xdsl.dialects.arith import ConstantOp

    return ConstantOp(IntegerAttr(value, IndexType()))
