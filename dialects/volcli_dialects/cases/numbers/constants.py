"""What the numbers of a constant are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, ShapedType
from xdsl.ir import Attribute, Operation

from volcli.language import kinds
from volcli.language.expressions import constant
from volcli.language.kinds import ANYTHING, Kinds, KindsOf, kind_of
from volcli.language.questions import constant_fill, element_reads, elements, literal, number_kinds
from volcli.language.reads import ElementReads
from volcli.limits import dialects as limits
from volcli_dialects.cases.numbers.wrapping import width, wrapped
from volcli_dialects.cases.parts import attribute, fill_of


def kinds_of_attribute(value: Attribute) -> Kinds:
    """What the numbers of the constant VALUE are; ANYTHING for those of very many numbers."""
    match value:
        case IntegerAttr() | FloatAttr():
            return kind_of(value.value.data)
        case DenseIntOrFPElementsAttr() if 0 not in value.get_shape() and value.is_splat():
            return _of_all(islice(value.iter_values(), 1))
        case DenseIntOrFPElementsAttr() if len(value) <= limits.CONSTANT_ELEMENTS:
            return _of_all(value.iter_values())
        case _:
            return ANYTHING


def register_constants(name: str, *operations: type[Operation]) -> None:
    """OPERATIONS are constants whose numbers stand in the attribute NAME.

    The attribute has the type of the result, or its numbers are not those of the elements: those of a
    quantised tensor stand for others, 0 for -3 where the zero point is 3.
    """

    def numbers(op: Operation) -> Attribute | None:
        found = attribute(op, name)
        if not isinstance(found, DenseIntOrFPElementsAttr):
            return None
        dense = cast("DenseIntOrFPElementsAttr[Any]", found)
        return dense if dense.get_type() == op.results[0].type else None

    def listed(op: Operation) -> Sequence[int] | None:
        found = numbers(op)
        return None if found is None else numbers_of(found, op.results[0].type)

    def of_elements(op: Operation) -> KindsOf:
        found = numbers(op)
        known = ANYTHING if found is None else kinds_of_attribute(found)
        return lambda: known

    for operation in operations:
        literal.case(operation)(numbers)
        constant_fill.case(operation)(lambda op: fill_of(numbers(op)))
        number_kinds.case(operation)(of_elements)
        element_reads.case(operation)(lambda op: [ElementReads(())])
        elements.case(operation)(listed)


def numbers_of(value: Attribute, kind: Attribute) -> Sequence[int] | None:
    """The signed numbers of the constant VALUE of the shaped type KIND, by rows: its i8 200 is -56.

    None if they are not integers, or very many.
    """
    if not isinstance(kind, ShapedType) or not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    element = cast("Attribute", value.get_element_type())
    count = prod(kind.get_shape())
    if width(element) is None or count > limits.CONSTANT_ELEMENTS:
        return None
    numbers = [n for n in value.iter_values() if isinstance(n, int)]
    return [wrapped(constant(n), element).constant for n in numbers] if len(numbers) == count else None


def _of_all(numbers: Iterable[float | tuple[float, float]]) -> Kinds:
    """The kinds of NUMBERS; a complex one may be anything."""
    each = (ANYTHING if isinstance(number, tuple) else kind_of(number) for number in numbers)
    return kinds.either(*each)
