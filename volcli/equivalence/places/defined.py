"""For which arguments a function is defined, as far as its first block says: that block runs in each call.

Sizes are not negative and an i1 is 0 or 1; operations get operands whose sizes fit (`SizeFact`); a slice of
some elements, and what is read or written at an index, is inside of its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType, i1
from xdsl.ir import Block, Operation, SSAValue

from volcli.equivalence.places.numbers import Numbers
from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    LoopIndex,
    NotAffine,
    Parameter,
    constant,
    substitute,
)
from volcli.presburger.sets import build

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
        for left, right in needed_of(op):
            try:
                found = numbers.expression(left, 0), numbers.expression(right, 0)
                build.equal(*found)
            except NotAffine:  # as a product of sizes is
                continue
            yield found


def needed_of(op: Operation) -> Iterator[Equation]:
    """What OP needs: operands that fit, and sizes of results that are those of their types."""
    with suppress(NotAffine):
        for fact in questions.size_facts(op) or ():
            yield fact.left, fact.right
    with suppress(NotAffine):
        yield from _of_types(op)


def _of_types(op: Operation) -> Iterator[Equation]:
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


Need = tuple[tuple[Expression, ...], ...]
"""Conjunctions over the function's arguments, one of which holds: all its expressions are >= 0."""


@dataclass(frozen=True)
class Needs:
    """What the operations of a function's first block need.

    `affine` are the parameters for which that is so, as far as it is affine; what is not are the `others`.
    """

    affine: isl.Set
    others: tuple[Need, ...]

    def are_met(self, parameters: Mapping[str, int]) -> bool:
        """Whether the conditions that isl cannot express hold for these values of PARAMETERS."""

        def number(atom: Atom) -> Expression | None:
            known = parameters.get(atom.name) if isinstance(atom, Parameter) else None
            return None if known is None else constant(known)

        def holds(form: Expression) -> bool:
            try:
                found = substitute(form, number)
            except NotAffine:
                return False
            return found.is_constant and found.constant >= 0

        return all(any(all(map(holds, each)) for each in need) for need in self.others)


def needs(entry: Block, numbers: Numbers) -> Needs:
    """What operations in the block ENTRY need: sizes that fit, indices that are inside, what they demand.

    `%t[%o] [%s] [2]` is, of a tensor of n elements, where `s <= 0`, or `0 <= o` and `o + 2 (s - 1) < n` (and
    `0 <= o + 2 (s - 1)`, `o < n`). A divisor is not 0.
    """
    affine, others = isl.Set.universe(build.space((), 0)).params(), list[Need]()
    for op in entry.ops:
        for stated in _needs_of(op, numbers):
            need = _over_parameters(stated, numbers)
            if need is None:
                continue
            try:
                sets = [build.nonnegative(0, conjunction).params() for conjunction in need]
            except NotAffine:  # as a product of sizes is
                others.append(need)
                continue
            affine = affine.intersect(reduce(isl.Set.union, sets))
    return Needs(affine, tuple(others))


def _over_parameters(stated: Need, numbers: Numbers) -> Need | None:
    """What is STATED over values; None if these are not functions of the arguments."""
    try:
        return tuple(tuple(numbers.expression(e, 0) for e in conjunction) for conjunction in stated)
    except NotAffine:
        return None


def _needs_of(op: Operation, numbers: Numbers) -> Iterator[Need]:
    for left, right in needed_of(op):
        yield ((left - right, right - left),)
    with suppress(NotAffine):
        yield from (tuple(map(tuple, demand)) for demand in questions.demands(op) or () if demand)
    with suppress(NotAffine):
        for source, corners, extents in _named(op):
            sizes = numbers.sizes(source)
            pairs = [pair for corner in corners for pair in zip(corner, sizes, strict=True)]
            within = tuple(e for index, size in pairs for e in (index, size - 1 - index))
            yield (within, *((-extent,) for extent in extents))


Named = tuple[SSAValue, tuple[Sequence[Expression], ...], Sequence[Expression]]
"""A tensor or buffer, indices into it, and sizes that are all positive where there is any element."""


def _named(op: Operation) -> Iterator[Named]:
    """What OP names the elements of. Raises NotAffine."""
    stated = questions.slice_of(op)
    plain = () if op.regions else (questions.accesses(op), questions.tensor_reads(op))
    if stated is not None:
        parts = zip(stated.offsets, stated.sizes, stated.strides, strict=True)
        last = [offset + (size - 1) * stride for offset, size, stride in parts]
        yield stated.source, (stated.offsets, last), stated.sizes
    for access in (each for some in plain for each in some or ()):
        index = [e for e in access.index if isinstance(e, Expression)]
        if not (access.where or access.partial) and len(index) == len(access.index):
            ends = ([constant(0)] * len(access.extents), [extent - 1 for extent in access.extents])
            yield access.memref, tuple([_at(e, end) for e in index] for end in ends), access.extents


def _at(index: Expression, loops: Sequence[Expression]) -> Expression:
    """INDEX where the operation's own loops are LOOPS: their first iterations, or their last ones."""
    return substitute(index, lambda atom: loops[atom.position] if isinstance(atom, LoopIndex) else None)
