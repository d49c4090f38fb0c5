"""What the tests of the cases about memory share: accesses and views at numbers, as sets of elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation, SSAValue

from tests.dialects.roundtrip import read_natively
from tests.shared.enumeration import function
from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Index, LoopIndex, Value, constant, substitute
from volcli.language.interface import operation_name
from volcli.language.memory import Effect, MemoryAccess, View

Point = tuple[int, ...]
Numbers = Mapping[str, int]
Shapes = Mapping[str, Point]
NO_SHAPES: Shapes = {}


def first(name: str, arguments: str, body: str) -> Operation:
    """The first operation NAME of a function."""
    module = read_natively(function(arguments, body)).module
    return next(op for op in module.walk() if operation_name(op) == name)


def shape_of(value: SSAValue, shapes: Shapes = NO_SHAPES) -> Point:
    """The sizes of VALUE, by its type, or by its name."""
    kind = cast(MemRefType[Any], value.type)
    static = tuple(kind.get_shape())
    if all(size >= 0 for size in static):
        return static
    assert value.name_hint is not None
    return shapes[value.name_hint]


def number(expression: Expression, lanes: Sequence[int], given: Numbers, shapes: Shapes = NO_SHAPES) -> int:
    """EXPRESSION where its loops are LANES, and values and sizes have the numbers of their names."""

    def leaf(atom: Atom) -> Expression | None:
        match atom:
            case LoopIndex(position):
                return constant(lanes[position])
            case Value(value):
                assert value.name_hint is not None
                return constant(given[value.name_hint])
            case Dim(value, dimension):
                return constant(shape_of(value, shapes)[dimension])
            case _:
                return None

    found = substitute(expression, leaf)
    assert found.is_constant
    return found.constant


def known(index: Sequence[Index]) -> list[Expression]:
    """INDEX, which has no unknown part."""
    exact = [each for each in index if isinstance(each, Expression)]
    assert len(exact) == len(index)
    return exact


def elements(access: MemoryAccess, given: Numbers, shapes: Shapes = NO_SHAPES) -> set[Point]:
    """The elements that ACCESS states, each of whose indices must be known."""
    return set(element_list(access, given, shapes))


def element_list(access: MemoryAccess, given: Numbers, shapes: Shapes = NO_SHAPES) -> list[Point]:
    """The elements that ACCESS states, in the order of its loops."""
    extents = [number(extent, (), given, shapes) for extent in access.extents]
    return [
        tuple(number(each, lanes, given, shapes) for each in known(access.index))
        for lanes in product(*map(range, extents))
        if all(number(each, lanes, given, shapes) >= 0 for each in access.where)
    ]


def accesses(op: Operation) -> Sequence[MemoryAccess]:
    """What OP accesses; its dialect must know."""
    found = questions.accesses(op)
    assert found is not None
    return found


def the_access(op: Operation, effect: Effect) -> MemoryAccess:
    """The one access with EFFECT."""
    (found,) = (access for access in accesses(op) if access.effect is effect)
    return found


def the_view(op: Operation) -> View:
    found = questions.view(op)
    assert found is not None
    return found


def behind(view: View, element: Point, given: Numbers, shapes: Shapes = NO_SHAPES) -> set[Point]:
    """The elements of the base that ELEMENT of the view is; of an address the one distance."""
    extents = [number(extent, (), given, shapes) for extent in view.extents]
    return {
        tuple(number(each, (*element, *lanes), given, shapes) for each in known(view.index))
        for lanes in product(*map(range, extents))
    }


def box(*sizes: int) -> set[Point]:
    return set(product(*map(range, sizes)))


def strides(kind: object) -> tuple[int, Point]:
    """The offset and the strides that a memref's type declares."""
    assert isinstance(kind, MemRefType)
    declared = cast(MemRefType[Any], kind)
    offset, steps = declared.get_offset(), declared.get_strides()
    assert offset is not None
    assert steps is not None
    return offset, tuple(step for step in steps if step is not None)


def address(kind: object, element: Point) -> int:
    """Where ELEMENT of a memref of type KIND lies in its buffer, by the strides of the type."""
    offset, steps = strides(kind)
    return offset + sum(i * step for i, step in zip(element, steps, strict=True))
