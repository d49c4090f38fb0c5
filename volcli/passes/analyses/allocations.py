"""allocations: how large each allocation can be, in which loops it is made, and how long it lives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, MemRefType, NoneAttr, ShapedType
from xdsl.dialects.memref import AllocaOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from volcli.facts.allocations import AllocationFact, Lifetime
from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, constant
from volcli.language.memory import is_memref
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import ConstantBounds
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import names, where


@dataclass(frozen=True)
class Allocations(Pass):
    """State how large each allocation (`memref.alloc`, `memref.alloca`, `tensor.empty`) can be.

    A size is a product of bounds, one for each dimension; it is exact if each is attained and at most one is
    not constant. The fact also states in which loops the memory is allocated, which operations free it, in
    each execution or perhaps, and whether it escapes: whether it may be used after the function returns.
    """

    name = "allocations"
    summary = "how large each allocation can be, in which loops it is made, and how long it lives"
    by_function = True

    of: tuple[str, ...] = option((), help="the tensors or memory, with their %; default: all")

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            values = list(allocations_in(model))
            found = [allocation_fact(unit, model, value) for value in values]
            most = max((each.size or 0 for each in found), default=0)
            is_known = all(each.size is not None for each in found)
            for value, fact in zip(values, found, strict=True):
                if names(unit, self.of, value):
                    is_largest = is_known and len(found) > 1 and fact.size == most
                    unit.facts.append(replace(fact, largest=is_largest))


def allocations_in(model: FunctionModel) -> Iterator[SSAValue]:
    """What the operations of MODEL's function allocate, in the order of the text."""
    for op in operations_in(model.function):
        if _is_allocation(op):
            yield from (result for result in op.results if isinstance(result.type, ShapedType))


def has_dynamic_size(value: SSAValue) -> bool:
    """Whether the size of VALUE along some dimension is not a constant of its type."""
    return isinstance(value.type, ShapedType) and DYNAMIC_INDEX in value.type.get_shape()


def _is_allocation(op: Operation) -> bool:
    """Whether the result of OP is new, and no global."""
    source = questions.buffer(op)
    return questions.allocation.answers(type(op)) or (source is not None and source.symbol is None)


def allocation_fact(unit: Unit, model: FunctionModel, value: SSAValue) -> AllocationFact:
    """How large VALUE, which is new, can be."""
    at, name, kind = where(unit, model, value), model.name_of(value), cast("Any", value.type)
    dims, original = range(len(kind.get_shape())), value
    form, value = model.in_form(original)

    def bounds(store: BoundsStore) -> list[ConstantBounds]:
        return [store.constant_bounds(value, dim) for dim in dims]

    loops, lifetime = _loops(form, value), _lifetime(unit, form, value)
    model, value = model.as_called.in_form(original)
    asked = [model.bounds.value(value, dim) for dim in dims]
    uppers, assumed = model.assuming.ask(bounds, asked, (value,), lambda found: [b.upper for b in found])
    sizes = [bound.upper for bound in uppers if bound.upper is not None]
    reason = next((b.because for b in uppers if b.upper is None), None)
    elements = prod(sizes) if len(sizes) == len(uppers) else None
    width = _bytes_of(kind.element_type)
    size = elements * width if elements is not None and width is not None else None
    exact = all(bound.exact for bound in uppers) and sum(b.lower != b.upper for b in uppers) <= 1
    if isinstance(kind, MemRefType) and not isinstance(kind.layout, NoneAttr):
        # Elements lie where the layout says: there may be gaps between them, and before the first.
        elements, size, exact, reason = None, None, False, "its layout says how much memory its elements take"
    needed = () if elements is None else assumed
    return AllocationFact(
        at,
        name,
        elements,
        size,
        exact,
        reason,
        needed,
        _expression(model, value, len(dims)),
        loops,
        lifetime,
        is_news=has_dynamic_size(value),
    )


def _bytes_of(element: Attribute) -> int | None:
    """What an ELEMENT takes in memory; None if no size of it is known, as of an index or a vector."""
    if isinstance(element, IntegerType):
        return 1 << ((element.bitwidth + 7) // 8 - 1).bit_length()  # as LLVM lays it out
    width = getattr(element, "compile_time_size", None)
    return width if isinstance(width, int) else None


def _expression(model: FunctionModel, value: SSAValue, rank: int) -> str | None:
    """The number of elements of VALUE over what nothing determines, if it is one expression."""
    factors: list[Expression] = []
    for dim in range(rank):
        equal = model.bounds.bounds(value, dim).equal
        if equal is None:
            return None
        factors.append(equal)
    try:
        return model.bounds.texts.of(prod(factors, start=constant(1)))
    except NotAffine:
        return None


def _loops(model: FunctionModel, value: SSAValue) -> tuple[str, ...]:
    """The names of the loops in which VALUE is made anew, from the outermost."""
    block = value.owner.parent if isinstance(value, OpResult) else None
    levels = model.memory.nests.levels(block)
    return tuple("?" if each.variable is None else model.name_of(each.variable) for each in levels)


def _lifetime(unit: Unit, model: FunctionModel, value: SSAValue) -> Lifetime | None:
    """How long the memory VALUE lives; None if it is none."""
    if not is_memref(value):
        return None
    if isinstance(value.owner, AllocaOp):
        return Lifetime("scope")
    frees, is_certain = model.lifetimes.freed_by(value)
    if frees:
        lines = dict.fromkeys(unit.where(model, op).place.line for op in frees)
        return Lifetime("freed" if is_certain else "may be freed", tuple(lines))
    root = model.memory.buffers.root(value)
    return Lifetime("escapes" if model.memory.escapes.outlives(root) else "never freed")
