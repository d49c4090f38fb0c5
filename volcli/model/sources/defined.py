"""For which arguments a function is defined, as far as its first block says: that block runs in each call.

Sizes are not negative and an i1 is 0 or 1; operations get operands whose sizes fit (`SizeFact`); a slice of
some elements, and what is read or written at an index, is inside of its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType, i1
from xdsl.ir import Block, Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine, constant
from volcli.model.sources.numbers import Numbers
from volcli.presburger import build

Equation = tuple[Expression, Expression]
"""Two expressions over the function's arguments that are equal."""


def possible(arguments: Sequence[SSAValue], numbers: Numbers) -> isl.Set:
    """The parameters that ARGUMENTS may be whatever the function does. Raises NotAffine."""
    found = isl.Set.universe(build.space((), 0)).params()
    for value in arguments:
        for size in numbers.sizes(value):
            found = found.intersect(build.nonnegative(0, (size,)).params())
        if value.type == i1:
            truth = numbers.value(value)
            found = found.intersect(build.nonnegative(0, (truth, 1 - truth)).params())
    return found


def fitting(entry: Block, numbers: Numbers) -> Iterator[Equation]:
    """What operations in the block ENTRY need of the sizes of their operands, and of their results' types."""
    for op in entry.ops:
        for left, right in (*_of_operands(op), *_of_types(op)):
            try:
                yield numbers.expression(left, 0), numbers.expression(right, 0)
            except NotAffine:
                continue


def _of_operands(op: Operation) -> Iterator[Equation]:
    for fact in questions.size_facts(op) or ():
        yield fact.left, fact.right


def _of_types(op: Operation) -> Iterator[Equation]:
    """A size that is computed is the one that the type of the result says."""
    for result, sizes in zip(op.results, questions.result_sizes(op) or (), strict=False):
        stated = result.type.get_shape() if isinstance(result.type, ShapedType) else ()
        for number, size in zip(stated, sizes or (), strict=False):
            if number != DYNAMIC_INDEX and size is not None and not size.is_constant:
                yield size, constant(number)


def equal(equations: Sequence[Equation]) -> isl.Set:
    """The parameters at which all EQUATIONS hold."""
    found = isl.Set.universe(build.space((), 0)).params()
    for left, right in equations:
        found = found.intersect(build.equal(left, right))
    return found


def inside(entry: Block, numbers: Numbers) -> isl.Set:
    """The parameters for which slices and accesses in the block ENTRY are inside of what they name.

    `%t[%o] [%s] [2]` is, of a tensor of n elements, where `s <= 0`, or `0 <= o` and `o + 2 (s - 1) < n` (and
    `0 <= o + 2 (s - 1)`, `o < n`).
    """
    found = isl.Set.universe(build.space((), 0)).params()
    for op in entry.ops:
        for source, corners, extents in _named(op):
            try:
                own = _inside(source, corners, extents, numbers)
            except NotAffine:
                continue
            found = found.intersect(own)
    return found


Named = tuple[SSAValue, tuple[Sequence[Expression], ...], Sequence[Expression]]
"""A tensor or buffer, indices into it, and sizes that are all positive where there is any element."""


def _named(op: Operation) -> Iterator[Named]:
    try:
        stated = questions.slice_of(op)
        plain = () if op.regions else (questions.accesses(op), questions.tensor_reads(op))
    except NotAffine:
        return
    if stated is not None:
        parts = zip(stated.offsets, stated.sizes, stated.strides, strict=True)
        last = [offset + (size - 1) * stride for offset, size, stride in parts]
        yield stated.source, (stated.offsets, last), stated.sizes
    for access in (each for some in plain for each in some or ()):
        index = [e for e in access.index if isinstance(e, Expression)]
        is_certain = not (access.extents or access.where or access.partial)
        if is_certain and len(index) == len(access.index):
            yield access.memref, (index,), ()


def _inside(
    source: SSAValue, corners: Sequence[Sequence[Expression]], extents: Sequence[Expression], numbers: Numbers
) -> isl.Set:
    conditions: list[Expression] = []
    sizes = numbers.sizes(source)
    for corner in corners:
        for index, size in zip(corner, sizes, strict=True):
            at = numbers.expression(index, 0)
            conditions += [at, size - 1 - at]
    found = build.nonnegative(0, tuple(conditions)).params()
    for extent in extents:
        found = found.union(build.nonnegative(0, (-numbers.expression(extent, 0),)).params())
    return found


__all__ = ["Equation", "equal", "fitting", "inside", "possible"]
