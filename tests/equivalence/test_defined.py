"""Programs are compared where the first one is defined; what the second one needs beyond that is named."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.differences import FunctionComparison

HEAD = "func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {"
FIRST = f"{HEAD} return %a : tensor<?xf32> }}"
COPY = f"""{HEAD}
  %r = linalg.copy ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
CAST = f"""{HEAD}
  %c = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %r = tensor.cast %c : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
SLICES = f"""{HEAD}
  %s = tensor.extract_slice %a[%n] [4] [2] : tensor<?xf32> to tensor<4xf32>
  %q = tensor.extract_slice %s[1] [3] [1] : tensor<4xf32> to tensor<3xf32>
  %r = tensor.cast %q : tensor<3xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
# %n + 2 where %n >= 0, and 2 elsewhere: the same wherever SLICES is defined.
CLAMPED = f"""{HEAD}
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c2 : index
  %k = arith.maxsi %m, %c2 : index
  %q = tensor.extract_slice %a[%k] [3] [2] : tensor<?xf32> to tensor<3xf32>
  %r = tensor.cast %q : tensor<3xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}}"""
LOADED = """func.func @f(%a: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  KIND
  %x = memref.load %a[%k] : memref<?xf32>
  return %x : f32
}"""


def compared(before: str, after: str) -> FunctionComparison:
    (found,) = volcli.loads(before).diff(volcli.loads(after))
    return found


def test_what_needs_sizes_that_the_first_program_does_not_need_is_different() -> None:
    for after, needed in ((COPY, "dim(%a, 0) = dim(%b, 0)"), (CAST, "dim(%a, 0) = 4")):
        found = compared(FIRST, after)
        assert found.verdict == "different"
        said = [str(each) for each in found.outputs[1:]]
        assert said[0].startswith("definedness: different: after: ")
        assert said[1] == f"sizes: different: AFTER needs {needed}, and BEFORE does not"


@pytest.mark.parametrize("before", [COPY, CAST])
def test_sizes_that_the_first_program_needs_are_none(before: str) -> None:
    found = compared(before, FIRST)
    assert (found.verdict, found.assumptions) == ("equal", ())


def test_slices_out_of_bounds_are_no_difference() -> None:
    found = compared(SLICES, CLAMPED)
    assert (found.verdict, found.assumptions) == ("equal", ())


def test_a_difference_is_where_the_first_program_is_defined() -> None:
    """With %n = -1 or less, CLAMPED reads 2, 4 and 6, and SLICES before the first element."""
    found = compared(CLAMPED, SLICES)
    assert found.verdict == "different"
    witness = found.outputs[0].witness
    assert witness is not None
    n, size = witness.parameters["%n"], witness.parameters["dim(%a, 0)"]
    assert max(n + 2, 2) + 2 * 2 < size, "CLAMPED is in bounds there"
    assert n < 0


def test_an_empty_slice_may_begin_anywhere() -> None:
    text = f"""{HEAD}
      %s = tensor.extract_slice %a[9] [%n] [1] : tensor<?xf32> to tensor<?xf32>
      %r = tensor.insert_slice %s into %b[OFFSET] [%n] [1] : tensor<?xf32> into tensor<?xf32>
      return %r : tensor<?xf32>
    }}"""
    found = compared(text.replace("OFFSET", "0"), text.replace("OFFSET", "1"))
    assert found.verdict == "different"
    assert found.outputs[0].witness is not None
    assert found.outputs[0].witness.parameters["%n"] > 0
    assert found.outputs[0].witness.parameters["dim(%a, 0)"] >= 9 + found.outputs[0].witness.parameters["%n"]


@pytest.mark.parametrize(
    ("index", "verdict"),
    [("%k = arith.maxsi %n, %c0 : index", "equal"), ("%k = arith.minsi %n, %c0 : index", "different")],
)
def test_loads_are_in_bounds(index: str, verdict: str) -> None:
    before = LOADED.replace("KIND", "%k = arith.addi %n, %c0 : index")
    assert compared(before, LOADED.replace("KIND", index)).verdict == verdict


PADDED = """func.func @f(%t: tensor<5x6xf32>, %n: index) -> tensor<5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %t nofold low[%n, 0] high[0, %n] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<5x6xf32> to tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}"""


def test_a_result_called_by_a_number_is_tiled_where_its_type_says_its_size() -> None:
    """The type says that %n is 0; elsewhere the program has no meaning."""
    program = volcli.loads(PADDED)
    tiled = program.run("tile{sizes=4,4}")
    assert not [each for each in tiled.diagnostics if each.code == "V900"]
    assert tiled.text().count("tensor.insert_slice") == 4


@pytest.mark.parametrize(
    "text",
    [
        """func.func @f() -> memref<?x?xi1> {
          %one = arith.constant 1 : index
          %less = arith.constant -2 : index
          %m = memref.alloc(%one, %less) : memref<?x?xi1>
          return %m : memref<?x?xi1>
        }""",
        """func.func @f(%n: index, %m: index, %x: f32, %a: memref<8xf32>) {
          affine.for %i = 0 to affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %m] {
            affine.store %x, %a[0] : memref<8xf32>
          }
          return
        }""",
    ],
)
def test_what_is_never_defined_or_has_no_form_is_compared(text: str) -> None:
    programs = [volcli.loads(each) for each in (text, text.replace("-2", "-3").replace("%x", "%y"))]
    assert programs[0].diff(programs[1])[0].verdict in ("equal", "unknown")
    assert not [each for program in programs for each in program.diagnostics if each.code == "V900"]


def test_a_vector_is_inside_from_its_first_to_its_last_element() -> None:
    text = """func.func @f(%m: memref<32xf32>, %i: index) -> vector<8xf32> {
      %c0 = arith.constant 0 : index
      %k = arith.maxsi %i, %c0 : index
      %v = vector.load %m[INDEX] : memref<32xf32>, vector<8xf32>
      return %v : vector<8xf32>
    }"""
    assert compared(text.replace("INDEX", "%i"), text.replace("INDEX", "%k")).verdict == "equal"
    found = compared(text.replace("INDEX", "%k"), text.replace("INDEX", "%i"))
    assert found.verdict == "different"
    assert found.outputs[0].witness is not None
    assert found.outputs[0].witness.parameters["%i"] < 0


GREATER = """func.func @f(%n: index, %m: memref<4xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = KIND
  %e = arith.addi %k, %c1 : index
  %b = arith.cmpi sgt, %e, %k : index
  scf.if %b {
    memref.store %c, %m[%c0] : memref<4xf32>
  }
  return
}"""
ALWAYS = """func.func @f(%n: index, %m: memref<4xf32>, %c: f32) {
  %c0 = arith.constant 0 : index
  memref.store %c, %m[%c0] : memref<4xf32>
  return
}"""


@pytest.mark.parametrize(
    ("kind", "assumed"),
    [
        ("arith.addi %n, %c0 : index", ("index arithmetic does not overflow",)),
        ("arith.minsi %n, %c1 : index", ()),
    ],
)
def test_what_integers_alone_are_is_an_assumption(kind: str, assumed: tuple[str, ...]) -> None:
    """%k + 1 > %k does not hold of %k = 2^63 - 1 in the machine."""
    greater = GREATER.replace("KIND", kind)
    for before, after in ((greater, ALWAYS), (ALWAYS, greater)):
        found = compared(before, after)
        assert (found.verdict, found.assumptions) == ("equal", assumed)
        assert found.to_json()["assumptions"] == [*assumed]
        given = "".join(f", if {text}" for text in assumed)
        assert found.lines()[0] == f"@f: equal: the same operations{given}"
