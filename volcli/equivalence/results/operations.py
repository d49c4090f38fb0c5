"""Which operations of two functions compute the same, if their operands are the same."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from volcli.equivalence.results.same import types_in
from volcli.language import questions
from volcli.language.expressions import loops
from volcli.language.memory import is_memref
from volcli.language.programs.definitions import own_body
from volcli.language.programs.known_loops import is_while
from volcli.language.reads import Access, captured_values, element_type, rank_of
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


def made_last(result: OpResult) -> OpResult:
    """What the last operation on each element of RESULT makes: a result in its scalar body, if it has one."""
    body = own_body(result.op)
    found = None if body is None else body.outputs[result.index].yields
    return found if isinstance(found, OpResult) else result


def same_on_elements(one: OpResult, other: OpResult) -> bool:
    """Whether elements of ONE and OTHER, which are made one by one, are made in the same way."""
    return _stated(one.op) == _stated(other.op) and _elements(one) == _elements(other)


def _elements(result: OpResult) -> list[Attribute]:
    return [element_type(value.type) for value in (result, *result.op.operands)]


def _stated(op: Operation) -> object:
    return op.name, dict(op.properties), dict(op.attributes)


def same_statement(one: Operation, other: Operation) -> bool:
    """Whether two branches, loops or accesses say the same of their operands, their regions apart.

    Two loops that go on as long as something holds do whatever values go around them: each is compared alone.
    """
    if is_while(one) and is_while(other):
        return _stated(one) == _stated(other)
    kinds = [[None if is_memref(value) else value.type for value in op.operands] for op in (one, other)]
    return _stated(one) == _stated(other) and kinds[0] == kinds[1]


def used_by_both(one: OpResult, other: OpResult) -> list[tuple[SSAValue, SSAValue]] | None:
    """What the operations of ONE and OTHER use, in pairs: if all pairs are equal, the results are.

    None if that is not so: these are other operations, or touch memory.
    """
    if one.index != other.index or one.type != other.type or not (_is_pure(one.op) and _is_pure(other.op)):
        return None
    mine, theirs = ([*op.operands, *captured_values(op)] for op in (one.op, other.op))
    if [v.type for v in mine] != [v.type for v in theirs] or any(map(is_memref, mine)):
        return None
    related = dict(zip(mine, theirs, strict=True))
    if any(related[a] is not b for a, b in zip(mine, theirs, strict=True)):
        return None
    is_same = _stated(one.op) == _stated(other.op) and _same_regions(one.op, other.op, related)
    return list(related.items()) if is_same or _same_bodies(one.op, other.op, related) else None


def _same_regions(one: Operation, other: Operation, related: Mapping[SSAValue, SSAValue]) -> bool:
    if not one.regions and not other.regions:
        return True
    return one.is_structurally_equivalent(other, {**related}) and _types(one) == _types(other)


def _same_bodies(one: Operation, other: Operation, related: Mapping[SSAValue, SSAValue]) -> bool:
    """Whether the same is done at the same loop points, as of a named operation and its definition."""
    mine, theirs = own_body(one), own_body(other)
    if mine is None or theirs is None or len(mine.arguments) != len(theirs.arguments):
        return False
    if not all(size.is_constant for size in mine.sizes) or mine.sizes != theirs.sizes:
        return False
    outputs = ([(each.element, each.begins) for each in of.outputs] for of in (mine, theirs))
    if [(element, _paired(v, related)) for element, v in next(outputs)] != next(outputs):
        return False
    for ours, its in zip(mine.arguments.values(), theirs.arguments.values(), strict=True):
        if isinstance(ours, Access) and isinstance(its, Access):
            if related.get(ours.operand) is not its.operand or ours.index != its.index:
                return False
        elif ours != its or isinstance(ours, Access):
            return False
    is_same = mine.block.is_structurally_equivalent(theirs.block, {**related})
    return is_same and _types_of(mine.block) == _types_of(theirs.block)


def _paired(value: SSAValue | None, related: Mapping[SSAValue, SSAValue]) -> SSAValue | None:
    return None if value is None else related.get(value)


def _types_of(block: Block) -> list[Attribute]:
    own = [argument.type for argument in block.args]
    return own + [kind for op in block.walk() for kind in types_in(op)]


def _types(op: Operation) -> list[list[Attribute]]:
    return [types_in(inner) for inner in op.walk()]


def _is_pure(op: Operation) -> bool:
    return all(only_computes(inner) for inner in op.walk())
