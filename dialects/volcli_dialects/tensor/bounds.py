"""What bounds the sizes and numbers of tensors that no formula gives, and what operations
require: an element that exists, sizes that are not negative.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i1
from xdsl.dialects.tensor import ExtractOp, InsertOp, PadOp, SplatOp
from xdsl.ir import Region, SSAValue

from volcli.language.expressions import Expression, Piecewise, constant, value_of
from volcli.language.loops import Indices, Induction
from volcli.language.programs.choices import positive_if
from volcli.language.programs.element_numbers import number_at
from volcli.language.programs.loop_numbers import is_index_like
from volcli.language.questions import (
    Sizes,
    condition,
    index_value,
    indices,
    requires,
    result_sizes,
    stated_number,
    wrapped_value,
)
from volcli.language.reads import Access, Condition, Conjunction, Disjunction, is_number, rank_of
from volcli_dialects.cases.elements.known import known_elements
from volcli_dialects.cases.numbers.wrapping import wrapped
from volcli_dialects.cases.requirements import are_sizes, is_inside, register_requirements
from volcli_dialects.cases.sizes import dims, mixed
from volcli_dialects.tensor.ops import BitcastOp, GatherOp, GenerateOp, RankOp, ReshapeOp, ScatterOp


@index_value.case(ExtractOp)
def extracted_index(op: ExtractOp) -> Expression | None:
    """The number of the element, where that is a function of its coordinates."""
    return _number(op) if is_index_like(op.result) and op.result.type != i1 else None


@wrapped_value.case(ExtractOp)
def extracted_number(op: ExtractOp) -> Expression | None:
    """The same of narrow integers, which wrap around."""
    return None if is_index_like(op.result) else _number(op)


@condition.case(ExtractOp)
def extracted_truth(op: ExtractOp) -> Condition | None:
    """When the element is true, likewise."""
    number = _number(op) if op.result.type == i1 else None
    if number is None:
        return None
    atom = number.single_atom
    if isinstance(atom, Piecewise) and {each for _, each in atom.pieces} <= {constant(0), constant(1)}:
        true, false = (tuple(w for w, each in atom.pieces if each == constant(k)) for k in (1, 0))
        return Condition(true, false)
    positive = positive_if(number)
    return Condition(((positive - 1,),), ((-positive,),))


def _number(op: ExtractOp) -> Expression | None:
    if not is_number(op.result):
        return None
    number = number_at(Access(op.tensor, tuple(map(value_of, op.indices))))
    return _listed(op) if number is None else number


def _listed(op: ExtractOp) -> Expression | None:
    """The element of a tensor whose integers are known, at indices that are: `dense<[1, 0]>` at 0 is 1."""
    at = [stated_number(index) for index in op.indices]
    elements = None if None in at else known_elements(op.tensor)
    place = tuple(each.constant for each in at if each is not None)
    found = None if elements is None else elements.get(place)
    return None if found is None else wrapped(constant(found), op.result.type)


@indices.case(PadOp)
def padded_indices(op: PadOp) -> Indices:
    """The indices of the result outside of the source: i < low or i >= low + size in some dimension."""
    inductions = _within(op.region, op.result)
    lows, sizes = mixed(op.static_low, op.low), dims(op.source)
    outside: list[Conjunction] = []
    for induction, low, size in zip(inductions, lows, sizes, strict=False):
        index = value_of(induction.variable)
        outside += [(low - 1 - index,), (index - low - size,)]
    return Indices(inductions, tuple(outside) or ((),))


def _within(region: Region, result: SSAValue) -> tuple[Induction, ...]:
    """0 <= i < size for each argument of REGION."""
    arguments = region.block.args if len(region.blocks) == 1 else ()
    return tuple(
        Induction(argument, (constant(0),), (size,), constant(1), sequential=False)
        for argument, size in zip(arguments, dims(result), strict=False)
    )


@result_sizes.case(GatherOp)
def gathered_sizes(op: GatherOp) -> list[Sizes]:
    """One slice of the source for each coordinate: the indices' sizes, then the slice's.

    The slice has size 1 in the dimensions that the coordinates choose, or is without them.
    """
    chosen = set(op.gather_dims.get_values())
    coordinates: list[Expression] = dims(op.indices)[:-1]
    full = [constant(1) if d in chosen else size for d, size in enumerate(dims(op.source))]
    reduced = [size for d, size in enumerate(dims(op.source)) if d not in chosen]
    for window in (full, reduced):
        if len(coordinates) + len(window) == rank_of(op.result):
            return [[*coordinates, *window]]
    return [[None] * rank_of(op.result)]


indices.case(GenerateOp)(lambda op: Indices(_within(op.body, op.result)))  # Each index of the result.


@requires.case(PadOp)
def padded_size(op: PadOp) -> list[Disjunction]:
    """`low + size + high >= 0` in each dimension."""
    lows, highs = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
    sides = zip(lows, dims(op.source), highs, strict=True)
    return are_sizes(low + size + high for low, size, high in sides)


# The sizes of the new tensor, as those of `tensor.empty`.
requires.case(SplatOp, GenerateOp)(
    lambda op: are_sizes(map(value_of, op.dynamic_extents if isinstance(op, GenerateOp) else op.operands[1:]))
)


requires.case(ExtractOp)(lambda op: is_inside(op.tensor, op.indices))
requires.case(InsertOp)(lambda op: is_inside(op.dest, op.indices))


register_requirements((RankOp, BitcastOp, ReshapeOp, GatherOp, ScatterOp), (RankOp.name, BitcastOp.name))
