"""scf.forall on demand: elements are those of the whole execution, and races of its insertions are seen."""

from __future__ import annotations

import random

import pytest

import volcli
from tests.execution.demand.test_demand import compare_elements, parsed
from volcli.execution.memory.machine import Options
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.runs.engine import execute
from volcli.execution.runs.inputs import Inputs

TILED = """
func.func @f(%a: tensor<{n}x{n}xf32>, %b: tensor<{n}x{n}xf32>, %c: tensor<{n}x{n}xf32>) -> tensor<{n}x{n}xf32> {{
  %r:2 = scf.forall (%i, %j) = (0, 0) to ({n}, {n}) step ({t}, {t}) shared_outs(%o = %c, %p = %c)
      -> (tensor<{n}x{n}xf32>, tensor<{n}x{n}xf32>) {{
    %x = tensor.extract_slice %a[%i, 0] [{t}, {n}] [1, 1] : tensor<{n}x{n}xf32> to tensor<{t}x{n}xf32>
    %y = tensor.extract_slice %b[0, %j] [{n}, {t}] [1, 1] : tensor<{n}x{n}xf32> to tensor<{n}x{t}xf32>
    %z = tensor.extract_slice %o[%j, %i] [{t}, {t}] [1, 1] : tensor<{n}x{n}xf32> to tensor<{t}x{t}xf32>
    %m = linalg.matmul ins(%x, %y : tensor<{t}x{n}xf32>, tensor<{n}x{t}xf32>) outs(%z : tensor<{t}x{t}xf32>)
      -> tensor<{t}x{t}xf32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %m into %o[%i, %j] [{t}, {t}] [1, 1] : tensor<{t}x{t}xf32> into tensor<{n}x{n}xf32>
      tensor.parallel_insert_slice %z into %p[%j, %i] [{t}, {t}] [1, 1] : tensor<{t}x{t}xf32> into tensor<{n}x{n}xf32>
    }}
  }}
  %s = arith.addf %r#0, %r#1 : tensor<{n}x{n}xf32>
  return %s : tensor<{n}x{n}xf32>
}}"""


@pytest.mark.parametrize("kind", ["terms", "random"])
def test_elements_are_those_of_the_whole(kind: str) -> None:
    assert compare_elements(TILED.format(n=6, t=2), kind, random.Random(1), few=12) == 12 * 6


@pytest.mark.slow
def test_one_element_of_a_large_loop() -> None:
    """A row and a column of 2,048 are read, in the place of 4,194,304 elements."""
    found = (
        volcli.loads(TILED.format(n=2048, t=64)).function("f").run(Inputs(kind="zeros"), show="%s[5, 2047]")
    )
    ((name, value),) = found.trace
    assert (name, float(value)) == ("%s[5, 2047]", 0.0)


INSERTED = """
func.func @f(%t: tensor<8x8xi32>, %s: tensor<{size}xi32>) -> tensor<8x8xi32> {{
  %r = scf.forall (%i) in (3) shared_outs(%o = %t) -> (tensor<8x8xi32>) {{
    %at = affine.apply affine_map<(d0) -> ({at})>(%i)
    %row = affine.apply affine_map<(d0) -> ({row})>(%i)
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %s into %o[%row, %at] [1, {size}] [1, {stride}]
        : tensor<{size}xi32> into tensor<8x8xi32>
    }}
  }}
  return %r : tensor<8x8xi32>
}}"""


@pytest.mark.parametrize("demands", [False, True])
@pytest.mark.parametrize(
    ("row", "at", "size", "stride", "race"),
    [
        ("3", "d0 * 2", 2, 1, None),
        ("3", "d0 * 2", 3, 1, "iteration (0) and iteration (1)"),
        ("d0", "2", 3, 1, None),
        ("d0", "d0 * 2", 3, 1, None),
        ("3", "d0", 2, 3, None),
        ("3", "d0", 3, 2, "iteration (0) and iteration (2)"),
        ("3", "d0", 2, 2, "iteration (0) and iteration (2)"),
        ("d0 mod 2", "1", 1, 1, "iteration (0) and iteration (2)"),
        ("3", "d0 - d0", 0, 1, None),
    ],
)
def test_races(demands: bool, row: str, at: str, size: int, stride: int, race: str | None) -> None:
    module, functions = parsed(INSERTED.format(row=row, at=at, size=size, stride=stride))
    outcome = execute(module, functions["f"], ["t", "s"], Inputs(kind="iota"), Options(demands=demands))
    if race is None:
        assert outcome.stopped is None
    else:
        assert isinstance(outcome.stopped, Undefined)
        assert (outcome.stopped.kind, outcome.stopped.message) == (
            Defect.RACE,
            f"{race} of a parallel loop access one element",
        )
