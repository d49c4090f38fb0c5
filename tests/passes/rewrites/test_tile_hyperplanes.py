"""tile-symbolic along hyperplanes: skewed tiles and diamonds, imperfect nests, executed for all small sizes."""

from __future__ import annotations

import pytest

import volcli
from tests.campaigns.rewrites import NEST_PIPELINES, campaign
from tests.passes.rewrites.test_tile_symbolic import HALVES, TRIANGLE, different, tiled
from tests.rewriting.nests import drawn_nest
from tests.shared.execution import needs_runner
from tests.shared.seeds import spread

# A row is made of three neighbours in the row before: distances (1, -1), (1, 0) and (1, 1).
ROWS = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %seven = arith.constant 7 : index
  affine.for %t = 0 to affine_map<()[u] -> (u + 2)>()[%U] {
    affine.for %i = 1 to affine_map<()[v] -> (v + 3)>()[%V] {
      %x = affine.load %m[%t, %i - 1] : memref<16x16xindex>
      %y = affine.load %m[%t, %i] : memref<16x16xindex>
      %z = affine.load %m[%t, %i + 1] : memref<16x16xindex>
      %p = arith.muli %x, %seven : index
      %q = arith.addi %p, %y : index
      %r = arith.muli %q, %seven : index
      %s = arith.addi %r, %z : index
      %k = arith.addi %s, %i : index
      affine.store %k, %m[%t + 1, %i] : memref<16x16xindex>
    }
  }
  return
}
"""
# PolyBench's jacobi-1d, of two rows: there and back in each step of time.
JACOBI = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %seven = arith.constant 7 : index
  %c0 = arith.constant 0 : index
  affine.for %t = 0 to affine_map<()[u] -> (u + 1)>()[%U] {
    affine.for %i = 1 to affine_map<()[v] -> (v + 3)>()[%V] {
      %x = affine.load %m[0, %i - 1] : memref<16x16xindex>
      %y = affine.load %m[0, %i + 1] : memref<16x16xindex>
      %p = arith.muli %x, %seven : index
      %q = arith.addi %p, %y : index
      %k = arith.addi %q, %i : index
      affine.store %k, %m[1, %i] : memref<16x16xindex>
    }
    affine.for %j = 1 to affine_map<()[v] -> (v + 3)>()[%V] {
      %x = affine.load %m[1, %j] : memref<16x16xindex>
      %p = arith.muli %x, %seven : index
      %q = arith.addi %p, %t : index
      affine.store %q, %m[0, %j] : memref<16x16xindex>
    }
  }
  return
}
"""
# A row's first element is set, the others follow; loops of other lengths, one of which may be empty.
UNLIKE = """
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {
  %seven = arith.constant 7 : index
  affine.for %i = 0 to affine_map<()[u] -> (u + 3)>()[%U] {
    %first = affine.apply affine_map<(i) -> (i * 2 + 3)>(%i)
    affine.for %j = 2 to affine_map<()[v] -> (v + 1)>()[%V] {
      affine.store %first, %m[%i, %j] : memref<16x16xindex>
    }
    affine.for %k = affine_map<(i) -> (i)>(%i) to 6 {
      %x = affine.load %m[%i, %k] : memref<16x16xindex>
      %p = arith.muli %x, %seven : index
      %q = arith.addi %p, %first : index
      affine.store %q, %m[%i, %k] : memref<16x16xindex>
    }
  }
  return
}
"""


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("text", "options"),
    spread([
        (ROWS, "sizes=%a,%a hyperplanes='t+i, t-i'"),
        (ROWS, "sizes=%a,%b hyperplanes='t+i, t-i'"),
        (ROWS, "sizes=%a,%a hyperplanes='t+i, t-i' wavefront=2"),
        (UNLIKE, "sizes=%a,%b hyperplanes='i, j|k'"),
        (ROWS, "sizes=%a,%b,%b,%a hyperplanes='t, t+i' levels=2"),
        (ROWS, "sizes=%b hyperplanes='t+i'"),
        (TRIANGLE, "sizes=%b hyperplanes=j"),
        (TRIANGLE, "sizes=%a,%b hyperplanes='i-j, j'"),
        (JACOBI, "sizes=%a,%b hyperplanes='t, 2*t+i | 2*t+j+1'"),
        (JACOBI, "sizes=%a,%a hyperplanes='2*t+i | 2*t+j+1, 2*t-i | 2*t-j+1' wavefront=2"),
        (ROWS, "sizes=%a,%b hyperplanes='t, 2*t + %i - 1' wavefront=2"),
        (UNLIKE, "sizes=%a,%b,%b,%a hyperplanes='i, j|k' levels=2"),
        (JACOBI, "sizes=%b,%a hyperplanes='2*t+i | 2*t+j+1, 2*t-i | 2*t-j+1' wavefront=2"),
        (ROWS, "sizes=%a,%b hyperplanes='t+i, t-i' wavefront=2"),
    ], 5),
)  # fmt: skip
def test_the_same_for_all_sizes(text: str, options: str, mlir_opt: str) -> None:
    assert different(mlir_opt, text, tiled(text, options)) == 0


SIZED = [
    (ROWS, "sizes=%size,%size hyperplanes='t, t+i'"),
    (TRIANGLE, "sizes=%size,%size"),
    (TRIANGLE, "sizes=%size,%size,%size,%size hyperplanes='i-j, j' levels=2"),
    (HALVES, "sizes=%size,%size"),
    (UNLIKE, "sizes=%size,%size hyperplanes='i, j|k'"),
]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("text", "options", "size"), spread([(*case, n) for n in (1, 3, 4) for case in SIZED], 5)
)
def test_constant_sizes_have_affine_bounds(text: str, options: str, size: int, mlir_opt: str) -> None:
    """Loops of affine.for, but where statements side by side need other bounds."""
    constant = f"{{\n  %size = arith.constant {size} : index\n"
    before = text.replace("{\n", constant, 1)
    after = tiled(before, options)
    assert ("scf.for" in after) == (text == UNLIKE)
    assert different(mlir_opt, before, after) == 0


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (ROWS, "sizes=%a,%b hyperplanes='t, i'", "%m[%t, %i + 1] depends on %m[%t + 1, %i] at the distance (1, -1), which goes back along i"),
        (ROWS, "sizes=%a hyperplanes='i-t'", "%m[%t, %i] depends on %m[%t + 1, %i] at the distance (1, 0), which goes back along i-t"),
        (JACOBI, "sizes=%a,%b hyperplanes='t, 2*t+i|2*t+j'", "%m[0, %j] depends on %m[0, %i - 1] at the distance (0), which goes back along 2*t+i|2*t+j"),
        (JACOBI, "sizes=%a,%b hyperplanes='t, 2*t+i'", "a statement is not in the loops that 2*t+i is over"),
        (UNLIKE, "sizes=%a,%b hyperplanes='j, k'", "the loops of the hyperplanes are not in one of them"),
    ],
)  # fmt: skip
def test_what_would_go_back_is_not_tiled(text: str, options: str, reason: str) -> None:
    """With the dependence that says so."""
    program = volcli.load(text, timeout=None)
    before = program.text()
    program.run(f"tile-symbolic{{{options}}}")
    assert program.text() == before
    (said,) = program.diagnostics
    assert said.message.partition(" is not tiled: ")[2] == reason


@pytest.mark.parametrize("planes", ["i**2", "2", "i + ", "i j", "3*i*2", "i & j"])
def test_what_is_no_linear_function(planes: str) -> None:
    program = volcli.load(ROWS)
    with pytest.raises(volcli.UsageError, match="is not a linear function of induction variables"):
        program.run(f"tile-symbolic{{sizes=%a hyperplanes='{planes}'}}")


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("nests", [3, pytest.param(16, marks=pytest.mark.fuzz)])
def test_random_nests(mlir_opt: str, capsys: pytest.CaptureFixture[str], nests: int) -> None:
    """A short campaign; `python -m tests.campaigns.rewrites --nests` is the long one."""
    changed, failed = campaign(mlir_opt, nests, 1, NEST_PIPELINES[:4], drawn_nest)
    assert failed == 0, capsys.readouterr().out
    assert changed >= max(1, nests // 8)
