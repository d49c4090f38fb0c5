"""value-bounds: what each index value and each dynamic dimension lies between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.facts.bounds import AllocationFact, BoundsFact, Side
from volcli.language import questions
from volcli.language.expressions import Expression
from volcli.language.unchanged import operations_in
from volcli.model.function import FunctionModel
from volcli.model.values.answers import Bound, Bounds, ConstantBounds
from volcli.model.values.store import BoundsStore
from volcli.passes.base import Pass, Unit, option
from volcli.passes.selection import names, where


@dataclass(frozen=True)
class ValueBounds(Pass):
    """Bound each index value and each dynamic dimension from both sides (EuroLLVM 2024, value bounds).

    A bound is closed. It is a number, and an expression over what the function does not determine: its
    arguments, sizes, loaded values. Inside a loop or a branch it holds whenever the program gets there. What
    is attained is exact; what is not says so, and what has no bound says why. Each allocation has its largest
    size. What rests on what all calls of a private function pass says so.
    """

    name = "value-bounds"
    summary = "what each index value and each dynamic dimension lies between"
    by_function = True

    of: str = option("", help="the value, with its %; default: every index value and dynamic dimension")
    allocations_only: bool = option(False, help="only how large allocations are")

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            for value, dim in () if self.allocations_only else model.bounds.variables():
                if names(unit, model, self.of, value):
                    unit.facts.append(bounds_fact(unit, model, value, dim))
            for value in self._allocations(model):
                if names(unit, model, self.of, value):
                    unit.facts.append(self._allocation(unit, model, value))

    @staticmethod
    def _allocations(model: FunctionModel) -> Iterator[SSAValue]:
        for op in operations_in(model.function):
            if _is_allocation(op):
                for result in op.results:
                    if isinstance(result.type, ShapedType) and DYNAMIC_INDEX in result.type.get_shape():
                        yield result

    @staticmethod
    def _allocation(unit: Unit, model: FunctionModel, value: SSAValue) -> AllocationFact:
        kind: Any = value.type
        dims = range(len(kind.get_shape()))

        def bounds(store: BoundsStore) -> list[ConstantBounds]:
            return [store.constant_bounds(value, dim) for dim in dims]

        model = model.as_called
        asked = [model.bounds.value(value, dim) for dim in dims]
        uppers, assumed = model.assuming.ask(bounds, asked, (value,), lambda found: [b.upper for b in found])
        sizes = [bound.upper for bound in uppers if bound.upper is not None]
        reason = next((b.because for b in uppers if b.upper is None), None)
        elements = prod(sizes) if len(sizes) == len(uppers) else None
        width = getattr(kind.element_type, "compile_time_size", None)
        size = elements * width if elements is not None and isinstance(width, int) else None
        exact = all(bound.exact for bound in uppers) and len(uppers) == 1
        needed = () if elements is None else assumed
        place, name = where(unit, model, value), model.name_of(value)
        return AllocationFact(place, name, elements, size, exact, reason, needed)


def _is_allocation(op: Operation) -> bool:
    """Whether the result of OP is new, and no global."""
    source = questions.buffer(op)
    return questions.allocation.answers(type(op)) or (source is not None and source.symbol is None)


def bounds_fact(unit: Unit, model: FunctionModel, value: SSAValue, dim: int | None) -> BoundsFact:
    """What VALUE, or the size of its dimension DIM, lies between."""
    model = model.as_called
    found, name = model.assuming.bounds(value, dim), model.name_of(value)
    equal = None if found.equal is None else model.bounds.texts.named(found.equal)
    return BoundsFact(
        where(unit, model, value),
        name,
        dim,
        _side(model, found.lower),
        _side(model, found.upper),
        equal,
        _is_news(value, found, equal, name),
        found.never,
        found.lower.because or found.upper.because,
        found.assumptions,
    )


def _side(model: FunctionModel, bound: Bound) -> Side:
    named = None if bound.expression is None else model.bounds.texts.named(bound.expression)
    exact = bound.constant_exact and (bound.constant is not None or bound.exact)
    return Side(named, bound.constant, exact, bound.exact)


def _is_news(value: SSAValue, bounds: Bounds, equal: Expression | None, own: str) -> bool:
    """Constants, and values of which nothing is known but that they are what they are, are no news."""
    if bounds.never:
        return True
    numbers = bounds.lower.constant, bounds.upper.constant
    if isinstance(value, OpResult) and not value.op.operands and not value.op.regions:
        return numbers[0] != numbers[1]
    if isinstance(value, BlockArgument) and equal is not None:
        return numbers != (None, None) and numbers != (0, None)
    return str(equal) != own or numbers != (None, None)
