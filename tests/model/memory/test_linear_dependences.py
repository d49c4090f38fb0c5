"""Dependences of linear indices, `%m[%i * %b + %j]`, by their digits (random programs: tests/oracles/memory/linear.py)."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.function import FunctionModel
from volcli.model.memory.checks.races.races import Races, RaceVerdict
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import LoopKind, Loops

PARALLEL, CARRIED, UNKNOWN = LoopKind.PARALLEL, LoopKind.CARRIED, LoopKind.UNKNOWN

NEST = """
func.func @f(%m: memref<?xindex>, %n: index, %b: index, %c: index, %base: index) {{
  affine.for %i = 0 to %n {{
    affine.for %j = {low} to affine_map<()[b, c] -> ({end})>()[%b, %c] {{
      %e = affine.apply affine_map<(i, j)[b, c, base] -> ({index})>(%i, %j)[%b, %c, %base]
      memref.store %j, %m[%e] : memref<?xindex>
    }}
  }}
  return
}}
"""


def model(text: str) -> FunctionModel:
    return volcli.load(text).units[0].models()[0]


def kinds(text: str) -> list[LoopKind]:
    return [each.kind for each in Loops(model(text).memory).all()]


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("index", "low", "end", "outer", "inner"),
    [
        ("i * b + j", 0, "b", PARALLEL, PARALLEL),
        ("i * b + j", 0, "b + 1", CARRIED, PARALLEL),  # the last column is the first one of the next row
        ("i * b + j", 1, "b + 1", PARALLEL, PARALLEL),  # columns from 1 to b
        ("i * b + j - 1", 1, "b + 1", PARALLEL, PARALLEL),
        ("i * b + j + 1", 0, "b", PARALLEL, PARALLEL),
        ("i * b + j", -1, "b", CARRIED, PARALLEL),
        ("i * b + j", 0, "c", CARRIED, PARALLEL),  # rows that are longer than the distance between them
        ("i * b + b - 1 - j", 0, "b", PARALLEL, PARALLEL),
        ("2 * i * b + j", 0, "2 * b", PARALLEL, PARALLEL),
        ("2 * i * b + j", 0, "2 * b + 1", CARRIED, PARALLEL),
        ("base + i * b + j", 0, "b", PARALLEL, PARALLEL),
        ("b * c + i * b + j", 0, "b", PARALLEL, PARALLEL),
        ("i * b * c + j", 0, "b", CARRIED, PARALLEL),  # for c = 0, all rows are one
        ("j * b + i", 0, "c", CARRIED, CARRIED),
        ("j * b", 0, "c", CARRIED, CARRIED),  # for b = 0, all are one element
    ],
)
def test_rows(index: str, low: int, end: str, outer: LoopKind, inner: LoopKind) -> None:
    assert kinds(NEST.format(index=index, low=low, end=end)) == [outer, inner]


THREE = """
func.func @f(%m: memref<?xf32>, %n: index, %b: index, %k: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %b step %c1 {{
      scf.for %l = %c0 to %k step %c1 {{
        {element}
        memref.store %x, %m[%e] : memref<?xf32>
      }}
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    "element",
    [
        "%e = affine.apply affine_map<(i, j, l)[b, k] -> ((i * b + j) * k + l)>(%i, %j, %l)[%b, %k]",
        "%e = affine.linearize_index [%i, %j, %l] by (%n, %b, %k) : index",
        "%e = affine.linearize_index disjoint [%i, %j, %l] by (%b, %k) : index",
        """%r = arith.muli %i, %b : index
        %s = arith.addi %j, %r : index
        %t = arith.muli %k, %s : index
        %e = arith.addi %t, %l : index""",
    ],
)
def test_three_digits(element: str) -> None:
    assert kinds(THREE.format(element=element)) == [PARALLEL] * 3


TWO = """
func.func @f(%m: memref<?xf32>, %n: index, %b: index, %x: f32) {{
  affine.for %i = {first} to %n {{
    affine.for %j = 1 to affine_map<()[b] -> (b - 1)>()[%b] {{
      %e = affine.apply affine_map<(i, j)[b] -> ({read})>(%i, %j)[%b]
      %v = memref.load %m[%e] : memref<?xf32>
      %w = affine.apply affine_map<(i, j)[b] -> (i * b + j)>(%i, %j)[%b]
      memref.store %v, %m[%w] : memref<?xf32>
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("read", "first", "flow"),
    [
        ("(i - 1) * b + j", 1, (1, 0)),  # the row above
        ("i * b + j - 1", 0, (0, 1)),
        ("(i - 1) * b + j + 1", 1, (1, -1)),
    ],
)
def test_a_stencil_has_exact_distances_and_flow(read: str, first: int, flow: tuple[int, int]) -> None:
    """As `%m[%i, %j]` has them; the witness names the element as the program counts it."""
    memory = model(TWO.format(read=read, first=first)).memory
    load, store = memory.sites
    depth = 1 if flow[0] else 2
    found = memory.dependence(store, load, depth)
    assert found.verdict is DependenceVerdict.DEPENDENT
    assert found.hull == tuple((d, d) for d in flow)
    witness = memory.witness(found)
    assert witness is not None
    width = witness.parameters["%b"]
    (i, j), (i_read, j_read) = witness.source, witness.sink
    assert (i_read - i, j_read - j) == flow
    assert witness.element == (i * width + j,)
    (buffer,) = MemoryFlow(memory).all()
    (read_flow,) = buffer.reads
    (writer,) = read_flow.writers
    assert buffer.is_exact
    assert str(writer.pairs.deltas().project_out_all_params().sample_point()) == str(
        found.distances.points.project_out_all_params().sample_point()  # pyright: ignore[reportOptionalMemberAccess]
    )


def test_within_an_iteration_of_the_outer_loop_products_cancel() -> None:
    """Whatever range the columns have, and whatever the row is computed from."""
    text = """
    func.func @f(%m: memref<?xindex>, %rows: memref<?xindex>, %n: index) {
      affine.for %i = 0 to %n {
        %r = affine.load %rows[%i] : memref<?xindex>
        %square = arith.muli %r, %r : index
        affine.for %j = 0 to %n {
          %e = arith.addi %square, %j : index
          memref.store %j, %m[%e] : memref<?xindex>
        }
      }
      return
    }"""
    assert kinds(text) == [UNKNOWN, PARALLEL]


def test_a_size_that_is_loaded_in_a_loop_is_one_number_inside_of_it() -> None:
    text = """
    func.func @f(%m: memref<?xindex>, %sizes: memref<?xindex>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %layer = %c0 to %n step %c1 {
        %b = memref.load %sizes[%layer] : memref<?xindex>
        scf.for %i = %c0 to %n step %c1 {
          scf.for %j = %c0 to %b step %c1 {
            %row = arith.muli %i, %b : index
            %e = arith.addi %row, %j : index
            memref.store %j, %m[%e] : memref<?xindex>
          }
        }
      }
      return
    }"""
    assert kinds(text) == [UNKNOWN, PARALLEL, PARALLEL]


FLAT = """
func.func @f(%m: memref<?xf32>, %n: index, %b: index, %w: index, %x: f32) {{
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [%n, {columns}], strides: [%b, 1]
    : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  linalg.map outs(%v : memref<?x?xf32, strided<[?, 1]>>) (%o: f32) {{
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %y = arith.sitofp %k : i32 to f32
    linalg.yield %y : f32
  }}
  return
}}
"""


@pytest.mark.parametrize(("columns", "verdict"), [("%b", RaceVerdict.FREE), ("%w", RaceVerdict.UNKNOWN)])
def test_points_of_an_operation_on_a_flat_view(columns: str, verdict: RaceVerdict) -> None:
    (answer,) = Races(model(FLAT.format(columns=columns)).memory).all()
    assert answer.verdict is verdict


def test_a_size_that_an_assertion_demands() -> None:
    """%b is not in the relation; the witness has a number for it for which the assertion passes."""
    text = """
    func.func @f(%m: memref<?xf32>, %n: index, %b: index, %x: f32) {
      %c16 = arith.constant 16 : index
      %is_wide = arith.cmpi sge, %b, %c16 : index
      cf.assert %is_wide, "rows of at least 16 elements"
      affine.for %i = 0 to %n {
        affine.for %j = 0 to 16 {
          %e = affine.apply affine_map<(i, j)[b] -> (i * b + j)>(%i, %j)[%b]
          memref.store %x, %m[%e] : memref<?xf32>
          memref.store %x, %m[%e] : memref<?xf32>
        }
      }
      return
    }"""
    memory = model(text).memory
    assert [each.kind for each in Loops(memory).all()] == [PARALLEL, PARALLEL]
    first, second = memory.sites
    witness = memory.witness(memory.dependence(first, second, 3))
    assert witness is not None
    assert witness.parameters["%b"] >= 16


def test_no_iteration_multiplies_anything() -> None:
    text = """
    func.func @f(%m: memref<?xf32>, %b: index, %x: f32) {
      affine.for %i = 0 to 0 {
        %e = affine.apply affine_map<(i)[b] -> (i * b)>(%i)[%b]
        memref.store %x, %m[%e] : memref<?xf32>
      }
      return
    }"""
    assert kinds(text) == [PARALLEL]
