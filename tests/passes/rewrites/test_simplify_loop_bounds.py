"""simplify-bounds: bounds of affine loops without operands that do nothing, executed beside the original."""

from __future__ import annotations

import pytest

import volcli
from tests.passes.rewrites.test_tile_symbolic import different
from tests.rewriting.rewritten import rewritten_by
from tests.shared.execution import needs_runner

# Rows of four, as tiling by 4 leaves them: %t is below ceildiv(%U, 4), and not all tiles are whole.
TILES = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  affine.for %t = 0 to affine_map<()[u] -> (u ceildiv 4)>()[%U] {
    affine.for %i = max affine_map<(t) -> (t - 1, 4 * t, 0)>(%t)
        to min affine_map<(t)[u] -> (4 * t + 4, u, 16, u + 3)>(%t)[%U] {
      affine.for %j = max affine_map<(i)[v] -> (v, i - 3, 0)>(%i)[%V] to min affine_map<(i) -> (i + 9, 16, i + 9)>(%i) {
        affine.store %i, %m[%i, %j] : memref<16x16xindex>
      }
    }
  }
  return
}
"""
WHOLE = """
func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
  affine.for %t = 0 to affine_map<()[n] -> (n floordiv 8)>()[%n] {
    affine.for %i = affine_map<(t) -> (8 * t)>(%t) to min affine_map<(t)[n] -> (n, 8 * t + 8)>(%t)[%n] {
      affine.store %x, %m[%i] : memref<?xf32>
    }
  }
  return
}
"""


@pytest.mark.slow
@needs_runner
def test_loops_run_as_before(mlir_opt: str) -> None:
    """What stays: 4 * t and %U, 4 * t + 4, 16; and v, i - 3, 0 and i + 9, 16, of which none is known to do nothing."""
    after = rewritten_by("simplify-bounds", TILES)
    assert "(d0 * 4)" in after
    assert "(d0 * 4 + 4, s0, 16)" in after
    assert "(s0, d0 - 3, 0)" in after
    assert different(mlir_opt, TILES, after) == 0


def test_whole_tiles_have_one_end() -> None:
    """8 * t + 8 <= n for t < n floordiv 8; a second pass finds nothing."""
    after = rewritten_by("simplify-bounds", WHOLE)
    assert "min" not in after
    program = volcli.load(after)
    program.run("simplify-bounds")
    assert program.text() == after
