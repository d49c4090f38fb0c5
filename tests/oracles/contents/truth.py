"""What each element of memory is computed from, by an execution on terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import islpy as isl
import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp

from volcli.execution.memory.machine import Options
from volcli.execution.numbers.terms import FloatTerm
from volcli.execution.numbers.values import Tensor
from volcli.execution.runs.engine import execute
from volcli.execution.runs.inputs import DEFAULT_SIZE, Inputs
from volcli.facts.maps import MapFact
from volcli.model.function import FunctionModel
from volcli.presburger.sets.build import at_values

NUMBERS = {"n": DEFAULT_SIZE}
"""What the number %n is in an execution, if the function has it."""

Point = tuple[int, ...]
Leaf = tuple[str, Point]


def elements(model: FunctionModel) -> Mapping[str, Mapping[Point, frozenset[Leaf]]]:
    """Of each result and each memref argument of MODEL's function, what its elements are computed from."""
    return {name: {p: leaves(each) for p, each in found.items()} for name, found in values(model).items()}


def values(model: FunctionModel) -> Mapping[str, Mapping[Point, Any]]:
    """Of each result and each memref argument of MODEL's function, its elements: numbers, and terms."""
    function, module = model.function, model.function.get_toplevel_object()
    assert isinstance(module, ModuleOp)
    block = function.regions[0].blocks[0]
    names = [model.name_of(each).removeprefix("%") for each in block.args]
    outcome = execute(module, function, names, Inputs(kind="terms"), Options(symbolic=True))
    assert outcome.stopped is None, outcome.stopped
    (end,) = (each.last_op for each in function.regions[0].blocks if isinstance(each.last_op, ReturnOp))
    assert end is not None
    returned = iter(end.operands)
    found: dict[str, Mapping[Point, Any]] = {}
    for result in outcome.results:
        name = model.name_of(next(returned)) if result.name is None else f"%{result.name}"
        array = _array(result.value)
        found[name] = {point: array[point] for point in product(*map(range, array.shape))}
    return found


def stated(fact: MapFact, arguments: Mapping[str, Point]) -> Mapping[Point, frozenset[Leaf]]:
    """What FACT says of each element, of those ARGUMENTS, whose shapes these are."""
    volumes = {each.name: each.value for each in fact.names.volumes if each.user is None}
    found: dict[Point, set[Leaf]] = {}
    assert fact.map is not None
    relations = fact.map.get_map_list()
    for relation in map(relations.get_at, range(relations.n_map())):
        name = volumes.get(relation.get_tuple_name(isl.dim_type.out) or "", "")
        if name in arguments:
            for point, element in _pairs(relation):
                found.setdefault(point, set()).add((name.removeprefix("%"), element))
    return {point: frozenset(leaves) for point, leaves in found.items()}


def _pairs(relation: isl.Map) -> Iterator[tuple[Point, Point]]:
    count, points = relation.dim(isl.dim_type.in_), list[isl.Point]()
    at_values(relation.wrap().flatten(), NUMBERS).foreach_point(points.append)
    for each in points:
        numbers = [
            each.get_coordinate_val(isl.dim_type.set, k).to_python()
            for k in range(each.get_space().dim(isl.dim_type.set))
        ]
        yield tuple(numbers[:count]), tuple(numbers[count:])


def _array(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.data
    return value.array(value.allocation.data) if hasattr(value, "allocation") else np.array(value, object)


def is_zero(value: Any) -> bool:
    """Whether VALUE is 0: a number, or a sum of such."""
    if not isinstance(value, FloatTerm):
        return bool(value == 0)
    if value.name == "number":
        return bool(value.key[1] == 0)
    return value.name == "addf" and all(map(is_zero, value.operands))


def leaves(value: Any) -> frozenset[Leaf]:
    """The elements of arguments that VALUE is computed from."""
    waiting, seen, found = [value], set[int](), set[Leaf]()
    while waiting:
        term = waiting.pop()
        if isinstance(term, FloatTerm) and id(term) not in seen:
            seen.add(id(term))
            if term.name == "element":
                found.add((term.key[1], term.key[2]))
            else:
                waiting += term.operands
    return frozenset(found)
