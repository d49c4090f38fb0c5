"""Values inside of loops and bodies: what is defined before them, and what scalars of bodies read.

A value in the body of a loop has one volume in each iteration. The variables of the loops around it are
parameters, and what a loop carries is an input: `%s[d0]` is computed from `%acc[i + d0]` in iteration i.

A scalar in the body of a structured operation has one number at each loop point: its volume is indexed by the
loops. Where it is computed from the accumulator, it is computed from all that earlier points of the same
element have read, too, and from the initial value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import islpy as isl
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.programs.backward_slices import backward_slice
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.knowledge.sparsity import is_constant
from volcli.model.volumes.relations.relations import Relations
from volcli.model.volumes.relations.statements import Statement
from volcli.presburger.sets import build


def definitions_before(value: SSAValue) -> Iterable[OpResult]:
    """The results that are defined up to VALUE and are not inputs, last first; then those around it."""
    op: Operation | None = value.op if isinstance(value, OpResult) else None
    block = op.parent if op is not None else value.block if isinstance(value, BlockArgument) else None
    while block is not None:
        while op is not None:
            if not is_constant(op):
                yield from reversed(op.results)
                yield from _chosen_inside(op)
            op = op.prev_op
        around = block.parent_op()
        block = None if around is None else around.parent
        op = None if around is None else around.prev_op


def _chosen_inside(op: Operation) -> Iterator[OpResult]:
    """What the regions of OP compute, last first, if its results are what one of them yields."""
    if not op.regions or not questions.choices.answers(type(op)):
        return
    for inner in (inner for region in op.regions for block in region.blocks for inner in reversed(block.ops)):
        if not is_constant(inner):
            yield from reversed(inner.results)
            yield from _chosen_inside(inner)


def is_scalar_of_body(value: SSAValue, relations: Relations) -> bool:
    """Whether VALUE is computed once for each loop point of a structured operation."""
    return _statement_around(value, relations) is not None


def map_of_scalar(
    value: SSAValue, store: Sizes, relations: Relations
) -> tuple[Operation, isl.Set, Mapping[SSAValue, isl.Map]] | None:
    """The structured operation that VALUE is a scalar of, its loop points, and what it reads at each."""
    found = _statement_around(value, relations)
    if found is None:
        return None
    statement, block = found
    around = block.parent_op()
    assert around is not None, "a body"
    reads: dict[SSAValue, isl.Map] = {}

    def add(operand: SSAValue, relation: isl.Map) -> None:
        inside = relation.intersect_range(store.domain(operand))
        reads[operand] = inside if operand not in reads else reads[operand].union(inside).coalesce()

    needed = backward_slice(value, block, statement.scalars)
    count = statement.source.loops
    for each in needed:
        if each in statement.scalars:
            operand, index = statement.scalars[each]
            add(operand, build.relation(count, index).intersect_domain(statement.domain))
        elif _is_from_outside(each, block) and isinstance(each.type, ShapedType):
            add(each, isl.Map.from_domain_and_range(statement.domain, store.domain(each)))
    if any(each in statement.source.accumulators for each in needed):
        for operand, relation in _read_before(statement):
            add(operand, relation)
    return around, statement.domain, reads


def _statement_around(value: SSAValue, relations: Relations) -> tuple[Statement, Block] | None:
    """The statement whose body computes VALUE, and its block; None if it is not a scalar of a body."""
    block = value.op.parent if isinstance(value, OpResult) else None
    block = value.block if isinstance(value, BlockArgument) else block
    around = None if block is None else block.parent_op()
    if block is None or around is None or not around.results or isinstance(value.type, ShapedType):
        return None
    if questions.loop.answers(type(around)) or not questions.element_reads.answers(type(around)):
        return None
    statements = relations.of(around.results[0]).statements
    found = (s for s in statements if any(argument in s.scalars for argument in block.args))
    statement = next(found, None)
    return None if statement is None else (statement, block)


def _read_before(statement: Statement) -> Iterable[tuple[SSAValue, isl.Map]]:
    """What the points before each loop point have read for the same element."""
    count = statement.source.loops
    to_element = build.relation(count, statement.element).intersect_domain(statement.domain)
    same = to_element.apply_range(to_element.reverse())
    earlier = same.intersect(isl.Map.lex_gt(statement.domain.get_space()))
    for read in statement.reads:
        points = statement.points_where(read.where)
        there = build.relation(count, read.index).intersect_domain(points)
        yield read.operand, earlier.apply_range(there).coalesce()


def _is_from_outside(value: SSAValue, block: Block) -> bool:
    owner = value.op.parent if isinstance(value, OpResult) else None
    owner = value.block if isinstance(value, BlockArgument) else owner
    return owner is not block and not (owner is not None and _is_inside(owner, block))


def _is_inside(inner: Block, block: Block) -> bool:
    around = inner.parent_op()
    while around is not None and around.parent is not None:
        if around.parent is block:
            return True
        around = around.parent.parent_op()
    return False
