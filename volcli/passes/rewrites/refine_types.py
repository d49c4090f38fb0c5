"""Writing proved sizes into types: `tensor<?xf32>` becomes `tensor<5xf32>` where the size is 5 in every run.

Every value whose size is proved changes its type at once. Operations that volcli knows accept that (their
sizes follow from the operands' by the same rules that proved them); what every other operation (a call, a
loop, a reshape of which only one side is proved) makes is cast to the new type, and what it uses is cast
back, so that signatures stay as they are. Nothing that holds only after a
`cf.assert` is used: before the assertion, an operation may run with the other size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType, ShapedType, TensorType, i64
from xdsl.dialects.tensor import CastOp, CollapseShapeOp, ExpandShapeOp, InsertSliceOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, Use
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import Dim, Expression
from volcli.model.function import FunctionModel
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.values.terms.requirements import stated_sizes
from volcli.passes.base import Unit
from volcli.rewriting.changes.changes import Changes

AnyTensor = TensorType[Attribute]

_MIXED_LISTS = (
    ("static_low", "low"),
    ("static_high", "high"),
    ("static_offsets", "offsets"),
    ("static_sizes", "sizes"),
    ("static_strides", "strides"),
    ("static_output_shape", "dynamic_output_shape"),
)
"""Per list that mixes integers and values: the attribute with the integers, the operands with the values."""

_EXTENT_OPERANDS = ("dynamic_sizes", "dynamicSizes", "dynamic_extents")
"""The operands that stand for the `?` of the result type, in order."""


def refine_types(unit: Unit, name: str) -> None:
    """Refine the types in all functions of UNIT, for the pass NAME."""
    changes = Changes(unit, name)
    for model in unit.models():
        store = _unconditional(model)
        refined = {v: kind for v in model.values() if (kind := _refined(store, v)) is not None}
        _apply(changes, store, refined)
    changes.finish()


def _unconditional(model: FunctionModel) -> Sizes:
    """The sizes of each value where it is made, in each execution that gets there."""
    alone = FunctionModel(model.function, model.name_of, operations=model.operations, conditional=False)
    return alone.shapes


def _refined(store: Sizes, value: SSAValue) -> AnyTensor | None:
    """VALUE's type with its proved sizes, if that says more."""
    kind = value.type
    if not isa(kind, AnyTensor) or DYNAMIC_INDEX not in kind.get_shape():
        return None
    sizes = [_size(s, e) for s, e in zip(kind.get_shape(), store.sizes(value), strict=True)]
    if tuple(sizes) == kind.get_shape():
        return None
    return TensorType(kind.get_element_type(), sizes, kind.encoding)


def _size(declared: int, proved: Expression) -> int:
    return (
        proved.constant
        if declared == DYNAMIC_INDEX and proved.is_constant and proved.constant >= 0
        else declared
    )


def _accepts_refinement(op: Operation, store: Sizes) -> bool:
    """Whether OP is valid with the proved sizes in all of its types; nested operations keep theirs."""
    if not any(op.parent is block for block in store.blocks):
        return False
    if not (questions.result_sizes.answers(type(op)) and questions.element_reads.answers(type(op))):
        return False
    if isinstance(op, ExpandShapeOp | CollapseShapeOp):
        return _reshapes_consistently(op, store)
    if questions.slice_of.answers(type(op)) and not _stays_inside(op, store):
        return False
    if not isinstance(op, CastOp) and not _agrees_with_operands(op, store):
        return False
    if isinstance(op, InsertSliceOp):
        return all(store.number(size).is_constant for size in op.sizes)
    shaped = [v for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)]
    if all(v.type == shaped[0].type for v in shaped[1:]):  # then they must stay equal
        return len({tuple(_proved(size) for size in store.sizes(v)) for v in shaped}) <= 1
    return True


def _agrees_with_operands(op: Operation, store: Sizes) -> bool:
    """Whether a result that is as large as an operand is proved where the operand is.

    More may be known of the result, which is made later: of another size, the operation is undefined.
    """
    for result, sizes in zip(op.results, stated_sizes(op), strict=True):
        for dimension, size in enumerate(sizes):
            atom = None if size is None else size.single_atom
            if isinstance(atom, Dim) and atom.value in op.operands:
                known, source = store.sizes(result)[dimension], store.sizes(atom.value)[atom.dimension]
                if _proved(known) != _proved(source):
                    return False
    return True


def _stays_inside(op: Operation, store: Sizes) -> bool:
    """Whether the slice of OP lies inside of its tensor with the proved sizes, as MLIR checks constants.

    The first element of each dimension is checked even of a slice that has none: 0 is outside of a size of 0.
    """
    stated = questions.slice_of(op)
    if stated is None:
        return True
    lists = ([store.resolve(e) for e in part] for part in (stated.offsets, stated.sizes, stated.strides))
    for size, offset, count, stride in zip(store.sizes(stated.source), *lists, strict=True):
        positions = [offset]
        if count.is_constant and count.constant > 0:
            positions.append(offset + (count - 1) * stride)
        known = [p.constant for p in positions if p.is_constant]
        if size.is_constant and any(not 0 <= position < size.constant for position in known):
            return False
    return True


def _reshapes_consistently(op: ExpandShapeOp | CollapseShapeOp, store: Sizes) -> bool:
    """Per group, the collapsed dimension is proved if and only if all expanded ones are."""
    small, large = (op.src, op.result) if isinstance(op, ExpandShapeOp) else (op.result, op.src)
    expanded = store.sizes(large)
    start = 0
    for collapsed, group in zip(store.sizes(small), op.reassociation.data, strict=True):
        end = start + len(group.data)
        if collapsed.is_constant != all(size.is_constant for size in expanded[start:end]):
            return False
        start = end
    return True


def _proved(size: Expression) -> int:
    return _size(DYNAMIC_INDEX, size)


def _apply(changes: Changes, store: Sizes, refined: dict[SSAValue, AnyTensor]) -> None:
    changed: dict[Operation, None] = {}
    conflicting = {conflict.op for conflict in store.conflicts()}  # with both sizes, it would be invalid
    accepting = {
        op
        for block in store.blocks
        for op in block.ops
        if op not in conflicting and _accepts_refinement(op, store)
    }
    active = _without_idle_casts(accepting, store, refined)
    for value, kind in refined.items():
        original = value.type
        uses = list(value.uses)
        if not isinstance(value, OpResult) or value.op not in accepting:
            uses = [u for u in uses if u.operation in active]
            changed.update(dict.fromkeys(u.operation for u in uses))
            _cast_at_definition(changes, value, kind, uses)
        elif value.op in active:
            changed.update(
                dict.fromkeys([value.op, *(u.operation for u in uses if u.operation in accepting)])
            )
            op, value = value.op, changes.retype(value, kind)
            _drop_extents(changes, op, original)
            for use in uses:
                if use.operation not in accepting:
                    _cast_back(changes, use, value, original, store)
    for op in changed:
        _fold_mixed_lists(changes, op, store)


def _without_idle_casts(
    accepting: set[Operation], store: Sizes, refined: Mapping[SSAValue, AnyTensor]
) -> set[Operation]:
    """The ACCEPTING operations without the casts to a `?` that nothing profits from: they may stay."""
    active = set(accepting)
    for block in reversed(store.blocks):
        for op in reversed(list(block.ops)):
            if isinstance(op, CastOp) and not (
                op.results[0] in refined and any(use.operation in active for use in op.results[0].uses)
            ):
                active.discard(op)
    return active


def _cast_at_definition(changes: Changes, value: SSAValue, kind: AnyTensor, uses: Sequence[Use]) -> None:
    """A cast of VALUE to KIND where it is defined, for USES; all others go on using VALUE itself."""
    if not uses:
        return
    builder = changes.behind(value)
    cast = builder.make("tensor.cast", [value], result=kind, called=builder.name(value, "cast"))
    for use in uses:
        changes.use(use.operation, use.index, cast)


def _cast_back(changes: Changes, use: Use, value: SSAValue, original: Attribute, store: Sizes) -> None:
    """USE keeps the type it had: before it (outside of any region that it is in) stands a cast."""
    outermost = use.operation
    while not any(outermost.parent is block for block in store.blocks):
        parent = outermost.parent_op()
        assert parent is not None
        outermost = parent
    builder = changes.before(outermost, use.operation)
    cast = builder.make("tensor.cast", [value], result=original, called=builder.name(value, "cast"))
    changes.use(use.operation, use.index, cast)


def _drop_extents(changes: Changes, op: Operation, original: object) -> None:
    """Remove the operands that gave the sizes which are now part of the type."""
    refined = op.results[0].type
    assert isinstance(original, ShapedType)
    assert isinstance(refined, ShapedType)
    if not any(hasattr(op, name) for name in _EXTENT_OPERANDS):
        return
    now = refined.get_shape()
    dynamic = [d for d, size in enumerate(original.get_shape()) if size == DYNAMIC_INDEX]
    first = len(op.operands) - len(dynamic)
    kept = [o for d, o in zip(dynamic, op.operands[first:], strict=True) if now[d] == DYNAMIC_INDEX]
    changes.set_operands(op, [*op.operands[:first], *kept])


def _fold_mixed_lists(changes: Changes, op: Operation, store: Sizes) -> None:
    """Write constant operands of offset, size, stride and padding lists into their attributes."""
    if not isinstance(op, IRDLOperation):
        return
    for attribute, group in _MIXED_LISTS:
        static = op.properties.get(attribute)
        if isa(static, DenseArrayBase[IntegerType]):
            _fold_list(changes, op, store, attribute, static, list(getattr(op, group)))


def _fold_list(
    changes: Changes,
    op: IRDLOperation,
    store: Sizes,
    attribute: str,
    static: DenseArrayBase[IntegerType],
    values: Sequence[SSAValue],
) -> None:
    numbers: list[int] = []
    dropped: list[SSAValue] = []
    remaining = iter(values)
    for number in static.get_values():
        if number != DYNAMIC_INDEX:
            numbers.append(number)
            continue
        value = next(remaining)
        known = store.number(value)
        numbers.append(known.constant if known.is_constant else DYNAMIC_INDEX)
        if known.is_constant:
            dropped.append(value)
    if dropped:
        _drop_operands(changes, op, values, dropped)
        op.properties[attribute] = DenseArrayBase.from_list(i64, numbers)


def _drop_operands(
    changes: Changes, op: IRDLOperation, group: Sequence[SSAValue], dropped: Sequence[SSAValue]
) -> None:
    """Remove DROPPED from the operand group GROUP, and from its segment size."""
    operands = list(op.operands)
    start = next(i for i in range(len(operands)) if all(operands[i + k] is v for k, v in enumerate(group)))
    position = len(operands[:start])
    keep = [o for o in group if o not in dropped]
    segments = op.properties.get(AttrSizedOperandSegments.attribute_name)
    if isa(segments, DenseArrayBase[IntegerType]):
        sizes = list(segments.get_values())
        running = 0
        for index, size in enumerate(sizes):
            if running == position and size == len(group):
                sizes[index] = len(keep)
                break
            running += size
        op.properties[AttrSizedOperandSegments.attribute_name] = DenseArrayBase.from_list(
            segments.elt_type, sizes
        )
    changes.set_operands(op, [*operands[:start], *keep, *operands[start + len(group) :]])
