"""Structural zeros: the loop points of a product that contribute nothing have a factor that is zero."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.ir import Block, BlockArgument, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from volcli.api.confirming.elements import Point, chosen
from volcli.api.confirming.runs import Judge, Observed, SampledRun, placed
from volcli.execution.memory.memory import MemoryView
from volcli.execution.numbers.values import NotANumber, Tensor
from volcli.execution.tensors.structured import shape_of
from volcli.facts.fact import Fact
from volcli.facts.zeros import ZerosFact
from volcli.limits import execution as limits
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit
from volcli.presburger.sets.points import has_point

_PRODUCTS = ("arith.mulf", "arith.muli")


@dataclass(frozen=True)
class _Product:
    """`op` multiplies the elements of two operands at each loop point: at `maps` of it."""

    op: LinalgStructuredOperation
    factors: tuple[int, int]
    maps: tuple[AffineMap, ...]

    def sizes(self, shapes: Sequence[Sequence[int]]) -> list[int] | None:
        """How many iterations each loop has, with operands of SHAPES; None if one indexes none alone."""
        found: dict[int, int] = {}
        for each, shape in zip(self.maps, shapes, strict=True):
            pairs = zip(each.results, shape, strict=True)
            found |= {result.position: n for result, n in pairs if isinstance(result, AffineDimExpr)}
        count = self.maps[0].num_dims
        return [found[d] for d in range(count)] if len(found) == count else None

    def at(self, factor: int, point: Point) -> Point:
        """The index of the element of operand FACTOR at the loop point POINT."""
        return tuple(self.maps[factor].eval(point, ()))


def _product(op: Operation) -> _Product | None:
    """OP as a product of elements of its operands; None if it is none, or multiplies more than once."""
    if not isinstance(op, LinalgStructuredOperation):
        return None
    block = op.body.block
    products = [each for each in block.ops if each.name in _PRODUCTS]
    factors = [_argument(block, each) for product in products for each in product.operands]
    known = [each for each in factors if each is not None]
    if len(products) != 1 or len(known) != 2:
        return None
    maps = tuple(each.data for each in op.get_indexing_maps())
    return _Product(op, (known[0], known[1]), maps) if len(maps) == len(op.operands) else None


def _argument(block: Block, value: object) -> int | None:
    """The argument of BLOCK that VALUE is; None if it is computed."""
    return value.index if isinstance(value, BlockArgument) and value.block is block else None


class ZerosJudge(Judge):
    """At a loop point that contributes nothing, one of two factors is zero."""

    def __init__(self, unit: Unit, model: FunctionModel, facts: Iterable[Fact]) -> None:
        self._facts = [
            (fact, product)
            for op, fact in placed(unit, facts, ZerosFact)
            if fact.live and (product := _product(op)) is not None
        ]

    def observed(self, run: SampledRun) -> Iterator[Observed]:
        for fact, product in self._facts:
            seen = [run.seen(value) for value in product.op.operands]
            if not run.fulfils(fact.assumptions) or any(len(each) != 1 for each in seen):
                continue
            operands = [each[0] for each in seen]
            if any(isinstance(operands[each], MemoryView) for each in product.factors):
                continue  # it may hold something else by now
            sizes = product.sizes([shape_of(each) for each in operands])
            if sizes is not None and all(sizes):
                yield from _compared(fact, product, operands, sizes, run)


def _compared(
    fact: ZerosFact, product: _Product, operands: Sequence[Any], sizes: Sequence[int], run: SampledRun
) -> Iterator[Observed]:
    live = run.fixed(fact.live[-1].points.set, fact.names).project_out_all_params()
    for point in chosen(sizes, limits.CONFIRMED_POINTS):
        if has_point(live, point):
            continue
        factors: list[Any] = []
        for each in product.factors:
            operand = operands[each]
            factors.append(
                operand.element(product.at(each, point)) if isinstance(operand, Tensor) else operand
            )
        if any(isinstance(each, NotANumber) for each in factors):
            continue
        is_zero = any(not np.any(each) for each in factors)
        text = f"{' times '.join(map(str, factors))} at {list(point)}"
        yield Observed(fact, None if is_zero else text)
