"""volcli's static regions and live loop points against what programs over matrices compute.

* A static element is one number in all runs that keep to what is assumed, a zero one is 0.
* A structured operation computes the same numbers, bit by bit, without the loop points that are not live. The
  sign of a zero may be another one where that rests on nsz.
* Taking all numbers for finite, the live points are just those that contribute structurally.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from xdsl.ir import OpResult, SSAValue

import volcli
from tests.oracles.elements.compare import enumerate_set, points_of
from tests.oracles.zeros.draw_matrices import inputs
from tests.oracles.zeros.judge import number
from tests.oracles.zeros.matrices import Known, Matrices, Matrix, Structured
from tests.oracles.zeros.numbers import Cell
from volcli.model.function import FunctionModel
from volcli.model.volumes.knowledge.live import LivePoints, live

RUNS = 16


def complaints(program: Matrices) -> list[str]:
    """What volcli says of PROGRAM and a run, or the structure, contradicts; a value without an answer."""
    runs = [program.run(inputs(program, seed)) for seed in range(RUNS)]
    loaded = volcli.loads(program.mlir()).run("sparsity-regions{of=all}")
    found = [diagnostic.message for unit in loaded.units for diagnostic in unit.diagnostics]
    (model,) = loaded.units[0].models()
    answer = loaded.to_json()["files"][0]
    told = {fact["value"]: fact for fact in answer["facts"]}
    for node in program.nodes:
        found += _regions(node.result, told[f"%{node.result}"]["regions"], runs)
        if isinstance(node, Structured):
            found += _live(node, model, program, runs)
    return found


def _regions(name: str, regions: Sequence[dict[str, object]], runs: Sequence[Known]) -> Iterator[str]:
    for region in regions:
        if region["kind"] != "static":
            continue
        assumed = frozenset(_flags(region.get("assumes")))
        zero = frozenset(_flags(region.get("zero_assumes")))
        for e in sorted(points_of(str(region["set"]))):
            cells = [run[name][e] for run in runs]
            counted = {number(cell) for cell in cells if cell.counts(assumed)}
            if len(counted) > 1:
                yield f"%{name}{e} is static assuming {sorted(assumed)}, and in {sorted(counted)}"
            others = {number(cell) for cell in cells if cell.counts(zero | assumed)} - {"0.0"}
            if (region.get("zero") or zero) and others:
                yield f"%{name}{e} is zero assuming {sorted(zero)}, and in {sorted(others)}"


def _flags(found: object) -> list[str]:
    return [str(flag) for flag in found] if isinstance(found, list) else []


def _live(node: Structured, model: FunctionModel, program: Matrices, runs: Sequence[Known]) -> Iterator[str]:
    value = _value(model, node.result)
    for assume_finite in (False, True):
        found = live(model.flow, value.op, assume_finite)
        if found is None:
            yield f"%{node.result}: no live points"
            continue
        if found.needs and not assume_finite:
            yield f"%{node.result}: needs {sorted(found.needs)}, which nothing says"
        points = enumerate_set(found.points)
        for run in runs:
            yield from _without(node, found, run, node.run(run, points))
        expected = node.live(program.nonzeros())
        if assume_finite and points != expected:
            yield f"%{node.result}: live are {sorted(points)} and contributing {sorted(expected)}"


def _without(node: Structured, found: LivePoints, run: Known, others: Matrix) -> Iterator[str]:
    """Where the elements of a RUN are OTHERS without the loop points that are not live."""
    signs = "nsz" not in (*found.needs, *node.flags)
    for e, cell in run[node.result].items():
        if cell.counts(found.needs) and _bits(cell, signs) != _bits(others[e], signs):
            yield f"%{node.result}{e}: {cell.number} is {others[e].number} needing {sorted(found.needs)}"


def _bits(cell: Cell, signs: bool) -> bytes:
    if math.isnan(cell.number):
        return b"NaN"
    return struct.pack("<d", cell.number if signs else cell.number + 0.0)


def _value(model: FunctionModel, name: str) -> OpResult:
    value: SSAValue = next(value for value in model.values() if model.name_of(value) == f"%{name}")
    assert isinstance(value, OpResult)
    return value
