"""Element-wise operations on tensors of which some elements are known: masks and positions.

    %m = cmpi sge, %row, %column        %r = select %m, %x, %zero        r[i, j] is x[i, j] where j <= i

Each element is computed as in the body of a linalg.generic that applies the operation to one element of each
operand, and what is known there is known here (`volcli.language.programs.bodies`): where the numbers of the
coordinates decide what is read, and that a map is not exact where they do it in a way that is not followed.

An operation of a dialect whose scalars are not those of arith is first said in arith's: `SAID_BY`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, Signedness, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Expression
from volcli.language.programs.bodies import Body
from volcli.language.programs.element_numbers import is_made_of_loops, number_of
from volcli.language.programs.loop_numbers import LoopNumbers, known_scalar
from volcli.language.questions import Vanishing, definition, element_numbers, element_reads, vanishing
from volcli.language.reads import (
    Access,
    Alternative,
    Condition,
    ElementReads,
    element_type,
    is_number,
    rank_of,
)
from volcli_dialects.cases.numbers.wrapping import width

Saying = Callable[[Operation, Block, Sequence[SSAValue]], SSAValue | None]
"""Appends operations on scalars to a block; None where there are none that compute the same."""

SAID_BY: dict[type[Operation], Saying] = {}
"""By operation, how it is said in scalar operations of arith."""


def followed(op: Operation, alternative: Alternative) -> ElementReads:
    """What the element-wise OP reads, by its one ALTERNATIVE; more exactly where elements are known."""
    operands = [value for value in op.operands if value in alternative.scalars]
    if len(op.results) != 1 or not _is_known(op, operands):
        return ElementReads((alternative,))
    block, arguments, made = on_scalars(op, operands, alternative.scalars)
    body = Body(block, {argument: known_scalar(at.operand) or at for argument, at in arguments.items()})
    reads = body.reads(made)
    conditions = dict(_renamed(op, block, operands, made, body.conditions))
    found = replace(
        alternative,
        reads=reads,
        scalars={**body.scalars, **alternative.scalars},
        conditions={**body.conditions, **conditions},
        deciding=body.deciding,
    )
    return ElementReads((found,), body.inexact, body.is_parametric, body.is_opaque)


def numbers_of_elements(op: Operation, alternative: Alternative) -> list[Expression | None]:
    """The integers that the elements of the element-wise OP are, over their coordinates."""
    operands = [value for value in op.operands if value in alternative.scalars]
    is_integer = len(op.results) == 1 and is_number(element_type(op.results[0].type))
    tensors = [value for value in operands if rank_of(value)]
    if not is_integer or any(number_of(value) is None for value in tensors):
        return [None] * len(op.results)
    block, arguments, made = on_scalars(op, operands, alternative.scalars)
    _write_constants(block, arguments)
    return [in_type(LoopNumbers(block, arguments).expression(made), op)]


def in_type(number: Expression | None, op: Operation) -> Expression | None:
    """NUMBER as the elements of OP's result have it: 200 of the bits of -56, if they are unsigned."""
    kind = element_type(op.results[0].type)
    return number % 2**kind.bitwidth if number is not None and is_unsigned(kind) else number


def is_unsigned(kind: Attribute) -> bool:
    """Whether the integers of the type KIND have no sign."""
    return isa(kind, IntegerType) and kind.signedness.data is Signedness.UNSIGNED


def _write_constants(block: Block, arguments: Mapping[SSAValue, Access]) -> None:
    """Arguments of BLOCK that are one integer for all elements become constants: what divides is one."""
    for argument, at in arguments.items():
        known, kind = number_of(at.operand) or known_scalar(at.operand), argument.type
        if known is None or not known.is_constant or kind != signless(kind):
            continue
        from xdsl.dialects.arith import ConstantOp  # takes 30 ms: only where such a number is asked for

        assert isa(kind, IndexType | IntegerType), "integers have numbers"
        bits = known.constant.bit_length() + 1
        if kind == element_type(at.operand.type) or bits <= (width(kind) or 0):
            constant = ConstantOp(IntegerAttr(known.constant, kind))
            argument.replace_all_uses_with(constant.result)
            block.insert_ops_before([constant], next(iter(block.ops)))


def pointwise(kinds: Iterable[type[Operation]], of: Callable[[Operation], Sequence[Alternative]]) -> None:
    """KINDS compute each element from elements of their operands: OF says which, for each result.

    What they read, which numbers they give, and their definition follow.
    """
    for kind in kinds:
        element_reads.case(kind)(lambda op: [followed(op, each) for each in of(op)])
        element_numbers.case(kind)(lambda op: numbers_of_elements(op, of(op)[0]))
        definition.case(kind)(lambda op: _defined(op, of))


def _defined(op: Operation, of: Callable[[Operation], Sequence[Alternative]]) -> TensorDefinition | None:
    """`R[r]` is what OP makes of single numbers."""
    if len(op.results) != 1 or not isinstance(op.results[0].type, TensorType):
        return None
    (stated,) = of(op)
    operands = [value for value in op.operands if value in stated.scalars]
    block, arguments, made = on_scalars(op, operands, stated.scalars, in_bits=False)
    output = DefinedOutput(stated.element, made)
    whole = tuple(at for at in arguments.values() if at.index == stated.element)
    return TensorDefinition(stated.loops, block, dict(arguments), (output,), whole)


def _is_known(op: Operation, operands: Sequence[SSAValue]) -> bool:
    """Whether coordinates take part in one of OPERANDS, or one truth for all elements selects."""
    tensors = [value for value in operands if rank_of(value)]
    if any(map(is_made_of_loops, tensors)):
        return True
    if vanishing(op) is not Vanishing.BY_CONDITION:
        return False
    return number_of(operands[0]) is not None or known_scalar(operands[0]) is not None


def on_scalars(
    op: Operation, operands: Sequence[SSAValue], accesses: Mapping[SSAValue, Access], *, in_bits: bool = True
) -> tuple[Block, dict[SSAValue, Access], SSAValue]:
    """OP on one element of each of OPERANDS: the block, what its arguments stand for, and what it makes.

    IN_BITS the types of integers have no sign, as those of arith, where it is said in these.
    """
    kinds = [element_type(value.type) for value in operands]
    block = Block(arg_types=[signless(each) for each in kinds] if in_bits else kinds)
    say = SAID_BY.get(type(op))
    made = None if say is None else say(op, block, block.args)
    if made is None:
        block = Block(arg_types=kinds)
        scalar = type(op).create(
            operands=block.args,
            result_types=[element_type(result.type) for result in op.results],
            properties=op.properties,
            attributes=op.attributes,
        )
        block.add_op(scalar)
        made = scalar.results[0]
    accessed = (accesses[value] for value in operands)
    return block, dict(zip(block.args, accessed, strict=True)), made


def signless(kind: Attribute) -> Attribute:
    """The type of arith that has the bits of KIND."""
    return IntegerType(kind.bitwidth) if isinstance(kind, IntegerType) else kind


def _renamed(
    op: Operation,
    block: Block,
    operands: Sequence[SSAValue],
    made: SSAValue,
    conditions: Mapping[SSAValue, Condition],
) -> list[tuple[SSAValue, Condition]]:
    """CONDITIONS of the scalars of BLOCK, as those of the tensors that they are elements of."""
    names: dict[SSAValue, SSAValue] = dict(zip(block.args, operands, strict=True))
    names[made] = op.results[0]
    return [(names[value], split) for value, split in conditions.items() if value in names]
