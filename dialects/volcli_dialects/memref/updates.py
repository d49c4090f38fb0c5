"""What an atomic update makes of its element: a definition without loops.

memref.atomic_rmw addf %x, %m[%i]       m[i] = m[i] + x
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression, NotAffine, value_of
from volcli.language.questions import definition
from volcli.language.reads import Access, Condition, whole
from volcli_dialects.cases.parts import yielded
from volcli_dialects.memref.accesses import AtomicRMWOp, GenericAtomicRMWOp
from volcli_dialects.syntax.properties import atomic_kind


@definition.case(AtomicRMWOp)
def combined(op: AtomicRMWOp) -> TensorDefinition:
    """The element, combined with the operand as the kind says."""
    block = Block(arg_types=[op.value.type, op.value.type])
    value, current = block.args
    made = value
    if (kind := atomic_kind(op.kind.value.data)) != "assign":
        block.add_op(scalar := _combining(kind).create(operands=[current, value], result_types=[value.type]))
        made = scalar.results[0]
    return _updated(op.memref, op.indices, current, made, {value: Access(op.value, ())})


def _updated(
    memref: SSAValue,
    indices: Sequence[SSAValue],
    current: SSAValue,
    made: SSAValue,
    others: Mapping[SSAValue, Access],
) -> TensorDefinition:
    """The element of MEMREF at INDICES becomes what is MADE of it as it is, CURRENT."""
    at = tuple(map(value_of, indices))
    arguments: dict[SSAValue, Access | Expression | Condition] = {**others, current: Access(memref, at)}
    block = current.owner
    assert isinstance(block, Block), "the argument of a body"
    return TensorDefinition(0, block, arguments, (DefinedOutput(at, made, current, whole(memref)),), ())


def _combining(kind: str) -> type[Operation]:
    """The operation of arith that combines numbers as KIND says."""
    from xdsl.dialects import arith  # takes 30 ms: only where there are atomic updates

    names = {"maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui"}
    by_name = {each.name: each for each in arith.Arith.operations}
    found = by_name.get(f"arith.{names.get(kind, kind)}")
    if found is None:
        raise NotAffine(f"an update of the kind {kind}")
    return found


# What the region makes of the element.
definition.case(GenericAtomicRMWOp)(
    lambda op: _updated(op.memref, op.indices, op.body.block.args[0], yielded(op.body, 1)[0], {})
)
