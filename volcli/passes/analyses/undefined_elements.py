"""undefined-elements: elements of new tensors that nothing has written, and results are computed from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.diagnostics import Diagnostic
from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.passes.base import Pass, Unit
from volcli.passes.limits import limited
from volcli.presburger.sets.build import DIM


@dataclass(frozen=True)
class UndefinedElements(Pass):
    """Find elements of `tensor.empty` and its like that a result of the function is computed from.

    From each result backwards, the elements that it is certainly computed from are followed through the
    exact element maps of operations; what goes through an inexact one, or one that chooses between values, is
    not known. What arrives at a new tensor was never written.

    Finding: a result is computed from such elements, whatever the sizes are for which there are some (V205).
    """

    name = "undefined-elements"
    summary = "results that are computed from uninitialized elements of new tensors"
    by_function = True

    def apply(self, unit: Unit) -> None:
        for model in (each.followed for each in unit.models()):
            if model.has_control_flow or not any(map(_may_be_read, _new_tensors(model))):
                continue
            place = unit.parsed.written_at(model.function)
            found, _ = limited(unit, place, lambda m=model: list(_undefined(m)))
            for op, tensor, elements in found or ():
                points = _named(elements)
                message = (
                    f"'{operation_name(op)}' op computes a result from uninitialized elements of "
                    f"{model.name_of(tensor)}: {points}"
                )
                place = unit.parsed.written_at(op)
                note, new = _begins(model, op, tensor), unit.parsed.written_at(tensor.owner)
                related = ((new, f"{model.name_of(tensor)} is new here"),)
                unit.report(Diagnostic("V205", message, place, note, related))


def _begins(model: FunctionModel, op: Operation, tensor: SSAValue) -> str | None:
    """What to do if OP begins with the elements of TENSOR, and adds to them, or combines them with more."""
    stated = questions.definition(op)
    if stated is None or not any(output.begins is tensor for output in stated.outputs):
        return None
    name = model.name_of(tensor)
    return f"fill {name} with what '{operation_name(op)}' begins with: linalg.fill, with 0 for a sum"


def _new_tensors(model: FunctionModel) -> Iterator[OpResult]:
    """The tensors of the function's own block in which nothing is, first to last."""
    for block in model.resolution.blocks:
        for op in block.ops:
            if questions.allocation.answers(type(op)):
                yield from (result for result in op.results if isinstance(result.type, TensorType))


def _may_be_read(tensor: OpResult) -> bool:
    """Whether some operation that takes a new TENSOR may read its elements, and does not only overwrite them.

    `linalg.fill` and a `linalg.generic` whose body has no use for the elements of its output do not.
    """
    return not all(_is_overwritten(use.operation, use.index) for use in tensor.uses)


def _is_overwritten(op: Operation, position: int) -> bool:
    """Whether OP is structured, and its body does not use the elements of the operand at POSITION."""
    body = op.regions[0].first_block if len(op.regions) == 1 else None
    if body is None or len(body.args) != len(op.operands) or questions.structured(op) is None:
        return False
    return body.args[position].first_use is None


def _undefined(model: FunctionModel) -> Iterator[tuple[Operation, OpResult, isl.Set]]:
    """Each new tensor that a result is computed from, the first operation that takes it, and the elements."""
    new = set(_new_tensors(model))
    results = [value for value in model.results() if isinstance(value.type, TensorType)]
    (block,) = model.resolution.blocks
    if not results or block.last_op is None:
        return
    view = model.view(results[-1])
    needed = {value: view.store.domain(value) for value in results}
    takers: dict[SSAValue, Operation] = {value: block.last_op for value in needed if value in new}
    for op in reversed(list(block.ops)):
        for result in op.results:
            elements = needed.get(result)
            if elements is None or elements.is_empty() or result in new:
                continue
            for operand, taken in _taken(view, result, elements):
                known = needed.get(operand)
                needed[operand] = taken if known is None else known.union(taken).coalesce()
                if operand in new and not taken.is_empty():
                    takers[operand] = op
    for tensor in (each for each in new if each in takers):
        if _is_certain(needed[tensor], view.store.domain(tensor)):
            yield takers[tensor], tensor, needed[tensor]


def _taken(view: VolumesView, result: OpResult, elements: isl.Set) -> Iterator[tuple[SSAValue, isl.Set]]:
    """The elements of tensors that ELEMENTS of RESULT are computed from; nothing if that is not certain."""
    step = view.maps.of_operation(result)
    if step.inexact is not None:
        return
    certain = _certain_operands(result)
    for use, relation in step.targets.items():
        if isinstance(use.volume.type, TensorType) and use.volume in certain:
            yield use.volume, relation.intersect_domain(elements).range().coalesce()


def _certain_operands(result: OpResult) -> Collection[SSAValue]:
    """The operands that RESULT is computed from, whatever data decide.

    Where an operation chooses between values, that is the condition. So `select(x > 0, x, 0)` is computed
    from x, as the condition is, and `select(c, x, y)` is not.
    """
    op = result.op
    if not any(questions.choices.answers(type(each)) for each in op.walk()):
        return op.operands
    body = op.regions[0].first_block if len(op.regions) == 1 else None
    last = None if body is None else body.last_op
    if body is None or last is None or len(body.args) != len(op.operands) != 0:
        return ()
    if questions.structured(op) is None or len(last.operands) != len(op.results):
        return ()
    reached = _certain_scalars(last.operands[result.index])
    uncertain = {v for v, arg in zip(op.operands, body.args, strict=True) if arg not in reached}
    return {value for value in op.operands if value not in uncertain}


def _condition(op: Operation) -> Sequence[SSAValue]:
    """What decides OP, if that is its first operand, a truth."""
    return [each for each in op.operands[:1] if each.type == i1]


def _certain_scalars(scalar: SSAValue) -> set[SSAValue]:
    """The values in a body that SCALAR is computed from, whatever data decide."""
    found: set[SSAValue] = set()
    pending = [scalar]
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        if isinstance(value, OpResult) and not value.op.regions:
            pending += (
                _condition(value.op) if questions.choices.answers(type(value.op)) else value.op.operands
            )
    return found


def _is_certain(elements: isl.Set, domain: isl.Set) -> bool:
    """Whether there are such ELEMENTS for all sizes for which DOMAIN has some."""
    return not elements.is_empty() and bool(domain.params().is_subset(elements.params()))


def _named(elements: isl.Set) -> isl.Set:
    for position in range(elements.dim(DIM.set)):
        elements = elements.set_dim_name(DIM.set, position, f"d{position}")
    return elements.coalesce()
