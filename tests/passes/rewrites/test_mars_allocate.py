"""mars{allocate}: nests whose arrays are laid out by MARS, executed beside what they were."""

from __future__ import annotations

from pathlib import Path

import pytest

import volcli
from tests.model.mars.execution import Case, differing, laid_out
from tests.model.mars.nests import drawn_case
from tests.shared.execution import needs_runner
from tests.shared.seeds import seeds, spread
from volcli.facts.mars import MarsFact

FILES = Path(__file__).parents[3] / "testdata" / "mars"
JACOBI = """
func.func @f(%a: memref<?x?x?xf32>, %T: index, %n: index) {
  %fifth = arith.constant 0.2 : f32
  affine.for %t = 1 to %T {
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%n] {
        %c = affine.load %a[%t - 1, %i, %j] : memref<?x?x?xf32>
        %u = affine.load %a[%t - 1, %i - 1, %j] : memref<?x?x?xf32>
        %d = affine.load %a[%t - 1, %i + 1, %j] : memref<?x?x?xf32>
        %l = affine.load %a[%t - 1, %i, %j - 1] : memref<?x?x?xf32>
        %r = affine.load %a[%t - 1, %i, %j + 1] : memref<?x?x?xf32>
        %0 = arith.addf %c, %u : f32
        %1 = arith.addf %0, %d : f32
        %2 = arith.addf %1, %l : f32
        %3 = arith.addf %2, %r : f32
        %4 = arith.mulf %3, %fifth : f32
        affine.store %4, %a[%t, %i, %j] : memref<?x?x?xf32>
      }
    }
  }
  return
}
"""


def sizes_of_gemm(m: int, n: int, k: int) -> list[int | tuple[int, ...]]:
    return [(m, k), (k, n), (m, n), m, n, k]


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("tile", ["i: 8, j: 8, l: 8", "l: 3, i: 5, j: 4"])
def test_a_product_of_matrices(mlir_opt: str, tile: str) -> None:
    """Sizes that tiles divide, and others; and no iterations at all."""
    text = (FILES / "gemm.mlir").read_text()
    after = laid_out(text, tile)
    assert all(f"%{array}_mars" in after for array in "abc")
    sizes = [(16, 8, 24), (9, 17, 8), (1, 1, 1), (5, 4, 3), (0, 3, 2), (3, 0, 2), (3, 4, 0)]
    ((different, changed),) = differing(mlir_opt, [Case(text, after, [sizes_of_gemm(*s) for s in sizes])])
    assert different == 0
    assert changed > 0


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    "tile",
    [
        pytest.param("t + i: 8, t - i: 8, t + j: 8", marks=pytest.mark.fuzz),  # the kernels of testdata, too
        "t: 3, t + i: 4, t + j: 5",
        pytest.param("t + j: 6, t: 2, t + i: 3", marks=pytest.mark.fuzz),
    ],
)
def test_jacobi_in_two_dimensions(mlir_opt: str, tile: str) -> None:
    """Diamonds and skewed boxes, for sizes that these divide, and others; and no iterations at all."""
    after = laid_out(JACOBI, tile)
    sizes = [(17, 18), (9, 10), (6, 13), (2, 3), (3, 2), (1, 6)]
    calls = [((steps, size, size), steps, size) for steps, size in sizes]
    ((different, changed),) = differing(mlir_opt, [Case(JACOBI, after, calls)])
    assert different == 0
    assert changed > 0


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("name", "tile", "shapes"),
    spread([
        ("jacobi_1d", "t + i: 8, t - i: 8", [(100, 1000)]),
        ("jacobi_2d", "t + i: 8, t - i: 8, t + j: 8", [(50, 200, 200)]),
        ("seidel_2d", "t: 8, t + i: 8, 2*t + i + j: 16", [(200, 200)]),
        ("smith_waterman", "i + j: 8, j: 8", [(500,), (500,), (501, 501)]),
    ], 2),
)  # fmt: skip
def test_the_kernels_of_testdata(mlir_opt: str, name: str, tile: str, shapes: list[tuple[int, ...]]) -> None:
    text = (FILES / f"{name}.mlir").read_text()
    ((different, changed),) = differing(mlir_opt, [Case(text, laid_out(text, tile), [shapes])])
    assert different == 0
    assert changed > 0


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("group", seeds(1, of=6))
def test_random_programs(mlir_opt: str, group: int) -> None:
    cases = [drawn_case(f"{group}/{number}") for number in range(5)]
    found = differing(mlir_opt, cases)
    for case, (different, _) in zip(cases, found, strict=True):
        assert different == 0, (case.tile, case.before)
    assert any(changed for _, changed in found)


@pytest.mark.slow
@needs_runner
def test_what_is_copied_is_needed(mlir_opt: str) -> None:
    """Without what one tile writes for others, or without what it finds in the array, the results differ."""
    text = (FILES / "sums.mlir").read_text()
    after = laid_out(text, "i: 4")
    calls = [[(13,), (13,), 13]]
    store = next(line for line in after.splitlines() if "memref.store" in line and ", %s_mars[" in line)
    copied = next(line for line in after.splitlines() if "memref.store" in line and ", %s_local[" in line)
    for removed in (store, copied):
        ((different, _),) = differing(mlir_opt, [Case(text, after.replace(removed, ""), calls)])
        assert different > 0


ROWS = """
func.func @f(%a: memref<20x20xf32>, %p: memref<?xindex>) {
  affine.for %i = 1 to 20 {
    affine.for %j = 1 to 19 {
      %x = affine.load %a[%i - 1, %j - 1] : memref<20x20xf32>
      %y = affine.load %a[%i - 1, %j + 1] : memref<20x20xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %a[%i, %j] : memref<20x20xf32>
    }
  }
  return
}
"""


@pytest.mark.parametrize(
    ("tile", "reason"),
    [
        ("i: s, j: 4", "sizes that are numbers, not s"),
        ("i: 4, j: 4", "at the distance (1, -1), which goes back along j"),
        ("i + j: 5, i - j: 5", "tiles are not all translates of each other"),
    ],
)
def test_what_is_refused(tile: str, reason: str) -> None:
    """The program stays as it is, and the reason is said."""
    program = volcli.load(ROWS)
    program.run(f"mars{{tile='{tile}' allocate}}")
    (said,) = program.diagnostics
    assert said.code == "V310"
    assert reason in said.message
    assert program.text() == ROWS


def test_arguments_that_may_be_one() -> None:
    program = volcli.load((FILES / "gemm.mlir").read_text())
    program.run("mars{tile='i: 8, j: 8, l: 8' allocate}")
    assert [each.code for each in program.diagnostics] == ["V310"]
    assert "%a and %c are different memory" in program.diagnostics[0].message
    assert "memref.alloc" not in program.text()


@pytest.mark.slow
def test_one_array_stays_as_it_is() -> None:
    """What the tiles of a product with its own transposed read depends on their position; the sums do not."""
    text = (FILES / "syrk.mlir").read_text()
    after = laid_out(
        text,
        "i: 8, j: 8, l: 8",
        ["%a is not laid out by MARS: from tile to tile its accesses move differently"],
    )
    assert "%c_mars" in after
    assert "%a_mars" not in after


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "tile", "row_major", "bursts"),
    [
        ("gemm", "i: 8, j: 8, l: 8", ["8", "8", "8"], [1, 1, 1]),
        ("jacobi_2d", "t + i: 8, t - i: 8, t + j: 8", ["48"], [13]),
        ("jacobi_1d", "t + i: 8, t - i: 8", ["9"], [3]),
    ],
)
def test_the_bytes_of_a_tile(name: str, tile: str, row_major: list[str], bursts: list[int]) -> None:
    """A tile reads each element once: as many as the sets of other tiles have, for it, and four bytes each."""
    facts = volcli.load((FILES / f"{name}.mlir").read_text()).run(f"mars{{tile='{tile}'}}").facts
    found = [fact for fact in facts if isinstance(fact, MarsFact)]
    layouts = [fact.layout for fact in found if fact.layout is not None]
    assert [each.row_major for each in layouts] == row_major
    assert [each.bursts for each in layouts] == bursts
    laid_out = [fact for fact in found if fact.layout is not None]
    for fact, layout in zip(laid_out, layouts, strict=True):
        consumers = [1 if fact.kind == "read" else len(row.consumers) for row in fact.sets]
        counts = [int(count or 0) for _, count in fact.classes[0].members]
        total = sum(c * n for c, n in zip(consumers, counts, strict=True))
        assert (layout.elements, layout.size) == (str(total), str(4 * total))
