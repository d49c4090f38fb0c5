"""The integers that the elements of a tensor or vector are, where all are known.

    %c = constant dense<[3, -1]>      %n = add %c, splat 4      %i = select(%c < 0, %n, %c)      %i is [3, 3]

They are what gather and scatter select by. Numbers that are a function of their coordinates, as those of an
iota, have an expression (`volcli.language.programs.element_numbers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    Index,
    LoopIndex,
    NotAffine,
    constant,
    loops,
    substitute,
)
from volcli.language.programs.element_numbers import number_of
from volcli.language.programs.loop_numbers import LoopNumbers
from volcli.language.reads import Access, Alternative, element_type, is_number
from volcli.limits import dialects as limits
from volcli_dialects.cases.elements.masks import in_type, on_scalars
from volcli_dialects.cases.numbers.constants import numbers_of
from volcli_dialects.cases.parts import static_sizes

Place = tuple[int, ...]
Elements = Mapping[Place, int]
"""By its index, each element."""


def known_elements(tensor: SSAValue) -> Elements | None:
    """The elements of TENSOR, if they are integers that are known, and not very many."""
    found: dict[SSAValue, Elements | None] = {}
    way = [tensor]
    while way:
        value = way[-1]
        missing = next((each for each in _operands(value) if each not in found), None)
        if missing is not None and len(way) < limits.KNOWN_CHAIN:
            way.append(missing)
            continue
        way.pop()
        with suppress(NotAffine):
            found[value] = None
            found[value] = _elements(value, found)
    return found[tensor]


def known_number(tensor: SSAValue) -> Expression | None:
    """The element of TENSOR, which has no dimensions."""
    number = number_of(tensor)
    elements = known_elements(tensor) if number is None else None
    return number if elements is None else constant(elements[()])


def _operands(value: SSAValue) -> Sequence[SSAValue]:
    """The tensors that elements of VALUE may be made of."""
    if not isinstance(value, OpResult) or value.op.regions or not _is_small(value):
        return ()
    return [each for each in value.op.operands if _is_small(each)]


def _is_small(value: SSAValue) -> bool:
    """Whether VALUE is a tensor of integers whose elements may be listed."""
    if not isinstance(value, OpResult) or not is_number(element_type(value.type)):
        return False
    with suppress(NotAffine):
        shape = listed_sizes(value)
        return DYNAMIC_INDEX not in shape and prod(shape) <= limits.KNOWN_ELEMENTS
    return False


def listed_sizes(value: SSAValue) -> Sequence[int]:
    """The sizes of VALUE, a tensor, or a vector of which the type says how many elements it has."""
    kind = value.type
    if isa(kind, VectorType[Attribute]) and not any(kind.get_scalable_dims()):
        return kind.get_shape()
    return static_sizes(value)


def _elements(value: SSAValue, known: Mapping[SSAValue, Elements | None]) -> Elements | None:
    """The elements of VALUE, those of its operands being KNOWN."""
    if not isinstance(value, OpResult) or not _is_small(value):
        return None
    places = list(product(*map(range, listed_sizes(value))))
    literal = questions.literal(value.op) if questions.literal.answers(type(value.op)) else None
    if literal is not None:
        numbers = numbers_of(literal, value.type)
        return None if numbers is None else dict(zip(places, _as_written(numbers, value), strict=True))
    if (number := number_of(value)) is not None:
        return _whole(places, ((at, _number(number, at)) for at in places))
    reads = questions.element_reads(value.op)
    if reads is None or reads[value.index].inexact or reads[value.index].opaque:
        return None
    found: dict[Place, int | None] = {}
    for each in reads[value.index].alternatives:
        for at, element in _of_alternative(value, each, places, known):
            found.setdefault(at, element)
    return _whole(places, found.items())


def _as_written(numbers: Sequence[int], value: SSAValue) -> Iterable[int]:
    """The signed NUMBERS as VALUE has them: without a sign, their bits."""
    kind = element_type(value.type)
    if not isa(kind, IntegerType) or kind.signedness.data is not Signedness.UNSIGNED:
        return numbers
    return [n % (1 << kind.bitwidth) for n in numbers]


def _whole(places: Sequence[Place], found: Iterable[tuple[Place, int | None]]) -> Elements | None:
    """What is FOUND, if that is all PLACES."""
    known = {at: element for at, element in found if element is not None}
    return known if len(known) == len(places) else None


def _of_alternative(
    value: OpResult, of: Alternative, places: Sequence[Place], known: Mapping[SSAValue, Elements | None]
) -> Iterable[tuple[Place, int | None]]:
    """The elements of VALUE at PLACES that an alternative gives, which runs along them, or their number."""
    if of.element != loops(of.loops) and of.loops != 1:
        raise NotAffine("elements in another order")
    points = places if of.element == loops(of.loops) else [(k,) for k in range(len(places))]
    for point in points:
        bounds = (_place(bound.index, point) for bound in of.bounds)
        if all(_is_in(bound.operand, at) for bound, at in zip(of.bounds, bounds, strict=True)):
            yield _place(of.element, point), _element(value, of, point, known)


def _element(
    value: OpResult, of: Alternative, point: Place, known: Mapping[SSAValue, Elements | None]
) -> int | None:
    """The element at POINT: a copy of one that is KNOWN, or what the operation makes of such."""

    def at(access: Access) -> int | None:
        elements = known.get(access.operand)
        return None if elements is None else elements.get(_place(access.index, point))

    if of.yields is None:
        return at(of.reads[0].access) if len(of.reads) == 1 and not of.reads[0].where else None
    operands = [each for each in value.op.operands if each in of.scalars]
    numbers = [at(of.scalars[each]) for each in operands]
    if of.yields is not value or None in numbers:
        return None
    if questions.vanishing(value.op) is questions.Vanishing.BY_CONDITION:
        return numbers[1] if numbers[0] else numbers[2]
    block, arguments, made = on_scalars(value.op, operands, of.scalars)
    given = dict(zip(arguments, (constant(n) for n in numbers if n is not None), strict=True))
    return _number(in_type(LoopNumbers(block, given).expression(made), value.op), point)


def _is_in(operand: SSAValue, at: Place) -> bool:
    return all(0 <= i < n for i, n in zip(at, listed_sizes(operand), strict=True))


def _place(index: Sequence[Index], point: Place) -> Place:
    """INDEX at a POINT of the loops."""
    found = [_number(each, point) if isinstance(each, Expression) else None for each in index]
    if None in found:
        raise NotAffine("an index that is not known")
    return tuple(n for n in found if n is not None)


def _number(number: Expression | None, point: Place) -> int | None:
    def at(atom: Atom) -> Expression | None:
        return constant(point[atom.position]) if isinstance(atom, LoopIndex) else None

    found = None if number is None else substitute(number, at)
    return found.constant if found is not None and found.is_constant else None
