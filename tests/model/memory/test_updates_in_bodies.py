"""Loops around structured operations that combine: reductions, if nothing else is done with the values."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.loops.loops import LoopAnswer, LoopKind, Loops

MATMUL = "linalg.matmul ins(%p, %q : memref<?x4xf32>, memref<4x?xf32>) outs(%o : memref<?x?xf32>)"
GENERIC = """linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}} ins(%v : memref<?xf32>) outs({out} : memref<?xf32>) {{
      ^bb0(%in: f32, %old: f32):
        {body}
        linalg.yield {result} : f32
      }}"""
PROGRAM = """
func.func @f(%p: memref<?x4xf32>, %q: memref<4x?xf32>, %o: memref<?x?xf32>, %v: memref<?xf32>,
    %w: memref<?xf32>, %n: index) {{
  affine.for %k = 0 to %n {{
    {op}
  }}
  return
}}
"""


def generic(body: str, result: str, out: str = "%w") -> str:
    return GENERIC.format(body=body, result=result, out=out)


@pytest.mark.parametrize(
    ("op", "kind", "combined"),
    [
        (MATMUL, LoopKind.REDUCTION, ("addf",)),
        (generic("%s = arith.addf %in, %old : f32", "%s"), LoopKind.REDUCTION, ("addf",)),
        (generic("%s = arith.maximumf %old, %in : f32", "%s"), LoopKind.REDUCTION, ("maximumf",)),
        (generic("%s = arith.subf %old, %in : f32", "%s"), LoopKind.REDUCTION, ("addf",)),
        (generic("%s = arith.subf %in, %old : f32", "%s"), LoopKind.CARRIED, ()),
        (generic("%s = arith.addf %old, %old : f32", "%s"), LoopKind.CARRIED, ()),  # doubled each time
        (generic("%s = arith.addf %in, %old : f32", "%s", out="%v"), LoopKind.CARRIED, ()),  # read twice
        (generic("%s = arith.addf %in, %in : f32", "%s"), LoopKind.CARRIED, ()),  # overwritten
    ],
)
def test_a_loop_around(op: str, kind: LoopKind, combined: tuple[str, ...]) -> None:
    answer = around(op)
    assert (answer.kind, answer.reductions) == (kind, combined)


def test_what_is_added_to_is_multiplied_too() -> None:
    """The same buffer, seen in two ways: what is added depends on what was."""
    op = """%r = memref.subview %o[0, 0] [2, 4] [1, 1] : memref<?x?xf32> to memref<2x4xf32, strided<[?, 1]>>
    %s = memref.cast %o : memref<?x?xf32> to memref<2x?xf32>
    linalg.matmul ins(%r, %q : memref<2x4xf32, strided<[?, 1]>>, memref<4x?xf32>) outs(%s : memref<2x?xf32>)"""
    assert around(op).kind is LoopKind.CARRIED


def around(op: str) -> LoopAnswer:
    """What a loop around OP carries."""
    (unit,) = volcli.loads(PROGRAM.format(op=op)).units
    (model,) = unit.models()
    (answer,) = Loops(model.memory).all()
    return answer
