"""What operations do of which a project declares the effects (`volcli.language.declared`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from xdsl.dialects.builtin import AnyFloat, ComplexType
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import AttrSizedOperandSegments, IRDLOperation
from xdsl.traits import is_side_effect_free

from volcli.execution.table import executions
from volcli.language.declared import DeclaredOperation, DoesNothing, LikeAnother, RunsItsRegions
from volcli.language.expressions import ANY
from volcli.language.interface import operation_name
from volcli.language.memory import Effect, Effects, MemoryAccess, is_memref
from volcli.language.questions import accesses, choices, effects
from volcli.language.reads import element_type, is_number, rank_of
from volcli_dialects.linalg.structured import NamedOp
from volcli_dialects.syntax.syntax import SEGMENT_SIZES, segment_sizes


def _accesses(op: DeclaredOperation) -> Iterator[MemoryAccess]:
    stated = op.DECLARATION
    for effect, numbers in ((Effect.READ, stated.reads), (Effect.WRITE, stated.writes)):
        for memref in (op.operands[number] for number in numbers):
            index = (ANY,) * rank_of(memref)
            why = f"which elements '{operation_name(op)}' {effect.value}s is not declared"
            yield MemoryAccess(effect, memref, index, partial=why)


@effects.case(DeclaredOperation)
def declared_effects(op: DeclaredOperation) -> Effects:
    """What it frees and prints. The memory that it is given may be that of what it returns or runs."""
    stated = op.DECLARATION
    passed = [*op.results, *(argument for region in op.regions for b in region.blocks for argument in b.args)]
    exposed = tuple(filter(is_memref, op.operands)) if any(map(_may_hold_memory, passed)) else ()
    freed = tuple(op.operands[number] for number in stated.frees)
    return Effects(frees=freed, exposes=exposed, prints=stated.prints)


def _may_hold_memory(value: SSAValue) -> bool:
    """Whether VALUE may lead to memory: it is no number, and no tensor or vector of numbers."""
    number = element_type(value.type)
    return is_memref(value) or not (is_number(number) or isinstance(number, AnyFloat | ComplexType))


@effects.case(LikeAnother)
def effects_of_another(op: LikeAnother) -> Effects:
    """Those of the other operation."""
    another = op.stand_in
    stated = effects(another)
    if stated is not None:
        return stated
    is_known = accesses(another) is not None or is_side_effect_free(another)
    return Effects() if is_known else Effects(unknown=f"'{operation_name(op)}'")


def made_like(op: Operation, kind: type[Operation]) -> Operation:
    """An operation of KIND with the operands, types and attributes of OP.

    Raises ValueError if there is none.
    """
    attributes = {name: value for name, value in op.attributes.items() if name != "op_name__"}
    attributes |= op.properties
    types = [result.type for result in op.results]
    if issubclass(kind, NamedOp):
        count = kind.ROW.input_count
        return kind.assemble(op.operands[:count], op.operands[count:], types, attributes)
    if op.regions:
        raise ValueError("it has regions")
    definition = cast("type[IRDLOperation]", kind).get_irdl_definition()
    if any(isinstance(option, AttrSizedOperandSegments) for option in definition.options):
        if len(op.operands) != len(definition.operands) and SEGMENT_SIZES not in attributes:
            raise ValueError(f"which operands are which is not known without '{SEGMENT_SIZES}'")
        attributes.setdefault(SEGMENT_SIZES, segment_sizes(*[1] * len(op.operands)))
    inherent = {*definition.properties, SEGMENT_SIZES}
    return kind.create(
        operands=op.operands,
        result_types=types,
        properties={name: value for name, value in attributes.items() if name in inherent},
        attributes={name: value for name, value in attributes.items() if name not in inherent},
    )


# Any element of what it reads, and perhaps some of what it writes.
accesses.case(DeclaredOperation)(lambda op: list(_accesses(op)))
choices.case(RunsItsRegions)(lambda op: [])  # Its regions run once; nothing is known of its results.
executions.case(DoesNothing)(lambda op: lambda *_: None)  # Nothing.
accesses.case(LikeAnother)(lambda op: accesses(op.stand_in) or [])  # Those of the other operation.
