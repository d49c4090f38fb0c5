"""Pairs of slices: which elements both have, by the numbers that offsets, sizes and strides were."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.api.confirming.runs import Judge, Observed, SampledRun, named
from volcli.execution.elements.operands import mixed
from volcli.execution.tensors.slices import kept_dimensions
from volcli.facts.fact import Fact
from volcli.facts.slices import SlicesFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit

Index = tuple[int, ...]


class SlicesJudge(Judge):
    """Two slices that were made once, of one value, share elements as is stated.

    Slices in loops are others in each iteration, and are not compared.
    """

    symbolic = None

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        values = named(unit, model.function)
        self._pairs: list[tuple[SlicesFact, Operation, Operation]] = []
        for fact in facts:
            if isinstance(fact, SlicesFact) and fact.relation != "unknown":
                pair = [_made(values.get(name)) for name in (fact.left, fact.right)]
                if pair[0] is not None and pair[1] is not None:
                    self._pairs.append((fact, pair[0], pair[1]))

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, *pair in self._pairs:
            if not run.fulfils(fact.assumptions):
                continue
            left, right = (_elements(op, run) for op in pair)
            if left is not None and right is not None and left[0] is right[0]:
                yield Observed(fact, _wrong(fact, left[1], right[1], run))


def _made(value: SSAValue | None) -> Operation | None:
    """The operation that makes VALUE, if that is a slice, or writes one."""
    op = value.op if isinstance(value, OpResult) else None
    return op if op is not None and hasattr(op, "static_offsets") and hasattr(op, "static_strides") else None


def _wrong(fact: SlicesFact, left: Sequence[Index], right: Sequence[Index], run: SampledRun) -> str | None:
    """What contradicts FACT about slices of these elements."""
    shared = sorted(set(left) & set(right))
    has = f"both have {list(shared[0])}" if shared else "they have no element in common"
    match fact.relation:
        case "never":
            return "both were made"
        case "disjoint":
            return has if shared else None
        case "equal":
            return None if left == right else "they have other elements, or in another order"
        case "overlap":
            return None if shared else has
        case _:
            condition = fact.precondition
            holds = None if condition is None else run.holds(condition)
            is_wrong = (
                shared != [] if holds is False and fact.overlap.weakest else holds is True and not shared
            )
            return has if is_wrong and fact.overlap.precondition != "true" else None


def _elements(op: Operation, run: SampledRun) -> tuple[SSAValue, list[Index]] | None:
    """What the slice that OP takes or writes is a part of in the end, and its elements there, in their order.

    None if they are not known, or are too many.
    """
    rows = _rows(op, run)
    value = _whole(op)
    while rows is not None and isinstance(value, OpResult):
        inner = value.op
        if inner.name in ("tensor.cast", "memref.cast"):
            value = inner.operands[0]
        elif _made(value) is None:
            break
        else:
            if not hasattr(inner, "dest"):  # what insert_slice gives has the coordinates of what it changes
                rows = _composed(inner, rows, run)
            value = _whole(inner)
    if rows is None or math.prod(map(len, rows)) > limits.CONFIRMED_SLICE:
        return None
    return value, list(itertools.product(*rows))


def _whole(op: Any) -> SSAValue:
    """The value that the slice OP is of."""
    return op.dest if hasattr(op, "dest") else op.source


def _rows(op: Any, run: SampledRun) -> list[list[int]] | None:
    """Along each dimension, the indices of the slice OP; None if it was not made just once."""
    groups = (op.offsets, op.sizes, op.strides)
    seen = [[run.seen(each) for each in group] for group in groups]
    if len(run.seen(op.results[0])) != 1 or any(len(each) != 1 for group in seen for each in group):
        return None
    static = (op.static_offsets, op.static_sizes, op.static_strides)
    lists = [
        mixed(op, known, "a number")([each[0] for each in dynamic])
        for known, dynamic in zip(static, seen, strict=True)
    ]
    return [[first + k * step for k in range(size)] for first, size, step in zip(*lists, strict=True)]


def _composed(inner: Any, rows: Sequence[Sequence[int]], run: SampledRun) -> list[list[int]] | None:
    """The indices ROWS of what the slice INNER gives, as indices of what that is a slice of."""
    of = _rows(inner, run)
    if of is None:
        return None
    sizes = [int(each) for each in inner.static_sizes.get_values()]
    shape = cast("ShapedType", inner.results[0].type).get_shape()
    kept = dict(zip(kept_dimensions(sizes, shape), rows, strict=True))
    return [[row[k] for k in kept[d]] if d in kept else row for d, row in enumerate(of)]
