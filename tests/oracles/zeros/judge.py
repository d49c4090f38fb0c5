"""volcli's static regions against what the programs compute."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import volcli
from tests.oracles.elements.compare import points_of
from tests.oracles.zeros.draw import inputs
from tests.oracles.zeros.numbers import Cell
from tests.oracles.zeros.programs import Program, Row

RUNS = 24


def complaints(program: Program) -> list[str]:
    """What volcli says of PROGRAM and a run contradicts; a value without an answer."""
    runs = [program.run(inputs(program, seed)) for seed in range(RUNS)]
    answer = volcli.load(program.mlir()).run("sparsity-regions{of=all}").to_json()
    found = [str(d["message"]) for file in answer["files"] for d in file["diagnostics"]]
    told = {str(fact["value"]): fact for file in answer["files"] for fact in file["facts"]}
    for node in program.nodes:
        fact = told.get(f"%{node.result}")
        if fact is None or not fact["domain"]:
            found.append(f"%{node.result}: no answer")
        else:
            found += _of_value(node.result, fact, [run[node.result] for run in runs])
    return found


def _of_value(name: str, fact: Mapping[str, Any], rows: Sequence[Row]) -> Iterator[str]:
    for region in fact["regions"]:
        if region["kind"] != "static":
            continue
        assumed, zero = frozenset(region.get("assumes", ())), frozenset(region.get("zero_assumes", ()))
        for (position,) in sorted(points_of(region["set"])):
            cells = [row[position] for row in rows]
            counted = {number(cell) for cell in cells if cell.counts(assumed)}
            if len(counted) > 1:
                yield f"%{name}[{position}] is static assuming {sorted(assumed)}, and in {sorted(counted)}"
            if (region.get("zero") or zero) and {number(c) for c in cells if c.counts(zero | assumed)} - {
                "0.0"
            }:
                yield f"%{name}[{position}] is zero assuming {sorted(zero)}, and in {sorted(counted)}"


def number(cell: Cell) -> str:
    """The number of CELL: one NaN, one zero."""
    return "nan" if math.isnan(cell.number) else str(cell.number + 0.0)
