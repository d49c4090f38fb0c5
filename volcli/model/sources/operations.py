"""Which operations of two functions compute the same, if their operands are the same."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import loops
from volcli.language.memory import is_memref
from volcli.language.reads import captured_values, element_type, rank_of
from volcli.model.sources.same import types_in
from volcli.model.stated_effects import only_computes


def is_elementwise(result: OpResult) -> bool:
    """Whether the elements of RESULT are made one by one, of scalars and of the same element of tensors."""
    op, rank = result.op, rank_of(result)
    stated = questions.element_reads(op)
    if stated is None or op.regions or len(op.results) != 1:
        return False
    (reads,) = stated
    if reads.inexact is not None or reads.opaque or len(reads.alternatives) != 1:
        return False
    (alternative,) = reads.alternatives
    is_plain = alternative.loops == rank and alternative.element == loops(rank)
    is_plain = is_plain and alternative.keeps is None and not (alternative.bounds or alternative.extents)
    same_index = all(
        tuple(read.access.index) == (loops(rank) if rank_of(read.access.operand) else ())
        for read in alternative.reads
    )
    operands = {read.access.operand for read in alternative.reads}
    return is_plain and same_index and alternative.yields is result and operands == set(op.operands)


def same_on_elements(one: OpResult, other: OpResult) -> bool:
    """Whether elements of ONE and OTHER, which are made one by one, are made in the same way."""
    return _stated(one.op) == _stated(other.op) and _elements(one) == _elements(other)


def _elements(result: OpResult) -> list[Attribute]:
    return [element_type(value.type) for value in (result, *result.op.operands)]


def _stated(op: Operation) -> object:
    return op.name, dict(op.properties), dict(op.attributes)


def same_statement(one: Operation, other: Operation) -> bool:
    """Whether two branches, loops or accesses say the same of their operands, their regions apart."""
    kinds = [[None if is_memref(value) else value.type for value in op.operands] for op in (one, other)]
    return _stated(one) == _stated(other) and kinds[0] == kinds[1]


def used_by(op: Operation) -> list[SSAValue]:
    """What OP, or a region of it, uses of what is around it."""
    return [*op.operands, *captured_values(op)]


def same_on_tensors(one: OpResult, other: OpResult) -> bool:
    """Whether ONE and OTHER are equal as soon as what their operations use is."""
    mine, theirs = used_by(one.op), used_by(other.op)
    if one.index != other.index or [v.type for v in mine] != [v.type for v in theirs]:
        return False
    if one.type != other.type or any(map(is_memref, mine)) or not _is_pure(one.op):
        return False
    if not one.op.regions:
        return _stated(one.op) == _stated(other.op)
    related = dict(zip(mine, theirs, strict=True))
    if any(related[a] is not b for a, b in zip(mine, theirs, strict=True)):
        return False
    return one.op.is_structurally_equivalent(other.op, {**related}) and _types(one.op) == _types(other.op)


def _types(op: Operation) -> list[list[Attribute]]:
    return [types_in(inner) for inner in op.walk()]


def _is_pure(op: Operation) -> bool:
    return all(only_computes(inner) for inner in op.walk())
