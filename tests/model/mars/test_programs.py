"""MARS of programs with loops in steps, guards, several nests and ends, against their execution."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.oracles.mars.arrays import drawn_arrays
from tests.oracles.mars.claims import Report, compared
from tests.oracles.mars.enumeration import Affine, If, Loop, Program
from tests.oracles.mars.kernels import Writer, affine, nest, tilings
from tests.oracles.mars.tiles import Tiled
from volcli.facts.mars import MarsFact
from volcli.facts.mars_accesses import MarsAccessFact
from volcli.model.mars.partition import classes_by_points

FLAT = [("i", 0, 12), ("j", 0, 12)]


def check(tile: str, *nests: Loop) -> Report:
    """What became of the flows of NESTS, each of which is compared with their execution."""
    program, arrays = drawn_arrays(None, Program(nests))
    comparison = compared(Tiled(program, tilings(tile)), arrays)
    assert not comparison.wrong, comparison.text
    return comparison.report


def test_a_loop_in_steps() -> None:
    """Of eight rows only four are read: 0 + 7 and 6 + 0 are the last elements of the first set."""
    inner = nest([("j", 0, 24)], Writer.at_one().sets("b[i,j]", "x[i+j]"))
    found = check("i:8, j:8", Loop("i", (Affine(),), (Affine((), 24),), 2, (inner,)))
    assert (found.by_translation, found.exact, found.unknown) == (1, 1, 0)


def test_a_guard_with_a_period() -> None:
    """i + j is a multiple of 3: tiles of 4 x 4 are alike if they are three apart."""
    found = check(
        "i:4, j:4", nest(FLAT, If(((affine("i+j"), 3),), (Writer.at_one().sets("b[i,j]", "x[i]"),)))
    )
    assert (found.by_translation, found.exact, found.unknown) == (1, 1, 0)


def test_even_iterations_write_what_odd_ones_read() -> None:
    w = Writer.at_one()
    even = If(((affine("i"), 2),), (w.sets("a[i,j]", "x[j]"),))
    odd = If(((affine("i+1"), 2),), (w.sets("b[i,j]", "a[i-1,j-1]"),))
    found = check("i:4, j:4", nest(FLAT, even, odd))
    assert (found.by_translation, found.unknown) == (2, 0)


def test_two_nests_with_loops_of_the_same_names() -> None:
    """A tile of the second nest is no tile of the first one, also where its number is the same.

    The last row of tiles reads a row that the first nest does not write: initial values, of these tiles alone.
    """
    w = Writer.at_one()
    found = check(
        "i:4, j:4",
        nest(FLAT, w.sets("a[i,j]", "x[j]")),
        nest(FLAT, w.sets("b[i,j]", "a[i,j]", "a[i+1,j]")),
    )
    assert (found.by_translation, found.exact, found.unknown) == (2, 3, 0)


def test_no_tile_is_whole() -> None:
    """Tiles of 16 x 16 in 12 x 12 iterations: they are what they are."""
    found = check("i:16, i+j:16", nest(FLAT, Writer.at_one().sets("b[i,j]", "x[i+j]")))
    assert (found.by_translation, found.exact, found.unknown) == (0, 1, 0)


def test_no_set_is_made_of_kinds_of_tiles_that_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of Floyd and Warshall's loops with 40 nodes, that took more than the budget."""

    def none(_: object) -> isl.Set:
        raise AssertionError

    monkeypatch.setattr(classes_by_points, "_set_of", none)
    tiles = {(t,): {((0,),): [(t, k) for k in range(t + 1)]} for t in range(20)}
    assert classes_by_points.EnumeratedTiles(tiles).by_forms() is None
    assert classes_by_points.EnumeratedTiles(tiles).by_sizes() is None


def facts(body: str, tile: str) -> list[MarsFact]:
    text = f"""func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %y: memref<64xf32>) {{
  %c0 = arith.constant 0 : index
  {body}
  return
}}"""
    return list(volcli.loads(text).functions[0].mars(tile))


def test_only_some_iterations_inside_a_tile_read_the_initial_values() -> None:
    """Of y, the first five elements are written before they are read."""
    (read,) = (
        fact
        for fact in facts(
            """affine.for %i = 0 to 64 {
    affine.for %l = 0 to 5 { affine.store %z, %a[%i, %l] : memref<64x64xf32> }
    affine.for %l = 0 to 9 {
      %0 = affine.load %a[%i, %l] : memref<64x64xf32>
      affine.store %0, %b[%i, %l] : memref<64x64xf32>
    }
  }""".replace("affine.for %i", "%z = arith.constant 0.0 : f32\n  affine.for %i", 1),
            "i:8",
        )
        if fact.kind == "read"
    )
    assert [row.points.text for row in read.sets] == ["{ a[d0, d1] : 0 <= d0 <= 7 and 5 <= d1 <= 8 }"]


def test_what_is_read_between_the_loops_is_in_no_tile() -> None:
    (first, *_) = facts(
        """affine.for %i = 0 to 64 {
    %1 = affine.load %y[%i] : memref<64xf32>
    affine.for %j = 0 to 64 {
      %0 = affine.load %y[%j] : memref<64xf32>
      affine.store %0, %b[%i, %j] : memref<64x64xf32>
    }
  }""",
        "i:8, j:8",
    )
    assert (first.exact, first.reason) == (
        False,
        "%y[%i]: it is between the tiled loops, outside of %j, and in no tile",
    )


def test_what_is_written_between_the_loops_is_of_no_tile() -> None:
    """y[0] is another value in each iteration of the outer loop: one element, and not one datum."""
    (fact,) = facts(
        """affine.for %i = 0 to 64 {
    affine.store %z, %y[%c0] : memref<64xf32>
    affine.for %j = 0 to 64 {
      %0 = affine.load %y[%c0] : memref<64xf32>
      affine.store %0, %b[%i, %j] : memref<64x64xf32>
    }
  }""".replace("affine.for %i", "%z = arith.constant 0.0 : f32\n  affine.for %i", 1),
        "i:8, j:8",
    )
    assert not fact.exact
    assert fact.reason is not None
    assert "between the loops" in fact.reason


def test_a_read_that_is_not_known_may_consume_anything() -> None:
    """Nothing is said of an array of which one read is unknown."""
    found = facts(
        """affine.for %i = 1 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %a[%i - 1, %j] : memref<64x64xf32>
      %n = arith.fptosi %0 : f32 to i64
      %k = arith.index_cast %n : i64 to index
      %1 = memref.load %a[%k, %j] : memref<64x64xf32>
      affine.store %1, %a[%i, %j] : memref<64x64xf32>
    }
  }""",
        "i:8, j:8",
    )
    assert [fact.exact for fact in found if fact.array == "%a"] == [False]


def test_the_sets_that_each_access_reads() -> None:
    """What stands above is of the tile above; what stands above on the left, of three tiles."""
    text = """func.func @f(%a: memref<66x66xf32>) {
  affine.for %t = 1 to 64 {
    affine.for %i = 1 to 64 {
      %0 = affine.load %a[%t - 1, %i - 1] : memref<66x66xf32>
      %1 = affine.load %a[%t - 1, %i] : memref<66x66xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %a[%t, %i] : memref<66x66xf32>
    }
  }
  return
}"""
    unit = volcli.loads(text).run("mars{tile='t:8, i:8'}").units[0]
    (sets, edge) = (fact for fact in unit.facts if isinstance(fact, MarsFact))
    assert [row.consumers for row in sets.sets] == [("(0, 1)",), ("(1, 0)",), ("(1, 0)", "(1, 1)")]
    assert (edge.kind, edge.others) == ("read", 0)
    accesses = [f for f in unit.facts if isinstance(f, MarsAccessFact) and f.kind == "produced"]
    found = [(f.where.place.line, f.classes[0].sets) for f in accesses]
    assert sorted(found) == [(4, (0, 1, 2)), (5, (1, 2)), (7, (0, 1, 2))]


def test_elements_that_depend_on_the_end_of_a_loop_have_no_example() -> None:
    """For all ends together, a tile holds all elements: that took more than the budget, or failed in isl."""
    text = """func.func @f(%a: memref<?xf32>, %b: memref<?x?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[-%i + symbol(%n) - 1] : memref<?xf32>
      %1 = affine.load %a[%j] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}"""
    (fact,) = volcli.loads(text).functions[0].mars("i:4, j:4")
    assert fact.reason == "its elements are not affine functions of the loops"


def test_a_set_that_a_load_reads_in_the_first_tile_only() -> None:
    """`b[0]` is what it was before in the tile 0; in the next one it is a value of the nest."""
    text = """func.func @f(%b: memref<8xf32>) {
  affine.for %i = 0 to 7 {
    %0 = affine.load %b[%i] : memref<8xf32>
    %1 = affine.load %b[0] : memref<8xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i] : memref<8xf32>
  }
  return
}"""
    facts = volcli.loads(text).run("mars{tile='i:3'}").units[0].facts
    read = [fact for fact in facts if isinstance(fact, MarsAccessFact) and fact.kind == "read"]
    assert [each.classes[0].numbers for each in read] == ["1", "1 in some tiles"]


def test_values_that_every_second_iteration_reads_of_half_its_number() -> None:
    """The iteration i reads in %b[i - 2] what (i - 1) / 2 has written, if that is an iteration, from 2 on."""
    text = """func.func @f(%b: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 2)>(%i) step 2 {
      %0 = affine.load %b[%i - 2] : memref<?xf32>
      affine.store %0, %b[2 * %i - 1] : memref<?xf32>
    }
  }
  return
}"""
    facts = volcli.loads(text).run("mars{tile='i:1'}").units[0].facts
    (produced,) = (each for each in facts if isinstance(each, MarsFact) and each.kind == "produced")
    first = produced.sets[0]
    assert (str(first.points), first.consumers) == ("{ b[i = 2, j = 2] }", ("{ [t0 = 5] }",))


def test_an_element_of_no_dimension_is_one_set() -> None:
    """All tiles read %s; of its values, each tile hands the last one to the next tile."""
    text = """func.func @f(%a: memref<12xf32>, %s: memref<f32>, %m: memref<f32>) {
  affine.for %i = 0 to 12 {
    %0 = affine.load %s[] : memref<f32>
    %1 = affine.load %m[] : memref<f32>
    affine.store %1, %a[%i] : memref<12xf32>
    affine.store %0, %s[] : memref<f32>
  }
  return
}"""
    facts = volcli.loads(text).run("mars{tile='i:4' assume-noalias-args}").facts
    found = {(f.array, f.kind): f for f in facts if isinstance(f, MarsFact)}
    consumed = {key: [(str(row.points), row.consumers) for row in f.sets] for key, f in found.items()}
    assert consumed == {
        ("%s", "produced"): [("{ s[i = 3] }", ("(1)",))],
        ("%s", "read"): [("{ s[d0 = 0] }", ("{ [t0 = 0] }",))],
        ("%m", "read"): [("{ m[d0 = 0] }", ("(0) + p (1)",))],
    }
    assert all(f.layout is None or f.layout.elements == "1" for f in found.values())


@pytest.mark.parametrize(
    ("index", "end", "sizes"),
    [
        ("%i mod 3, %j", "9", [["27"]]),  # the same elements, which no linear part moves
        ("%i, 0", "%i + 1", [["4"]]),  # moved, inside a loop that is longer in each tile
    ],
)
def test_whole_tiles_are_one_class_for_any_number_of_them(
    index: str, end: str, sizes: list[list[str]]
) -> None:
    text = f"""func.func @f(%x: memref<?x?xf32>, %y: memref<f32>, %n: index) {{
  affine.for %i = 0 to %n {{
    affine.for %j = 0 to affine_map<(i) -> ({end.replace("%", "")})>(%i) {{
      %0 = affine.load %x[{index}] : memref<?x?xf32>
      affine.store %0, %y[] : memref<f32>
    }}
  }}
  return
}}"""
    facts = volcli.loads(text).run("mars{tile='i:4' assume-noalias-args}").facts
    (fact,) = (each for each in facts if isinstance(each, MarsFact))
    assert [[count for _, count in each.members] for each in fact.classes] == sizes
    assert str(fact.covers) == "[n] -> { [t0] : t0 >= 0 and 4t0 <= -4 + n }"
