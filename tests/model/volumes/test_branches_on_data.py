"""Memory that is written in branches on data: an element depends on all that data selects from."""

from __future__ import annotations

import pytest

from tests.model.volumes.test_contents import A_AND_B, function, is_map, maps

ON_DATA = {
    "stored": (
        "affine.store %v, %b[7 - %i] : memref<8xf32>",
        "b[i] -> a[7 - i] : 0 <= i < 8; b[i] -> b[i] : 0 <= i < 8; b[i] -> p[] : 0 <= i < 8",
    ),
    "beside what is affine": (
        """affine.if affine_set<(d0) : (2 - d0 >= 0)>(%i) {
             %w = affine.load %b[%i] : memref<8xf32>
             %s = arith.addf %w, %p : f32
             affine.store %s, %b[%i] : memref<8xf32>
           }""",
        "b[i] -> a[i] : 0 <= i < 3; b[i] -> b[i] : 0 <= i < 8; b[i] -> p[] : 0 <= i < 3",
    ),
    "in a loop": (
        "affine.for %j = 0 to 2 { affine.store %p, %b[%j] : memref<8xf32> }",
        "b[i] -> a[j] : 0 <= i < 2 and 0 <= j < 8; b[i] -> b[i] : 0 <= i < 8; b[i] -> p[] : 0 <= i < 2",
    ),
    "behind the end": (
        """%w = affine.load %a[%i + 1] : memref<8xf32>
           affine.store %w, %b[%i] : memref<8xf32>""",
        "b[i] -> a[j] : i <= j <= i + 1 and 0 <= i < 8 and 0 <= j < 8; b[i] -> b[i] : 0 <= i < 8; "
        "b[i] -> p[] : 0 <= i < 8",
    ),
}


@pytest.mark.parametrize("name", ON_DATA)
def test_a_branch_on_data_selects(name: str) -> None:
    """An element depends on what decides, on what is stored, and on what was there."""
    body, expected = ON_DATA[name]
    text = f"""affine.for %i = 0 to 8 {{
      %v = affine.load %a[%i] : memref<8xf32>
      %c = arith.cmpf ogt, %v, %p : f32
      scf.if %c {{ {body} }}
    }}"""
    fact = maps(function(f"{A_AND_B}, %p: f32", text))["%b"]
    assert is_map(fact, f"{{ {expected} }}"), fact.map


@pytest.mark.parametrize(
    "body",
    [
        """affine.store %v, %b[0] : memref<8xf32>
           %w = affine.load %b[%i] : memref<8xf32>
           affine.store %w, %a[%i] : memref<8xf32>""",
        "affine.store %v, %b[%i] : memref<8xf32> } else { affine.store %p, %b[%i] : memref<8xf32>",
        """affine.for %j = 1 to 8 {
             %w = affine.load %b[%j - 1] : memref<8xf32>
             affine.store %w, %b[%j] : memref<8xf32>
           }""",
        "func.call @g(%b) : (memref<8xf32>) -> ()",
    ],
    ids=["read after it is stored", "stored in both ways", "from iteration to iteration", "unknown"],
)
def test_a_branch_on_data_that_would_select_what_was_not_there_has_no_answer(body: str) -> None:
    text = f"""func.func private @g(memref<8xf32>)
      {
        function(
            f"{A_AND_B}, %p: f32",
            f'''affine.for %i = 0 to 8 {{
        %v = affine.load %a[%i] : memref<8xf32>
        %c = arith.cmpf ogt, %v, %p : f32
        scf.if %c {{ {body} }}
      }}''',
        )
    }"""
    assert not maps(text)["%b"].exact


def test_what_a_branch_on_data_gives_is_selected() -> None:
    body = """
      %m = affine.for %i = 0 to 8 iter_args(%r = %p) -> (f32) {
        %v = affine.load %a[%i] : memref<8xf32>
        %c = arith.cmpf ogt, %v, %r : f32
        %q = scf.if %c -> (f32) {
          affine.store %v, %b[0] : memref<8xf32>
          scf.yield %v : f32
        } else {
          scf.yield %r : f32
        }
        affine.yield %q : f32
      }"""
    found = maps(function(f"{A_AND_B}, %p: f32", body, "%m : f32"))
    assert is_map(found["%m"], "{ m[] -> a[i] : 0 <= i < 8; m[] -> p[] }")
    all_of_it = "b[0] -> a[i] : 0 <= i < 8; b[i] -> b[i] : 0 <= i < 8; b[0] -> p[]"
    assert is_map(found["%b"], f"{{ {all_of_it} }}")
