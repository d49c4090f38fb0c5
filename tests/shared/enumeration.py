"""What the unit tests share: programs to models, and isl's sets and relations to plain Python sets.

Nothing here computes an expectation: those are enumerated in the tests themselves, in plain Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import islpy as isl
from xdsl.ir import SSAValue

from volcli.loading.driver import Program, load
from volcli.model.function import FunctionModel
from volcli.passes.base import Unit

Point = tuple[int, ...]
Pair = tuple[Point, Point]
DIM = isl.dim_type


def box_points(*sizes: int) -> set[Point]:
    """All indices of an array of SIZES."""
    return set(product(*(range(size) for size in sizes)))


def row_major(index: Point, sizes: Iterable[int]) -> int:
    """The position of INDEX in row-major order."""
    position = 0
    for i, size in zip(index, sizes, strict=True):
        position = position * size + i
    return position


def fixed_set(points: isl.Set, **parameters: int) -> isl.Set:
    """POINTS at the values of PARAMETERS; every parameter that matters must have a value."""
    for name, value in parameters.items():
        position = points.find_dim_by_name(DIM.param, name)
        if position >= 0:
            points = points.fix_val(DIM.param, position, isl.Val(value))
    points = points.drop_unused_params() if points.is_empty() else points.remove_redundancies()
    return points.project_out(DIM.param, 0, points.dim(DIM.param))


def points_of(points: isl.Set, **parameters: int) -> set[Point]:
    """The elements of a bounded set."""
    found: set[Point] = set()
    rank = points.dim(DIM.set)
    instance = fixed_set(points, **parameters)
    if rank == 0:
        return set() if instance.is_empty() else {()}
    assert instance.is_bounded(), f"not bounded: {instance}"

    def note(point: isl.Point) -> None:
        found.add(tuple(point.get_coordinate_val(DIM.set, d).to_python() for d in range(rank)))

    instance.foreach_point(note)
    return found


def pairs_of(relation: isl.Map, **parameters: int) -> set[Pair]:
    """The pairs of a bounded relation."""
    rank = relation.dim(DIM.in_)
    flat = relation.reset_tuple_id(DIM.in_).reset_tuple_id(DIM.out).wrap().flatten()
    return {(point[:rank], point[rank:]) for point in points_of(flat, **parameters)}


def holds(condition: isl.Set, **parameters: int) -> bool:
    """Whether a set of parameter values contains PARAMETERS."""
    for name, value in parameters.items():
        position = condition.find_dim_by_name(DIM.param, name)
        if position >= 0:
            condition = condition.fix_val(DIM.param, position, isl.Val(value))
    return not condition.is_empty()


def unit_of(text: str, *, budget: int | None = None) -> Unit:
    """The one chunk of TEXT, which must be free of errors."""
    program = load(text, budget=budget)
    assert program.diagnostics == [], [str(d) for d in program.diagnostics]
    (unit,) = program.units
    return unit


def run(text: str, pipeline: str, *, budget: int | None = None) -> Program:
    """TEXT after PIPELINE; it must be readable, what the passes say is the test's matter."""
    program = load(text, budget=budget)
    assert program.diagnostics == [], [str(d) for d in program.diagnostics]
    return program.run(pipeline)


def function(arguments: str, body: str, result: str = "") -> str:
    """A function @f; RESULT is `%value : type`, or nothing."""
    name, _, kind = result.partition(" : ")
    arrow = f" -> {kind}" if result else ""
    returned = f"return {name} : {kind}" if result else "return"
    return f"func.func @f({arguments}){arrow} {{\n{body}\n{returned}\n}}\n"


class Function:
    """One function under test, its values by name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.unit = unit_of(text)
        (self.model,) = self.unit.models()

    def value(self, name: str) -> SSAValue:
        """The value called NAME, with its %."""
        found = self.unit.parsed.names.find(self.model.function, name)
        assert found is not None, name
        return found

    def sizes(self, name: str) -> list[str]:
        """The sizes of a value, as text."""
        return [str(size) for size in self.model.store.sizes(self.value(name))]

    def number(self, name: str) -> str:
        """An index value, as text."""
        return str(self.model.store.number(self.value(name)))

    def reads(self, name: str, **parameters: int) -> set[tuple[Point, str, Point]]:
        """`(r, operand, x)`: what the element r of a value reads, by its own operation."""
        element_map = self.model.maps.of_operation(self.value(name))
        return set(self._triples(element_map.targets.items(), parameters))

    def inputs(self, name: str, **parameters: int) -> set[tuple[Point, str, Point]]:
        """`(r, input, x)`: what the element r of a value depends on; a constant's use has its user's name."""
        element_map = self.model.maps.to_inputs(self.value(name))
        return set(self._triples(element_map.targets.items(), parameters))

    def exact(self, name: str) -> bool:
        """Whether the operation's own map is exact."""
        return self.model.maps.of_operation(self.value(name)).inexact is None

    def _triples(
        self, targets: Iterable[tuple[object, isl.Map]], parameters: dict[str, int]
    ) -> Iterator[tuple[Point, str, Point]]:
        from volcli.model.volumes.maps.composed import VolumeUse

        for use, relation in targets:
            assert isinstance(use, VolumeUse)
            volume = self.model.maps.volume_name(use)
            for r, x in pairs_of(relation, **parameters):
                yield r, volume, x


def model_of(text: str) -> FunctionModel:
    """The model of the one function in TEXT."""
    return Function(text).model
