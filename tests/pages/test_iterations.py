"""Pictures of iterations: which nests have one, how much of it is drawn, and which arrows."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree as ET

import volcli
from volcli.model.memory.dependences.answers import Kind
from volcli.model.memory.steps.diagrams import Arrow, Diagram
from volcli.pages.iterations import direct, iteration_drawings
from volcli.pages.records import Drawing

PROGRAM = """
func.func @f(%m: memref<?x?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    affine.for %j = 0 to 100 {
      %x = affine.load %m[%i - 2, %j] : memref<?x?xf32>
      affine.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
  affine.for %k = 0 to 100 {
    %y = affine.load %m[0, %k] : memref<?x?xf32>
    affine.store %y, %m[0, %k] : memref<?x?xf32>
  }
  return
}
"""


def drawn(text: str) -> list[Drawing]:
    program = volcli.loads(text).run("dependences")
    return [each for unit in program.units for each in iteration_drawings(unit, program.source.name)]


def test_a_nest_has_a_picture_if_its_iterations_depend_on_each_other() -> None:
    """The second nest depends in its own iterations only."""
    found = drawn(PROGRAM)
    assert [(each.line, each.title) for each in found] == [(4, "Iterations of %i, %j and their dependences")]


def test_at_most_six_iterations_of_each_loop_are_drawn_and_it_is_said() -> None:
    """%n is 8: iterations 2 to 7 of %i, and of %j the first six of a hundred. An arrow is two iterations of %i long."""
    picture = ET.fromstring(drawn(PROGRAM)[0].svg)
    assert len([*picture.iter("circle")]) == 36
    assert (
        sum(each.get("d", "").startswith("M") and "Q" in each.get("d", "") for each in picture.iter("path"))
        == 24
    )
    labels = [each.text for each in picture.iter("text")]
    assert {*map(str, range(8))} <= {*labels}
    assert "depth 1, RAW: (2, 0)" in labels
    assert "at most 6 iterations of each loop are drawn" in labels


def test_loops_around_two_are_in_their_first_iteration() -> None:
    text = """func.func @f(%m: memref<9x9x9xf32>) {
      affine.for %t = 3 to 9 {
        affine.for %i = 0 to 9 {
          affine.for %j = 1 to 9 {
            %x = affine.load %m[%t, %i, %j - 1] : memref<9x9x9xf32>
            affine.store %x, %m[%t, %i, %j] : memref<9x9x9xf32>
          }
        }
      }
      return
    }"""
    (found,) = drawn(text)
    assert found.title == "Iterations of %i, %j and their dependences"
    assert "%t = 3" in found.svg


def test_arrows_that_follow_from_two_others_are_not_drawn() -> None:
    """Of all pairs of five iterations, the four from one to the next are left; a longer one without them stays."""
    pairs = [(a, b) for a, b in product(range(5), repeat=2) if a < b]
    every = tuple(Arrow((a,), (b,), 1, Kind.RAW) for a, b in pairs)
    others = (Arrow((0,), (4,), 1, Kind.WAR), Arrow((2,), (2,), 2, Kind.RAW))
    found = direct(Diagram(("%i",), tuple((k,) for k in range(5)), (*every, *others), {}))
    assert {(each.source, each.sink) for each in found.arrows if each.kind is Kind.RAW} == {
        ((k,), (k + 1,)) for k in range(4)
    }
    assert others[0] in found.arrows
    assert found.notes == (
        "dependences inside an iteration are not drawn",
        "dependences that follow from two others are not drawn",
    )
