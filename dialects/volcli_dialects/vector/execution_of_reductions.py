"""How operations of vector execute that combine elements: reductions, contractions, outer products, scans.

Elements are combined in row-major order from the accumulator on, each step rounded, as the operations mean
without `reassoc`. A product that is added to an accumulator is rounded first in vector.contract, of which
MLIR leaves that open, and not in vector.fma and vector.outerproduct, whose description guarantees a fused
multiply-add for floats.

Under vector.mask, elements that are masked off take no part.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import AffineMapAttr, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr

from volcli.execution.elements.elementwise import applied, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.floats import rounded_once
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Perform, Scalar, executions, scalars
from volcli.execution.tensors.blocks import arithmetic, spread, taken, with_dtype
from volcli.execution.tensors.lanes import chosen
from volcli.language.reads import element_type
from volcli_dialects.vector.execution_of_lanes import mask_around
from volcli_dialects.vector.reductions import ContractionOp, MultiDimReductionOp, OuterProductOp, ScanOp


def combination(op: Any, element: Attribute) -> Scalar:
    """The kind of OP as a function of two numbers of the type ELEMENT: `#vector.kind<add>`, ..."""
    name, format = str(op.kind.data), format_of(element)
    if name in ("add", "mul"):
        return arithmetic(name, element)
    if name in ("and", "or", "xor"):
        return integers.alike(op, name, format)
    if name.endswith("si"):
        return integers.with_sign(op, name.removesuffix("si"), format)
    if name.endswith("ui"):
        return integers.without_sign(op, name.removesuffix("ui"), format)
    return replace(floats.extremum(name.removesuffix("f")), term=name)


def _as_tensor(value: Any, kind: Attribute) -> Tensor:
    """A vector, or a number as a tensor without dimensions."""
    return value if isinstance(value, Tensor) else packed([value], (), format_of(kind).dtype)


_Step = Callable[[Machine, Tensor, Sequence[Tensor]], Tensor]
"""Of what there is so far and parts of operands: what there is then."""


def _combining(op: Operation, scalar: Scalar) -> _Step:
    """SCALAR of the elements so far, and of those of the one part."""
    return lambda machine, state, parts: applied(machine, op, scalar, [state, *parts], [state.data.dtype])[0]


def _over_loops(op: Operation, loops: int, dims: Sequence[Sequence[int]], step: _Step) -> Perform:
    """The last operand after a STEP at each point of LOOPS, in row-major order, but where a mask is not set.

    Operand k is indexed by the loops `dims[k]`: a product of matrices has [0, 2], [2, 1] and [0, 1].
    """
    kind, around = op.results[0].type, mask_around(op)
    rest = [d for d in range(loops) if d not in dims[-1]]
    element = element_type(kind)
    dtype = format_of(element).dtype

    def perform(machine: Machine, *operands: Any) -> Any:
        tensors = [_as_tensor(each, element) for each in operands]
        tensors[:-1] = [with_dtype(op, each, dtype) for each in tensors[:-1]]
        *factors, state = (_indexed(each, d, loops) for each, d in zip(tensors, dims, strict=True))
        mask = around(machine)
        sizes = [max(each.shape[d] for each in factors) for d in rest]
        machine.takes_steps(op, math.prod(sizes))
        for at in itertools.product(*map(range, sizes)):
            here = dict(zip(rest, at, strict=True))
            found = step(machine, state, [taken(each, _point(each.shape, here)) for each in factors])
            state = found if mask is None else chosen(mask[_point(mask.shape, here)], found, state)
        gone = tuple(d for d in range(loops) if d not in dims[-1])
        order = [sorted(dims[-1]).index(d) for d in dims[-1]]
        found = state.rearranged(lambda data: data.squeeze(gone).transpose(order))
        return found if isinstance(kind, VectorType) else found.element(())

    return perform


def _indexed(source: Tensor, dims: Sequence[int], loops: int) -> Tensor:
    """SOURCE, which the loops DIMS index, with a dimension for each loop: of size 1 for all others."""
    order = sorted(range(len(dims)), key=lambda k: dims[k])
    sizes = [1] * loops
    for k, d in enumerate(dims):
        sizes[d] = source.shape[k]
    return source.rearranged(lambda data: data.transpose(order).reshape(sizes))


def _point(shape: Sequence[int], here: dict[int, int]) -> tuple[slice, ...]:
    """The part of an array over all loops at the iteration HERE of some."""
    return tuple(
        slice(here[d], here[d] + 1) if d in here and n > 1 else slice(None) for d, n in enumerate(shape)
    )


@executions.case(vector.ReductionOp)
def reduction(op: vector.ReductionOp) -> Perform:
    """The accumulator, if there is one, and all elements, combined."""
    kind, around = op.dest.type, mask_around(op)
    step = _combining(op, combination(op, kind))

    def perform(machine: Machine, source: Tensor, *start: Any) -> Any:
        mask = around(machine)
        line = source.rearranged(lambda data: (data if mask is None else data[mask]).reshape(-1))
        parts = [*(_as_tensor(each, kind) for each in start), *(taken(line, k) for k in range(line.count))]
        if not parts:
            raise Unsupported(op, "a reduction of no elements without an accumulator")
        machine.takes_steps(op, line.count)
        return reduce(lambda state, part: step(machine, state, [part]), parts).element(())

    return perform


@executions.case(MultiDimReductionOp)
def multi_reduction(op: MultiDimReductionOp) -> Perform:
    """The accumulator, and the elements along some dimensions, combined in row-major order."""
    rank = len(cast(Any, op.source.type).get_shape())
    kept = [d for d in range(rank) if d not in op.reduction_dims.get_values()]
    return _over_loops(
        op, rank, [range(rank), kept], _combining(op, combination(op, element_type(op.dest.type)))
    )


@executions.case(ScanOp)
def scan(op: ScanOp) -> Perform:
    """Combinations of the first elements along a dimension, and the last of them.

    Inclusive: `r[0] = x[0]` and `r[k] = r[k - 1] + x[k]`, without the initial value; else `r[0]` is the
    initial value, and `r[k] = r[k - 1] + x[k - 1]`. The second result is the last of these.
    """
    along, inclusive = op.reduction_dim.value.data, bool(op.inclusive.value.data)
    step = _combining(op, combination(op, element_type(op.dest.type)))

    def perform(machine: Machine, source: Tensor, start: Tensor) -> Any:
        parts = [taken(source, (*[slice(None)] * along, k)) for k in range(source.shape[along])]
        found = [parts[0] if inclusive else start]
        for part in parts[1:] if inclusive else parts[:-1]:
            found.append(step(machine, found[-1], [part]))
        return _stacked(found, along), found[-1]

    return perform


def _stacked(parts: Sequence[Tensor], along: int) -> Tensor:
    data = np.stack([part.data for part in parts], along)
    return parts[0].moved(data, np.stack([part.known_states() for part in parts], along))


# -- products ----------------------------------------------------------------------------------------------


@scalars.case(vector.FMAOp)
def fma(op: vector.FMAOp) -> Scalar:
    """`a * b + c`, rounded once."""
    return _fused(op.results[0].type)


def _fused(kind: Attribute) -> Scalar:
    rounded: Any = np.dtype(format_of(kind).dtype).type
    return Scalar(lambda a, b, c: rounded_once(+a, +b, +c, rounded), term="fma")


def _adding_products(op: Any, element: Attribute) -> _Step:
    """Combined with the products of the parts, of the type ELEMENT."""
    multiply, combine = arithmetic("mul", element), _combining(op, combination(op, element))
    dtypes = [format_of(element).dtype]
    return lambda machine, state, parts: combine(
        machine, state, applied(machine, op, multiply, spread(op, parts), dtypes)
    )


@executions.case(OuterProductOp)
def outer_product(op: OuterProductOp) -> Perform:
    """`r[i, j] = a[i] * b[j]`, combined with `c[i, j]`; `r[i] = a[i] * b + c[i]` of a number b."""
    element, around = element_type(op.result.type), mask_around(op)
    multiply, fused, dtypes = arithmetic("mul", element), _fused(element), [format_of(element).dtype]
    of_right = [1] if isinstance(op.rhs.type, VectorType) else []
    loops = 1 + len(of_right)
    step = _adding_products(op, element)
    if str(op.kind.data) == "add" and format_of(element).kind == "float":
        step = lambda machine, state, parts: applied(  # noqa: E731
            machine, op, fused, spread(op, [*parts, state]), dtypes
        )[0]
    if op.acc is not None:
        return _over_loops(op, loops, [[0], of_right, range(loops)], step)

    def perform(machine: Machine, left: Tensor, right: Any) -> Tensor:
        if around(machine) is not None:
            raise Unsupported(op, "a masked outer product without an accumulator is not executed")
        factors = [_indexed(left, [0], loops), _as_tensor(right, element)]
        return applied(machine, op, multiply, spread(op, factors), dtypes)[0]

    return perform


@executions.case(ContractionOp)
def contract(op: ContractionOp) -> Perform:
    """The third operand and the products over all loops that do not index it, combined in row-major order."""
    maps = [cast(AffineMapAttr, each).data for each in op.indexing_maps]
    dims = [[cast(AffineDimExpr, r).position for r in each.results] for each in maps]
    element = element_type(op.result.type)
    if len(op.operands) > 3:
        raise Unsupported(op, "masks as operands of vector.contract are not executed")
    for operand in op.operands[:2]:  # factors of a narrower type are extended with their sign: a truth is -1
        factor = element_type(operand.type)
        if factor != element and format_of(factor).width == 1:
            raise Unsupported(op, "a contraction of truths to wider numbers is not executed")
    return _over_loops(op, maps[0].num_dims, dims, _adding_products(op, element))
