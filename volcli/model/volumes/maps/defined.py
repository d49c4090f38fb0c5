"""The parameters for which a value is defined: each slice that it is computed from lies in its tensor.

    %t = tensor.extract_slice %p[32 * %q] [35] [1] : tensor<515xf32> to tensor<35xf32>        0 <= q <= 15

A slice that has elements outside of its tensor is undefined (`tensor.extract_slice`, `insert_slice`), and
so is all that is computed from it. What is said of a value is said of the runs in which it is defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from weakref import WeakKeyDictionary

import islpy as isl
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, dim_of, value_of
from volcli.language.loops import Induction
from volcli.language.programs.known_loops import counted_loop
from volcli.language.unchanged import once, operations_in
from volcli.limits import volumes as limits
from volcli.model.values.sizes.sizes import Sizes
from volcli.presburger.sets import build

_known: WeakKeyDictionary[Sizes, dict[Operation, isl.Set | None]] = WeakKeyDictionary()
"""Where slices are defined, by whom it was asked."""


def context_of(store: Sizes, value: SSAValue) -> isl.Set:
    """What is known of the parameters where VALUE is computed, and defined, in the iterations around it.

    Of many slices before VALUE only the nearest are looked at: then it is a superset.
    """
    result = store.context()
    some = once("slices", store.function, _has_slices)
    slices = tuple(islice(_before(value), limits.EARLIER_SLICES)) if some else ()
    of_slices = _known.setdefault(store, {})
    for op in slices:
        if op not in of_slices:
            of_slices[op] = _defined(store, op)
    known = (*(of_slices[op] for op in slices), *_iterations_around(store, value))
    for each in known:
        if each is not None:
            within = result.intersect(each)
            result = result if within.is_empty() else within
    return result


def _iterations_around(store: Sizes, value: SSAValue) -> Iterator[isl.Set]:
    """The numbers that the variables of the loops around VALUE run through."""
    block = value.op.parent if isinstance(value, OpResult) else None
    block = value.block if isinstance(value, BlockArgument) else block
    while block is not None and (around := block.parent_op()) is not None:
        loop = counted_loop(around)
        for induction in () if loop is None else loop.inductions:
            with suppress(NotAffine):
                yield _iterations(store, induction)
        block = around.parent


def _iterations(store: Sizes, induction: Induction) -> isl.Set:
    """`l <= i < u`, and i is a whole number of steps from l if there is one l and the step is a number."""
    i = value_of(induction.variable)
    conditions = [*(i - lower for lower in induction.lower), *(u - 1 - i for u in induction.upper)]
    step = store.resolve(induction.step)
    if len(induction.lower) == 1 and step.is_constant and step.constant > 0:
        conditions.append(-((i - induction.lower[0]) % step.constant))
    return build.nonnegative(0, tuple(map(store.resolve, conditions))).params()


def _before(value: SSAValue) -> Iterator[Operation]:
    """The operations of the value's block that it is computed from, as operands say, which are slices."""
    seen: set[Operation] = set()
    pending = [value]
    while pending and len(seen) < limits.EARLIER_OPERATIONS:
        current = pending.pop()
        if isinstance(current, OpResult) and current.op not in seen:
            seen.add(current.op)
            pending += current.op.operands
            if questions.slice_of.answers(type(current.op)):
                yield current.op


def _has_slices(function: Operation) -> bool:
    """Whether there are slices in FUNCTION; if not, none is looked for before each value."""
    kinds = {type(op) for op in operations_in(function)}
    return any(map(questions.slice_of.answers, kinds))


def _defined(store: Sizes, op: Operation) -> isl.Set | None:
    """The parameters for which the slice of OP has no element, or lies in its tensor; None if not affine.

    `o >= 0 and o + (n - 1) * s < size` of each dimension, for a slice of n elements, o from the start and s
    from each other; of a constant step s > 0.
    """
    cut = questions.slice_of(op)
    if cut is None:
        return None
    with suppress(NotAffine):
        inside: list[Expression] = []
        for d, (offset, size, stride) in enumerate(zip(cut.offsets, cut.sizes, cut.strides, strict=True)):
            last = offset + (size - 1) * stride
            inside += [offset, last, dim_of(cut.source, d) - 1 - last, dim_of(cut.source, d) - 1 - offset]
        defined = build.nonnegative(0, tuple(map(store.resolve, inside))).params()
        for size in cut.sizes:
            defined = defined.union(build.nonnegative(0, (store.resolve(-size),)).params())
        return defined.coalesce()
    return None
