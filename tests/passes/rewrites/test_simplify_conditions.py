"""simplify-bounds: conditions of affine.if without constraints that hold anyhow, executed beside the original."""

from __future__ import annotations

import random

import pytest

import volcli
from tests.passes.rewrites.test_tile_symbolic import different
from tests.rewriting.rewritten import rewritten_by
from tests.shared.execution import needs_runner

FORMS = ("d0", "d1", "d0 - d1", "s0 - d0", "d0 + d1 - s1", "s0 - d1 - 1", "d0 mod 3", "d1 floordiv 2 - d0")


def drawn(seed: int) -> str:
    """Two loops over conditions of one to four constraints, with an `else`, inside of each other, or with results."""
    chance = random.Random(seed)

    def condition() -> str:
        chosen = [chance.choice(FORMS) for _ in range(chance.randint(1, 4))]
        constraints = ", ".join(
            f"{form} + {chance.randint(-3, 3)} {chance.choice(('>=', '>=', '>=', '=='))} 0" for form in chosen
        )
        return f"affine_set<(d0, d1)[s0, s1] : ({constraints})>(%i, %j)[%U, %V]"

    def added(number: int, inner: str = "") -> str:
        return f"""
        {inner}
        %x = affine.load %m[%i, %j] : memref<16x16xindex>
        %c = arith.constant {number} : index
        %y = arith.addi %x, %c : index
        affine.store %y, %m[%i, %j] : memref<16x16xindex>"""

    nested = f"affine.if {condition()} {{ {added(100)} }} else {{ {added(1000)} }}"
    return f"""
func.func @f(%m: memref<16x16xindex>, %U: index, %V: index, %a: index, %b: index) {{
  %c3 = arith.constant 3 : index
  affine.for %i = 0 to min affine_map<()[u] -> (u, 16)>()[%U] {{
    affine.for %j = affine_map<(i) -> (i floordiv 2)>(%i) to affine_map<(i) -> (i + 1)>(%i) {{
      affine.if {condition()} {{ {added(1, nested)} }}
      %z = affine.if {condition()} -> index {{
        %w = affine.if {condition()} -> index {{ affine.yield %i : index }} else {{ affine.yield %c3 : index }}
        affine.yield %w : index
      }} else {{
        affine.yield %j : index
      }}
      %x = affine.load %m[%i, %j] : memref<16x16xindex>
      %y = arith.addi %x, %z : index
      affine.store %y, %m[%i, %j] : memref<16x16xindex>
    }}
  }}
  return
}}
"""


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("seed", range(6))
def test_the_same_iterations_run(seed: int, mlir_opt: str) -> None:
    text = drawn(seed)
    after = rewritten_by("simplify-bounds", text)
    assert different(mlir_opt, text, after) == 0
    program = volcli.load(after)
    program.run("simplify-bounds")
    assert program.text() == after


def in_loop(condition: str, rest: str = "", *, stays: bool = False) -> str:
    """What simplify-bounds makes of a CONDITION on d0 = %i and s0 = %n, for 0 <= %i < %n."""
    return rewritten_by(
        "simplify-bounds",
        f"""
func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {{
  affine.for %i = 0 to %n {{
    affine.if affine_set<(d0)[s0] : ({condition})>(%i)[%n] {{
      affine.store %x, %m[%i] : memref<?xf32>
    }} {rest}
  }}
  return
}}
""",
        stays=stays,
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("d0 >= 0, s0 - d0 - 1 >= 0, d0 - 3 >= 0", "(d0 - 3 >= 0)"),
        ("d0 - 2 >= 0, d0 - 3 >= 0", "(d0 - 3 >= 0)"),
        ("s0 - 1 >= 0, d0 mod 2 == 0", "(d0 mod 2 == 0)"),
        ("d0 - 3 >= 0, s0 - 4 >= 0", "(d0 - 3 >= 0)"),
    ],
)
def test_what_holds_anyhow_goes(condition: str, left: str) -> None:
    assert left in in_loop(condition)


@pytest.mark.parametrize("condition", ["d0 - 3 >= 0", "d0 - s0 + 1 == 0", "d0 - 3 >= 0, s0 - d0 - 5 >= 0"])
def test_what_says_something_stays(condition: str) -> None:
    assert f"({condition})" in in_loop(condition, stays=True)


@pytest.mark.slow
def test_what_is_decided_is_no_condition() -> None:
    other = "else { affine.store %x, %m[0] : memref<?xf32> }"
    always = in_loop("d0 >= 0, s0 - d0 - 1 >= 0", other)
    assert "affine.if" not in always
    assert "%m[%i]" in always
    assert "%m[0]" not in always
    never = in_loop("d0 - s0 >= 0", other)
    assert "affine.if" not in never
    assert "%m[%i]" not in never
    assert "%m[0]" in never
    assert "affine.store" not in in_loop("d0 - 4 >= 0, s0 - d0 - 1 >= 0, 3 - s0 >= 0")
