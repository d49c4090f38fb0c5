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
from collections.abc import Sequence
from dataclasses import replace
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
from volcli.execution.numbers.values import Array, Tensor
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


def _as_value(found: Tensor, kind: Attribute) -> Any:
    return found if isinstance(kind, VectorType) else found.element(())


def _combined(
    machine: Machine, op: Operation, scalar: Scalar, state: Tensor, part: Tensor, mask: Array | None
) -> Tensor:
    """SCALAR of the elements of STATE and PART; where MASK is not set, STATE."""
    (found,) = applied(machine, op, scalar, [state, part], [state.data.dtype])
    return found if mask is None else chosen(mask, found, state)


def _folded(
    machine: Machine, op: Operation, scalar: Scalar, state: Tensor | None, source: Tensor, mask: Array | None
) -> Tensor:
    """STATE and the elements of SOURCE along its last dimension that MASK sets, one after the other.

    Without STATE, the first elements begin; then there is no mask.
    """
    machine.takes_steps(op, source.shape[-1])
    for k in range(source.shape[-1]):
        part = taken(source, np.s_[..., k])
        here = None if mask is None else mask[..., k]
        state = part if state is None else _combined(machine, op, scalar, state, part, here)
    if state is None:
        raise Unsupported(op, "a reduction of no elements without an accumulator")
    return state


@executions.case(vector.ReductionOp)
def reduction(op: vector.ReductionOp) -> Perform:
    """The accumulator, if there is one, and all elements, combined."""
    kind, around = op.dest.type, mask_around(op)
    scalar = combination(op, kind)

    def perform(machine: Machine, source: Tensor, *start: Any) -> Any:
        mask = around(machine)
        if mask is not None:
            source = taken(source, mask)
        line = source.rearranged(lambda data: data.reshape(-1))
        begin = _as_tensor(start[0], kind) if start else None
        return _folded(machine, op, scalar, begin, line, None).element(())

    return perform


@executions.case(MultiDimReductionOp)
def multi_reduction(op: MultiDimReductionOp) -> Perform:
    """The accumulator, and the elements along some dimensions, combined in row-major order."""
    reduced = [int(d) for d in op.reduction_dims.get_values()]
    shape = cast(Any, op.source.type).get_shape()
    kept = [d for d in range(len(shape)) if d not in reduced]
    sizes = [*[shape[d] for d in kept], -1]
    kind, around = op.dest.type, mask_around(op)
    scalar = combination(op, element_type(kind))

    def lined_up(data: Array) -> Array:
        return data.transpose([*kept, *sorted(reduced)]).reshape(sizes)

    def perform(machine: Machine, source: Tensor, start: Any) -> Any:
        mask = around(machine)
        lines = source.rearranged(lined_up)
        set_ = None if mask is None else lined_up(mask)
        found = _folded(machine, op, scalar, _as_tensor(start, kind), lines, set_)
        return _as_value(found, kind)

    return perform


@executions.case(ScanOp)
def scan(op: ScanOp) -> Perform:
    """Combinations of the first elements along a dimension, and the last of them.

    Inclusive: `r[0] = x[0]` and `r[k] = r[k - 1] + x[k]`, without the initial value; else `r[0]` is the
    initial value, and `r[k] = r[k - 1] + x[k - 1]`. The second result is the last of these.
    """
    along, inclusive = op.reduction_dim.value.data, bool(op.inclusive.value.data)
    scalar = combination(op, element_type(op.dest.type))

    def perform(machine: Machine, source: Tensor, start: Tensor) -> Any:
        parts = [taken(source, (*[slice(None)] * along, k)) for k in range(source.shape[along])]
        found = [parts[0] if inclusive else start]
        for part in parts[1:] if inclusive else parts[:-1]:
            found.append(_combined(machine, op, scalar, found[-1], part, None))
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


@executions.case(OuterProductOp)
def outer_product(op: OuterProductOp) -> Perform:
    """`r[i, j] = a[i] * b[j]`, combined with `c[i, j]`; `r[i] = a[i] * b + c[i]` of a number b."""
    kind = op.result.type
    element, around = element_type(kind), mask_around(op)
    dtypes = [format_of(kind).dtype]
    combine, multiply = combination(op, element), arithmetic("mul", element)
    is_fused = str(op.kind.data) == "add" and format_of(element).kind == "float"

    def perform(machine: Machine, left: Tensor, right: Any, *start: Tensor) -> Tensor:
        mask = around(machine)
        if isinstance(right, Tensor):
            left = taken(left, np.s_[:, None])
        factors = spread(op, [left, _as_tensor(right, element)])
        if not start:
            if mask is not None:
                raise Unsupported(op, "a masked outer product without an accumulator is not executed")
            return applied(machine, op, multiply, factors, dtypes)[0]
        if is_fused:
            (found,) = applied(machine, op, _fused(kind), [*factors, start[0]], dtypes)
            return found if mask is None else chosen(mask, found, start[0])
        (product,) = applied(machine, op, multiply, factors, dtypes)
        return _combined(machine, op, combine, start[0], product, mask)

    return perform


@executions.case(ContractionOp)
def contract(op: ContractionOp) -> Perform:
    """The third operand and the products over all loops that do not index it, combined in row-major order."""
    maps = [cast(AffineMapAttr, each).data for each in op.indexing_maps]
    loops = maps[0].num_dims
    dims = [[cast(AffineDimExpr, r).position for r in each.results] for each in maps]
    rest = [d for d in range(loops) if d not in dims[2]]
    kind, around = op.result.type, mask_around(op)
    element = element_type(kind)
    dtype, combine, multiply = format_of(element).dtype, combination(op, element), arithmetic("mul", element)
    if len(op.operands) > 3:
        raise Unsupported(op, "masks as operands of vector.contract are not executed")
    _check_promotion(op, element)

    def perform(machine: Machine, left: Tensor, right: Tensor, start: Any) -> Any:
        factors = [
            _over_loops(with_dtype(op, each, dtype), d, loops)
            for each, d in zip((left, right), dims[:2], strict=True)
        ]
        state = _over_loops(_as_tensor(start, kind), dims[2], loops)
        mask = around(machine)
        sizes = [max(factor.shape[d] for factor in factors) for d in rest]
        machine.takes_steps(op, int(np.prod(sizes, dtype=np.int64)))
        for at in itertools.product(*map(range, sizes)):
            here = dict(zip(rest, at, strict=True))
            parts = spread(op, [taken(each, _point(each.shape, here)) for each in factors])
            (product,) = applied(machine, op, multiply, parts, [dtype])
            set_ = None if mask is None else mask[_point(mask.shape, here)]
            state = _combined(machine, op, combine, state, product, set_)
        return _as_value(_of_loops(state, dims[2]), kind)

    return perform


def _check_promotion(op: ContractionOp, element: Attribute) -> None:
    """Factors of a narrower type are extended, with their sign; a truth would be -1."""
    for operand in op.operands[:2]:
        factor = element_type(operand.type)
        if factor != element and format_of(factor).width == 1:
            raise Unsupported(op, "a contraction of truths to wider numbers is not executed")


def _over_loops(source: Tensor, dims: Sequence[int], loops: int) -> Tensor:
    """SOURCE, which the loops DIMS index, with a dimension for each loop: of size 1 for all others."""
    order = sorted(range(len(dims)), key=lambda k: dims[k])
    sizes = [1] * loops
    for k, d in enumerate(dims):
        sizes[d] = source.shape[k]
    return source.rearranged(lambda data: data.transpose(order).reshape(sizes))


def _of_loops(found: Tensor, dims: Sequence[int]) -> Tensor:
    """The inverse of `_over_loops`."""
    gone = tuple(d for d in range(len(found.shape)) if d not in dims)
    order = [sorted(dims).index(d) for d in dims]
    return found.rearranged(lambda data: data.squeeze(gone).transpose(order))


def _point(shape: Sequence[int], here: dict[int, int]) -> tuple[slice, ...]:
    """The part of an array over all loops at the iteration HERE of some."""
    return tuple(
        slice(here[d], here[d] + 1) if d in here and n > 1 else slice(None) for d, n in enumerate(shape)
    )
