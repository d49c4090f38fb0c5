"""undefined-elements: elements of new tensors that nothing has written, and results are computed from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import islpy as isl
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.diagnostics import Diagnostic
from volcli.language import questions
from volcli.language.interface import operation_name
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.stated.stated import tensor_elements
from volcli.model.memory.dependences.naming import example_text
from volcli.model.memory.occurrence.certainty import certainty, first_point
from volcli.model.view import VolumesView
from volcli.passes.base import Pass, Unit
from volcli.passes.limits import limited
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space, without


@dataclass(frozen=True)
class UndefinedElements(Pass):
    """Find elements of `tensor.empty` and its like that a result of the function is computed from.

    From each result backwards, the elements that it is certainly computed from are followed through the
    exact element maps of operations; what goes through an inexact one, or one that chooses between values, is
    not known. What arrives at a new tensor was never written.

    Forwards, what is certainly computed from uninitialized elements is uninitialized: an element that
    `tensor.extract` reads is one of these in each call that gets there, or it is not known.

    Finding: a result is computed from such elements, whatever the sizes are for which there are some, or
    `tensor.extract` reads one (V205).
    """

    name = "undefined-elements"
    summary = "results that are computed from uninitialized elements of new tensors"
    by_function = True

    def apply(self, unit: Unit) -> None:
        for model in (each.followed for each in unit.models()):
            if model.has_control_flow:
                continue
            place = unit.parsed.written_at(model.function)
            read, _ = limited(unit, place, lambda m=model: list(_read(m)))
            for op, tensor, example in read or ():
                message = (
                    f"'{operation_name(op)}' op reads an uninitialized element of {model.name_of(tensor)}"
                )
                unit.report(Diagnostic("V205", message + example, unit.parsed.written_at(op)))
            if not any(map(_may_be_read, _new_tensors(model))):
                continue
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
            if _is_new(op):
                yield from (result for result in op.results if isinstance(result.type, TensorType))


def _is_new(op: Operation) -> bool:
    """Whether nothing is in what OP allocates; in `bufferization.alloc_tensor() copy(%t)` %t is."""
    is_copy = any(isinstance(operand.type, TensorType) for operand in op.operands)
    return questions.allocation.answers(type(op)) and not is_copy


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


def _read(model: FunctionModel) -> Iterator[tuple[Operation, SSAValue, str]]:
    """The operations that read an uninitialized element of a tensor whenever they run, and an iteration."""
    memory = model.memory
    sites = [each.site for each in tensor_elements(memory) if not each.site.is_write]
    uninitialized = _uninitialized(model) if sites else {}
    for site in sites:
        tensor = site.access.memref
        elements, relation = uninitialized.get(tensor), memory.instances.relation(site)
        if elements is None or not relation.exact or relation.unstable:
            continue
        happens = runs = relation.elements().domain()
        is_of_all = elements.is_equal(model.view(tensor).store.domain(tensor))
        if not is_of_all:
            if elements.involves_dims(DIM.param, 0, elements.dim(DIM.param)):
                continue  # they have other names in relations of memory
            points = without(elements, *parameters_of_space(elements))
            happens = relation.elements().intersect_range(points).domain()
        found = certainty(memory, happens, runs, site.levels)
        if found.always:
            example = "" if is_of_all else example_text(memory, site.levels, first_point(found.points))
            yield site.op, tensor, example


def _uninitialized(model: FunctionModel) -> dict[SSAValue, isl.Set]:
    """The elements of tensors that are certainly computed from what nothing has written."""
    found: dict[SSAValue, isl.Set] = {}
    for op in operations_in(model.function):
        is_new = _is_new(op)
        for result in op.results if is_new or not found.keys().isdisjoint(op.operands) else ():
            if not isinstance(result.type, TensorType):
                continue
            view = model.view(result)
            parts = [view.store.domain(result)] if is_new else []
            for operand, relation in () if is_new else _reads(view, result):
                if operand in found:
                    parts.append(relation.intersect_range(found[operand]).domain())
            elements = reduce(isl.Set.union, parts).coalesce() if parts else None
            if elements is not None and not elements.is_empty():
                found[result] = elements
    return found


def _taken(view: VolumesView, result: OpResult, elements: isl.Set) -> Iterator[tuple[SSAValue, isl.Set]]:
    """The elements of tensors that ELEMENTS of RESULT are computed from; nothing if that is not certain."""
    for operand, relation in _reads(view, result):
        yield operand, relation.intersect_domain(elements).range().coalesce()


def _reads(view: VolumesView, result: OpResult) -> Iterator[tuple[SSAValue, isl.Map]]:
    """The tensors that RESULT is computed from, element by element; nothing if that is not certain."""
    step = view.maps.of_operation(result)
    if step.inexact is not None:
        return
    certain = _certain_operands(result)
    for use, relation in step.targets.items():
        if isinstance(use.volume.type, TensorType) and use.volume in certain:
            yield use.volume, relation


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
