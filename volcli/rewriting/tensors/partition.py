"""A structured operation as several, on boxes of its loop points, without what contributes nothing.

    %y = op ins(%a, %b) outs(%i)

becomes, for boxes B_1, ..., B_m of loop points with the parts P_1, ..., P_m of the result,

    %y1 = insert_slice (op on B_1, outs(%i[P_1])) into %i[P_1]
    ...
    %y  = insert_slice (op on B_m, outs(%y(m-1)[P_m])) into %y(m-1)[P_m]

The boxes have all loop points that contribute (`volcli.model.volumes.knowledge.live`), the parts do not
overlap. An element in no part is the initial one, or +0 where the body does not use that. Each element is
computed from the same points in the same order, but for those that change nothing, to the last bit.

Along a loop of unknown length n, with edges of a and b indices, parts are [0, a), [a, n - b) and [n - b, n).
An scf.if asks whether n > a + b; in its other branch the operation is as it was.

IMPACT 2023, algorithm 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.arith import CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.hints import isa

from volcli.language.expressions import Expression, LoopIndex, NotAffine, loop
from volcli.language.structured_ops import StructuredNest
from volcli.model.function import FunctionModel
from volcli.model.stated_effects import only_computes
from volcli.model.volumes.knowledge.live import LivePoints, live
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.measures.box import count
from volcli.presburger.profiles.partition import LiveNest, partitioned, points_of
from volcli.presburger.sets import build
from volcli.rewriting.changes.changes import Changes
from volcli.rewriting.code.slices import extract_slice, insert_slice
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.enclosing import is_in_loops_and_branches
from volcli.rewriting.tensors.boxes import accessed, compute_on_box, extents, nest_of
from volcli.rewriting.tensors.scope import Scope
from volcli.rewriting.tensors.slice_of import SliceOf
from volcli.rewriting.tensors.tensors import filled

AnyTensor = TensorType[Attribute]


@dataclass(frozen=True)
class Limits:
    """At most `parts` parts of an operation, each of which saves `part_cost` operations or more.

    `assume_finite`: all operations are taken to carry `fastmath<nnan,ninf,nsz>`.
    """

    parts: int
    part_cost: int
    assume_finite: bool


@dataclass(frozen=True)
class Plan:
    """How OP is split: into these boxes, or not at all, for a `reason` if there is one to tell.

    `open_` says how many loop points contribute nothing if numbers are finite, where that is not known;
    with `zeros`, elements in no part are +0; `declared` are the domains of arguments that this rests on.
    The boxes are right where no number in `guards` is negative, which is not known.
    """

    op: Operation
    nest: StructuredNest
    scope: Scope
    boxes: Sequence[SliceParameters] = ()
    reason: str | None = None
    open_: str | None = None
    zeros: bool = False
    declared: Sequence[str] = ()
    guards: Sequence[Expression] = ()


def planned(changes: Changes, model: FunctionModel, op: Operation, limits: Limits) -> Plan | None:
    """How OP is split within LIMITS; None if it is not a structured operation with an initial value."""
    nest = nest_of(op)
    if nest is None or nest.results:
        return None
    scope = Scope(changes.before(op), model, model.view(op.results[0]))
    if model.has_control_flow:
        return Plan(op, nest, scope, reason="the function has several blocks")
    if not is_in_loops_and_branches(op, model.function):
        return Plan(
            op, nest, scope, reason="it is inside a region that belongs to neither a loop nor a branch"
        )
    try:
        with budget(model.operations):
            return _planned(scope, nest, op, limits)
    except NotAffine as error:
        return Plan(op, nest, scope, reason=str(error))
    except BudgetExceeded as spent:
        return Plan(op, nest, scope, reason=spent.reason)


def _planned(scope: Scope, nest: StructuredNest, op: Operation, limits: Limits) -> Plan:
    found = live(scope.view.flow, op, limits.assume_finite)
    strongest = found if limits.assume_finite else live(scope.view.flow, op, True)
    if found is None or strongest is None or strongest.is_everything:
        return Plan(op, nest, scope)
    open_ = None if found.points.is_equal(strongest.points) else _dead(strongest)
    sizes = extents(scope, nest)
    if sizes is None:
        return Plan(op, nest, scope, reason="a loop runs along no dimension alone", open_=open_)
    split = _splittable(nest)
    if split is None:
        return Plan(op, nest, scope, reason="a result is indexed by more than single loops", open_=open_)
    reductions = tuple(k for k, parallel in enumerate(nest.parallel) if not parallel)
    shorten = not found.is_everything
    chosen = found if shorten else strongest
    context = scope.context.params()
    points = LiveNest(
        chosen.domain.intersect_params(context),
        chosen.points.intersect_params(context),
        sizes,
        split,
        reductions,
        nest.weight,
        fills=not all(chosen.keeps),
        part_cost=limits.part_cost,
    )
    if not shorten and not _reads_padding(scope, op):
        return Plan(op, nest, scope, open_=open_)
    boxes = partitioned(points, limits.parts, shorten=shorten)
    if len(boxes) == 1 and _covers(points.domain, boxes):
        return Plan(op, nest, scope, open_=open_)
    numbers = dict.fromkeys(size for box in boxes for size in box.sizes)
    guards = [size - 1 for size in numbers if not scope.never_negative(size)]
    domain = points.domain.intersect_params(_holds(guards))
    zeros = not all(found.keeps) and not _computes_all(domain, boxes, split)
    return Plan(op, nest, scope, boxes, open_=open_, zeros=zeros, declared=found.declared, guards=guards)


def _holds(guards: Sequence[Expression]) -> isl.Set:
    """The parameters for which none of GUARDS is negative."""
    return build.nonnegative(0, tuple(guards)).params()


def _dead(points: LivePoints) -> str:
    """`2304 of 4096 loop points`, or that it is some of them."""
    every, dead = count(points.domain), count(points.dead)
    return "some of the loop points" if every is None or dead is None else f"{dead} of {every} loop points"


def _splittable(nest: StructuredNest) -> tuple[int, ...] | None:
    """The parallel loops that each output runs along, a loop for each dimension; None if others do."""
    found: set[int] | None = None
    for access in nest.outputs:
        own: set[int] = set()
        for index in access.index:
            atom = index.single_atom if isinstance(index, Expression) else None
            if isinstance(atom, LoopIndex) and atom.position not in own:
                own.add(atom.position)
            elif not isinstance(index, Expression) or not index.is_constant:
                return None
        found = own if found is None else found & own
    return tuple(k for k in sorted(found or ()) if nest.parallel[k])


def _reads_padding(scope: Scope, op: Operation) -> bool:
    """Whether an operand is put together from others: then a part of it may need no copy."""
    operands = (operand for operand in op.operands if isinstance(operand, OpResult))
    return any(
        len(scope.view.relations.of(operand).statements) > 1 and nest_of(operand.op) is None
        for operand in operands
        if isa(operand.type, AnyTensor)
    )


def _covers(domain: isl.Set, boxes: Sequence[SliceParameters]) -> bool:
    return bool(domain.is_subset(points_of(boxes[0])))


def _computes_all(domain: isl.Set, boxes: Sequence[SliceParameters], split: Sequence[int]) -> bool:
    """Whether each element of the result is in the part of one of BOXES."""
    to_split = build.relation(domain.dim(isl.dim_type.set), tuple(map(loop, split)))
    rest = domain.apply(to_split)
    for box in boxes:
        rest = rest.subtract(points_of(box).apply(to_split))
    return bool(rest.is_empty())


def split(changes: Changes, plan: Plan) -> None:
    """Carry out PLAN."""
    op, scope = plan.op, plan.scope
    if not plan.guards:
        changes.replace(op, _parts(plan, scope))
        return
    builder = scope.builder
    truths = [_is_not_negative(scope, guard) for guard in plan.guards]
    while len(truths) > 1:
        truths[:2] = [builder.make("arith.andi", truths[:2], result=i1)]
    blocks = Block(), Block()
    inside, outside = map(builder.inside, blocks)
    split_ = Scope(inside, scope.model, scope.view, scope.loops, _holds(plan.guards))
    inside.operation("scf.yield", _parts(plan, split_))
    outside.operation("scf.yield", outside.insert(op.clone()).results)
    kinds = [result.type for result in op.results]
    regions = [Region(block) for block in blocks]
    changes.replace(op, builder.operation("scf.if", truths, results=kinds, regions=regions).results)
    _sink(builder, blocks[1])


def _sink(builder: Builder, block: Block) -> None:
    """Move into BLOCK what moves data for it alone: a padded copy is made where it is needed.

    What is made before a loop stays there.
    """
    around = block.parent_block()
    pending = [operand for op in block.ops for operand in op.operands]
    while pending:
        value = pending.pop()
        used = {use.operation.parent for use in value.uses}
        if not isinstance(value, OpResult) or used != {block} or len(value.op.results) != 1:
            continue
        is_beside = value.op.parent in (around, block)
        if is_beside and nest_of(value.op) is None and all(map(only_computes, value.op.walk())):
            start = InsertPoint.at_start(block)
            Builder(None, builder.context, start, builder.names, builder.made).take(value.op)
            pending += value.op.operands


def _is_not_negative(scope: Scope, number: Expression) -> SSAValue:
    """Whether NUMBER is at least 0, when the program runs."""
    size, zero = scope.number(number), scope.builder.constant(0)
    assert isinstance(size, SSAValue), "else it is known"
    predicate = IntegerAttr(CMPI_COMPARISON_OPERATIONS.index("sge"), i64)
    return scope.builder.make("arith.cmpi", [size, zero], result=i1, properties={"predicate": predicate})


def _parts(plan: Plan, scope: Scope) -> Sequence[SSAValue]:
    """The results of PLAN's operation, put together from its boxes by SCOPE."""
    op = plan.op
    slicer = SliceOf(scope)
    values = [access.operand for access in plan.nest.outputs]
    if plan.zeros:
        values = [filled(scope, _zero(scope, value), scope.sizes(value)) for value in values]
    for box in plan.boxes:
        parts = [accessed(scope, access, box)[0] for access in plan.nest.outputs]
        mixed = list(map(scope.mixed, parts))
        whole = [scope.is_whole(a.operand, p) for a, p in zip(plan.nest.outputs, parts, strict=True)]
        inits = [
            value if all_ else extract_slice(scope.builder, value, part)
            for value, part, all_ in zip(values, mixed, whole, strict=True)
        ]
        made = compute_on_box(scope, op, box, slicer.value, inits)
        values = [
            new if all_ else insert_slice(scope.builder, new, value, part)
            for new, value, part, all_ in zip(made.results, values, mixed, whole, strict=True)
        ]
    return values


def _zero(scope: Scope, value: SSAValue) -> SSAValue:
    """The number +0 of the type of VALUE's elements."""
    kind = value.type
    assert isa(kind, AnyTensor)
    element = kind.element_type
    if isa(element, IntegerType) or isinstance(element, IndexType):
        return scope.builder.make(
            "arith.constant", [], result=element, properties={"value": IntegerAttr(0, element)}
        )
    if isa(element, AnyFloat):
        number = FloatAttr(0.0, element)
        return scope.builder.make("arith.constant", [], result=element, properties={"value": number})
    raise NotAffine(f"there is no zero of type {element}")
